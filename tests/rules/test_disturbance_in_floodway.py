"""DST005: the floodway stays free."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.disturbance_in_floodway import disturbance_in_floodway as rule
from sitemap.rules.rule import Ask, NotApplicable, Skip
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
    set_value,
)


def graded(xmin: float, ymin: float, xmax: float, ymax: float):
    return set_geometry(clean_site(), "disturbance", 0, rectangle(xmin, ymin, xmax, ymax))


def test_passes_outside() -> None:
    assert passes(rule, clean_site())


def test_passes_in_the_fringe() -> None:
    assert passes(rule, graded(150, 46, 550, 500))


def test_found_with_acres_and_ground() -> None:
    (fault,) = faults_of(rule, graded(150, 35, 550, 500))
    assert fault.message == "0.092 acres of floodway are inside the limits of disturbance"
    assert fault.measured.value == pytest.approx(400 * 10 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(150, 35, 550, 45))
    assert rule.default_severity is Severity.WARNING


def test_at_the_limit_a_sliver_of_half_a_foot_passes() -> None:
    assert passes(rule, graded(150, 44.51, 550, 500))


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, graded(150, 44.48, 550, 500))) == 1


def test_not_applicable_where_no_floodway_is_drawn() -> None:
    (said,) = run(rule, set_value(clean_site(), "floodplain", 1, "subtype", None))
    assert isinstance(said, NotApplicable)


def test_skipped_when_the_limits_are_a_line() -> None:
    (said,) = run(rule, set_geometry(clean_site(), "disturbance", 0, line((150, 20), (550, 500))))
    assert isinstance(said, Skip)


def test_a_person_says_whether_ground_without_zone_and_part_is_floodway() -> None:
    site = set_value(graded(150, 35, 550, 500), "floodplain", 1, "subtype", None)
    assert not [s for s in run(rule, site) if isinstance(s, Ask)], "zone AE is known"
    (asked, said) = run(rule, set_value(site, "floodplain", 1, "zone", None))
    assert isinstance(asked, Ask)
    assert asked.question.startswith("0.092 acres of floodplain with neither a known zone nor")
    assert isinstance(said, NotApplicable)


def test_not_applicable_where_the_floodway_is_a_line() -> None:
    (said,) = run(rule, set_geometry(clean_site(), "floodplain", 1, line((-100, 300), (900, 300))))
    assert isinstance(said, NotApplicable), "no area was looked at"
