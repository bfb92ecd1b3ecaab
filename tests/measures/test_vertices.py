"""Vertices laid out once: what is said of them agrees with GEOS, shape by shape."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.vertices import coordinates_of, numbers_of, parts_of, vertices_of

places = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=8
)  # so few places that outlines cross, touch and run back on themselves


@st.composite
def shapes(draw: st.DrawFn) -> shapely.Geometry | None:
    """Sound and unsound shapes of every kind, far from zero too."""
    away = draw(st.sampled_from([0.0, 2_460_000.1]))
    outline, other = (np.array(draw(places)) * 1.1 + away for _ in range(2))
    area, square = shapely.Polygon(outline), shapely.box(away - 9, away - 9, away + 9, away + 9)
    made = {
        "nothing": None,
        "point": shapely.Point(outline[0]),
        "line": shapely.LineString(outline),
        "area": area,
        "holed": shapely.Polygon(square.exterior.coords, [other]),
        "several": shapely.MultiPolygon([area, shapely.Polygon(other)]),
        "mixed": shapely.GeometryCollection([shapely.LineString(other), area]),
        "empty": shapely.Polygon(),
    }
    return made[draw(st.sampled_from(sorted(made)))]


@settings(max_examples=300)
@given(st.lists(shapes(), max_size=6))
def test_validity_and_vertices_are_those_of_geos(some: list[shapely.Geometry | None]) -> None:
    given_shapes = np.array([*some, None], dtype=object)
    laid = vertices_of(given_shapes)
    assert laid.valid.tolist() == shapely.is_valid(given_shapes).tolist()
    assert len(laid.every_xy) == shapely.get_num_coordinates(given_shapes).sum()
    for path, number in enumerate(laid.shape.tolist()):
        xy = laid.xy[laid.first[path] : laid.first[path + 1]]
        own = shapely.get_coordinates(given_shapes[number]).tolist()
        assert all(place in own for place in xy.tolist())
        if laid.ring[path]:
            assert laid.ccw[path] == shapely.is_ccw(shapely.LinearRing(xy))


def test_a_star_is_told_by_its_turning_and_one_that_goes_round_twice_is_not() -> None:
    turn = np.linspace(0, 2 * np.pi, 12)[:-1]
    once = shapely.Polygon(np.column_stack([np.cos(turn), np.sin(turn)]))
    twice = shapely.Polygon(np.column_stack([np.cos(2 * turn), np.sin(2 * turn)]))
    laid = vertices_of(np.array([once, twice, once.reverse()], dtype=object))
    assert laid.valid.tolist() == [True, False, True]
    assert laid.ccw.tolist() == [True, True, False]


def test_vertices_are_kept_for_the_same_shapes_only() -> None:
    some = np.array([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)], dtype=object)
    first = vertices_of(some)
    assert vertices_of(some.copy()) is first
    some[1] = shapely.box(5, 0, 6, 1)
    assert vertices_of(some) is not first
    assert vertices_of(some).xy[:, 0].max() == 6


def test_parts_of_single_shapes_are_the_shapes_themselves() -> None:
    single = np.array([shapely.box(0, 0, 1, 1), shapely.Point(0, 0)], dtype=object)
    assert parts_of(single)[0] is single
    both = np.array([None, shapely.MultiPoint([(0, 0), (1, 1)]), single[0]], dtype=object)
    parts, owner = parts_of(both)
    assert len(parts) == 3
    assert owner.tolist() == [1, 1, 2]


def test_rows_have_one_number_each() -> None:
    rows = np.array([[0.0, 1.0, 2.0], [-0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, np.inf]])
    numbers = numbers_of(rows)
    assert numbers[0] == numbers[1]
    assert len(np.unique(numbers)) == 3


def test_lines_that_were_laid_out_are_not_taken_apart_again() -> None:
    lines = np.array([shapely.LineString([(0, i), (1, i), (2, i)]) for i in range(3)])
    before = coordinates_of(lines)
    laid = vertices_of(lines)
    xy, first = coordinates_of(lines)
    assert xy is laid.xy
    assert (xy.tolist(), first.tolist()) == tuple(part.tolist() for part in before)
    assert parts_of(lines)[0] is lines


def test_a_line_of_two_parts_is_taken_apart_though_it_was_laid_out() -> None:
    two = np.array([shapely.MultiLineString([[(0, 0), (1, 0)], [(5, 0), (6, 0)]])])
    vertices_of(two)
    assert [part.wkt for part in parts_of(two)[0]] == [
        "LINESTRING (0 0, 1 0)",
        "LINESTRING (5 0, 6 0)",
    ]
