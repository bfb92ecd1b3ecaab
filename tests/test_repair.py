"""`sitemap fix`: each kind of fault on the clean site on disk, repaired and checked again.

How a dataset gets into the CRS of the map is test_repair_crs.py, the verb test_fix_verb.py.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pyogrio
import pytest
import shapely
from shapely.geometry import Polygon

from sitemap import load_ordinances
from sitemap.check import check_site
from sitemap.crs import parse_crs
from sitemap.errors import UsageError
from sitemap.fix import fix_site
from sitemap.intake.assemble import open_site
from sitemap.repair.account import Account, to_text
from sitemap.repair.write import folder_in_place
from sitemap.terrain.ground import ground_of
from tests.clean_ground import CRS, EAST_FT, NORTH_FT, NOW, rectangle
from tests.intake.makers import frame, square, write
from tests.intake.test_landxml import landxml, submit
from tests.repair.on_disk import (
    DATA_RULES,
    bow_tie,
    copy_of,
    fixed,
    kinds,
    one,
    preview,
    rules,
    sums,
    write_site,
)

# ------------------------------------------------------------------------------- the clean site


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Account]:
    """The clean site, and its copy, judged by every rule."""
    folder = tmp_path_factory.mktemp("clean")
    submission = write_site(folder / "in", also=None)
    return submission, folder / "out", fixed(submission, folder / "out", unsafe=True)


def test_a_clean_site_keeps_its_verdict_and_its_ground(clean: tuple[Path, Path, Account]) -> None:
    submission, out, account = clean
    assert account.after is not None
    assert account.before is not None
    assert account.after.findings == ()
    assert account.after.verdict_words == account.before.verdict_words
    assert kinds(account) == ["field renamed"]  # ten characters are all that a .dbf takes
    assert account.repairs.refused == ()
    original, copy = open_site(submission), copy_of(out)
    assert set(copy.layers) == set(original.layers)
    for role, layer in original.layers.items():
        twin = copy.layers[role].frame
        assert shapely.equals(layer.frame.geometry.to_numpy(), twin.geometry.to_numpy()).all(), role
        for name in original.catalogue[role].fields:
            assert list(layer.frame[name].astype(str)) == list(twin[name].astype(str)), (role, name)


def test_the_copy_names_every_layer_and_carries_what_was_said(
    clean: tuple[Path, Path, Account],
) -> None:
    submission, out, _ = clean
    original, copy = open_site(submission), copy_of(out)
    assert copy.project.project == original.project.project
    assert copy.project.declared_none == original.project.declared_none
    assert copy.project.plate == original.project.plate
    assert copy.crs == CRS
    assert {d.provenance.layer for d in copy.datasets} == {
        d.provenance.layer for d in original.datasets
    }
    assert {d.choice.reason for d in copy.datasets} == {"named in site.toml"}
    wetlands = next(d for d in copy.datasets if d.role == "wetlands")
    assert "delineation_date" in wetlands.frame.columns


def test_the_same_input_gives_the_same_bytes(
    clean: tuple[Path, Path, Account], tmp_path: Path
) -> None:
    submission, out, _ = clean
    fixed(submission, tmp_path / "again", unsafe=True)
    before, after = sums(out), sums(tmp_path / "again")
    assert {n: s for n, s in before.items() if not n.endswith(".gpkg")} == {
        n: s for n, s in after.items() if not n.endswith(".gpkg")
    }
    for name in ("repaired.gpkg",):  # SQLite's own counters differ, its content does not
        assert _dump(out / name) == _dump(tmp_path / "again" / name)


def _dump(path: Path) -> list[str]:
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as database:
        names = [
            row[0]
            for row in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'rtree%' "
                "ORDER BY name"
            )
        ]
        return [f"{n} {row}" for n in names for row in database.execute(f'SELECT * FROM "{n}"')]


def test_the_json_says_what_the_text_says(clean: tuple[Path, Path, Account]) -> None:
    _, out, account = clean
    said = json.loads((out / "repairs.json").read_text(encoding="utf-8"))
    assert len(said["changes"]) == len(account.repairs.made)
    assert said["findings"] == {
        "went": [], "stayed": [], "not_in_the_copy": [], "came_to_light": [], "new": []
    }  # fmt: skip
    assert said["legal_quantities"][0]["acres_before"] == said["legal_quantities"][0]["acres_after"]
    assert (out / "repairs.txt").read_text(encoding="utf-8") == to_text(account)


# -------------------------------------------------------------------------------- safe repairs


def test_safe_faults_go_and_nothing_else_moves(tmp_path: Path) -> None:
    """Numbers as text, repeated vertices, null records, a missing .shx: one submission."""

    def acres_as_text(columns: dict[str, Any]) -> None:
        columns["acres"] = ["2.75 ac"]
        columns["geometry"] = [shapely.segmentize(columns["geometry"][0], 200.0)]

    def repeated(columns: dict[str, Any]) -> None:
        xy = list(columns["geometry"][0].exterior.coords)
        columns["geometry"] = [Polygon([xy[0], xy[0], *xy[1:3], xy[2], *xy[3:]])]

    def null_record(columns: dict[str, Any]) -> None:
        for name, values in columns.items():
            values.append(None if name == "geometry" else "lawn")

    submission = write_site(
        tmp_path / "in",
        {"disturbance": acres_as_text, "wetlands": repeated, "vegetation": null_record},
        toml=DATA_RULES,
    )
    (submission / "boundary.shx").unlink()
    account = fixed(submission, tmp_path / "out")
    assert {"number parsed", "vertex dropped", "record dropped", "file rebuilt"} <= set(
        kinds(account)
    )
    assert account.after is not None
    assert account.comparison is not None
    assert {"GEO002", "SUB012"} <= set(rules(account.comparison.gone))
    assert [f for f in account.after.findings if f.rule.startswith(("GEO", "SUB012"))] == []
    dropped = one(account, "record dropped")
    assert str(dropped.source).startswith("vegetation.shp, record")
    assert dropped.values == {"cover": "lawn"}
    assert account.quantities.spent == {}  # not a square foot has changed
    copy = copy_of(tmp_path / "out")
    acres = next(d for d in copy.datasets if d.role == "disturbance").frame["acres"]
    assert acres.dtype == float
    assert acres.tolist() == [2.75]
    assert len(copy.layers["vegetation"]) == 2


def test_numbers_that_are_none_stay_beside_the_column(tmp_path: Path) -> None:
    def text(columns: dict[str, Any]) -> None:
        for name, values in columns.items():
            columns[name] = values * 2  # of fewer than twenty, one that is no number is too many
        columns["elevation"] = [f"{v:g} ft" for v in columns["elevation"]]
        columns["elevation"][3] = "see plan"

    submission = write_site(tmp_path / "in", {"contours_existing": text}, toml=DATA_RULES)
    fixed(submission, tmp_path / "out")
    layer = next(d for d in copy_of(tmp_path / "out").datasets if d.role == "contours_existing")
    assert np.isnan(layer.frame["elevation"].iloc[3])
    assert layer.frame["elevation_as_given"].iloc[3] == "see plan"
    assert layer.units["elevation"].startswith("ft")


def test_heights_in_metres_become_feet_and_say_so(tmp_path: Path) -> None:
    def metres(columns: dict[str, Any]) -> None:
        columns["elev_m"] = [v * 0.3048 for v in columns.pop("elevation")]

    submission = write_site(tmp_path / "in", {"contours_existing": metres}, toml=DATA_RULES)
    account = fixed(submission, tmp_path / "out")
    assert "converted to ft" in one(account, "unit converted").words
    before = open_site(submission).layers["contours_existing"].frame["elevation"]
    after = copy_of(tmp_path / "out").layers["contours_existing"].frame["elevation"]
    assert after.tolist() == before.tolist()  # converted once, not twice
    assert after.min() > 700


def test_a_metric_surface_keeps_its_heights(tmp_path: Path) -> None:
    """The copy is no LandXML file any more, so site.toml says what the file said."""
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    unit = 'Imperial linearUnit="USSurveyFoot" elevationUnit="meter"'
    submit(submission, landxml(unit=unit), "eg.xml")
    text = (submission / "site.toml").read_text()
    surface = '[layers]\n\n[layers.elevation]\npath = "eg.xml"\n'
    (submission / "site.toml").write_text(text.replace("[layers]\n", surface, 1))
    fixed(submission, tmp_path / "out")
    before, after = (ground_of(site).existing for site in
                     (open_site(submission), copy_of(tmp_path / "out")))  # fmt: skip
    assert before is not None
    assert after is not None
    place = np.array([[EAST_FT + 100.0, NORTH_FT + 50.0]])
    metric = before.heights_at(place)
    assert np.isfinite(metric).all()
    assert after.heights_at(place) == pytest.approx(metric)
    assert (tmp_path / "out" / "site.toml").read_text().count('unit = "m"') == 1
    fixed(tmp_path / "out", tmp_path / "again")  # no LandXML any more: what site.toml says of it
    again = ground_of(copy_of(tmp_path / "again")).existing
    assert again is not None
    assert again.heights_at(place) == pytest.approx(metric)


def test_a_height_unit_that_nobody_stated_stays_unstated(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml={**DATA_RULES, "map": {"crs": "EPSG:6609"}})
    fixed(submission, tmp_path / "out")
    layer = next(d for d in copy_of(tmp_path / "out").datasets if d.role == "contours_existing")
    assert layer.units["elevation"] == "not stated, taken as ft"


def test_declared_text_becomes_utf8_and_guessed_text_stays_a_doubt(tmp_path: Path) -> None:
    def name(columns: dict[str, Any]) -> None:
        columns["name"] = ["Zoé Straße"]

    submission = write_site(tmp_path / "in", {"roads": name}, toml=DATA_RULES)
    table = submission / "roads.dbf"
    raw = table.read_bytes()
    old = "Zoé Straße".encode()
    new = "Zoé Straße".encode("cp1252")
    table.write_bytes(raw.replace(old, new.ljust(len(old))))
    (submission / "roads.cpg").write_text("1252")
    declared = one(preview(submission), "text recoded")
    assert declared.made
    assert "read as cp1252" in declared.words
    fixed(submission, tmp_path / "out")
    assert copy_of(tmp_path / "out").layers["roads"].frame["name"].tolist() == ["Zoé Straße"]
    (submission / "roads.cpg").unlink()
    doubtful = one(preview(submission), "text recoded")
    assert not doubtful.made
    assert "nothing says how the text is encoded" in doubtful.refused


def test_an_open_ring_is_closed_and_the_feature_is_on_the_map_again(tmp_path: Path) -> None:
    """As a digitizer leaves it: five corners, the last one not the first. GEOS builds no such."""
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    (submission / "wetlands.shp").unlink()
    for end in (".shx", ".dbf", ".prj", ".cpg"):
        (submission / "wetlands").with_suffix(end).unlink()
    ring = list(rectangle(560, 60, 700, 120).exterior.coords)
    frame = gpd.GeoDataFrame(
        {"id": ["W-1", "W-2"], "acres": [0.19, 0.1]},
        geometry=[rectangle(560, 60, 700, 120), rectangle(720, 60, 760, 120)],
        crs=CRS,
    )
    path = submission / "wetlands.gpkg"
    pyogrio.write_dataframe(frame, path, layer="wetlands", geometry_type="Polygon")
    text = (submission / "site.toml").read_text().replace("wetlands.shp", "wetlands.gpkg")
    (submission / "site.toml").write_text(text)
    _open_ring(path, ring[:-1])
    account = fixed(submission, tmp_path / "out")
    change = one(account, "ring closed")
    assert change.source.user_id == "W-1"
    shapes = copy_of(tmp_path / "out").layers["wetlands"].frame.geometry
    assert shapes.iloc[0].equals(Polygon(ring))
    assert account.comparison is not None
    assert "GEO002" in rules(account.comparison.gone)


def _open_ring(path: Path, ring: list[tuple[float, float]]) -> None:
    """Write the first feature's ring without its last corner into a GeoPackage."""
    polygon = struct.pack("<BIII", 1, 3, 1, len(ring))
    polygon += b"".join(struct.pack("<dd", x, y) for x, y in ring)
    with sqlite3.connect(path) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        (blob,) = database.execute("SELECT geom FROM wetlands WHERE fid = 1").fetchone()
        head = blob[: 8 + 32]  # magic, version, flags, srs id, envelope
        database.execute("UPDATE wetlands SET geom = ? WHERE fid = 1", (head + polygon,))


