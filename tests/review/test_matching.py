"""Shapes of two sets matched: vertex order, part order and ring start do not matter."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import translate
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box

from sitemap.review.matching import carried, overlapping, same_place, same_shape
from tests.tiny_site import X0, Y0, square

TOLERANCE_FT = 0.5


def shapes(*geometries: object) -> np.ndarray:
    return np.array(geometries, dtype=object)


def found(pairs: object) -> set[tuple[int, int]]:
    return set(zip(pairs.old.tolist(), pairs.new.tolist(), strict=True))  # type: ignore[attr-defined]


def no_penalty(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.zeros((len(old), len(new)))


@settings(max_examples=40)
@given(st.permutations(range(6)), st.integers(0, 3), st.booleans())
def test_order_start_direction_and_multi_do_not_matter(
    order: list[int], start: int, turned: bool
) -> None:
    old = [square(150 * i, 40 * i, 60 + 10 * i) for i in range(6)]
    new = []
    for i in order:
        corners = list(old[i].exterior.coords)[:-1]
        corners = corners[start:] + corners[:start]
        again = Polygon(corners[::-1] if turned else corners)
        new.append(MultiPolygon([again]) if turned else again)
    pairs = same_place(shapes(*old), shapes(*new), TOLERANCE_FT)
    assert found(pairs) == {(i, order.index(i)) for i in range(6)}


def test_places_within_the_tolerance_are_one_and_beyond_it_are_not() -> None:
    old = shapes(Point(X0, Y0), LineString([(X0, Y0), (X0 + 50, Y0)]))
    near = shapes(*(translate(g, 0.4, 0.0) for g in old))
    far = shapes(*(translate(g, 0.6, 0.0) for g in old))
    assert found(same_place(old, near, TOLERANCE_FT)) == {(0, 0), (1, 1)}
    assert found(same_place(old, far, TOLERANCE_FT)) == set()


def test_twins_are_matched_one_to_one() -> None:
    twins = shapes(square(0, 0), square(0, 0), square(0, 0))
    pairs = same_place(twins, twins[:2], TOLERANCE_FT)
    assert sorted(pairs.new.tolist()) == [0, 1]
    assert len(set(pairs.old.tolist())) == 2


def test_a_shape_carried_off_is_found_and_another_shape_is_not() -> None:
    old = shapes(square(0, 0), square(300, 0, 50))
    new = shapes(translate(old[0], 30, -40), square(310, 0, 80))
    pairs = same_shape(old, new, 100.0, TOLERANCE_FT, no_penalty(old, new))
    assert found(pairs) == {(0, 0)}
    assert pairs.cost.tolist() == [50.0]
    away = shapes(translate(old[0], 90, -90))
    assert found(same_shape(old, away, 100.0, TOLERANCE_FT, no_penalty(old, away))) == set()


def test_attributes_choose_between_alike_points() -> None:
    old, new = shapes(Point(0, 0), Point(30, 0)), shapes(Point(10, 0), Point(28, 0))
    penalty = np.array([[1000.0, 0.0], [0.0, 1000.0]])  # the words are crossed
    assert found(same_shape(old, new, 100.0, TOLERANCE_FT, penalty)) == {(0, 1), (1, 0)}


def test_common_ground_makes_one_feature_of_two() -> None:
    old = shapes(box(0, 0, 100, 100), LineString([(0, 200), (100, 200)]))
    new = shapes(box(0, 0, 100, 60), LineString([(20, 202), (120, 203)]), box(0, 95, 100, 200))
    pairs = overlapping(old, new, 0.3, 5.0)
    assert found(pairs) == {(0, 0), (1, 1)}
    assert abs(pairs.cost[pairs.old == 0][0] - 0.4) < 1e-9  # 60 of 100 are common


def test_carrying_leaves_the_originals_alone() -> None:
    old = shapes(Point(1, 1), Point(2, 2))
    moved = carried(old, np.array([[10.0, 0.0], [0.0, 5.0]]))
    assert shapely.get_coordinates(moved).tolist() == [[11.0, 1.0], [2.0, 7.0]]
    assert shapely.get_coordinates(old).tolist() == [[1.0, 1.0], [2.0, 2.0]]


def test_nothing_matches_nothing() -> None:
    none = np.array([], dtype=object)
    for pairs in (
        same_place(none, none, 1.0),
        overlapping(none, shapes(square(0, 0)), 0.3, 5.0),
        same_shape(shapes(square(0, 0)), none, 9.0, 1.0, np.zeros((1, 0))),
    ):
        assert found(pairs) == set()
