"""Steep ground in cells: what shift and turn may not change."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.steepness import cells_over, slopes_pct, steep_ground
from sitemap.measures.tin import Tin, tin_of
from tests.measures.grounds import hills, moved, reversed_lines, split_lines

AREA = shapely.box(300.0, 300.0, 1200.0, 1200.0)


def slope_of(tin: Tin, centres: np.ndarray) -> np.ndarray:
    step = np.array([[10.0, 0.0], [-10.0, 0.0], [0.0, 10.0], [0.0, -10.0]])
    z = tin.heights_ft((centres[:, None, :] + step).reshape(-1, 2)).reshape(-1, 4)
    return slopes_pct(np.column_stack([z[:, 0] - z[:, 1], z[:, 2] - z[:, 3]]) / 20.0)


def steep_acres(contours, area=AREA, limit_pct: float = 6.0) -> float:
    tin = tin_of(contours.lines, contours.levels_ft, 10.0)
    centres, side = cells_over(area)
    found = steep_ground(area, centres, side, slope_of(tin, centres), limit_pct)
    return float(shapely.area(found.parts).sum()) / 43560


def test_a_plane_has_one_slope() -> None:
    lines = [shapely.LineString([(0, y), (1000, y)]) for y in range(0, 1001, 20)]
    tin = tin_of(np.array(lines), np.arange(51) * 2.0, 10.0)
    centres, _ = cells_over(shapely.box(100, 100, 900, 900))
    assert slope_of(tin, centres) == pytest.approx(10.0)


def test_heights_lie_on_the_lines_and_between_their_neighbours() -> None:
    contours = hills(3)
    tin = tin_of(contours.lines, contours.levels_ft, 10.0)
    inner = shapely.get_coordinates(shapely.line_interpolate_point(contours.lines, 20.0))
    found = tin.heights_ft(inner)
    known = np.isfinite(found)
    assert np.abs(found - contours.levels_ft)[known].max() < 2.0
    assert np.isnan(tin.heights_ft(np.array([[-5000.0, 0.0]]))).all()


@settings(max_examples=5)
@given(st.integers(0, 1000), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_shift_direction_and_splitting_change_nothing(seed: int, x: float, y: float) -> None:
    contours = hills(seed)
    before = steep_acres(contours)
    there = shapely.transform(AREA, lambda xy: xy + np.array([x, y]))
    assert steep_acres(moved(contours, x, y, 0.0), there) == pytest.approx(before, abs=0.05)
    assert steep_acres(reversed_lines(contours)) == pytest.approx(before, abs=0.05)
    assert steep_acres(split_lines(contours)) == pytest.approx(before, rel=0.03, abs=0.05)


@settings(max_examples=5)
@given(st.integers(0, 1000), st.floats(0.0, 6.28))
def test_a_turn_changes_only_how_cells_cut_the_edge(seed: int, turn: float) -> None:
    contours = hills(seed)
    round_area = shapely.Point(750.0, 750.0).buffer(450.0)
    cos, sin = np.cos(turn), np.sin(turn)
    matrix = np.array([[cos, sin], [-sin, cos]])
    there = shapely.transform(round_area, lambda xy: xy @ matrix)
    before, after = (
        steep_acres(contours, round_area),
        steep_acres(moved(contours, 0, 0, turn), there),
    )
    assert after == pytest.approx(before, rel=0.06, abs=0.15)
