"""A set from end to end: a road of 6,000 ft on 11 x 17, every sheet measured before delivery."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import shapely

from sitemap.errors import PlateError, UsageError
from sitemap.measures.printed_grid import edge_trouble, edges_of, reference_at
from sitemap.measures.shared_ground import on_page
from sitemap.measures.sheets import PAPER_IN, sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate import draw as draw_module
from sitemap.plate.draw import SCHEDULE_FILE, DrawnPlate, draw_plates
from sitemap.plate.marks import Lines, SheetMarks, Text
from sitemap.plate.match_lines import CLEAR_IN, MATCH_LAYER
from sitemap.plate.numbering import number_sheets
from sitemap.plate.plan import SetPlan, plan_sheets
from sitemap.plate.sheet_finder import sheets_said
from sitemap.plate.sheet_set import ComposedSet, compose_set
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts, fact_rows
from sitemap.units import MapScale
from tests.clean_site import clean_site, with_facts
from tests.plate.composed import NOW, overlaps, rectangle, texts, words
from tests.plate.long_sites import road_corridor

MUSKEGO = load_ordinance("muskego")
SHEET = "ANSI B"
MAPS = ("C-502", "C-503", "C-504", "C-505", "C-506", "C-507")


@pytest.fixture(scope="module")
def plan() -> SetPlan:
    found = plan_sheets(road_corridor(), MUSKEGO, sheet_layout(SHEET), "auto")
    assert isinstance(found, SetPlan)
    return found


@pytest.fixture(scope="module")
def composed(plan: SetPlan) -> ComposedSet:
    lock, _, free = number_sheets("C-501", plan.centres_ft, plan.reach_ft, None)
    return compose_set(road_corridor(), MUSKEGO, sheet_layout(SHEET), plan, lock, free, now=NOW)


def draw(out: Path, **more: str) -> DrawnPlate:
    return draw_plates(road_corridor(), MUSKEGO, out, sheet=SHEET, now=NOW, **more)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    return draw(tmp_path_factory.mktemp("set") / "road.pdf")


@pytest.fixture(scope="module")
def pdf(drawn: DrawnPlate) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(drawn.path) as opened:
        yield opened


def by_number(composed: ComposedSet) -> dict[str, SheetMarks]:
    return {sheet.number: sheet for sheet in composed.sheets}


def test_sheets_are_index_maps_and_notes_in_the_order_of_their_numbers(
    composed: ComposedSet,
) -> None:
    assert [s.number for s in composed.sheets] == ["C-501", *MAPS, "C-508"]
    assert [s.kind for s in composed.sheets] == ["index", *["map"] * 6, "notes"]
    for i, sheet in enumerate(composed.sheets, start=1):
        assert f"Sheet {i} of 8" in words(sheet)


def test_nothing_leaves_the_paper_and_no_lettering_overlaps(composed: ComposedSet) -> None:
    paper = shapely.box(0, 0, *PAPER_IN[SHEET])
    for sheet in composed.sheets:
        found = texts(sheet)
        assert all(paper.contains(rectangle(t)) for t in found), sheet.number
        pairs = overlaps([rectangle(t) for t in found])
        assert [(sheet.number, found[a].text, found[b].text) for a, b in pairs] == []
        lines = [p for m in sheet.marks if isinstance(m, Lines) for p in m.paths]
        assert paper.buffer(1e-9).covers(shapely.MultiPoint(np.concatenate(lines)))


def test_match_lines_name_both_sheets_and_lead_to_the_other(composed: ComposedSet) -> None:
    sheets = by_number(composed)
    for here, beyond in pairwise(MAPS):
        said = [t.text for t in texts(sheets[here]) if t.layer == MATCH_LAYER]
        assert f"MATCH LINE – SEE SHEET {beyond}" in said
        assert f"SHEET {here}" in said
        assert beyond in {link.to for link in sheets[here].links}
        back = [t.text for t in texts(sheets[beyond]) if t.layer == MATCH_LAYER]
        assert f"MATCH LINE – SEE SHEET {here}" in back
    line = next(m for m in sheets["C-503"].marks if m.layer == MATCH_LAYER)
    assert isinstance(line, Lines)
    assert line.weight_pt == 2.0
    assert len(line.paths) == 2


def test_match_lines_of_two_sheets_lie_on_the_same_ground(composed: ComposedSet) -> None:
    sheets = by_number(composed)

    def grounds(number: str) -> set[tuple[float, ...]]:
        sheet = sheets[number]
        paths = [p for m in sheet.marks if isinstance(m, Lines) and m.layer == MATCH_LAYER
                 for p in m.paths]  # fmt: skip
        return {tuple(np.round(sheet.frames[0].to_ground(p), 3).ravel()) for p in paths}

    for here, beyond in pairwise(MAPS):
        assert len(grounds(here) & grounds(beyond)) == 1


def test_labels_keep_a_tenth_of_an_inch_from_match_lines(composed: ComposedSet) -> None:
    for number in MAPS:
        sheet = by_number(composed)[number]
        seams = shapely.union_all(
            [shapely.LineString(p) for m in sheet.marks
             if isinstance(m, Lines) and m.layer == MATCH_LAYER for p in m.paths]
        )  # fmt: skip
        lettered = [t for t in texts(sheet) if t.layer and t.layer != MATCH_LAYER]
        left, bottom, right, top = sheet.frames[0].box_in
        frame = shapely.box(left, bottom, right, top)
        for text in (t for t in lettered if frame.contains(rectangle(t))):
            assert rectangle(text).distance(seams) > CLEAR_IN - 0.03, text.text  # cells of 1 pt


def test_neighbours_and_this_sheet_are_on_the_key_map(composed: ComposedSet) -> None:
    sheet = by_number(composed)["C-504"]
    found = {t.text: t for t in texts(sheet) if not t.layer}
    assert {"Key map", "Above", "Right", "Below", "Left", "no sheet"} <= set(found)
    beside = [t.text for t in texts(sheet) if t.bold and not t.layer]
    assert {"C-503", "C-504", "C-505"} <= set(beside)


def test_one_place_has_one_cell_on_every_sheet(drawn: DrawnPlate, plan: SetPlan) -> None:
    """By the letters that were printed, read back, at places amid the shared strips."""
    pages = {page.label: (page, frame) for page, frame in drawn.measured.main_frames}
    assert tuple(pages) == MAPS
    for line in plan.tiling.match_lines:
        x, y = line.start_ft[0] + 7.0, (line.start_ft[1] + line.end_ft[1]) / 2.0 + 13.0
        cells = set()
        for tile in (line.one, line.other):
            page, frame = pages[MAPS[tile]]
            found = reference_at(page, frame, *on_page(frame, x, y))
            assert found is not None
            cells.add(found.cell)
        assert cells == {plan.grid.cell_of(x, y)}


def test_every_sheet_is_lettered_on_four_sides(drawn: DrawnPlate) -> None:
    for page, frame in drawn.measured.main_frames:
        edges = edges_of(page, frame)
        assert [edge.name for edge in edges] == ["top", "bottom", "left", "right"]
        assert [edge_trouble(edge) for edge in edges] == [""] * 4


def test_every_index_level_on_a_sheet_is_labelled_there(composed: ComposedSet) -> None:
    for number in MAPS:
        sheet = by_number(composed)[number]
        told = [u for u in sheet.unplaced if "elevation" in u]
        assert told == []


def test_index_says_that_it_is_not_the_map(composed: ComposedSet, drawn: DrawnPlate) -> None:
    said = words(composed.sheets[0])
    assert "INDEX OF SHEETS – NOT THE SITE MAP" in said
    assert "This index is not the site map" in said
    assert set(MAPS) <= {link.to for link in composed.sheets[0].links}
    assert composed.sheets[0].frames[0].feet_per_inch > 100.0
    assert [page.is_map for page in drawn.measured.pages] == [False, *[True] * 6, False]
    assert drawn.measured.trouble == ()


def test_notes_carry_the_certificate_and_what_map_sheets_leave_out(composed: ComposedSet) -> None:
    notes = composed.sheets[-1]
    said = " ".join(t.text for t in texts(notes))
    for fact in (
        "Map sheets C-502 to C-507 are drawn at 100 feet per inch",
        "The scale was verified on writing",
        "Items of the site map",
        "Schedule of controls",
        "Sources",
        "General notes",
    ):
        assert fact in said, fact
    assert all(f"({item})" in said for item in "abcdefghij")
    assert any("On sheet C-508" in w for w in words(composed.sheets[1]))


def test_crosses_of_every_map_sheet_are_measured(drawn: DrawnPlate) -> None:
    controls = {s.number: s.control for s in drawn.sheets}
    assert [number for number, control in controls.items() if control] == list(MAPS)
    assert all(c.error_ppm < 1.0 and c.crosses == 4 for c in controls.values() if c)


def test_file_has_labels_bookmarks_links_and_one_layer_of_a_name(pdf: pikepdf.Pdf) -> None:
    assert [page.label for page in pdf.pages] == ["C-501", *MAPS, "C-508"]
    with pdf.open_outline() as outline:
        assert [str(i.title).split()[0] for i in outline.root] == ["C-501", *MAPS, "C-508"]
    numbers = {page.obj.objgen: page.label for page in pdf.pages}
    leads = [
        {numbers[link.Dest[0].objgen] for link in page.obj.get("/Annots", [])} for page in pdf.pages
    ]
    assert {"C-502", "C-504"} <= leads[2]
    names = [str(group.Name) for group in pdf.Root.OCProperties.OCGs]
    assert len(names) == len(set(names))
    assert MATCH_LAYER in names


def test_schedule_is_attached_with_sheet_and_cell(pdf: pikepdf.Pdf) -> None:
    content = pdf.attachments[SCHEDULE_FILE].get_file().read_bytes().decode("utf-8")
    rows = list(csv.reader(io.StringIO(content)))
    assert rows[0] == ["Id", "Control", "Standard", "Size", "Sheet", "Cell"]
    fence = next(row for row in rows if row[0] == "SF-1")
    assert fence[4] == "C-502 to C-507"
    assert len(rows) == 1 + 11


def test_second_run_keeps_numbers_and_bytes(drawn: DrawnPlate) -> None:
    lock = drawn.path.with_name("road.sheets.json")
    before, locked = drawn.path.read_bytes(), lock.read_text(encoding="utf-8")
    again = draw(drawn.path)
    assert again.changes.words == ()
    assert drawn.path.read_bytes() == before
    assert lock.read_text(encoding="utf-8") == locked
    assert sorted(p.name for p in drawn.path.parent.iterdir()) == ["road.pdf", "road.sheets.json"]


def test_set_with_one_wrong_sheet_is_not_delivered(
    composed: ComposedSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third sheet says 100 while its marks lie at another scale."""
    sheet = composed.sheets[2]
    frame = replace(sheet.frames[0], feet_per_inch=100.01)
    sheets = (*composed.sheets[:2], replace(sheet, frames=(frame,)), *composed.sheets[3:])
    monkeypatch.setattr(
        draw_module, "compose_set", lambda *_, **__: replace(composed, sheets=sheets)
    )
    with pytest.raises(PlateError, match=r"sheet C-503: its scale is off"):
        draw(tmp_path / "road.pdf")
    assert list(tmp_path.iterdir()) == []


