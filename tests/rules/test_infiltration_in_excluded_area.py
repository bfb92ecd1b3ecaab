"""INF001: water goes into ground that takes it."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.infiltration_in_excluded_area import infiltration_in_excluded_area as rule
from sitemap.rules.rule import Ask, Skip
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    point,
    rectangle,
    replace_features,
    run,
    set_geometry,
    set_value,
    with_layer,
    without,
)

NO_CASE = {
    "not_applicable": "infiltration areas declared none are the engine's to tell",
}


def at(xmin: float, ymin: float, xmax: float, ymax: float):
    return set_geometry(clean_site(), "infiltration", 0, rectangle(xmin, ymin, xmax, ymax))


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())
    assert rule.default_severity is Severity.WARNING


def test_found_in_a_wetland() -> None:
    (fault,) = faults_of(rule, at(540, 60, 600, 100))
    assert fault.message == "0.037 acres of infiltration area INF-1 lie in a wetland"
    assert fault.measured.value == pytest.approx(40 * 40 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(560, 60, 600, 100))


def test_found_in_the_floodway_but_not_in_the_fringe() -> None:
    (fault,) = faults_of(rule, at(100, 30, 200, 57))
    assert "in a floodway" in fault.message
    assert passes(rule, at(100, 46, 200, 57))


@pytest.mark.parametrize(("group", "found"), [("A", 0), ("C", 0), ("D", 1), ("B/D", 1)])
def test_found_on_soil_of_group_d(group: str, found: int) -> None:
    site = set_value(clean_site(), "soils", 0, "hydrologic_group", group)
    assert len(faults_of(rule, site)) == found


def test_found_in_a_pond() -> None:
    pond = {"geometry": [rectangle(150, 200, 200, 300)]}
    (fault,) = faults_of(rule, with_layer(clean_site(), "waterbodies", pond))
    assert "in a body of water" in fault.message


def test_at_the_limit_a_sliver_passes() -> None:
    assert passes(rule, at(500, 60, 560.49, 100))


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, at(500, 60, 560.6, 100))) == 1


def test_a_person_says_where_no_soils_are_known() -> None:
    for site in (
        without(clean_site(), "soils"),
        set_value(clean_site(), "soils", 0, "hydrologic_group", None),
    ):
        (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
        assert "0.6 inch of water per hour" in ask.question


def test_a_person_says_where_the_soils_do_not_reach() -> None:
    """A soil over the western half of the area, 200 to 300 ft east, and none beyond."""
    site = at(200, 250, 300, 300)
    site = set_geometry(site, "soils", 0, rectangle(0, 0, 250, 600))
    site = replace_features(site, "soils", lambda frame: frame.iloc[:1])
    (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert ask.question.startswith("0.06 acres of the infiltration areas lie on no soil")
    assert ask.geometry.equals(rectangle(250, 250, 300, 300))


def test_found_a_basin_that_is_drawn_as_a_point() -> None:
    (fault,) = faults_of(rule, set_geometry(clean_site(), "infiltration", 0, point(600, 80)))
    assert fault.message == "infiltration area INF-1 lies in a wetland"
    assert fault.measured is None


@pytest.mark.parametrize("role", ["wetlands", "floodplain"])
def test_skipped_while_what_excludes_is_not_known(role: str) -> None:
    empty = replace_features(clean_site(), role, lambda f: f.set_geometry([None] * len(f)))
    for site in (without(clean_site(), role), empty):
        (said,) = [s for s in run(rule, site) if isinstance(s, Skip)]
        assert said.why.startswith(f"{role} neither drawn nor declared none")
        assert not passes(rule, site)
