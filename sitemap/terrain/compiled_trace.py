"""The search of tracer.py compiled (extra `fast`), for corridors over wide ground.

The same steps in the same order on the same numbers, so that the paths are the same to the cell.
Numba keeps the machine code on disk, so only the first run compiles.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

DISTANCE, STOP, EDGE, VOID, CLOSED, FULL = 0, 1, 2, 3, 4, -1
_PATH, _OPEN = 1, 2
_FIRST_ROOM = 1 << 13


def trace_cells(
    z: np.ndarray, stop: np.ndarray, columns: int, start: int, length: float, spent: np.ndarray
) -> tuple[np.ndarray, int, int]:
    """Flat numbers of the cells of a path, how it ends, and how many cells were looked at."""
    room = _FIRST_ROOM
    while True:
        cells, end, seen = _search(z, stop, columns, start, length, spent, room)
        if end != FULL:
            return cells, end, seen
        room *= 4


@njit(cache=True)
def _slot(keys: Any, cell: int) -> int:
    mask = len(keys) - 1
    at = (cell * 2654435761) & mask
    while keys[at] not in (-1, cell):
        at = (at + 1) & mask
    return at


@njit(cache=True)
def _before(hz: Any, hf: Any, hi: Any, a: int, b: int) -> bool:
    if hz[a] != hz[b]:
        return bool(hz[a] < hz[b])
    if hf[a] != hf[b]:
        return bool(hf[a] < hf[b])
    return bool(hi[a] < hi[b])


@njit(cache=True)
def _swap(hz: Any, hf: Any, hi: Any, a: int, b: int) -> None:
    hz[a], hz[b] = hz[b], hz[a]
    hf[a], hf[b] = hf[b], hf[a]
    hi[a], hi[b] = hi[b], hi[a]


@njit(cache=True)
def _push(hz: Any, hf: Any, hi: Any, size: int, height: float, run: float, cell: int) -> int:
    hz[size], hf[size], hi[size] = height, run, cell
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if not _before(hz, hf, hi, at, up):
            break
        _swap(hz, hf, hi, at, up)
        at = up
    return size + 1


@njit(cache=True)
def _pop(hz: Any, hf: Any, hi: Any, size: int) -> int:
    """The first goes behind the last; the number that is left."""
    size -= 1
    _swap(hz, hf, hi, 0, size)
    at = 0
    while True:
        least, left = at, 2 * at + 1
        if left < size and _before(hz, hf, hi, left, least):
            least = left
        if left + 1 < size and _before(hz, hf, hi, left + 1, least):
            least = left + 1
        if least == at:
            return size
        _swap(hz, hf, hi, at, least)
        at = least


@njit(cache=True)
def _ends(z: Any, stop: Any, columns: int, i: int, run: float, length: float, spent: Any) -> int:
    """How the path ends here; FULL where it does not."""
    if stop[i] != 0:
        free = False
        for code in spent:
            free = free or code == stop[i]
        if not free:
            return STOP
    if run >= length:
        return DISTANCE
    column = i % columns
    if column in (0, columns - 1) or i < columns or i >= len(z) - columns:
        return EDGE
    return FULL


@njit(cache=True)
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


@njit(cache=True)
def _search(  # noqa: C901, PLR0912, PLR0915 - one loop, as numba likes it
    z: Any, stop: Any, columns: int, start: int, length: float, spent: Any, room: int
) -> tuple[Any, int, int]:
    keys = np.full(room, -1, np.int64)
    parent, far = np.empty(room, np.int64), np.empty(room, np.float64)
    state = np.zeros(room, np.uint8)
    hz, hf = np.empty(room, np.float64), np.empty(room, np.float64)
    hi = np.empty(room, np.int64)
    steps = np.array(
        [1, 1 + columns, columns, columns - 1, -1, -1 - columns, -columns, 1 - columns]
    )
    root, half = math.sqrt(2.0), math.sqrt(0.5)
    open_, count, i = 0, 1, start
    at = _slot(keys, i)
    keys[at], parent[at], far[at], state[at] = i, -1, 0.0, _PATH
    end = FULL
    while end == FULL:
        aside = 0.0
        while True:  # down
            run = far[_slot(keys, i)]
            end = _ends(z, stop, columns, i, run, length, spent)
            if end != FULL:
                break
            best, k = 0.0, -1
            for way in range(8):
                fall = z[i] - z[i + steps[way]]
                if way & 1:
                    fall *= half
                if fall > best:
                    best, k = fall, way
            if k < 0:
                break
            k, aside = _turned(z, steps, i, k, aside)
            i += steps[k]
            at = _slot(keys, i)
            if keys[at] != i:
                if 2 * count >= room:
                    return keys[:0], FULL, count
                keys[at], parent[at], state[at] = i, i - steps[k], _PATH
                far[at] = run + (root if k & 1 else 1.0)
                count += 1
        if end != FULL:
            break
        at = _slot(keys, i)
        if state[at] == _PATH:
            state[at] = _OPEN
            open_ = _push(hz, hf, hi, open_, z[i], far[at], i)
        level, end = z[i], CLOSED
        while open_ > 0:  # fill
            open_ = _pop(hz, hf, hi, open_)
            height, i = hz[open_], hi[open_]
            at = _slot(keys, i)
            run = far[at]
            end = _ends(z, stop, columns, i, run, length, spent)
            if end != FULL:
                break
            if height < level:
                state[at] = _PATH
                break
            level, end = height, CLOSED
            for way in range(8):
                j = i + steps[way]
                to = _slot(keys, j)
                if keys[to] != j:
                    if z[j] == math.inf:
                        end = VOID
                        break
                    if 2 * count >= room:
                        return keys[:0], FULL, count
                    keys[to], parent[to] = j, i
                    far[to] = run + (root if way & 1 else 1.0)
                    count += 1
                elif state[to] == _OPEN:
                    continue
                state[to] = _OPEN
                if open_ >= room - 1:
                    return keys[:0], FULL, count
                open_ = _push(hz, hf, hi, open_, z[j], far[to], j)
            if end == VOID:
                break
    cells = np.empty(count + 1, np.int64)
    number = 0
    while i >= 0:
        cells[number] = i
        number += 1
        i = parent[_slot(keys, i)]
    return cells[:number][::-1].copy(), end, count
