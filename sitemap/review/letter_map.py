"""The small map beside a fact: the fault in its surroundings, redlines, grid north, a scale bar.

The surroundings are those that the report of the check keeps; an older report has none.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import shapely
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from sitemap.decisions import Redline
from sitemap.review.saved_check import SavedOutlines

WIDTH_IN, HEIGHT_IN, DPI = 3.2, 2.1, 150
LEAST_WINDOW_FT = 160.0
MARGIN = 0.25  # of the fault's size, on each side
FAULT, REDLINE, INK, CELL = "#b3001b", "#0b5394", "#26323a", "#8a8a8a"
MOST_WORDS = 40  # letters of a redline's text


class Around:
    """Boundary, cells and layers near the findings, as shapes; what cannot be read is left out."""

    def __init__(self, outlines: SavedOutlines) -> None:
        self.boundary = _shape(outlines.boundary)
        cells = ((cell.label, _shape(cell.geometry)) for cell in outlines.cells)
        self.cells = {label: ground for label, ground in cells if ground is not None}
        layers = ((layer.ink, _shape(layer.geometry)) for layer in outlines.layers)
        self.layers = [(ink, drawn) for ink, drawn in layers if drawn is not None]


def _shape(geometry: dict[str, Any] | None) -> BaseGeometry | None:
    if geometry is None:
        return None
    try:
        drawn = shape(geometry)
        finite = bool(np.isfinite(shapely.get_coordinates(drawn)).all())
    except Exception:  # shapely raises many kinds; a map without its surroundings is still one
        return None
    return drawn if finite and not drawn.is_empty else None


def draw_map(
    fault: BaseGeometry, redlines: Sequence[Redline], cell: str, around: Around | None = None
) -> bytes:
    """A PNG of a fault in the site CRS (feet); the same bytes each time."""
    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), dpi=DPI)
    FigureCanvasAgg(figure)
    axes: Axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    left, bottom, right, top = _window(fault)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_xticks([])
    axes.set_yticks([])
    window = shapely.box(left, bottom, right, top)
    if around is not None:
        _surroundings(axes, around, cell, window)
    _draw(axes, shapely.force_2d(fault), FAULT, fill=True)
    for line in redlines:
        if line.ground.intersects(window):
            _draw(axes, shapely.force_2d(line.ground), REDLINE, fill=False)
            spot = line.ground.intersection(window).representative_point()
            words = "".join(c if c.isprintable() else " " for c in line.text)[:MOST_WORDS]
            axes.annotate(
                words,
                (spot.x, spot.y),
                (4, 4),
                textcoords="offset points",
                fontsize=7,
                color=REDLINE,
                parse_math=False,
            )
    _furniture(axes, (left, bottom, right, top), cell)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=DPI, metadata={"Software": None})
    return picture.getvalue()


def _surroundings(axes: Axes, around: Around, cell: str, window: BaseGeometry) -> None:
    """The grid cell pale under all, the near layers thin in their inks, the boundary over them."""
    ground = around.cells.get(cell)
    if ground is not None:
        for area in _parts(ground):
            _line(axes, shapely.boundary(area), CELL, 0.8, (0, (4, 3)))
    for ink, drawn in around.layers:
        for part in _parts(shapely.intersection(drawn, window)):
            if part.geom_type == "Point":
                xy = shapely.get_coordinates(part)
                axes.plot(xy[:, 0], xy[:, 1], marker="s", ms=3, mfc="#ffffff", mec=ink, mew=0.8)
            else:
                _line(axes, part, f"{ink}cc", 0.7)
    if around.boundary is not None:
        for area in _parts(around.boundary):
            _line(axes, shapely.boundary(area), "#000000", 1.3, (0, (8, 2, 2, 2)))


def _line(axes: Axes, line: BaseGeometry, ink: str, weight_pt: float, dash: Any = "solid") -> None:
    for part in _parts(line):
        xy = shapely.get_coordinates(part)
        axes.plot(xy[:, 0], xy[:, 1], color=ink, lw=weight_pt, ls=dash)


def _window(fault: BaseGeometry) -> tuple[float, float, float, float]:
    """The ground shown: the fault with a margin, in the shape of the picture."""
    x0, y0, x1, y1 = fault.bounds
    margin = max(MARGIN * max(x1 - x0, y1 - y0), LEAST_WINDOW_FT / 2)
    across, up = x1 - x0 + 2 * margin, y1 - y0 + 2 * margin
    if across / up < WIDTH_IN / HEIGHT_IN:
        across = up * WIDTH_IN / HEIGHT_IN
    else:
        up = across * HEIGHT_IN / WIDTH_IN
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return x - across / 2, y - up / 2, x + across / 2, y + up / 2


def _draw(axes: Axes, geometry: BaseGeometry, ink: str, *, fill: bool) -> None:
    for part in _parts(geometry):
        xy = shapely.get_coordinates(part)
        if part.geom_type == "Point":
            axes.plot(xy[:, 0], xy[:, 1], marker="o", ms=7, mfc="none", mec=ink, mew=1.8)
            axes.plot(xy[:, 0], xy[:, 1], marker=".", ms=3, color=ink)
        elif isinstance(part, shapely.Polygon):
            face = f"{ink}33" if fill else "none"
            axes.add_patch(PathPatch(_outline(part), facecolor=face, edgecolor=ink, lw=1.6))
        else:
            axes.plot(xy[:, 0], xy[:, 1], color=ink, lw=2.2, solid_capstyle="round")


def _parts(geometry: BaseGeometry) -> Iterable[BaseGeometry]:
    for part in shapely.get_parts(geometry):
        if part.geom_type.startswith("Multi") or part.geom_type == "GeometryCollection":
            yield from _parts(part)
        elif not part.is_empty:
            yield part


def _outline(area: shapely.Polygon) -> Outline:
    rings = [shapely.get_coordinates(r) for r in (area.exterior, *area.interiors)]
    codes = [
        np.r_[Outline.MOVETO, np.full(len(r) - 2, Outline.LINETO), Outline.CLOSEPOLY] for r in rings
    ]
    return Outline(np.vstack(rings), np.concatenate(codes).astype(Outline.code_type))


def _furniture(axes: Axes, window: tuple[float, float, float, float], cell: str) -> None:
    """Frame, scale bar, north arrow, name of the cell."""
    left, _, right, _ = window
    for side in axes.spines.values():
        side.set_color(INK)
    most = (right - left) * 0.3
    power = 10.0 ** math.floor(math.log10(most))
    length = max(d * power for d in (1, 2, 5) if d * power <= most)
    share = length / (right - left)
    at = axes.transAxes
    axes.plot([0.04, 0.04 + share], [0.07, 0.07], color=INK, lw=2, transform=at)
    clear = {"facecolor": "#ffffff", "alpha": 0.85, "linewidth": 0, "pad": 1.0}
    words = {"fontsize": 7, "color": INK, "transform": at, "parse_math": False, "bbox": clear}
    axes.text(0.04, 0.1, f"{length:,.6g} ft", **words)  # type: ignore[arg-type]
    axes.annotate(
        "N",
        xy=(0.94, 0.95),
        xytext=(0.94, 0.76),
        xycoords=at,
        ha="center",
        fontsize=7,
        color=INK,
        arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0},
    )
    if cell:
        axes.text(0.04, 0.89, f"cell {cell}"[:MOST_WORDS], **words)  # type: ignore[arg-type]
