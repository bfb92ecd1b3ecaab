"""Reading of vector data: one bad byte, ring or companion never costs more than itself."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from pyogrio import raw

from sitemap.intake.assemble import open_site
from sitemap.intake.salvage import read_record_by_record
from sitemap.layer import SOURCE_FID
from tests.intake.makers import dbf, frame, kinds, points, square, words, write


def geojson(path: Path, features: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def feature(shape: dict[str, Any] | None, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": shape}


def test_every_layer_of_a_geopackage_and_its_tables(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "all.gpkg", layer="boundary")
    frame([square(), square(x=200)], name=["a", "b"]).to_file(path, layer="wetlands")
    raw.write(
        str(path),
        geometry=None,
        field_data=[np.array(["a"], dtype=object)],
        fields=["code"],
        layer="list",
        driver="GPKG",
        append=True,
    )
    site = open_site(path)
    found = {d.provenance.layer: d for d in site.datasets}
    assert set(found) == {"boundary", "wetlands", "list"}
    assert len(found["wetlands"].frame) == 2
    assert kinds(found["list"]) >= {"no_geometry"}
    assert found["list"].role is None
    assert found["list"].provenance.features_null == 0


@pytest.mark.parametrize("ending", [".shp", ".gpkg", ".gdb", ".geojson", ".fgb"])
def test_each_format_gives_the_same_features(tmp_path: Path, ending: str) -> None:
    data = frame([square(), square(x=200)], name=["north", "south"], elev=[842.5, 844.0])
    data = data.to_crs(4326) if ending == ".geojson" else data
    options = {"SPATIAL_INDEX": "NO"} if ending == ".fgb" else {}  # the index sorts by place
    (layer,) = open_site(write(data, tmp_path / f"a{ending}", **options)).datasets
    assert list(layer.frame["name"]) == ["north", "south"]
    assert list(layer.frame["elev"]) == [842.5, 844.0]
    assert list(layer.frame[SOURCE_FID]) == [0, 1]
    expected = shapely.area(data.geometry.to_numpy()).sum()
    assert shapely.area(layer.frame.geometry.to_numpy()).sum() == pytest.approx(expected, rel=1e-3)
    assert (layer.provenance.features_read, layer.provenance.features_null) == (2, 0)


def test_a_missing_shx_is_rebuilt_and_said(tmp_path: Path) -> None:
    data = frame([square(x=i * 200.0) for i in range(5)], name=list("abcde"))
    whole = open_site(write(data, tmp_path / "whole" / "a.shp")).datasets[0]
    write(data, tmp_path / "cut" / "a.shp")
    (tmp_path / "cut" / "a.shx").unlink()
    (layer,) = open_site(tmp_path / "cut").datasets
    assert layer.frame.geometry.equals(whole.frame.geometry)
    assert list(layer.frame["name"]) == list("abcde")
    assert "rebuilt from the 5 records" in words(open_site(tmp_path / "cut"), "shx_rebuilt")


def test_a_shx_of_another_file_is_not_believed(tmp_path: Path) -> None:
    data = frame([square(x=i * 200.0) for i in range(3)], name=list("abc"))
    write(data, tmp_path / "a.shp")
    shx = (tmp_path / "a.shx").read_bytes()
    (tmp_path / "a.shx").write_bytes(shx[:104] + b"\0\0\0\7")
    site = open_site(tmp_path / "a.shp")
    assert len(site.datasets[0].frame) == 3
    assert "does not fit" in words(site, "shx_rebuilt")


@pytest.mark.parametrize("kept", [0, 3, 50, 100, 108, 123])
def test_a_cut_off_shx_costs_no_feature(kept: int, tmp_path: Path) -> None:
    """A driver refuses the whole dataset when the index is shorter than its header says."""
    data = frame([square(x=i * 200.0) for i in range(3)], name=list("abc"))
    path = write(data, tmp_path / "a.shp")
    whole = path.with_suffix(".shx").read_bytes()
    assert len(whole) == 100 + 3 * 8
    path.with_suffix(".shx").write_bytes(whole[:kept])
    site = open_site(path)
    assert list(site.datasets[0].frame["name"]) == list("abc")
    assert "rebuilt from the 3 records" in words(site, "shx_rebuilt")


@pytest.mark.parametrize(("stated", "behind"), [(100, 8), (100 + 3 * 28, 5), (100 + 8 * 28, None)])
def test_a_header_that_ends_too_early_hides_no_record(
    stated: int, behind: int | None, tmp_path: Path
) -> None:
    """A point is 28 bytes: 8 of record header, 4 of type, 16 of coordinates."""
    path = write(frame(points(8)), tmp_path / "inlets.shp")
    raw = bytearray(path.read_bytes())
    raw[24:28] = (stated // 2).to_bytes(4, "big")
    path.write_bytes(raw)
    site = open_site(path)
    assert len(site.datasets[0].frame) == 8
    kinds = {oddity.kind for oddity in site.datasets[0].provenance.oddities}
    assert ("shp_longer" in kinds) is (behind is not None)
    if behind is not None:
        assert f"{behind} of 8 records lie behind it" in words(site, "shp_longer")


def test_a_cut_off_shp_gives_its_whole_records(tmp_path: Path) -> None:
    data = frame([square(x=i * 200.0) for i in range(5)], name=list("abcde"))
    path = write(data, tmp_path / "a.shp")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - 40])
    (tmp_path / "a.shx").unlink()
    site = open_site(path)
    assert len(site.datasets[0].frame) == 4
    assert "4 whole records" in words(site, "shp_cut_off")
    assert "5 records, the .shp 4" in words(site, "dbf_too_long")


def test_a_shp_without_dbf_and_a_dbf_without_shp(tmp_path: Path) -> None:
    write(frame(name=["Lot 5"]), tmp_path / "a.shp")
    shutil.copytree(tmp_path, tmp_path / "b")
    (tmp_path / "a.dbf").unlink()
    (tmp_path / "b" / "a.shp").unlink()
    site = open_site(tmp_path)
    shape, table = site.datasets
    assert kinds(shape) >= {"dbf_missing"}
    assert shape.frame.geometry.notna().all()
    assert kinds(table) >= {"shp_missing", "no_geometry"}
    assert list(table.frame["name"]) == ["Lot 5"]


def test_attributes_that_end_early_are_counted(tmp_path: Path) -> None:
    data = frame(points(10), name=[f"p{i}" for i in range(10)])
    path = write(data, tmp_path / "a.shp")
    table = tmp_path / "a.dbf"
    content = table.read_bytes()
    record = int.from_bytes(content[10:12], "little")
    start = int.from_bytes(content[8:10], "little")
    table.write_bytes(content[: start + 6 * record])
    site = open_site(path)
    assert len(site.datasets[0].frame) == 10
    assert "end at record 6 of 10" in words(site, "dbf_ends_early")
    assert "says 10 records but holds 6" in words(site, "dbf_cut_off")


def shifted(table: Path, header: int = 0, record: int = 0) -> None:
    """Makes the header of a .dbf say that its records begin, or are long, by bytes too much."""
    raw = bytearray(table.read_bytes())
    for at, by in ((8, header), (10, record)):
        stated = int.from_bytes(raw[at : at + 2], "little")
        raw[at : at + 2] = (stated + by).to_bytes(2, "little")
    table.write_bytes(bytes(raw))


@pytest.mark.parametrize(
    ("header", "record"),
    [(-32, 0), (-1, 0), (1, 0), (2, 0), (32, 0), (500, 0), (0, -1), (0, 1), (0, 7)],
)
def test_a_table_whose_header_is_wrong_shifts_no_value_and_hides_no_feature(
    header: int, record: int, tmp_path: Path
) -> None:
    """A star in the text would be the mark of a deleted record if it stood one place off."""
    names = [f"*{number} Lot" for number in range(40)]
    path = write(
        frame(points(40), name=names, acres=[n / 8 for n in range(40)]), tmp_path / "a.shp"
    )
    shifted(path.with_suffix(".dbf"), header, record)
    site = open_site(path)
    (layer,) = site.datasets
    assert list(layer.frame["name"]) == names
    assert list(layer.frame["acres"]) == [n / 8 for n in range(40)]
    assert kinds(layer) == {"dbf_misaligned"}
    assert "were read from there" in words(site, "dbf_misaligned")


def test_a_table_whose_records_lie_nowhere_is_not_believed(tmp_path: Path) -> None:
    path = write(frame(points(9), name=["Lot"] * 9), tmp_path / "a.shp")
    table = path.with_suffix(".dbf")
    raw = bytearray(table.read_bytes())
    start, width = (int.from_bytes(raw[at : at + 2], "little") for at in (8, 10))
    raw[start:] = b"x" * (len(raw) - start)  # no record begins with a mark
    del raw[-width // 2 :]
    table.write_bytes(bytes(raw))
    site = open_site(path)
    assert len(site.datasets[0].frame) == 9
    assert "nor where its fields would put them" in words(site, "dbf_misaligned")


def test_a_memo_field_is_told(tmp_path: Path) -> None:
    """Its cells in the .dbf are numbers of blocks in another file, not the user's words."""
    path = write(frame(notes=["12"]), tmp_path / "a.shp")
    raw = bytearray(path.with_suffix(".dbf").read_bytes())
    raw[32 + 11] = ord("M")
    path.with_suffix(".dbf").write_bytes(bytes(raw))
    assert "not read: notes" in words(open_site(path), "attributes_lost")


