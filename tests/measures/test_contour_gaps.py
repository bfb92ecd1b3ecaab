"""Neighbours on the ground: complete contours never raise an alarm; a missing level always does."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, box

from sitemap.measures.contour_gaps import ground_gaps
from sitemap.measures.contours import Contours, contours_of
from tests.measures.grounds import (
    a_middle_level,
    hills,
    moved,
    reversed_lines,
    split_lines,
    without_level,
)

seeds = st.integers(min_value=0, max_value=10_000)
few = settings(max_examples=8)


def pairs(contours: Contours, more_than_ft: float = 2.0) -> set[tuple[float, float]]:
    return {(gap.low_ft, gap.high_ft) for gap in ground_gaps(contours, more_than_ft)}


@few
@given(seeds)
def test_complete_contours_of_any_ground_have_no_gap(seed: int) -> None:
    assert pairs(hills(seed)) == set()


@few
@given(seeds)
def test_complete_contours_cut_to_any_round_shape_have_no_gap(seed: int) -> None:
    whole = hills(seed)
    random = np.random.default_rng(seed)
    circle = Point(random.uniform(500, 1000, 2)).buffer(random.uniform(200, 500))
    cut = contours_of(shapely.intersection(whole.lines, circle), whole.levels_ft)
    assert pairs(cut) == set()


@few
@given(seeds)
def test_a_level_left_out_is_named(seed: int) -> None:
    whole = hills(seed)
    level = a_middle_level(whole)
    assert (level - 2.0, level + 2.0) in pairs(without_level(whole, level))


@few
@given(
    seeds,
    st.floats(min_value=-3e6, max_value=3e6),
    st.floats(min_value=-3e6, max_value=3e6),
    st.floats(min_value=0, max_value=6.3),
)
def test_shift_turn_direction_order_and_splitting_change_nothing(
    seed: int, x_ft: float, y_ft: float, turn_rad: float
) -> None:
    bare = without_level(hills(seed), a_middle_level(hills(seed)))
    area = sum(gap.ground.area for gap in ground_gaps(bare, 2.0))
    for other in (moved(bare, x_ft, y_ft, turn_rad), reversed_lines(bare), split_lines(bare)):
        found = ground_gaps(other, 2.0)
        assert sum(gap.ground.area for gap in found) == pytest.approx(area, rel=0.05)


@few
@given(seeds, st.sampled_from([0.3048, 1200 / 3937, 3.0]))
def test_the_unit_of_height_changes_nothing(seed: int, unit: float) -> None:
    bare = without_level(hills(seed), a_middle_level(hills(seed)))
    scaled = Contours(bare.lines, bare.levels_ft * unit, bare.rows)
    one = sorted(round(gap.ground.area) for gap in ground_gaps(bare, 2.02))
    other = sorted(round(gap.ground.area) for gap in ground_gaps(scaled, 2.02 * unit))
    assert one == other


def stripes(*levels: float, length_ft: float = 600.0) -> Contours:
    lines = [LineString([(0, 50.0 * i), (length_ft, 50.0 * i)]) for i in range(len(levels))]
    return contours_of(np.array(lines, dtype=object), np.array(levels))


def test_the_ground_of_a_gap_lies_between_the_two_lines() -> None:
    (gap,) = ground_gaps(stripes(820, 822, 826, 828), 2.0)
    assert (gap.low_ft, gap.high_ft, gap.step_ft) == (822.0, 826.0, 4.0)
    assert gap.ground.equals(box(0, 50, 600, 100))


def test_a_gap_for_a_label_is_closed_first() -> None:
    whole = stripes(820, 822, 824, 826, 828)
    parted = shapely.difference(whole.lines, box(270, 95, 330, 105))
    assert ground_gaps(contours_of(parted, whole.levels_ft), 2.0) == []


def test_a_missing_stretch_is_found_where_it_is_longer_than_wide() -> None:
    whole = stripes(820, 822, 824, 826, 828)
    parted = shapely.difference(whole.lines, box(150, 95, 450, 105))
    (gap,) = ground_gaps(contours_of(parted, whole.levels_ft), 2.0)
    assert (gap.low_ft, gap.high_ft) == (822.0, 826.0)
    assert 150 <= gap.ground.bounds[0] <= gap.ground.bounds[2] <= 450


def test_short_lines_count_where_the_level_is_drawn_nowhere() -> None:
    (gap,) = ground_gaps(stripes(820, 824, length_ft=20.0), 2.0)
    assert gap.step_ft == 4.0


def test_sight_may_not_leave_the_area_nor_enter_the_other() -> None:
    lines = stripes(820, 822, 826, 828)
    assert ground_gaps(lines, 2.0, inside=box(0, 0, 600, 60)) == []
    assert ground_gaps(lines, 2.0, outside=box(-10, 60, 610, 90)) == []
    (gap,) = ground_gaps(lines, 2.0, outside=box(-10, 60, 300, 90))
    assert gap.ground.bounds[0] >= 250


def test_existing_contours_between_proposed_ones_count_where_their_level_is_proposed_too() -> None:
    """Ground between two graded places keeps its own contours."""
    proposed = stripes(820, 822, 826, 828)
    elsewhere = contours_of(np.array([LineString([(900, 0), (900, 90)])]), np.array([824.0]))
    both = Contours(
        np.concatenate([proposed.lines, elsewhere.lines]),
        np.concatenate([proposed.levels_ft, elsewhere.levels_ft]),
        np.arange(5),
    )
    existing = contours_of(np.array([LineString([(-5, 75), (605, 75)])]), np.array([824.0]))
    assert ground_gaps(both, 2.0, beside=existing) == []
    assert [gap.step_ft for gap in ground_gaps(proposed, 2.0, beside=existing)] == [4.0]
