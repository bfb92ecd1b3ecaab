"""How much of a site drains through each place, and over which low points of its boundary.

Only ground inside the site counts: it is flooded from the ring of cells around it, so that every
hollow spills over its lowest rim, and the area is added up downstream.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np
import rasterio.features
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.lines import points_of
from sitemap.terrain.surface import Surface

MOST_CELLS = 60_000  # of the site; finer surfaces are coarsened, the lowest cell of each block kept
_AROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
TOGETHER_CELLS = 2.5  # cells of the rim so near are one low point


@dataclass(frozen=True, eq=False)
class Gathering:
    """Square feet that drain through each cell, 0 outside the site, and the cells of the ring."""

    sqft: np.ndarray
    ring: np.ndarray
    transform: Affine

    @property
    def cell_ft(self) -> float:
        """The side of a cell in feet."""
        return float(self.transform.a)

    def along(self, line: BaseGeometry) -> tuple[float, tuple[float, float]]:
        """The most that drains through a cell under a line, square feet, and its centre."""
        mask = rasterio.features.rasterize(
            [(line, 1)], self.sqft.shape, transform=self.transform, all_touched=True
        )
        under = np.where(mask > 0, self.sqft, -1.0)
        row, column = np.unravel_index(int(under.argmax()), under.shape)
        x, y = self.transform @ (float(column) + 0.5, float(row) + 0.5)
        return float(under[row, column]), (x, y)


def gathered(
    surface: Surface, ground: BaseGeometry, taken: list[BaseGeometry] | None = None
) -> Gathering | None:
    """Drained area inside `ground`; None where the surface does not show it.

    taken are shapes that keep what comes to them: basins, diversions.
    """
    z, grid = _window(surface, ground)
    if z.size == 0:
        return None
    inside = rasterio.features.rasterize([(ground, 1)], z.shape, transform=grid).astype(bool)
    inside &= np.isfinite(z)
    if not inside.any():
        return None
    keeps = np.zeros(z.shape, dtype=bool)
    if taken:
        burnt = rasterio.features.rasterize(
            [(shape, 1) for shape in taken], z.shape, transform=grid, all_touched=True
        )
        keeps = burnt.astype(bool)
    near = np.zeros_like(inside)
    for dx, dy in _AROUND:
        near |= _shifted(inside, dy, dx)
    ring = near & ~inside & np.isfinite(z)
    sqft = _added_up(z, inside, _flooded(z, inside, ring), keeps, grid.a**2)
    return Gathering(sqft.reshape(z.shape), ring, grid)


def _window(surface: Surface, ground: BaseGeometry) -> tuple[np.ndarray, Affine]:
    """The surface around the ground with two cells to spare, coarsened where it is large."""
    low = surface.cells(np.array([[ground.bounds[0], ground.bounds[3]]]))
    high = surface.cells(np.array([[ground.bounds[2], ground.bounds[1]]]))
    cells = max(1.0, float(ground.area) / surface.cell_ft**2)
    times = max(1, math.ceil(math.sqrt(cells / MOST_CELLS)))
    room = 3 * times
    r0, c0 = max(0, int(low[0][0]) - room), max(0, int(low[1][0]) - room)
    z = surface.z_ft[r0 : int(high[0][0]) + room + 1, c0 : int(high[1][0]) + room + 1]
    grid = surface.transform @ Affine.translation(c0, r0)
    if times > 1:
        rows, columns = z.shape[0] // times, z.shape[1] // times
        blocks = z[: rows * times, : columns * times].reshape(rows, times, columns, times)
        filled = np.where(np.isfinite(blocks), blocks, np.inf).min(axis=(1, 3))
        z = np.where(np.isfinite(filled), filled, np.nan)
        grid = grid @ Affine.scale(times)
    return z, grid


def _shifted(mask: np.ndarray, down: int, right: int) -> np.ndarray:
    moved = np.zeros_like(mask)
    rows, columns = mask.shape
    moved[max(0, down) : rows + min(0, down), max(0, right) : columns + min(0, right)] = mask[
        max(0, -down) : rows - max(0, down), max(0, -right) : columns - max(0, right)
    ]
    return moved


@dataclass(frozen=True)
class _Flood:
    """Cells in the order of the flood, the cell from which it came to each (-1: none), levels."""

    order: list[int]
    parent: list[int]
    level: list[float]


def _flooded(z: np.ndarray, inside: np.ndarray, ring: np.ndarray) -> _Flood:
    """A priority flood of the inside from its ring."""
    level = z.ravel().tolist()
    todo = inside.ravel().tolist()
    parent = [-1] * len(level)
    heap = [(level[i], i) for i in np.flatnonzero(ring.ravel()).tolist()]
    heapq.heapify(heap)
    steps = [x + y * z.shape[1] for x, y in _AROUND]
    order: list[int] = []
    push, pop = heapq.heappush, heapq.heappop
    while heap:
        up, i = pop(heap)
        order.append(i)
        for offset in steps:
            j = i + offset
            if 0 <= j < len(level) and todo[j]:
                todo[j] = False
                parent[j] = i
                level[j] = max(up, level[j])
                push(heap, (level[j], j))
    return _Flood(order, parent, level)


def _added_up(
    z: np.ndarray, inside: np.ndarray, flood: _Flood, keeps: np.ndarray, cell_sqft: float
) -> np.ndarray:
    """Square feet that drain through each cell.

    Water parts among all lower neighbours by slope (Freeman 1991), so that an even slope shows a
    sheet and only a hollow gathers; over level water it goes back as the flood came.
    """
    sqft: list[float] = np.where(inside, cell_sqft, 0.0).ravel().tolist()
    kept = keeps.ravel().tolist()
    level, parent = flood.level, flood.parent
    steps = [(x + y * z.shape[1], 0.3536 * math.sqrt(0.5) if x and y else 0.5) for x, y in _AROUND]
    place = [len(level)] * len(level)
    for number, i in enumerate(flood.order):
        place[i] = number
    for i in reversed(flood.order):
        if parent[i] < 0 or kept[i]:
            continue
        here, own = level[i], place[i]
        lower = [
            (j, (here - level[j]) * width)
            for offset, width in steps
            if 0 <= (j := i + offset) < len(level) and place[j] < own and level[j] < here
        ]
        if not lower:
            sqft[parent[i]] += sqft[i]
            continue
        share = sqft[i] / sum(weight for _, weight in lower)
        for j, weight in lower:
            sqft[j] += share * weight
    return np.array(sqft)


def low_points(gathering: Gathering, least_sqft: float) -> list[tuple[tuple[float, float], float]]:
    """Places on the ring over which at least so much of the site drains, largest first.

    Cells of the ring that lie together and each carry a tenth of the least are one low point.
    """
    cells = np.argwhere(gathering.ring & (gathering.sqft >= 0.1 * least_sqft))
    if not len(cells):
        return []
    sqft = gathering.sqft[cells[:, 0], cells[:, 1]]
    points = points_of(cells.astype(float))
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=TOGETHER_CELLS)
    label = np.arange(len(cells))
    while True:
        lower = label.copy()
        np.minimum.at(lower, a, label[b])
        if (lower == label).all():
            break
        label = lower
    found = []
    for each in np.unique(label):
        own = label == each
        total = float(sqft[own].sum())
        if total >= least_sqft:
            row, column = cells[own][int(sqft[own].argmax())]
            x, y = gathering.transform @ (float(column) + 0.5, float(row) + 0.5)
            found.append(((float(x), float(y)), total))
    return sorted(found, key=lambda place: (-place[1], place[0]))
