"""The shipped letters: their files, heights, widths and outlines.

Sizes are by cap height in inches, as drafting rules state them. A text is drawn without kerning
and ligatures, so its width is exactly the sum of the advances given here, and every letter
stays one letter when the plate is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from fontTools.pens.basePen import decomposeQuadraticSegment  # type: ignore[import-untyped]
from fontTools.pens.recordingPen import (  # type: ignore[import-untyped]
    DecomposingRecordingPen,
)
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

FOLDER = Path(__file__).with_name("fonts")
POINTS_PER_INCH = 72.0
STAND_IN = "□"  # drawn for a character that the fonts do not have
MOVE, LINE, QUADRATIC, CLOSE = 1, 2, 3, 79  # codes of an outline; a curve has two vertices


def font_files() -> tuple[Path, ...]:
    """The shipped font files: regular, bold, italic."""
    return tuple(FOLDER / f"LiberationSans-{style}.ttf" for style in ("Regular", "Bold", "Italic"))


def font_file(bold: bool = False, italic: bool = False) -> Path:
    """The file of a style; bold goes before italic, since no bold italic is shipped."""
    regular, heavy, slanted = font_files()
    return heavy if bold else slanted if italic else regular


@dataclass(frozen=True)
class Outline:
    """A glyph's outline in em: vertices, shape (n, 2), and what each is."""

    vertices: np.ndarray
    codes: np.ndarray


