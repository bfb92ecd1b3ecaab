"""The sample site on 11 x 17: many sheets in narrow columns, where words have the least room."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from sitemap import open_site
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.blocks import PAD_IN, TABLE_CAP_IN, parted, wrap
from sitemap.plate.furniture import FINE_CAP_IN
from sitemap.plate.marks import SheetMarks
from sitemap.plate.numbering import number_sheets
from sitemap.plate.plan import SetPlan, plan_sheets
from sitemap.plate.schedules import by_group, grouped_controls
from sitemap.plate.sheet_set import compose_set
from sitemap.plate.sheet_table import controls_said
from sitemap.plate.tables import Column, column_widths, least_width_in
from tests.plate.composed import NOW, rectangle, texts, words

MUSKEGO = load_ordinance("muskego")
LAYOUT = sheet_layout("ANSI B")
SAMPLE = Path(__file__).parents[2] / "sample_sites" / "kettle-ridge"


@pytest.fixture(scope="module")
def sheets() -> tuple[SheetMarks, ...]:
    site = open_site(SAMPLE)
    plan = plan_sheets(site, MUSKEGO, LAYOUT, 40.0, 0.0)
    assert isinstance(plan, SetPlan)
    lock, _, free = number_sheets("C-501", plan.centres_ft, plan.reach_ft, None)
    return compose_set(site, MUSKEGO, LAYOUT, plan, lock, free, now=NOW).sheets


def test_no_word_leaves_the_border_of_any_sheet(sheets: tuple[SheetMarks, ...]) -> None:
    """But the program's own line, which stands under it."""
    border = shapely.box(*LAYOUT.border)
    assert {one.kind for one in sheets} == {"index", "map", "notes", "downstream"}
    outside = [
        (sheet.number, text.text)
        for sheet in sheets
        for text in texts(sheet)
        if text.cap_in > FINE_CAP_IN and not border.contains(rectangle(text))
    ]
    assert outside == []


def test_ids_sheets_and_heads_of_tables_stand_whole(sheets: tuple[SheetMarks, ...]) -> None:
    """A C-510 in two lines reads as two things: "C-51" and "0"."""
    site = open_site(SAMPLE)
    ids = {*site.role("controls").frame["id"], *site.role("discharges").frame["id"]}
    printed = {text.text for sheet in sheets if sheet.kind == "notes" for text in texts(sheet)}
    assert ids - printed == set()
    assert {"Sheet", "Cell", "Size", "Ph.", "Outfall", "Flow, ft"} <= printed


def test_the_downstream_sheet_says_on_which_sheets_the_map_is(
    sheets: tuple[SheetMarks, ...],
) -> None:
    (inset,) = [one for one in sheets if one.kind == "downstream"]
    maps = [one.number for one in sheets if one.kind == "map"]
    assert f"sheets {maps[0]} to {maps[-1]}; do not review this one" in " ".join(words(inset))


def test_a_part_of_a_schedule_begins_with_the_head_of_its_group() -> None:
    rows = [
        ("A-1", "Fence", "1056", "9 ft", "B2"),
        ("B-1", "Basin", "1064", "1 ac", "C3"),
        ("A-2", "Fence", "1056", "8 ft", "B4"),
    ]
    together = by_group(rows)
    assert [row[0] for row in together] == ["A-1", "A-2", "B-1"]
    assert grouped_controls(together[1:]) == [
        ("Fence, 1056",), ("A-2", "8 ft", "B4"), ("Basin, 1064",), ("B-1", "1 ac", "C3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([], "no control"),
        (["SF-1", "SF-2"], "SF-1, SF-2"),
        (["CW-1", "DC-7", "DC-11", "SF-1"], "4 controls: CW, DC, SF"),
        (["1", "2", "3", "4"], "4 controls"),
        ([f"{letter}-1" for letter in "ABCDEFGHIJ"], "10 controls"),
    ],
)
def test_the_index_says_which_controls_a_sheet_shows(ids: list[str], said: str) -> None:
    """Never a range from one kind to another: CW-1 to SF-1 would be anything."""
    assert controls_said(ids) == said


def test_long_words_are_cut_at_their_joints() -> None:
    assert parted("county/road_centerline.shp") == ["county/", "road_", "centerline", ".shp"]
    assert wrap("county/flood_hazard.shp", 0.9, 0.08) == ["county/flood_", "hazard.shp"]
    assert "".join(wrap("W" * 60, 1.0, 0.08)) == "W" * 60  # no joint: anywhere


def test_from_the_least_width_on_no_word_is_cut() -> None:
    columns = (Column("Id"), Column("Receiving water", wraps=True), Column("File", wraps=True))
    rows = [("DP-10", "Marl Creek", "county/flood_hazard.shp"), ("DP-2", "Kettle pond", "x.shp")]
    least = least_width_in(columns, rows)
    widths = column_widths(columns, rows, least)
    assert sum(widths) == pytest.approx(least)
    for number, column in enumerate(columns):
        for cell in (column.head, *(row[number] for row in rows)):
            lines = wrap(cell, widths[number] - 2 * PAD_IN + 1e-6, TABLE_CAP_IN)
            whole = [part for word in cell.split() for part in parted(word)]
            cut = [part for line in lines for word in line.split() for part in parted(word)]
            assert cut == whole
