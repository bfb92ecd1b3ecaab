"""Which interval is in force; which numbers cannot be heights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.measures.intervals import interval_in_force, levels_between, outlying_levels

steps = st.sampled_from([0.5, 1.0, 2.0, 5.0, 10.0])


def test_one_level_has_no_interval() -> None:
    assert interval_in_force(np.array([820.0, 820.0]), np.array([5.0, 9.0])) is None


@given(steps, st.integers(min_value=2, max_value=40), st.integers(min_value=-50, max_value=900))
def test_regular_levels_have_their_step(step: float, count: int, base: int) -> None:
    levels = base + step * np.arange(count)
    found = interval_in_force(levels, np.ones(count))
    assert (found.step_ft, found.share) == (step, 1.0)


@given(st.permutations(list(range(12))), st.integers(min_value=1, max_value=4))
def test_neither_order_nor_splitting_lines_changes_the_interval(
    order: list[int], parts: int
) -> None:
    levels = 800.0 + 2.0 * np.arange(12)
    length = np.linspace(100.0, 900.0, 12)
    whole = interval_in_force(levels, length)
    again = interval_in_force(
        np.repeat(levels[order], parts), np.repeat(length[order] / parts, parts)
    )
    assert again.step_ft == whole.step_ft
    assert again.share == pytest.approx(whole.share)


def test_the_interval_in_force_goes_by_drawn_length() -> None:
    """Two long 10-ft contours outweigh a heap of short 1-ft ones around a pond."""
    levels = np.array([800.0, 801, 802, 803, 810, 820, 830])
    length = np.array([30.0, 20, 20, 20, 4000, 5000, 5000])
    assert interval_in_force(levels, length).step_ft == 10.0


def test_metres_keep_their_exact_step() -> None:
    """1 m is 3.281 ft, not 3.28."""
    levels = np.arange(250, 260) / 0.3048
    assert interval_in_force(levels, np.ones(10)).step_ft == pytest.approx(3.281)


def test_levels_between_two_levels() -> None:
    assert levels_between(818.0, 824.0, 2.0) == (820.0, 822.0)
    assert levels_between(818.0, 820.0, 2.0) == ()


@given(st.floats(min_value=-500, max_value=12000), steps)
def test_a_regular_series_has_no_outlier(base: float, step: float) -> None:
    assert outlying_levels(base + step * np.arange(15)) == []


@given(steps, st.floats(min_value=-300, max_value=300), st.permutations(list(range(16))))
def test_a_shift_of_all_levels_changes_nothing(step: float, shift: float, order: list[int]) -> None:
    """The number is called out, whatever the datum (the hint may differ)."""
    levels = np.append(900.0 + step * np.arange(15), 9000.0)[order]
    found = outlying_levels(levels + shift)
    assert [o.level_ft for o in found] == [pytest.approx(9000.0 + shift, abs=1e-3)]


def test_an_outlier_is_told_by_its_length_where_it_has_many_features() -> None:
    """Ten scraps at 8 ft against five long lines in the 820s."""
    levels = np.concatenate([np.full(10, 8.0), 820.0 + 2.0 * np.arange(5)])
    length = np.concatenate([np.full(10, 3.0), np.full(5, 900.0)])
    assert [o.level_ft for o in outlying_levels(levels, length)] == [8.0]
