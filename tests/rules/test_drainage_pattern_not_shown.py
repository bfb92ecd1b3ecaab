"""SLP001: an arrow in every area."""

from __future__ import annotations

from sitemap.rules.drainage_pattern_not_shown import drainage_pattern_not_shown as rule
from sitemap.rules.rule import NotApplicable
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

NO_CASE = {"skipped": "without flow arrows the engine skips"}


def nameless(record: int, *xy: tuple[float, float]) -> Site:
    """An arrow that names no area."""
    site = set_value(clean_site(), "flow_arrows", record, "from_area", None)
    return set_geometry(site, "flow_arrows", record, line(*xy))


def test_passes_with_an_arrow_each() -> None:
    assert passes(rule, clean_site())


def test_found_the_area_without_one() -> None:
    (fault,) = faults_of(rule, drop_feature(clean_site(), "flow_arrows", 1))
    assert fault.message == "no flow arrow shows how drainage area DA-2 drains"
    assert fault.geometry.equals(rectangle(350, 200, 550, 500))
    assert (fault.role, fault.source.user_id) == ("drainage_areas", "DA-2")


def test_passes_by_name_or_by_place() -> None:
    assert passes(rule, nameless(1, (450, 450), (450, 300)))
    named = set_value(clean_site(), "flow_arrows", 1, "from_area", " da-2 ")
    assert passes(rule, set_geometry(named, "flow_arrows", 1, line((700, 90), (700, 60))))


def test_found_where_the_arrow_is_a_point() -> None:
    """The block of a CAD symbol, in its area and with its name: it shows no way."""
    site = set_geometry(clean_site(), "flow_arrows", 1, point(450, 300))
    (fault,) = faults_of(rule, site)
    assert fault.source.user_id == "DA-2"


def test_at_the_limit_half_of_the_arrow_lies_in_the_area() -> None:
    assert passes(rule, nameless(1, (450, 250), (450, 150)))


def test_just_over_half_of_it_outside_is_not_enough() -> None:
    assert len(faults_of(rule, nameless(1, (450, 249), (450, 149)))) == 1


def test_disturbed_areas_count_where_no_drainage_areas_are_drawn() -> None:
    site = without(clean_site(), "drainage_areas")
    assert passes(rule, site)
    site = add_feature(site, "disturbance", rectangle(600, 300, 700, 400), id="D-2")
    (fault,) = faults_of(rule, site)
    assert fault.message == "no flow arrow shows how disturbed area D-2 drains"


def test_areas_beside_the_site_need_none() -> None:
    site = add_feature(clean_site(), "drainage_areas", rectangle(800, 0, 880, 90), id="DA-9")
    assert passes(rule, site)


def test_not_applicable_without_any_area() -> None:
    (said,) = run(rule, without(clean_site(), "drainage_areas", "disturbance"))
    assert isinstance(said, NotApplicable)
