"""Coinciding lines: what shift, turn, direction and splitting may not change."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures.contour_coincidence import _share_beside, coincidences
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


@settings(max_examples=5)
@given(st.integers(0, 1000))
def test_contours_of_smooth_ground_do_not_coincide(seed: int) -> None:
    assert coincidences(hills(seed), TOLERANCE_FT) == []


@settings(max_examples=25)
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


def test_each_level_is_named_once_with_the_next_above_that_lies_on_it() -> None:
    three = contours_of(
        np.array([LineString([(0, 0), (100, 0)])] * 3), np.array([820.0, 822.0, 824.0])
    )
    found = coincidences(three, TOLERANCE_FT)
    assert sorted((c.low_ft, c.high_ft) for c in found) == [(820.0, 822.0), (822.0, 824.0)]
    assert all(c.stretch.length == pytest.approx(100.0) for c in found)
    assert {c.lines for c in found} == {(0, 1), (1, 2)}


def test_a_level_that_runs_elsewhere_does_not_part_two_that_lie_on_each_other() -> None:
    lines = [[(0, 0), (100, 0)], [(0, 50), (100, 50)], [(0, 0.2), (100, 0.2)]]
    three = contours_of(np.array([LineString(xy) for xy in lines]), np.array([820.0, 822.0, 824.0]))
    (one,) = coincidences(three, TOLERANCE_FT)
    assert (one.low_ft, one.high_ft, one.lines) == (820.0, 824.0, (0, 2))
    assert one.stretch.length == pytest.approx(100.0)


def test_of_a_cliff_every_level_but_the_highest_lies_on_the_next() -> None:
    """300 levels on one line: pairs of all with all would be 44,850, and take minutes."""
    levels = 300
    cliff = [LineString([(0, 0), (250, 10), (500, 0)])] * levels
    found = coincidences(
        contours_of(np.array(cliff), 800.0 + 2.0 * np.arange(levels)), TOLERANCE_FT
    )
    assert len(found) == levels - 1
    assert all(c.high_ft - c.low_ft == 2.0 for c in found)
    assert sum(c.stretch.length for c in found) < sum(line.length for line in cliff)


chord_ends = st.tuples(*[st.floats(-6, 6, allow_subnormal=False)] * 4)


@given(chord_ends, chord_ends)
def test_what_runs_beside_a_chord_is_what_a_square_buffer_cuts_out(one, other) -> None:  # type: ignore[no-untyped-def]
    a, b = (np.array(ends).reshape(1, 2, 2) for ends in (one, other))
    first, second = LineString(a[0]), LineString(b[0])
    assume(min(first.length, second.length) > 0.01)
    around = second.buffer(TOLERANCE_FT, cap_style="square", join_style="mitre")
    begin, end = _share_beside(a, b, TOLERANCE_FT)[0]
    shared = max(0.0, end - begin) * first.length
    assert shared == pytest.approx(first.intersection(around).length, abs=1e-6)


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
