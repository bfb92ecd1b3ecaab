"""Acres, slivers, gaps."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import GeometryCollection, MultiPolygon, Point, Polygon, box

from sitemap.measures.cover import (
    acres,
    acres_tolerance_of,
    close_gaps,
    dissolved,
    overlaps,
    polygons_of,
    uncovered,
)
from sitemap.units import LengthUnit

feet = st.floats(min_value=-3e6, max_value=3e6)


def test_an_acre_is_43560_square_feet() -> None:
    assert acres(43560.0, LengthUnit.FOOT) == pytest.approx(1.0, rel=1e-15)
    assert acres(43560.0, LengthUnit.US_SURVEY_FOOT) == pytest.approx(1.000004, abs=1e-7)


def test_the_larger_tolerance_counts() -> None:
    assert acres_tolerance_of(25.0, 1.0, 0.01) == 0.25
    assert acres_tolerance_of(0.5, 1.0, 0.01) == 0.01


def test_polygons_are_taken_out_of_whatever_holds_them() -> None:
    one, two = box(0, 0, 1, 1), box(2, 0, 3, 1)
    nest = GeometryCollection([Point(9, 9), GeometryCollection([one]), MultiPolygon([two])])
    assert [p.wkt for p in polygons_of(nest)] == [one.wkt, two.wkt]
    assert len(polygons_of(Point(0, 0))) == 0


@given(feet, feet, st.floats(min_value=0, max_value=6.3))
def test_shift_and_turn_change_no_uncovered_area(x: float, y: float, turn: float) -> None:
    target, cover = box(0, 0, 200, 100), box(-5, -5, 150, 105)

    def move(shape: Polygon) -> Polygon:
        cos, sin = np.cos(turn), np.sin(turn)
        return shapely.transform(shape, lambda xy: xy @ [[cos, sin], [-sin, cos]] + [x, y])

    found = uncovered(move(target), move(cover), 0.5)
    assert found.area == pytest.approx(50 * 100, rel=1e-6)
    assert len(found.parts) == 1


@given(st.floats(min_value=0.01, max_value=3.0))
def test_a_strip_counts_when_it_is_wider_than_a_sliver(width: float) -> None:
    found = uncovered(box(0, 0, 200 + width, 100), box(0, 0, 200, 100), 0.5)
    if abs(width - 0.5) > 1e-3:
        assert len(found.parts) == (width > 0.5)
        assert len(found.slivers) == (width < 0.5)


def test_a_part_keeps_its_thin_arms() -> None:
    """A thin strip on a wide part belongs to the part: the whole of it lies outside."""
    wide = box(0, 0, 10, 10).union(box(10, 0, 60, 0.2))
    found = uncovered(wide, Polygon(), 0.5)
    assert found.area == pytest.approx(110.0)
    assert len(found.slivers) == 0


def test_gaps_are_closed_and_corners_kept() -> None:
    pair = box(0, 0, 10, 10).union(box(10.4, 0, 20, 10))
    assert close_gaps(pair, 0.5).equals_exact(box(0, 0, 20, 10), 1e-9, normalize=True) or (
        close_gaps(pair, 0.5).symmetric_difference(box(0, 0, 20, 10)).area < 1e-6
    )
    assert len(polygons_of(close_gaps(pair, 0.3))) == 2


def test_dissolved_counts_shared_ground_once_and_mends_crossings() -> None:
    bow = Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    assert dissolved(np.array([bow])).area == pytest.approx(50.0)
    assert dissolved(np.array([box(0, 0, 10, 10), box(5, 0, 15, 10)])).area == 150.0


def test_overlaps_leave_slivers_out() -> None:
    shapes = np.array([box(0, 0, 10, 10), box(9.8, 0, 20, 10), box(19, 0, 30, 10)])
    (found,) = overlaps(shapes, 0.5)
    assert (found.first, found.second) == (1, 2)
    assert found.ground.area == pytest.approx(10.0)
