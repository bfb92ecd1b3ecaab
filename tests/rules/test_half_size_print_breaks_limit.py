"""SCL003: the print at half length."""

from __future__ import annotations

from sitemap.finding import Severity
from sitemap.rules.half_size_print_breaks_limit import half_size_print_breaks_limit as rule
from sitemap.rules.rule import NotApplicable, Skip
from tests.clean_site import clean_site, faults_of, passes, run, with_plate_wishes
from tests.measured_plates import clean_plate, frame_of, plate_of


def test_passes_at_forty_feet() -> None:
    assert passes(rule, with_plate_wishes(clean_site(), scale=40.0))


def test_at_the_limit_fifty_feet_become_one_hundred() -> None:
    assert passes(rule, clean_site())
    assert passes(rule, clean_site(), clean_plate())


def test_just_over_sixty_feet_become_one_hundred_and_twenty() -> None:
    (fault,) = faults_of(rule, with_plate_wishes(clean_site(), scale=60.0))
    assert fault.severity is Severity.INFO
    assert (fault.measured.value, fault.limit.value) == (120.0, 100.0)
    assert "1 in = 50 ft" in fault.how_to_fix


def test_found_on_the_measured_plate_whatever_site_toml_says() -> None:
    (fault,) = faults_of(rule, clean_site(), plate_of(frame_of(100.0)))
    assert "1 in = 200 ft (page 1, georeference)" in fault.message


def test_not_applicable_where_half_size_is_what_is_submitted() -> None:
    (said,) = run(rule, with_plate_wishes(clean_site(), half_size_submitted=True, scale=60.0))
    assert isinstance(said, NotApplicable)


def test_skipped_when_no_scale_is_known() -> None:
    (said,) = run(rule, with_plate_wishes(clean_site(), scale="auto"))
    assert isinstance(said, Skip)
