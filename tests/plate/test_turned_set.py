"""A set turned by 30 degrees, judged from its file by the rules that judge anyone's plate."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
import shapely

from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.printed_grid import edge_trouble, edges_of
from sitemap.ordinance import load_ordinance
from sitemap.plate.draw import DrawnPlate, draw_plates
from sitemap.rules.cells_unequal import cells_unequal
from sitemap.rules.feature_not_drawn import feature_not_drawn
from sitemap.rules.feet_per_inch_too_many import feet_per_inch_too_many
from sitemap.rules.grid_does_not_cover_map import grid_does_not_cover_map
from sitemap.rules.grid_missing import grid_missing
from sitemap.rules.labels_broken import labels_broken
from sitemap.rules.match_line_broken import match_line_broken
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet
from sitemap.rules.plate_not_measurable import plate_not_measurable
from sitemap.rules.rule import Rule
from sitemap.rules.site_does_not_fit_the_sheet import site_does_not_fit_the_sheet
from sitemap.rules.stated_scale_disagrees_with_page import stated_scale_disagrees_with_page
from tests.clean_site import NOW, faults_of, passes, with_plate_wishes
from tests.plate.long_sites import road_corridor

TURN_DEG = 30.0
SITE = with_plate_wishes(road_corridor(), sheet="ANSI B", rotation=TURN_DEG)
RULES = (
    feet_per_inch_too_many,
    stated_scale_disagrees_with_page,
    site_does_not_fit_the_sheet,
    grid_missing,
    grid_does_not_cover_map,
    labels_broken,
    cells_unequal,
    plate_not_measurable,
    page_is_not_the_sheet,
    feature_not_drawn,
    match_line_broken,
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("turned") / "road.pdf"
    return draw_plates(SITE, load_ordinance("muskego"), out, now=NOW)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_rules_of_the_plate_pass(rule: Rule, drawn: DrawnPlate) -> None:
    assert [f.message for f in faults_of(rule, SITE, drawn.measured)] == []
    assert passes(rule, SITE, drawn.measured)


def test_crosses_measure_the_scale_on_every_sheet(drawn: DrawnPlate) -> None:
    controls = [sheet.control for sheet in drawn.sheets if sheet.control is not None]
    assert len(controls) == len(drawn.measured.main_frames) >= 6
    assert max(c.error_ppm for c in controls) < 1.0
    assert max(c.worst_offset_in for c in controls) < 1e-4


def test_frames_lie_on_the_ground_turned_by_what_was_asked(drawn: DrawnPlate) -> None:
    """North points 30 degrees to the left: along the lower edge one goes 30 degrees south of east.

    The corners come through ten decimals of a degree, 0.00004 ft.
    """
    for _, frame in drawn.measured.main_frames:
        lower_left, upper_left, _, lower_right = np.array(frame.ground_ft)
        x, y = lower_right - lower_left
        assert np.rad2deg(np.arctan2(y, x)) == pytest.approx(-TURN_DEG, abs=1e-5)
        up = upper_left - lower_left
        assert np.dot(up, [x, y]) / (np.hypot(*up) * np.hypot(x, y)) == pytest.approx(0, abs=1e-6)
        left, _, right, _ = frame.box_in
        assert np.hypot(x, y) == pytest.approx((right - left) * 100.0, abs=0.001)


def test_letters_run_right_and_numbers_down_on_all_four_sides(drawn: DrawnPlate) -> None:
    for page, frame in drawn.measured.main_frames:
        edges = {edge.name: edge for edge in edges_of(page, frame)}
        assert set(edges) == {"top", "bottom", "left", "right"}
        assert [edge_trouble(edge) for edge in edges.values()] == [""] * 4
        assert all(label.isalpha() for label in edges["top"].labels)
        numbers = [int(label) for label in edges["left"].labels]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_sheet_ruled_by_another_grid_is_found(drawn: DrawnPlate) -> None:
    """The letters of one page moved on by one: its neighbour calls the same place otherwise."""
    page, _ = drawn.measured.main_frames[1]
    moved = tuple(replace(m, label=f"Q{m.label}") for m in page.grid_columns)
    pages = tuple(
        replace(one, grid_columns=moved) if one is page else one for one in drawn.measured.pages
    )
    wrong = replace(drawn.measured, pages=pages)
    assert isinstance(wrong, MeasuredPlate)
    messages = [f.message for f in faults_of(match_line_broken, SITE, wrong)]
    assert any(f"on sheet {page.label}" in words and "cell Q" in words for words in messages)


@pytest.mark.skipif(shutil.which("gdalinfo") is None, reason="gdalinfo is not installed")
def test_gdal_reads_the_corners_within_a_thousandth_of_a_foot(drawn: DrawnPlate) -> None:
    page, frame = drawn.measured.main_frames[0]
    run = subprocess.run(
        ["gdalinfo", "--config", "GDAL_PDF_DPI", "72", f"PDF:{page.number}:{drawn.path}"],
        capture_output=True, text=True, check=False, timeout=120,
        env={"PATH": os.environ["PATH"]},  # not where the libraries of our own wheels look
    )  # fmt: skip
    if run.returncode or "NEATLINE=" not in run.stdout:
        pytest.skip("this gdalinfo has no PDF reader")
    ring = shapely.from_wkt(run.stdout.split("NEATLINE=")[1].splitlines()[0])
    theirs = shapely.get_coordinates(ring)
    for corner in np.array(frame.ground_ft):
        assert np.hypot(*(theirs - corner).T).min() < 0.001
