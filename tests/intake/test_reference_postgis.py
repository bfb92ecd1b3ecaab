"""PostGIS as reference, read from a real server: by its own index, whatever its tables are like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sitemap.intake.reference_postgis import is_database, without_password
from sitemap.reference import ReferenceLayer, ReferenceSet
from tests.clean_site import clean_site
from tests.intake.postgis_server import database
from tests.intake.test_reference import around, inventory, written


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("postgresql://gis:secret@db.example:5433/state", "postgresql://gis@db.example:5433/state"),
        ("postgis://db/state?password=secret&a=b", "postgis://db/state?password=***&a=b"),
        ("PG:dbname=state password=secret user=gis", "PG:dbname=state password=*** user=gis"),
        ("PG:host=db password='se cret' dbname=state", "PG:host=db password=*** dbname=state"),
        ("postgresql://gis:se/cr@et@db/state", "postgresql://gis@db/state"),
        ("postgresql://gis:secret@one:1,two:2/state", "postgresql://gis@one:1,two:2/state"),
        ("postgresql://db:port/state", "postgresql://db:port/state"),
    ],
)  # fmt: skip
def test_no_password_is_printed_or_kept(given: str, printed: str) -> None:
    assert is_database(given)
    assert without_password(given) == printed


@pytest.mark.parametrize("password", ["secret", "se/cret"])
def test_a_database_that_does_not_answer_is_told_without_its_password(password: str) -> None:
    pytest.importorskip("psycopg", reason="PostGIS is read with the extra postgis")
    found = around(f"postgresql://gis:{password}@127.0.0.1:1/state").reference
    (lost,) = found.unread
    assert "cret" not in f"{lost}{found.given}"
    assert lost.reason.startswith("cannot be opened" if password == "secret" else "holds a /")


# ------------------------------------------------------------------------------ a real server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with database() as address:
        yield address


@pytest.fixture
def db(server: str) -> Iterator[Any]:
    """A connection to the database, with the extension and the 1,600 wetlands as table wwi."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        connection.execute("CREATE EXTENSION postgis")
        connection.execute(
            'CREATE TABLE wwi ("WETCODE" text, "PLS" int, geom geometry(Polygon, 3071))'
        )
        frame = inventory()
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO wwi VALUES (%s, %s, ST_GeomFromWKB(%s, 3071))",
                [
                    (code, int(pls), shape.wkb)
                    for code, pls, shape in zip(
                        frame["WETCODE"], frame["PLS"], frame.geometry, strict=True
                    )
                ],
            )
        connection.execute("CREATE INDEX ON wwi USING gist (geom)")
        connection.execute("ANALYZE wwi")
        yield connection


def read(server: str) -> tuple[dict[str, ReferenceLayer], ReferenceSet]:
    found = around(server).reference
    return {layer.source.layer: layer for layer in found.layers}, found


def test_a_table_gives_what_a_geopackage_gives(server: str, db: object, tmp_path: Path) -> None:
    layer = read(server)[0]["wwi"]
    (other,) = around(written(inventory(), tmp_path / "wwi.gpkg")).reference.layers
    assert sorted(layer.frame["id"]) == sorted(other.frame["id"])
    assert layer.frame.union_all().symmetric_difference(other.frame.union_all()).area < 1.0
    assert (layer.source.index, layer.source.rows) == ("spatial index (GiST)", 1600)
    assert layer.source.identity == "not hashed: known by 1,600 rows"


@pytest.mark.parametrize(
    "made",
    [
        "CREATE MATERIALIZED VIEW other AS SELECT * FROM wwi",
        "CREATE VIEW other AS SELECT * FROM wwi",
        'CREATE TABLE other AS SELECT "WETCODE", "PLS", geom::geometry AS geom FROM wwi',
        'CREATE TABLE other AS SELECT "WETCODE", "PLS", ST_Force4D(geom) AS geom FROM wwi',
        'CREATE TABLE other ("WETCODE" text, "PLS" int, "50%% of ""it""" text, geom geometry);'
        'INSERT INTO other SELECT "WETCODE", "PLS", NULL, geom FROM wwi',
        'CREATE TABLE other AS SELECT "WETCODE", "PLS"::numeric(9,0), geom FROM wwi',
    ],
)
def test_the_same_rows_come_however_the_table_was_made(server: str, db: Any, made: str) -> None:
    """A view, a column of shapes of any SRID, shapes with z and m, names that want quotes."""
    db.execute(made.replace("%%", "%"))
    layers, _ = read(server)
    assert len(layers["wwi"]) > 0
    assert sorted(layers["other"].frame["id"]) == sorted(layers["wwi"].frame["id"])
    assert layers["other"].frame.union_all().equals(layers["wwi"].frame.union_all())


