"""Fence against ground: what shift, turn and direction may not change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures.crossing_lines import crossing_points
from sitemap.measures.fence_runs import FenceLimits, judged_part, off_contour, slope_above

LIMITS = FenceLimits(15.0, 1.0, 1.0)


@dataclass(frozen=True)
class Plane:
    """Ground of one slope; east and north are rise per foot."""

    east: float
    north: float

    def heights_at(self, xy: np.ndarray) -> np.ndarray:
        return np.asarray(800.0 + xy @ np.array([self.east, self.north]))

    def gradient(self, xy: np.ndarray, reach_ft: float) -> np.ndarray:
        return np.tile([self.east, self.north], (len(xy), 1))


def sloping(percent: float, toward_deg: float) -> Plane:
    toward = np.radians(toward_deg)
    return Plane(percent / 100 * float(np.cos(toward)), percent / 100 * float(np.sin(toward)))


def fence(angle_deg: float, length_ft: float = 300.0, x: float = 0.0, y: float = 0.0) -> LineString:
    angle = np.radians(angle_deg)
    return LineString([(x, y), (x + length_ft * np.cos(angle), y + length_ft * np.sin(angle))])


@settings(max_examples=60)
@given(
    st.floats(2.0, 40.0),
    st.floats(0.0, 360.0),
    st.floats(16.0, 89.0),
    st.floats(-1e5, 1e5),
    st.booleans(),
)
def test_the_angle_to_the_contour_is_that_of_the_drawing(
    percent: float, toward: float, angle: float, shift: float, backwards: bool
) -> None:
    """Whatever the slope and wherever it lies."""
    line = fence(toward + 90.0 + angle, 300.0, shift, -shift)
    if backwards:
        line = shapely.reverse(line)
    (run,) = off_contour(line, sloping(percent, toward), (0.0, line.length), LIMITS)
    assert run.angle_deg == pytest.approx(angle, abs=1e-3)
    assert run.fall_ft == pytest.approx(300 * percent / 100 * np.sin(np.radians(angle)), rel=1e-6)
    assert run.line.length == pytest.approx(300.0)


@settings(max_examples=40)
@given(st.floats(2.0, 40.0), st.floats(0.0, 360.0), st.floats(0.0, 14.9))
def test_nothing_within_the_limit_is_found(percent: float, toward: float, angle: float) -> None:
    line = fence(toward + 90.0 + angle)
    assert off_contour(line, sloping(percent, toward), (0.0, line.length), LIMITS) == []


@given(st.floats(2.0, 40.0), st.floats(0.0, 360.0), st.floats(10.0, 250.0))
@settings(max_examples=40)
def test_the_way_up_is_straight_and_ends_at_what_takes_the_water(
    percent: float, toward: float, away: float
) -> None:
    up = np.array([np.cos(np.radians(toward)), np.sin(np.radians(toward))])
    side = np.array([-up[1], up[0]])
    stop = LineString([away * up - 500 * side, away * up + 500 * side])
    found = slope_above(np.zeros((1, 2)), sloping(percent, toward), np.array([stop]))
    assert found.ended == ["control"]
    assert found.length_ft[0] == pytest.approx(away, abs=1e-6)
    assert found.slope_pct[0] == pytest.approx(percent, abs=1e-6)


def test_an_end_is_a_return_only_where_it_leads_uphill() -> None:
    ground = Plane(0.0, 0.1)
    both = LineString([(0, 15), (5, 0), (295, 0), (300, 15)])
    first, last = judged_part(both, ground, 20.0)
    assert (first, both.length - last) == pytest.approx((20.0, 20.0))
    down = LineString([(0, -15), (5, 0), (295, 0), (300, 15)])
    first, last = judged_part(down, ground, 20.0)
    assert (first, down.length - last) == pytest.approx((0.0, 20.0))


def test_a_return_is_at_most_a_quarter_of_the_fence() -> None:
    first, last = judged_part(LineString([(0, 0), (0, 40)]), Plane(0.0, 0.1), 20.0)
    assert (first, last) == pytest.approx((0.0, 30.0))


def test_lines_cross_only_where_they_pass_to_the_other_side() -> None:
    ditch = np.array([LineString([(0, -50), (0, 50)])])
    assert len(crossing_points(LineString([(-10, 0), (10, 0)]), ditch, 0.5)) == 1
    assert crossing_points(LineString([(-10, 0), (0.4, 0)]), ditch, 0.5) == []
    assert crossing_points(LineString([(-10, 0), (-1, 0)]), ditch, 0.5) == []
