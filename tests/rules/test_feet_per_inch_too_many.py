"""SCL001: not greater than 100 feet per inch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap.rules.feet_per_inch_too_many import feet_per_inch_too_many as rule
from sitemap.rules.rule import Ask, Checked, Fault, Skip
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    run,
    with_plate_wishes,
    with_project,
)
from tests.measured_plates import clean_plate, frame_of, plate_of

NO_CASE = {"not_applicable": "every map has a scale"}


def auto(sheet: str, path: Path | None = Path("site.toml")):
    site = with_plate_wishes(clean_site(), scale="auto", sheet=sheet)
    return with_project(site, path=path)


def test_passes_with_a_plate_of_fifty_feet() -> None:
    assert passes(rule, clean_site(), clean_plate())


def test_passes_by_the_stated_scale_and_says_that_it_was_not_measured() -> None:
    assert passes(rule, clean_site())
    (checked,) = run(rule, clean_site())
    assert "stated, not measured" in checked.words


def test_passes_by_the_scale_that_the_sheet_allows() -> None:
    (checked,) = run(rule, auto("ARCH D"))
    assert isinstance(checked, Checked)
    assert "computed for ARCH D, not measured" in checked.words


def test_at_the_limit_exactly_one_hundred_passes() -> None:
    assert passes(rule, clean_site(), plate_of(frame_of(100.0)))
    assert passes(rule, with_plate_wishes(clean_site(), scale=100.0))


def test_at_the_limit_within_the_tolerance_of_a_measured_page_a_person_decides() -> None:
    said = run(rule, clean_site(), plate_of(frame_of(100.3)))
    assert [type(s) for s in said] == [Checked, Ask]
    assert "100.3 feet per inch" in said[1].question


def test_just_over_the_tolerance_is_found() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(frame_of(100.6)))
    assert fault.measured.value == pytest.approx(100.6)
    assert fault.measured.tolerance == pytest.approx(0.503)
    assert (fault.limit.value, fault.limit.operator) == (100.0, "<=")


def test_just_over_a_stated_scale_has_no_tolerance() -> None:
    (fault,) = faults_of(rule, with_plate_wishes(clean_site(), scale=100.2))
    assert fault.measured.tolerance is None


@pytest.mark.parametrize(("feet", "asks"), [(30.0, False), (30.6, True), (100.0, True)])
def test_a_unit_that_was_only_taken_is_asked_where_metres_would_be_too_many(
    feet: float, asks: bool
) -> None:
    """30 m are 98.4 ft, 30.6 m are 100.4 ft. Words that state a scale settle it."""
    frame = replace(frame_of(feet, how="calibration", with_ground=False), unit_taken=True)
    bare = plate_of(frame)
    bare = replace(bare, pages=(replace(bare.pages[0], stated_feet_per_inch=()),))
    asked = [s for s in run(rule, clean_site(), bare) if isinstance(s, Ask)]
    assert bool(asked) is asks
    if asks:
        assert "nothing names the unit of its ground" in asked[0].question
    settled = replace(bare, pages=(replace(bare.pages[0], stated_feet_per_inch=(feet,)),))
    assert passes(rule, clean_site(), settled)


def test_found_two_hundred_feet() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(frame_of(200.0)))
    assert "1 in = 200 ft (page 1, georeference)" in fault.message
    assert "at most 100 feet per inch" in fault.message


def test_found_half_size_prints_are_judged_at_their_size() -> None:
    """Reading 12: 60 feet become 120; 50 become 100, which passes."""
    half = with_plate_wishes(clean_site(), half_size_submitted=True)
    (fault,) = faults_of(rule, half, plate_of(frame_of(60.0)))
    assert fault.measured.value == 120.0
    assert "at half size" in fault.message
    assert passes(rule, half, clean_plate())


def test_found_on_one_page_of_two() -> None:
    first = clean_plate().pages[0]
    second = replace(first, number=2, frames=(frame_of(120.0),))
    (fault,) = faults_of(rule, clean_site(), replace(clean_plate(), pages=(first, second)))
    assert "page 2" in fault.message


def test_a_page_without_georeference_is_judged_by_its_words_and_a_person() -> None:
    said = run(rule, clean_site(), plate_of())
    assert [type(s) for s in said] == [Checked, Ask]
    assert "carries neither georeference nor a graphic bar" in said[1].question
    (fault,) = [
        s for s in run(rule, clean_site(), plate_of(stated=(200.0,))) if isinstance(s, Fault)
    ]
    assert "in words only" in fault.message


def test_a_page_that_says_nothing_needs_a_person() -> None:
    (ask,) = run(rule, clean_site(), plate_of(stated=(), trouble=("page 1 is a picture",)))
    assert isinstance(ask, Ask)
    assert "page 1 is a picture" in ask.question


def test_skipped_when_no_scale_holds_the_site_on_the_sheet() -> None:
    (skip,) = run(rule, auto("ANSI A"))
    assert isinstance(skip, Skip)
    assert "SCL005" in skip.why


def test_with_neither_plate_nor_site_toml_a_person_decides() -> None:
    (ask,) = run(rule, auto("ARCH D", path=None))
    assert isinstance(ask, Ask)
    assert "--plate" in ask.question
