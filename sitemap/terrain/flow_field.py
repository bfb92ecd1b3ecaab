"""Where water goes from each cell: steepest of eight ways, out of a hollow over its lowest pass.

Hollows are joined over their passes as basins of a graph (Cordonnier, Bovy, Braun 2019), which
gives the spill levels of a priority flood (Barnes, Lehman, Mulla 2014) without filling anything.
Water leaves at the edge of the surface and beside voids.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sitemap.terrain.surface import Surface

# east, south, south-east, south-west, and back
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))


@dataclass(frozen=True, eq=False)
class FlowField:
    """Receivers of all cells, by flat index; `outside` is the index behind the last cell.

    spill_ft is the level to which each cell's hollow fills before it spills; the cell's own
    height where it lies in none.
    """

    surface: Surface
    receiver: np.ndarray
    spill_ft: np.ndarray

    @property
    def outside(self) -> int:
        """The receiver of cells from which water leaves the surface."""
        return self.surface.z_ft.size

    @property
    def known(self) -> np.ndarray:
        """Which cells have a height; flat."""
        known: np.ndarray = np.isfinite(self.surface.z_ft).ravel()
        return known

    @cached_property
    def depth(self) -> np.ndarray:
        """Steps from each cell to the outside; 0 for voids and the outside itself."""
        pointer = np.append(self.receiver, self.outside)
        steps: np.ndarray = (pointer != np.arange(len(pointer))).astype(np.int32)
        while True:
            further = steps[pointer]
            if not further.any():
                return steps
            steps = steps + further
            pointer = pointer[pointer]

    @cached_property
    def upstream(self) -> np.ndarray:
        """How many cells drain through each cell, itself included; flat, 0 for voids."""
        return self.gathered(self.known)

    def gathered(self, weight: np.ndarray) -> np.ndarray:
        """The sum of a weight over each cell and all cells above it."""
        total = np.append(weight.astype(np.float64), 0.0)
        depth = self.depth
        order = np.argsort(depth, kind="stable")
        ends = np.searchsorted(depth[order], np.arange(1, int(depth.max()) + 2))
        receiver = np.append(self.receiver, self.outside)
        for k in range(len(ends) - 1, 0, -1):
            cells = order[ends[k - 1] : ends[k]]
            np.add.at(total, receiver[cells], total[cells])
        return total[:-1]

    def labelled(self, cells: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """For every cell the label of the first of `cells` that its water reaches; 0 for none.

        labels are numbers from 1. The outer shape is that of the surface.
        """
        pointer = np.append(self.receiver, self.outside)
        pointer[cells] = cells
        while True:
            following = pointer[pointer]
            if np.array_equal(following, pointer):
                break
            pointer = following
        of = np.zeros(len(pointer), dtype=np.int32)
        of[cells] = labels
        found: np.ndarray = np.where(self.known, of[pointer[:-1]], 0)
        return found.reshape(self.surface.z_ft.shape)


@dataclass(frozen=True)
class Jump:
    """A way underground to another cell; taken once water stands at the invert, if that is higher.

    invert_ft is NaN where the ground itself lets the water in.
    """

    to: int
    invert_ft: float = float("nan")


def flow_field(surface: Surface, jumps: Mapping[int, Jump] | None = None) -> FlowField:
    """The receivers of a surface's cells.

    jumps leads all water of a cell, by flat index, to another one underground: inlets and pipes.
    A jump that would lead water round in a circle leads it out of the surface instead.
    """
    z = surface.z_ft.ravel()
    receiver = _steepest(surface)
    under = jumps or {}
    drains = np.array([cell for cell in sorted(under) if np.isfinite(z[cell])], dtype=int)
    inverts = np.fmax(z[drains], [under[cell].invert_ft for cell in drains.tolist()])
    receiver[drains] = drains
    basin = _roots(receiver)
    known = np.isfinite(z)
    pits = np.flatnonzero((basin == np.arange(z.size)) & known)
    number = np.full(z.size, -1, dtype=np.int64)
    number[pits] = np.arange(len(pits))
    of = np.where(known, number[basin], -1)
    passes = _passes(surface, of, len(pits), drains, inverts)
    level = _spill_over(passes, receiver)
    spill = np.where(known, np.maximum(z, level[of]), np.nan)
    receiver[~known] = z.size
    if len(drains):
        receiver[drains] = [under[cell].to for cell in drains.tolist()]
        receiver[drains[_in_a_circle(receiver, drains)]] = z.size
    return FlowField(surface, receiver, spill.reshape(surface.z_ft.shape))


def _in_a_circle(receiver: np.ndarray, drains: np.ndarray) -> np.ndarray:
    """Drains whose water never leaves, since one of them leads it back."""
    pointer = np.append(receiver, len(receiver))
    for _ in range(len(receiver).bit_length() + 1):
        pointer = pointer[pointer]
    held: np.ndarray = pointer[drains] != len(receiver)
    return held


def _steepest(surface: Surface) -> np.ndarray:
    """The neighbour down the steepest way; the cell itself where none is lower."""
    rows, columns = surface.z_ft.shape
    wide = np.full((rows + 2, columns + 2), np.nan)
    wide[1:-1, 1:-1] = surface.z_ft
    best = np.zeros((rows, columns))
    receiver = np.arange(rows * columns).reshape(rows, columns)
    own = receiver.copy()
    for down, right in WAYS:
        other = wide[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        fall = surface.z_ft - other
        if down and right:
            fall = fall * np.sqrt(0.5)
        steeper = fall > best  # False beside NaN
        best[steeper] = fall[steeper]
        receiver[steeper] = own[steeper] + down * columns + right
    return receiver.ravel()


def _roots(receiver: np.ndarray) -> np.ndarray:
    """Where the way from each cell ends."""
    pointer = receiver
    while True:
        following = pointer[pointer]
        if np.array_equal(following, pointer):
            return pointer
        pointer = following


@dataclass(frozen=True, eq=False)
class _Passes:
    """The lowest way between each two basins, both ways round; basin `count` is the outside.

    The way leads from cell `here` of basin `own` to cell `there` of basin `other`.
    """

    own: np.ndarray
    other: np.ndarray
    height_ft: np.ndarray
    here: np.ndarray
    there: np.ndarray
    count: int


def _passes(
    surface: Surface, basin: np.ndarray, count: int, drains: np.ndarray, inverts_ft: np.ndarray
) -> _Passes:
    rows, columns = surface.z_ft.shape
    z = surface.z_ft
    of = basin.reshape(rows, columns)
    index = np.arange(rows * columns).reshape(rows, columns)
    here, there = [], []
    for down, right in WAYS[:4]:
        a = (slice(0, rows - down), slice(max(0, -right), columns - max(0, right)))
        b = (slice(down, rows), slice(max(0, right), columns - max(0, -right)))
        meet = (of[a] != of[b]) & (of[a] >= 0) & (of[b] >= 0)
        here.append(index[a][meet])
        there.append(index[b][meet])
    first, second = np.concatenate(here), np.concatenate(there)
    flat = z.ravel()
    height = np.maximum(flat[first], flat[second])
    edge = np.flatnonzero(rim_of(z).ravel())
    rim = np.append(edge, drains)
    rim_ft = np.append(flat[edge], inverts_ft)
    own = np.concatenate([basin[first], basin[second], basin[rim]])
    other = np.concatenate([basin[second], basin[first], np.full(len(rim), count)])
    height = np.concatenate([height, height, rim_ft])
    start = np.concatenate([first, second, rim])
    end = np.concatenate([second, first, np.full(len(rim), rows * columns)])
    order = np.lexsort([start, height, other, own])
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(own[order]) != 0) | (np.diff(other[order]) != 0)
    low = order[new]
    return _Passes(own[low], other[low], height[low], start[low], end[low], count)


def rim_of(z: np.ndarray) -> np.ndarray:
    """Known cells at the edge of the surface or beside a void."""
    wide = np.ones((z.shape[0] + 2, z.shape[1] + 2), dtype=bool)
    wide[1:-1, 1:-1] = np.isnan(z)
    beside = np.zeros(z.shape, dtype=bool)
    for down, right in WAYS:
        beside |= wide[1 + down : 1 + down + z.shape[0], 1 + right : 1 + right + z.shape[1]]
    rim: np.ndarray = beside & ~np.isnan(z)
    return rim


def _spill_over(passes: _Passes, receiver: np.ndarray) -> np.ndarray:
    """Turn the way out of each basin over its pass to the outside; the level of each basin.

    Basins are taken from the outside inward, always over the lowest pass that is left. Receivers
    from the pass down to the pit are turned round.
    """
    by_other = np.argsort(passes.other, kind="stable")
    start = np.searchsorted(passes.other[by_other], np.arange(passes.count + 2))
    starts, places = start.tolist(), by_other.tolist()
    own, height = passes.own.tolist(), passes.height_ft.tolist()
    here, there = passes.here.tolist(), passes.there.tolist()
    level = [float("-inf")] * (passes.count + 1)
    reached = [False] * (passes.count + 1)
    reached[passes.count] = True
    heap: list[tuple[float, int]] = []

    def open_ways(basin: int) -> None:
        for k in range(starts[basin], starts[basin + 1]):
            place = places[k]
            if not reached[own[place]]:
                heapq.heappush(heap, (height[place], place))

    other = passes.other.tolist()
    open_ways(passes.count)
    while heap:
        at_ft, place = heapq.heappop(heap)
        basin = own[place]
        if reached[basin]:
            continue
        reached[basin] = True
        level[basin] = max(at_ft, level[other[place]])
        _turn(receiver, here[place], there[place])
        open_ways(basin)
    return np.array(level)


def _turn(receiver: np.ndarray, cell: int, to: int) -> None:
    """Let the way from a cell lead to another, and all below it back up to the cell."""
    while True:
        below = int(receiver[cell])
        receiver[cell] = to
        if below == cell:
            return
        cell, to = below, cell
