"""Points on the map: markers with their letters, moved apart where two stand on one place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.plate.boxes import Box
from sitemap.plate.clip import (
    GeometryArray,
    clip_points,
)
from sitemap.plate.drawing import MAP_CAP_IN, Label, LetterMarkers, MapDrawing
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, Lines, Mark, Path, Text
from sitemap.plate.points import is_closed, marker_outline, marker_size
from sitemap.plate.styles import Style

if TYPE_CHECKING:
    import geopandas


from sitemap.plate.feature_labels import feature_label


def draw_points(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
) -> None:
    """Put points of one style on the map; owner gives the row of the frame that each belongs to."""
    places, part = clip_points(shapes, drawing.frame)
    if not len(places):
        return
    drawing.note(style, 0)
    lines = [feature_label(style, frame, int(row)) for row in owner[part]]
    slot: list[Mark] = []
    drawing.items.append(slot)
    waiting = LetterMarkers(style, places, lines, slot)
    if marker_of(style)[1]:
        drawing.markers.append(waiting)
    else:
        _set(drawing, waiting)


def set_markers(drawing: MapDrawing) -> None:
    """Set the lettered symbols, each off what stands on its place already."""
    for waiting in drawing.markers:
        waiting.places = _set_apart(drawing, waiting)
        _set(drawing, waiting)


def _set(drawing: MapDrawing, waiting: LetterMarkers) -> None:
    """Draw markers at their places and ask for their labels."""
    style, size = waiting.style, marker_extent(waiting.style)
    for mark in marker_marks(style, waiting.places):
        (drawing.texts if isinstance(mark, Text) else waiting.slot).append(mark)
    for (x, y), lines in zip(waiting.places, waiting.lines, strict=True):
        drawing.occupancy.take(Box(float(x), float(y), *size))
        if lines:
            drawing.labels.append(
                Label(
                    style.role,
                    style.title,
                    lines,
                    style.symbol.label_priority,
                    "point",
                    shapely.Point(float(x), float(y)),
                    ink=style.symbol.ink,
                    bold=style.role in ("discharges", "outfalls", "controls"),
                    reach_in=max(size) / 2.0,
                    flag=style.role == "discharges",
                )
            )


def _set_apart(drawing: MapDrawing, waiting: LetterMarkers) -> Path:
    """Places moved off symbols that stand there already (an inlet under its protection).

    A short stroke ties the moved symbol to its place. Where all is taken around, it stays.
    """
    style, size = waiting.style, marker_extent(waiting.style)
    apart = waiting.places.copy()
    strokes = []
    for number, (x, y) in enumerate(waiting.places):
        here = Box(float(x), float(y), *size)
        if drawing.occupancy.free(here):
            drawing.occupancy.take(here)
            continue
        best = _nearest_free(drawing, here)
        if best is None:
            continue
        drawing.occupancy.take(best)
        apart[number] = best.x_in, best.y_in
        strokes.append(np.array([[x, y], [best.x_in, best.y_in]]))
    if strokes:
        waiting.slot.append(Lines(style.title, tuple(strokes), 0.5, style.symbol.ink))
    return apart


def _nearest_free(drawing: MapDrawing, box: Box) -> Box | None:
    """The nearest ring of places around a box that has a free one; there the cleanest."""
    half = box.width_in / 2.0
    for reach in (0.12, 0.2, 0.35, 0.55, 0.8):
        away = half + reach
        near = [
            replace(box, x_in=box.x_in + dx * away, y_in=box.y_in + dy * away)
            for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1.2), (0, -1.2))
        ]
        free = [one for one in near if drawing.occupancy.free(one)]
        if free:
            return min(free, key=drawing.occupancy.ink_under)
    return None


def marker_of(style: Style) -> tuple[str, str]:
    """Marker and letters; a line's or an area's symbol given as a point is letters in a circle."""
    symbol = style.symbol
    if symbol.marker:
        return symbol.marker, symbol.letters
    return "circle", symbol.letters or symbol.text or style.key[:3]


def marker_extent(style: Style) -> tuple[float, float]:
    """Width and height of a marker in inches."""
    marker, letters = marker_of(style)
    letters_width = text_width_in(letters, MAP_CAP_IN, bold=True) if letters else 0.0
    return marker_size(marker, style.symbol.marker_size_in, letters_width)


def marker_marks(style: Style, places: Path) -> list[Mark]:
    """Marker, white under it, and its letters at places in inches."""
    symbol, size = style.symbol, marker_extent(style)
    marker, letters = marker_of(style)
    outline = marker_outline(marker, *size)
    marks: list[Mark] = []
    if outline and is_closed(marker):
        filled = tuple((outline[0] + place,) for place in places)
        marks.append(Areas(style.title, filled, symbol.fill or "#ffffff", symbol.fill_alpha))
    if outline:
        strokes = tuple(stroke + place for place in places for stroke in outline)
        marks.append(Lines(style.title, strokes, symbol.weight_pt, symbol.ink, join="miter"))
    if letters:
        drop = 0.02 if marker == "triangle" else 0.0
        marks.extend(
            Text(
                style.title,
                float(x),
                float(y) - MAP_CAP_IN / 2.0 + drop,
                letters,
                MAP_CAP_IN,
                bold=True,
                ink=symbol.ink,
                ha="center",
            )
            for x, y in places
        )
    return marks
