"""How high the capitals of a page's lettering are, letter by letter, read with PDFium.

Height = font size x scale of the text matrix x height of the font's capitals. The last is taken
from the outline of a flat capital in the embedded font, else from the boxes of capitals on the
page, else it is that of the usual sans.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

FLAT_CAPITALS = frozenset("EFHILTZ")  # no overshoot above or below
USUAL_CAP_EM = 0.716  # Helvetica, Arial
NO_OBJECT = bytes(ctypes.sizeof(ctypes.c_void_p))  # a pointer to nothing
AGREE = 0.05  # outline against box; more means that the code is of another letter


def cap_heights_in(
    textpage: pypdfium2.PdfTextPage, letters: Sequence[str], units_per_inch: float
) -> np.ndarray:
    """Cap height in inches of every character; NaN for blanks.

    The letters of one text object have one size and font, which are asked once.
    """
    sizes = np.full(len(letters), np.nan)
    fonts: list[str] = [""] * len(letters)
    first: dict[str, int] = {}  # a flat capital for each font
    buffer = ctypes.create_string_buffer(256)
    known, size, font = NO_OBJECT, math.nan, ""
    for i, letter in enumerate(letters):
        if not letter.strip():
            continue
        shown = bytes(pdfium.FPDFText_GetTextObject(textpage, i))
        if shown != known or shown == NO_OBJECT:
            size = pdfium.FPDFText_GetFontSize(textpage, i) * _scale(textpage, i)
            font, known = _font_name(textpage, i, buffer), shown
        sizes[i], fonts[i] = size, font
        if letter in FLAT_CAPITALS and font not in first and _upright(textpage, i):
            first[font] = i
    caps = {name: _cap_em(textpage, i, letters[i], sizes[i]) for name, i in first.items()}
    em = np.array([caps.get(name, USUAL_CAP_EM) for name in fonts])
    heights: np.ndarray = sizes * em / units_per_inch
    return heights


def letter_boxes(textpage: pypdfium2.PdfTextPage, count: int) -> np.ndarray:
    """Left, bottom, right and top around each character, shape (count, 4), in the page's units."""
    rectangles = (pdfium.FS_RECTF * count)()
    for i, rectangle in enumerate(rectangles):
        if not pdfium.FPDFText_GetLooseCharBox(textpage, i, rectangle):
            raise pypdfium2.PdfiumError(f"character {i} has no box")
    left_top = np.frombuffer(rectangles, dtype=np.float32).reshape(-1, 4).astype(float)
    return np.asarray(left_top[:, [0, 3, 2, 1]])


def _scale(textpage: pypdfium2.PdfTextPage, number: int) -> float:
    """How much the text matrix makes a letter higher."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage, number, matrix):
        return 1.0
    return math.hypot(matrix.c, matrix.d)


def _font_name(
    textpage: pypdfium2.PdfTextPage, number: int, buffer: ctypes.Array[ctypes.c_char]
) -> str:
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, number, buffer, len(buffer), flags)
    return buffer.value.decode("utf-8", "replace")


def _upright(textpage: pypdfium2.PdfTextPage, number: int) -> bool:
    """True where the box of a letter is as high, or for a turned line as wide, as the letter."""
    turns = pdfium.FPDFText_GetCharAngle(textpage, number) / (math.pi / 2.0)
    return bool(abs(turns - round(turns)) < 1e-3)


def _cap_em(textpage: pypdfium2.PdfTextPage, number: int, letter: str, size: float) -> float:
    """The height of a flat capital in em."""
    left, bottom, right, top = textpage.get_charbox(number)
    quarter = round(pdfium.FPDFText_GetCharAngle(textpage, number) / (math.pi / 2.0)) % 2
    by_box = ((right - left) if quarter else (top - bottom)) / size if size else USUAL_CAP_EM
    by_outline = _outline_height_em(textpage, number, letter)
    if by_outline and abs(by_outline / by_box - 1.0) < AGREE:
        return by_outline
    return float(by_box)


def _outline_height_em(textpage: pypdfium2.PdfTextPage, number: int, letter: str) -> float | None:
    """The height of a letter's outline in its font; None where the font does not give it."""
    shown = pdfium.FPDFText_GetTextObject(textpage, number)
    font = pdfium.FPDFTextObj_GetFont(shown) if shown else None
    outline = pdfium.FPDFFont_GetGlyphPath(font, ord(letter), 1.0) if font else None
    if not outline:
        return None
    x, y = ctypes.c_float(), ctypes.c_float()
    heights = []
    for i in range(pdfium.FPDFGlyphPath_CountGlyphSegments(outline)):
        segment = pdfium.FPDFGlyphPath_GetGlyphPathSegment(outline, i)
        if segment and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            heights.append(y.value)
    return max(heights) - min(heights) if heights else None
