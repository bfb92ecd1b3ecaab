"""DST001: grading stays on the site."""

from __future__ import annotations

import pytest
import shapely

from sitemap.rules.disturbance_outside_boundary import disturbance_outside_boundary as rule
from sitemap.rules.rule import Checked, Skip
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
)

NO_CASE = {"not_applicable": "without a disturbed area the engine skips, or it is declared none"}


def graded(xmin: float, ymin: float, xmax: float, ymax: float) -> Site:
    return set_geometry(clean_site(), "disturbance", 0, rectangle(xmin, ymin, xmax, ymax))


def test_passes_inside() -> None:
    assert passes(rule, clean_site())


def test_passes_up_to_the_boundary() -> None:
    assert passes(rule, graded(0, 0, 800, 600))


def test_found_with_its_acres_and_its_ground() -> None:
    (fault,) = faults_of(rule, graded(150, 200, 850, 500))
    assert fault.message == "0.344 acres of disturbance lie outside the boundary"
    assert fault.measured.value == pytest.approx(50 * 300 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(800, 200, 850, 500))
    assert (fault.source.user_id, fault.role) == ("D-1", "disturbance")


def test_at_the_limit_a_sliver_of_half_a_foot_is_left_out_and_named() -> None:
    site = graded(150, 200, 800.49, 500)
    assert passes(rule, site)
    (checked,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert "1 sliver thinner than 0.5 ft left out (0.0034 acres)" in checked.words


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, graded(150, 200, 800.52, 500))) == 1


def test_found_one_finding_for_each_part() -> None:
    faults = faults_of(rule, graded(-20, 200, 830, 500))
    assert [round(f.geometry.area) for f in faults] == [30 * 300, 20 * 300]


def test_found_ground_of_two_phases_counts_once() -> None:
    site = add_feature(
        graded(150, 200, 850, 500), "disturbance", rectangle(700, 200, 850, 500), id="D-2"
    )
    (fault,) = faults_of(rule, site)
    assert fault.measured.value == pytest.approx(50 * 300 / 43560, abs=1e-4)


def test_skipped_when_the_limits_are_a_line() -> None:
    site = set_geometry(clean_site(), "disturbance", 0, line((150, 200), (550, 500)))
    (said,) = run(rule, site)
    assert isinstance(said, Skip)


@pytest.mark.parametrize("role", ["boundary", "disturbance"])
def test_skipped_where_an_outline_encloses_nothing_and_says_whose(role: str) -> None:
    """There and back again on one line: an area of nothing is no ground to compare."""
    flat = shapely.Polygon([*line((0, 0), (100, 0)).coords, line((0, 0), (50, 0)).coords[1]])
    (said,) = run(rule, set_geometry(clean_site(), role, 0, flat))
    assert said == Skip(f"the {role} layer encloses no area")