def test_flat_profile_has_one_layer_and_no_annotations(
    composed: ComposedSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw_module, "compose_set", lambda *_, **__: composed)
    flat = draw(tmp_path / "flat.pdf", profile="flat")
    assert all(s.control.error_ppm < 1.0 for s in flat.sheets if s.control)
    with pikepdf.open(flat.path) as pdf:
        assert "/OCProperties" not in pdf.Root
        assert not any("/Annots" in page.obj for page in pdf.pages)
        assert len(pdf.attachments) == 0
        assert b"BDC" not in pdf.pages[1].Contents.read_bytes()
    assert len(flat.measured.main_frames) == 6


def test_unknown_profile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="accepted are smart, flat"):
        draw(tmp_path / "x.pdf", profile="thin")


def test_north_left_is_lettered_and_read_back(tmp_path: Path) -> None:
    """Numbers run across from north, letters up from west; the arrow points to the left."""
    turned = draw_plates(
        clean_site(), MUSKEGO, tmp_path / "left.pdf", sheet="ARCH C", scale=100.0,
        rotation="left", now=NOW,
    )  # fmt: skip
    page, frame = turned.measured.main_frames[0]
    across = [mark.label for mark in page.grid_columns if mark.y_in > frame.box_in[3]]
    up = [mark.label for mark in page.grid_rows if mark.x_in < frame.box_in[0]]
    assert across[:3] == ["1", "2", "3"]
    assert up[::-1][:3] == ["A", "B", "C"]
    assert [edge_trouble(edge) for edge in edges_of(page, frame)] == [""] * 4
    assert turned.rotation_deg == 90
    assert turned.control.error_ppm < 1.0
    assert turned.control.worst_offset_in < 0.0005
    corner = np.array(frame.ground_ft[0])
    assert np.array(frame.ground_ft[3])[1] < corner[1]  # to the right lies south


