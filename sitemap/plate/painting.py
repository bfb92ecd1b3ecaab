"""Marks onto a page of matplotlib's PDF renderer, each layer between its own marks of content.

Everything is painted by one artist straight in points of paper: no axes, no autoscale, no
layout engine and no simplification stands between an inch of a mark and an inch of the sheet.
Geometry comes first and text last, because readers of vectors stop at the first text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_pdf import Verbatim
from matplotlib.colors import to_rgb
from matplotlib.path import Path as Outline
from matplotlib.text import Text as ShapedText
from matplotlib.transforms import Affine2D

from sitemap.errors import PlateError
from sitemap.plate import fonts
from sitemap.plate.marks import Areas, Lines, Path, SheetMarks, Text

POINTS = 72.0  # per inch
MOST_VERTICES = 5000  # in one path; viewers choke on endless ones
_TO_POINTS = Affine2D().scale(POINTS)
_Painted = TypeVar("_Painted", Lines | Areas, Text)


class SheetArtist(Artist):
    """Paints one sheet. property_names gives the resource name of each layer ("OC0")."""

    def __init__(self, sheet: SheetMarks, property_names: dict[str, str]) -> None:
        super().__init__()
        self._sheet = sheet
        self._names = property_names

    def draw(self, renderer: Any) -> None:
        """Called by the figure while it is saved."""
        shapes = [m for m in self._sheet.marks if not isinstance(m, Text)]
        texts = [m for m in self._sheet.marks if isinstance(m, Text) and m.text.strip()]
        brush = _Brush(renderer)
        self._by_layer(renderer, shapes, brush.shapes)
        self._by_layer(renderer, [t for t in texts if t.halo_pt > 0], brush.halos)
        self._by_layer(renderer, texts, brush.texts)

    def _by_layer(
        self,
        renderer: Any,
        marks: Sequence[_Painted],
        paint: Callable[[list[_Painted]], None],
    ) -> None:
        """Paint runs of marks of one layer, each run inside that layer's optional content."""
        for layer, run in groupby(marks, key=lambda mark: mark.layer):
            if layer:
                self._content(renderer, f"/OC /{self._names[layer]} BDC")
            paint(list(run))
            if layer:
                self._content(renderer, "EMC")

    @staticmethod
    def _content(renderer: Any, operator: str) -> None:
        """Write an operator of PDF as it is into the page's content."""
        renderer.file.output(Verbatim(operator.encode()))  # type: ignore[no-untyped-call]


