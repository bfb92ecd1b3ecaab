"""BMP009: a trap large enough for what drains to it."""

from __future__ import annotations

import pytest

from sitemap.rules.rule import Ask, NotApplicable
from sitemap.rules.sediment_trap_too_small import sediment_trap_too_small as rule
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    drop_feature,
    faults_of,
    passes,
    point,
    rectangle,
    run,
    set_geometry,
    set_value,
    with_layer,
    without,
)

NO_CASE = {"skipped": "what is not known is asked of a person"}
TRAP = 5  # ST-1 in DA-1, 200 by 300 ft
NEEDS = 1560 * 60_000 / 43_560  # 2,149 sq ft on loam


def trap_of(area: float) -> Site:
    """A trap of 30 ft by what its area takes."""
    return set_geometry(clean_site(), "controls", TRAP, rectangle(160, 205, 160 + area / 30, 235))


def asked(site: Site) -> list[str]:
    return [s.question for s in run(rule, site) if isinstance(s, Ask)]


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_with_both_sizes() -> None:
    (fault,) = faults_of(rule, trap_of(1500))
    assert fault.message == (
        "trap ST-1 has 1,500 sq ft; 1.38 acres of medium soil that drain to it need 2,149"
    )
    assert (fault.measured.value, fault.limit.value, fault.limit.operator) == (1500, 2149, ">=")


def test_at_the_limit_the_exact_size_passes() -> None:
    assert passes(rule, trap_of(NEEDS * 1.0001))


def test_at_the_limit_a_shortage_within_one_percent_needs_a_person() -> None:
    assert "within the tolerance" in asked(trap_of(NEEDS * 0.995))[0]
    assert not faults_of(rule, trap_of(NEEDS * 0.995))


def test_just_over_one_percent_short_is_found() -> None:
    assert faults_of(rule, trap_of(NEEDS * 0.985))


@pytest.mark.parametrize(
    ("name", "needs"),
    [("Boyer loamy sand", 861), ("Kewaunee silty clay loam", 7300), ("Casco sandy loam", 861)],
)
def test_the_texture_decides(name: str, needs: int) -> None:
    (fault,) = faults_of(rule, set_value(trap_of(500), "soils", 0, "name", name))
    assert fault.limit.value == pytest.approx(needs, abs=1)


def test_two_soils_count_for_their_acres() -> None:
    soils = {
        "geometry": [rectangle(0, 0, 250, 600), rectangle(250, 0, 800, 600)],
        "map_unit": ["A", "B"],
        "name": ["Boyer loamy sand", "Hochheim loam"],
    }
    (fault,) = faults_of(rule, with_layer(trap_of(1000), "soils", soils))
    assert fault.limit.value == pytest.approx((625 + 1560) / 2 * 60_000 / 43_560, abs=1)


def test_the_area_that_names_the_trap_counts() -> None:
    site = set_value(trap_of(3000), "drainage_areas", 1, "outfall", "st-1 ")
    assert passes(rule, site), "DA-2 is as large as DA-1"
    site = set_geometry(site, "drainage_areas", 1, rectangle(350, 200, 750, 500))
    assert len(faults_of(rule, site)) == 1


def test_a_person_decides_what_is_not_known() -> None:
    assert "2,149" in asked(without(clean_site(), "soils"))[0]
    assert (
        "1.38 of unknown" in asked(set_value(clean_site(), "soils", 0, "name", "Houghton muck"))[0]
    )
    assert "which ground drains" in asked(without(clean_site(), "drainage_areas"))[0]
    assert (
        "without an area" in asked(set_geometry(clean_site(), "controls", TRAP, point(200, 220)))[0]
    )


def test_not_applicable_without_a_trap() -> None:
    (said,) = run(rule, drop_feature(clean_site(), "controls", TRAP))
    assert isinstance(said, NotApplicable)