def test_a_column_of_geography_is_read_too(server: str, db: Any) -> None:
    db.execute(
        'CREATE TABLE other AS SELECT "WETCODE", "PLS", '
        "ST_Transform(geom, 4326)::geography AS place FROM wwi"
    )
    db.execute("CREATE INDEX ON other USING gist (place); ANALYZE other")
    layers, _ = read(server)
    ours, theirs = (layers[name].frame for name in ("other", "wwi"))
    assert sorted(ours["id"]) == sorted(theirs["id"])
    moved = ours.union_all().centroid.distance(theirs.union_all().centroid)
    assert moved < 5.0  # WGS 84 for NAD83: within the stated accuracy of that change
    assert layers["other"].source.index == "spatial index (GiST)"


def test_curves_come_as_lines(server: str, db: Any) -> None:
    """A circle of 30 m has 30,434 sq ft; a chord of a 32nd of a quarter takes less than 0.1 %."""
    db.execute(
        'CREATE TABLE other AS SELECT "WETCODE", "PLS", '
        "ST_LineToCurve(ST_Buffer(ST_Centroid(geom), 30)) AS geom FROM wwi"
    )
    layers, _ = read(server)
    whole = layers["other"].frame.geometry.area.max()
    assert whole == pytest.approx(np.pi * 30.0**2 / 0.3048006**2, rel=1e-3)


def test_a_table_that_may_not_be_read_loses_no_other(server: str, db: Any) -> None:
    db.execute("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN")
    db.execute("CREATE TABLE closed AS SELECT * FROM wwi; GRANT SELECT ON wwi TO reader")
    db.execute("GRANT USAGE ON SCHEMA public TO reader")
    layers, found = read(server.replace("postgres@", "reader@"))
    db.execute("DROP OWNED BY reader; DROP ROLE reader")
    assert set(layers) == {"wwi"}
    told = {lost.layer: lost.reason for lost in found.unread}
    assert told == {"closed": "the user of this connection may not read it: GRANT SELECT"}


def test_a_table_that_is_named_and_not_there_is_told(server: str, db: Any) -> None:
    place = server.removeprefix("postgresql://postgres@127.0.0.1:").split("/")[0]
    address = f"PG:host=127.0.0.1 port={place} user=postgres dbname=postgres tables=wwi,nwi"
    if "127.0.0.1" not in server:
        pytest.skip("the database is not on this machine")
    layers, found = read(address)
    assert set(layers) == {"wwi"}
    (lost,) = found.unread
    assert lost.reason == "holds no table 'nwi' with shapes; its tables: wwi"


def test_shapes_without_an_srid_are_not_used(server: str, db: Any) -> None:
    db.execute("UPDATE wwi SET geom = NULL; ALTER TABLE wwi ALTER geom TYPE geometry")
    db.execute("UPDATE wwi SET geom = ST_SetSRID(ST_MakePoint(1, 2), 0)")
    layers, found = read(server)
    assert not layers
    (lost,) = found.unread
    assert lost.reason.endswith("give its shapes an SRID in the database (UpdateGeometrySRID)")


def test_a_database_without_postgis_is_told_in_plain_words(server: str, db: Any) -> None:
    db.execute("DROP EXTENSION postgis CASCADE")
    (lost,) = read(server)[1].unread
    assert lost.reason == "holds no PostGIS extension, so that none of its tables has shapes"


def test_the_extension_may_lie_in_a_schema_of_its_own(server: str, db: Any) -> None:
    db.execute("DROP EXTENSION postgis CASCADE; DROP SCHEMA IF EXISTS gis CASCADE")
    db.execute("DROP TABLE wwi; CREATE SCHEMA gis; CREATE EXTENSION postgis SCHEMA gis")
    db.execute('CREATE TABLE wwi ("WETCODE" text, geom gis.geometry(Polygon, 3071))')
    frame = inventory()
    for shape in frame.geometry.iloc[780:820]:
        db.execute("INSERT INTO wwi VALUES ('E2K', gis.ST_GeomFromWKB(%s, 3071))", (shape.wkb,))
    layers, _ = read(server)
    db.execute("DROP SCHEMA gis CASCADE")
    assert layers["wwi"].source.rows == 40


def test_a_soil_survey_finds_its_tables(server: str, db: Any) -> None:
    boundary = clean_site().boundary
    assert boundary is not None
    db.execute(
        "CREATE TABLE mupolygon (areasymbol text, musym text, mukey text, geom geometry); "
        "CREATE TABLE muaggatt (mukey int, muname text, hydgrpdcd text); "
        "INSERT INTO muaggatt VALUES (423, 'Ozaukee silt loam', 'C')"
    )
    db.execute(
        "INSERT INTO mupolygon SELECT 'WI133', 'OuB', '423', ST_Envelope(ST_Collect(geom)) FROM wwi"
    )
    layers, _ = read(server)
    frame = layers["mupolygon"].frame
    assert frame["name"].tolist() == ["Ozaukee silt loam"]
    assert frame["hydrologic_group"].tolist() == ["C"]