def test_companions_in_utf_16_are_read(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "a.shp")
    prj = path.with_suffix(".prj")
    prj.write_bytes(prj.read_text().encode("utf-16"))
    (layer,) = open_site(path).datasets
    assert layer.crs is not None
    assert layer.crs.to_epsg() == 6609


def test_a_shapefile_without_table_claims_no_encoding(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "a.shp")
    path.with_suffix(".dbf").unlink()
    assert open_site(path).datasets[0].provenance.encoding is None


def test_web_pages_as_companions_are_not_used(tmp_path: Path) -> None:
    write(frame(), tmp_path / "a.shp")
    (tmp_path / "a.prj").write_bytes(b"<!DOCTYPE html><html>404</html>")
    (tmp_path / "a.cpg").write_bytes(b"<html>")
    site = open_site(tmp_path)
    assert site.datasets[0].crs is None
    assert kinds(site.datasets[0]) >= {"companion_web_page", "crs_missing"}
    assert "a.prj is a saved web page" in words(site, "companion_web_page")
    assert "a.cpg is a saved web page" in words(site, "companion_web_page")


def test_the_qpj_of_qgis_stands_in_for_a_missing_prj(tmp_path: Path) -> None:
    write(frame(), tmp_path / "a.shp")
    (tmp_path / "a.prj").rename(tmp_path / "a.qpj")
    (layer,) = open_site(tmp_path).datasets
    assert layer.crs is not None
    assert layer.crs.to_epsg() == 6609
    assert "crs_from_qpj" in kinds(layer)


