"""Slopes that are known: of a plane, a cone; and their areas."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from sitemap.terrain.slopes import slope_pct, steep_areas
from tests.terrain.grounds import cone, of_cells, plane, surface


def ramp(percent: float):
    return surface(lambda x, y: 800.0 + percent / 100.0 * x + 0.0 * y)


def test_a_plane_has_one_slope_and_none_at_its_edge() -> None:
    slope = slope_pct(surface(plane))
    assert slope[1:-1, 1:-1] == pytest.approx(100.0 * np.hypot(0.10, 0.05))
    assert np.isnan(slope[[0, -1], :]).all()
    assert np.isnan(slope[:, [0, -1]]).all()


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turning_the_ground_turns_the_slopes(turns: int) -> None:
    z = surface(lambda x, y: plane(x, y) + np.sin(x / 17.0) * np.cos(y / 29.0)).z_ft
    turned = np.rot90(slope_pct(of_cells(z)), turns)
    assert slope_pct(of_cells(np.rot90(z, turns))) == pytest.approx(turned, nan_ok=True)


def test_beside_a_void_no_slope_is_known() -> None:
    z = surface(plane).z_ft.copy()
    z[40, 40] = np.nan
    slope = slope_pct(of_cells(z))
    assert np.isnan(slope[39:42, 39:42]).all()
    assert np.isfinite(slope[38, 40])


def test_exactly_twenty_percent_is_steep_and_a_hair_less_is_not() -> None:
    found = steep_areas(ramp(20.0), 20.0, least_sqft=400.0)
    assert len(found) == 1
    assert found.areas[0].area == pytest.approx(77 * 77 * 25.0, rel=0.01)
    assert found.slope_pct[0] == 20.0
    none = steep_areas(ramp(19.99), 20.0, least_sqft=400.0)
    assert len(none) == 0
    assert none.words.endswith("none, the steepest is 20.0 %")


def test_a_cone_is_steep_but_for_its_top() -> None:
    (area,) = steep_areas(surface(cone), 20.0, least_sqft=400.0).areas
    assert area.is_valid
    assert not area.contains(shapely.Point(200.0, 200.0)) or len(area.interiors) == 0
    assert area.contains(shapely.Point(260.0, 200.0))


def test_small_areas_and_holes_are_left_out_and_the_least_is_stated() -> None:
    z = np.zeros((60, 60))
    z[:, 30:] = np.arange(30) * 5.0 * 0.30  # 30 % over the eastern half
    z[10:12, 5:7] += 4.0  # a pile of 100 sq ft
    found = steep_areas(of_cells(z), 20.0, least_sqft=2000.0)
    assert len(found) == 1
    assert found.areas[0].bounds[0] > 140.0
    assert "under 2,000 sq ft" in found.words
    finer = steep_areas(of_cells(z), 20.0, least_sqft=1.0)
    assert len(finer) == 2
    assert finer.areas[0].area > finer.areas[1].area, "the largest first"


def test_only_inside_the_bounds() -> None:
    found = steep_areas(ramp(30.0), 20.0, least_sqft=1.0, within=(100.0, 100.0, 200.0, 200.0))
    assert found.areas[0].bounds[0] > 90.0
    assert found.areas[0].bounds[2] < 210.0


def test_ground_that_is_not_known() -> None:
    found = steep_areas(of_cells(np.full((9, 9), np.nan)), 20.0, least_sqft=1.0)
    assert found.words.endswith("no slope is known there")
