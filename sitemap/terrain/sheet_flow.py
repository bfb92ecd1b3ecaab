"""The ways of water over some ground as a sheet, cell by cell, from the divides down.

Water parts among all lower neighbours by slope (Freeman 1991), so that an even slope shows a sheet
and only a hollow gathers; it leaves over the ring of cells around the ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import rasterio.features
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.cell_outlines import cells_touched
from sitemap.terrain.flow_field import FlowField, flow_field
from sitemap.terrain.surface import Surface

MOST_CELLS = 60_000  # of the site; finer surfaces are coarsened, the lowest cell of each block kept
AROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))  # x, y down
# the width over which a cell gives water to a neighbour, over the distance to it (Freeman 1991)
_WIDTHS = np.array([0.3536 * math.sqrt(0.5) if x and y else 0.5 for x, y in AROUND])


@dataclass(frozen=True, eq=False)
class SheetFlow:
    """How water parts among lower cells, in the order from the divides down.

    Rows and columns of the grid are those of ring. cells are flat numbers in that order; the steps
    of one wave, between two starts, take nothing from each other. givers are the neighbours that
    give water to each cell, (n, most), by their places in the order of cells, and share is what
    part of their water they give; where there are fewer, a share of 0 of the last cell.
    """

    own_sqft: np.ndarray
    ring: np.ndarray
    beyond: np.ndarray
    transform: Affine
    cells: np.ndarray
    starts: np.ndarray
    givers: np.ndarray
    share: np.ndarray

    @property
    def cell_ft(self) -> float:
        """The side of a cell in feet."""
        return float(self.transform.a)

    @property
    def is_known(self) -> np.ndarray:
        """Which cells lie on the ground asked for and have a height."""
        known: np.ndarray = self.own_sqft > 0
        return known

    @property
    def at_end(self) -> np.ndarray:
        """Known cells beside which the elevation ends."""
        found: np.ndarray = self.is_known & _around(self.beyond).any(axis=0)
        return found

    @cached_property
    def xy(self) -> np.ndarray:
        """The middles of the known cells, (n, 2)."""
        return self.middles(*np.nonzero(self.is_known))

    def middles(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The middles of some cells, (n, 2)."""
        x = self.transform.c + (columns + 0.5) * self.cell_ft
        y = self.transform.f - (rows + 0.5) * self.cell_ft
        return np.column_stack([x, y])

    def under(self, shapes: Sequence[BaseGeometry]) -> np.ndarray:
        """Cells that some shapes touch."""
        return cells_touched(shapes, self.ring.shape, self.transform)

    def added_up(self, weights: np.ndarray, keeps: np.ndarray) -> np.ndarray:
        """Each of some weights (n, rows, columns) of a cell and all above it, where it is.

        Cells of keeps, (rows, columns) or one such for each weight, pass nothing on.
        """
        flat = weights.reshape(len(weights), -1).astype(float)
        # a row a cell, in the order of the waves: what a wave asks for lies together
        total = flat[:, self.cells].T.copy()
        kept = keeps.reshape(-1, flat.shape[1])[:, self.cells].T
        free = np.broadcast_to(np.where(kept, 0.0, 1.0), total.shape)
        passed = total * free
        for a, b in pairwise(self.starts.tolist()[1:]):  # to the divides comes nothing
            coming = passed.take(self.givers[a:b], axis=0)
            total[a:b] += np.einsum("ng,ngw->nw", self.share[a:b], coming)
            np.multiply(total[a:b], free[a:b], out=passed[a:b])
        flat[:, self.cells] = total.T
        return flat.reshape(weights.shape)


@lru_cache(maxsize=4)
def sheet_flow_of(
    surface: Surface, ground: BaseGeometry, most: int = MOST_CELLS
) -> SheetFlow | None:
    """The ways of water on the ground; kept, since before and with the controls they are one.

    Water parts among all lower neighbours by slope (Freeman 1991), so that an even slope shows a
    sheet and only a hollow gathers; what is filled to one level drains to its spill.
    """
    part = _window(surface, ground, most)
    if part is None:
        return None
    z, grid = part.z_ft, part.transform
    site = rasterio.features.rasterize([(ground, 1)], z.shape, transform=grid).astype(bool)
    inside = site & np.isfinite(z)
    if not inside.any():
        return None
    ring = _around(inside).any(axis=0) & ~inside
    beyond = ring & _open_ended(~np.isfinite(z), site)
    ring &= np.isfinite(z) | beyond
    if beyond.any():
        z = np.where(beyond, _carried_on(np.where(inside, z, np.nan)), z)
    own = replace(part, z_ft=np.where(inside | ring, z, np.nan))
    share = _shares(flow_field(own, leaves=ring), inside)
    onto = _onto(share)
    cells, starts = _in_waves(share, onto, inside | ring)
    return SheetFlow(
        np.where(inside, grid.a**2, 0.0), ring, beyond, grid, cells, starts, *_givers(onto, cells)
    )


def _open_ended(unknown: np.ndarray, site: np.ndarray) -> np.ndarray:
    """Unknown cells that hang together with unknown ones off the site: no mere holes in it."""
    found: np.ndarray = unknown & ~site
    while True:
        wider = unknown & (found | _around(found).any(axis=0))
        if (wider == found).all():
            return found
        found = wider