def test_one_broken_ring_costs_one_feature(tmp_path: Path) -> None:
    ring = [[-88.1, 42.9], [-88.2, 42.9], [-88.2, 42.95], [-88.1, 42.9]]
    two_points = [[-88.1, 42.9], [-88.1, 42.9]]
    path = geojson(
        tmp_path / "a.geojson",
        [
            feature({"type": "Polygon", "coordinates": [ring]}, n=1),
            feature({"type": "Polygon", "coordinates": [two_points]}, n=2),
            feature(None, n=3),
            feature({"type": "Polygon", "coordinates": []}, n=4),
            feature({"type": "Polygon", "coordinates": [ring]}, n=5),
        ],
    )
    (layer,) = open_site(path).datasets
    assert list(layer.frame["n"]) == [1, 2, 3, 4, 5]
    found = {o.kind: (o.message, o.feature) for o in layer.provenance.oddities}
    assert found["geometry_undecodable"][1] == 1
    assert found["geometry_null"][1] == 2
    assert found["geometry_empty"][1] == 3
    assert layer.provenance.features_null == 2


def test_coordinates_that_are_no_numbers_or_wild(tmp_path: Path) -> None:
    with np.errstate(invalid="ignore"):
        endless = shapely.LineString([(2_469_500, 335_400), (np.inf, 335_500)])
    lines = [
        endless,
        shapely.LineString([(2_469_500, 335_400), (1e11, 1e11)]),
        shapely.LineString([(2_469_500, 335_400), (2_469_600, 335_400)]),
    ]
    (layer,) = open_site(write(frame(lines, n=[1, 2, 3]), tmp_path / "a.gpkg")).datasets
    found = {o.kind: o for o in layer.provenance.oddities}
    assert found["coordinate_not_finite"].feature == 0
    assert found["coordinate_wild"].feature == 1
    assert "(1e+11, 1e+11)" in found["coordinate_wild"].message


