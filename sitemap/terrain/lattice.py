"""Where the cells of a grid lie in a raster: some are transformed, those between interpolated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from affine import Affine

from sitemap.crs import Bounds, Crs, Transformation, transform_back

LATTICE = 16  # cells between places that are transformed


@dataclass(frozen=True, eq=False)
class Places:
    """Fractional rows and columns of a raster at the lattice places of a grid of cells.

    at_row and at_column are the cells of the grid that are lattice places, account the operation
    between both.
    """

    row: np.ndarray
    column: np.ndarray
    at_row: np.ndarray
    at_column: np.ndarray
    shape: tuple[int, int]
    account: Transformation

    def band(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Fractional rows and columns at all cells of some rows of the grid, the last excluded."""
        (i, v), (j, u) = self._between_nodes
        i, v = i[first:last], v[first:last]
        return _between(self.row, i, v, j, u), _between(self.column, i, v, j, u)

    @cached_property
    def _between_nodes(self) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        return _weights(self.at_row, self.shape[0]), _weights(self.at_column, self.shape[1])


def places_of(
    raster: Affine,
    raster_crs: Crs,
    raster_bounds: Bounds,
    crs: Crs,
    grid: Affine,
    rows: int,
    columns: int,
) -> Places:
    """Where the centre of each cell of a grid (rows, columns) lies in a raster.

    Whole numbers are centres of the raster's cells; NaN where a place cannot be transformed.
    raster and grid take (column, row) of cell corners to x, y in their CRS; the grid may be
    turned.
    """
    at_row, at_column = _lattice(rows), _lattice(columns)
    across, along = np.meshgrid(at_column + 0.5, at_row + 0.5)
    x = grid.a * across + grid.b * along + grid.c
    y = grid.d * across + grid.e * along + grid.f
    u, v, account = transform_back(x.ravel(), y.ravel(), raster_crs, crs, raster_bounds)
    u, v = (np.where(np.isfinite(w), w, np.nan).reshape(x.shape) for w in (u, v))
    column, row = ~raster @ (u, v)
    return Places(row - 0.5, column - 0.5, at_row, at_column, (rows, columns), account)


def places_in(
    raster: Affine,
    raster_crs: Crs,
    raster_bounds: Bounds,
    crs: Crs,
    grid: Affine,
    rows: int,
    columns: int,
) -> tuple[np.ndarray, np.ndarray, Transformation]:
    """As places_of, at all cells at once: fractional rows, columns and the operation."""
    found = places_of(raster, raster_crs, raster_bounds, crs, grid, rows, columns)
    return (*found.band(0, rows), found.account)


def _lattice(count: int) -> np.ndarray:
    """Every 16th place of a row or column, and its last."""
    return np.unique(np.append(np.arange(0, count, LATTICE), count - 1)).astype(float)


def _between(
    values: np.ndarray, i: np.ndarray, v: np.ndarray, j: np.ndarray, u: np.ndarray
) -> np.ndarray:
    """A lattice of values, linearly at every row and column between."""
    below, right = (
        np.minimum(n + 1, size - 1) for n, size in zip((i, j), values.shape, strict=True)
    )
    down = values[i] * (1 - v)[:, None] + values[below] * v[:, None]
    full: np.ndarray = down.take(j, axis=1)
    full *= 1 - u
    full += down.take(right, axis=1) * u
    return full


def _weights(at: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    place = np.arange(count, dtype=float)
    i = np.clip(np.searchsorted(at, place, side="right") - 1, 0, max(len(at) - 2, 0))
    if len(at) == 1:
        return i, np.zeros(count)
    return i, (place - at[i]) / (at[i + 1] - at[i])
