"""Surface: heights on a square grid in the site CRS, with how its unit and error are known.

Both axes and heights are feet; a survey foot of height counts as a foot (2 parts in a million).
Surfaces are built by mosaic.py (rasters), triangles.py (TIN, contours, spots) and ground.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from affine import Affine

from sitemap.crs import Bounds, Crs

_AT_ONCE = 1 << 14  # places: what stays in the cache is done three times as fast
_ON_CENTRE = 1e-9  # of a cell: a place this near to a cell's centre needs no neighbour


@dataclass(frozen=True, eq=False)
class Surface:
    """Heights in feet at the centres of square cells; rows from north to south, NaN for voids.

    transform takes (column, row) of cell corners to x, y in feet; the centre of the first cell
    is transform @ (0.5, 0.5). covered_pct is the share of the asked window with a height.
    stated_error_ft is the standard error of a height, error_how where that number is from.
    """

    z_ft: np.ndarray
    transform: Affine
    crs: Crs
    source: str  # in words: file or layers it was made from
    vertical_unit: str  # of the source; heights here are feet
    vertical_unit_how: str
    datum: str | None
    stated_error_ft: float
    error_how: str
    operation: str = "none"  # how the heights came into the site CRS
    covered_pct: float = 100.0
    notes: tuple[str, ...] = ()
    of_contours: bool = False  # made from the map's own contours, which it cannot judge

    @property
    def cell_ft(self) -> float:
        """The side of a cell in feet."""
        return float(self.transform.a)

    @property
    def void_pct(self) -> float:
        """Percent of the cells without a height."""
        return float(np.isnan(self.z_ft).mean() * 100.0) if self.z_ft.size else 100.0

    @property
    def bounds(self) -> Bounds:
        """xmin, ymin, xmax, ymax of the cells' outer edges, feet."""
        rows, columns = self.z_ft.shape
        left, top = self.transform.c, self.transform.f
        return left, top - rows * self.cell_ft, left + columns * self.cell_ft, top

    @property
    def range_ft(self) -> tuple[float, float]:
        """Lowest and highest height; NaN, NaN where all is void."""
        known = self.z_ft[np.isfinite(self.z_ft)]
        return (float(known.min()), float(known.max())) if len(known) else (np.nan, np.nan)

    @property
    def words(self) -> str:
        """Source, unit, datum, operation, cell and voids, as printed with what is made of it."""
        return (
            f"{self.source}; heights in {self.vertical_unit} ({self.vertical_unit_how}), "
            f"datum {self.datum or 'not stated'}; cells of {self.cell_ft:.4g} ft; "
            f"{self.void_pct:.1f} % void; {self.error_how}"
        )

    def xy(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Centres of cells, (n, 2) in feet."""
        x = self.transform.c + (np.asarray(columns) + 0.5) * self.cell_ft
        y = self.transform.f - (np.asarray(rows) + 0.5) * self.cell_ft
        return np.column_stack([x, y])

    def cells(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of the cell that holds each place; may lie outside the grid."""
        at = np.asarray(xy, dtype=float).reshape(-1, 2)
        column = np.floor((at[:, 0] - self.transform.c) / self.cell_ft).astype(int)
        row = np.floor((self.transform.f - at[:, 1]) / self.cell_ft).astype(int)
        return row, column

    def heights_at(self, xy: np.ndarray) -> np.ndarray:
        """Height in feet at each place, bilinear between centres; NaN outside and beside voids."""
        at = np.asarray(xy, dtype=float).reshape(-1, 2)
        column = (at[:, 0] - self.transform.c) / self.cell_ft - 0.5
        row = (self.transform.f - at[:, 1]) / self.cell_ft - 0.5
        return bilinear(self.z_ft, row, column)

    def gradient(self, xy: np.ndarray, reach_ft: float) -> np.ndarray:
        """Rise per foot towards east and north, between places `reach_ft` on either side."""
        step = np.array([[reach_ft, 0.0], [-reach_ft, 0.0], [0.0, reach_ft], [0.0, -reach_ft]])
        at = np.asarray(xy, dtype=float).reshape(-1, 2)
        around = self.heights_at((at[:, None, :] + step).reshape(-1, 2)).reshape(-1, 4)
        rise = np.column_stack([around[:, 0] - around[:, 1], around[:, 2] - around[:, 3]])
        return rise / (2.0 * reach_ft)


def bilinear(
    z: np.ndarray, row: np.ndarray, column: np.ndarray, *, known: bool | None = None
) -> np.ndarray:
    """Values at fractional places of a grid whose centres are whole numbers.

    NaN outside the outermost centres, and where a cell with any weight is NaN: a void is never
    filled by its neighbours. known tells that no cell is NaN, where that is known.
    """
    grid = np.ascontiguousarray(z, dtype=float)
    known = is_known(grid) if known is None else known
    at_row, at_column = (np.asarray(index, dtype=float) for index in (row, column))
    found = np.empty(at_row.shape)
    flat = found.reshape(-1)
    rows_of, columns_of = at_row.ravel(), at_column.ravel()
    for first in range(0, len(flat), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        flat[part] = _between_four(grid, known, _snapped(rows_of[part]), _snapped(columns_of[part]))
    return found


def is_known(z: np.ndarray) -> bool:
    """Whether no cell of a grid is void."""
    return bool(np.isfinite(z.sum()))


def _between_four(z: np.ndarray, known: bool, row: np.ndarray, column: np.ndarray) -> np.ndarray:
    """As bilinear, of places in a row; known tells that no cell is NaN."""
    rows, columns = z.shape
    with np.errstate(invalid="ignore"):
        inside = (row >= 0) & (column >= 0) & (row <= rows - 1) & (column <= columns - 1)
    if not inside.all():
        found = np.full(len(row), np.nan)
        if inside.any():
            found[inside] = _between_four(z, known, row[inside], column[inside])
        return found
    r0 = np.minimum(row.astype(np.int64), max(rows - 2, 0))
    c0 = np.minimum(column.astype(np.int64), max(columns - 2, 0))
    v, u = row - r0, column - c0
    first = r0 * columns + c0
    down, right = columns if rows > 1 else 0, 1 if columns > 1 else 0
    cells = z.ravel()
    value = np.zeros(len(row))
    for weight, step in (
        ((1 - v) * (1 - u), 0),
        ((1 - v) * u, right),
        (v * (1 - u), down),
        (v * u, down + right),
    ):
        weighted = weight * cells.take(first + step)
        value += weighted if known else np.where(weight == 0.0, 0.0, weighted)
    return value


def _snapped(index: np.ndarray) -> np.ndarray:
    """Places within rounding of a centre put on it."""
    index = np.asarray(index, dtype=float)
    whole = np.round(index)
    return np.where(np.abs(index - whole) < _ON_CENTRE, whole, index)
