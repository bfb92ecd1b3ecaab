"""Marks to the content of a PDF page, each layer between its own marks of content.

The operators are written here and not by a drawing library: no axes, no layout and no float
formatting stands between an inch of a mark and an inch of the sheet, and a map of a million
vertices is written in a second. Geometry comes first and text last, because readers of vectors
stop at the first text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

import numpy as np

from sitemap.errors import PlateError
from sitemap.plate import fonts
from sitemap.plate.glyphs import GlyphUse
from sitemap.plate.images import image_operators
from sitemap.plate.marks import Areas, Image, Lines, Path, SheetMarks, Text, phases_of
from sitemap.plate.phase_groups import PropertyNames

POINTS = 72.0  # per inch
UNITS = 10_000  # to the point: shapes are written in whole numbers
COARSE = 500  # of these units (0.05 pt, half of what lines are simplified by) for dense marks
MANY_VERTICES = 20_000  # of a dense mark
MOST_VERTICES = 5000  # in one path; viewers choke on endless ones
HALO_EM = 200  # steps to the em of the outline under a text: 0.04 pt of map lettering
CAPS = {"butt": 0, "round": 1, "projecting": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}
_Painted = TypeVar("_Painted", Lines | Areas | Image, Text)


class Ink:
    """What all pages of a file draw with: letters of the fonts, degrees of transparency."""

    def __init__(self) -> None:
        self.glyphs: dict[tuple[bool, bool], GlyphUse] = {}
        self.alphas: dict[float, str] = {1.0: "SmA100"}

    def font(self, bold: bool, italic: bool) -> GlyphUse:
        """The letters used so far of a style."""
        key = (bold, italic and not bold)  # no bold italic is shipped
        if key not in self.glyphs:
            self.glyphs[key] = GlyphUse(f"F{len(self.glyphs) + 1}", fonts.face(*key))
        return self.glyphs[key]

    def alpha(self, value: float) -> str:
        """The name of a degree of transparency."""
        return self.alphas.setdefault(value, f"SmA{round(value * 100)}x{len(self.alphas)}")


def page_content(sheet: SheetMarks, names: PropertyNames, ink: Ink) -> bytes:
    """The content of one page. names has the resource names of layers and phases ("OC0").

    PlateError for a place that is not a number.
    """
    shapes = [m for m in sheet.marks if not isinstance(m, Text)]
    texts = [m for m in sheet.marks if isinstance(m, Text) and m.text.strip()]
    scale = f"{1.0 / UNITS:.4f}"
    out = [f"q {scale} 0 0 {scale} 0 0 cm"]
    _by_layer(out, shapes, names, _Shapes(ink).write)
    out.append("Q\nq 1 1 1 RG 1 j")
    _by_layer(out, [t for t in texts if t.halo_pt > 0], names, _halos)
    out.append("Q")
    _by_layer(out, texts, names, lambda run: _texts(run, ink))
    return "\n".join(out).encode("ascii")


def _by_layer(
    out: list[str],
    marks: Sequence[_Painted],
    names: PropertyNames,
    write: Callable[[list[_Painted]], Iterable[str]],
) -> None:
    """Runs of marks of one layer (and phases), each run inside that layer's optional content."""
    for (layer, phases), run in groupby(marks, key=lambda m: (m.layer, phases_of(m.layer))):
        around = [key for key in (layer, phases) if key]
        out.extend(f"/OC /{names[key]} BDC" for key in around)
        out.extend(write(list(run)))
        out.extend("EMC" for _ in around)


# ---------------------------------------------------------------------------------- shapes


class _Shapes:
    """Lines, areas and pictures; a pen is only written where it changes."""

    def __init__(self, ink: Ink) -> None:
        self._ink = ink
        self._pen: dict[str, str] = {}

    def write(self, marks: Iterable[Lines | Areas | Image]) -> Iterator[str]:
        for mark in marks:
            if isinstance(mark, Lines):
                yield from self._lines(mark)
            elif isinstance(mark, Areas):
                yield from self._areas(mark)
            else:
                yield image_operators(mark, UNITS)

    def _lines(self, mark: Lines) -> Iterator[str]:
        if mark.weight_pt <= 0:
            return  # PDF would draw it as thin as the device can, which is not "nothing"
        paths = [path for path in mark.paths if len(path) > 1]
        step = COARSE if sum(map(len, paths)) > MANY_VERTICES else 1
        pen = self._pen_of(mark, UNITS / step)
        if step > 1:  # in units of its own: half the digits
            yield f"q {step} 0 0 {step} 0 0 cm"
            yield from (f"{operands} {operator}" for operator, operands in pen.items())
        else:
            yield from self._set(pen)
        for some in _chunks(paths):
            yield _outline(mark.layer, some, UNITS / step)
            yield "S"
        if step > 1:
            yield "Q"

    def _pen_of(self, mark: Lines, per_point: float) -> dict[str, str]:
        """The pen of a mark, by operator, in so many units to the point."""
        dashes = " ".join(f"{v * per_point:g}" for v in mark.dash_pt)
        return {
            "RG": _colour(mark.ink),
            "w": f"{mark.weight_pt * per_point:g}",
            "d": f"[{dashes}] 0",
            "J": str(CAPS[mark.cap]),
            "j": str(JOINS[mark.join]),
            "gs": f"/{self._ink.alpha(mark.alpha)}",
        }

    def _areas(self, mark: Areas) -> Iterator[str]:
        rings = [_turned(r, i > 0) for p in mark.polygons for i, r in enumerate(p) if len(r) > 2]
        if not rings:
            return
        yield from self._set({"rg": _colour(mark.fill), "gs": f"/{self._ink.alpha(mark.alpha)}"})
        # one compound path: areas of one fill that touch show no seam and darken nothing
        yield _outline(mark.layer, rings, UNITS, closed=True)
        yield "f"

    def _set(self, wanted: dict[str, str]) -> Iterator[str]:
        for operator, operands in wanted.items():
            if self._pen.get(operator) != operands:
                self._pen[operator] = operands
                yield f"{operands} {operator}"


