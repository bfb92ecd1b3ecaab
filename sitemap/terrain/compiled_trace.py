"""The search of tracer.py compiled (extra `fast`): all runs of a corridor in one call."""

from __future__ import annotations

import mmap
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sitemap.terrain.machine_code import address_of, can_compile, is_loaded, is_made, native

if TYPE_CHECKING:
    from sitemap.terrain.noise import ErrorField
    from sitemap.terrain.tracer import Barriers

# as trace_kernel.trace
_KERNEL = "trace_kernel", "trace", "dibNNNNDiN" + "lNlDN" + "didi" + "DDN" + "idlN" + "didhdiidill"
BUCKETS = 1 << 14
MOST_FREE = 4
CORES = os.cpu_count() or 1
_RIGHT = np.array([1, 1, 0, -1, -1, -1, 0, 1])  # of the neighbours, from east round by south
_DOWN = np.array([0, 1, 1, 1, 0, -1, -1, -1])


WORTH_MAKING = 400_000  # cells looked at (2 microseconds each in plain Python), from which it pays
WORTH_LOADING = 50_000  # to compile the kernel, to load it once it lies on disk,
WORTH_CALLING = 2_000  # and to call it once it is loaded


def is_here() -> bool:
    """Whether this process has the kernel."""
    return is_loaded(*_KERNEL)


def pays(cells: int) -> bool:
    """Whether to take the kernel for so many cells; never without the extra `fast`."""
    if is_here():
        return cells >= WORTH_CALLING
    if cells < WORTH_LOADING or not can_compile():
        return False
    return cells >= WORTH_MAKING or is_made(*_KERNEL)


def trace_runs(
    z: np.ndarray,
    low_high: tuple[float, float],
    barriers: Barriers,
    start: int,
    length: float,
    spent: np.ndarray,
    error: ErrorField,
) -> list[tuple[np.ndarray, np.ndarray, int, int]]:
    """For each run the cells of its path, their heights, how it ends, and how many it looked at.

    z is flat and infinite at voids, low_high the least and the greatest of it; length is in cells.
    """
    runs = len(error.runs)
    most = int(min(length + 3.0, len(z) + 1.0))
    path, height = np.empty((runs, most), np.int32), np.empty((runs, most))
    told = np.empty((runs, 3), np.int64)  # cells of the path, its end, cells looked at
    columns = len(error.node_x)
    lattice, seeds = np.array(error.lattice, np.int64), error.seeds.view(np.int64)
    low, high = low_high
    per = (BUCKETS - 2) / max(high - low, 1e-6)
    kernel = native(*_KERNEL)

    def work(first: int, last: int) -> None:
        scratch = _Scratch.of(len(z), int(lattice[1]), int(lattice[3]), columns)
        kernel(
            z, barriers.codes, barriers.kind, len(z), scratch.cells, columns, start, length, spent,
            len(spent), seeds[first:last], last - first, lattice, error.scale, error.middle,
            *error.in_lines, low, per, BUCKETS,
            path[first:last], height[first:last], told[first:last], most, *scratch.arrays(columns),
        )  # fmt: skip
        scratch.back()

    hands = min(runs, CORES)
    if hands == 1:
        work(0, runs)
    else:
        ends = [runs * n // hands for n in range(hands + 1)]
        with ThreadPoolExecutor(hands) as pool:
            list(pool.map(work, ends[:-1], ends[1:]))
    return [
        (path[run, :count][::-1].astype(np.int64), height[run, :count][::-1], end, seen)
        for run, (count, end, seen) in enumerate(told.tolist())
    ]


class _Scratch:
    """The memory of one search; kept, since only what is touched is real, and touching costs."""

    _free: ClassVar[list[_Scratch]] = []
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, cells: int, nodes: int, wide: int) -> None:
        self.cells, self._nodes, self._of_wide = cells, nodes, wide
        cell, node = _zeros(3 * cells), _zeros(2 * nodes)
        self._kept = (
            node, node.view(np.int32), _zeros(wide), _zeros(cells // 4 + 1).view(np.uint16),
            cell, cell.view(np.int32), np.empty(BUCKETS, np.int32), _zeros(cells),
            _zeros(cells // 2 + 1).view(np.int32),
        )  # fmt: skip
        self._count = np.zeros(4, np.int64)
        kinds = zip(self._kept, "didhdiidi", strict=True)
        self._addresses = [address_of(array, kind) for array, kind in kinds]

    @classmethod
    def of(cls, cells: int, rows: int, node_columns: int, columns: int) -> _Scratch:
        """One that is large enough and not in use. rows and node_columns are those of a lattice."""
        asked_for = cells, rows * node_columns, rows * columns
        with cls._lock:
            for n, found in enumerate(cls._free):
                room = found.cells, found._nodes, found._of_wide
                if all(own >= asked for own, asked in zip(room, asked_for, strict=True)):
                    return cls._free.pop(n)
        return cls(*asked_for)

    def arrays(self, columns: int) -> tuple[int | np.ndarray, ...]:
        """In the order of the kernel; those that stay the same by where they lie."""
        return (*self._addresses, _RIGHT + _DOWN * columns, self._count)

    def back(self) -> None:
        """To be used again, as the first."""
        with self._lock:
            self._free.insert(0, self)
            del self._free[MOST_FREE:]


def _zeros(count: int) -> np.ndarray:
    """Zeros of which only the touched pages are real: numpy's own come in pages of 2 MB."""
    return np.frombuffer(mmap.mmap(-1, max(8 * count, 8)), dtype=np.float64)
