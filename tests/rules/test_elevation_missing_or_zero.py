"""CON003: contours without their height."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.contours_too_far_apart import contours_too_far_apart
from sitemap.rules.elevation_missing_or_zero import elevation_missing_or_zero as rule
from sitemap.rules.rule import Ask, Checked, Skip
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    replace_features,
    run,
    set_geometry,
    set_value,
    without,
)
from tests.intake.makers import X0, Y0, frame, write

NO_CASE = {
    "not_applicable": "a map without existing contours is SUB001's; the engine skips",
    "skipped": "the engine skips when no contour has a geometry",
}


def with_elevations(change):
    def apply(frame):
        frame["elevation"] = change(frame["elevation"])
        return frame

    return replace_features(clean_site(), "contours_existing", apply)


def test_passes_with_all_elevations() -> None:
    assert passes(rule, clean_site())


def test_found_one_missing() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "contours_existing", 4, "elevation", None))
    assert fault.message == "1 of 19 contours existing have no elevation (record 4)"
    assert fault.source.feature == 4
    assert fault.field_name == "elevation"


def test_found_zero_among_eight_hundreds() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "contours_existing", 0, "elevation", 0.0))
    assert "elevation 0 among 800 to 834 ft" in fault.message


def test_found_missing_and_zero_are_told_apart() -> None:
    site = set_value(clean_site(), "contours_existing", 0, "elevation", 0.0)
    faults = faults_of(rule, set_value(site, "contours_existing", 1, "elevation", np.inf))
    assert [f.distinct for f in faults] == ["missing", "zero"]


def test_found_a_layer_of_zeros_is_one_finding() -> None:
    (fault,) = faults_of(rule, with_elevations(lambda e: e * 0.0))
    assert fault.message.startswith("all 19 contours existing have the elevation 0")
    assert fault.measured.value == 19


def test_found_a_layer_without_elevations_is_one_finding() -> None:
    (fault,) = faults_of(rule, with_elevations(lambda e: e * np.nan))
    assert fault.message.startswith("none of the 19 contours existing has an elevation")


def test_found_in_proposed_contours_too() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "contours_proposed", 0, "elevation", None))
    assert fault.role == "contours_proposed"


@pytest.mark.parametrize(("first", "unit_ft"), [(1, 1.0), (0, 1.0), (1, 1 / 0.3048)])
def test_a_person_says_whether_numbers_that_count_the_records_are_elevations(
    first: int, unit_ft: float
) -> None:
    site = with_elevations(lambda e: (first + np.arange(len(e))) * unit_ft)
    (checked, asked) = run(rule, without(site, "contours_proposed"))
    assert isinstance(checked, Checked)
    assert isinstance(asked, Ask)
    assert "as numbers of records do" in asked.question
    (said,) = run(contours_too_far_apart, without(site, "contours_proposed"))
    assert isinstance(said, Skip), "no interval is measured on the numbers of records"


def test_passes_low_levels_that_do_not_count_the_records() -> None:
    """A beach: 1 to 19 ft, but two lines of one level, or not in the order of the records."""
    twice = with_elevations(lambda e: np.maximum(1.0, np.arange(len(e))))
    assert passes(rule, twice)
    assert passes(rule, with_elevations(lambda e: np.arange(len(e), 0.0, -1.0)))
    assert passes(rule, with_elevations(lambda e: 2.0 * np.arange(len(e))))


def test_at_the_limit_zero_on_a_coast_is_right() -> None:
    """Levels -2, 0, 2 ... : zero is one step from its neighbours."""
    assert passes(rule, with_elevations(lambda e: e - 800.0))


def test_just_over_five_usual_steps_from_the_others_zero_is_wrong() -> None:
    """19 levels 2 ft apart; the lowest becomes 0, the next stands at 10 and then at 12."""
    at_ten = with_elevations(lambda e: (e - 790.0).where(e > 798, 0.0))
    assert passes(rule, at_ten)
    at_twelve = with_elevations(lambda e: (e - 788.0).where(e > 798, 0.0))
    assert len(faults_of(rule, at_twelve)) == 1


def test_passes_a_line_without_geometry_is_another_rules() -> None:
    site = set_value(clean_site(), "contours_existing", 4, "elevation", None)
    assert passes(rule, set_geometry(site, "contours_existing", 4, None))


def test_found_as_a_warning_where_the_coordinates_hold_what_the_field_does_not(
    tmp_path: Path,
) -> None:
    lines = [shapely.LineString([(X0, Y0 + z, z), (X0 + 500, Y0 + z, z)]) for z in (842, 844, 846)]
    write(frame(lines, ELEV=[0.0, 0.0, 0.0]), tmp_path / "existing_contours.shp")
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert fault.severity is Severity.WARNING
    assert "taken are the Z of the coordinates, 842 to 846" in fault.message
