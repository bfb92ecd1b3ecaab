"""WET002: areas and locations of wetland."""

from __future__ import annotations

from sitemap.rules.rule import Checked, NotApplicable
from sitemap.rules.wetland_area_not_stated import wetland_area_not_stated as rule
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    passes,
    point,
    rectangle,
    run,
    set_geometry,
    set_value,
    without,
)

NO_CASE = {"skipped": "without wetlands the engine skips or tells who declared them none"}


def test_passes_with_acres() -> None:
    assert passes(rule, clean_site())


def test_found_with_what_is_drawn() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "wetlands", 0, "acres", None))
    assert fault.message == "wetland W-1 has no stated area; 0.19 acres are drawn"
    assert (fault.source.user_id, fault.field_name) == ("W-1", "acres")


def test_found_a_point_without_acres() -> None:
    (fault,) = faults_of(rule, add_feature(clean_site(), "wetlands", point(50, 50), id="W-2"))
    assert fault.message == "wetland W-2 has no stated area"
    site = add_feature(clean_site(), "wetlands", point(50, 50), id="W-2", acres=0.01)
    assert passes(rule, site)


def test_just_over_the_limit_zero_acres_are_none() -> None:
    assert faults_of(rule, set_value(clean_site(), "wetlands", 0, "acres", 0.0))


def test_at_the_limit_a_wetland_that_touches_the_boundary_is_on_the_site() -> None:
    beside = set_value(clean_site(), "wetlands", 0, "acres", None)
    assert faults_of(rule, set_geometry(beside, "wetlands", 0, rectangle(800, 60, 850, 120)))


def test_not_applicable_to_wetlands_beside_the_site() -> None:
    beside = set_value(clean_site(), "wetlands", 0, "acres", None)
    (said,) = run(rule, set_geometry(beside, "wetlands", 0, rectangle(801, 60, 850, 120)))
    assert isinstance(said, NotApplicable)


def test_found_everywhere_without_a_boundary() -> None:
    site = without(set_value(clean_site(), "wetlands", 0, "acres", None), "boundary")
    assert len(faults_of(rule, site)) == 1


def test_the_evidence_counts_wetlands_on_the_site_and_those_with_acres() -> None:
    """Three drawn, two of them on the site, one of these with acres."""
    site = add_feature(clean_site(), "wetlands", rectangle(100, 100, 120, 120), id="W-2")
    site = add_feature(site, "wetlands", rectangle(2000, 0, 2050, 50), id="W-3", acres=0.06)
    (checked,) = [said for said in run(rule, site) if isinstance(said, Checked)]
    assert checked == Checked("2 wetlands on the site, 1 with stated acres", 2)
