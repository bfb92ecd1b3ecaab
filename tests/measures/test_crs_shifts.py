"""Landings of numbers in one CRS or another, and the two feet."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from sitemap.crs import parse_crs, transform_points
from sitemap.measures.crs_mistakes import foot_mistaken
from sitemap.measures.crs_shifts import (
    candidates,
    extent,
    how_they_differ,
    landing,
    miles,
    ranked,
    scale_error,
)

SOUTH = parse_crs("EPSG:6609")
SITE = shapely.box(2_469_500, 335_400, 2_470_300, 336_000)
HOLDING = ["EPSG:32054", "EPSG:2289", "EPSG:3071", "EPSG:7642", "EPSG:26716", "EPSG:32616"]


@settings(max_examples=25)
@given(
    st.sampled_from(HOLDING),
    st.floats(0, 0.8),
    st.floats(0, 0.8),
)
def test_the_true_system_always_meets_the_site(code: str, right: float, up: float) -> None:
    """Whatever part of the site the numbers are from, their own system is among those at home."""
    x = 2_469_500 + 800 * np.array([right, right + 0.2])
    y = 335_400 + 600 * np.array([up, up + 0.2])
    east, north = transform_points(x, y, SOUTH, parse_crs(code))
    box = (float(east.min()), float(north.min()), float(east.max()), float(north.max()))
    groups = ranked(box, candidates(box, SOUTH, SITE), SOUTH, SITE)
    at_home = {there.code for group in groups for there in group if there.gap_ft == 0}
    assert code in at_home


def test_a_landing_leads_from_the_site_to_the_numbers() -> None:
    """A mile north of the site's middle, read in the site's own system."""
    there = landing((2_469_900, 340_980, 2_469_900, 340_980), SOUTH, SOUTH, SITE)
    assert there is not None
    assert (there.east_ft, there.north_ft) == pytest.approx((0, 5280), abs=1e-6)
    assert there.gap_ft == pytest.approx(5280 - 300)  # the site reaches 300 ft north of its middle
    assert there.direction == "north"
    assert miles(there.off_ft) == "5,280 ft (1.0 mi)"


def test_differences_are_named_by_what_differs() -> None:
    metres, nad27 = parse_crs("EPSG:6608"), parse_crs("EPSG:32054")
    assert how_they_differ(SOUTH, metres) == "the unit is m, not ftUS"
    assert how_they_differ(SOUTH, nad27).startswith("the datum is North American Datum 1927")
    assert "Wisconsin Central" in how_they_differ(SOUTH, parse_crs("EPSG:6605"))


def test_web_mercator_stretches_by_the_secant_of_the_latitude() -> None:
    """1.365 at 42.905 N; State Plane metres against State Plane feet do not stretch at all."""
    middle = SITE.centroid
    stretch = scale_error(parse_crs("EPSG:3857"), SOUTH, middle)
    assert stretch == pytest.approx(1 / np.cos(np.radians(42.905)), rel=0.004)
    assert scale_error(parse_crs("EPSG:6608"), SOUTH, middle) == pytest.approx(1.0, abs=1e-9)


def test_an_extent_without_area_is_kept_as_line_or_point() -> None:
    assert extent((1, 2, 1, 2)).equals(Point(1, 2))
    assert extent((1, 2, 1, 5)).equals(LineString([(1, 2), (1, 5)]))
    assert extent((1, 2, 3, 5)).area == 6


def test_the_two_feet_are_told_by_corners_only() -> None:
    """4.94 ft east and 0.67 ft north at Muskego: 2 ppm of the coordinates."""
    right = np.array([SITE], dtype=object)
    off = shapely.transform(right, lambda xy: xy * (1200 / 3937) / 0.3048)
    found = foot_mistaken(off, SOUTH, SOUTH, SITE)
    assert found is not None
    assert found.off_ft == pytest.approx(2_469_900 * 2e-6, abs=0.1)
    assert found.corners == 4
    assert found.direction == "east and north"
    assert foot_mistaken(right, SOUTH, SOUTH, SITE) is None
    shifted = shapely.transform(right, lambda xy: xy + 3.0)  # off, and not by the feet
    assert foot_mistaken(shifted, SOUTH, SOUTH, SITE) is None
    assert foot_mistaken(off, parse_crs("EPSG:6608"), SOUTH, SITE) is None  # not in feet


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(3, 40), st.integers(0, 200))
def test_corners_are_found_among_many_vertices(seed: int, corners: int, strangers: int) -> None:
    """Each corner has a vertex on it; the others lie more than a foot away."""
    random = np.random.default_rng(seed)
    own = SITE.bounds[:2] + random.uniform(0, 900, (corners, 2))
    far = SITE.bounds[:2] + random.uniform(-5000, 5000, (strangers, 2))
    boundary = shapely.MultiPoint(own).convex_hull
    if boundary.geom_type != "Polygon":
        return
    right = np.array([shapely.MultiPoint(np.vstack([own, far]))], dtype=object)
    off = shapely.transform(right, lambda xy: xy * (1200 / 3937) / 0.3048)
    hull = len(boundary.exterior.coords) - 1
    found = foot_mistaken(off, SOUTH, SOUTH, boundary)
    assert found is not None
    assert found.corners == hull
    assert foot_mistaken(right, SOUTH, SOUTH, boundary) is None
