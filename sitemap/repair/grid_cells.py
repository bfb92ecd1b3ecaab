"""The cells that a regular grid lacks, with the labels that its own series would give them."""

from __future__ import annotations

import geopandas
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.grid import column_index, column_letters
from sitemap.measures.grid_regularity import LABEL, arrange, grid_turn_rad, usual_size

MOST_TURN_RAD = 0.001
MOST_CELLS = 5000  # a grid of more is no grid to point at places with


def missing_cells(
    grid: geopandas.GeoDataFrame, bare: BaseGeometry, tolerance_ft: float
) -> list[tuple[BaseGeometry, str | None]]:
    """Cells on the grid's own lattice that cover `bare`; none for a turned grid or one of lines."""
    shapes = grid.geometry.to_numpy()
    areal = shapely.get_dimensions(shapes) == 2
    cells = shapes[areal]
    if not len(cells) or abs(grid_turn_rad(cells)) > MOST_TURN_RAD:
        return []
    place = arrange(cells, tolerance_ft)
    width = usual_size(place.width_ft, tolerance_ft)
    height = usual_size(place.height_ft, tolerance_ft)
    whole = np.isclose(place.width_ft, width, atol=tolerance_ft)
    whole &= np.isclose(place.height_ft, height, atol=tolerance_ft)
    if not whole.any():
        return []
    first = int(np.flatnonzero(whole)[0])
    box = shapely.bounds(cells[first])
    left = float(box[0]) - int(place.column[first]) * width
    top = float(box[3]) + int(place.row[first]) * height
    labels = [grid["label"].to_numpy(dtype=object)[areal][i] for i in range(len(cells))]
    across = _marks(labels, place.column, axis=0)
    down = _marks(labels, place.row, axis=1)
    low, high = np.reshape(shapely.bounds(bare), (2, 2))
    rows = range(_floor(top - high[1], height), _ceil(top - low[1], height))
    columns = range(_floor(low[0] - left, width), _ceil(high[0] - left, width))
    found: list[tuple[BaseGeometry, str | None]] = []
    if len(rows) * len(columns) > MOST_CELLS:
        return found
    for row in rows:
        for column in columns:
            x, y = left + column * width, top - row * height
            cell = shapely.box(x, y - height, x + width, y)
            if cell.intersection(bare).area > tolerance_ft * min(width, height):
                found.append((cell, _label(across, column, down, row)))
    return found


def _floor(value: float, size: float) -> int:
    return int(np.floor(value / size + 1e-6))


def _ceil(value: float, size: float) -> int:
    return int(np.ceil(value / size - 1e-6))


def _marks(labels: list[object], slot: np.ndarray, axis: int) -> dict[int, str]:
    """Slot -> its letter or number, where letters run along this axis (or numbers do)."""
    for part in ("letters", "numbers") if axis == 0 else ("numbers", "letters"):
        marks: dict[int, set[str]] = {}
        for label, at in zip(labels, slot.tolist(), strict=True):
            match = LABEL.fullmatch(str(label or "").strip().upper())
            if match is not None:
                letters, numbers = match[1] or match[4], match[2] or match[3]
                marks.setdefault(at, set()).add(letters if part == "letters" else numbers)
        if marks and all(len(found) == 1 for found in marks.values()):
            return {at: found.pop() for at, found in marks.items()}
    return {}


def _label(across: dict[int, str], column: int, down: dict[int, str], row: int) -> str | None:
    a, b = _mark(across, column), _mark(down, row)
    if a is None or b is None:
        return None
    return a + b if a.isalpha() else b + a


def _mark(marks: dict[int, str], at: int) -> str | None:
    """The mark of a slot, or the one that follows the last of a rising series."""
    if at in marks:
        return marks[at]
    last = max(marks, default=-1)
    if at < last or last < 0:
        return None
    mark, further = marks[last], at - last
    if mark.isdigit():
        rising = last == 0 or int(mark) > int(marks.get(last - 1, "0"))
        return str(int(mark) + further) if rising else None
    if {"I", "O"} & set(mark):
        return None
    return column_letters(column_index(mark) + further)
