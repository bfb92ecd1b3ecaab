"""What is ruled over and around the map: the alphanumeric grid, State Plane ticks, neatline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.grid import RegularGrid
from sitemap.measures.turn import unturned
from sitemap.plate.boxes import Box
from sitemap.plate.drawing import MAP_CAP_IN, MapDrawing, turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import GroundFrame, Lines, Mark, Path, Text

GRID_INK = "#999999"
GRID_CAP_IN = 0.14
TICKS_EVERY_FT = (500.0, 200.0, 100.0, 50.0, 20.0, 10.0)  # the first that gives two lines each way
TICK_IN = 0.10
LEAST_CHORD_IN = 1.5
LEVEL = 1e-6  # of a direction that is upright


@dataclass(frozen=True)
class Axis:
    """Lines of the grid along one side of the frame: their places in inches, rising, and the
    label between each two of them.
    """

    at_in: np.ndarray
    labels: tuple[str, ...]


def grid_axes(frame: GroundFrame, grid: RegularGrid) -> tuple[Axis, Axis]:
    """What is lettered across the frame and what up it: columns and rows, or where the grid lies a
    quarter turn from the paper rows and columns.
    """
    x0, y0 = grid.bounds_ft[:2]
    columns = np.column_stack([grid.column_edges, np.full(grid.columns + 1, y0)])
    rows = np.column_stack([np.full(grid.rows + 1, x0), grid.row_edges])
    named = [
        (frame.to_paper(unturned(edges, grid.turn_deg)), labels)
        for edges, labels in ((columns, grid.column_labels), (rows, grid.row_labels))
    ]
    spans = np.abs(named[0][0][-1] - named[0][0][0])
    if spans[1] > spans[0]:
        named.reverse()
    return _rising(named[0][0][:, 0], named[0][1]), _rising(named[1][0][:, 1], named[1][1])


def _rising(at_in: np.ndarray, labels: tuple[str, ...]) -> Axis:
    return Axis(at_in, labels) if at_in[0] < at_in[-1] else Axis(at_in[::-1], labels[::-1])


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
    """Ticks inside the frame where every 500 ft of easting and northing meet it, with the numbers.

    One line places nothing, so where the frame is small they are closer: at least two lines of
    each. They lie along the lines that they are the ends of, so on a turned sheet they lean.
    """
    strokes: list[Path] = []
    for words, (start, end) in _coordinate_lines(drawing.frame):
        along = (end - start) / np.hypot(*(end - start))
        strokes += [np.array([start, start + along * TICK_IN]),
                    np.array([end - along * TICK_IN, end])]  # fmt: skip
        _coordinate(drawing, layer, start, end, words)
    if strokes:
        drawing.texts.append(Lines(layer, tuple(strokes), 0.7))


def _coordinate_lines(frame: GroundFrame) -> list[tuple[str, np.ndarray]]:
    """What each line is called, and its two ends on paper; eastings, then northings."""
    for every_ft in TICKS_EVERY_FT:
        found = [_lines_every(frame, axis, every_ft) for axis in (0, 1)]
        if min(len(lines) for lines in found) >= 2:
            break
    return [line for lines in found for line in lines]


def _lines_every(frame: GroundFrame, axis: int, every_ft: float) -> list[tuple[str, np.ndarray]]:
    """The lines of equal easting (axis 0) or northing (1) on the map, every so many feet."""
    sheet = shapely.box(*frame.box_in)
    low, high = frame.corners_ft.min(axis=0), frame.corners_ft.max(axis=0)
    lines: list[tuple[str, np.ndarray]] = []
    first = np.ceil(low[axis] / every_ft)
    for ground in np.arange(first, high[axis] / every_ft) * every_ft:
        ends = np.array([low, high])
        ends[:, axis] = ground
        seen = shapely.intersection(sheet, shapely.LineString(frame.to_paper(ends)))
        if shapely.length(seen) >= LEAST_CHORD_IN:  # else it is over a corner of the frame
            lines.append((f"{'EN'[axis]} {ground:,.0f}", shapely.get_coordinates(seen)))
    return lines


def _coordinate(
    drawing: MapDrawing, layer: str, start: np.ndarray, end: np.ndarray, words: str
) -> None:
    """The number at the lower or left end of a line: level over or beside a tick that is upright
    or level, else along one that leans.
    """
    width = text_width_in(words, MAP_CAP_IN)
    along = (end - start) / np.hypot(*(end - start))
    x, y = np.abs(along)
    if y > x:
        foot, along = (start, along) if start[1] < end[1] else (end, -along)
    else:
        foot, along = (start, along) if start[0] < end[0] else (end, -along)
    if x < LEVEL:
        middle, turn = foot + along * (TICK_IN + 0.05 + MAP_CAP_IN / 2.0), 0.0
    else:
        middle = foot + along * (TICK_IN + 0.05 + width / 2.0)
        turn = float(np.rad2deg(np.arctan2(along[1], along[0])))
        turn = turn - 180.0 if turn > 90.0 else turn
    box = Box(float(middle[0]), float(middle[1]), width, MAP_CAP_IN, turn)
    inside = shapely.box(*drawing.frame.box_in).contains(shapely.Polygon(box.corners))
    if inside and drawing.occupancy.free(box):
        drawing.add_text(turned_text(layer, box, words, ink="#444444"), box)


def control_places(frame: GroundFrame, inset_in: float = 0.6) -> tuple[tuple[float, float], ...]:
    """Ground of four control crosses, at whole tens of feet near the corners of the frame."""
    left, bottom, right, top = frame.box_in
    inset = min(inset_in, (right - left) / 8.0, (top - bottom) / 8.0)
    x, y = (left + inset, right - inset), (bottom + inset, top - inset)
    wanted = np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    ground = np.round(frame.to_ground(wanted) / 10.0) * 10.0
    return tuple((float(e), float(n)) for e, n in ground)
