"""The ground of a site: which source counts, contours alone, the design over the existing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from affine import Affine

from sitemap.errors import SurfaceError
from sitemap.measures.contours import contours_of
from sitemap.reference import ReferenceRaster, ReferenceSet, ReferenceSource
from sitemap.site import Site
from sitemap.terrain.contour_ground import surface_from_contours
from sitemap.terrain.ground import Ground, ground_of, says_design, window_ft
from tests.clean_ground import EAST_FT, GRADED, MAP, NORTH_FT, graded_ft, ground_ft
from tests.clean_site import (
    clean_site,
    contour_features,
    contours,
    layer_frame,
    point,
    rectangle,
    with_layer,
    with_map_wishes,
    without,
)
from tests.terrain.grounds import raster, write_raster


def places(bounds: tuple[float, float, float, float], step: float = 17.0) -> np.ndarray:
    """Places from the boundary's corner, a little inside the bounds."""
    x = np.arange(bounds[0] + 8.0, bounds[2] - 8.0, step)
    y = np.arange(bounds[1] + 8.0, bounds[3] - 8.0, step)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def on_map(xy: np.ndarray) -> np.ndarray:
    return xy + np.array([EAST_FT, NORTH_FT])


def with_raster(site: Site, path: Path, heights, **more: object) -> Site:
    """The site with a raster of 5 ft cells over its map."""
    x, y = np.meshgrid(np.arange(-300.0, 1100.0, 5.0) + 2.5, np.arange(900.0, -300.0, -5.0) - 2.5)
    grid = Affine(5.0, 0.0, EAST_FT - 300.0, 0.0, -5.0, NORTH_FT + 900.0)
    made = write_raster(path, heights(x, y), grid, dtype="float64", unit="foot", **more)
    return replace(site, rasters=(*site.rasters, raster(made)))


def test_contours_alone_give_the_ground_between_them() -> None:
    """4 % ground, 2 ft contours 50 ft apart: within a tenth of the interval everywhere."""
    unsaid = with_map_wishes(clean_site(), vertical_error_ft=None)
    found = ground_of(unsaid).existing
    assert found is not None
    assert found.of_contours
    xy = places(MAP, 23.0)
    off = found.heights_at(on_map(xy)) - ground_ft(xy[:, 0], xy[:, 1])
    known = np.isfinite(off)
    assert known.mean() > 0.9
    assert np.abs(off[known]).max() < 0.5
    assert np.median(np.abs(off[known])) < 0.05
    assert found.stated_error_ft == pytest.approx(0.6)
    assert "three tenths of the contour interval" in found.error_how


def test_a_spot_height_counts_with_the_contours() -> None:
    lines = contours(lambda x, y: 800.2 + 0.04 * y, MAP)
    flat = with_layer(clean_site(), "contours_existing", contour_features(lines))
    spot = {"geometry": [point(400.0, 300.0)], "elevation": [830.0]}
    at = on_map(np.array([[400.0, 300.0]]))
    before = surface_from_contours(flat, window_ft(flat)).heights_at(at)[0]
    raised = with_layer(flat, "spot_elevations", spot)
    after = surface_from_contours(raised, window_ft(raised))
    assert before == pytest.approx(812.2, abs=0.2)
    assert after.heights_at(at)[0] > 825.0
    assert "1 spot elevations" in after.source


def test_one_level_is_no_surface() -> None:
    lines = [one for one in contours(ground_ft, MAP) if one[1] == 820.0]
    site = with_layer(clean_site(), "contours_existing", contour_features(lines))
    assert ground_of(site).existing is None
    assert "fewer than two levels" in ground_of(site).why_no_existing


def test_nothing_is_said() -> None:
    site = without(clean_site(), "contours_existing", "contours_proposed")
    assert ground_of(site).why_no_existing.startswith("no elevation layer")
    assert "no design surface" in ground_of(site).why_no_proposed


