"""The alphanumeric grid of a site: letters across from the left, numbers down from the top.

One grid serves the whole site, so a place has the same reference on every sheet. The letters I
and O are left out, since they read as 1 and 0. The grid lies along the axes of the CRS, or is
turned as the sheets are, so that its lines lie along the edges of the paper.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sitemap.measures.turn import Bounds, turned, unturned
from sitemap.units import MapScale

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
GOOD_CELL_IN = 2.5  # what a cell should measure on paper
MOST_CELLS = 16  # along the longer side, where no scale is known


def column_letters(index: int) -> str:
    """Letters of column `index`, from 0: A to Z without I and O, then AA, AB and so on."""
    if index < 0:
        raise ValueError(f"columns count from 0, not {index}")
    letters = ""
    remaining = index + 1
    while remaining:
        remaining, digit = divmod(remaining - 1, len(LETTERS))
        letters = LETTERS[digit] + letters
    return letters


def column_index(letters: str) -> int:
    """The inverse of column_letters, from 0; ValueError for letters that no column has."""
    index = 0
    for letter in letters.upper():
        digit = LETTERS.find(letter)
        if digit < 0:
            raise ValueError(f"{letters!r} is no column: letters are A to Z without I and O")
        index = index * len(LETTERS) + digit + 1
    if not letters:
        raise ValueError("a column has at least one letter")
    return index - 1


@dataclass(frozen=True)
class RegularGrid:
    """Square cells in ground feet; x0_ft, y0_ft is the lower left corner of the whole grid.

    turn_deg is how far the ground is turned, counter-clockwise, to lie along the grid's own axes
    (measures/turn.py): corner, edges and bounds are feet along those axes.
    A point on a line between cells belongs to the cell on its right, or below it; on the outer
    edge to the cell inside. So every point of the grid lies in exactly one cell.
    """

    x0_ft: float
    y0_ft: float
    cell_ft: float
    columns: int
    rows: int
    turn_deg: float = 0.0

    def __post_init__(self) -> None:
        if not (self.cell_ft > 0 and self.columns > 0 and self.rows > 0):
            raise ValueError(
                f"a grid needs cells of some size and number, not {self.columns} by "
                f"{self.rows} of {self.cell_ft} ft"
            )

    @property
    def bounds_ft(self) -> Bounds:
        """xmin, ymin, xmax, ymax of the whole grid, along its own axes."""
        across, up = self.column_edges, self.row_edges
        return float(across[0]), float(up[-1]), float(across[-1]), float(up[0])

    @cached_property
    def column_edges(self) -> np.ndarray:
        """The x of the lines between columns in feet, from the left; columns + 1 numbers."""
        return self.x0_ft + self.cell_ft * np.arange(self.columns + 1)

    @cached_property
    def row_edges(self) -> np.ndarray:
        """The y of the lines between rows in feet, from the top down; rows + 1 numbers."""
        return self.y0_ft + self.cell_ft * np.arange(self.rows, -1, -1)

    @cached_property
    def column_labels(self) -> tuple[str, ...]:
        """Letters of the columns, from the left."""
        return tuple(column_letters(i) for i in range(self.columns))

    @cached_property
    def row_labels(self) -> tuple[str, ...]:
        """Numbers of the rows, from the top down."""
        return tuple(str(i + 1) for i in range(self.rows))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All cells, row by row from the top left: A1, B1 ... A2 ..."""
        return tuple(c + r for r in self.row_labels for c in self.column_labels)

    def cell_of(self, x_ft: float, y_ft: float) -> str | None:
        """The cell that holds a point, such as "C4"; None outside the grid."""
        return self.cells_of(np.array([x_ft]), np.array([y_ft]))[0]

    def cells_of(self, x_ft: np.ndarray, y_ft: np.ndarray) -> list[str | None]:
        """The cells of many points on the ground; None for points outside, or not finite."""
        along = turned(np.column_stack([x_ft, y_ft]), self.turn_deg)
        column = _slot(along[:, 0], self.column_edges)
        # y falls while numbers rise: the mirrored axis makes both searches alike
        row = _slot(-along[:, 1], -self.row_edges)
        return [
            None if c < 0 or r < 0 else self.column_labels[c] + self.row_labels[r]
            for c, r in zip(column.tolist(), row.tolist(), strict=True)
        ]

    def bounds_of(self, label: str) -> Bounds:
        """xmin, ymin, xmax, ymax of a cell in feet along the grid's own axes.

        ValueError for a cell that is not here.
        """
        match = re.fullmatch(r"([A-Za-z]+)([1-9]\d*)", label.strip())
        column = column_index(match[1]) if match else self.columns
        row = int(match[2]) - 1 if match else self.rows
        if column >= self.columns or row >= self.rows:
            last = self.labels[-1]
            raise ValueError(f"{label!r} is no cell of this grid, which runs from A1 to {last}")
        across, down = self.column_edges, self.row_edges
        return (
            float(across[column]),
            float(down[row + 1]),
            float(across[column + 1]),
            float(down[row]),
        )

    def outline_of(self, label: str) -> np.ndarray:
        """The corners of a cell on the ground, shape (4, 2), counter-clockwise."""
        left, bottom, right, top = self.bounds_of(label)
        corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
        return unturned(corners, self.turn_deg)


def _slot(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Index of the interval of rising edges that holds each value; -1 outside."""
    slot = np.searchsorted(edges, values, side="right") - 1
    slot = np.where(values == edges[-1], len(edges) - 2, slot)
    inside = (values >= edges[0]) & (values <= edges[-1])
    return np.where(inside, slot, -1)


def round_cell_ft(extent_ft: float, scale: MapScale | None = None) -> float:
    """A cell size of 1, 2 or 5 times a power of ten feet.

    With a scale: the one nearest to 2.5 in on paper (1.6 to 3.9 in). Without: the smallest that
    divides the extent into at most 16.
    """
    if scale is not None:
        wanted = scale.ground_ft(GOOD_CELL_IN)
        return min(_round_sizes(wanted), key=lambda size: abs(math.log(size / wanted)))
    least = max(extent_ft / MOST_CELLS, 1e-9)
    return min(size for size in _round_sizes(least) if size >= least * (1.0 - 1e-12))


def _round_sizes(about_ft: float) -> list[float]:
    power = math.floor(math.log10(about_ft))
    return [digit * 10.0**exponent for exponent in (power, power + 1) for digit in (1, 2, 5)]


def grid_over(
    bounds_ft: Bounds,
    cell_ft: float | None = None,
    scale: MapScale | None = None,
    turn_deg: float = 0.0,
) -> RegularGrid:
    """The grid that covers bounds, its lines on whole multiples of the cell along its axes.

    bounds_ft is xmin, ymin, xmax, ymax along those axes; the cell is chosen by round_cell_ft
    unless given.
    ValueError for bounds that are not finite or upside down.
    """
    xmin, ymin, xmax, ymax = bounds_ft
    if not all(math.isfinite(v) for v in bounds_ft) or xmax < xmin or ymax < ymin:
        raise ValueError(
            f"bounds must be finite and in the order xmin, ymin, xmax, ymax: {bounds_ft}"
        )
    cell = cell_ft or round_cell_ft(max(xmax - xmin, ymax - ymin, 1.0), scale)
    left, bottom = math.floor(xmin / cell), math.floor(ymin / cell)
    columns = max(1, math.ceil(xmax / cell) - left)
    rows = max(1, math.ceil(ymax / cell) - bottom)
    return RegularGrid(left * cell, bottom * cell, cell, columns, rows, turn_deg)
