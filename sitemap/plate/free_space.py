"""The largest square of clear paper on a sheet, where an agency can put its stamp."""

from __future__ import annotations

import math

import numpy as np

from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, Image, Lines, SheetMarks, Text

CELL_IN = 0.1
EDGE_IN = 0.5  # of the paper, that printers leave white


def largest_free_square(sheet: SheetMarks) -> tuple[float, float, float]:
    """Side, and the place of its lower left corner, in inches; map frames are not clear."""
    taken = _taken(sheet)
    side = np.zeros((taken.shape[0] + 1, taken.shape[1] + 1), dtype=int)
    for y in range(taken.shape[0]):
        for x in np.flatnonzero(~taken[y]).tolist():
            side[y + 1, x + 1] = 1 + min(side[y, x], side[y, x + 1], side[y + 1, x])
    row, column = divmod(int(side.argmax()), side.shape[1])
    largest = int(side[row, column])
    return largest * CELL_IN, (column - largest) * CELL_IN, (row - largest) * CELL_IN


def _taken(sheet: SheetMarks) -> np.ndarray:
    """True for every cell of the sheet that has ink, from the lower left corner."""
    rows, columns = round(sheet.height_in / CELL_IN), round(sheet.width_in / CELL_IN)
    taken = np.zeros((rows, columns), dtype=bool)
    edge = math.ceil(EDGE_IN / CELL_IN)
    taken[:edge], taken[-edge:], taken[:, :edge], taken[:, -edge:] = True, True, True, True

    def take(left: float, bottom: float, right: float, top: float) -> None:
        cells = [max(0, math.floor(v / CELL_IN)) for v in (left, bottom)]
        ends = [max(0, math.floor(v / CELL_IN)) + 1 for v in (right, top)]
        taken[cells[1] : ends[1], cells[0] : ends[0]] = True

    for frame in sheet.frames:
        take(*frame.box_in)
    for mark in sheet.marks:
        if isinstance(mark, Lines):
            for path in mark.paths:
                _along(taken, path)
        elif isinstance(mark, Areas):
            for rings in mark.polygons:
                take(*rings[0].min(axis=0), *rings[0].max(axis=0))
        elif isinstance(mark, Image):
            take(*mark.box_in)
        else:
            take(*_box(mark))
    return taken


def _along(taken: np.ndarray, path: np.ndarray) -> None:
    """Take the cells that a line runs through."""
    steps = np.maximum(1, np.ceil(np.hypot(*np.diff(path, axis=0).T) / (CELL_IN / 2.0))).astype(int)
    for a, b, count in zip(path[:-1], path[1:], steps.tolist(), strict=True):
        cells = np.floor((a + np.linspace(0.0, 1.0, count + 1)[:, None] * (b - a)) / CELL_IN)
        rows = np.clip(cells[:, 1].astype(int), 0, taken.shape[0] - 1)
        taken[rows, np.clip(cells[:, 0].astype(int), 0, taken.shape[1] - 1)] = True


def _box(text: Text) -> tuple[float, float, float, float]:
    """The box around a text, whichever way it is turned."""
    width = text_width_in(text.text, text.cap_in, text.bold, text.italic)
    start = {"left": 0.0, "center": -width / 2.0, "right": -width}[text.ha]
    low = {"baseline": 0.0, "center": -text.cap_in / 2.0, "top": -text.cap_in, "bottom": 0.0}
    corners = np.array([[x, y] for x in (start, start + width)
                        for y in (low[text.va], low[text.va] + text.cap_in)])  # fmt: skip
    turn = math.radians(text.rotation_deg)
    matrix = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    placed = corners @ matrix + (text.x_in, text.y_in)
    left, bottom, right, top = (float(v) for v in (*placed.min(axis=0), *placed.max(axis=0)))
    return left, bottom, right, top
