"""SCL002: words against the page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.finding import Quantity
from sitemap.measured_plate import MeasuredPlate
from sitemap.rules.rule import NotApplicable, Skip
from sitemap.rules.stated_scale_disagrees_with_page import (
    stated_scale_disagrees_with_page as rule,
)
from tests.clean_site import clean_site, faults_of, passes, run, with_plate_wishes
from tests.measured_plates import clean_plate, frame_of, plate_of


def auto():
    return with_plate_wishes(clean_site(), scale="auto")


def test_passes_when_words_and_page_agree() -> None:
    assert passes(rule, clean_site(), clean_plate())


def test_passes_when_other_words_belong_to_an_inset() -> None:
    assert passes(rule, clean_site(), plate_of(frame_of(50.0), stated=(200.0, 50.0)))


def test_at_the_limit_half_a_percent_passes() -> None:
    assert passes(rule, auto(), plate_of(frame_of(50.2), stated=(50.0,)))


def test_just_over_half_a_percent_is_found() -> None:
    (fault,) = faults_of(rule, auto(), plate_of(frame_of(50.3), stated=(50.0,)))
    assert fault.measured.value == pytest.approx(50.3)
    assert (fault.limit.value, fault.limit.operator) == (50.0, "==")


def test_found_a_page_shrunk_to_fit() -> None:
    """34 x 22 in on 17 x 11 in: the words say 50, the page is 100."""
    (fault,) = faults_of(rule, auto(), plate_of(frame_of(100.0), stated=(50.0,)))
    assert "states 1 in = 50 ft, but the page itself is 100 feet per inch" in fault.message
    assert "50.0% of it" in fault.how_to_fix


def test_found_against_site_toml_too() -> None:
    faults = faults_of(rule, clean_site(), plate_of(frame_of(60.0), stated=(60.0,)))
    assert [f.distinct for f in faults] == ["page 1 should be, by site.toml,"]


def test_found_a_stretched_page() -> None:
    plate = plate_of(frame_of(50.0, anisotropy_ppm=8000.0))
    (fault,) = faults_of(rule, clean_site(), plate)
    assert (fault.measured.value, fault.limit.value) == (0.8, 0.5)


def test_not_applicable_without_a_plate() -> None:
    (said,) = run(rule, clean_site())
    assert isinstance(said, NotApplicable)


def test_skipped_when_the_plate_cannot_be_measured() -> None:
    (said,) = run(rule, clean_site(), plate_of(trouble=("page 1 has no georeference",)))
    assert isinstance(said, Skip)
    assert "no georeference" in said.why


def half_print() -> MeasuredPlate:
    """An ARCH D sheet at 50 ft, printed on 18 x 12 in: its words give both scales."""
    plate = plate_of(frame_of(100.0), stated=(50.0,))
    page = replace(plate.pages[0], width_in=18.0, height_in=12.0, stated_half_size=(100.0,))
    return replace(plate, pages=(page,))


def test_passes_a_half_size_print_that_is_handed_in_as_one() -> None:
    site = with_plate_wishes(clean_site(), half_size_submitted=True, scale=50.0)
    assert passes(rule, site, half_print())


def test_found_a_half_size_print_that_is_handed_in_as_the_plate() -> None:
    """Twice: its own words and site.toml say 50. The words name what was done to the sheet."""
    site = with_plate_wishes(clean_site(), half_size_submitted=False, scale=50.0)
    words, wish = faults_of(rule, site, half_print())
    assert words.measured == Quantity(100.0, "ft/in", 0.5)
    assert "(this one is 50.0% of ARCH D (half size))" in words.how_to_fix
    assert wish.distinct == "page 1 should be, by site.toml,"


def test_at_the_limit_a_stretch_of_half_a_percent_passes() -> None:
    assert passes(rule, clean_site(), plate_of(frame_of(50.0, anisotropy_ppm=5000.0)))
    assert faults_of(rule, clean_site(), plate_of(frame_of(50.0, anisotropy_ppm=5001.0)))
