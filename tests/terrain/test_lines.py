"""Lines cut at distances, and where parts of a line begin, held against GEOS."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import ops
from shapely.geometry import LineString, MultiPoint, Point, box

from sitemap.terrain.lines import cut, first_of, first_on, last_of

steps = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).filter(any)
share = st.floats(-0.2, 1.2)


@given(st.lists(steps, min_size=1, max_size=12), share, share)
def test_a_cut_is_the_substring(moves: list[tuple[int, int]], one: float, two: float) -> None:
    line = LineString(np.cumsum([(2_469_000, 335_000), *moves], axis=0))
    low, high = sorted(max(0.0, min(1.0, at)) * line.length for at in (one, two))
    part = cut(line, low, high)
    assert part.length == pytest.approx(high - low, abs=1e-6)
    expected = ops.substring(line, low, high)
    assert first_of(part).distance(line.interpolate(low)) < 1e-6
    assert last_of(part).distance(line.interpolate(high)) < 1e-6
    assert shapely.hausdorff_distance(part, expected) < 1e-6


def test_a_cut_beyond_the_ends_is_the_whole_line() -> None:
    line = LineString([(0, 0), (10, 0), (10, 5)])
    assert cut(line, -3.0, 40.0).equals(line)


def test_the_first_of_several_parts_counts_by_its_nearer_end() -> None:
    """East along y = 0 and back along y = 1: the box from x = 4 to 6 is entered first at x = 4."""
    line = LineString([(0, 0), (10, 0), (10, 1), (0, 1)])
    point = LineString([(1, 1), (1, 1)])
    parts = [line.intersection(box(4, -1, 6, 2)), MultiPoint([(2, 1), (9, 0)]), Point(1, 1)]
    assert first_on(np.array([line, line, point]), np.array(parts)).tolist() == [4.0, 9.0, 0.0]
