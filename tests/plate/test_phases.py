"""Phases of construction on the plate: switched in a viewer, or a map sheet each."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
import shapely

from sitemap.errors import UsageError
from sitemap.ordinance import load_ordinance
from sitemap.plate.draw import SCHEDULE_FILE, DrawnPlate, draw_plates
from sitemap.plate.numbering import read_lock
from sitemap.rules.feature_not_drawn import feature_not_drawn
from sitemap.rules.match_line_broken import match_line_broken
from sitemap.rules.rule import Rule
from sitemap.site import Site
from tests.clean_site import NOW, clean_site, faults_of, passes, set_value, with_plate_wishes
from tests.plate.composed import words
from tests.plate.long_sites import road_corridor

MUSKEGO = load_ordinance("muskego")
LATE = 0  # the control that stands in the final phase only
DPI = 40


def in_phases(site: Site) -> Site:
    """One control from the final phase on, all others from the initial one."""
    for row in range(len(site.layers["controls"].frame)):
        site = set_value(site, "controls", row, "phase", "Final" if row == LATE else "initial")
    return site


@pytest.fixture(scope="module")
def switched(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("switched") / "plate.pdf"
    return draw_plates(in_phases(clean_site()), MUSKEGO, out, now=NOW)


@pytest.fixture(scope="module")
def separate(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("separate") / "plate.pdf"
    return draw_plates(in_phases(clean_site()), MUSKEGO, out, phases="sheets", now=NOW)


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("road") / "road.pdf"
    site = with_plate_wishes(in_phases(road_corridor()), sheet="ANSI B", phases="sheets")
    return draw_plates(site, MUSKEGO, out, now=NOW)


def names(groups: Any) -> list[str]:
    return [str(group.Name) for group in groups]


def test_phases_are_radio_buttons_and_all_are_shown_at_first(switched: DrawnPlate) -> None:
    with pikepdf.open(switched.path) as pdf:
        shown = pdf.Root.OCProperties.D
        (buttons,) = shown.RBGroups
        assert names(buttons) == ["All phases", "Initial phase", "Final phase"]
        assert str(shown.Order[0][0]) == "Phases of construction"
        assert names(shown.Order[0][1:]) == names(buttons)
        assert "All phases" in names(shown.ON)
        assert {"Initial phase", "Final phase"} <= set(names(shown.OFF))
    assert switched.phases == "1 initial, 2 final, switched in the layer panel"


def picture(pdf: Path) -> np.ndarray:
    with pypdfium2.PdfDocument(pdf) as document:
        return np.asarray(document[0].render(scale=DPI / 72.0).to_numpy()[..., 0], dtype=int)


def test_a_viewer_that_shows_the_initial_phase_hides_what_comes_later(
    switched: DrawnPlate, tmp_path: Path
) -> None:
    """What vanishes lies at the one control of the final phase, with its label."""
    with pikepdf.open(switched.path) as pdf:
        shown = pdf.Root.OCProperties.D
        (buttons,) = shown.RBGroups
        everything, initial, _ = buttons
        shown.ON = pikepdf.Array([g for g in shown.ON if g.Name != everything.Name] + [initial])
        shown.OFF = pikepdf.Array([g for g in shown.OFF if g.Name != initial.Name] + [everything])
        pdf.save(tmp_path / "initial.pdf")
    rows, columns = np.nonzero(np.abs(picture(switched.path) - picture(tmp_path / "initial.pdf")))
    assert len(rows) > 20
    sheet = switched.marks[0]
    shape = clean_site().layers["controls"].frame.geometry.iloc[LATE]
    on_paper = shapely.transform(shape, sheet.frames[0].to_paper)
    gone = shapely.multipoints(np.column_stack([columns, 24.0 * DPI - rows]) / DPI)
    assert shapely.buffer(on_paper, 0.8).covers(gone)


@pytest.mark.parametrize("rule", [feature_not_drawn, match_line_broken], ids=lambda r: r.code)
def test_every_feature_is_found_whatever_the_phases(
    rule: Rule, switched: DrawnPlate, separate: DrawnPlate, road: DrawnPlate
) -> None:
    for drawn, site in (
        (switched, in_phases(clean_site())),
        (separate, in_phases(clean_site())),
        (road, in_phases(road_corridor())),
    ):
        assert [f.message for f in faults_of(rule, site, drawn.measured)] == []
    assert passes(rule, in_phases(road_corridor()), road.measured)


def test_each_phase_has_its_sheet_with_its_own_controls(separate: DrawnPlate) -> None:
    maps = [sheet for sheet in separate.marks if sheet.kind == "map"]
    assert [sheet.number for sheet in maps] == ["C-501", "C-502"]
    assert [sheet.title.split(", ")[-1] for sheet in maps] == ["initial phase", "final phase"]
    assert maps[0].frames == maps[1].frames
    late = str(clean_site().layers["controls"].frame["id"].iloc[LATE])
    assert [late in words(sheet) for sheet in maps] == [False, True]
    count = len(separate.marks)
    assert all(f"Sheet {i} of {count}" in words(s) for i, s in enumerate(separate.marks, start=1))
    pages = separate.measured.pages
    assert [page.phase for page in pages if page.is_map] == ["initial", "final"]
    with pikepdf.open(separate.path) as pdf:
        assert "/RBGroups" not in pdf.Root.OCProperties.D


def test_a_set_has_all_its_sheets_for_each_phase(road: DrawnPlate) -> None:
    maps = [sheet for sheet in road.marks if sheet.kind == "map"]
    assert len(maps) == 12
    assert [sheet.phase for sheet in maps] == ["initial"] * 6 + ["final"] * 6
    assert maps[6].title.endswith(", final phase, part 1 of 6")
    beyond = {link.to for link in maps[7].links}
    assert {maps[6].number, maps[8].number} <= beyond
    assert not beyond & {sheet.number for sheet in maps[:6]}
    lock = read_lock(road.path.with_name("road.sheets.json"))
    assert lock is not None
    assert list(lock.phases.values()) == ["initial"] * 6 + ["final"] * 6


def test_the_schedule_tells_phase_and_sheets(road: DrawnPlate) -> None:
    with pikepdf.open(road.path) as pdf:
        content = pdf.attachments[SCHEDULE_FILE].get_file().read_bytes().decode("utf-8")
    rows = {row[0]: row for row in csv.reader(io.StringIO(content))}
    assert rows["Id"][4:6] == ["Phase", "Sheet"]
    assert rows["SF-1"][4:6] == ["2", "C-508 to C-513"]
    phase, sheets = rows["DC-1"][4:6]
    assert phase == "all"
    assert sheets == "C-502, C-508"


def test_a_second_run_keeps_the_numbers_of_both_phases(road: DrawnPlate) -> None:
    site = with_plate_wishes(in_phases(road_corridor()), sheet="ANSI B", phases="sheets")
    before = road.path.with_name("road.sheets.json").read_text(encoding="utf-8")
    again = draw_plates(site, MUSKEGO, road.path, now=NOW)
    assert again.changes.words == ()
    assert road.path.with_name("road.sheets.json").read_text(encoding="utf-8") == before


def test_another_word_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="accepted are layers, sheets"):
        draw_plates(clean_site(), MUSKEGO, tmp_path / "x.pdf", phases="pages", now=NOW)
