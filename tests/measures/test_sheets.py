"""Sheets: names, how they are divided, what fits."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.errors import UsageError
from sitemap.measures.sheets import (
    ENGINEERS_SCALES,
    PAPER_IN,
    fit_scale,
    fits,
    frame_box,
    half_size_of,
    parse_sheet,
    sheet_layout,
    sheet_of_size,
    sheets_that_fit,
)
from sitemap.units import MapScale


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ARCH D", "ARCH D"),
        ("arch d", "ARCH D"),
        ("ANSI_D", "ANSI D"),
        ("ansi-e", "ANSI E"),
        ("archE1", "ARCH E1"),
        ("24x36", "ARCH D"),
        ("36 x 24 in", "ARCH D"),
        ('34" x 22"', "ANSI D"),
        ("8.5X11", "ANSI A"),
        ("11×17", "ANSI B"),
        ("tabloid", "ANSI B"),
    ],
)
def test_names_a_person_types(text, name):
    assert parse_sheet(text) == name


@pytest.mark.parametrize("text", ["", "D", "A4", "25x36", "ARCH Z"])
def test_unknown_sheet_lists_what_is_accepted(text):
    with pytest.raises(UsageError, match=r"ARCH D \(24x36\)"):
        parse_sheet(text)


def test_a_page_of_another_size_has_no_name():
    assert sheet_of_size(24, 36) == "ARCH D"
    assert sheet_of_size(26.2, 20.2) is None


@pytest.mark.parametrize(
    ("sheet", "half"),
    [
        ("ARCH D", "ARCH B"),
        ("ANSI D", "ANSI B"),
        ("ARCH E", "ARCH C"),
        ("ANSI C", "ANSI A"),
        ("ARCH E1", None),  # 15 x 21 is no sheet
        ("ANSI A", None),
    ],
)
def test_half_size_partner(sheet, half):
    assert half_size_of(sheet) == half


@pytest.mark.parametrize("sheet", PAPER_IN)
def test_boxes_lie_in_the_border_and_do_not_overlap(sheet):
    layout = sheet_layout(sheet)
    assert layout.border[0] >= 0.25
    assert layout.border[2] <= layout.width_in - 0.25
    lettered = (
        layout.frame[0] - layout.lettering_in,
        layout.frame[1] - layout.lettering_in,
        layout.frame[2] + layout.lettering_in,
        layout.frame[3] + layout.lettering_in,
    )
    boxes = [lettered, layout.right_column, layout.bottom_strip, layout.title_block]
    for box in boxes:
        assert box[0] < box[2]
        assert box[1] < box[3]
        assert min(box[0] - layout.border[0], box[1] - layout.border[1]) > 0
        assert min(layout.border[2] - box[2], layout.border[3] - box[3]) > 0
    for a, b in combinations(boxes, 2):
        apart = max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3])
        assert apart > layout.gap_in - 1e-9
    # equal white space between neighbours
    map_, column, strip, title = boxes
    assert column[0] - map_[2] == pytest.approx(layout.gap_in)
    assert title[0] - strip[2] == pytest.approx(layout.gap_in)
    assert map_[1] - strip[3] == pytest.approx(layout.gap_in)
    assert column[1] - title[3] == pytest.approx(layout.gap_in)
    assert layout.title_block[::2] == layout.right_column[::2]  # they share edges


@pytest.mark.parametrize("sheet", PAPER_IN)
def test_the_map_takes_most_of_the_sheet(sheet):
    left, bottom, right, top = frame_box(sheet)
    width, height = PAPER_IN[sheet]
    assert (right - left) * (top - bottom) > 0.45 * width * height
    assert right - left > top - bottom  # a landscape frame on a landscape sheet


def test_binding_edge_and_columns_of_the_house():
    assert sheet_layout("ARCH D").border == (1.0, 0.5, 35.5, 23.5)
    for sheet, wide in (("ARCH D", 6.5), ("ARCH E", 6.5), ("ANSI D", 6.5), ("ANSI B", 3.6)):
        column = sheet_layout(sheet).right_column
        assert column[2] - column[0] == pytest.approx(wide)


def test_exact_fit_is_a_fit_and_a_hair_more_is_not():
    left, bottom, right, top = frame_box("ARCH D")
    width, height = (right - left) * 50, (top - bottom) * 50
    assert fit_scale(width, height, "ARCH D") == MapScale(50)
    assert fit_scale(width + 0.01, height, "ARCH D") == MapScale(60)
    assert fit_scale(width, height, "ARCH D", margin_in=0.5) == MapScale(60)


def test_nothing_is_ever_drawn_beyond_a_hundred_feet_per_inch():
    assert fit_scale(50_000, 100, "ARCH E") is None
    assert sheets_that_fit(50_000, 100, MapScale(100)) == ()


def test_sheets_that_fit_come_smallest_first_and_respect_the_limit():
    sheets = sheets_that_fit(1200, 1000, MapScale(60))
    assert sheets
    areas = [PAPER_IN[s][0] * PAPER_IN[s][1] for s in sheets]
    assert areas == sorted(areas)
    for sheet in PAPER_IN:
        assert (sheet in sheets) == fits(1200, 1000, sheet, MapScale(60))


@given(
    width=st.floats(1, 6000),
    height=st.floats(1, 6000),
    sheet=st.sampled_from(sorted(PAPER_IN)),
)
def test_fit_scale_is_the_largest_that_holds_the_ground(width, height, sheet):
    scale = fit_scale(width, height, sheet)
    holds = [s for s in ENGINEERS_SCALES if fits(width, height, sheet, MapScale(s))]
    assert scale == (MapScale(holds[0]) if holds else None)