def test_text_marks_are_upright_on_a_turned_sheet(composed: ComposedSet) -> None:
    for text in (m for s in composed.sheets for m in s.marks if isinstance(m, Text)):
        assert -90.0 - 1e-6 <= text.rotation_deg <= 90.0 + 1e-6


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (["C-508"], "sheet C-508"),
        (["C-502", "C-503"], "sheets C-502 and C-503"),
        (["C-504", "C-505", "C-506", "C-507"], "sheets C-504 to C-507"),
        (["C-504", "C-506", "C-507"], "sheets C-504, C-506 and C-507"),
        (["C-9", "C-10", "C-11"], "sheets C-9 to C-11"),
        (["C-504", "D-505", "D-506"], "sheets C-504, D-505 and D-506"),
        (["A", "B", "C"], "sheets A, B and C"),
    ],
)
def test_sheets_that_follow_each_other_are_named_by_first_and_last(numbers, said):
    assert sheets_said(numbers) == said


def test_an_owner_who_is_cut_in_a_small_title_block_ends_with_an_ellipsis():
    """11 x 17 has one line for each party; a name that is cut in silence reads as whole."""
    owner = "Stillwater Land Company of Waukesha County, LLC"
    site = with_facts(clean_site(), owner=owner, consultant="Hill, P.E.", contact=None)
    facts = TitleFacts(MapScale(100.0), 2.0, NOW, 1, 3, "C-501")
    marks = title_marks(site, MUSKEGO, facts, sheet_layout(SHEET).title_block)
    told = [mark.text for mark in marks if isinstance(mark, Text) and mark.bold]
    (cut,) = [text for text in told if text.startswith("Stillwater")]
    assert cut.endswith("…")
    assert owner.startswith(cut[:-1])
    assert "Hill, P.E." in told


