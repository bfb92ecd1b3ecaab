"""PLT006: a feature that crosses a match line is on both sheets, under one reference."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely

from sitemap.measured_plate import MeasuredPlate, PlatePage, TracedLayer
from sitemap.measures.grid import column_letters
from sitemap.rules.match_line_broken import match_line_broken as rule
from sitemap.rules.rule import Checked, NotApplicable, Skip
from sitemap.site import Site
from tests.clean_ground import line, point
from tests.clean_site import clean_site, faults_of, passes, run, the_catalogue, with_layer
from tests.measured_plates import NUMBERS, clean_plate, frame_of, marks_across, marks_down, traced

SCALE = 50.0
# frames of 1,100 ft: the strip from 400 to 500 ft is on both
WEST_FT, EAST_FT = (-600.0, -150.0), (400.0, -150.0)
FENCE = line((200, 206), (700, 206))
TITLE = the_catalogue()["controls"].title


def page(number: int, corner: tuple[float, float], first: int, label: str) -> PlatePage:
    letters = [column_letters(first + i) for i in range(11)]
    return PlatePage(
        number, 36.0, 24.0, (frame_of(SCALE, corner_ft=corner),),
        grid_columns=marks_across(letters), grid_rows=marks_down(NUMBERS), label=label,
    )  # fmt: skip


def two_sheets(
    *traces: TracedLayer, first_of_east: int = 10, corner: tuple[float, float] = EAST_FT
) -> MeasuredPlate:
    pages = (page(1, WEST_FT, 0, "C-502"), page(2, corner, first_of_east, "C-503"))
    return MeasuredPlate("set.pdf", pages, layers=(TITLE,), tracer=lambda _: traces)


def fenced(shape: shapely.Geometry = FENCE) -> Site:
    site = with_layer(
        clean_site(), "controls", {"geometry": [shape], "id": ["SF-1"], "type": ["SF"]}
    )
    return replace(site, layers={"controls": site.layers["controls"]})


def drawn(number: int, shape: shapely.Geometry = FENCE) -> TracedLayer:
    return replace(traced(TITLE, [shape]), page=number)


def test_passes_when_both_sheets_draw_it_in_one_cell() -> None:
    plate = two_sheets(drawn(1), drawn(2))
    assert passes(rule, fenced(), plate)
    (checked,) = run(rule, fenced(), plate)
    assert isinstance(checked, Checked)
    assert checked.words == "1 feature over 1 strip that two sheets share"


@pytest.mark.parametrize(("kept", "lost"), [(1, "C-503"), (2, "C-502")])
def test_found_where_one_sheet_stops_at_the_match_line(kept: int, lost: str) -> None:
    (fault,) = faults_of(rule, fenced(), two_sheets(drawn(kept)))
    assert fault.message.startswith(f"SF-1 of controls breaks off at a match line: on sheet {lost}")
    assert fault.source.user_id == "SF-1"
    assert fault.limit.value == pytest.approx(100.0, abs=2 * SCALE * 0.04)
    assert fault.measured.value == 0.0


def test_found_a_grid_that_begins_anew_on_the_next_sheet() -> None:
    (fault,) = faults_of(rule, fenced(), two_sheets(drawn(1), drawn(2), first_of_east=0))
    assert fault.message == (
        "SF-1 of controls is in cell L6 on sheet C-502 and in cell A6 on sheet C-503"
    )


def test_found_a_point_that_only_one_sheet_shows() -> None:
    site = with_layer(
        clean_site(), "controls", {"geometry": [point(450, 206)], "id": ["IP-1"], "type": ["IP"]}
    )
    (fault,) = faults_of(
        rule,
        replace(site, layers={"controls": site.layers["controls"]}),
        two_sheets(drawn(1, point(450, 206))),
    )
    assert "on sheet C-503 its place has no mark" in fault.message


def test_at_the_limit_ink_a_hundredth_of_an_inch_off_is_the_feature() -> None:
    moved = line((200, 206.49), (700, 206.49))
    assert passes(rule, fenced(), two_sheets(drawn(1), drawn(2, moved)))


def test_just_over_a_hundredth_of_an_inch_it_is_another() -> None:
    moved = line((200, 206.6), (700, 206.6))
    (fault,) = faults_of(rule, fenced(), two_sheets(drawn(1), drawn(2, moved)))
    assert "on sheet C-503" in fault.message


def test_place_on_a_line_between_cells_is_not_named() -> None:
    """Letters are read to 0.05 in: 250 ft north is the line between rows 5 and 6."""
    on_line = line((200, 250.5), (700, 250.5))
    plate = two_sheets(drawn(1, on_line), drawn(2, on_line), first_of_east=0)
    assert faults_of(rule, fenced(on_line), plate) == []


def test_not_applicable_without_a_plate_match_lines_or_named_layers() -> None:
    apart = two_sheets(drawn(1), drawn(2), corner=(600.0, -150.0))
    for plate in (None, clean_plate(), apart, replace(apart, layers=("Level 12",))):
        (said,) = run(rule, fenced(), plate)
        assert isinstance(said, NotApplicable)


def test_skipped_where_the_ground_or_the_marks_are_not_known() -> None:
    plate = two_sheets(drawn(1), drawn(2))
    bare = tuple(replace(p, frames=(frame_of(with_ground=False),)) for p in plate.pages)
    for one in (replace(plate, pages=bare), replace(plate, tracer=None)):
        (said,) = run(rule, fenced(), one)
        assert isinstance(said, Skip)


def test_sheet_index_is_no_map_sheet() -> None:
    plate = two_sheets(drawn(1))
    index = replace(plate.pages[1], is_map=False)
    (said,) = run(rule, fenced(), replace(plate, pages=(plate.pages[0], index)))
    assert isinstance(said, NotApplicable)
