"""Ends that miss each other, and circles, against what was drawn."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from sitemap.measures.flow_network import Miss, circles, misses

NONE = np.empty(0, dtype=object)


def missed(*lines: list[tuple[float, float]], stops: np.ndarray = NONE) -> list[Miss]:
    shapes = np.array([LineString(line) for line in lines], dtype=object)
    return list(misses(shapes, 0.5, 5.0, stops))


def found(*edges: tuple[int, int]) -> list[list[int]]:
    tail, head = np.array(edges, dtype=int).reshape(-1, 2).T
    return sorted(sorted(circle.tolist()) for circle in circles(tail, head))


@settings(max_examples=80)
@given(st.integers(2, 12), st.data())
def test_the_one_gap_of_a_chain_is_the_only_miss(count: int, data: st.DataObject) -> None:
    gap_at, gap = data.draw(st.integers(0, count - 2)), data.draw(st.floats(0.6, 4.9))
    lines = [
        [(i * 40.0 + gap * (i > gap_at), 0.0), (i * 40.0 + 40 + gap * (i > gap_at), 0.0)]
        for i in range(count)
    ]
    (miss,) = missed(*lines)
    assert {miss.line, miss.other} == {gap_at, gap_at + 1}
    assert abs(miss.distance - gap) < 1e-6
    assert not miss.beyond
    between = np.array([Point(gap_at * 40 + 40 + gap / 2.0, 0)])
    assert missed(*lines, stops=between) == []


def test_a_short_stub_is_no_miss_of_the_line_that_it_hangs_on() -> None:
    assert missed([(0, 0), (100, 0)], [(100, 0), (103, 1)]) == []


def test_an_end_beyond_the_line_that_it_crosses_is_told_so() -> None:
    (miss,) = missed([(0, 0), (100, 0)], [(50, 80), (50, -2)])
    assert miss.beyond
    assert miss.place.length == 2.0


def test_a_culvert_beside_its_ditch_is_no_miss() -> None:
    ditch, culvert = [(0.0, 0.0), (100.0, 0.0)], [(40.0, 0.4), (60.0, 3.0)]
    assert missed(ditch, culvert) == []


@settings(max_examples=50)
@given(st.integers(2, 60), st.integers(0, 40))
def test_a_circle_is_found_whatever_hangs_on_it(size: int, tail: int) -> None:
    """A long tail in does not become part of it."""
    ring = [(i, (i + 1) % size) for i in range(size)]
    lead_in = [(size + i + 1, size + i if i else 0) for i in range(tail)]
    assert found(*ring, *lead_in) == [list(range(size))]


def test_two_circles_joined_by_a_reach_are_two() -> None:
    assert found((0, 1), (1, 0), (1, 2), (2, 3), (3, 2)) == [[0, 1], [3, 4]]


def test_a_tree_has_no_circles_and_neither_has_nothing() -> None:
    assert found((0, 2), (1, 2), (2, 3)) == []
    assert found() == []
    assert list(misses(NONE, 0.5, 5.0, NONE)) == []
