"""Faults of shapes: as many as there are, and none where GEOS finds none."""

from __future__ import annotations

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon

from sitemap.measures.validity import area_change, shape_faults

corner = st.tuples(st.integers(0, 9), st.integers(0, 9))


@settings(max_examples=150)
@given(st.lists(corner, min_size=3, max_size=9))
def test_faults_are_found_exactly_where_geos_calls_a_ring_invalid(
    xy: list[tuple[int, int]],
) -> None:
    shape = Polygon(xy)
    faults = shape_faults(shape)
    assert bool(faults) is not shapely.is_valid(shape)
    for fault in faults:
        assert fault.point is not None
        assert shape.exterior.distance(fault.point) < 1e-9  # each fault lies on the outline


@settings(max_examples=80)
@given(st.lists(corner, min_size=3, max_size=9))
def test_mending_never_leaves_less_than_the_lobes_that_drawing_subtracts(
    xy: list[tuple[int, int]],
) -> None:
    """Drawn area counts each piece by its winding; a simple ring is not changed at all."""
    shape = Polygon(xy)
    drawn, mended = area_change(shape)
    assert drawn >= 0
    assert mended >= 0
    if shapely.is_valid(shape):
        assert mended == drawn


def test_a_star_has_five_crossings() -> None:
    """A pentagram crosses itself five times; GEOS alone would name one."""
    star = Polygon([(50, 100), (79, 10), (2, 65), (98, 65), (21, 10)])
    faults = shape_faults(star)
    assert len(faults) == 5
    assert {f.words for f in faults} == {"the outline crosses itself"}


def test_near_faults_are_one_within_the_given_distance() -> None:
    tie = Polygon([(0, 0), (4, 4), (8, 0), (8, 4), (4, 0), (0, 4)])  # crosses at x = 2 and 6
    assert len(shape_faults(tie)) == 2
    assert len(shape_faults(tie, same_point=5.0)) == 1


def test_sound_null_and_empty_shapes_have_no_fault() -> None:
    for shape in (None, Polygon(), Point(1, 1), LineString([(0, 0), (1, 1), (1, 0), (0, 1)])):
        assert shape_faults(shape) == []


def test_a_hole_across_its_shell_is_named_at_both_crossings() -> None:
    hole = [(5, 5), (15, 5), (15, 6), (5, 6)]
    faults = shape_faults(Polygon([(0, 0), (10, 0), (10, 10), (0, 10)], [hole]))
    assert {(f.point.x, f.point.y) for f in faults if f.point} == {(10, 5), (10, 6)}
