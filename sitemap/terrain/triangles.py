"""Triangles -> heights on a grid: a TIN as given, or one laid over contours, spots and breaklines.

Where a triangle has three corners at one level (the top of a knoll, the bottom of a hollow, the
inside of a bend) the ground between is left level: the lines show no more. A spot elevation or a
breakline there breaks it. Feet throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from affine import Affine

from sitemap.measures.contours import sample

LONGEST_SIDE_FT = 500.0  # ground between lines farther apart than this is not shown by them
MOST_CORNERS = 150_000
_ROW_SPANS = 2_000_000  # rows of triangles that are filled at once


@dataclass(frozen=True, eq=False)
class Tin:
    """Triangles in site feet: corners (n, 3, 3), each x, y, height."""

    corners: np.ndarray

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """xmin, ymin, xmax, ymax; ValueError for no triangles."""
        xy = self.corners[..., :2].reshape(-1, 2)
        low, high = xy.min(axis=0), xy.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def keep(self, mask: np.ndarray) -> Tin:
        """Only the triangles where mask is true."""
        return Tin(self.corners[mask])

    @property
    def sides_ft(self) -> np.ndarray:
        """The longest side of each triangle in plan."""
        closed = self.corners[:, [0, 1, 2, 0], :2]
        sides = np.hypot(*np.moveaxis(np.diff(closed, axis=1), -1, 0))
        longest: np.ndarray = sides.max(axis=1) if len(sides) else np.zeros(0)
        return longest

    @property
    def is_level(self) -> np.ndarray:
        """True for triangles whose corners are at one height."""
        z = self.corners[..., 2]
        level: np.ndarray = np.ptp(z, axis=1) < 1e-6 if len(z) else np.zeros(0, dtype=bool)
        return level

    def heights_ft(self, grid: Affine, shape: tuple[int, int]) -> np.ndarray:
        """Height of the plane over each cell's centre; NaN outside the triangles.

        grid takes (column, row) of cell corners to feet, north up. Of triangles that overlap the
        last one counts.
        """
        z = np.full(shape, np.nan)
        if not len(self.corners):
            return z
        places = self.corners.copy()
        places[..., 0] = (places[..., 0] - grid.c) / grid.a - 0.5
        places[..., 1] = (places[..., 1] - grid.f) / grid.e - 0.5
        for block in _blocks(places, shape):
            _fill(z, block)
        return z


def _blocks(places: np.ndarray, shape: tuple[int, int]) -> list[np.ndarray]:
    """The triangles that reach the grid, in blocks of a bounded number of rows."""
    low, high = places[..., :2].min(axis=1), places[..., :2].max(axis=1)
    here = (high[:, 0] >= 0) & (high[:, 1] >= 0)
    here &= (low[:, 0] <= shape[1] - 1) & (low[:, 1] <= shape[0] - 1)
    kept = places[here]
    tall = np.minimum(high[here, 1], shape[0]) - np.maximum(low[here, 1], 0) + 1.0
    if not len(kept):
        return []
    cuts = np.flatnonzero(np.diff(np.floor(np.cumsum(tall) / _ROW_SPANS))) + 1
    return np.split(kept, cuts)


def _fill(z: np.ndarray, places: np.ndarray) -> None:
    """Write heights along each row of each triangle: corners are column, row, height."""
    rows, columns = z.shape
    top = np.maximum(np.ceil(places[..., 1].min(axis=1) - 1e-9), 0).astype(int)
    end = np.minimum(np.floor(places[..., 1].max(axis=1) + 1e-9), rows - 1).astype(int)
    count = np.maximum(end - top + 1, 0)
    which = np.repeat(np.arange(len(places)), count)
    row = _counted(count) + top[which]
    left, right = _span(places[which], row)
    first = np.maximum(np.ceil(left - 1e-9), 0).astype(int)
    last = np.minimum(np.floor(right + 1e-9), columns - 1).astype(int)
    many = np.maximum(last - first + 1, 0)
    span = np.repeat(np.arange(len(which)), many)
    column = _counted(many) + first[span]
    east, south, level = _planes(places)
    of = which[span]
    at_row = row[span]
    heights = east[of] * column + south[of] * at_row + level[of]
    known = np.isfinite(heights)
    z[at_row[known], column[known]] = heights[known]


def _counted(count: np.ndarray) -> np.ndarray:
    """0, 1, 2 ... anew for each count."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    order: np.ndarray = np.arange(total) - np.repeat(ends - count, count)
    return order


def _span(places: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last column of each triangle along a row that meets it."""
    left, right = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        xa, ya, xb, yb = places[:, a, 0], places[:, a, 1], places[:, b, 0], places[:, b, 1]
        low, high = np.minimum(ya, yb), np.maximum(ya, yb)
        meets = (row >= low - 1e-9) & (row <= high + 1e-9)
        flat = high - low < 1e-12
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.clip((row - ya) / (yb - ya), 0.0, 1.0)
        x = np.where(flat, xa, xa + share * (xb - xa))
        left = np.where(meets, np.minimum(left, np.where(flat, np.minimum(xa, xb), x)), left)
        right = np.where(meets, np.maximum(right, np.where(flat, np.maximum(xa, xb), x)), right)
    seen = right >= left
    return np.where(seen, left, 1.0), np.where(seen, right, -1.0)


def _planes(places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients of the plane over each triangle; NaN for one without an area."""
    first = places[:, 0]
    u, v = places[:, 1] - first, places[:, 2] - first
    twice = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        twice = np.where(np.abs(twice) > 1e-12, twice, np.nan)
        east = (u[:, 2] * v[:, 1] - u[:, 1] * v[:, 2]) / twice
        south = (u[:, 0] * v[:, 2] - u[:, 2] * v[:, 0]) / twice
    return east, south, first[:, 2] - east * first[:, 0] - south * first[:, 1]


def triangulated(xyz: np.ndarray, longest_side_ft: float = LONGEST_SIDE_FT) -> Tin:
    """The Delaunay triangulation of points; without triangles longer than a side allowed.

    Of points at one place the lowest is taken, whatever their order.
    """
    points = xyz[np.isfinite(xyz).all(axis=1)]
    points = points[np.lexsort(points.T)]
    _, first = np.unique(points[:, :2], axis=0, return_index=True)
    points = points[first]
    if len(points) < 3:
        return Tin(np.empty((0, 3, 3)))
    origin = np.append(np.floor(points[:, :2].min(axis=0)), 0.0)
    laid = shapely.delaunay_triangles(shapely.multipoints(points - origin))
    parts = shapely.get_parts(laid)
    corners = shapely.get_coordinates(parts, include_z=True).reshape(-1, 4, 3)[:, :3] + origin
    tin = Tin(corners)
    return tin.keep(tin.sides_ft <= longest_side_ft)


def along(lines: np.ndarray, levels_ft: np.ndarray, spacing_ft: float) -> np.ndarray:
    """Points with heights along level lines, no farther apart than a spacing."""
    if not len(lines):
        return np.empty((0, 3))
    spacing = max(spacing_ft, float(shapely.length(lines).sum()) / MOST_CORNERS)
    points = sample(lines, spacing)
    return np.column_stack([points.xy, np.asarray(levels_ft, dtype=float)[points.line]])
