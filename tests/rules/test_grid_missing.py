"""GRD001: an alphanumeric grid."""

from __future__ import annotations

from sitemap.rules.grid_missing import grid_missing as rule
from sitemap.rules.rule import Ask
from tests.clean_site import clean_site, faults_of, passes, run, without
from tests.measured_plates import clean_plate, frame_of, marks_across, plate_of

NO_CASE = {
    "at_the_limit": "a grid is there or not",
    "just_over": "a grid is there or not",
    "not_applicable": "every map needs a grid",
    "skipped": "nothing keeps it from looking",
}
GRIDLESS = without(clean_site(), "grid")


def test_passes_with_a_grid_layer() -> None:
    assert passes(rule, clean_site())


def test_passes_with_the_plates_own_grid() -> None:
    assert passes(rule, GRIDLESS, clean_plate())


def test_found_without_either_and_says_who_draws_it() -> None:
    (fault,) = faults_of(rule, GRIDLESS)
    assert "sitemap plate" in fault.how_to_fix
    assert fault.role == "grid"


def test_found_on_a_plate_that_has_no_marks() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(frame_of(), columns=(), rows=()))
    assert fault.message == "page 1 of the plate has no grid references across or down"


def test_found_on_a_plate_with_letters_only() -> None:
    plate = plate_of(frame_of(), columns=marks_across(["A", "B"]), rows=())
    (fault,) = faults_of(rule, GRIDLESS, plate)
    assert fault.message.endswith("no grid references down")


def test_a_plate_that_cannot_be_read_needs_a_person() -> None:
    (ask,) = run(rule, GRIDLESS, plate_of(trouble=("page 1 is a picture",)))
    assert isinstance(ask, Ask)
