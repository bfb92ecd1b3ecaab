"""The way of water over the ground, cell by cell, without a conditioned raster.

Steepest descent; at a pit a local priority flood up to its spill. One heap and one table serve
the whole path, so that nested and mutual pits merge and no cell forces a rise above the level to
which a flood of the whole ground would fill it. Method: Barnes, Lehman and Mulla 2014
(Priority-Flood), run only where the path stands; direction between the eight neighbours by least
transverse deviation (Orlandini and others 2003).
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
from shapely.geometry import LineString

from sitemap.terrain.lines import line_of

STAIRS_CELLS = 0.75  # steps of the grid within so many cells are not bends of the flow
LATTICE_OVER = 1.09  # a path on a grid is at most 8.3 % longer than the line that it follows
_PATH, _OPEN = 1, 2
_EAST_ROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))  # x, y down


class End(Enum):
    """Why a path over the ground ends."""

    DISTANCE = "the distance is reached"
    STOP = "it meets a water or an inlet"
    EDGE = "the elevation data end"
    VOID = "the elevation data have a hole"
    CLOSED = "the basin has no way out within the data"
    OUTSIDE = "no elevation there"


_COMPILED_ENDS = (End.DISTANCE, End.STOP, End.EDGE, End.VOID, End.CLOSED)


@dataclass(frozen=True, eq=False)
class Fill:
    """A hollow that fills before the path goes on: where it spills, to which height, how deep."""

    xy: tuple[float, float]
    level_ft: float
    depth_ft: float


@dataclass(frozen=True, eq=False)
class GroundPath:
    """One path: its cells in order (flat numbers), their centres from the start on, and its end.

    stop is the code of the stop that ended it, else 0.
    """

    cells: np.ndarray
    xy: np.ndarray
    z_ft: np.ndarray
    cell_ft: float
    end: End
    stop: int = 0
    looked_at: int = 0  # cells that the search has seen

    @cached_property
    def line(self) -> LineString:
        """The path without the stairs of the grid."""
        line: LineString = line_of(self.xy).simplify(STAIRS_CELLS * self.cell_ft)  # type: ignore[assignment]
        return line

    @property
    def fills(self) -> list[Fill]:
        """The hollows on the way, in order: where the path later stands higher than before."""
        level = np.maximum.accumulate(self.z_ft[::-1])[::-1]
        deep = level - self.z_ft
        found = []
        wet = np.flatnonzero(deep > 0)
        for run in np.split(wet, np.flatnonzero(np.diff(wet) > 1) + 1) if len(wet) else ():
            spill = min(int(run[-1]) + 1, len(self.xy) - 1)
            x, y = self.xy[spill]
            found.append(Fill((float(x), float(y)), float(level[run[0]]), float(deep[run].max())))
        return found


@dataclass(frozen=True, eq=False)
class Relief:
    """Heights in feet on a square grid, rows from north to south, with the stops of a trace.

    left and top are the outer corner in feet. stop is 0 where the ground goes on; a path ends on
    the first cell with another code.
    """

    z_ft: np.ndarray
    stop: np.ndarray
    left: float
    top: float
    cell_ft: float

    def cell_of(self, xy: tuple[float, float]) -> tuple[int, int] | None:
        """Row and column of the cell that holds a place; None outside."""
        column = math.floor((xy[0] - self.left) / self.cell_ft)
        row = math.floor((self.top - xy[1]) / self.cell_ft)
        rows, columns = self.z_ft.shape
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def centres(self, cells: np.ndarray) -> np.ndarray:
        """Centres of cells given by flat numbers, (n, 2) in feet."""
        row, column = np.divmod(cells, self.z_ft.shape[1])
        x = self.left + (column + 0.5) * self.cell_ft
        return np.column_stack([x, self.top - (row + 0.5) * self.cell_ft])

    def with_heights(self, z_ft: np.ndarray) -> Relief:
        """The same cells and stops at other heights."""
        return replace(self, z_ft=z_ft)

    def window(self, bounds: tuple[float, float, float, float]) -> Relief:
        """The part of the grid that covers the bounds, at least 3 by 3 cells of it."""
        rows, columns = self.z_ft.shape
        low = math.floor((bounds[0] - self.left) / self.cell_ft)
        high = math.ceil((bounds[2] - self.left) / self.cell_ft)
        first = math.floor((self.top - bounds[3]) / self.cell_ft)
        last = math.ceil((self.top - bounds[1]) / self.cell_ft)
        c0, c1 = _within(low, high, columns)
        r0, r1 = _within(first, last, rows)
        return Relief(
            self.z_ft[r0:r1, c0:c1],
            self.stop[r0:r1, c0:c1],
            self.left + c0 * self.cell_ft,
            self.top - r0 * self.cell_ft,
            self.cell_ft,
        )

    def trace(
        self,
        xy: tuple[float, float],
        length_ft: float,
        spent: frozenset[int] = frozenset(),
        *,
        compiled: bool = False,
    ) -> GroundPath:
        """The path of water from a place, at least length_ft long unless something ends it.

        It begins at the place itself. Heights that are not finite are voids; stops of the codes in
        spent do not stop it. compiled takes the kernel of the extra `fast`: the same path.
        """
        at = self.cell_of(xy)
        if at is None or not math.isfinite(self.z_ft[at]):
            here = np.array([xy], dtype=float)
            return GroundPath(np.empty(0, int), here, np.full(1, np.nan), self.cell_ft, End.OUTSIDE)
        number = at[0] * self.z_ft.shape[1] + at[1]
        length = length_ft * LATTICE_OVER / self.cell_ft
        run = self._tracer.run_compiled if compiled else self._tracer.run
        cells, end, stop, seen = run(number, length, spent)
        path = self.centres(cells)
        path[0] = xy
        return GroundPath(cells, path, self.z_ft.ravel()[cells], self.cell_ft, end, stop, seen)

    @cached_property
    def _tracer(self) -> _Tracer:
        return _Tracer(self.z_ft, self.stop)


def _within(low: int, high: int, size: int) -> tuple[int, int]:
    low = max(0, min(low, size - 3))
    return low, min(size, max(high, low + 3))


class _Tracer:
    """The grid as flat memory, and the search on it."""

    def __init__(self, z_ft: np.ndarray, stop: np.ndarray) -> None:
        z = np.where(np.isfinite(z_ft), z_ft, np.inf)
        rows, self.columns = int(z.shape[0]), int(z.shape[1])
        self._last_row = (rows - 1) * self.columns
        self._heights = np.ascontiguousarray(z, dtype=np.float64).ravel()
        self._stops = np.ascontiguousarray(stop, dtype=np.int32).ravel()
        # memory views give plain Python numbers, twice as fast as the arrays themselves
        self._z: Any = self._heights.data
        self._stop: Any = self._stops.data
        self._steps = tuple(
            (x + y * self.columns, math.sqrt(0.5) if x and y else 1.0, math.hypot(x, y))
            for x, y in _EAST_ROUND
        )

    def run(
        self, start: int, length: float, spent: frozenset[int]
    ) -> tuple[np.ndarray, End, int, int]:
        """Cells from start on (flat numbers), the end, the stop met, and how many were seen."""
        search = _Search(start, spent)
        while True:
            end = self._descend(search, length)
            if end is None:
                end = self._flood(search, length)
            if end is not None:
                stop = self._stop[search.at] if end is End.STOP else 0
                return search.path(), end, stop, len(search.parent)

    def run_compiled(
        self, start: int, length: float, spent: frozenset[int]
    ) -> tuple[np.ndarray, End, int, int]:
        """As run, by the kernel of the extra `fast`."""
        from sitemap.terrain.compiled_trace import trace_cells

        codes = np.array(sorted(spent), dtype=np.int32)
        z, stops = self._heights, self._stops
        cells, end, seen = trace_cells(z, stops, self.columns, start, length, codes)
        how = _COMPILED_ENDS[end]
        return cells, how, int(stops[cells[-1]]) if how is End.STOP else 0, seen

    def _rim(self, i: int) -> bool:
        columns = self.columns
        column = i % columns
        return column == 0 or column == columns - 1 or i < columns or i >= self._last_row

    def _ends(self, i: int, run: float, length: float, spent: frozenset[int]) -> End | None:
        if self._stop[i] and self._stop[i] not in spent:
            return End.STOP
        if run >= length:
            return End.DISTANCE
        return End.EDGE if self._rim(i) else None

    def _descend(self, search: _Search, length: float) -> End | None:
        """Down to an end, or None at a pit."""
        z, steps = self._z, self._steps
        far, parent, state = search.far, search.parent, search.state
        i, aside = search.at, 0.0
        while True:
            end = self._ends(i, far[i], length, search.spent)
            if end is not None:
                search.at = i
                return end
            here, best, k = z[i], 0.0, -1
            for way, (offset, per, _) in enumerate(steps):
                fall = (here - z[i + offset]) * per
                if fall > best:
                    best, k = fall, way
            if k < 0:
                search.at = i
                return None
            k, aside = self._least_deviation(i, k, aside)
            j = i + steps[k][0]
            if j not in parent:
                parent[j], far[j], state[j] = i, far[i] + steps[k][2], _PATH
            i = j

    def _least_deviation(self, i: int, k: int, aside: float) -> tuple[int, float]:
        """The steepest neighbour or the one beside it, whichever keeps nearer to the true fall.

        aside is by how many cells the path lies beside the line of steepest fall, + to the right.
        """
        z, steps = self._z, self._steps
        here, there = z[i], z[i + steps[k][0]]
        left, right = (k - 1) & 7, (k + 1) & 7
        low, high = z[i + steps[left][0]], z[i + steps[right][0]]
        if k & 1:  # a diagonal; the fall lies between it and the lower of its neighbours
            beside, other = (left, low) if low < high else (right, high)
            along, across = here - other, other - there
            if across >= along:
                return k, aside
        else:
            beside, other = (left, low) if low < high else (right, high)
            along, across = here - there, there - other
            if across <= 0.0:
                return k, aside
        size = math.sqrt(along * along + across * across)
        sine, cosine = across / size, along / size
        # how far the tip of either step lies beside the line of fall
        to_cardinal, to_diagonal = -sine, cosine - sine
        turn = 1.0 if (beside == right) != bool(k & 1) else -1.0
        own, its = (to_diagonal, to_cardinal) if k & 1 else (to_cardinal, to_diagonal)
        own, its = aside + turn * own, aside + turn * its
        return (k, own) if abs(own) <= abs(its) else (beside, its)

    def _flood(self, search: _Search, length: float) -> End | None:
        """Fill the pit at search.at; None when it spills, and search.at is then below the spill."""
        z, steps = self._z, self._steps
        far, parent, state, heap = search.far, search.parent, search.state, search.heap
        push, pop = heapq.heappush, heapq.heappop
        i = search.at
        if state[i] == _PATH:
            state[i] = _OPEN
            push(heap, (z[i], far[i], i))
        level = z[i]
        while heap:
            height, _, i = pop(heap)
            search.at = i
            end = self._ends(i, far[i], length, search.spent)
            if end is not None:
                return end
            if height < level:
                state[i] = _PATH
                return None
            level, run = height, far[i]
            for offset, _, step in steps:
                j = i + offset
                known = state.get(j)
                if known is None:
                    if z[j] == math.inf:
                        return End.VOID
                    parent[j], far[j] = i, run + step
                elif known == _OPEN:
                    continue
                state[j] = _OPEN
                push(heap, (z[j], far[j], j))
        return End.CLOSED


class _Search:
    """What one path has seen: parent and distance in cells of each cell, and the open ones."""

    def __init__(self, start: int, spent: frozenset[int]) -> None:
        self.at, self.spent = start, spent
        self.parent = {start: -1}
        self.far = {start: 0.0}
        self.state = {start: _PATH}
        self.heap: list[tuple[float, float, int]] = []  # of equally high ones the nearest first

    def path(self) -> np.ndarray:
        """The cells from the start to where the search stands."""
        cells, i = [], self.at
        while i >= 0:
            cells.append(i)
            i = self.parent[i]
        return np.array(cells[::-1], dtype=np.int64)