class _Brush:
    """One graphics context on one page."""

    def __init__(self, renderer: Any) -> None:
        self._renderer = renderer
        self._gc = renderer.new_gc()
        self._gc.set_antialiased(True)
        self._fonts: dict[tuple[bool, bool, float], Any] = {}
        self._unshaped = _without_kerning()

    def shapes(self, marks: Iterable[Lines | Areas]) -> None:
        for mark in marks:
            if isinstance(mark, Lines):
                self._lines(mark)
            else:
                self._areas(mark)

    def _lines(self, mark: Lines) -> None:
        if mark.weight_pt <= 0:
            return  # PDF would draw it as thin as the device can, which is not "nothing"
        self._pen(mark.ink, mark.weight_pt, mark.alpha, mark.cap, mark.join)
        self._gc.set_dashes(0, list(mark.dash_pt) or None)
        for outline in _outlines(mark.layer, mark.paths):
            self._renderer.draw_path(self._gc, outline, _TO_POINTS)

    def _areas(self, mark: Areas) -> None:
        self._pen("#ffffff", 0.0, mark.alpha)
        fill = to_rgb(mark.fill)
        rings = [_turned(r, i > 0) for p in mark.polygons for i, r in enumerate(p) if len(r) > 2]
        # one compound path: areas of one fill that touch show no seam and darken nothing
        for outline in _outlines(mark.layer, rings, closed=True, most=None):
            self._renderer.draw_path(self._gc, outline, _TO_POINTS, fill)

    def halos(self, texts: Iterable[Text]) -> None:
        for halo_pt, run in groupby(texts, key=lambda text: text.halo_pt):
            self._pen("#ffffff", 2.0 * halo_pt)  # half of a stroke lies inside the letter
            for text in run:
                outline = fonts.text_outline(text.text, text.bold, text.italic)
                if len(outline.vertices):
                    self._renderer.draw_path(
                        self._gc, Outline(outline.vertices, outline.codes), _placed(text)
                    )

    def texts(self, texts: Iterable[Text]) -> None:
        for text in texts:
            self._pen(text.ink, 0.0)
            x, y = _start_pt(text)
            self._renderer.draw_text(
                self._gc,
                x,
                y,
                fonts.drawable(text.text, text.bold, text.italic),
                self._font(text),
                text.rotation_deg,
                ismath=False,
                mtext=self._unshaped,
            )

    def _pen(
        self, ink: str, weight_pt: float, alpha: float = 1.0, cap: str = "butt", join: str = "round"
    ) -> None:
        self._gc.set_foreground(to_rgb(ink))
        self._gc.set_linewidth(weight_pt)
        self._gc.set_alpha(alpha)
        self._gc.set_capstyle(cap)
        self._gc.set_joinstyle(join)
        self._gc.set_dashes(0, None)

    def _font(self, text: Text) -> Any:
        size_pt = fonts.points_for_cap(text.cap_in, text.bold, text.italic)
        key = (text.bold, text.italic, size_pt)
        if key not in self._fonts:
            self._fonts[key] = fonts.font_properties(text.bold, text.italic).copy()
            self._fonts[key].set_size(size_pt)
        return self._fonts[key]


def _without_kerning() -> ShapedText | None:
    """What tells the renderer to set letters by their advances alone, each as itself."""
    shaped = ShapedText()
    if not hasattr(shaped, "set_fontfeatures"):  # matplotlib before 3.11 knows no features
        return None
    shaped.set_fontfeatures(("-kern", "-liga", "-clig"))
    return shaped


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


def _placed(text: Text) -> Affine2D:
    """From em of an outline to points on the sheet."""
    size_pt = fonts.points_for_cap(text.cap_in, text.bold, text.italic)
    placed = Affine2D().scale(size_pt).rotate_deg(text.rotation_deg)
    return placed.translate(*_start_pt(text))


def _turned(ring: Path, hole: bool) -> Path:
    """The ring counter-clockwise, a hole clockwise: so the nonzero rule leaves holes open."""
    x, y = ring[:, 0] - ring[0, 0], ring[:, 1] - ring[0, 1]
    doubled = float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))
    return ring if (doubled < 0) == hole else ring[::-1]


def _outlines(
    layer: str, paths: Iterable[Path], closed: bool = False, most: int | None = MOST_VERTICES
) -> Iterator[Outline]:
    """Paths in inches, joined to compound outlines of at most so many vertices."""
    gathered: list[Path] = []
    count = 0
    for path in paths:
        if len(path) < 2:
            continue
        gathered.append(path)
        count += len(path)
        if most is not None and count >= most:
            yield _compound(layer, gathered, closed)
            gathered, count = [], 0
    if gathered:
        yield _compound(layer, gathered, closed)


def _compound(layer: str, paths: list[Path], closed: bool) -> Outline:
    vertices = np.concatenate(paths).astype(float, copy=False)
    if not np.isfinite(vertices).all():
        raise PlateError(
            f'a mark of the layer "{layer}" has a place that is not a number; '
            "the plate is not written. Check that layer for damaged coordinates"
        )
    codes = np.full(len(vertices), Outline.LINETO, dtype=np.uint8)
    lengths = np.array([len(p) for p in paths])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    codes[starts] = Outline.MOVETO
    ends = starts + lengths - 1
    back = (vertices[starts] == vertices[ends]).all(axis=1) & (lengths > 3)
    codes[ends[back]] = Outline.CLOSEPOLY  # a join at the start instead of two ends
    return Outline(vertices, codes, readonly=True)
