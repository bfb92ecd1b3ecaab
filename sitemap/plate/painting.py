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
from sitemap.plate.ink import Ink
from sitemap.plate.marks import Areas, Image, Lines, SheetMarks, Text, phases_of
from sitemap.plate.phase_groups import PropertyNames
from sitemap.plate.shape_operators import UNITS, Shapes, colour

POINTS = 72.0  # per inch
HALO_EM = 200  # steps to the em of the outline under a text: 0.04 pt of map lettering
_Painted = TypeVar("_Painted", Lines | Areas | Image, Text)


def page_content(sheet: SheetMarks, names: PropertyNames, ink: Ink) -> Iterator[str]:
    """The lines of one page's content, which of a map of lidar come to ten megabytes.

    names has the resource names of layers and phases ("OC0"). PlateError for a place that is not a
    number.
    """
    shapes = [m for m in sheet.marks if not isinstance(m, Text)]
    texts = [m for m in sheet.marks if isinstance(m, Text) and m.text.strip()]
    scale = f"{1.0 / UNITS:.4f}"
    yield f"q {scale} 0 0 {scale} 0 0 cm"
    yield from _by_layer(shapes, names, Shapes(ink).write)
    yield "Q\nq 1 1 1 RG 1 j"
    yield from _by_layer([t for t in texts if t.halo_pt > 0], names, _halos)
    yield "Q"
    yield from _by_layer(texts, names, lambda run: _texts(run, ink))


def _by_layer(
    marks: Sequence[_Painted],
    names: PropertyNames,
    write: Callable[[list[_Painted]], Iterable[str]],
) -> Iterator[str]:
    """Runs of marks of one layer (and phases), each run inside that layer's optional content."""
    for (layer, phases), run in groupby(marks, key=lambda m: (m.layer, phases_of(m.layer))):
        around = [key for key in (layer, phases) if key]
        yield from (f"/OC /{names[key]} BDC" for key in around)
        yield from write(list(run))
        yield from ("EMC" for _ in around)


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
        wanted = f"{colour(text.ink)} rg", f"/{use.name} {size:.5f} Tf"
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
