"""Findings before and after: one fault is one, wherever on its feature it is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import geopandas as gpd
import pytest
import shapely

from sitemap.finding import Finding, Place, Severity, Source
from sitemap.repair.account import NEW_SITE_TOML, to_dict, to_text
from sitemap.repair.changes import RepairedLayer, Repairs
from sitemap.repair.compare import compare
from tests.clean_ground import CRS, rectangle
from tests.intake.makers import frame, write
from tests.repair.on_disk import DATA_RULES, fixed, rules, write_site

OWN = tuple(Source("flood.geojson", None, record) for record in (0, 1, 3))  # record 2 is left out


def spike(source: Source, x_ft: float) -> Finding:
    return Finding(
        "GEO004", "sliver_or_spike", ("map",), (), Severity.WARNING, "a spike", "delete it",
        role="floodplain", source=source, place=Place(x_ft, 0.0), fingerprint=f"{source}{x_ft}",
    )  # fmt: skip


def checked(*findings: Finding) -> Any:
    project = SimpleNamespace(path="site.toml")
    site = SimpleNamespace(unreadable=(), rasters=(), project=project)
    return cast("Any", SimpleNamespace(findings=findings, outcomes=(), site=site))


@pytest.mark.parametrize(
    ("row", "x_ft", "stayed"),
    [
        (2, 100.0, True),  # where it was
        (2, 125.0, True),  # at the other end of the same needle
        (1, 125.0, False),  # of another feature
    ],
)
def test_a_fault_is_the_same_on_its_own_feature(row: int, x_ft: float, stayed: bool) -> None:
    layer = RepairedLayer("flood", "floodplain", gpd.GeoDataFrame(), OWN)
    before = checked(spike(OWN[2], 100.0))
    after = checked(spike(Source("repaired.gpkg", "flood", row), x_ft))
    found = compare(before, after, Repairs(None, (layer,), ()))
    assert bool(found.stayed) is stayed
    assert bool(found.new) is not stayed


def test_a_second_fault_of_one_feature_is_new() -> None:
    layer = RepairedLayer("flood", "floodplain", gpd.GeoDataFrame(), OWN)
    there = Source("repaired.gpkg", "flood", 2)
    found = compare(
        checked(spike(OWN[2], 100.0)),
        checked(spike(there, 125.0), spike(there, 100.0)),
        Repairs(None, (layer,), ()),
    )
    assert [after.place.x_ft for _, after in found.stayed if after.place] == [100.0]
    assert [f.place.x_ft for f in found.new if f.place] == [125.0]


def test_what_a_site_toml_of_its_own_changes_is_no_repair(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    assert NEW_SITE_TOML not in to_text(fixed(submission, tmp_path / "with"))
    (submission / "site.toml").unlink()
    assert NEW_SITE_TOML in to_text(fixed(submission, tmp_path / "without"))


def test_what_reading_has_lost_is_not_called_mended(tmp_path: Path) -> None:
    """The copy holds the part of a cut file that could be read, and shows no sign of the rest."""
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    path = submission / "roads.shp"
    path.write_bytes(path.read_bytes()[:-40])
    path.with_suffix(".shx").unlink()
    account = fixed(submission, tmp_path / "out")
    assert account.comparison is not None
    assert "SUB002" in rules(account.comparison.left_out)
    assert "SUB002" not in rules(account.comparison.gone)


def test_acres_of_data_outside_the_crs_of_the_map_are_not_called_nothing(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    (submission / "wetlands.prj").unlink()
    account = fixed(submission, tmp_path / "out")
    assert "wetland acres: not measured" in to_text(account)
    rows = {row["role"]: row["acres_before"] for row in to_dict(account)["legal_quantities"]}
    assert rows["wetlands"] is None
    assert rows["boundary"] == pytest.approx(800 * 600 / 43560, rel=1e-5)


def test_a_dataset_that_came_twice_counts_once_in_the_acres(tmp_path: Path) -> None:
    """One boundary on the ground, in two files: 11.02 acres, not 22.04."""
    submission = tmp_path / "in"
    write(frame([rectangle(0, 0, 800, 600)], crs=CRS), submission / "site_boundary.shp")
    write(frame([rectangle(0, 0, 800, 600)], crs=CRS), submission / "cad" / "boundary.gpkg")
    write(frame([rectangle(0, 0, 80, 60)], crs=CRS), submission / "disturbance.shp")
    account = fixed(submission, tmp_path / "out")
    rows = {row["role"]: row for row in to_dict(account)["legal_quantities"]}
    assert rows["boundary"]["acres_before"] == pytest.approx(800 * 600 / 43560, rel=1e-5)
    words = "site_boundary.shp holds the features of cad/boundary.gpkg, layer x again"
    assert rows["boundary"]["repeated"] == [words]
    assert f"11.0193 after; counted once: {words}" in to_text(account)
    assert rows["disturbance"]["repeated"] == []


def test_the_acres_of_a_boundary_sent_as_a_line_are_not_called_nothing(tmp_path: Path) -> None:
    ring = shapely.LineString(rectangle(0, 0, 800, 600).exterior.coords)
    write(frame([ring], crs=CRS), tmp_path / "in" / "site_boundary.shp")
    account = fixed(tmp_path / "in", tmp_path / "out")
    assert "site acres: not measured, nothing of it is drawn as an area" in to_text(account)
    (row,) = to_dict(account)["legal_quantities"]
    assert row["acres_before"] is None


def test_a_fault_of_a_field_that_was_renamed_stays(tmp_path: Path) -> None:
    """Acres that no program can read: in the copy their field is called acres, as unreadable."""
    data = frame([rectangle(0, 0, 80, 60)], crs=CRS, Wetland_Ac=["0.1 ac (4,800 sf)"])
    write(data, tmp_path / "in" / "wetlands.shp")
    account = fixed(tmp_path / "in", tmp_path / "out")
    assert "Wetland_Ac is now acres" in to_text(account)
    comparison = account.comparison
    assert comparison is not None
    assert "SUB012" in [after.rule for _, after in comparison.stayed]
    assert "SUB012" not in rules(comparison.gone)


def test_a_table_without_records_is_the_same_table_in_the_copy(tmp_path: Path) -> None:
    """It has no row that could tell whence it came, and its finding is not the repair's."""
    path = write(frame([rectangle(0, 0, 800, 600)], crs=CRS), tmp_path / "in" / "boundary.gpkg")
    with closing(sqlite3.connect(path)) as tables:
        tables.execute("CREATE TABLE notes (word TEXT)")
        tables.commit()
    account = fixed(tmp_path / "in", tmp_path / "out")
    assert account.comparison is not None
    assert "SUB006" in [after.rule for _, after in account.comparison.stayed]


def test_an_area_that_stands_twice_in_one_file_counts_once_in_the_acres(tmp_path: Path) -> None:
    """Two disturbed areas of 1.1019 and 0.2755 acres, the first again from another vertex on."""
    first = rectangle(0, 0, 240, 200)
    corners = list(first.exterior.coords)[:-1]
    again = shapely.Polygon([*corners[2:], *corners[:2]])
    submission = tmp_path / "in"
    write(frame([rectangle(0, 0, 800, 600)], crs=CRS), submission / "site_boundary.shp")
    shapes = [first, rectangle(300, 0, 420, 100), again]
    write(frame(shapes, crs=CRS, id=["D-1", "D-2", "D-3"]), submission / "disturbance.shp")
    account = fixed(submission, tmp_path / "out")
    row = next(r for r in to_dict(account)["legal_quantities"] if r["role"] == "disturbance")
    assert row["acres_before"] == pytest.approx((240 * 200 + 120 * 100) / 43560, rel=1e-5)
    words = "disturbance.shp, id D-3, record 2, which lies on another feature of its dataset"
    assert row["repeated"] == [words]
    assert f"counted once: {words}" in to_text(account)
