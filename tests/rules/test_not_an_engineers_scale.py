"""SCL004: scales that are on the ruler."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.not_an_engineers_scale import not_an_engineers_scale as rule
from sitemap.rules.rule import Skip
from tests.clean_site import clean_site, faults_of, passes, run, with_plate_wishes
from tests.measured_plates import frame_of, plate_of

NO_CASE = {"not_applicable": "every known scale is on the ruler or not"}


@pytest.mark.parametrize("scale", [10, 20, 30, 40, 50, 60, 80, 100])
def test_passes_on_the_faces_of_the_ruler(scale: int) -> None:
    assert passes(rule, with_plate_wishes(clean_site(), scale=float(scale)))


@pytest.mark.parametrize("face", [10, 20, 30, 40, 50, 60, 80, 100])
@pytest.mark.parametrize("times", [1, 10])
def test_passes_a_page_measured_at_any_face_or_ten_times_it(face: int, times: int) -> None:
    """Read off a triangular scale: 10 to 60, the 40 face as 80, 100; whole sheets ten times."""
    plate = plate_of(frame_of(float(face * times)), stated=(float(face * times),))
    assert passes(rule, clean_site(), plate)


@pytest.mark.parametrize("feet", [25.0, 70.0, 90.0, 250.0, 700.0, 900.0, 1200.0])
def test_found_between_the_faces(feet: float) -> None:
    assert faults_of(rule, clean_site(), plate_of(frame_of(feet), stated=(feet,)))


def test_at_the_limit_a_measured_page_may_be_half_a_percent_off() -> None:
    assert passes(rule, clean_site(), plate_of(frame_of(50.2)))


def test_just_over_that_is_told() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(frame_of(50.4)))
    assert "1 in = 50 ft" in fault.how_to_fix


def test_found_forty_five_feet() -> None:
    (fault,) = faults_of(rule, with_plate_wishes(clean_site(), scale=45.0))
    assert fault.severity is Severity.INFO
    assert fault.measured.value == 45.0
    assert "on no engineer's scale" in fault.message


def test_skipped_when_no_scale_is_known() -> None:
    (said,) = run(rule, with_plate_wishes(clean_site(), scale="auto"))
    assert isinstance(said, Skip)
