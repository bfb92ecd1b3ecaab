"""GeoParquet by row groups; a file that holds pictures only."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

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


def test_a_geopackage_of_pictures_is_told_in_plain_words(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "tiles.gpkg") as tables:
        tables.execute("PRAGMA application_id = 0x47504B47")
        tables.execute("CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT)")
        tables.execute("INSERT INTO gpkg_contents VALUES ('air', 'tiles')")
    told = {one.file: one.reason for one in around(tmp_path).reference.unread}
    assert told == {"tiles.gpkg": "holds map tiles (pictures), no features"}


@pytest.mark.parametrize("rows_a_group", [7, 1600])
def test_geoparquet_is_read_piece_by_piece_whatever_its_groups(
    tmp_path: Path, rows_a_group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces smaller than a group, and greater: the same rows, words kept as categories too."""
    pytest.importorskip("pyarrow", reason="GeoParquet is read with the extra parquet")
    monkeypatch.setattr("sitemap.intake.reference_parquet._ROWS_A_PIECE", 50)
    frame = inventory()
    frame["WETCODE"] = [("E2K", "T3K", "S3K")[n % 3] for n in range(len(frame))]
    frame["WETCODE"] = frame["WETCODE"].astype("category")
    path = tmp_path / "wwi.parquet"
    frame.to_parquet(path, row_group_size=rows_a_group, write_covering_bbox=True)
    (layer,) = around(path).reference.layers
    assert len(layer) == 90  # columns -4 to 5 by rows -4 to 4 of them meet the window
    expected = frame.set_index("PLS").loc[layer.frame["id"].astype(int), "WETCODE"]
    assert layer.frame["class"].tolist() == expected.tolist()
    assert layer.frame["_fid"].tolist() == layer.frame["id"].astype(int).tolist()
