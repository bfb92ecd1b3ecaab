"""One plate from end to end, and that a wrong one is never delivered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from sitemap.errors import PlateError
from sitemap.intake.assemble import open_site
from sitemap.ordinance import load_ordinance
from sitemap.plate import draw as draw_module
from sitemap.plate.draw import DrawnPlate, draw_plates
from sitemap.plate.marks import SheetMarks
from tests.clean_site import clean_site, with_facts
from tests.plate.composed import NOW, sheet

MUSKEGO = load_ordinance("muskego")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("plate") / "plate.pdf"
    return draw_plates(clean_site(), MUSKEGO, out, sheet="24x36", scale="auto", now=NOW)


def test_plate_measures_as_it_was_meant(drawn: DrawnPlate) -> None:
    page, frame = drawn.measured.main_frames[0]
    assert drawn.sheet == page.sheet == "ARCH D"
    assert drawn.control.error_ppm < 1.0
    assert frame.feet_per_inch == pytest.approx(drawn.scale.feet_per_inch, rel=1e-5)
    assert drawn.scale.feet_per_inch in page.stated_feet_per_inch
    assert 2 * drawn.scale.feet_per_inch in page.stated_half_size
    assert page.stated_interval_ft == (2.0,)
    assert frame.epsg == 6609


def test_grid_is_read_back_from_all_four_sides(drawn: DrawnPlate) -> None:
    page = drawn.measured.pages[0]
    letters = [mark.label for mark in page.grid_columns]
    numbers = [mark.label for mark in page.grid_rows]
    assert len(letters) == 2 * len(set(letters))
    assert len(numbers) == 2 * len(set(numbers))
    assert {"A", "B", "C"} <= set(letters)


def test_every_composed_layer_is_in_the_file(drawn: DrawnPlate) -> None:
    assert set(sheet().layers) == set(drawn.measured.pages[0].drawn_layers)


def test_only_the_plate_is_left_in_the_folder(drawn: DrawnPlate) -> None:
    assert [p.name for p in drawn.path.parent.iterdir()] == ["plate.pdf"]


def test_same_input_gives_the_same_bytes(drawn: DrawnPlate, tmp_path: Path) -> None:
    again = draw_plates(
        clean_site(), MUSKEGO, tmp_path / "again.pdf", sheet="ARCH D", scale="auto", now=NOW
    )
    assert again.path.read_bytes() == drawn.path.read_bytes()


def test_plate_that_fails_its_measurement_is_not_delivered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame that says 60 while its marks were laid at another scale."""
    out = tmp_path / "plate.pdf"
    out.write_bytes(b"the plate of last week")

    def wrong(*_: object, **__: object) -> tuple[SheetMarks, ...]:
        marks = sheet()
        frame = replace(marks.frames[0], feet_per_inch=marks.frames[0].feet_per_inch + 0.01)
        return (replace(marks, frames=(frame,)),)

    monkeypatch.setattr(draw_module, "compose_single", wrong)
    with pytest.raises(PlateError, match=r"failed its own measurement.*parts in a million"):
        draw_plates(clean_site(), MUSKEGO, out, sheet="ARCH D", now=NOW)
    assert out.read_bytes() == b"the plate of last week"
    assert [p.name for p in tmp_path.iterdir()] == ["plate.pdf"]


def test_layer_without_marks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object, **__: object) -> tuple[SheetMarks, ...]:
        return (replace(sheet(), layers=(*sheet().layers, "Lost layer")),)

    monkeypatch.setattr(draw_module, "compose_single", wrong)
    with pytest.raises(PlateError, match="no marks on it: Lost layer"):
        draw_plates(clean_site(), MUSKEGO, tmp_path / "p.pdf", sheet="ARCH D", now=NOW)


def test_tables_without_room_stand_on_a_notes_sheet_behind_the_map(
    root: Path, tmp_path: Path
) -> None:
    """ANSI C is too small for the margin of Kettle Ridge; (a) to (j) must still be read."""
    (sample,) = (root / "sample_sites").glob("*/site.toml")
    out = tmp_path / "small.pdf"
    drawn = draw_plates(open_site(sample), MUSKEGO, out, sheet="ANSI C", now=NOW)
    assert [one.number for one in drawn.sheets] == ["C-501", "C-502", "C-503"]
    assert not [words for words in drawn.unplaced if "table left out" in words]
    pages = pypdfium2.PdfDocument(out)
    first, _, last = (page.get_textpage().get_text_bounded() for page in pages)
    assert "Sheet 1 of 3" in first
    assert "On sheets C-502 and C-503: " in first
    assert "Sheet 3 of 3" in last
    for title in ("Items of the site map", "Schedule of controls", "Soils", "Sources"):
        assert title in last, title
    assert len(drawn.measured.main_frames) == 1  # the notes are not judged as a map


def test_a_sheet_with_room_for_all_stays_alone(tmp_path: Path) -> None:
    drawn = draw_plates(clean_site(), MUSKEGO, tmp_path / "p.pdf", sheet="ARCH D", now=NOW)
    assert len(drawn.sheets) == 1


def test_letters_that_the_fonts_lack_are_told_with_the_text_they_stand_in(tmp_path):
    """A box on the plate that nobody is told of is found by the reviewer."""
    site = with_facts(clean_site(), owner="Müller & Ødegård 湿地 LLC")
    drawn = draw_plates(site, MUSKEGO, tmp_path / "p.pdf", sheet="ARCH D", now=NOW)
    (told,) = drawn.boxed
    assert "Müller & Ødegård 湿地 LLC" in told
    assert told.endswith("no letter for 湿 地")
    assert not draw_plates(clean_site(), MUSKEGO, tmp_path / "q.pdf", sheet="ARCH D", now=NOW).boxed