def test_a_raster_counts_before_contours_and_is_not_of_them(tmp_path: Path) -> None:
    site = with_raster(clean_site(), tmp_path / "dem.tif", lambda x, y: ground_ft(x, y) + 7.0)
    found = ground_of(site).existing
    assert found is not None
    assert not found.of_contours
    xy = places(MAP, 50.0)
    off = found.heights_at(on_map(xy)) - ground_ft(xy[:, 0], xy[:, 1])
    assert off == pytest.approx(7.0, abs=0.01)


def test_a_raster_without_a_unit_is_asked_for_not_left_aside(tmp_path: Path) -> None:
    x, y = np.meshgrid(np.arange(10.0), np.arange(10.0))
    grid = Affine(50.0, 0.0, EAST_FT, 0.0, -50.0, NORTH_FT + 500.0)
    path = write_raster(tmp_path / "dem.tif", ground_ft(x, y), grid)
    bare = with_map_wishes(clean_site(), vertical_unit=None)
    site = replace(bare, rasters=(raster(path),))
    assert "cannot be told apart" in ground_of(site).why_no_existing


def test_proposed_contours_over_the_existing_ground(tmp_path: Path) -> None:
    """Inside the limits of grading the design, outside it and along it the existing ground."""
    site = with_raster(clean_site(), tmp_path / "dem.tif", ground_ft)
    after = ground_of(site).proposed
    assert after is not None
    xy = places(GRADED, 13.0)
    off = after.heights_at(on_map(xy)) - graded_ft(xy[:, 0], xy[:, 1])
    assert np.abs(off).max() < 1.0, "half an interval"
    assert np.median(np.abs(off)) < 0.15
    west = places((-100.0, -100.0, 140.0, 700.0), 29.0)
    beside = after.heights_at(on_map(west)) - ground_ft(west[:, 0], west[:, 1])
    assert np.abs(beside).max() < 0.02


def test_disturbed_ground_without_design_keeps_its_heights(tmp_path: Path) -> None:
    """A second disturbed area, only cleared, beside the graded one."""
    site = with_raster(clean_site(), tmp_path / "dem.tif", ground_ft)
    frame = {
        "geometry": [rectangle(*GRADED), rectangle(600.0, 100.0, 780.0, 560.0)],
        "id": ["D-1", "D-2"],
        "activity": ["mass grading", "clearing"],
    }
    site = with_layer(site, "disturbance", layer_frame("disturbance", frame))
    after = ground_of(site).proposed
    assert after is not None
    xy = places((600.0, 100.0, 780.0, 560.0), 21.0)
    off = after.heights_at(on_map(xy)) - ground_ft(xy[:, 0], xy[:, 1])
    assert np.abs(off).max() < 0.05


def test_a_design_is_not_carried_far_from_its_contours(tmp_path: Path) -> None:
    """Graded at the west end of a long area only: its east end keeps its heights."""
    site = with_raster(clean_site(), tmp_path / "dem.tif", ground_ft)
    area = {"geometry": [rectangle(150.0, 200.0, 790.0, 500.0)], "id": ["D-1"]}
    site = with_layer(site, "disturbance", layer_frame("disturbance", area))
    after = ground_of(site).proposed
    assert after is not None
    xy = places((770.0 - 20.0, 200.0, 790.0, 500.0), 15.0)
    off = after.heights_at(on_map(xy)) - ground_ft(xy[:, 0], xy[:, 1])
    assert np.abs(off).max() < 0.1


def test_a_design_raster_is_told_by_its_name_and_merged(tmp_path: Path) -> None:
    site = without(clean_site(), "contours_proposed")
    site = with_raster(site, tmp_path / "existing_ground.tif", ground_ft)
    site = with_raster(site, tmp_path / "proposed_grade.tif", lambda x, y: ground_ft(x, y) + 2.0)
    ground = ground_of(site)
    assert ground.proposed is not None
    inside, outside = on_map(np.array([[350.0, 350.0], [50.0, 50.0]]))
    raised = ground.proposed.heights_at(np.array([inside, outside]))
    kept = ground.existing.heights_at(np.array([inside, outside]))  # type: ignore[union-attr]
    assert raised - kept == pytest.approx([2.0, 0.0], abs=1e-6)


