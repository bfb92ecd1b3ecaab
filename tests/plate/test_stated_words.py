"""Scales and intervals that a sheet states in words."""

import pytest

from sitemap.plate.lettering import stated_intervals, stated_scales

ARCH_D = (36.0, 24.0)


@pytest.mark.parametrize(
    ("text", "full", "half"),
    [
        ("1 in = 50 ft (half size: 1 in = 100 ft)", (50,), (100,)),
        ("SCALE: 1\"=50'", (50,), ()),
        ("1 INCH = 1,000 FEET", (1000,), ()),
        ("Scale 1:600", (50,), ()),
        ("1 : 1,200", (100,), ()),
        ("60 FEET PER INCH", (60,), ()),
        ("40 ft/in", (40,), ()),
        ("1\" = 50' (24x36)  1\" = 100' (12x18)", (50,), (100,)),
        ("HALF SIZE SCALE: 1\"=120'", (), (120,)),
        ("1\"=60' (half size)", (), (60,)),
        ("1\"=50' at 30x42", (), ()),  # for another sheet than this one
        ("HORIZ: 1\"=50'  VERT: 1\"=5'", (50,), ()),
        ("1\"=5' V", (), ()),
        ("slope 3:1, 1:1.5 and 1:4, at 1:30 pm", (), ()),
        ("1/8\" = 1' and 11\" = 50'", (), ()),
        ("1 inch equals 50 feet", (50,), ()),
        ("SCALE: 1\"=30' (48x72)", (60,), ()),  # a half-size print of that sheet
        ("1\"=30' (48x72)  1\"=60' (24x36)", (60,), ()),
        ("", (), ()),
    ],
)
def test_scales_in_words(text, full, half):
    assert stated_scales(text, ARCH_D) == (full, half)


@pytest.mark.parametrize(
    ("text", "feet"),
    [
        ("Contour interval: 2 ft", (2,)),
        ("CONTOUR INTERVAL = 5'", (5,)),
        ("Contour interval 1 m", (1 / 0.3048,)),
        ("existing contours at 2-foot intervals", (2,)),
        ("5-foot contours, 1' contour interval", (5, 1)),
        ("CONTOUR INTERVAL", ()),
        ("posts at 8' intervals", ()),
        ("interval of 14 days", ()),
    ],
)
def test_intervals_in_words(text, feet):
    assert stated_intervals(text) == pytest.approx(feet)
