"""What is ruled over and around the map: the alphanumeric grid, State Plane ticks, neatline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sitemap.measures.grid import RegularGrid
from sitemap.plate.drawing import MAP_CAP_IN, MapDrawing, turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import GroundFrame, Lines, Mark, Path, Text
from sitemap.plate.occupancy import Box

GRID_INK = "#999999"
GRID_CAP_IN = 0.14
TICKS_EVERY_FT = 500.0
TICK_IN = 0.10


@dataclass(frozen=True)
class Axis:
    """Lines of the grid along one side of the frame: their places in inches, rising, and the
    label between each two of them.
    """

    at_in: np.ndarray
    labels: tuple[str, ...]


def grid_axes(frame: GroundFrame, grid: RegularGrid) -> tuple[Axis, Axis]:
    """What is lettered across the frame and what up it: columns and rows, or where north lies to
    the left rows and columns.
    """
    columns = np.column_stack([grid.column_edges, np.full(grid.columns + 1, frame.origin_ft[1])])
    rows = np.column_stack([np.full(grid.rows + 1, frame.origin_ft[0]), grid.row_edges])
    on_paper = frame.to_paper(columns), frame.to_paper(rows)
    if frame.north_left:
        across = Axis(on_paper[1][:, 0], grid.row_labels)
        return across, Axis(on_paper[0][:, 1], grid.column_labels)
    up = Axis(on_paper[1][::-1, 1], grid.row_labels[::-1])
    return Axis(on_paper[0][:, 0], grid.column_labels), up


def grid_lines(frame: GroundFrame, grid: RegularGrid, layer: str) -> Lines:
    """The lines between cells, over the whole map and under everything on it."""
    left, bottom, right, top = frame.box_in
    x, y = (axis.at_in for axis in grid_axes(frame, grid))
    across = [np.array([[v, bottom], [v, top]]) for v in x if left + 1e-6 < v < right - 1e-6]
    up = [np.array([[left, v], [right, v]]) for v in y[::-1] if bottom + 1e-6 < v < top - 1e-6]
    return Lines(layer, tuple(across + up), 0.25, GRID_INK)


def grid_letters(frame: GroundFrame, grid: RegularGrid, layer: str, band_in: float) -> list[Mark]:
    """References on all four sides of the frame, each amid its part of the edge."""
    left, bottom, right, top = frame.box_in
    cap = min(GRID_CAP_IN, band_in * 0.45)
    x_axis, y_axis = grid_axes(frame, grid)
    x, y = x_axis.at_in, y_axis.at_in
    marks: list[Mark] = []
    half = band_in / 2.0
    for words, middle in _amid(x_axis.labels, x, left, right):
        for edge in (top + half, bottom - half):
            marks.append(_reference(layer, middle, edge, words, cap))
    for words, middle in _amid(y_axis.labels, y, bottom, top):
        for edge in (left - half, right + half):
            marks.append(_reference(layer, edge, middle, words, cap))
    across = [v for v in x if left < v < right]
    up = [v for v in y[::-1] if bottom < v < top]
    ends = [
        np.array([[v, a], [v, b]])
        for v in across
        for a, b in ((top, top + half), (bottom - half, bottom))
    ]
    ends += [
        np.array([[a, v], [b, v]])
        for v in up
        for a, b in ((right, right + half), (left - half, left))
    ]
    marks.append(Lines(layer, tuple(ends), 0.25, GRID_INK))
    return marks


def _amid(
    labels: tuple[str, ...], edges: np.ndarray, low: float, high: float
) -> list[tuple[str, float]]:
    """Each label with the middle of what the frame shows of its cells; unseen cells left out."""
    ends = np.clip(edges, low, high)
    return [
        (label, float((a + b) / 2.0))
        for label, a, b in zip(labels, ends[:-1], ends[1:], strict=True)
        if b - a > 1e-6
    ]


def _reference(layer: str, x: float, y: float, text: str, cap: float) -> Text:
    return Text(layer, x, y - cap / 2.0, text, cap, bold=True, ha="center")


def neatline(frame: GroundFrame) -> Lines:
    """The line around the map."""
    left, bottom, right, top = frame.box_in
    ring = np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])
    return Lines("", (ring,), 0.7, join="miter")


def coordinate_ticks(drawing: MapDrawing, layer: str) -> None:
    """Ticks inside the frame at every 500 ft of easting and northing, with the numbers."""
    frame = drawing.frame
    left, bottom, right, top = frame.box_in
    low, high = frame.corners_ft.min(axis=0), frame.corners_ft.max(axis=0)
    strokes: list[Path] = []
    for number, letter in ((0, "E"), (1, "N")):
        first = np.ceil(low[number] / TICKS_EVERY_FT)
        for ground in np.arange(first, high[number] / TICKS_EVERY_FT) * TICKS_EVERY_FT:
            place = low.copy()
            place[number] = ground
            x, y = (float(v) for v in frame.to_paper(place[None, :])[0])
            words = f"{letter} {ground:,.0f}"
            if (number == 1) is frame.north_left:
                strokes += [
                    np.array([[x, bottom], [x, bottom + TICK_IN]]),
                    np.array([[x, top - TICK_IN], [x, top]]),
                ]
                _coordinate(drawing, layer, x, bottom + TICK_IN + 0.05, words, upright=False)
            else:
                strokes += [
                    np.array([[left, y], [left + TICK_IN, y]]),
                    np.array([[right - TICK_IN, y], [right, y]]),
                ]
                _coordinate(drawing, layer, left + TICK_IN + 0.05, y, words, upright=True)
    if strokes:
        drawing.texts.append(Lines(layer, tuple(strokes), 0.7))


def _coordinate(
    drawing: MapDrawing, layer: str, x: float, y: float, words: str, *, upright: bool
) -> None:
    """The number at a tick: level over a bottom tick, level beside a left one."""
    width = text_width_in(words, MAP_CAP_IN)
    box = (
        Box(x + width / 2.0, y, width, MAP_CAP_IN)
        if upright
        else Box(x, y + MAP_CAP_IN / 2.0, width, MAP_CAP_IN)
    )
    if drawing.occupancy.free(box):
        drawing.add_text(turned_text(layer, box, words, ink="#444444"), box)


def control_places(frame: GroundFrame, inset_in: float = 0.6) -> tuple[tuple[float, float], ...]:
    """Ground of four control crosses, at whole tens of feet near the corners of the frame."""
    left, bottom, right, top = frame.box_in
    inset = min(inset_in, (right - left) / 8.0, (top - bottom) / 8.0)
    x, y = (left + inset, right - inset), (bottom + inset, top - inset)
    wanted = np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    ground = np.round(frame.to_ground(wanted) / 10.0) * 10.0
    return tuple((float(e), float(n)) for e, n in ground)
