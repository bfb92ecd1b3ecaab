"""Contours of grounds whose contours are known: straight lines, circles, hyperbolas."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.errors import SurfaceError
from sitemap.measures.contour_crossings import crossings
from sitemap.measures.contours import Contours
from sitemap.terrain.cell_outlines import cells_as_areas
from sitemap.terrain.contours import clipped, default_interval_ft, derive_contours, levels_within
from tests.terrain.grounds import bowl, cone, of_cells, plane, saddle, surface


def test_contours_of_a_plane_are_straight_and_lie_on_their_level() -> None:
    made = derive_contours(surface(plane), 2.0, tolerance_ft=0.0)
    assert list(np.unique(made.levels_ft)) == list(np.arange(802.0, 860.0, 2.0))
    for line, level in zip(made.lines, made.levels_ft, strict=True):
        xy = shapely.get_coordinates(line)
        assert plane(xy[:, 0], xy[:, 1]) == pytest.approx(level, abs=1e-9)
        assert line.length == pytest.approx(np.hypot(*(xy[-1] - xy[0])), rel=1e-9)


def test_contours_of_a_cone_close_and_have_the_length_of_their_circles() -> None:
    made = derive_contours(surface(cone), 5.0)
    inner = made.levels_ft >= 855.0
    assert shapely.is_closed(made.lines[inner]).all()
    radius = (900.0 - made.levels_ft[inner]) / 0.25
    assert shapely.length(made.lines[inner]) == pytest.approx(2 * np.pi * radius, rel=0.02)
    assert len(made.lines[inner]) == len(np.unique(made.levels_ft[inner]))


def test_index_every_fifth_and_depressions() -> None:
    hill = derive_contours(surface(cone), 2.0)
    closed = shapely.is_closed(hill.lines)
    assert set(hill.kinds[closed]) == {"index", "intermediate"}
    assert set(hill.levels_ft[hill.kinds == "index"] % 10.0) == {0.0}
    assert not (hill.levels_ft[hill.kinds == "intermediate"] % 10.0 == 0.0).any()
    hollow = derive_contours(surface(bowl), 2.0)
    assert set(hollow.kinds[shapely.is_closed(hollow.lines)]) == {"depression"}
    assert "depression" not in hollow.kinds[~shapely.is_closed(hollow.lines)]


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 2.0, 5.0]))
def test_every_vertex_is_as_near_to_its_level_as_stated_and_none_cross(
    seed: int, interval: float
) -> None:
    """On rough ground too: vertices may move by a tenth of a cell, levels may not cross."""
    rng = np.random.default_rng(seed)
    rough = np.cumsum(np.cumsum(rng.normal(0, 0.3, (24, 24)), axis=0), axis=1)
    ground = of_cells(800.0 + rough)
    exact = derive_contours(ground, interval, tolerance_ft=0.0)
    for line, level in zip(exact.lines, exact.levels_ft, strict=True):
        heights = ground.heights_at(shapely.get_coordinates(line))
        assert heights == pytest.approx(level, abs=1e-6)
    moved = derive_contours(ground, interval)
    assert len(moved) == len(exact)
    for before, after in zip(exact.lines, moved.lines, strict=True):
        assert shapely.hausdorff_distance(before, after) <= 0.5 + 1e-9
    lines = Contours(moved.lines, moved.levels_ft, np.arange(len(moved)))
    assert len(crossings(lines).points) == 0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turning_the_ground_turns_the_contours(turns: int) -> None:
    ground = surface(saddle)
    turned = of_cells(np.rot90(ground.z_ft, turns))
    one, other = (derive_contours(s, 2.0, tolerance_ft=0.0) for s in (ground, turned))
    assert len(one) == len(other)
    for level in np.unique(one.levels_ft):
        lengths = [shapely.length(m.lines[m.levels_ft == level]).sum() for m in (one, other)]
        assert lengths[0] == pytest.approx(lengths[1])


def test_a_void_cuts_contours_and_is_not_bridged() -> None:
    z = surface(plane).z_ft.copy()
    z[30:50, 30:50] = np.nan
    made = derive_contours(of_cells(z), 2.0)
    hole = shapely.box(150.0 + 2.5, 150.0 + 2.5, 250.0 - 2.5, 250.0 - 2.5)
    assert not shapely.intersects(made.lines, hole).any()


def test_flat_ground_has_none_and_it_is_said_in_words() -> None:
    made = derive_contours(surface(lambda x, y: 801.2 + 1.3 * x / 397.5), 5.0)
    assert len(made) == 0
    assert made.words == "surface range 1.3 ft (801.2 to 802.5), interval 5 ft: 0 contours"


def test_voids_only_are_said_too() -> None:
    assert derive_contours(of_cells(np.full((5, 5), np.nan))).words == "no height is known there"


def test_interval_by_relief_and_never_over_the_limit() -> None:
    assert default_interval_ft(40.0, 5.0) == 1.0
    assert default_interval_ft(40.1, 5.0) == 2.0
    assert default_interval_ft(400.0, 1.0) == 1.0
    with pytest.raises(SurfaceError, match="over the 5 ft that the ordinance allows"):
        derive_contours(surface(plane), 5.01)
    with pytest.raises(SurfaceError, match="over 0"):
        derive_contours(surface(plane), 0.0)


def test_too_many_levels_are_refused_with_the_number() -> None:
    with pytest.raises(SurfaceError, match=r"interval 0\.01 ft: 59\d\d levels"):
        derive_contours(surface(plane), 0.01)


def test_levels_are_multiples_of_the_interval_to_the_last_digit() -> None:
    assert list(levels_within(799.99, 802.0, 0.5)) == [800.0, 800.5, 801.0, 801.5, 802.0]
    assert 0.3 in levels_within(0.0, 1.0, 0.1)
    assert list(levels_within(800.0, 801.0, 1.0)) == [801.0], "the lowest ground has no contour"


def test_only_inside_the_bounds_asked_for() -> None:
    made = derive_contours(surface(plane), 2.0, within=(100.0, 100.0, 200.0, 200.0))
    xmin, ymin, xmax, ymax = shapely.total_bounds(made.lines)
    assert xmin >= 92.0
    assert ymin >= 92.0
    assert xmax <= 208.0
    assert ymax <= 208.0
    part = made.inside(shapely.box(120.0, 120.0, 140.0, 140.0))
    assert 0 < len(part) < len(made)
    assert shapely.total_bounds(part.lines)[2] <= 140.0


@pytest.mark.parametrize(
    "far", [(-900.0, 0.0, -500.0, 400.0), (900.0, 0.0, 1300.0, 400.0), (0.0, 900.0, 400.0, 1300.0),
            (0.0, -900.0, 400.0, -500.0)],
)  # fmt: skip
def test_bounds_beside_the_surface_clip_nothing(far: tuple[float, float, float, float]) -> None:
    """A count from the wrong end would give cells that lie elsewhere."""
    assert clipped(surface(plane), far).z_ft.size == 0
    assert len(derive_contours(surface(plane), 2.0, within=far)) == 0


def test_no_cells_have_no_outline() -> None:
    """The plate of a site off its elevation model failed on it."""
    nothing = clipped(surface(plane), (900.0, 0.0, 1300.0, 400.0))
    assert len(cells_as_areas(np.isnan(nothing.z_ft), nothing.transform)) == 0


def test_specks_are_left_out_and_counted() -> None:
    z = np.full((20, 20), 799.9)
    z[10, 10] = 800.2
    made = derive_contours(of_cells(z), 1.0)
    assert len(made) == 0
    assert "0 contours" in made.words
