"""The search of trace.py in plain Python: one path down, with a local priority flood at each pit.

One heap and one table serve the whole path, so that nested and mutual pits merge and no cell
forces a rise above the level to which a flood of the whole ground would fill it. Method: Barnes,
Lehman and Mulla 2014 (Priority-Flood), run only where the path stands; direction between the eight
neighbours by least transverse deviation (Orlandini and others 2003).
"""

from __future__ import annotations

import heapq
import math
from functools import cached_property
from typing import Any

import numpy as np

DISTANCE, STOP, EDGE, VOID, CLOSED = range(5)  # how a path ends
AT_STOP, AT_RIM = 1, 2  # kinds of a cell, to be added
_PATH, _OPEN = 1, 2
_HALF = math.sqrt(0.5)
_EAST_ROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))  # x, y down


class Barriers:
    """Where a path may end: the codes of the stops, and of which kind each cell is; flat."""

    def __init__(self, stop: np.ndarray) -> None:
        self.codes = np.ascontiguousarray(stop, dtype=np.int32).ravel()
        kind: np.ndarray = np.where(stop != 0, AT_STOP, 0).astype(np.uint8)
        kind[[0, -1]] |= AT_RIM
        kind[:, [0, -1]] |= AT_RIM
        self.kind = kind.ravel()

    @cached_property
    def plain(self) -> tuple[bytes, bytearray]:
        """The kinds as plain numbers, and room for the state of each cell, 0 between two paths."""
        return self.kind.tobytes(), bytearray(len(self.kind))


class Tracer:
    """Heights as flat memory, infinite at voids, and the search on them."""

    def __init__(self, heights: np.ndarray, columns: int, barriers: Barriers) -> None:
        # memory views and bytes give plain Python numbers, twice as fast as the arrays themselves
        self._z: Any = heights.data
        self._stop: Any = barriers.codes.data
        self._kind, self._state = barriers.plain
        self._steps = tuple((x + y * columns, math.hypot(x, y)) for x, y in _EAST_ROUND)

    def cells(
        self, start: int, length: float, spent: frozenset[int]
    ) -> tuple[np.ndarray, int, int]:
        """Flat numbers of the cells of a path, how it ends, and how many cells were looked at."""
        search = _Search(start, spent, self._state)
        end = None
        while end is None:
            end = self._descend(search, length)
            if end is None:
                end = self._flood(search, length)
        for i in search.parent:  # clean for the next path: the grid may be large
            self._state[i] = 0
        return search.path(), end, len(search.parent)

    def _ends(self, i: int, run: float, length: float, spent: frozenset[int]) -> int | None:
        """How a path ends on a stop, at the rim or beyond the length; None where it goes on."""
        if self._stop[i] and self._stop[i] not in spent:
            return STOP
        if run >= length:
            return DISTANCE
        return EDGE if self._kind[i] & AT_RIM else None

    def _descend(self, search: _Search, length: float) -> int | None:
        """Down to an end, or None at a pit."""
        z, steps, barrier = self._z, self._steps, self._kind
        far, parent, state = search.far, search.parent, search.state
        e, se, s, sw, w, nw, n, ne = (offset for offset, _ in steps)
        i, aside = search.at, 0.0
        run = far[i]
        while True:
            if barrier[i] or run >= length:
                end = self._ends(i, run, length, search.spent)
                if end is not None:
                    search.at = i
                    return end
            around = (
                z[i + e], z[i + se], z[i + s], z[i + sw], z[i + w], z[i + nw], z[i + n], z[i + ne],
            )  # fmt: skip
            straight, aslant = around[::2], around[1::2]
            low, low_aslant = min(straight), min(aslant)
            here = z[i]
            fall, fall_aslant = here - low, (here - low_aslant) * _HALF
            if fall <= 0.0 and fall_aslant <= 0.0:
                search.at = i
                return None
            k, other = 2 * straight.index(low), 2 * aslant.index(low_aslant) + 1
            if fall_aslant > fall or (fall_aslant == fall and other < k):
                k = other
            k, aside = _least_deviation(here, around, k, aside)
            offset, step = steps[k]
            j = i + offset
            if state[j]:
                run = far[j]
            else:
                run += step
                parent[j], far[j], state[j] = i, run, _PATH
            i = j

    def _flood(self, search: _Search, length: float) -> int | None:
        """Fill the pit at search.at; None when it spills, and search.at is then below the spill."""
        z, steps, barrier = self._z, self._steps, self._kind
        far, parent, state, heap = search.far, search.parent, search.state, search.heap
        push, pop = heapq.heappush, heapq.heappop
        i = search.at
        if state[i] == _PATH:
            state[i] = _OPEN
            push(heap, (z[i], far[i], i))
        level = z[i]
        while heap:
            height, run, i = pop(heap)
            if barrier[i] or run >= length:
                end = self._ends(i, run, length, search.spent)
                if end is not None:
                    search.at = i
                    return end
            if height < level:
                search.at, state[i] = i, _PATH
                return None
            level = height
            for offset, step in steps:
                j = i + offset
                known = state[j]
                if known == _OPEN:
                    continue
                high = z[j]
                if not known:
                    if high == math.inf:
                        search.at = i
                        return VOID
                    parent[j], far[j] = i, run + step
                state[j] = _OPEN
                push(heap, (high, far[j], j))
        search.at = i
        return CLOSED


class _Search:
    """What one path has seen: parent and distance in cells of each cell, and the open ones."""

    def __init__(self, start: int, spent: frozenset[int], state: bytearray) -> None:
        self.at, self.spent = start, spent
        self.parent = {start: -1}
        self.far = {start: 0.0}
        self.state = state
        state[start] = _PATH
        self.heap: list[tuple[float, float, int]] = []  # of equally high ones the nearest first

    def path(self) -> np.ndarray:
        """The cells from the start to where the search stands."""
        cells, i = [], self.at
        while i >= 0:
            cells.append(i)
            i = self.parent[i]
        return np.array(cells[::-1], dtype=np.int64)


def _least_deviation(
    here: float, around: tuple[float, ...], k: int, aside: float
) -> tuple[int, float]:
    """The steepest neighbour or the one beside it, whichever keeps nearer to the true fall.

    around are the heights of the neighbours, aside is by how many cells the path lies beside the
    line of steepest fall, + to the right.
    """
    there, left, right = around[k], (k - 1) & 7, (k + 1) & 7
    low, high = around[left], around[right]
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
