"""SLP002: approximate slopes."""

from __future__ import annotations

from sitemap.rules.slope_not_given import slope_not_given as rule
from sitemap.site import Site
from tests.clean_site import clean_site, faults_of, passes, set_value, without

NO_CASE = {
    "not_applicable": "flow arrows declared none are the engine's to tell",
    "skipped": "without flow arrows the engine skips",
}


def slopes(arrow: float | None, area: float | None) -> Site:
    """The slope of arrow FA-2, and of its area DA-2."""
    site = set_value(clean_site(), "flow_arrows", 1, "slope_pct", arrow)
    return set_value(site, "drainage_areas", 1, "slope_pct", area)


def test_passes_with_slopes() -> None:
    assert passes(rule, clean_site())


def test_passes_when_one_of_both_has_it() -> None:
    assert passes(rule, slopes(None, 4.0))
    assert passes(rule, slopes(4.0, None))


def test_found_when_neither_has() -> None:
    one, two = faults_of(rule, slopes(None, None))
    assert (one.message, two.message) == (
        "flow arrow FA-2 has no slope",
        "drainage area DA-2 has no slope",
    )
    assert (one.role, two.role) == ("flow_arrows", "drainage_areas")
    assert one.field_name == "slope_pct"


def test_found_without_drainage_areas() -> None:
    site = without(slopes(None, 4.0), "drainage_areas")
    (fault,) = faults_of(rule, site)
    assert fault.source.user_id == "FA-2"


def test_at_the_limit_level_ground_has_a_slope_of_zero() -> None:
    assert passes(rule, slopes(0.0, None))


def test_just_over_the_limit_a_negative_slope_is_none() -> None:
    assert len(faults_of(rule, slopes(-1.0, None))) == 2


def test_found_an_arrow_whose_area_nobody_knows() -> None:
    site = set_value(slopes(None, 4.0), "flow_arrows", 1, "from_area", "DA-7")
    (fault,) = faults_of(rule, site)
    assert fault.source.user_id == "FA-2"