def test_rings_that_run_the_wrong_way_are_turned(tmp_path: Path) -> None:
    """GDAL turns rings when it writes a shapefile, so the bytes are turned back here."""
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    shp = submission / "wetlands.shp"
    raw = bytearray(shp.read_bytes())
    start = 100 + 8 + 44 + 4  # header, record header, type to part index; then five points
    points = [bytes(raw[start + 16 * i : start + 16 * (i + 1)]) for i in range(5)]
    raw[start : start + 80] = b"".join(reversed(points))
    shp.write_bytes(bytes(raw))
    account = fixed(submission, tmp_path / "out")
    assert one(account, "ring turned").role == "wetlands"
    shape = copy_of(tmp_path / "out").layers["wetlands"].frame.geometry.iloc[0]
    assert shapely.is_ccw(shape.exterior)


# ------------------------------------------------------------------- what a GeoPackage refuses


@pytest.mark.parametrize(
    "name", [".shp", "(final)", "-a", "'b", "gpkg", "GPKG_c", "sqlite_d", "_e"]
)
def test_a_dataset_whose_name_a_geopackage_refuses_is_copied(name: str, tmp_path: Path) -> None:
    write(frame(name=["odd"]), tmp_path / "in" / f"{name}.shp")
    fixed(tmp_path / "in", tmp_path / "out")
    (layer,) = open_site(tmp_path / "out" / "repaired.gpkg").datasets
    assert list(layer.frame["name"]) == ["odd"]
    assert layer.provenance.layer == (name if name == "_e" else f"_{name}")


