"""Crossings are found wherever the lines are, and however they are drawn."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures.contour_crossings import crossings
from sitemap.measures.contours import Contours, contours_of
from tests.measures.grounds import hills, moved, reversed_lines, split_lines

few = settings(max_examples=6)


def with_a_stray_line(seed: int) -> Contours:
    whole = hills(seed)
    stray = LineString([(13.3, 17.7), (1487.1, 1481.9)])
    return Contours(
        np.append(whole.lines, stray),
        np.append(whole.levels_ft, 9.0),
        np.arange(len(whole) + 1),
    )


@few
@given(st.integers(min_value=0, max_value=10_000))
def test_contours_of_one_surface_do_not_cross(seed: int) -> None:
    assert len(crossings(hills(seed)).points) == 0


@few
@given(
    st.integers(min_value=0, max_value=10_000),
    st.floats(min_value=-1e5, max_value=1e5),
    st.floats(min_value=0, max_value=6.3),
)
def test_shift_turn_direction_and_splitting_change_no_crossing(
    seed: int, x_ft: float, turn_rad: float
) -> None:
    lines = with_a_stray_line(seed)
    expected = sum(
        len(shapely.get_parts(shapely.intersection(line, lines.lines[-1])))
        for line in lines.lines[:-1]
        if line.intersects(lines.lines[-1])
    )
    for other in (
        lines,
        moved(lines, x_ft, 7.0, turn_rad),
        reversed_lines(lines),
        split_lines(lines),
    ):
        assert len(crossings(other).points) == expected


def test_a_pair_is_named_by_the_order_of_the_lines() -> None:
    lines = [LineString([(0, 0), (9, 9)]), LineString([(0, 9), (9, 0)])]
    found = crossings(contours_of(np.array(lines), np.array([822.0, 820.0])))
    assert found.pair.tolist() == [[0, 1]]
    assert [p.wkt for p in found.points] == ["POINT (4.5 4.5)"]
