"""The search of tracer.py compiled (extra `fast`): all runs of a corridor in one call.

The same steps in the same order on the same numbers, so that the paths are the same to the cell.
The error of a surface is made only for the cells that a run looks at. Numba keeps the machine code
on disk, so only the first run compiles.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

from sitemap.terrain.noise import ErrorField
from sitemap.terrain.tracer import AT_RIM, AT_STOP, CLOSED, DISTANCE, EDGE, STOP, VOID, Barriers

ON = -1
_PATH, _OPEN, _KNOWN = 1, 2, 4  # of a cell: on the way, in the heap; its height is made


def trace_runs(
    z: np.ndarray,
    barriers: Barriers,
    start: int,
    length: float,
    spent: np.ndarray,
    error: ErrorField,
) -> list[tuple[np.ndarray, np.ndarray, int, int]]:
    """For each run the cells of its path, their heights, how it ends, and how many it looked at.

    z is flat and infinite at voids; length is in cells.
    """
    runs = len(error.nodes)
    most = int(min(length + 3.0, len(z) + 1.0))
    path, height = np.empty((runs, most), np.int32), np.empty((runs, most))
    told = np.empty((runs, 3), np.int64)  # cells of the path, its end, cells looked at
    stop, kind = barriers.codes, barriers.kind
    lattice = np.ascontiguousarray(error.up), error.node_y, error.across, error.node_x

    def work(first: int, step: int) -> None:
        own = slice(first, None, step)
        made = [np.empty(len(z)) for _ in range(3)]
        numbers = [np.empty(len(z), np.int32) for _ in range(3)]
        scratch = np.zeros(len(z), np.uint8), *made, *numbers
        results = path[own], height[own], told[own]
        _trace(z, stop, kind, start, length, spent, error.nodes[own], *lattice, *results, *scratch)

    hands = min(runs, os.cpu_count() or 1)
    with ThreadPoolExecutor(hands) as pool:
        list(pool.map(work, range(hands), [hands] * hands))
    return [
        (path[run, :count][::-1].astype(np.int64), height[run, :count][::-1], end, seen)
        for run, (count, end, seen) in enumerate(told.tolist())
    ]


@njit(cache=True, nogil=True)
def _before(far: Any, za: float, a: int, zb: float, b: int) -> bool:
    if za != zb:
        return bool(za < zb)
    if far[a] != far[b]:
        return bool(far[a] < far[b])
    return a < b


@njit(cache=True, nogil=True)
def _push(hz: Any, hi: Any, far: Any, size: int, height: float, cell: int) -> int:
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if not _before(far, height, cell, hz[up], hi[up]):
            break
        hz[at], hi[at] = hz[up], hi[up]
        at = up
    hz[at], hi[at] = height, cell
    return size + 1


@njit(cache=True, nogil=True)
def _pop(hz: Any, hi: Any, far: Any, size: int) -> int:
    """The first goes behind the last; the number that is left."""
    size -= 1
    top_z, top_i, height, cell = hz[0], hi[0], hz[size], hi[size]
    at = 0
    while True:
        low = 2 * at + 1
        if low >= size:
            break
        if low + 1 < size and _before(far, hz[low + 1], hi[low + 1], hz[low], hi[low]):
            low += 1
        if not _before(far, hz[low], hi[low], height, cell):
            break
        hz[at], hi[at] = hz[low], hi[low]
        at = low
    hz[at], hi[at] = height, cell
    hz[size], hi[size] = top_z, top_i
    return size


@njit(cache=True, nogil=True)
def _ends(kind: Any, stop: Any, i: int, run: float, length: float, spent: Any) -> int:
    """How the path ends here; ON where it does not."""
    if kind[i] & AT_STOP:
        free = False
        for code in spent:
            free = free or code == stop[i]
        if not free:
            return STOP
    if run >= length:
        return DISTANCE
    return EDGE if kind[i] & AT_RIM else ON


@njit(cache=True, nogil=True)
def _widened(nodes: Any, across: Any, node_x: Any, wide: Any) -> None:
    """The errors at the lattice's rows and the cells' columns."""
    for y in range(len(wide)):
        for c in range(len(node_x)):
            x = node_x[c]
            wide[y, c] = 0.0
            for b in range(4):
                wide[y, c] += across[b, c] * nodes[y, x + b]


@njit(cache=True, nogil=True)
def _made(
    z: Any, wide: Any, up: Any, node_y: Any, own: Any, state: Any, touched: Any, many: int,
    j: int, row: int, column: int,
) -> int:  # fmt: skip
    """Make the height of a cell; how many of the run are made then."""
    y = node_y[row]
    error = 0.0
    for a in range(4):
        error += up[a, row] * wide[y + a, column]
    own[j] = error + z[j]
    state[j] = _KNOWN
    touched[many] = j
    return many + 1


@njit(cache=True, nogil=True)
def _turned(z: Any, steps: Any, i: int, k: int, aside: float) -> tuple[int, float]:
    """As Tracer._least_deviation."""
    here, there = z[i], z[i + steps[k]]
    left, right = (k - 1) & 7, (k + 1) & 7
    low, high = z[i + steps[left]], z[i + steps[right]]
    beside, other = right, high
    if low < high:
        beside, other = left, low
    if k & 1:
        along, across = here - other, other - there
        if across >= along:
            return k, aside
    else:
        along, across = here - there, there - other
        if across <= 0.0:
            return k, aside
    size = math.sqrt(along * along + across * across)
    sine, cosine = across / size, along / size
    to_cardinal, to_diagonal = -sine, cosine - sine
    turn = 1.0 if (beside == right) != bool(k & 1) else -1.0
    own, its = to_cardinal, to_diagonal
    if k & 1:
        own, its = to_diagonal, to_cardinal
    own, its = aside + turn * own, aside + turn * its
    if abs(own) <= abs(its):
        return k, own
    return beside, its


@njit(cache=True, nogil=True)
def _trace(  # noqa: C901, PLR0912, PLR0915 - one loop, as numba likes it
    z: Any, stop: Any, kind: Any, start: int, length: float, spent: Any,
    all_nodes: Any, up: Any, node_y: Any, across: Any, node_x: Any,
    path: Any, height_of: Any, told: Any,
    state: Any, own: Any, far: Any, hz: Any, hi: Any, parent: Any, touched: Any,
) -> None:  # fmt: skip
    columns = len(node_x)
    steps = np.array(
        [1, 1 + columns, columns, columns - 1, -1, -1 - columns, -columns, 1 - columns]
    )
    right = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    down = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    wide = np.empty((all_nodes.shape[1], columns))
    root, half = math.sqrt(2.0), math.sqrt(0.5)
    for run in range(len(all_nodes)):
        _widened(all_nodes[run], across, node_x, wide)
        many, open_, seen, i, end = 0, 0, 1, start, ON
        row, column = i // columns, i % columns
        many = _made(z, wide, up, node_y, own, state, touched, many, i, row, column)
        state[i], parent[i], far[i] = _KNOWN | _PATH, -1, 0.0
        while end == ON:
            aside = 0.0
            while True:  # down
                length_so_far = far[i]
                if kind[i] != 0 or length_so_far >= length:
                    end = _ends(kind, stop, i, length_so_far, length, spent)
                    if end != ON:
                        break
                row, column = i // columns, i % columns
                for way in range(8):
                    j = i + steps[way]
                    if state[j] == 0:
                        many = _made(
                            z, wide, up, node_y, own, state, touched, many,
                            j, row + down[way], column + right[way],
                        )  # fmt: skip
                best, k = 0.0, -1
                for way in range(8):
                    fall = own[i] - own[i + steps[way]]
                    if way & 1:
                        fall *= half
                    if fall > best:
                        best, k = fall, way
                if k < 0:
                    break
                k, aside = _turned(own, steps, i, k, aside)
                i += steps[k]
                if state[i] == _KNOWN:
                    parent[i], state[i] = i - steps[k], _KNOWN | _PATH
                    far[i] = length_so_far + (root if k & 1 else 1.0)
                    seen += 1
            if end != ON:
                break
            if state[i] & _PATH:
                state[i] = _KNOWN | _OPEN
                open_ = _push(hz, hi, far, open_, own[i], i)
            level, end = own[i], CLOSED
            while open_ > 0:  # fill
                open_ = _pop(hz, hi, far, open_)
                height, i = hz[open_], hi[open_]
                length_so_far = far[i]
                end = ON
                if kind[i] != 0 or length_so_far >= length:
                    end = _ends(kind, stop, i, length_so_far, length, spent)
                    if end != ON:
                        break
                if height < level:
                    state[i] = _KNOWN | _PATH
                    break
                level, end = height, CLOSED
                row, column = i // columns, i % columns
                for way in range(8):
                    j = i + steps[way]
                    if state[j] & _OPEN:
                        continue
                    if state[j] == 0:
                        many = _made(
                            z, wide, up, node_y, own, state, touched, many,
                            j, row + down[way], column + right[way],
                        )  # fmt: skip
                    if state[j] == _KNOWN:
                        if own[j] == math.inf:
                            end = VOID
                            break
                        parent[j] = i
                        far[j] = length_so_far + (root if way & 1 else 1.0)
                        seen += 1
                    state[j] = _KNOWN | _OPEN
                    open_ = _push(hz, hi, far, open_, own[j], j)
                if end == VOID:
                    break
        number = 0
        while i >= 0:
            path[run, number], height_of[run, number] = i, own[i]
            number += 1
            i = parent[i]
        told[run, 0], told[run, 1], told[run, 2] = number, end, seen
        for n in range(many):
            state[touched[n]] = 0
