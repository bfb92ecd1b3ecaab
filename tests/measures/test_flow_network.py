"""Networks of reaches against what was drawn into them."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiLineString

from sitemap.measures.flow_network import FlowNetwork, Reaches

NONE = np.empty(0, dtype=object)


def network(*lines: list[tuple[float, float]], flow: list[int] | None = None) -> FlowNetwork:
    shapes = np.array([LineString(line) for line in lines], dtype=object)
    return FlowNetwork(Reaches.of(shapes, np.array(flow or [1] * len(lines))), 0.5)


@settings(deadline=None, max_examples=80)
@given(st.integers(3, 12), st.data())
def test_the_one_reach_drawn_backwards_is_named(count: int, data: st.DataObject) -> None:
    """In a chain, any reach but the first and the last: these leave it open which one is wrong."""
    wrong = data.draw(st.integers(1, count - 2))
    lines = [[(i * 10.0, 0.0), (i * 10.0 + 10, 0.0)] for i in range(count)]
    lines[wrong].reverse()
    (found,) = network(*lines).against(NONE, 5.0)
    assert found.reversed_ == (wrong,)
    assert found.records == (wrong - 1, wrong)


@settings(deadline=None, max_examples=80)
@given(st.integers(2, 12), st.data())
def test_the_one_gap_of_a_chain_is_the_only_miss(count: int, data: st.DataObject) -> None:
    gap_at, gap = data.draw(st.integers(0, count - 2)), data.draw(st.floats(0.6, 4.9))
    lines = [
        [(i * 10.0 + gap * (i > gap_at), 0.0), (i * 10.0 + 10 + gap * (i > gap_at), 0.0)]
        for i in range(count)
    ]
    (miss,) = network(*lines).misses(5.0, NONE)
    assert {miss.record, miss.other} == {gap_at, gap_at + 1}
    assert abs(miss.distance - gap) < 1e-9
    assert not miss.beyond
    assert (
        network(*lines).misses(5.0, np.array([shapely.Point(gap_at * 10 + 10 + gap / 2.0, 0)]))
        == []
    )


@settings(deadline=None, max_examples=50)
@given(st.integers(3, 60), st.integers(0, 40))
def test_a_circle_is_found_whatever_hangs_on_it(size: int, tail: int) -> None:
    """A long tail in and out does not become part of it."""
    turn = np.linspace(0, 2 * np.pi, size + 1)
    ring = np.column_stack([100 * np.cos(turn), 100 * np.sin(turn)])
    ring[-1] = ring[0]
    circle = [[tuple(ring[i]), tuple(ring[i + 1])] for i in range(size)]
    lead_in = [[(110.0 + 10 * i, 0.0), (100.0 + 10 * i, 0.0)] for i in range(tail)]
    (found,) = network(*circle, *lead_in).loops()
    assert found == tuple(range(size))


def test_two_circles_joined_by_a_reach_are_two() -> None:
    first = [[(0, 0), (10, 0)], [(10, 0), (10, 10)], [(10, 10), (0, 0)]]
    second = [[(50, 0), (60, 0)], [(60, 0), (60, 10)], [(60, 10), (50, 0)]]
    found = network(*first, [(10, 10), (50, 0)], *second).loops()
    assert sorted(found) == [(0, 1, 2), (4, 5, 6)]


def test_a_tree_has_neither_circles_nor_head_on_reaches() -> None:
    tree = network([(0, 10), (10, 0)], [(0, -10), (10, 0)], [(10, 0), (30, 0)])
    assert tree.loops() == []
    assert tree.against(NONE, 5.0) == []
    assert tree.misses(5.0, NONE) == []


def test_a_trunk_drawn_backwards_below_a_confluence_is_named() -> None:
    lines = [[(0, 10), (10, 0)], [(0, -10), (10, 0)], [(30, 0), (10, 0)], [(30, 0), (50, 0)]]
    (found,) = network(*lines).against(NONE, 5.0)
    assert found.reversed_ == (2,)


def test_multi_lines_come_apart_and_what_is_no_line_is_left_out() -> None:
    shapes = np.array(
        [MultiLineString([[(0, 0), (5, 0)], [(9, 0), (20, 0)]]), shapely.Point(3, 3),
         LineString([(1, 1), (1, 1)])],
        dtype=object,
    )  # fmt: skip
    reaches = Reaches.of(shapes, np.array([1, 1, 1]))
    assert reaches.owner.tolist() == [0, 0]
    (miss,) = FlowNetwork(reaches, 0.5).misses(5.0, NONE)
    assert (miss.record, miss.other) == (0, 0)


def test_an_empty_network_says_nothing() -> None:
    empty = FlowNetwork(Reaches.of(NONE, np.empty(0, dtype=int)), 0.5)
    assert empty.misses(5.0, NONE) == []
    assert empty.against(NONE, 5.0) == []
    assert empty.loops() == []
