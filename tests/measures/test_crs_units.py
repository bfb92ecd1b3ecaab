"""Units by name and by claimed code, over every registered system of the United States."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.crs import parse_crs
from sitemap.crs.registered import systems_around
from sitemap.measures.crs_units import claimed_code, contradicting_claims, unit_by_name
from sitemap.units import LengthUnit

PLACES = [
    (-89.4, 43.1),
    (-111.9, 33.4),
    (-78.6, 35.8),
    (-122.7, 45.5),
    (-149.9, 61.2),
    (-84.4, 33.7),
]


@pytest.mark.parametrize("place", PLACES)
def test_no_registered_system_contradicts_itself(place: tuple[float, float]) -> None:
    """Wisconsin, Arizona (ft), North Carolina (ftUS), Oregon (ft), Alaska, Georgia."""
    systems = systems_around(*place)
    assert len(systems) > 10
    assert [crs.name for crs in systems if contradicting_claims(crs)] == []


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("NAD83(2011) / Wisconsin South (ftUS)", {LengthUnit.US_SURVEY_FOOT}),
        ("NAD83 / Arizona East (ft)", {LengthUnit.FOOT}),
        ("NAD_1983_HARN_WISCRS_Green_County_Feet", {LengthUnit.FOOT, LengthUnit.US_SURVEY_FOOT}),
        ("NAD_1983_CORS96_StatePlane_Montana_FIPS_2500_Ft_Intl", {LengthUnit.FOOT}),
        ("NAD_1927_Michigan_GeoRef_Feet_US", {LengthUnit.US_SURVEY_FOOT}),
        ("NAD_1983_HARN_WISCRS_Adams_County_Meters", {LengthUnit.METRE}),
        ("NAD83 / UTM zone 16N", set()),
        ("Footville local grid", set()),
    ],
)
def test_names_tell_units(name: str, units: set[LengthUnit]) -> None:
    assert set(unit_by_name(name)) == units


@given(st.text(max_size=60))
def test_any_text_is_a_name(name: str) -> None:
    assert set(unit_by_name(name)) <= {
        LengthUnit.METRE, LengthUnit.FOOT, LengthUnit.US_SURVEY_FOOT,
    }  # fmt: skip


def test_the_code_of_the_definition_is_read_not_matched() -> None:
    assert claimed_code(parse_crs("EPSG:6609")) == "EPSG:6609"
    assert claimed_code(parse_crs("+proj=utm +zone=16 +datum=NAD83 +type=crs")) is None
