"""Triangles laid on a grid: planes are exact, edges are shared, flats stay level."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from affine import Affine
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.terrain.triangles import Tin, along, triangulated
from tests.terrain.grounds import plane

GRID, SHAPE = Affine(5.0, 0.0, 0.0, 0.0, -5.0, 400.0), (80, 80)


def centres() -> tuple[np.ndarray, np.ndarray]:
    x = (np.arange(80) + 0.5) * 5.0
    return np.meshgrid(x, x[::-1])


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(3, 300))
def test_points_of_a_plane_give_the_plane_inside_their_hull(seed: int, count: int) -> None:
    xy = np.random.default_rng(seed).uniform(0.0, 400.0, (count, 2))
    tin = triangulated(np.column_stack([xy, plane(xy[:, 0], xy[:, 1])]), np.inf)
    z = tin.heights_ft(GRID, SHAPE)
    x, y = centres()
    hull = shapely.convex_hull(shapely.multipoints(xy))
    inside = shapely.contains_xy(shapely.buffer(hull, -0.01), x, y)
    assert np.isfinite(z[inside]).all()
    assert z[inside] == pytest.approx(plane(x, y)[inside], abs=1e-6)
    assert np.isnan(z[~shapely.contains_xy(shapely.buffer(hull, 0.01), x, y)]).all()


def test_a_triangle_covers_exactly_the_centres_inside_it() -> None:
    corners = np.array([[[3.0, 7.0, 1.0], [391.0, 103.0, 1.0], [120.0, 377.0, 1.0]]])
    z = Tin(corners).heights_ft(GRID, SHAPE)
    x, y = centres()
    assert (np.isfinite(z) == shapely.intersects_xy(shapely.Polygon(corners[0]), x, y)).all()


def test_what_hangs_over_the_edge_of_the_grid_is_cut() -> None:
    corners = np.array([[[-900.0, -900.0, 5.0], [900.0, -900.0, 5.0], [0.0, 1800.0, 5.0]]])
    assert (Tin(corners).heights_ft(GRID, SHAPE) == 5.0).all()
    far = Tin(corners + np.array([9000.0, 0.0, 0.0]))
    assert np.isnan(far.heights_ft(GRID, SHAPE)).all()


def test_a_triangle_without_area_gives_no_height() -> None:
    line = np.array([[[0.0, 200.0, 1.0], [200.0, 200.0, 9.0], [400.0, 200.0, 1.0]]])
    assert np.isnan(Tin(line).heights_ft(GRID, SHAPE)).all()


def test_long_sides_are_not_bridged() -> None:
    """Ground between two groups of points 600 ft apart is not known."""
    west = np.array([[0.0, 0.0, 1.0], [50.0, 0.0, 1.0], [0.0, 50.0, 1.0]])
    tin = triangulated(np.concatenate([west, west + np.array([600.0, 0.0, 0.0])]))
    assert tin.sides_ft.max() <= 500.0
    assert len(tin) == 2


def test_of_twins_the_lowest_whatever_the_order() -> None:
    corners = np.array([[0.0, 0.0, 5.0], [100.0, 0.0, 5.0], [0.0, 100.0, 5.0], [0.0, 0.0, 3.0]])
    for points in (corners, corners[::-1]):
        assert triangulated(points).corners[..., 2].min() == 3.0


def test_a_closed_contour_is_level_inside_until_a_spot_height_breaks_it() -> None:
    ring = shapely.Point(200.0, 200.0).buffer(100.0).exterior
    points = along(np.array([ring], dtype=object), np.array([800.0]), 10.0)
    assert triangulated(points).is_level.all()
    top = triangulated(np.concatenate([points, [[200.0, 200.0, 809.0]]]))
    assert not top.is_level.any()
    assert np.nanmax(top.heights_ft(GRID, SHAPE)) == pytest.approx(809.0, abs=0.5)


def test_nothing_of_fewer_than_three_points() -> None:
    assert len(triangulated(np.zeros((2, 3)))) == 0
    assert np.isnan(Tin(np.empty((0, 3, 3))).heights_ft(GRID, SHAPE)).all()
