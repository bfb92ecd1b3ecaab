"""PLT001: the plate can be opened and its map measured."""

from __future__ import annotations

from dataclasses import replace

from sitemap.finding import Severity
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.rules.plate_not_measurable import plate_not_measurable as rule
from sitemap.rules.rule import Checked, NotApplicable
from tests.clean_site import clean_site, faults_of, passes, run
from tests.measured_plates import clean_plate, frame_of, plate_of

NO_CASE = {"skipped": "a plate that cannot be measured is the fault itself"}


def test_passes_with_a_georeferenced_page_and_says_how() -> None:
    assert passes(rule, clean_site(), clean_plate())
    (checked,) = run(rule, clean_site(), clean_plate())
    assert isinstance(checked, Checked)
    assert checked.words == "page 1: by georeference"


def test_at_the_limit_a_calibration_is_enough() -> None:
    assert passes(rule, clean_site(), plate_of(frame_of(how="calibration", with_ground=False)))


def test_at_the_limit_pages_without_a_map_beside_one_with_it_are_no_fault() -> None:
    plate = clean_plate()
    title = PlatePage(2, 36.0, 24.0)
    words = ("page 2: it has neither georeference nor calibration",)
    assert passes(rule, clean_site(), replace(plate, pages=(*plate.pages, title), trouble=words))


def test_found_no_page_with_a_frame_is_a_warning() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(trouble=("page 1: it is a picture",)))
    assert fault.message == "no page of the plate can be measured: page 1: it is a picture"
    assert fault.severity is Severity.WARNING


def test_found_a_locked_file_is_an_error() -> None:
    locked = MeasuredPlate("x.pdf", (), trouble=("the file is locked by a password",))
    (fault,) = faults_of(rule, clean_site(), locked)
    assert fault.message == "the plate cannot be read: the file is locked by a password"
    assert fault.severity is Severity.ERROR


def test_just_over_what_is_odd_about_a_measured_page_is_a_warning_and_of_the_file_a_note() -> None:
    plate = plate_of(
        frame_of(), trouble=("page 1: the calibration names no unit", "the file was mended")
    )
    faults = faults_of(rule, clean_site(), plate)
    assert [f.severity for f in faults] == [Severity.WARNING, Severity.INFO]
    assert faults[0].message == ("the plate is measured, but page 1: the calibration names no unit")
    assert len({f.distinct for f in faults}) == 2


def test_not_applicable_without_a_plate() -> None:
    (said,) = run(rule, clean_site())
    assert isinstance(said, NotApplicable)