def test_heights_stay_measures_go(tmp_path: Path) -> None:
    path = tmp_path / "a.gpkg"
    write(frame([shapely.Point(1e6, 2e5, 842.0)], n=[1]), path)
    (layer,) = open_site(path).datasets
    assert layer.frame.geometry.iloc[0].z == 842.0
    assert "has_z" in kinds(layer)


def test_curves_are_told(tmp_path: Path) -> None:
    """A GeoPackage whose layer holds a circle as two arcs, written byte by byte."""
    path = write(frame([square()], n=[1]), tmp_path / "a.gpkg", geometry_type="Unknown")
    arcs = (  # CURVEPOLYGON of one CIRCULARSTRING through five points
        b"\x01" + (10).to_bytes(4, "little") + (1).to_bytes(4, "little")
        + b"\x01" + (8).to_bytes(4, "little") + (5).to_bytes(4, "little")
        + np.array([[0, 0], [1, 1], [2, 0], [1, -1], [0, 0]], dtype="<f8").tobytes()
    )  # fmt: skip
    with closing(sqlite3.connect(path)) as tables:
        names = tables.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall()
        for (name,) in names:
            tables.execute(f'DROP TRIGGER "{name}"')
        (blob,) = tables.execute("SELECT geom FROM x").fetchone()
        header = blob[:3] + bytes([1]) + blob[4:8]  # no envelope
        tables.execute("UPDATE x SET geom = ?", (header + arcs,))
        tables.commit()
    site = open_site(path)
    assert "CURVEPOLYGON" in words(site, "curves_linearised")
    circle = site.datasets[0].frame.geometry.iloc[0]
    assert circle.geom_type in ("Polygon", "MultiPolygon")
    assert circle.area == pytest.approx(np.pi, rel=0.01)


def test_mixed_kinds_and_lists(tmp_path: Path) -> None:
    path = geojson(
        tmp_path / "a.geojson",
        [
            feature({"type": "Point", "coordinates": [-88.1, 42.9]}, tags=["a", "b"], n=1),
            feature({"type": "LineString", "coordinates": [[-88, 42], [-88, 43]]}, tags=["c"], n=2),
        ],
    )
    (layer,) = open_site(path).datasets
    assert "mixed_types" in kinds(layer)
    assert list(layer.frame["n"]) == [1, 2]


def test_dates_beyond_the_calendar_are_text(tmp_path: Path) -> None:
    path = write(frame([square(), square()], removal=["20260501", "99990909"]), tmp_path / "a.shp")
    table = tmp_path / "a.dbf"
    content = bytearray(table.read_bytes())
    content[32 + 11 : 32 + 12] = b"D"  # the field is a date of eight characters
    content[32 + 16] = 8
    start = int.from_bytes(content[8:10], "little")
    content[10:12] = (9).to_bytes(2, "little")
    content[start:] = b" 20260501 99990909\x1a"
    table.write_bytes(bytes(content))
    site = open_site(path)
    assert [str(v)[:10] for v in site.datasets[0].frame["removal"]] == ["2026-05-01", "9999-09-09"]
    assert "9999" in words(site, "date_out_of_range")


def test_dates_as_milliseconds_are_told(tmp_path: Path) -> None:
    data = frame([square()], FDATE=[1_346_716_800_000.0], n=[1])
    assert "FDATE" in words(open_site(write(data, tmp_path / "a.fgb")), "date_as_number")


def damaged_geopackage(path: Path, count: int = 3000) -> Path:
    """A GeoPackage with one page of its features overwritten."""
    write(frame(points(count), a=[f"name number {i}" * 5 for i in range(count)]), path)
    content = bytearray(path.read_bytes())
    content[60 * 4096 : 61 * 4096] = b"\xff" * 4096
    path.write_bytes(bytes(content))
    return path


@pytest.mark.parametrize("stated", [0, 2])
def test_a_geopackage_that_counts_too_few_loses_none(stated: int, tmp_path: Path) -> None:
    """Drivers believe the count, which a program that writes plain SQL leaves as it was."""
    path = write(frame(points(5), name=list("abcde")), tmp_path / "a.gpkg", layer="my wells")
    with closing(sqlite3.connect(path)) as tables:
        tables.execute(f"UPDATE gpkg_ogr_contents SET feature_count = {stated}")
        tables.commit()
    site = open_site(path)
    assert list(site.datasets[0].frame["name"]) == list("abcde")
    assert f"it has {stated} features; 5 were read" in words(site, "count_wrong")


