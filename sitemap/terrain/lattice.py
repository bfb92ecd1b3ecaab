"""Where the cells of a grid lie in a raster: some are transformed, those between interpolated."""

from __future__ import annotations

import numpy as np
from affine import Affine

from sitemap.crs import Bounds, Crs, Transformation, transform_back

LATTICE = 16  # cells between places that are transformed


def places_in(
    raster: Affine,
    raster_crs: Crs,
    raster_bounds: Bounds,
    crs: Crs,
    grid: Affine,
    rows: int,
    columns: int,
) -> tuple[np.ndarray, np.ndarray, Transformation]:
    """Fractional row and column in a raster of the centre of each cell of a grid, (rows, columns).

    Whole numbers are centres of the raster's cells; NaN where a place cannot be transformed.
    raster and grid take (column, row) of cell corners to x, y in their CRS; the grid may be
    turned. With the account of the operation between the two.
    """
    at_row, at_column = _lattice(rows), _lattice(columns)
    across, along = np.meshgrid(at_column + 0.5, at_row + 0.5)
    x = grid.a * across + grid.b * along + grid.c
    y = grid.d * across + grid.e * along + grid.f
    u, v, account = transform_back(x.ravel(), y.ravel(), raster_crs, crs, raster_bounds)
    u, v = (np.where(np.isfinite(w), w, np.nan).reshape(x.shape) for w in (u, v))
    column, row = ~raster @ (u, v)
    return (
        _between(row - 0.5, at_row, at_column, rows, columns),
        _between(column - 0.5, at_row, at_column, rows, columns),
        account,
    )


def _lattice(count: int) -> np.ndarray:
    """Every 16th place of a row or column, and its last."""
    return np.unique(np.append(np.arange(0, count, LATTICE), count - 1)).astype(float)


def _between(
    values: np.ndarray, at_row: np.ndarray, at_column: np.ndarray, rows: int, columns: int
) -> np.ndarray:
    """A lattice of values, linearly at every row and column between."""
    i, v = _weights(at_row, rows)
    j, u = _weights(at_column, columns)
    down = values[i] * (1 - v)[:, None] + values[np.minimum(i + 1, len(at_row) - 1)] * v[:, None]
    right = down[:, np.minimum(j + 1, len(at_column) - 1)]
    full: np.ndarray = down[:, j] * (1 - u) + right * u
    return full


def _weights(at: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    place = np.arange(count, dtype=float)
    i = np.clip(np.searchsorted(at, place, side="right") - 1, 0, max(len(at) - 2, 0))
    if len(at) == 1:
        return i, np.zeros(count)
    return i, (place - at[i]) / (at[i + 1] - at[i])
