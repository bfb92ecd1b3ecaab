"""The flow over wide ground compiled (extra `fast`): a priority flood in buckets, and sums down it.

Buckets of quantised heights make the flood linear in the cells (Barnes, Lehman and Mulla 2014 for
integers); what lies below the water goes through a plain queue. The buckets are so fine that there
are half as many as cells, at least 65,536: levels are exact to that step. Peak memory is under 25
bytes a cell beside the heights.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit, prange

LEAST_BUCKETS = 1 << 16
FINEST_FT = 2.0**-20
_OUT, _NONE = 8, 9  # beside the eight ways to a neighbour


def flooded(z: np.ndarray, out: np.ndarray, out_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Receivers (flat, int32; behind the last for what leaves) and spill levels of all cells.

    z is the grid in feet, NaN for voids. Water leaves at the cells `out` (flat) once it stands at
    out_ft there. Cells from which no water leaves receive themselves at the foot of their way.
    """
    cells = np.ascontiguousarray(z).ravel()
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    buckets = max(LEAST_BUCKETS, cells.size // 2)
    step = max((high - low) / (buckets - 2), FINEST_FT)
    level = np.empty(cells.size, np.int32)
    way = np.empty(cells.size, np.uint8)
    _quantised(cells, low, step, level, way)
    wanted = np.floor((np.minimum(out_ft, high) - low) / step).astype(np.int32)
    order = np.argsort(wanted, kind="stable")
    _flood(level, way, z.shape[1], out[order].astype(np.int64), wanted[order], buckets)
    receiver, spill = np.empty(cells.size, np.int32), np.empty_like(cells)
    _steepest(cells, level, way, receiver, spill, z.shape[1], low, step)
    return receiver, spill.reshape(z.shape)


@njit(cache=True, nogil=True)
def _steps(columns: int) -> Any:
    """From a cell to its neighbours; the way back from neighbour k is k ^ 4."""
    return np.array([1, columns, columns + 1, columns - 1, -1, -columns, -columns - 1, 1 - columns])


@njit(cache=True, nogil=True, parallel=True)
def _quantised(cells: Any, low: float, step: float, level: Any, way: Any) -> None:
    """The bucket of each cell, inverted (~) as long as the flood has not come; voids need none."""
    per = 1.0 / step
    for i in prange(len(cells)):
        if np.isnan(cells[i]):
            level[i], way[i] = 0, _OUT
        else:
            level[i], way[i] = ~int((cells[i] - low) * per), _NONE


@njit(cache=True, nogil=True)
def _flood(  # noqa: PLR0912 - one loop, as numba likes it
    level: Any, way: Any, columns: int, out: Any, out_level: Any, buckets: int
) -> None:
    """Raise each level to its spill; the way of each cell is back to where the flood came from."""
    size = len(level)
    head, following = np.full(buckets, -1, np.int32), np.empty(size, np.int32)
    low_water = np.empty(size, np.int32)  # cells under the water, in the order found
    first, last, at, turn = 0, 0, 0, 0
    steps = _steps(columns)
    while True:
        if first < last:
            i = np.int64(low_water[first])
            first += 1
            if first == last:
                first, last = 0, 0
        else:
            limit = out_level[turn] if turn < len(out) else buckets
            while at < limit and head[at] < 0:
                at += 1
            if at >= limit and turn < len(out):
                i = out[turn]
                turn += 1
                if level[i] >= 0:
                    continue
                way[i] = _OUT
                level[i] = max(~level[i], out_level[turn - 1])
            elif at < buckets:
                i = np.int64(head[at])
                head[at] = following[i]
            else:
                return
        here = level[i]
        row, column = i // columns, i % columns
        inner = 0 < column < columns - 1 and columns <= i < size - columns
        for k in range(8):
            j = i + steps[k]
            if not inner and (
                j < 0 or j >= size or abs(j % columns - column) > 1 or abs(j // columns - row) > 1
            ):
                continue
            own = ~level[j]
            if own < 0:
                continue
            way[j] = k ^ 4
            if own <= here:
                level[j] = here
                low_water[last] = j
                last += 1
            else:
                level[j] = own
                following[j] = head[own]
                head[own] = j


@njit(cache=True, nogil=True, parallel=True)
def _steepest(
    cells: Any, level: Any, way: Any, receiver: Any, spill: Any, columns: int, low: float,
    step: float,
) -> None:  # fmt: skip
    """Let dry cells drain down the steepest way to lower water, and give all their spill level."""
    size, half, per = len(cells), math.sqrt(0.5), 1.0 / step
    steps = _steps(columns)
    rows = size // columns
    for row in prange(rows):
        for column in range(columns):
            i = row * columns + column
            height = cells[i]
            spill[i] = height
            receiver[i] = size
            if way[i] == _OUT:
                spill[i] = max(height, low + level[i] * step)
                continue
            own = level[i]
            if own < 0:  # no water leaves from there
                own = ~own
            receiver[i] = i if way[i] == _NONE else i + steps[way[i]]
            if own > int((height - low) * per):
                spill[i] = max(height, low + own * step)
                continue
            best, to = 0.0, -1
            for down in range(-1, 2):
                for right in range(-1, 2):
                    r, c = row + down, column + right
                    if r < 0 or c < 0 or r >= rows or c >= columns:
                        continue
                    j = r * columns + c
                    fall = (height - cells[j]) * (half if down and right else 1.0)
                    if fall > best and max(level[j], ~level[j]) < own:
                        best, to = fall, j
            if to >= 0:
                receiver[i] = to


@njit(cache=True, nogil=True)
def added_up(receiver: Any, total: Any) -> None:
    """Add to each cell what comes from all cells above it, in place; receivers lead in no circle.

    Each cell is passed on once all that drains to it has come.
    """
    size = len(receiver)
    waits = np.zeros(size, np.uint16)
    for i in range(size):
        if receiver[i] < size and receiver[i] != i:
            waits[receiver[i]] += 1
    done = np.uint16(65535)
    for i in range(size):
        at = np.int64(i)
        while waits[at] == 0:
            waits[at] = done
            to = np.int64(receiver[at])
            if to >= size or to == at:
                break
            total[to] += total[at]
            waits[to] -= 1
            at = to
