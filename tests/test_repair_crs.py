"""`sitemap fix`: what is brought into the CRS of the map, by which operation, and what is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap import load_ordinances
from sitemap.fix import preview_fix
from sitemap.intake.assemble import open_site
from tests.clean_ground import CRS, EAST_FT, NORTH_FT, NOW
from tests.repair.on_disk import (
    DATA_RULES,
    copy_of,
    fixed,
    one,
    preview,
    rules,
    write_site,
)

# -------------------------------------------------------------------------------- reprojection


def test_a_layer_in_degrees_is_reprojected_with_its_operation(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", crs={"wetlands": "EPSG:6318"}, toml=DATA_RULES)
    account = fixed(submission, tmp_path / "out")
    words = one(account, "reprojected").words
    assert "EPSG:6318" in words
    assert "Wisconsin" in words
    layer = next(d for d in copy_of(tmp_path / "out").datasets if d.role == "wetlands")
    assert layer.crs == CRS
    x, y = layer.frame.geometry.iloc[0].exterior.xy
    assert min(x) == pytest.approx(EAST_FT + 560, abs=0.01)
    assert min(y) == pytest.approx(NORTH_FT + 60, abs=0.01)


def test_a_layer_without_a_crs_is_copied_and_never_placed_by_guess(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    (submission / "wetlands.prj").unlink()
    account = fixed(submission, tmp_path / "out", unsafe=True)
    assert [c for c in account.repairs.changes if c.kind == "reprojected"] == []
    layer = next(d for d in copy_of(tmp_path / "out").datasets if d.role == "wetlands")
    assert layer.crs is None
    assert len(layer.frame) == 1
    assert account.comparison is not None
    assert "CRS001" in rules(tuple(after for _, after in account.comparison.stayed))


def test_a_ballpark_between_ellipsoids_is_refused(tmp_path: Path) -> None:
    """NAD27 data: without the grid PROJ would take the numbers over, which is a 100 ft error."""
    submission = write_site(tmp_path / "in", crs={"wetlands": "EPSG:32054"}, toml=DATA_RULES)
    site = open_site(submission)
    account = site.transformations["wetlands.shp"]
    change = one(preview(submission), "reprojected")
    if account.ballpark:
        assert not change.made
        assert "datum shift" in change.refused
    else:  # the grid, or another stated way, is here
        assert change.made
        assert account.accuracy_m is not None


def test_a_rough_way_is_recognised_whatever_grids_are_installed(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", crs={"wetlands": "EPSG:32054"}, toml=DATA_RULES)
    site = open_site(submission)
    rough = replace(site.transformations["wetlands.shp"], ballpark=True)
    site = replace(site, transformations={**site.transformations, "wetlands.shp": rough})
    account = preview_fix(site, load_ordinances(None, site), unsafe=True, now=NOW)
    assert "datum shift" in one(account, "reprojected").refused
    held = next(layer for layer in account.repairs.layers if layer.role == "wetlands")
    assert held.frame.crs.to_epsg() == 32054  # its own numbers, untouched
    assert held.crs_held
    original = next(d for d in site.datasets if d.role == "wetlands").frame
    assert held.frame.geometry.iloc[0].equals(original.geometry.iloc[0])


def test_one_ellipsoid_is_a_matter_of_feet_and_is_stated(tmp_path: Path) -> None:
    """NAD83 to NAD83(2011): PROJ may leave the shift out, which is about a metre, and says so."""
    submission = write_site(tmp_path / "in", crs={"wetlands": "EPSG:2289"}, toml=DATA_RULES)
    change = one(preview(submission), "reprojected")
    assert change.made
    assert "NAD83 / Wisconsin South (ftUS) (EPSG:2289)" in change.words
