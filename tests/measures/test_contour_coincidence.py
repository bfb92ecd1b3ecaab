"""Coinciding lines: what shift, turn, direction and splitting may not change."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures.contour_coincidence import coincidences
from sitemap.measures.contours import Contours, contours_of
from tests.measures.grounds import hills, moved, reversed_lines, split_lines

TOLERANCE_FT = 0.5


def walls(apart: float = 0.1) -> Contours:
    """Two levels side by side over 300 ft of a bent line, then apart."""
    low = LineString([(0, 0), (150, 0), (300, 40), (500, -200)])
    high = LineString([(0, apart), (150, apart), (300, 40 + apart), (500, 300)])
    return contours_of(np.array([low, high]), np.array([820.0, 822.0]))


def length(contours: Contours) -> float:
    return sum(c.stretch.length for c in coincidences(contours, TOLERANCE_FT))


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000))
def test_contours_of_smooth_ground_do_not_coincide(seed: int) -> None:
    assert coincidences(hills(seed), TOLERANCE_FT) == []


@settings(max_examples=25, deadline=None)
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.0, 6.28), st.floats(0.0, 0.3))
def test_shift_turn_direction_and_splitting_change_nothing(
    x: float, y: float, turn: float, apart: float
) -> None:
    before = length(walls(apart))
    assert before == pytest.approx(150 + np.hypot(150, 40), abs=3)
    for changed in (
        moved(walls(apart), x, y, turn),
        reversed_lines(walls(apart)),
        split_lines(walls(apart)),
    ):
        assert length(changed) == pytest.approx(before, abs=2.5)


def test_each_pair_of_levels_is_named_with_its_lines() -> None:
    three = contours_of(
        np.array([LineString([(0, 0), (100, 0)])] * 3), np.array([820.0, 822.0, 824.0])
    )
    found = coincidences(three, TOLERANCE_FT)
    assert sorted((c.low_ft, c.high_ft) for c in found) == [
        (820.0, 822.0),
        (820.0, 824.0),
        (822.0, 824.0),
    ]
    assert all(c.stretch.length == pytest.approx(100.0) for c in found)
    assert {c.lines for c in found} == {(0, 1), (0, 2), (1, 2)}


def test_one_level_cannot_coincide() -> None:
    twice = contours_of(np.array([LineString([(0, 0), (9, 0)])] * 2), np.array([820.0, 820.0]))
    assert coincidences(twice, TOLERANCE_FT) == []
    assert shapely.is_empty(shapely.union_all([c.stretch for c in coincidences(twice, 1.0)]))


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [0, 2, 1]])
def test_a_line_far_from_all_others_may_stand_anywhere_in_the_layer(order: list[int]) -> None:
    three = np.array(
        [
            LineString([(0, 0), (100, 0)]),
            LineString([(0, 0.1), (100, 0.1)]),
            LineString([(0, 900), (100, 900)]),
        ]
    )[order]
    levels = np.array([820.0, 822.0, 824.0])[order]
    (found,) = coincidences(contours_of(three, levels), TOLERANCE_FT)
    assert (found.low_ft, found.high_ft) == (820.0, 822.0)
    assert found.stretch.length == pytest.approx(100.0)
