"""Edges shared from both sides, and that no area that overlaps another is missed by them."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from sitemap.measures.shared_edges import laid, lone_edges


def _net(side: int, east: float = 0.0, north: float = 0.0, size: float = 10.0) -> np.ndarray:
    row, column = np.divmod(np.arange(side * side), side)
    x, y = east + column * size, north + row * size
    return np.asarray(shapely.box(x, y, x + size, y + size))


def test_only_the_rim_of_a_net_is_not_shared() -> None:
    edges = lone_edges(_net(3))
    assert len(edges) == 12
    assert shapely.union_all(shapely.linestrings(edges)).equals(shapely.box(0, 0, 30, 30).exterior)
    assert laid(_net(3)).aside.size == 0


def test_the_way_in_which_outlines_turn_makes_no_difference() -> None:
    net = _net(3)
    net[::2] = shapely.reverse(net[::2])
    assert len(lone_edges(net)) == 12


def test_a_hole_and_the_area_that_fills_it_share_all_their_edges() -> None:
    inner = shapely.box(4, 4, 6, 6)
    ring = shapely.difference(shapely.box(0, 0, 10, 10), inner)
    assert len(lone_edges(np.array([ring, inner]))) == 4
    assert laid(np.array([ring, inner])).aside.size == 0


def test_the_same_area_twice_shares_no_edge_from_both_sides() -> None:
    twice = np.array([shapely.box(0, 0, 10, 10)] * 2)
    assert len(np.unique(lone_edges(twice), axis=0)) == 4
    assert laid(twice).aside.tolist() == [0, 1]


def test_minus_zero_is_zero() -> None:
    left, right = shapely.box(-5, 0, -0.0, 5), shapely.box(0.0, 0, 5, 5)
    assert len(lone_edges(np.array([left, right]))) == 6


def test_a_single_area_across_an_inner_edge_of_a_net_is_found_with_what_it_covers() -> None:
    areas = np.array([*_net(9), shapely.box(43, 43, 48, 52)])
    assert laid(areas).aside.tolist() == [4 * 9 + 4, 5 * 9 + 4, 81]


def test_nothing_is_missed_deep_inside_two_nets_that_lie_on_each_other() -> None:
    areas = np.concatenate([_net(12), _net(12, 5.0, 5.0)])
    _hold(areas)


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=12), st.booleans())
def test_any_two_areas_that_overlap_are_found(
    boxes: list[tuple[int, int, int, int]], with_net: bool
) -> None:
    made = [shapely.box(x, y, x + 1 + w, y + 1 + h) for x, y, w, h in boxes]
    _hold(np.array([*made, *(_net(6, size=2.0) if with_net else ())]))


def _hold(areas: np.ndarray) -> None:
    found = laid(areas)
    a, b = shapely.STRtree(areas).query(areas, predicate="intersects")
    a, b = a[a < b], b[a < b]
    overlap = shapely.area(shapely.intersection(areas[a], areas[b])) > 0
    wanted = set(zip(a[overlap].tolist(), b[overlap].tolist(), strict=True))
    real = found.pairs[shapely.area(found.shared) > 0]
    assert set(map(tuple, real.tolist())) == wanted
    assert set(found.aside.tolist()) >= {place for pair in wanted for place in pair}