def test_a_folder_that_fills_while_the_copy_is_made_is_left_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def fill_both() -> None:
        with folder_in_place(target) as made:
            (made / "site.toml").write_text("ours")
            target.mkdir()
            (target / "site.toml").write_text("theirs")

    with pytest.raises(UsageError, match="cannot be put there"):
        fill_both()
    assert (target / "site.toml").read_text() == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_table_without_columns_is_left_out_of_the_copy(tmp_path: Path) -> None:
    path = write(frame(name=["a"]), tmp_path / "in" / "site.gpkg", layer="wetlands")
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (fid INTEGER PRIMARY KEY)")
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier) "
            "VALUES ('notes', 'attributes', 'notes')"
        )
    assert len(open_site(path).datasets) == 2
    fixed(tmp_path / "in", tmp_path / "out")
    (layer,) = open_site(tmp_path / "out" / "repaired.gpkg").datasets
    assert layer.provenance.layer == "wetlands"


def test_a_crs_that_no_file_states_is_left_out_of_the_copy(tmp_path: Path) -> None:
    """A rotated pole, as weather models have it."""
    path = write(frame([square()]), tmp_path / "in" / "wetlands.shp")
    pole = "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=40 +lon_0=10"
    path.with_suffix(".prj").write_text(parse_crs(pole).to_wkt())
    site = open_site(tmp_path / "in")
    packs = load_ordinances(None, site)
    account = fix_site(site, packs, tmp_path / "out", submission=tmp_path / "in", now=NOW)
    (layer,) = copy_of(tmp_path / "out").datasets
    assert len(layer.frame) == 1
    assert layer.crs is None
    assert account.after is not None
    assert "CRS001" in rules(account.after.findings)


