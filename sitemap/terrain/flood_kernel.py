"""The flood of compiled_flood.py for the compiler, over flat arrays; see machine_code.py."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

OUT, NONE = 8, 9  # beside the eight ways to a neighbour
_HALF = math.sqrt(0.5)


def quantised(
    cells: Any, low: float, per: float, level: Any, way: Any, first: int, last: int
) -> None:
    """The bucket of each cell, inverted (~) as long as the flood has not come; voids need none."""
    for i in range(first, last):
        if np.isnan(cells[i]):
            level[i], way[i] = 0, OUT
        else:
            level[i], way[i] = ~int((cells[i] - low) * per), NONE


def flood(  # noqa: C901, PLR0912, PLR0915 - one loop, as numba likes it
    level: Any, way: Any, size: int, columns: int, out: Any, out_level: Any, many: int,
    buckets: int, head: Any, following: Any, waiting: Any, steps: Any,
) -> None:  # fmt: skip
    """Raise each level to its spill; the way of each cell is back to where the flood came from.

    The way back from neighbour k is k ^ 4. waiting holds from its beginning the cells under the
    water, in the order found, and from its end down those that stand dry above what was found.
    """
    first, last, dry, at, turn = 0, 0, size, 0, 0
    while True:
        if first < last:
            i = int(waiting[first])
            first += 1
            if first == last:
                first, last = 0, 0
            grows = False
        elif dry < size:
            i = int(waiting[dry])
            dry += 1
            grows = True
        else:
            grows = False
            limit = out_level[turn] if turn < many else buckets
            while at < limit and head[at] < 0:
                at += 1
            if at >= limit and turn < many:
                i = int(out[turn])
                turn += 1
                if level[i] >= 0:
                    continue
                way[i] = OUT
                level[i] = max(~level[i], out_level[turn - 1])
            elif at < buckets:
                i = int(head[at])
                head[at] = following[i]
            else:
                return
        here = level[i]
        row = i // columns
        column = i - row * columns
        inner = 0 < column < columns - 1 and columns <= i < size - columns
        holds = False
        for k in range(8):
            j = i + steps[k]
            if not inner and (
                j < 0 or j >= size or abs(j % columns - column) > 1 or abs(j // columns - row) > 1
            ):
                continue
            own = ~level[j]
            if own < 0:
                continue
            if own > here:
                way[j], level[j] = k ^ 4, own
                dry -= 1
                waiting[dry] = j
            elif grows:
                holds = True  # water from there may leave over this cell, or over a lower one
            else:
                way[j], level[j] = k ^ 4, here
                waiting[last] = j
                last += 1
        if holds:
            following[i] = head[here]
            head[here] = i


def steepest(  # noqa: C901, PLR0912 - one loop, as numba likes it
    cells: Any, level: Any, way: Any, receiver: Any, spill: Any, size: int, columns: int,
    low: float, step: float, steps: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Let dry cells drain down the steepest way to lower water, and give all their spill level.

    Of the rows from first to last.
    """
    per = 1.0 / step
    rows = size // columns
    for row in range(first, last):
        for column in range(columns):
            i = row * columns + column
            height = cells[i]
            spill[i] = height
            receiver[i] = size
            own = level[i]
            if way[i] == OUT:
                spill[i] = max(height, low + own * step)
                continue
            if own < 0:  # no water leaves from there
                own = ~own
            receiver[i] = i if way[i] == NONE else i + steps[way[i]]
            if own > int((height - low) * per):
                spill[i] = max(height, low + own * step)
                continue
            best, to = 0.0, -1
            if 0 < row < rows - 1 and 0 < column < columns - 1:
                for k in (6, 5, 7, 4, 0, 3, 1, 2):  # row by row
                    j = i + steps[k]
                    fall = (height - cells[j]) * (_HALF if k & 2 else 1.0)
                    if fall > best and max(level[j], ~level[j]) < own:
                        best, to = fall, j
            else:
                for down in range(-1, 2):
                    for right in range(-1, 2):
                        r, c = row + down, column + right
                        if r < 0 or c < 0 or r >= rows or c >= columns:
                            continue
                        j = r * columns + c
                        fall = (height - cells[j]) * (_HALF if down and right else 1.0)
                        if fall > best and max(level[j], ~level[j]) < own:
                            best, to = fall, j
            if to >= 0:
                receiver[i] = to


def added_up(receiver: Any, total: Any, waits: Any, size: int) -> None:
    """Add to each cell what comes from all cells above it; waits are zeros before.

    Each cell is passed on once all that drains to it has come.
    """
    for i in range(size):
        if receiver[i] < size and receiver[i] != i:
            waits[receiver[i]] += 1
    for i in range(size):
        at = i
        while waits[at] == 0:
            waits[at] = 65535
            to = int(receiver[at])
            if to >= size or to == at:
                break
            total[to] += total[at]
            waits[to] -= 1
            at = to
