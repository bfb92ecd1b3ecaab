"""Compiled kernels (extra `fast`): all contours in one pass over the cells, and Horn's slope.

Numba keeps the machine code on disk, so only the first run compiles. The results are those of
contourpy and of numpy: same lines, same order of their vertices, higher ground on the left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

# Corners above a level, as bits: 1 north-west, 2 north-east, 4 south-east, 8 south-west.
# Sides: 0 top, 1 right, 2 bottom, 3 left. For each case the way of the line, higher on its left.
_FROM = np.array([-1, 3, 0, 3, 1, -1, 0, 3, 2, 2, -1, 2, 1, 1, 0, -1])
_TO = np.array([-1, 0, 1, 1, 2, -1, 2, 2, 3, 0, -1, 1, 3, 0, 3, -1])
# Saddles: two lines each, [opposite corners joined over a high middle or not]
_SADDLE = np.array(
    [
        [[3, 0, 1, 2], [1, 0, 3, 2]],  # north-west and south-east above: middle low, high
        [[0, 1, 2, 3], [0, 3, 2, 1]],  # north-east and south-west above
    ]
)


@njit(cache=True)
def _first_level(levels: Any, low: float, guess: int) -> int:
    """The first level that is not under a height, searched from a guess."""
    k = min(max(guess, 0), len(levels))
    while k > 0 and levels[k - 1] >= low:
        k -= 1
    while k < len(levels) and levels[k] < low:
        k += 1
    return k


@njit(cache=True)
def _pieces(z: Any, levels: Any, start: Any, end: Any, fill: bool) -> int:
    """Count the pieces of all lines, and with `fill` write the keys of their ends."""
    rows, columns = z.shape
    many = len(levels)
    step = levels[1] - levels[0] if many > 1 else 1.0
    cells = rows * columns
    side = np.empty(4, np.int64)
    n = 0
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b, d, e = z[r, c], z[r, c + 1], z[r + 1, c], z[r + 1, c + 1]
            if np.isnan(a + b + d + e):
                continue
            low, high = min(a, b, d, e), max(a, b, d, e)
            k = _first_level(levels, low, int((low - levels[0]) / step))
            i = r * columns + c
            side[0], side[1], side[2], side[3] = i, cells + i + 1, i + columns, cells + i
            while k < many and levels[k] < high:
                level = levels[k]
                case = (a > level) + 2 * (b > level) + 4 * (e > level) + 8 * (d > level)
                if case in (5, 10):
                    if fill:
                        middle = 1 if (d + e + a + b) * 0.25 > level else 0  # contourpy's order
                        way = _SADDLE[0 if case == 5 else 1, middle]
                        start[n], end[n] = side[way[0]] * many + k, side[way[1]] * many + k
                        start[n + 1] = side[way[2]] * many + k
                        end[n + 1] = side[way[3]] * many + k
                    n += 2
                else:
                    if fill:
                        start[n] = side[_FROM[case]] * many + k
                        end[n] = side[_TO[case]] * many + k
                    n += 1
                k += 1
    return n


@njit(cache=True)
def _slot(table: Any, keys: Any, key: int) -> Any:
    """Where a key stands in an open hash table of piece numbers, or the free place for it."""
    mask = len(table) - 1
    h = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask
    while table[h] >= 0 and keys[table[h]] != key:
        h = (h + 1) & mask
    return h


@njit(cache=True)
def _joined(z: Any, levels: Any, start: Any, end: Any) -> Any:
    """Lines from pieces: vertices as column and row, first vertex of each line, its level."""
    rows, columns = z.shape
    count, many, cells = len(start), len(levels), rows * columns
    size = 16
    while size < 2 * count:
        size *= 2
    table = np.full(size, -1, np.int64)
    for p in range(count):
        table[_slot(table, start, start[p])] = p
    entered = np.zeros(count, np.bool_)
    following = np.full(count, -1, np.int64)
    for p in range(count):
        q = table[_slot(table, start, end[p])]
        following[p] = q
        if q >= 0:
            entered[q] = True
    xy = np.empty((2 * count, 2), np.float64)
    first = np.empty(count + 1, np.int64)
    level_of = np.empty(count, np.int64)
    done = np.zeros(count, np.bool_)
    lines, n = 0, 0
    for closed in range(2):  # lines with ends first, then rings
        for p0 in range(count):
            if done[p0] or (closed == 0 and entered[p0]):
                continue
            first[lines] = n
            level_of[lines] = start[p0] % many
            p = p0
            key = start[p0]
            while True:
                edge, k = key // many, key % many
                level = levels[k]
                if edge < cells:
                    r, c = edge // columns, edge % columns
                    xy[n, 0] = c + (level - z[r, c]) / (z[r, c + 1] - z[r, c])
                    xy[n, 1] = r
                else:
                    r, c = (edge - cells) // columns, (edge - cells) % columns
                    xy[n, 0] = c
                    xy[n, 1] = r + (level - z[r, c]) / (z[r + 1, c] - z[r, c])
                n += 1
                if p < 0 or done[p]:
                    break
                done[p] = True
                key = end[p]
                p = following[p]
            lines += 1
    first[lines] = n
    return xy[:n].copy(), first[: lines + 1].copy(), level_of[:lines].copy()


def one_pass_lines(z: np.ndarray, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All lines at rising, evenly spaced levels: vertices (column, row), offsets, level numbers.

    NaN cells cut lines. Rows go down, from north to south.
    """
    cells = np.ascontiguousarray(z, dtype=np.float64)
    rising = np.ascontiguousarray(levels, dtype=np.float64)
    none = np.empty(0, np.int64)
    count = _pieces(cells, rising, none, none, False)
    start, end = np.empty(count, np.int64), np.empty(count, np.int64)
    _pieces(cells, rising, start, end, True)
    made: tuple[np.ndarray, np.ndarray, np.ndarray] = _joined(cells, rising, start, end)
    return made


@njit(cache=True, parallel=True)
def horn_slope_pct(z: Any, cell_ft: float) -> Any:
    """Horn's slope of each cell in percent; NaN at the edge and beside voids."""
    rows, columns = z.shape
    slope = np.empty(z.shape)
    scale = 100.0 / (8.0 * cell_ft)
    for r in prange(rows):
        slope[r, 0] = slope[r, columns - 1] = np.nan
        if r in (0, rows - 1):
            slope[r] = np.nan
            continue
        for c in range(1, columns - 1):
            west = z[r - 1, c - 1] + 2.0 * z[r, c - 1] + z[r + 1, c - 1]
            east = z[r - 1, c + 1] + 2.0 * z[r, c + 1] + z[r + 1, c + 1]
            north = z[r - 1, c - 1] + 2.0 * z[r - 1, c] + z[r - 1, c + 1]
            south = z[r + 1, c - 1] + 2.0 * z[r + 1, c] + z[r + 1, c + 1]
            void = 0.0 * z[r, c]  # NaN in a void, without a branch
            slope[r, c] = scale * np.sqrt((east - west) ** 2 + (south - north) ** 2) + void
    return slope
