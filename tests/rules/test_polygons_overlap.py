"""TOP001: areas that count twice."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.polygons_overlap import polygons_overlap as rule
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


def second_area(xmin: float, xmax: float = 550.0) -> Site:
    """Two drainage areas; the first ends at x = 350."""
    return set_geometry(clean_site(), "drainage_areas", 1, rectangle(xmin, 200, xmax, 500))


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_neighbours_that_share_an_edge() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_shared_acres_and_ground() -> None:
    """20 x 300 ft are 6,000 sq ft, 0.14 acres; 1 % of the smaller area is 0.014."""
    fault = only(second_area(330))
    assert fault.message == (
        "Drainage areas: drainage_areas.shp, id DA-1, record 0 and drainage_areas.shp, id DA-2, "
        "record 1 overlap by 0.14 acres"
    )
    assert fault.severity is Severity.ERROR
    assert fault.measured.value == pytest.approx(6000 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(330, 200, 350, 500))
    assert fault.related[0].user_id == "DA-2"


def test_found_as_a_warning_within_the_acre_tolerance() -> None:
    """1 x 300 ft are 0.007 acres, under 0.01."""
    assert only(second_area(349)).severity is Severity.WARNING


def test_at_the_limit_a_strip_of_half_a_foot_is_digitizing() -> None:
    assert passes(rule, second_area(349.5))


def test_just_over_is_found() -> None:
    assert only(second_area(349.49)).measured.value == pytest.approx(0.51 * 300 / 43560, abs=1e-4)


def test_found_one_inside_the_other() -> None:
    site = set_geometry(clean_site(), "drainage_areas", 1, rectangle(200, 250, 300, 400))
    assert "id DA-2, record 1 lies wholly in the other" in only(site).message


def test_found_phases_and_soils_too() -> None:
    shapes = [rectangle(150, 200, 350, 500), rectangle(300, 200, 550, 500)]
    soils = {"geometry": shapes, "map_unit": ["HmB", "MeB"]}
    phases = {"geometry": shapes, "id": ["D-1", "D-2"], "phase": ["1", "2"]}
    site = with_layer(with_layer(clean_site(), "soils", soils), "disturbance", phases)
    assert {f.role for f in faults_of(rule, site)} == {"disturbance", "soils"}


def test_not_applicable_without_such_areas() -> None:
    (said,) = run(rule, without(clean_site(), "disturbance", "drainage_areas", "soils"))
    assert isinstance(said, NotApplicable)
