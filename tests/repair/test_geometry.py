"""Rings closed, vertices dropped, rings turned, outlines rebuilt; the guard over legal acres."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box

from sitemap.finding import Source
from sitemap.repair.geometry import close_rings, drop_repeated, rebuild, turn_rings
from sitemap.repair.quantities import LegalQuantities


def wkb_of_open_ring(*xy: tuple[float, float]) -> bytes:
    """A polygon whose ring does not end where it began; shapely itself refuses to make one."""
    head = struct.pack("<BIII", 1, 3, 1, len(xy))
    return head + b"".join(struct.pack("<dd", *point) for point in xy)


def array(*shapes: object) -> np.ndarray:
    made = np.empty(len(shapes), dtype=object)
    made[:] = shapes
    return made


def test_an_open_ring_is_closed_by_the_line_that_its_area_implies() -> None:
    closed = close_rings(wkb_of_open_ring((0, 0), (10, 0), (10, 10), (0, 10)))
    assert closed is not None
    assert closed.area == 100.0


@pytest.mark.parametrize(
    "wkb",
    [
        wkb_of_open_ring((0, 0), (10, 0)),  # two points are no ring, closed or not
        wkb_of_open_ring((0, 0), (10, 0), (float("nan"), 3), (0, 10)),
        b"\x01\x03\x00\x00\x00\xff",
        b"",
    ],
)
def test_bytes_that_no_closing_helps_stay_unbuilt(wkb: bytes) -> None:
    assert close_rings(wkb) is None


def test_only_exact_repeats_in_a_row_are_dropped() -> None:
    there_and_back = LineString([(0, 0), (5, 0), (0, 0)])  # the same place, not in a row
    almost = LineString([(0, 0), (0, 1e-9), (5, 0)])
    doubled = Polygon([(0, 0), (4, 0), (4, 0), (4, 4), (4, 4), (0, 4)])
    cleaned, dropped = drop_repeated(array(there_and_back, almost, doubled, None, Point(1, 1)))
    assert dropped.tolist() == [0, 0, 2, 0, 0]
    assert cleaned[2].equals(doubled)
    assert cleaned[0] is there_and_back


def test_a_step_in_height_at_one_place_is_no_repeat() -> None:
    step = LineString([(0, 0, 800), (5, 0, 800), (5, 0, 804), (9, 0, 804)])
    cleaned, dropped = drop_repeated(array(step))
    assert dropped.tolist() == [0]
    assert shapely.get_num_coordinates(cleaned[0]) == 4


@pytest.mark.parametrize(
    ("driver", "turned"),
    [
        ("ESRI Shapefile", [True, False]),  # outer rings run clockwise there
        ("GeoJSON", [False, True]),  # and counter-clockwise here (RFC 7946)
        ("GPKG", [False, False]),  # which leaves it open
    ],
)
def test_the_way_of_rings_is_held_against_the_format(driver: str, turned: list[bool]) -> None:
    left = shapely.box(0, 0, 9, 9, ccw=True)
    result, mask = turn_rings(array(left, shapely.box(0, 0, 9, 9, ccw=False)), driver)
    assert mask.tolist() == turned
    assert all(shapely.is_ccw(g.exterior) for g in result[mask])


def test_a_hole_that_runs_like_its_shell_is_turned_in_any_format() -> None:
    shell = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0)]
    hole = [(2, 2), (4, 2), (4, 4), (2, 4), (2, 2)]  # counter-clockwise, as the shell
    result, mask = turn_rings(array(Polygon(shell, [hole])), "GPKG")
    assert mask.tolist() == [True]
    assert result[0].area == 81 - 4


def test_a_bow_tie_keeps_both_lobes() -> None:
    """shapely issue 462: buffer(0) keeps the small lobe of such an outline only."""
    tie = Polygon([(0, 0), (10, 10), (10, 0), (0, 4)])
    made = rebuild(tie)
    assert made.geometry is not None
    lobes = shapely.get_parts(made.geometry)
    assert len(lobes) == 2
    assert made.after == pytest.approx(shapely.area(lobes).sum())
    assert made.before == pytest.approx(abs(tie.area))  # one lobe minus the other
    assert made.after > tie.buffer(0).area


def test_a_hole_outside_its_shell_becomes_a_part_which_the_areas_tell() -> None:
    """GEOS takes it for ground: the areas before and after say so, and legal roles refuse it."""
    odd = Polygon([(0, 0), (9, 0), (9, 9), (0, 9)], [[(20, 20), (22, 20), (22, 22), (20, 22)]])
    made = rebuild(odd)
    assert (made.before, made.after) == (77.0, 85.0)


def test_parts_that_overlap_are_counted_once() -> None:
    made = rebuild(MultiPolygon([box(0, 0, 10, 10), box(5, 0, 15, 10)]))
    assert (made.before, made.after) == (200.0, 150.0)


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (Polygon([(0, 0), (5, 0), (9, 0)]), "nothing would be left"),
        (LineString([(1, 1), (1, 1)]), "nothing would be left"),
        (Polygon([(0, 0), (np.inf, 0), (5, 5)]), "not a finite number"),
    ],
)
def test_what_cannot_be_rebuilt_says_why(shape: object, why: str) -> None:
    made = rebuild(shape)  # type: ignore[arg-type]
    assert made.geometry is None
    assert why in made.refused


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=4, max_size=12, unique=True
    )
)
def test_a_rebuilt_outline_is_valid_and_never_larger_than_its_hull(
    xy: list[tuple[int, int]],
) -> None:
    shape = Polygon(xy)
    made = rebuild(shape)
    if made.geometry is None:
        assert made.refused
    else:
        assert made.geometry.is_valid
        assert made.after <= shape.convex_hull.area + 1e-9
        if shape.is_valid:
            assert made.after == pytest.approx(shape.area)


WHERE = Source("a.shp", None, 0)


def test_small_changes_of_a_legal_area_are_allowed_until_they_add_up() -> None:
    guard = LegalQuantities(tolerance_acres=0.01)
    guard.register("disturbance", 5.0)  # 0.1 % is 0.005 acres, which is stricter
    for number in range(4):
        source = Source("a.shp", None, number)
        assert guard.refusal("disturbance", source, 2.0, 2.001) == ""
        guard.spend("disturbance", source, 2.0, 2.001)
    assert "in sum" in guard.refusal("disturbance", Source("a.shp", None, 9), 2.0, 2.0015)
    assert guard.refusal("disturbance", Source("a.shp", None, 9), 2.0, 1.9985) == ""


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        (100.0, 100.01, True),  # exactly the pack's tolerance
        (100.0, 100.0101, False),
        (1.0, 1.001, True),  # exactly 0.1 %
        (1.0, 1.0011, False),
        (0.0, 0.001, False),  # a bow-tie of two equal lobes has no area as drawn
        (float("nan"), 1.0, False),
    ],
)
def test_both_the_acres_and_the_share_are_limits(
    before: float, after: float, allowed: bool
) -> None:
    guard = LegalQuantities(tolerance_acres=0.01 + 1e-12)
    guard.register("wetlands", 1e9)
    after += -1e-12 if allowed and after > 1.0 else 0.0
    assert (guard.refusal("wetlands", WHERE, before, after) == "") is allowed


def test_vegetation_is_no_legal_quantity() -> None:
    assert LegalQuantities(0.01).refusal("vegetation", WHERE, 1.0, 99.0) == ""
