"""GeoParquet by row groups, and PostGIS by its own index."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from sitemap.intake.reference_postgis import is_database, without_password
from tests.intake.test_reference import around, inventory


def write_parquet(path: Path, rows_a_group: int = 100, **more: object) -> Path:
    inventory().to_parquet(path, row_group_size=rows_a_group, **more)
    return path


def test_geoparquet_gives_what_a_geopackage_gives(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="GeoParquet is read with the extra parquet")
    path = write_parquet(tmp_path / "wwi.parquet", write_covering_bbox=True)
    (layer,) = around(path).reference.layers
    (other,) = around(_geopackage(tmp_path)).reference.layers
    assert sorted(layer.frame["id"]) == sorted(other.frame["id"])
    assert layer.frame.union_all().symmetric_difference(other.frame.union_all()).area < 1.0
    assert layer.source.index == "bounding boxes of 16 row groups"
    assert layer.source.rows == 1600
    assert layer.role == "wetlands"
    numbers = {int(n): text for n, text in zip(layer.frame["_fid"], layer.frame["id"], strict=True)}
    assert all(str(number) == text for number, text in numbers.items())


def test_geoparquet_without_boxes_is_read_through_and_says_so(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="GeoParquet is read with the extra parquet")
    (layer,) = around(write_parquet(tmp_path / "wwi.parquet")).reference.layers
    assert len(layer) > 0
    assert layer.source.index == "no spatial index: all of it was read through"


def test_geoparquet_without_its_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "wwi.parquet"
    path.write_bytes(b"PAR1")
    (lost,) = around(path).reference.unread
    assert lost.reason == "GeoParquet needs pyarrow: pip install 'sitemap[parquet]'"


def _geopackage(folder: Path) -> Path:
    path = folder / "wwi.gpkg"
    inventory().to_file(path, engine="pyogrio")
    return path


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("postgresql://gis:secret@db.example:5433/state", "postgresql://gis@db.example:5433/state"),
        ("postgis://db/state?password=secret&a=b", "postgis://db/state?password=***&a=b"),
        ("PG:dbname=state password=secret user=gis", "PG:dbname=state password=*** user=gis"),
        ("PG:host=db password='se cret' dbname=state", "PG:host=db password=*** dbname=state"),
    ],
)  # fmt: skip
def test_no_password_is_printed_or_kept(given: str, printed: str) -> None:
    assert is_database(given)
    assert without_password(given) == printed


def test_a_database_that_does_not_answer_is_told_without_its_password(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="PostGIS is read with the extra postgis")
    found = around(f"postgresql://gis:secret@127.0.0.1:1/{tmp_path.name}").reference
    (lost,) = found.unread
    assert lost.reason.startswith("cannot be opened")
    assert "secret" not in f"{lost}{found.given}"


def test_postgis_gives_what_a_geopackage_gives(tmp_path: Path) -> None:
    address = os.environ.get("SITEMAP_TEST_POSTGIS")
    if not address:
        pytest.skip("SITEMAP_TEST_POSTGIS names no empty PostGIS database to write into")
    psycopg = pytest.importorskip("psycopg", reason="PostGIS is read with the extra postgis")
    frame = inventory()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE EXTENSION IF NOT EXISTS postgis")
        db.execute("DROP TABLE IF EXISTS wwi")
        db.execute('CREATE TABLE wwi ("WETCODE" text, "PLS" int, geom geometry(Polygon, 3071))')
        with db.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO wwi VALUES (%s, %s, ST_GeomFromWKB(%s, 3071))",
                [
                    (code, int(pls), shape.wkb)
                    for code, pls, shape in zip(
                        frame["WETCODE"], frame["PLS"], frame.geometry, strict=True
                    )
                ],
            )
        db.execute("CREATE INDEX ON wwi USING gist (geom)")
        db.execute("ANALYZE wwi")
    (layer,) = around(address).reference.layers
    (other,) = around(_geopackage(tmp_path)).reference.layers
    assert sorted(layer.frame["id"]) == sorted(other.frame["id"])
    assert layer.frame.union_all().symmetric_difference(other.frame.union_all()).area < 1.0
    assert (layer.source.index, layer.source.rows) == ("spatial index (GiST)", 1600)
    assert layer.source.identity == "not hashed: known by 1,600 rows"


def test_a_geopackage_of_pictures_is_told_in_plain_words(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "tiles.gpkg") as tables:
        tables.execute("PRAGMA application_id = 0x47504B47")
        tables.execute("CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT)")
        tables.execute("INSERT INTO gpkg_contents VALUES ('air', 'tiles')")
    told = {one.file: one.reason for one in around(tmp_path).reference.unread}
    assert told == {"tiles.gpkg": "holds map tiles (pictures), no features"}
