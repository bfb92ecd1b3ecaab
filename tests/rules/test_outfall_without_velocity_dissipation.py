"""BMP007: water leaves without digging."""

from __future__ import annotations

import pytest

from sitemap.rules.outfall_without_velocity_dissipation import (
    outfall_without_velocity_dissipation as rule,
)
from sitemap.rules.rule import Ask
from tests.clean_site import (
    add_feature,
    clean_site,
    drop_feature,
    faults_of,
    passes,
    point,
    rectangle,
    run,
    set_geometry,
    set_value,
)

NO_CASE = {
    "not_applicable": "outfalls declared none are the engine's to tell",
    "skipped": "without outfalls the engine skips",
}
APRON = 7  # OP-1 is 490 to 510 by 135 to 155


def test_passes_with_an_apron() -> None:
    assert passes(rule, clean_site())


def test_found_with_its_place() -> None:
    (fault,) = faults_of(rule, drop_feature(clean_site(), "controls", APRON))
    assert fault.message == "outfall OF-1 has no velocity dissipation within 25 ft; none is drawn"
    assert fault.measured is None
    assert fault.geometry.equals(point(500, 150))


def test_at_the_limit_twenty_five_feet_pass() -> None:
    assert passes(rule, set_geometry(clean_site(), "outfalls", 0, point(535, 150)))


def test_just_over_twenty_five_feet_is_found() -> None:
    (fault,) = faults_of(rule, set_geometry(clean_site(), "outfalls", 0, point(535.1, 150)))
    assert fault.message.endswith("within 25 ft; the nearest is 25.10 ft away")
    assert (fault.measured.value, fault.measured.unit) == (25.1, "ft")


@pytest.mark.parametrize("kind", ["VD", "LW", "OP"])
def test_passes_with_other_devices(kind: str) -> None:
    assert passes(rule, set_value(clean_site(), "controls", APRON, "type", kind))


def test_a_fence_is_no_device_but_riprap_is() -> None:
    site = set_value(clean_site(), "controls", APRON, "type", "SF")
    assert faults_of(rule, site)
    stone = rectangle(490, 135, 510, 155)
    assert passes(rule, add_feature(site, "stabilization", stone, type="RR", term="permanent"))


def test_a_person_judges_where_water_leaves_spread_out() -> None:
    site = drop_feature(clean_site(), "controls", APRON)
    said = run(rule, set_value(site, "outfalls", 0, "kind", "overland flow"))
    assert [s for s in said if isinstance(s, Ask)]
    assert not faults_of(rule, set_value(site, "outfalls", 0, "kind", "overland flow"))
