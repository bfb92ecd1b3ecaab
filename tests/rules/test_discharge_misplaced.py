"""HYD003: the point, the distance and the water, held against the flow."""

from __future__ import annotations

import pytest

from sitemap.rules.discharge_misplaced import discharge_misplaced as rule
from sitemap.rules.rule import Ask, Fault, NotApplicable, Skip
from sitemap.units import Length, LengthUnit
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    point,
    run,
    set_geometry,
    set_value,
    without,
)

FAR = set_geometry(clean_site(), "discharges", 0, point(600, 25))


def faults_within(tolerance_ft: float) -> int:
    """How many faults there are under another tolerance of places and distances."""
    tolerance = Length(tolerance_ft, LengthUnit.US_SURVEY_FOOT)
    said = run(rule, FAR, downstream_tolerance=tolerance, downstream_tolerance_pct=0.0)
    return len([s for s in said if hasattr(s, "how_to_fix")])


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_away_from_where_the_flow_enters() -> None:
    (fault,) = faults_of(rule, FAR)
    assert fault.message.startswith("DP-1 lies ")
    assert fault.message.endswith(" from where water from OF-1 enters Tess Corners Creek")
    assert 30 < fault.measured.value < 68  # its line is 68 ft away, the corridor is wide
    assert (fault.limit.value, fault.limit.unit) == (20.0, "ft")


def test_at_the_limit_it_passes_and_just_over_it_is_found() -> None:
    (fault,) = faults_of(rule, FAR)
    assert faults_within(fault.measured.value + 0.06) == 0
    assert faults_within(fault.measured.value - 0.06) == 1


def test_just_over_the_tolerance_of_the_distance() -> None:
    """The realisations span 127 to 134 ft or so; 20 ft more are allowed on either side."""
    assert passes(rule, set_value(clean_site(), "discharges", 0, "distance_ft", 145.0))
    (fault,) = faults_of(rule, set_value(clean_site(), "discharges", 0, "distance_ft", 175.0))
    assert fault.field_name == "distance_ft"
    assert fault.message.startswith("DP-1 states 175 ft from OF-1 to Tess Corners Creek; along")


def test_found_where_the_flow_never_comes() -> None:
    site = set_value(clean_site(), "discharges", 0, "receiving_water", "Wetland W-1")
    (fault,) = faults_of(rule, site)
    assert fault.message == (
        "DP-1 says that water from OF-1 enters wetland W-1; followed 1,320 ft downstream it does "
        "not come there"
    )


def test_a_person_is_asked_where_the_data_end_before_any_water() -> None:
    """Without the creek the ground is known for some 250 ft, and the wetland lies elsewhere."""
    site = set_value(
        without(clean_site(), "streams"), "discharges", 0, "receiving_water", "Wetland W-1"
    )
    said = run(rule, site)
    assert [s for s in said if isinstance(s, Fault)] == []
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert ask.question.startswith("DP-1 says that water from OF-1 enters wetland W-1; the data ")
    assert "of 1,320 ft, before any water is met (HYD004)" in ask.question


@pytest.mark.parametrize("words", ["Tess Corners Creek (perennial)", "TESS CORNERS CREEK", None])
def test_the_water_is_known_by_its_name_or_its_place(words: str | None) -> None:
    assert passes(rule, set_value(clean_site(), "discharges", 0, "receiving_water", words))


def test_not_applicable_without_an_outfall_to_follow() -> None:
    (said,) = run(rule, without(clean_site(), "outfalls"))
    assert isinstance(said, NotApplicable)


def test_skipped_without_elevation_where_no_reach_is_touched() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)