def test_a_waiver_by_fingerprint_still_waives_its_finding(tmp_path: Path) -> None:
    """A refused bow-tie stays a finding; in the copy its record has another number and file."""

    def tie(columns: dict[str, Any]) -> None:
        shape = columns["geometry"][0]
        bow_tie(columns)
        columns["geometry"] = [None, *columns["geometry"]]
        for name, values in columns.items():
            columns[name] = values if name == "geometry" else [None, *values]
        assert shape is not None

    plain = write_site(tmp_path / "plain", {"disturbance": tie}, toml=DATA_RULES)
    site = open_site(plain)
    found = check_site(site, load_ordinances(None, site), now=NOW).findings
    fault = next(f for f in found if f.rule == "GEO001")
    waiver = {
        "fingerprint": fault.fingerprint,
        "reason": "redrawn by the surveyor",
        "authority": "City Engineer",
        "date": NOW,
    }
    submission = write_site(
        tmp_path / "in",
        {"disturbance": tie},
        toml={"check": {"select": ["GEO", "WVR"]}, "waivers": [waiver]},
    )
    account = fixed(submission, tmp_path / "out", unsafe=True)
    assert account.after is not None
    assert [f.rule for f in account.after.waived] == ["GEO001"]
    assert [f for f in account.after.findings if f.rule.startswith("WVR")] == []


def test_an_outfall_far_from_any_stream_stays(clean: tuple[Path, Path, Account]) -> None:
    assert [c for c in clean[2].repairs.changes if c.kind == "snapped"] == []


def test_a_datum_beside_the_elevation_is_not_lost_with_the_text(tmp_path: Path) -> None:
    """842 ft NGVD29 becomes the number 842, and the copy still says above which zero."""

    def as_text(columns: dict[str, Any]) -> None:
        columns["elevation"] = [f"{level:g} ft NGVD29" for level in columns["elevation"]]

    submission = write_site(
        tmp_path / "in",
        {"contours_existing": as_text},
        toml={"map": {"crs": "EPSG:6609"}, "check": {"select": ["SUB012", "CRS006"]}},
    )
    account = fixed(submission, tmp_path / "out")
    assert rules(account.comparison.gone) == ["SUB012"]
    frame = copy_of(tmp_path / "out").layers["contours_existing"].frame
    assert set(frame["datum"]) == {"NGVD 29"}
    assert frame["elevation"].notna().all()


def test_heights_of_the_coordinates_are_written_where_the_field_is_zero(tmp_path: Path) -> None:
    def idle(columns: dict[str, Any]) -> None:
        columns["geometry"] = [
            shapely.force_3d(line, level)
            for line, level in zip(columns["geometry"], columns["elevation"], strict=True)
        ]
        columns["elevation"] = [0.0] * len(columns["geometry"])

    toml = {"check": {"select": ["CON003"]}}
    submission = write_site(tmp_path / "in", {"contours_existing": idle}, toml=toml)
    account = fixed(submission, tmp_path / "out")
    assert "Z of the coordinates" in one(account, "field written").words
    assert rules(account.comparison.gone) == ["CON003"]
    stored = pyogrio.read_dataframe(tmp_path / "out" / "repaired.gpkg", layer="contours_existing")
    assert (stored["elevation"] > 700).all()
