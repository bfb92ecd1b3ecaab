"""Features that stand twice, against those that were put in twice."""

from __future__ import annotations

import numpy as np
import pandas
import shapely
import shapely.affinity
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


def turned(ring: list[tuple[float, float]], by: int, back: bool) -> shapely.Polygon:
    """The same area, begun at another vertex, and drawn the other way round."""
    corners = ring[by:] + ring[:by]
    return shapely.Polygon(corners[::-1] if back else corners)


@settings(max_examples=60)
@given(st.integers(3, 7), st.integers(0, 6), st.booleans(), st.floats(-0.004, 0.004))
def test_an_area_is_found_again_wherever_its_ring_begins(
    corners: int, by: int, back: bool, noise: float
) -> None:
    """And though its numbers are off by less than is told apart; one moved by 0.02 is not."""
    angle = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    ring = (np.column_stack([np.cos(angle), np.sin(angle)]) * 80.0).round(2)
    first = shapely.Polygon(ring)
    again = turned([(x + noise, y + noise) for x, y in ring.tolist()], by % corners, back)
    other = shapely.affinity.translate(first, 0.02, 0.0)
    same_box = shapely.Polygon([*shapely.box(*first.bounds).exterior.coords])
    shapes = np.array([first, other, again, same_box], dtype=object)
    found = [rows.tolist() for rows in repeated(shapes, pandas.DataFrame(index=range(4)), 0.01)]
    assert [0, 2] in found
    assert not any(1 in rows for rows in found)


def test_halves_of_a_square_are_two_and_shapes_of_parts_are_compared() -> None:
    """Their boxes are one; areas with a hole, and of two parts, are known again as well."""
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    halves = [shapely.Polygon(square[:3]), shapely.Polygon([square[0], *square[2:]])]
    hole = [(4.0, 4.0), (6.0, 4.0), (5.0, 6.0)]
    pierced = [shapely.Polygon(square, [hole]), shapely.Polygon(square[::-1], [hole[::-1]])]
    parts = [turned(square, 0, False), shapely.affinity.translate(turned(square, 0, False), 50.0)]
    several = [shapely.MultiPolygon(parts), shapely.MultiPolygon(parts[::-1])]
    shapes = np.array([*halves, *pierced, *several], dtype=object)
    found = repeated(shapes, pandas.DataFrame(index=range(6)), 0.01)
    assert [rows.tolist() for rows in found] == [[2, 3], [4, 5]]