class Face:
    """One font file, measured; lengths are in em (1 em = the point size)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._font: Any = TTFont(BytesIO(path.read_bytes()), lazy=True)  # no open file left
        self._units = float(self._font["head"].unitsPerEm)
        self._outlines: dict[str, Outline] = {}

    @cached_property
    def cap_em(self) -> float:
        """Height of a capital letter."""
        return float(self._font["OS/2"].sCapHeight) / self._units

    @cached_property
    def descent_em(self) -> float:
        """How far letters such as g reach below the baseline."""
        return -float(self._font["hhea"].descent) / self._units

    @cached_property
    def ascent_em(self) -> float:
        """How far letters reach above the baseline."""
        return float(self._font["hhea"].ascent) / self._units

    @cached_property
    def italic_angle(self) -> float:
        """Degrees counter-clockwise from upright; negative for a slant to the right."""
        return float(self._font["post"].italicAngle)

    @cached_property
    def box_em(self) -> tuple[float, float, float, float]:
        """The box around all letters: left, bottom, right, top."""
        head = self._font["head"]
        left, bottom, right, top = (
            float(v) / self._units for v in (head.xMin, head.yMin, head.xMax, head.yMax)
        )
        return left, bottom, right, top

    @cached_property
    def _glyph_names(self) -> dict[int, str]:
        return dict(self._font.getBestCmap())

    @cached_property
    def _advances_em(self) -> dict[int, float]:
        metrics = self._font["hmtx"].metrics
        return {code: metrics[name][0] / self._units for code, name in self._glyph_names.items()}

    def has(self, character: str) -> bool:
        """True when the font has a glyph for the character."""
        return ord(character) in self._glyph_names

    def advance_em(self, character: str) -> float:
        """How far the pen moves on for a character that the font has."""
        return self._advances_em[ord(character)]

    def outline(self, character: str) -> Outline:
        """The outline of a character that the font has; empty for a blank."""
        if character not in self._outlines:
            glyphs = self._font.getGlyphSet()
            pen = DecomposingRecordingPen(glyphs)
            glyphs[self._glyph_names[ord(character)]].draw(pen)
            self._outlines[character] = _outline(pen.value, self._units)
        return self._outlines[character]


def _outline(recorded: list[tuple[str, tuple[Any, ...]]], units: float) -> Outline:
    points: list[tuple[float, float]] = []
    codes: list[int] = []
    for operator, arguments in recorded:
        if operator in ("moveTo", "lineTo"):
            points.append(arguments[0])
            codes.append(MOVE if operator == "moveTo" else LINE)
        elif operator == "qCurveTo":
            for off, on in decomposeQuadraticSegment(arguments):
                points += [off, on]
                codes += [QUADRATIC, QUADRATIC]
        elif operator == "closePath":
            points.append((0.0, 0.0))
            codes.append(CLOSE)
    vertices = np.array(points, dtype=float).reshape(-1, 2) / units
    return Outline(vertices, np.array(codes, dtype=np.uint8))


@lru_cache(maxsize=8)
def face(bold: bool = False, italic: bool = False) -> Face:
    """The measured font of a style."""
    return Face(font_file(bold, italic))


def points_for_cap(cap_in: float, bold: bool = False, italic: bool = False) -> float:
    """The font size in points whose capitals are cap_in inches high."""
    return cap_in * POINTS_PER_INCH / face(bold, italic).cap_em


def cap_for_points(size_pt: float, bold: bool = False, italic: bool = False) -> float:
    """Cap height in inches of a font size in points: the inverse of points_for_cap."""
    return size_pt / POINTS_PER_INCH * face(bold, italic).cap_em


@lru_cache(maxsize=65536)
def drawable(text: str, bold: bool = False, italic: bool = False) -> str:
    """The text as it is drawn: blanks for line breaks, a box for what the font lacks."""
    style = face(bold, italic)
    return "".join(
        " " if c.isspace() else c if style.has(c) else STAND_IN
        for c in text
        if c.isprintable() or c.isspace()
    )


def lacking(text: str, bold: bool = False, italic: bool = False) -> str:
    """The characters of a text that are drawn as a box since the font lacks them, each once."""
    style = face(bold, italic)
    return "".join(
        dict.fromkeys(c for c in text if c.isprintable() and not c.isspace() and not style.has(c))
    )


@lru_cache(maxsize=65536)
def _width_em(text: str, bold: bool, italic: bool) -> float:
    style = face(bold, italic)
    return sum(style.advance_em(c) for c in drawable(text, bold, italic))


def text_width_in(text: str, cap_in: float, bold: bool = False, italic: bool = False) -> float:
    """Inches from the start of a text to where the next letter would start; exact."""
    return _width_em(text, bold, italic) * em_in(cap_in, bold, italic)


def em_in(cap_in: float, bold: bool = False, italic: bool = False) -> float:
    """One em in inches for a cap height in inches."""
    return cap_in / face(bold, italic).cap_em


def descent_in(cap_in: float, bold: bool = False, italic: bool = False) -> float:
    """Inches that letters such as g reach below the baseline."""
    return face(bold, italic).descent_em * em_in(cap_in, bold, italic)


def text_outline(text: str, bold: bool = False, italic: bool = False) -> Outline:
    """The outlines of a whole text in em, its baseline starting at 0, 0."""
    style = face(bold, italic)
    vertices, codes, x = [np.empty((0, 2))], [np.empty(0, dtype=np.uint8)], 0.0
    for character in drawable(text, bold, italic):
        glyph = style.outline(character)
        vertices.append(glyph.vertices + np.array([x, 0.0]))
        codes.append(glyph.codes)
        x += style.advance_em(character)
    return Outline(np.concatenate(vertices), np.concatenate(codes))


@lru_cache(maxsize=16384)
def halo_outline(text: str, bold: bool, italic: bool, steps_per_em: int) -> str:
    """The outlines of a text as PDF paths of straight pieces, in whole steps of the em.

    A halo is wider than what the straightened curves are off.
    """
    outline = text_outline(text, bold, italic)
    at = outline.vertices.copy()
    bends = np.flatnonzero(outline.codes == QUADRATIC)[::2]  # the first of two: off the curve
    at[bends] = (outline.vertices[bends - 1] + 2.0 * at[bends] + outline.vertices[bends + 1]) / 4.0
    words = {MOVE: "%d %d m\n", LINE: "%d %d l\n", QUADRATIC: "%d %d l\n", CLOSE: "h\n"}
    drawn = outline.codes != CLOSE
    whole = np.rint(at[drawn] * steps_per_em).astype(int)
    template = "".join(words[code] for code in outline.codes.tolist())
    return template % tuple(whole.ravel().tolist())
