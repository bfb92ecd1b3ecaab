"""BMP003: no open inlet on the site or below it."""

from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import MultiPoint

from sitemap.rules.inlet_unprotected import inlet_unprotected as rule
from sitemap.rules.rule import Ask, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    drop_feature,
    faults_of,
    passes,
    point,
    run,
    set_geometry,
    set_value,
    without,
)

NO_CASE = {"skipped": "without inlets or declared none the engine says so"}
PROTECTION = 6  # record of IP-1


def with_inlet(x: float, y: float, kind: str | None = "inlet") -> Site:
    return add_feature(clean_site(), "inlets", point(x, y), id="IN-2", kind=kind)


def test_passes_with_protection_on_each() -> None:
    assert passes(rule, clean_site())


def test_of_two_points_of_one_feature_the_open_one_is_found() -> None:
    """IP-1 stands at 620, 350: an inlet there is safe, and says nothing of the one at 700, 400."""
    both = MultiPoint([point(620, 350), point(700, 400)])
    site = add_feature(clean_site(), "inlets", both, id="IN-2", kind="inlet")
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("inlet IN-2 on the site")
    assert fault.geometry.equals(point(700, 400))


def test_found_on_the_site() -> None:
    (fault,) = faults_of(rule, with_inlet(700, 400))
    assert fault.message == (
        "inlet IN-2 on the site has no inlet protection within 10 ft; the nearest is "
        f"{np.hypot(80.0, 50.0):.2f} ft away"  # IP-1 is at 620, 350
    )
    assert fault.measured.value == pytest.approx(94.3, abs=0.1)
    assert (fault.limit.value, fault.limit.unit) == (10.0, "ft")
    assert fault.geometry.equals(point(700, 400))


def test_found_without_any_protection() -> None:
    (fault,) = faults_of(rule, drop_feature(clean_site(), "controls", PROTECTION))
    assert fault.source.user_id == "IN-1"
    assert fault.measured is None


def test_at_the_limit_ten_feet_pass() -> None:
    assert passes(rule, set_geometry(clean_site(), "controls", PROTECTION, point(630, 350)))


def test_just_over_ten_feet_is_found() -> None:
    site = set_geometry(clean_site(), "controls", PROTECTION, point(630.1, 350))
    assert len(faults_of(rule, site)) == 1


@pytest.mark.parametrize(("kind", "found"), [("manhole", 0), ("endwall", 0), (None, 1)])
def test_only_what_takes_water_from_above_counts(kind: str | None, found: int) -> None:
    assert len(faults_of(rule, with_inlet(700, 400, kind))) == found


def test_found_downslope_beside_the_site_but_not_upslope() -> None:
    """The ground falls to the south; the site is 600 ft deep."""
    (fault,) = faults_of(rule, with_inlet(400, -40))
    assert "downslope of the site" in fault.message
    assert passes(rule, with_inlet(400, 640))
    assert passes(rule, with_inlet(400, -60)), "farther than the adjacent distance"


def test_a_person_says_which_way_it_lies_where_no_ground_is_known() -> None:
    said = run(rule, without(with_inlet(400, -40), "contours_existing"))
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "does it lie downslope?" in ask.question


def test_not_applicable_where_all_inlets_lie_far_off() -> None:
    site = set_geometry(clean_site(), "inlets", 0, point(400, -90))
    (said,) = run(rule, set_value(site, "inlets", 0, "kind", "inlet"))
    assert isinstance(said, NotApplicable)


def test_not_applicable_where_the_only_inlet_lies_beside_the_site_and_upslope() -> None:
    (said,) = run(rule, set_geometry(clean_site(), "inlets", 0, point(400, 640)))
    assert isinstance(said, NotApplicable)
    assert said.why.endswith("1 inlet beside it not downslope")