def test_a_geopackage_with_gaps_in_its_numbers_counts_right(tmp_path: Path) -> None:
    path = write(frame(points(5), name=list("abcde")), tmp_path / "a.gpkg", layer="a")
    with closing(sqlite3.connect(path)) as tables:
        names = tables.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in names:  # they call functions that only spatial programs have
            tables.execute(f'DROP TRIGGER "{name}"')
        tables.execute("DELETE FROM a WHERE fid < 3")
        tables.execute("UPDATE gpkg_ogr_contents SET feature_count = 3")
        tables.commit()
    (layer,) = open_site(path).datasets
    assert list(layer.frame["name"]) == list("cde")
    assert kinds(layer) == set()


def test_a_damaged_page_costs_its_records_only(tmp_path: Path) -> None:
    """pyogrio refuses the layer; the records before and behind the page are still there."""
    site = open_site(damaged_geopackage(tmp_path / "a.gpkg"))
    (layer,) = site.datasets
    provenance = layer.provenance
    assert provenance.features_read + provenance.features_lost == 3000
    assert 0 < provenance.features_lost < 100
    assert kinds(layer) >= {"read_record_by_record", "features_lost"}
    records = layer.frame[SOURCE_FID].to_numpy()
    lost = sorted(set(range(3000)) - set(records.tolist()))
    assert f"record {lost[0]}, {lost[1]}" in words(site, "features_lost")
    assert lost[-1] < 2999  # reading went on behind the damage
    x = shapely.get_x(layer.frame.geometry.to_numpy())
    assert (x - x[0] == records).all()  # the numbers are those of the file


def test_a_record_whose_attributes_fail_is_lost_by_name(tmp_path: Path) -> None:
    point = {"type": "Point", "coordinates": [-88.0, 42.0]}
    path = geojson(tmp_path / "a.geojson", [feature(point, a={"x": 1}), feature(point, a="text")])
    saved = read_record_by_record(f"GeoJSON:{path}", None, "GeoJSON", None, "a.geojson")
    assert saved.records.tolist() == [0]
    assert [number for number, _ in saved.lost] == [1]
    (layer,) = open_site(path).datasets  # bulk reading takes both
    assert len(layer.frame) == 2


def test_a_truncated_geojson_says_so(tmp_path: Path) -> None:
    path = write(frame(points(50), n=list(range(50))).to_crs(4326), tmp_path / "a.geojson")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    (item,) = open_site(path).unreadable
    assert item.kind == "truncated"
    assert "ends in the middle" in item.reason


def test_text_with_foreign_bytes_in_a_geopackage(tmp_path: Path) -> None:
    path = write(frame([square(), square()], a=["plain", "Chien"]), tmp_path / "a.gpkg")
    with closing(sqlite3.connect(path)) as tables:
        names = tables.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall()
        for (name,) in names:
            tables.execute(f'DROP TRIGGER "{name}"')
        tables.execute("UPDATE x SET a = CAST(x'436869EA6E' AS TEXT) WHERE a = 'Chien'")
        tables.commit()
    (layer,) = open_site(path).datasets
    assert list(layer.frame["a"]) == ["plain", "Chi\ufffdn"]
    assert "text_undecodable" in kinds(layer)


def test_a_column_named_geometry_does_not_hide_the_geometry(tmp_path: Path) -> None:
    point = {"type": "Point", "coordinates": [-88.0, 42.0]}
    path = geojson(tmp_path / "a.geojson", [feature(point, geometry="text", _fid=7)])
    (layer,) = open_site(path).datasets
    assert layer.frame.geometry.iloc[0].equals(shapely.Point(-88, 42))
    assert list(layer.frame["geometry_"]) == ["text"]


def test_a_table_without_columns_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "a.dbf").write_bytes(dbf([("NAME", 10)], []))
    (tmp_path / "b.dbf").write_bytes(b"\x03")
    site = open_site(tmp_path)
    assert [d.provenance.features_read for d in site.datasets] == [0]
    assert [u.file for u in site.unreadable] == ["b.dbf"]
