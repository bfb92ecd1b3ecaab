"""PLT005: capitals of 0.08 in, 0.06 in the margin."""

from __future__ import annotations

from dataclasses import replace

from sitemap.measured_plate import LetterSize, MeasuredPlate
from sitemap.rules.lettering_too_small import lettering_too_small as rule
from sitemap.rules.rule import Checked, NotApplicable, Skip
from tests.clean_site import clean_site, faults_of, passes, run
from tests.measured_plates import clean_plate


def lettered(*sizes: LetterSize) -> MeasuredPlate:
    plate = clean_plate()
    return replace(plate, pages=(replace(plate.pages[0], lettering=sizes),))


def size(cap_in: float, in_margin: bool = False, letters: int = 12) -> LetterSize:
    return LetterSize(cap_in, letters, "Silt fence", 10.0, 8.0, in_margin)


def test_passes_and_counts_the_letters() -> None:
    assert passes(rule, clean_site(), clean_plate())
    (checked,) = run(rule, clean_site(), clean_plate())
    assert isinstance(checked, Checked)
    assert checked.words == "page 1: 4040 letters, the smallest 0.06 in"


def test_at_the_limit_eight_hundredths_pass_and_six_in_the_margin() -> None:
    assert passes(rule, clean_site(), lettered(size(0.08), size(0.06, in_margin=True)))


def test_just_over_a_thousandth_less_is_found() -> None:
    (fault,) = faults_of(rule, clean_site(), lettered(size(0.079)))
    assert fault.message == (
        'page 1: 12 letters are 0.079 in high ("Silt fence", at 10.0 in from the left and 8.0 in '
        "from the bottom); at least 0.08 in are asked for"
    )
    assert (fault.measured.value, fault.limit.value, fault.limit.operator) == (0.079, 0.08, ">=")
    (fault,) = faults_of(rule, clean_site(), lettered(size(0.059, in_margin=True, letters=1)))
    assert "1 letter is 0.059 in high" in fault.message
    assert fault.limit.value == 0.06


def test_found_the_margins_size_inside_the_border() -> None:
    (fault,) = faults_of(rule, clean_site(), lettered(size(0.06), size(0.1)))
    assert fault.measured.value == 0.06


def test_found_once_for_each_height() -> None:
    faults = faults_of(rule, clean_site(), lettered(size(0.05), size(0.06), size(0.05, True)))
    assert [f.measured.value for f in faults] == [0.05, 0.06, 0.05]
    assert len({f.distinct for f in faults}) == 3


def test_not_applicable_without_a_plate() -> None:
    assert isinstance(run(rule, clean_site())[0], NotApplicable)


def test_skipped_when_no_lettering_can_be_read() -> None:
    (said,) = run(rule, clean_site(), lettered())
    assert isinstance(said, Skip)
    assert "only as lines" in said.why
