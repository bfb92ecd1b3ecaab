"""DST004: wetlands stay as they are."""

from __future__ import annotations

import pytest

from sitemap.rules.disturbance_in_wetland import disturbance_in_wetland as rule
from sitemap.rules.rule import Skip
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    rectangle,
    run,
    set_geometry,
)

NO_CASE = {"not_applicable": "wetlands declared none are the engine's to tell"}


def graded(xmin: float, ymin: float, xmax: float, ymax: float):
    return set_geometry(clean_site(), "disturbance", 0, rectangle(xmin, ymin, xmax, ymax))


def test_passes_beside_the_wetland() -> None:
    assert passes(rule, clean_site())


def test_passes_up_to_its_edge() -> None:
    assert passes(rule, graded(560, 120, 700, 500))


def test_found_with_acres_and_ground() -> None:
    (fault,) = faults_of(rule, graded(500, 100, 800, 500))
    assert fault.message == "0.064 acres of wetland W-1 are inside the limits of disturbance"
    assert fault.measured.value == pytest.approx(140 * 20 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(560, 100, 700, 120))
    assert (fault.role, fault.source.user_id) == ("wetlands", "W-1")


def test_at_the_limit_a_sliver_of_half_a_foot_passes() -> None:
    assert passes(rule, graded(500, 119.51, 800, 500))


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, graded(500, 119.48, 800, 500))) == 1


def test_found_a_wetland_too_small_to_draw() -> None:
    site = add_feature(clean_site(), "wetlands", point(300, 300), id="W-2")
    (fault,) = faults_of(rule, site)
    assert fault.message == "wetland W-2 is inside the limits of disturbance"
    assert fault.measured is None
    assert passes(rule, add_feature(clean_site(), "wetlands", point(100, 300), id="W-2"))


def test_skipped_when_the_limits_are_a_line() -> None:
    (said,) = run(rule, set_geometry(clean_site(), "disturbance", 0, line((150, 200), (550, 500))))
    assert isinstance(said, Skip)


def test_found_a_wetland_that_is_drawn_as_a_line() -> None:
    """Its outline crosses the limits of disturbance; half a foot of it may."""
    site = add_feature(clean_site(), "wetlands", line((100, 300), (300, 300)), id="W-2")
    (fault,) = faults_of(rule, site)
    assert fault.message == "wetland W-2 is inside the limits of disturbance"
    short = add_feature(clean_site(), "wetlands", line((100, 300), (150.4, 300)), id="W-2")
    assert passes(rule, short)
