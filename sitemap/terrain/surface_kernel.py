"""Contours in one pass and Horn's slope for the compiler, over flat arrays: see machine_code.py."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

VOID = -(1 << 30)
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


def pieces(  # noqa: C901, PLR0912 - one loop, as numba likes it
    z: Any, rows: int, columns: int, levels: Any, many: int, under: Any, start: Any, end: Any,
    room: int, told: Any,
) -> None:  # fmt: skip
    """Keys of the ends of the pieces of all lines, as far as there is room; told is their number.

    A key is the side of a cell times the number of levels, plus the level. under has room for two
    rows of cells: how many levels lie under each corner, VOID in a void.
    """
    per = (many - 1) / (levels[many - 1] - levels[0]) if many > 1 else 0.0
    cells = rows * columns
    n = 0
    for r in range(rows):
        own, before = r % 2 * columns, (r + 1) % 2 * columns
        for c in range(columns):
            height = z[r * columns + c]
            if np.isnan(height):
                under[own + c] = VOID
                continue
            k = int(min(max((height - levels[0]) * per, 0.0), many))
            while k > 0 and levels[k - 1] >= height:
                k -= 1
            while k < many and levels[k] < height:
                k += 1
            under[own + c] = k
        if r == 0:
            continue
        for c in range(columns - 1):
            ka, kb = under[before + c], under[before + c + 1]
            kd, ke = under[own + c], under[own + c + 1]
            if ka == kb and ka == kd and ka == ke:
                continue
            low, high = min(ka, kb, kd, ke), max(ka, kb, kd, ke)
            if low == VOID:
                continue
            if n + 2 * (high - low) > room:
                n += 2 * (high - low)
                continue
            i = (r - 1) * columns + c
            top, right, bottom, left = i, cells + i + 1, i + columns, cells + i
            for k in range(low, high):
                case = (1 if ka > k else 0) + (2 if kb > k else 0)
                case += (4 if ke > k else 0) + (8 if kd > k else 0)
                lines = 1
                if case in (5, 10):
                    lines = 2
                    total = z[i + columns] + z[i + columns + 1] + z[i] + z[i + 1]
                    middle = 1 if total * 0.25 > levels[k] else 0  # contourpy's order
                    saddle = 0 if case == 5 else 1
                for line in range(lines):
                    if lines == 2:
                        a = _SADDLE[saddle, middle, 2 * line]
                        b = _SADDLE[saddle, middle, 2 * line + 1]
                    else:
                        a, b = _FROM[case], _TO[case]
                    first = top if a == 0 else right if a == 1 else bottom if a == 2 else left
                    last = top if b == 0 else right if b == 1 else bottom if b == 2 else left
                    start[n], end[n] = first * many + k, last * many + k
                    n += 1
    told[0] = n


def joined(
    z: Any, rows: int, columns: int, levels: Any, many: int, start: Any, end: Any, count: int,
    table: Any, mask: int, entered: Any, following: Any, done: Any,
    x: Any, y: Any, first: Any, level_of: Any, told: Any,
) -> None:  # fmt: skip
    """Lines from pieces: vertices as column and row, first vertex of each line, its level.

    table has mask + 1 places of -1, a power of two. told is the number of lines and of vertices.
    """
    cells = rows * columns
    for p in range(count):
        h = (start[p] * 0x9E3779B1 >> 12) & mask
        while table[h] >= 0:
            h = (h + 1) & mask
        table[h] = p
        entered[p], done[p] = 0, 0
    for p in range(count):
        h = (end[p] * 0x9E3779B1 >> 12) & mask
        while table[h] >= 0 and start[table[h]] != end[p]:
            h = (h + 1) & mask
        following[p] = table[h]
        if table[h] >= 0:
            entered[table[h]] = 1
    lines, n = 0, 0
    for closed in range(2):  # lines with ends first, then rings
        for p0 in range(count):
            if done[p0] or (closed == 0 and entered[p0]):
                continue
            first[lines] = n
            level_of[lines] = start[p0] % many
            p, key = p0, start[p0]
            while True:
                edge, k = key // many, key % many
                level = levels[k]
                if edge < cells:
                    r = edge // columns
                    x[n] = edge - r * columns + (level - z[edge]) / (z[edge + 1] - z[edge])
                    y[n] = r
                else:
                    edge -= cells
                    r = edge // columns
                    x[n] = edge - r * columns
                    y[n] = r + (level - z[edge]) / (z[edge + columns] - z[edge])
                n += 1
                if p < 0 or done[p]:
                    break
                done[p] = 1
                key = end[p]
                p = int(following[p])
            lines += 1
    first[lines] = n
    told[0], told[1] = lines, n


def horn(
    z: Any, rows: int, columns: int, cell_ft: float, slope: Any, first: int, last: int
) -> None:
    """Horn's slope of the cells of some rows in percent; NaN at the edge and beside voids."""
    scale = 100.0 / (8.0 * cell_ft)
    for r in range(first, last):
        i = r * columns
        if r in (0, rows - 1):
            for c in range(columns):
                slope[i + c] = np.nan
            continue
        slope[i] = slope[i + columns - 1] = np.nan
        for c in range(i + 1, i + columns - 1):
            up, down = c - columns, c + columns
            west = z[up - 1] + 2.0 * z[c - 1] + z[down - 1]
            east = z[up + 1] + 2.0 * z[c + 1] + z[down + 1]
            north = z[up - 1] + 2.0 * z[up] + z[up + 1]
            south = z[down - 1] + 2.0 * z[down] + z[down + 1]
            void = 0.0 * z[c]  # NaN in a void, without a branch
            across, along = east - west, south - north
            slope[c] = scale * math.sqrt(across * across + along * along) + void
