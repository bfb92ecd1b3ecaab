"""Outlines drawn as lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, box

from sitemap.measures.outlines import end_gap, joined, lines_of, ring_of

CORNERS = [(0.0, 0.0), (80.0, 0.0), (80.0, 60.0), (0.0, 60.0), (0.0, 0.0)]


@given(
    st.permutations([0, 1, 2, 3]),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.floats(min_value=0.0, max_value=0.2),
)
def test_sides_in_any_order_and_direction_make_one_closed_line(
    order: list[int], turned: list[bool], slip: float
) -> None:
    """Each side begins a little beside the end of the one before."""
    sides = []
    for i in order:
        (x0, y0), end = CORNERS[i], CORNERS[i + 1]
        side = [(x0 + slip, y0 + slip), end]
        sides.append(LineString(side[::-1] if turned[i] else side))
    (line,) = joined(np.array(sides, dtype=object), 0.5)
    assert end_gap(line) <= 0.5
    assert ring_of(line).area == pytest.approx(80 * 60, rel=0.02)


def test_lines_farther_apart_than_the_tolerance_stay_apart() -> None:
    lines = np.array([LineString([(0, 0), (10, 0)]), LineString([(10.6, 0), (20, 0)])])
    assert len(joined(lines, 0.5)) == 2


def test_the_gap_of_an_open_line() -> None:
    assert end_gap(LineString(CORNERS[:-1])) == 60.0
    assert end_gap(LineString(CORNERS)) == 0.0


def test_only_lines_are_lines() -> None:
    shapes = np.array([box(0, 0, 1, 1), Point(0, 0), LineString(CORNERS)])
    assert len(lines_of(shapes)) == 1
