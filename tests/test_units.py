"""Lengths, areas, scales: exact across units, both feet apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.units import Area, AreaUnit, Length, LengthUnit, MapScale, plain_number

FEET = st.floats(min_value=0.0, max_value=1e7, allow_nan=False)
UNITS = st.sampled_from(list(LengthUnit))


def test_a_quarter_mile_is_exactly_1320_feet() -> None:
    assert Length(0.25, LengthUnit.MILE) == Length(1320, LengthUnit.FOOT)
    assert Length(0.25, LengthUnit.MILE).feet == 1320.0


def test_the_two_feet_differ_by_two_parts_in_a_million() -> None:
    us, international = Length(1, LengthUnit.US_SURVEY_FOOT), Length(1, LengthUnit.FOOT)
    assert us > international
    assert us.feet == pytest.approx(1 + 2e-6, abs=1e-8)


def test_muskego_easting_moves_five_feet_when_the_feet_are_mixed() -> None:
    # regulation.md 6.2: 4.94 ft east at E 2,469,479.66
    easting = Length(2469479.66, LengthUnit.US_SURVEY_FOOT)
    assert easting.feet - 2469479.66 == pytest.approx(4.94, abs=0.005)


def test_units_are_recognised_by_their_metres_per_unit() -> None:
    assert LengthUnit.from_metres(0.3048) is LengthUnit.FOOT
    assert LengthUnit.from_metres(0.304800609601219) is LengthUnit.US_SURVEY_FOOT
    assert LengthUnit.from_metres(1.0) is LengthUnit.METRE
    assert LengthUnit.from_metres(0.9144) is None


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("ft", LengthUnit.FOOT),
        ("US survey foot", LengthUnit.US_SURVEY_FOOT),
        ("us_survey_foot", LengthUnit.US_SURVEY_FOOT),
        (" Metres ", LengthUnit.METRE),
        ('"', LengthUnit.INCH),
    ],
)
def test_unit_names_are_read(text: str, unit: LengthUnit) -> None:
    assert LengthUnit.parse(text) is unit


def test_an_unknown_unit_lists_what_is_accepted() -> None:
    with pytest.raises(ValueError, match=r"furlong.*accepted: .*foot.*metre"):
        LengthUnit.parse("furlong")
    with pytest.raises(ValueError, match=r"hectare.*accepted: .*acres"):
        AreaUnit.parse("hectare")


def test_limits_are_inclusive_at_exactly_the_number() -> None:
    assert not Length(5.0, LengthUnit.FOOT) > Length(60, LengthUnit.INCH)
    assert Length(5.02, LengthUnit.FOOT) > Length(5, LengthUnit.FOOT)
    assert not MapScale(100.0) > MapScale(100)
    assert MapScale(100.0) >= MapScale(100)


def test_feet_per_inch_double_at_half_size() -> None:
    assert MapScale(50).at_half_size() == MapScale(100)
    assert MapScale(60).at_half_size() > MapScale(100)
    assert MapScale(100).ratio == 1200


def test_an_acre_is_43560_square_feet() -> None:
    assert Area(1, AreaUnit.ACRE) == Area(43560, AreaUnit.SQUARE_FOOT)
    assert Area(25, AreaUnit.ACRE).to(AreaUnit.SQUARE_METRE) == pytest.approx(101171.41, abs=0.01)


@given(value=FEET, a=UNITS, b=UNITS)
def test_conversion_there_and_back_is_the_same_length(
    value: float, a: LengthUnit, b: LengthUnit
) -> None:
    back = Length(Length(value, a).to(b), b).to(a)
    assert back == pytest.approx(value, rel=1e-12, abs=1e-12)


@given(x=FEET, y=FEET, unit=UNITS)
def test_order_does_not_depend_on_the_unit(x: float, y: float, unit: LengthUnit) -> None:
    assert (Length(x, unit) < Length(y, unit)) == (x < y)


@given(scale=st.sampled_from([10, 20, 30, 40, 50, 60, 100]), ground=FEET)
def test_paper_and_ground_are_inverse(scale: float, ground: float) -> None:
    assert MapScale(scale).ground_ft(MapScale(scale).paper_in(ground)) == pytest.approx(ground)


@pytest.mark.parametrize(
    ("number", "text"),
    [(5.0, "5"), (2.5, "2.5"), (1320.0, "1,320"), (-0.0001, "0"), (0.1234, "0.123")],
)
def test_numbers_are_written_as_a_person_writes_them(number: float, text: str) -> None:
    assert plain_number(number) == text
