"""BMP008: heaps are held."""

from __future__ import annotations

import pytest
import shapely

from sitemap.rules.rule import NotApplicable
from sitemap.rules.stockpile_without_barrier import stockpile_without_barrier as rule
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    drop_feature,
    faults_of,
    line,
    passes,
    point,
    rectangle,
    run,
    set_geometry,
    set_value,
    without,
)

NO_CASE = {"skipped": "stockpiles are drawn where there are some: activities are optional"}
BARRIER = 4  # MPC-2; the heap SP-1 is 460 to 500 by 330 to 360, the ground falls to the south
OPEN = drop_feature(clean_site(), "controls", BARRIER)


def fenced(*xy: tuple[float, float]) -> Site:
    return set_geometry(clean_site(), "controls", BARRIER, line(*xy))


def test_passes_with_a_barrier_round_its_lower_side() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_open_side() -> None:
    (fault,) = faults_of(rule, OPEN)
    assert fault.message == "stockpile SP-1 has no barrier below it within 25 ft"
    assert fault.geometry.equals(line((460, 330), (500, 330)))
    assert fault.measured.value == 40


def test_found_where_half_of_it_is_open() -> None:
    """Rays run down the fall line, here a little east of south."""
    (fault,) = faults_of(rule, fenced((452, 322), (480, 322)))
    assert "leaves 2" in fault.message
    assert "of 40 ft of its lower side open" in fault.message
    assert fault.geometry.bounds[0] == pytest.approx(line((478, 0), (479, 0)).bounds[0], abs=2)


def test_found_where_the_fence_stands_above() -> None:
    assert faults_of(rule, fenced((452, 324), (452, 366), (508, 366), (508, 324)))


def test_at_the_limit_a_joint_of_five_feet_and_seven_days_pass() -> None:
    gap = add_feature(
        fenced((452, 322), (478, 322)), "controls", line((482, 322), (510, 322)), type="SF"
    )
    assert passes(rule, gap)
    (said,) = run(rule, set_value(OPEN, "activities", 0, "days", 7.0))
    assert isinstance(said, NotApplicable)


def test_just_over_seven_days_is_found() -> None:
    assert faults_of(rule, set_value(OPEN, "activities", 0, "days", 8.0))
    assert faults_of(rule, set_value(OPEN, "activities", 0, "days", None))


def test_at_the_limit_the_barrier_may_stand_twenty_five_feet_off() -> None:
    assert passes(rule, fenced((452, 307), (530, 307)))
    assert faults_of(rule, fenced((452, 304), (530, 304)))


def test_passes_a_heap_that_is_seeded() -> None:
    heap = rectangle(455, 325, 505, 365)
    assert passes(rule, add_feature(OPEN, "stabilization", heap, type="TS", term="temporary"))
    bare = drop_feature(OPEN, "stabilization", 0)
    half = rectangle(455, 325, 480, 365)
    assert faults_of(rule, add_feature(bare, "stabilization", half, type="TS", term="temporary"))


def test_on_unknown_ground_the_barrier_rings_the_heap() -> None:
    ring = line((452, 366), (452, 322), (508, 322), (508, 366), (452, 366))
    site = set_geometry(clean_site(), "controls", BARRIER, ring)
    assert passes(rule, without(site, "contours_existing"))
    (fault,) = faults_of(rule, without(clean_site(), "contours_existing"))
    assert "of its outline open" in fault.message
    assert "the ground there is flat or not shown" in fault.message


def test_a_heap_drawn_as_a_point_is_taken_as_twenty_feet_across() -> None:
    site = set_geometry(clean_site(), "activities", 0, point(480, 345))
    assert passes(rule, site)
    assert faults_of(rule, drop_feature(site, "controls", BARRIER))


def test_not_applicable_without_stockpiles() -> None:
    (said,) = run(rule, set_value(clean_site(), "activities", 0, "type", "CW"))
    assert isinstance(said, NotApplicable)


def test_a_heap_beyond_the_earth_stops_nobody() -> None:
    """GEO007 names its coordinates; the other heap is still judged."""
    wild = add_feature(OPEN, "activities", shapely.box(1e30, 1e30, 2e30, 2e30), type="SP", id="X")
    assert {f.source.user_id for f in faults_of(rule, wild)} == {"SP-1", "X"}