def test_proposed_contours_alone() -> None:
    site = without(clean_site(), "contours_existing")
    after = ground_of(site).proposed
    assert after is not None
    at = on_map(np.array([[350.0, 350.0]]))
    expected = graded_ft(np.array(350.0), np.array(350.0))
    assert after.heights_at(at)[0] == pytest.approx(expected, abs=1.0)


def test_names_of_designs() -> None:
    assert says_design("gis/Proposed_Grading.tif")
    assert says_design("FG")
    assert says_design("finished grade")
    assert not says_design("existing_ground.tif")
    assert not says_design("propane_tanks.tif")


def test_the_window_is_the_map_a_quarter_mile_and_a_margin() -> None:
    west, south, east, north = window_ft(clean_site())
    assert EAST_FT - west >= 1320.0
    assert north - (NORTH_FT + 600.0) >= 1320.0
    assert (east - west) - (north - south) == pytest.approx(200.0)


def test_no_place_no_window() -> None:
    with pytest.raises(SurfaceError, match="no layer shows where the site lies"):
        window_ft(replace(clean_site(), layers={}, rasters=()))


def test_surfaces_are_built_once_and_only_when_asked() -> None:
    site = clean_site()
    assert ground_of(site) is ground_of(site)
    fresh = Ground(site)
    assert "_existing" not in vars(fresh)
    assert fresh.existing is fresh.existing


def test_contours_far_away_are_not_triangulated() -> None:
    """A county's contours: only those of the window are taken."""
    site = clean_site()
    frame = site.layers["contours_existing"].frame
    far = shapely.transform(frame.geometry.to_numpy(), lambda xy: xy + 50_000.0)
    both = {
        "geometry": [*frame.geometry, *far],
        "elevation": [*frame["elevation"], *frame["elevation"]],
    }
    wide = with_layer(site, "contours_existing", both)
    found = surface_from_contours(wide, window_ft(wide))
    assert found.bounds[2] < EAST_FT + 5_000.0
    assert len(contours_of(far, frame["elevation"].to_numpy())) == len(frame)


def with_known_raster(site: Site, path: Path, unit: str | None = "foot") -> Site:
    """The site with a reference raster of 5 ft cells, a foot above the ground of the map."""
    x, y = np.meshgrid(np.arange(-300.0, 1100.0, 5.0) + 2.5, np.arange(900.0, -300.0, -5.0) - 2.5)
    grid = Affine(5.0, 0.0, EAST_FT - 300.0, 0.0, -5.0, NORTH_FT + 900.0)
    made = raster(write_raster(path, ground_ft(x, y) + 1.0, grid, dtype="float64", unit=unit))
    source = ReferenceSource(path.name, path.name, "dem", "GTiff", "elevation", "made")
    known = ReferenceSet(rasters=(ReferenceRaster(made, source),), given=(path.name,))
    return replace(site, reference=known)


def test_the_elevation_of_a_reference_goes_before_contours(tmp_path: Path) -> None:
    """And after what the submission itself hands in as elevation."""
    site = with_known_raster(clean_site(), tmp_path / "dem.tif")
    found = ground_of(site).existing
    assert found is not None
    assert not found.of_contours
    xy = places(MAP, 23.0)
    off = found.heights_at(on_map(xy)) - ground_ft(xy[:, 0], xy[:, 1])
    assert np.nanmax(np.abs(off - 1.0)) < 0.05
    own = ground_of(with_raster(site, tmp_path / "own.tif", ground_ft)).existing
    assert own is not None
    assert np.nanmax(np.abs(own.heights_at(on_map(xy)) - ground_ft(*xy.T))) < 0.05


def test_a_reference_whose_unit_is_stated_nowhere_is_not_used(tmp_path: Path) -> None:
    """What site.toml says of heights is said of its own files."""
    site = with_known_raster(clean_site(), tmp_path / "dem.tif", unit=None)
    assert site.project.map.vertical_unit == "ftUS"
    found = ground_of(site).existing
    assert found is not None
    assert found.of_contours
