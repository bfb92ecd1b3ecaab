"""Legend and sizes of letters, read off a finished page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.plate.legend_reading import legend_lines, letter_sizes
from sitemap.plate.lettering import Word, grid_marks
from sitemap.plate.marks import Text
from sitemap.plate.read import measure_plate
from tests.plate.one_sheet import composed, written


def page_of(tmp_path, *texts: Text):
    sheet = replace(composed(), marks=texts, control_ft=())
    return measure_plate(written(tmp_path / "l.pdf", sheet)).pages[0]


def test_two_columns_are_read_down_one_after_the_other(tmp_path) -> None:
    page = page_of(
        tmp_path,
        Text("", 10.0, 20.0, "Legend", 0.12, bold=True),
        Text("", 10.8, 19.7, "Silt fence (1056)", 0.08),
        Text("", 10.8, 19.4, "Trackout control (stone", 0.08),
        Text("", 10.8, 19.27, "tracking pad) (1057)", 0.08),
        Text("", 13.8, 19.7, "Site boundary", 0.08),
        Text("", 10.0, 18.0, "Schedule of controls", 0.12, bold=True),
        Text("", 10.8, 17.7, "SF-1", 0.08),
        Text("", 16.0, 20.0, "Areas", 0.12, bold=True),
        Text("", 16.0, 19.7, "Site 23.6", 0.08),
    )
    assert page.legend == (
        "Silt fence (1056)", "Trackout control (stone", "tracking pad) (1057)", "Site boundary",
    )  # fmt: skip


def test_the_word_in_small_letters_is_no_heading_where_a_larger_one_is(tmp_path) -> None:
    page = page_of(
        tmp_path,
        Text("", 4.0, 12.0, "see legend", 0.08),
        Text("", 10.0, 20.0, "LEGEND:", 0.14),
        Text("", 10.5, 19.5, "Ditch", 0.08),
    )
    assert page.legend is not None
    assert "Ditch" in page.legend


def test_a_page_without_the_heading_has_no_legend(tmp_path) -> None:
    assert page_of(tmp_path, Text("", 10.0, 20.0, "Notes", 0.12)).legend is None


@pytest.mark.parametrize("cap_in", [0.06, 0.08, 0.0931, 0.4])
@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0])
def test_heights_are_read_to_a_thousandth_turned_or_not(tmp_path, cap_in, turn) -> None:
    page = page_of(tmp_path, Text("", 10.0, 10.0, "Fell 7", cap_in, rotation_deg=turn))
    (size,) = page.lettering
    # a font without an upright flat capital on the page is taken as the usual sans, 4 % larger
    assert size.cap_in == pytest.approx(cap_in, rel=0.001 if turn != 30.0 else 0.045, abs=0.0006)
    assert (size.letters, size.in_margin) == (5, False)
    assert size.words == "Fell 7"


def test_bold_and_italic_have_their_own_heights(tmp_path) -> None:
    page = page_of(
        tmp_path,
        Text("", 10.0, 10.0, "Hill", 0.08, bold=True),
        Text("", 10.0, 11.0, "Hill", 0.08, italic=True),
        Text("", 10.0, 12.0, "Hill", 0.12),
    )
    assert [(s.cap_in, s.letters) for s in page.lettering] == [(0.08, 8), (0.12, 4)]


def word(x: float, y: float, cap_in: float = 0.06) -> Word:
    return Word("run", (x, y, x + 0.2, y + 0.06), cap_in)


@pytest.mark.parametrize(
    ("x", "y", "in_margin"),
    [(33.0, 0.43, True), (33.0, 0.45, False), (0.29, 5.0, True), (35.5, 5.0, True),
     (5.0, 23.5, True), (5.0, 5.0, False)],
)  # fmt: skip
def test_the_margin_is_half_an_inch_of_the_paper(x: float, y: float, in_margin: bool) -> None:
    (size,) = letter_sizes([word(x, y)], (36.0, 24.0))
    assert size.in_margin is in_margin


def test_words_of_unknown_height_say_nothing() -> None:
    unknown = Word("Legend", (1.0, 1.0, 2.0, 1.1))
    assert letter_sizes([unknown], (36.0, 24.0)) == ()
    assert legend_lines([unknown]) is None


def test_legend_that_goes_on_elsewhere_is_read_on_there() -> None:
    """A sheet of notes divides a long legend between two columns, each under its heading."""
    first = Word("Legend", (1.0, 9.0, 1.8, 9.12), 0.12)
    second = Word("Legend", (9.0, 5.0, 9.8, 5.12), 0.12)
    fence = Word("Fence", (1.8, 8.5, 2.2, 8.58), 0.08)
    ditch = Word("Ditch", (9.8, 4.5, 10.2, 4.58), 0.08)
    assert legend_lines([first, fence, second, ditch]) == ("Fence", "Ditch")


def test_grid_letters_outweigh_elevations_inside_the_edge() -> None:
    """Three contours are labelled in a row inside the left edge, and there are but two rows."""
    frame = (2.0, 2.0, 8.0, 8.0)

    def words(labels: str, cap: float, places: list[tuple[float, float]]) -> list[Word]:
        return [
            Word(text, (x - 0.1, y - cap / 2, x + 0.1, y + cap / 2), cap)
            for text, (x, y) in zip(labels.split(), places, strict=True)
        ]

    marks = words("A B", 0.14, [(3.5, 8.2), (6.5, 8.2)])
    marks += words("1 2", 0.14, [(1.8, 6.5), (1.8, 3.5)])
    contours = words("848 852 856", 0.08, [(2.15, 3.0), (2.15, 4.0), (2.15, 5.0)])
    columns, rows = grid_marks([*contours, *marks], frame)
    assert [m.label for m in columns] == ["A", "B"]
    assert [m.label for m in rows] == ["1", "2"]
