"""The way of water over the ground, cell by cell, without a conditioned raster.

Steepest descent; at a pit a local priority flood up to its spill. The search is tracer.py, or its
twin compiled_trace.py with the extra `fast`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry import LineString

from sitemap.terrain import compiled_trace
from sitemap.terrain.noise import ErrorField, Noise, error_field
from sitemap.terrain.tracer import Barriers, Tracer

STAIRS_CELLS = 0.75  # steps of the grid within so many cells are not bends of the flow
_AT_ONCE_CELLS = 16  # along a side of what the kernel takes from a surface at once
LATTICE_OVER = 1.09  # a path on a grid is at most 8.3 % longer than the line that it follows


class End(Enum):
    """Why a path over the ground ends."""

    DISTANCE = "the distance is reached"
    STOP = "it meets a water or an inlet"
    EDGE = "the elevation data end"
    VOID = "the elevation data have a hole"
    CLOSED = "the basin has no way out within the data"
    OUTSIDE = "no elevation there"


_ENDS = (End.DISTANCE, End.STOP, End.EDGE, End.VOID, End.CLOSED)  # by the codes of the search


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
        line: LineString = lines_of([self])[0]
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


def lines_of(paths: Sequence[GroundPath]) -> np.ndarray:
    """The lines of paths over the same cells, made at once."""
    of = np.repeat(np.arange(len(paths)), [max(len(path.xy), 2) for path in paths])
    xy = np.concatenate([path.xy if len(path.xy) > 1 else path.xy.repeat(2, 0) for path in paths])
    lines = np.asarray(shapely.linestrings(xy, indices=of), dtype=object)
    # a path enters no cell twice, so that the slow check against crossing itself finds nothing
    plain = shapely.simplify(lines, STAIRS_CELLS * paths[0].cell_ft, preserve_topology=False)
    return np.asarray(plain)


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
        xy = np.empty((len(cells), 2))
        xy[:, 0] = self.left + (column + 0.5) * self.cell_ft
        xy[:, 1] = self.top - (row + 0.5) * self.cell_ft
        return xy

    def with_heights(self, z_ft: np.ndarray) -> Relief:
        """The same cells and stops at other heights."""
        other = replace(self, z_ft=z_ft)
        other.__dict__["_barriers"] = self._barriers
        return other

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
        compiled: bool | None = None,
    ) -> GroundPath:
        """The path of water from a place, at least length_ft long unless something ends it.

        It begins at the place itself. Heights that are not finite are voids; stops of the codes in
        spent do not stop it. compiled takes the kernel of the extra `fast`, which gives the same
        path; by default where this process has it already.
        """
        number = self._known_cell(xy)
        if number is None:
            here = np.array([xy], dtype=float)
            return GroundPath(np.empty(0, int), here, np.full(1, np.nan), self.cell_ft, End.OUTSIDE)
        if compiled if compiled is not None else compiled_trace.is_here():
            return next(self.runs(xy, length_ft, spent, self._exact, compiled=True))
        cells, end, seen = self._tracer.cells(number, self._cells_of(length_ft), spent)
        return self._path(xy, cells, self._heights[cells], end, seen)

    def runs(
        self,
        xy: tuple[float, float],
        length_ft: float,
        spent: frozenset[int],
        error: ErrorField,
        *,
        compiled: bool,
    ) -> Iterator[GroundPath]:
        """As trace, over the surface with each of the errors; xy lies on a known cell.

        compiled takes the kernel of the extra `fast`: the same paths.
        """
        if not compiled:
            for z_ft in error.added_to(self.z_ft):
                yield self.with_heights(z_ft).trace(xy, length_ft, spent, compiled=False)
            return
        number = self._known_cell(xy)
        assert number is not None
        codes = np.array(sorted(spent), dtype=np.int32)
        length = self._cells_of(length_ft)
        heights, low_high = self._heights, self._low_high
        barriers = self._barriers
        for found in compiled_trace.trace_runs(
            heights, low_high, barriers, number, length, codes, error
        ):
            yield self._path(xy, *found)

    def _known_cell(self, xy: tuple[float, float]) -> int | None:
        at = self.cell_of(xy)
        if at is None or not math.isfinite(self.z_ft[at]):
            return None
        return at[0] * int(self.z_ft.shape[1]) + at[1]

    def _cells_of(self, length_ft: float) -> float:
        return length_ft * LATTICE_OVER / self.cell_ft

    def _path(
        self, xy: tuple[float, float], cells: np.ndarray, z_ft: np.ndarray, code: int, seen: int
    ) -> GroundPath:
        end = _ENDS[code]
        stop = int(self._barriers.codes[cells[-1]]) if end is End.STOP else 0
        path = self.centres(cells)
        path[0] = xy
        return GroundPath(cells, path, z_ft, self.cell_ft, end, stop, seen)

    @cached_property
    def _heights(self) -> np.ndarray:
        """The heights as flat memory, infinite at voids."""
        z = np.ascontiguousarray(self.z_ft, dtype=np.float64).ravel()
        return z if np.isfinite(z.sum()) else np.where(np.isfinite(z), z, np.inf)

    @cached_property
    def _low_high(self) -> tuple[float, float]:
        """The lowest and the highest known height."""
        low, high = self._heights.min(initial=math.inf), self._heights.max(initial=-math.inf)
        if math.isinf(high):
            known = self._heights[np.isfinite(self._heights)]
            high = known.max(initial=low)
        return (float(low), float(high)) if math.isfinite(low) else (0.0, 0.0)

    @cached_property
    def _exact(self) -> ErrorField:
        """No error."""
        apart = _AT_ONCE_CELLS * self.cell_ft
        return error_field(self, (self.left, self.top), Noise(0.0, apart), [0])

    @cached_property
    def _barriers(self) -> Barriers:
        return Barriers(self.stop)

    @cached_property
    def _tracer(self) -> Tracer:
        return Tracer(self._heights, int(self.z_ft.shape[1]), self._barriers)


def _within(low: int, high: int, size: int) -> tuple[int, int]:
    low = max(0, min(low, size - 3))
    return low, min(size, max(high, low + 3))
