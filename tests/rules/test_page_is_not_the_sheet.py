"""PLT002: the page is the sheet that the map was drawn for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.project import PlateWishes
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet as rule
from sitemap.rules.rule import NotApplicable, Skip
from tests.clean_site import clean_site, faults_of, passes, run, with_plate_wishes, with_project
from tests.measured_plates import clean_plate


def sized(width_in: float, height_in: float) -> MeasuredPlate:
    page = replace(clean_plate().pages[0], width_in=width_in, height_in=height_in)
    return replace(clean_plate(), pages=(page,))


def no_wish():
    return with_project(clean_site(), plate=PlateWishes(scale=50.0))


def test_passes_on_the_sheet_that_was_asked_for() -> None:
    assert passes(rule, clean_site(), clean_plate())


def test_passes_upright_and_on_any_known_sheet_where_none_was_asked_for() -> None:
    assert passes(rule, clean_site(), sized(24.0, 36.0))
    assert passes(rule, no_wish(), sized(17.0, 11.0))


def test_at_the_limit_two_hundredths_of_an_inch_pass() -> None:
    assert passes(rule, clean_site(), sized(36.0199, 23.9801))


def test_just_over_three_hundredths_are_found() -> None:
    (fault,) = faults_of(rule, clean_site(), sized(36.03, 24.0))
    assert fault.message == (
        "page 1 is 36.03 x 24 in, which is no known sheet: ARCH D enlarged to 100.1%"
    )
    assert (fault.measured.value, fault.limit.value, fault.limit.operator) == (36.03, 36.0, "==")


def test_found_a_sheet_shrunk_to_fit() -> None:
    """ARCH D on paper of 17 in width: 17/36."""
    (fault,) = faults_of(rule, clean_site(), sized(17.0, 11.3333))
    assert "ARCH D shrunk to 47.2%" in fault.message


def test_found_without_a_wish_by_the_proportions_alone() -> None:
    (fault,) = faults_of(rule, no_wish(), sized(34.2, 22.8))
    assert "no known sheet: ARCH D shrunk to 95.0%" in fault.message


def test_found_a_cropped_page() -> None:
    (fault,) = faults_of(rule, clean_site(), sized(30.0, 24.0))
    assert fault.message == (
        "page 1 is 30 x 24 in, which is no known sheet; site.toml asks for ARCH D"
    )
    (fault,) = faults_of(rule, no_wish(), sized(30.0, 24.0))
    assert (fault.limit, fault.message) == (None, "page 1 is 30 x 24 in, which is no known sheet")


def test_found_another_known_sheet_than_the_one_asked_for() -> None:
    (fault,) = faults_of(rule, clean_site(), sized(34.0, 22.0))
    assert fault.message == "page 1 is ANSI D, 34 x 22 in; site.toml asks for ARCH D"


def test_half_size_passes_only_where_it_is_said_to_be_submitted() -> None:
    (fault,) = faults_of(rule, clean_site(), sized(18.0, 12.0))
    assert "ARCH B, 18 x 12 in: ARCH D shrunk to 50.0%" in fault.message
    half = with_plate_wishes(clean_site(), half_size_submitted=True, sheet="ARCH D")
    assert passes(rule, half, sized(18.0, 12.0))


@pytest.mark.parametrize("framed", [True, False])
def test_letter_pages_beside_a_map_are_not_judged(framed: bool) -> None:
    plate = clean_plate()
    first = plate.pages[0] if framed else replace(plate.pages[0], frames=())
    both = replace(plate, pages=(first, PlatePage(2, 8.4, 11.0)))
    assert len(faults_of(rule, clean_site(), both)) == (0 if framed else 1)


def test_not_applicable_without_a_plate() -> None:
    assert isinstance(run(rule, clean_site())[0], NotApplicable)


def test_skipped_without_a_page() -> None:
    assert isinstance(run(rule, clean_site(), MeasuredPlate("x.pdf", ()))[0], Skip)
