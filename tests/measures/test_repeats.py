"""Features that stand twice, against those that were put in twice."""

from __future__ import annotations

import numpy as np
import pandas
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.repeats import repeated


@settings(max_examples=80)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["a", "b", None])), max_size=14))
def test_sets_are_those_of_shape_and_value(features: list[tuple[int, str | None]]) -> None:
    """Every second one is drawn the other way round."""
    shapes = np.empty(len(features), dtype=object)
    for i, (x, _) in enumerate(features):
        line = shapely.LineString([(x, 0), (x + 5, 7)])
        shapes[i] = line.reverse() if i % 2 else line
    values = pandas.DataFrame({"name": pandas.Series([v for _, v in features], dtype=object)})
    wanted: dict[tuple[int, str | None], list[int]] = {}
    for i, feature in enumerate(features):
        wanted.setdefault(feature, []).append(i)
    found = {tuple(rows.tolist()) for rows in repeated(shapes, values, 0.01)}
    assert found == {tuple(rows) for rows in wanted.values() if len(rows) > 1}


def test_heights_and_missing_numbers_do_not_hide_a_copy() -> None:
    shapes = np.array([shapely.Point(1, 2, 3), shapely.Point(1, 2, 9)])
    (rows,) = repeated(shapes, pandas.DataFrame({"acres": [np.nan, np.nan]}), 0.01)
    assert rows.tolist() == [0, 1]