@pytest.mark.parametrize("paper", ["ARCH D", "ARCH C", "ANSI D"])
def test_a_long_project_name_is_told_in_full_where_the_title_block_has_room(paper):
    """The name of 120 letters of a second addition was cut at one line, beside an empty seal."""
    name = "Kettle Ridge Conservation Subdivision, Second Addition to the Planned Community "
    name += "of Señor Müller's and Håkon Ødegård's Farm"
    site = with_facts(clean_site(), name=name)
    facts = TitleFacts(MapScale(100.0), 2.0, NOW, 1, 3, "C-501")
    box = sheet_layout(paper).title_block
    told = [mark for mark in title_marks(site, MUSKEGO, facts, box) if isinstance(mark, Text)]
    lines = [mark.text for mark in told if mark.bold and mark.text in name]
    assert " ".join(lines) == name
    shapes = [rectangle(mark) for mark in told]
    assert overlaps(shapes) == []
    block = shapely.box(*box)
    assert all(block.contains(shape) for shape in shapes)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (None, None, "not stated"),
        (NOW, None, f"{NOW.isoformat()} to not stated"),
        (NOW, NOW, f"{NOW.isoformat()} to {NOW.isoformat()}"),
    ],
)
def test_dates_that_nobody_states_are_said_to_be_so_once(start, end, said):
    site = with_facts(clean_site(), start=start, end=end)
    rows = dict(fact_rows(site, TitleFacts(MapScale(100.0), 2.0, NOW, 1, 3, "C-501")))
    assert rows["Construction"] == said
