"""The shipped letters: heights and widths are those of the files, and of what is drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.plate import fonts

STYLES = [(False, False), (True, False), (False, True)]


def test_three_files_are_shipped_with_their_licence():
    assert all(path.is_file() for path in fonts.font_files())
    assert (fonts.FOLDER / "LICENSE-OFL.txt").is_file()


@pytest.mark.parametrize(("bold", "italic"), STYLES)
def test_a_capital_is_as_high_as_asked(bold, italic):
    outline = fonts.text_outline("H", bold, italic)
    on_curve = outline.vertices[outline.codes != fonts.CLOSE]
    size_pt = fonts.points_for_cap(0.10, bold, italic)
    assert np.ptp(on_curve[:, 1]) * size_pt / 72 == pytest.approx(0.10)
    assert fonts.cap_for_points(size_pt, bold, italic) == pytest.approx(0.10)


def test_eight_hundredths_of_an_inch_is_more_than_its_points():
    # 0.08 in is 5.76 pt of capital, which takes a font of 8.4 pt
    assert fonts.points_for_cap(0.08) == pytest.approx(0.08 * 72 / (1409 / 2048))


def test_bold_is_wider_and_goes_before_italic():
    assert fonts.text_width_in("Erosion", 0.1, bold=True) > fonts.text_width_in("Erosion", 0.1)
    assert fonts.font_file(bold=True, italic=True) == fonts.font_file(bold=True)


@given(a=st.text(max_size=12), b=st.text(max_size=12), cap=st.floats(0.05, 1))
def test_widths_add_up_whatever_the_text(a, b, cap):
    whole = fonts.text_width_in(a + b, cap)
    parts = fonts.text_width_in(a, cap) + fonts.text_width_in(b, cap)
    assert whole == pytest.approx(parts)
    assert fonts.text_width_in(a, 2 * cap) == pytest.approx(2 * fonts.text_width_in(a, cap))


def test_digits_are_of_one_width_so_columns_of_numbers_align():
    assert len({round(fonts.text_width_in(d, 0.1), 9) for d in "0123456789"}) == 1


def test_what_the_font_lacks_becomes_a_box_and_a_line_break_a_blank():
    assert fonts.drawable("a漢b\nc\td") == "a□b c d"
    assert fonts.drawable("½ ° ± ≤ § “x” – 2″") == "½ ° ± ≤ § “x” – 2″"


def test_letters_of_an_outline_stand_side_by_side():
    single, double = fonts.text_outline("H"), fonts.text_outline("HH")
    half = len(single.vertices)
    shift = double.vertices[half:] - single.vertices
    moved = shift[single.codes != fonts.CLOSE]
    assert moved[:, 0] == pytest.approx(fonts.face().advance_em("H"))
    assert moved[:, 1] == pytest.approx(0)
