"""GRD002: over the entire site map (reading 8)."""

from __future__ import annotations

import pytest

from sitemap.rules.grid_does_not_cover_map import grid_does_not_cover_map as rule
from sitemap.rules.rule import NotApplicable, Skip
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    rectangle,
    replace_features,
    run,
    with_layer,
    without,
)
from tests.measured_plates import (
    LETTERS,
    NUMBERS,
    clean_plate,
    frame_of,
    marks_across,
    marks_down,
    plate_of,
)

GRIDLESS = without(clean_site(), "grid")


def one_cell(xmin: float, ymin: float, xmax: float, ymax: float):
    data = {"geometry": [rectangle(xmin, ymin, xmax, ymax)], "label": ["A1"]}
    return with_layer(clean_site(), "grid", data)


def test_passes_where_the_cells_cover_the_map() -> None:
    assert passes(rule, clean_site())


def test_passes_with_the_plates_marks() -> None:
    assert passes(rule, GRIDLESS, clean_plate())


def test_found_with_the_ground_that_has_no_cell() -> None:
    (fault,) = faults_of(rule, one_cell(0, 0, 800, 500))
    assert fault.geometry.equals(rectangle(0, 500, 800, 600))
    assert fault.measured.value == pytest.approx(800 * 100 / 43560, abs=1e-4)
    assert "1.84 of 11.0 acres" in fault.message


def test_found_where_one_cell_is_missing() -> None:
    site = replace_features(clean_site(), "grid", lambda f: f[f["label"] != "C3"])
    (fault,) = faults_of(rule, site)
    assert fault.geometry.area == pytest.approx(100 * 100, rel=1e-3)


def test_found_where_a_control_lies_beyond_the_grid() -> None:
    site = add_feature(clean_site(), "controls", point(950, 300), id="TP-2", type="TP")
    (fault,) = faults_of(rule, site)
    assert fault.geometry.area == pytest.approx(50 * 600, rel=1e-3)


def test_at_the_limit_a_strip_of_half_a_foot_is_left_out() -> None:
    assert passes(rule, one_cell(0, 0, 800, 599.51))


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, one_cell(0, 0, 800, 599.4))) == 1


def test_passes_where_cells_are_a_hair_apart() -> None:
    cells = [rectangle(0, 0, 400, 600), rectangle(400.3, 0, 800, 600)]
    site = with_layer(clean_site(), "grid", {"geometry": cells, "label": ["A1", "B1"]})
    assert passes(rule, site)


def test_passes_a_grid_of_lines() -> None:
    across = [line((x, 0), (x, 600)) for x in (0, 400, 800)]
    down = [line((0, y), (800, y)) for y in (0, 300, 600)]
    assert passes(rule, with_layer(clean_site(), "grid", {"geometry": across + down}))


def test_found_a_plate_whose_marks_stop_short() -> None:
    plate = plate_of(frame_of(), columns=marks_across(LETTERS[:9]), rows=marks_down(NUMBERS))
    faults = faults_of(rule, GRIDLESS, plate)
    assert [f.distinct for f in faults] == ["page 1 top", "page 1 bottom"]
    assert faults[0].measured.value == pytest.approx(4.0, abs=0.1)


def test_not_applicable_without_a_grid() -> None:
    (said,) = run(rule, GRIDLESS)
    assert isinstance(said, NotApplicable)


def test_skipped_when_the_lines_enclose_no_cell() -> None:
    (said,) = run(rule, with_layer(clean_site(), "grid", {"geometry": [line((0, 0), (800, 0))]}))
    assert isinstance(said, Skip)