def _carried_on(z: np.ndarray) -> np.ndarray:
    """The ground carried on by its slope to the cells beside it; NaN farther off.

    Where the elevation ends at the boundary, water leaves there as it came: what is known last
    tells whether the ground falls outwards.
    """
    wide = np.pad(z, 2, constant_values=np.nan)
    rows, columns = z.shape
    found = []
    for x, y in AROUND:
        one, two = (
            wide[2 + n * y : 2 + n * y + rows, 2 + n * x : 2 + n * x + columns] for n in (1, 2)
        )
        found.append(np.where(np.isfinite(two), 2.0 * one - two, one))
    known = np.isfinite(found)
    total, count = np.where(known, found, 0.0).sum(axis=0), known.sum(axis=0)
    carried: np.ndarray = np.divide(total, count, out=np.full(z.shape, np.nan), where=count > 0)
    return carried


def _window(surface: Surface, ground: BaseGeometry, most: int) -> Surface | None:
    """The surface around the ground with two cells to spare, coarsened where it is large."""
    low = surface.cells(np.array([[ground.bounds[0], ground.bounds[3]]]))
    high = surface.cells(np.array([[ground.bounds[2], ground.bounds[1]]]))
    cells = max(1.0, float(ground.area) / surface.cell_ft**2)
    times = max(1, math.ceil(math.sqrt(cells / most)))
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
    if not z.size:
        return None
    z = np.pad(z, 2, constant_values=np.nan)  # no cell of the ring has a neighbour off the array
    return replace(surface, z_ft=z, transform=grid @ Affine.translation(-2, -2))


def _shares(field: FlowField, inside: np.ndarray) -> np.ndarray:
    """What part of its water each cell inside gives to each of its eight neighbours."""
    level = field.spill_ft
    with np.errstate(invalid="ignore"):
        fall = level - _around(level)
        fall = np.where(inside & (fall > 0), fall, 0.0) * _WIDTHS[:, None, None]
    total = fall.sum(axis=0)
    share: np.ndarray = np.divide(fall, total, out=np.zeros_like(fall), where=total > 0)
    columns = level.shape[1]
    way = field.receiver.reshape(level.shape) - np.arange(level.size).reshape(level.shape)
    level_ground = inside & (total == 0)
    for k, (right, down) in enumerate(AROUND):
        share[k][level_ground & (way == down * columns + right)] = 1.0
    return share


def _in_waves(
    share: np.ndarray, onto: np.ndarray, whole: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Cells from the divides down, and where each wave of them starts."""
    gives = share.reshape(8, -1) > 0
    steps = np.array([down * whole.shape[1] + right for right, down in AROUND])
    waits = (onto > 0).sum(axis=0).ravel()
    place = np.empty(whole.size, dtype=np.int64)
    wave = np.flatnonzero(whole.ravel() & (waits == 0))
    found = [wave]
    while len(wave):
        to = (wave + steps[:, None])[gives[:, wave]]
        np.subtract.at(waits, to, 1)
        to = to[waits[to] == 0]
        place[to] = np.arange(len(to))
        wave = to[place[to] == np.arange(len(to))]  # each once
        found.append(wave)
    return np.concatenate(found), np.cumsum([0, *(len(wave) for wave in found)])


def _givers(onto: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The neighbours that give water to each cell, by their places in cells, and their shares."""
    part = onto.reshape(8, -1)[:, cells]
    gives = part > 0
    slot = gives.cumsum(axis=0, dtype=np.int8)
    place = np.empty(onto[0].size, dtype=np.int64)
    place[cells] = np.arange(len(cells))
    most = max(int(slot[-1].max(initial=0)), 1)
    givers = np.full((len(cells), most), len(cells) - 1)
    share = np.zeros((len(cells), most))
    for k, (right, down) in enumerate(AROUND):
        own = np.flatnonzero(gives[k])
        to = own * most + (slot[k][own] - 1)
        givers.ravel()[to] = place[cells[own] - (down * onto.shape[2] + right)]
        share.ravel()[to] = part[k][own]
    return givers, share


def _shifted(grid: np.ndarray, x: int, y: int) -> np.ndarray:
    """The neighbour x columns and y rows on of every cell; beyond the edge NaN, 0 or False."""
    beyond = np.nan if grid.dtype == float else 0
    wide = np.pad(grid, 1, constant_values=beyond)
    rows, columns = grid.shape
    moved: np.ndarray = wide[1 + y : 1 + y + rows, 1 + x : 1 + x + columns]
    return moved


def _around(grid: np.ndarray) -> np.ndarray:
    """The eight neighbours of every cell, (8, rows, columns)."""
    return np.stack([_shifted(grid, x, y) for x, y in AROUND])


def _onto(share: np.ndarray) -> np.ndarray:
    """What part of its water each neighbour gives to a cell, by the neighbour's way to it."""
    onto = np.stack([_shifted(share[k], -x, -y) for k, (x, y) in enumerate(AROUND)])
    onto[np.isnan(onto)] = 0.0
    return onto