def _colour(ink: str) -> str:
    """Red, green and blue of "#rrggbb", each from 0 to 1."""
    return " ".join(f"{int(ink[i : i + 2], 16) / 255.0:.4g}" for i in (1, 3, 5))


def _turned(ring: Path, hole: bool) -> Path:
    """The ring counter-clockwise, a hole clockwise: so the nonzero rule leaves holes open."""
    x, y = ring[:, 0] - ring[0, 0], ring[:, 1] - ring[0, 1]
    doubled = float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))
    return ring if (doubled < 0) == hole else ring[::-1]


def _chunks(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Paths together, as many as make one path of the file."""
    gathered: list[Path] = []
    count = 0
    for path in paths:
        gathered.append(path)
        count += len(path)
        if count >= MOST_VERTICES:
            yield gathered
            gathered, count = [], 0
    if gathered:
        yield gathered


def _outline(layer: str, paths: Sequence[Path], per_point: float, *, closed: bool = False) -> str:
    """The operators of paths in inches; one that returns to its start has a join there.

    Places are whole numbers, so many to the point; a place that repeats the one before is left
    out.
    """
    vertices = np.concatenate(paths)
    if not np.isfinite(vertices).all():
        raise PlateError(
            f'a mark of the layer "{layer}" has a place that is not a number; '
            "the plate is not written. Check that layer for damaged coordinates"
        )
    whole = np.rint(vertices * (POINTS * per_point)).astype(np.int64)
    lengths = np.array([len(p) for p in paths])
    ends = np.cumsum(lengths) - 1
    starts = ends - lengths + 1
    back = (vertices[starts] == vertices[ends]).all(axis=1) & (lengths > 3)
    kept = np.ones(len(whole), dtype=bool)
    kept[1:] = (whole[1:] != whole[:-1]).any(axis=1)
    kept[starts] = kept[ends] = True
    kept[ends[back]] = False  # "h" goes there
    counts = np.add.reduceat(kept, starts)
    template = "".join(
        _template(n, closed or shut) for n, shut in zip(counts.tolist(), back.tolist(), strict=True)
    )
    return template % tuple(whole[kept].ravel().tolist())


def _template(count: int, closed: bool) -> str:
    return "%d %d m\n" + "%d %d l\n" * (count - 1) + ("h\n" if closed else "")


# ------------------------------------------------------------------------------------ text


def _halos(texts: Iterable[Text]) -> Iterator[str]:
    """White outlines of letters, a path for each text; half of a stroke lies inside the letter."""
    for text in texts:
        outline = fonts.halo_outline(text.text, text.bold, text.italic, HALO_EM)
        if not outline:
            continue
        em_pt = fonts.points_for_cap(text.cap_in, text.bold, text.italic)
        weight = 2.0 * text.halo_pt / em_pt * HALO_EM
        yield f"q {_matrix(text, em_pt / HALO_EM)} cm {weight:.4g} w\n{outline}S Q"


def _texts(texts: Iterable[Text], ink: Ink) -> Iterator[str]:
    yield "BT"
    pen: tuple[str, str] = ("", "")
    for text in texts:
        use = ink.font(text.bold, text.italic)
        size = fonts.points_for_cap(text.cap_in, text.bold, text.italic)
        wanted = f"{_colour(text.ink)} rg", f"/{use.name} {size:.5f} Tf"
        yield from (new for new, old in zip(wanted, pen, strict=True) if new != old)
        pen = wanted
        letters = use.hex_of(fonts.drawable(text.text, text.bold, text.italic))
        yield f"{_matrix(text, 1.0)} Tm <{letters}> Tj"
    yield "ET"


def _matrix(text: Text, scale: float) -> str:
    """Where a text stands and how it is turned."""
    turn = np.deg2rad(text.rotation_deg)
    cos, sin = float(np.cos(turn)) * scale, float(np.sin(turn)) * scale
    x, y = _start_pt(text)
    if not (np.isfinite(x) and np.isfinite(y)):
        raise PlateError(f'the text "{text.text}" has a place that is not a number')
    return " ".join(f"{v:.6f}".rstrip("0").rstrip(".") for v in (cos, sin, -sin, cos, x, y))


def start_in(text: Text) -> tuple[float, float]:
    """Where the baseline of a text begins, in inches on the sheet."""
    x, y = _start_pt(text)
    return x / POINTS, y / POINTS


def _start_pt(text: Text) -> tuple[float, float]:
    width = fonts.text_width_in(text.text, text.cap_in, text.bold, text.italic)
    back = {"left": 0.0, "center": width / 2.0, "right": width}[text.ha]
    down = {
        "baseline": 0.0,
        "center": text.cap_in / 2.0,
        "top": text.cap_in,
        "bottom": -fonts.descent_in(text.cap_in, text.bold, text.italic),
    }[text.va]
    turn = np.deg2rad(text.rotation_deg)
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    x = text.x_in - back * cos + down * sin
    y = text.y_in - back * sin - down * cos
    return x * POINTS, y * POINTS
