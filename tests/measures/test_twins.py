"""Whether two sets of features are the same."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.twins import same_features

CELLS = np.array([shapely.box(x, y, x + 100, y + 100) for x in (0, 100) for y in (0, 100, 200)])


@settings(max_examples=40)
@given(st.permutations(range(6)), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_order_and_small_shifts_do_not_matter(order: list[int], dx: float, dy: float) -> None:
    shifted = shapely.transform(CELLS, lambda xy: xy + np.array([dx, dy]))
    assert same_features(CELLS, shifted[np.array(order)], 0.5)


def test_another_count_a_larger_shift_or_another_shape_are_different() -> None:
    assert not same_features(CELLS, CELLS[:5], 0.5)
    assert not same_features(CELLS, shapely.transform(CELLS, lambda xy: xy + 0.6), 0.5)
    bent = CELLS.copy()
    bent[0] = shapely.Polygon([(0, 0), (100, 0), (50, 50), (100, 100), (0, 100)])  # same box
    assert not same_features(CELLS, bent, 0.5)


def test_one_feature_that_stands_for_two_is_no_pair() -> None:
    doubled = CELLS.copy()
    doubled[1] = doubled[0]
    assert not same_features(CELLS, doubled, 0.5)


def test_nothing_is_not_the_same_as_nothing() -> None:
    assert not same_features(CELLS[:0], CELLS[:0], 0.5)
