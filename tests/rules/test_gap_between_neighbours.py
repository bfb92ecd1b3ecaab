"""TOP002: ground that neighbours leave out."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.gap_between_neighbours import gap_between_neighbours as rule
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    rectangle,
    run,
    set_geometry,
    with_layer,
    without,
)

NO_CASE = {"skipped": "it takes the roles that are there"}


def apart(gap: float) -> Site:
    """Two drainage areas 300 ft high, so far apart."""
    shape = rectangle(350 + gap, 200, 550, 500)
    return set_geometry(clean_site(), "drainage_areas", 1, shape)


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_neighbours_that_share_an_edge() -> None:
    assert passes(rule, clean_site())


def test_found_a_slit_with_its_acres() -> None:
    """3 x 300 ft are 900 sq ft, 0.021 acres, on the site: over the acre tolerance."""
    fault = only(apart(3))
    assert fault.message == (
        "Drainage areas: a slit of 0.021 acres is left out between drainage_areas.shp, id DA-1, "
        "record 0; drainage_areas.shp, id DA-2, record 1"
    )
    assert fault.severity is Severity.ERROR
    assert fault.geometry.symmetric_difference(rectangle(350, 200, 353, 500)).area < 0.1


def test_found_as_a_warning_where_no_boundary_says_what_is_on_the_site() -> None:
    assert only(without(apart(3), "boundary")).severity is Severity.WARNING


def test_found_as_a_warning_within_the_acre_tolerance() -> None:
    """1 x 300 ft are 0.007 acres."""
    assert only(apart(1)).severity is Severity.WARNING


def test_at_the_limit_half_a_foot_is_digitizing_and_five_feet_a_slit() -> None:
    assert passes(rule, apart(0.49))
    assert len(faults_of(rule, apart(4.99))) == 1


def test_just_over_the_widest_slit_they_are_two_places() -> None:
    """Areas 5.1 ft apart need not touch; whether the site is covered is another question."""
    assert passes(rule, apart(5.1))


def test_just_over_half_a_foot_is_found() -> None:
    assert only(apart(0.52)).measured.value == pytest.approx(0.52 * 300 / 43560, abs=1e-3)


def test_found_a_hole_however_wide() -> None:
    """Four soils around an unmapped square of 100 ft: 10,000 sq ft, 0.23 acres."""
    soils = [
        rectangle(0, 0, 800, 200),
        rectangle(0, 300, 800, 600),
        rectangle(0, 200, 300, 300),
        rectangle(400, 200, 800, 300),
    ]
    site = with_layer(
        clean_site(), "soils", {"geometry": soils, "map_unit": ["HmB", "MeB", "HmB", "Ph"]}
    )
    fault = only(site)
    assert "Soil map units: a hole of 0.230 acres" in fault.message
    assert fault.geometry.equals(rectangle(300, 200, 400, 300))
    assert len(fault.related) == 3


def test_passes_a_gap_far_from_the_site() -> None:
    far = [rectangle(5000, 0, 5100, 100), rectangle(5102, 0, 5200, 100)]
    site = with_layer(clean_site(), "soils", {"geometry": far, "map_unit": ["HmB", "MeB"]})
    assert passes(rule, site)


def test_not_applicable_without_such_areas() -> None:
    (said,) = run(rule, without(clean_site(), "drainage_areas", "soils"))
    assert isinstance(said, NotApplicable)
