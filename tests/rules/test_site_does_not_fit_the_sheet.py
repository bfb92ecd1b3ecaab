"""SCL005: 800 x 600 ft of ground on several sheets."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from sitemap.finding import Severity
from sitemap.measures.sheets import frame_box
from sitemap.rules.rule import Ask, NotApplicable, Skip
from sitemap.rules.site_does_not_fit_the_sheet import site_does_not_fit_the_sheet as rule
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    rectangle,
    run,
    set_geometry,
    with_plate_wishes,
    with_project,
    without,
)
from tests.measured_plates import clean_plate, frame_of, plate_of


def sheet(name: str, scale: float | str = 50.0, **more: float | str):
    site = with_plate_wishes(clean_site(), sheet=name, scale=scale, **more)
    return with_project(site, path=Path("site.toml"))


def test_passes_on_arch_d() -> None:
    assert passes(rule, clean_site())


def test_passes_on_the_plate_that_shows_all() -> None:
    assert passes(rule, clean_site(), clean_plate())


def test_at_the_limit_ground_as_large_as_the_frame_passes() -> None:
    left, bottom, right, top = frame_box("ANSI B")
    # the 50 ft that count as adjacent lie around the boundary on every side
    width, height = (right - left) * 100.0 - 100.0, (top - bottom) * 100.0 - 100.0
    site = sheet("ANSI B", 100.0)
    for role in ("disturbance", "controls", "discharges"):
        site = without(site, role)
    site = set_geometry(site, "boundary", 0, rectangle(0, 0, width, height))
    assert passes(rule, site)
    site = set_geometry(site, "boundary", 0, rectangle(0, 0, width + 1, height))
    (fault,) = faults_of(rule, site)
    assert "ANSI B" in fault.message


def test_just_over_with_a_margin_the_site_no_longer_fits() -> None:
    left, _, right, _ = frame_box("ARCH D")
    spare = (right - left) * 50.0 - 800.0
    assert passes(rule, sheet("ARCH D", margin_ft=spare / 2.0 - 100.0))
    (fault,) = faults_of(rule, sheet("ARCH D", margin_ft=spare / 2.0 + 0.5))
    assert fault.measured.value == pytest.approx(right - left, abs=0.05)


def test_the_ground_is_turned_as_the_plate_would_turn_it() -> None:
    left, bottom, right, top = frame_box("ARCH D")
    # as high as the frame is wide, with the 50 ft around it: only north left or right holds it
    wide, high = (top - bottom) * 50.0 - 100.0, (right - left) * 50.0 - 100.0
    ground = rectangle(0, 0, wide, high)

    def tall(**more: float | str):
        site = sheet("ARCH D", 50.0, **more)
        for role in ("disturbance", "controls", "discharges"):
            site = without(site, role)
        return set_geometry(site, "boundary", 0, ground)

    assert passes(rule, tall(rotation="auto"))
    assert passes(rule, tall(rotation=-90.0))
    (fault,) = faults_of(rule, tall(rotation="up"))
    assert fault.measured.value == pytest.approx(right - left, abs=0.01)
    (fault,) = faults_of(rule, tall(rotation=180.0))
    assert "north lies down" in fault.message
    left, bottom, right, top = ground.bounds
    wanted = shapely.box(left - 50, bottom - 50, right + 50, top + 50)
    assert fault.geometry.symmetric_difference(wanted).area < 1.0
    (fault,) = faults_of(rule, tall(rotation=45.0))
    side = (wide + high) / 2.0**0.5 + 100.0  # of the square around a rectangle that lies askew
    assert fault.measured.value == pytest.approx(side / 50.0, abs=0.01)


def test_found_names_the_sheets_that_hold_it() -> None:
    (fault,) = faults_of(rule, sheet("ANSI A", 50.0))
    assert "900 x 700 ft" in fault.message  # 800 by 600 ft and 50 ft around
    assert fault.how_to_fix.startswith("at 1 in = 50 ft these sheets hold it: ")
    assert "ARCH D" in fault.how_to_fix
    assert "ANSI A" not in fault.how_to_fix.partition(";")[0]
    left, bottom, right, top = clean_site().boundary.bounds
    wanted = shapely.box(left - 50, bottom - 50, right + 50, top + 50)
    assert fault.geometry.equals_exact(wanted, 0.001)  # 50 ft are 49.9999 U.S. survey feet
    assert fault.severity is Severity.INFO


def test_found_when_no_scale_fits_the_sheet() -> None:
    (fault,) = faults_of(rule, sheet("ANSI A", "auto"))
    assert "at 1 in = 100 ft" in fault.message


def test_found_what_lies_outside_the_plates_frame() -> None:
    plate = plate_of(frame_of(50.0, corner_ft=(100.0, -150.0)))
    (fault,) = faults_of(rule, clean_site(), plate)
    assert fault.role == "boundary"
    assert fault.geometry.area == pytest.approx(99.5 * 600.0, rel=1e-6)


def test_a_plate_without_ground_needs_a_person() -> None:
    (said,) = run(rule, clean_site(), plate_of(frame_of(with_ground=False)))
    assert isinstance(said, Ask)


def test_a_plate_in_another_feet_crs_is_brought_into_the_sites() -> None:
    """NAD83 instead of NAD83(2011) in the same zone: feet apart, not miles."""
    assert passes(rule, clean_site(), plate_of(frame_of(epsg=2289)))


def test_not_applicable_when_no_sheet_is_asked_for() -> None:
    (said,) = run(rule, with_plate_wishes(clean_site(), scale="auto"))
    assert isinstance(said, NotApplicable)


def test_skipped_for_a_sheet_that_nobody_makes() -> None:
    (said,) = run(rule, sheet("ARCH Q"))
    assert isinstance(said, Skip)
    assert "ARCH Q" in said.why
