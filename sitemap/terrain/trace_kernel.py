"""The search of tracer.py for the compiler: all runs of a corridor over flat arrays.

The same steps in the same order on the same numbers, so that the paths are the same to the cell.
The heights of a run are made by tiles, only where it looks. Imported only to be compiled:
see machine_code.py and compiled_trace.py.
"""

from __future__ import annotations

import math
from typing import Any

from sitemap.terrain.trace_kernel_ground import compiled, tile
from sitemap.terrain.trace_kernel_queue import (
    AT,
    FAR,
    IN_BUCKETS,
    IN_HEAP,
    PARENT,
    bucket_of,
    lowered,
    pop,
    push,
)
from sitemap.terrain.tracer import AT_RIM, AT_STOP, CLOSED, DISTANCE, EDGE, STOP, VOID

ON = -1
# The state of a cell holds only for the run whose number it bears; of the eight around a cell most
# are known, and only their states are read. BAR: the path may end there, see `kind`. The height of
# a known cell is made.
_BAR, _KNOWN, _PATH, _OPEN, _RUN = 1, 2, 4, 8, 16
_MOST_RUNS = (1 << 12) - 1
_LAST_RUN = 3  # in `count`, behind what the queue has there
_ROOT, _HALF = math.sqrt(2.0), math.sqrt(0.5)


@compiled
def _ends(kind: int, code: int, run: float, length: float, spent: Any, many: int) -> int:
    """How the path ends here; ON where it does not."""
    if kind & AT_STOP:
        free = False
        for n in range(many):
            free = free or spent[n] == code
        if not free:
            return STOP
    if run >= length:
        return DISTANCE
    return EDGE if kind & AT_RIM else ON


@compiled
def _turned(cell: Any, steps: Any, i: int, k: int, aside: float) -> tuple[int, float]:
    """As tracer._least_deviation."""
    here, there = cell[3 * i], cell[3 * (i + steps[k])]
    left, right = (k - 1) & 7, (k + 1) & 7
    low, high = cell[3 * (i + steps[left])], cell[3 * (i + steps[right])]
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


def trace(  # noqa: C901, PLR0912, PLR0915 - one loop, as numba likes it
    z: Any, stop: Any, kind: Any, cells: int, room: int, columns: int, start: int, length: float,
    spent: Any, many_spent: int, seeds: Any, runs: int, lattice: Any, scale: float, middle: int,
    up: Any, node_y: Any, across: Any, node_x: Any, low: float, per: float, buckets: int,
    path: Any, height_of: Any, told: Any, most: int,
    node: Any, made: Any, wide: Any, state: Any, cell: Any, number: Any, head: Any, hz: Any,
    hi: Any, around: Any, count: Any,
) -> None:  # fmt: skip
    """For each run its path from the end back, with heights, and how it ends: see compiled_trace.

    cells are those of z, room those that state and cell hold; around are the steps to the
    neighbours; node and made, and cell and number, are the same memory as float64 and as int32.
    """
    for run in range(runs):
        count[_LAST_RUN] += 1
        now = count[_LAST_RUN]
        if now % _MOST_RUNS == 0:
            for n in range(room):
                state[n] = 0
        known, seen, i, end = now % _MOST_RUNS * _RUN + _KNOWN, 1, start, ON
        count[IN_BUCKETS], count[IN_HEAP], count[AT] = 0, 0, 0
        for n in range(buckets):
            head[n] = -1
        tile(
            z, kind, columns, cells, seeds[run], lattice, scale, middle, up, node_y, across, node_x,
            node, made, wide, state, cell, i, known, now,
        )  # fmt: skip
        cell[3 * i + FAR] = 0.0
        number[6 * i + PARENT] = -1
        state[i] += _PATH
        while end == ON:
            aside = 0.0
            while True:  # down
                so_far = cell[3 * i + FAR]
                if state[i] & _BAR or so_far >= length:
                    end = _ends(kind[i], stop[i], so_far, length, spent, many_spent)
                    if end != ON:
                        break
                here, best, k = cell[3 * i], 0.0, -1
                for way in range(8):
                    j = i + around[way]
                    if state[j] < known:
                        tile(
                            z, kind, columns, cells, seeds[run], lattice, scale, middle, up, node_y,
                            across, node_x, node, made, wide, state, cell, j, known, now,
                        )  # fmt: skip
                    fall = here - cell[3 * j]
                    if way & 1:
                        fall *= _HALF
                    if fall > best:
                        best, k = fall, way
                if k < 0:
                    break
                k, aside = _turned(cell, around, i, k, aside)
                i += around[k]
                if state[i] < known | _PATH:  # not seen before
                    number[6 * i + PARENT] = i - around[k]
                    state[i] += _PATH
                    cell[3 * i + FAR] = so_far + (_ROOT if k & 1 else 1.0)
                    seen += 1
            if end != ON:
                break
            level, end = cell[3 * i], CLOSED
            bucket = bucket_of(level, low, per, buckets)
            if count[IN_HEAP] + count[IN_BUCKETS] == 0:
                count[AT] = bucket
            elif bucket < count[AT]:
                lowered(hz, hi, cell, number, count, head, low, per, buckets, bucket)
            if state[i] & _PATH:
                state[i] += _OPEN - _PATH
                push(hz, hi, cell, number, count, head, bucket, i)
            while count[IN_HEAP] + count[IN_BUCKETS] > 0:  # fill
                i = pop(hz, hi, cell, number, count, head)
                height, so_far, end = cell[3 * i], cell[3 * i + FAR], ON
                if state[i] & _BAR or so_far >= length:
                    end = _ends(kind[i], stop[i], so_far, length, spent, many_spent)
                    if end != ON:
                        break
                if height < level:
                    state[i] -= _OPEN - _PATH
                    break
                level, end = height, CLOSED
                for way in range(8):
                    j = i + around[way]
                    was = state[j]
                    if was >= known | _OPEN:
                        continue
                    if was < known:
                        tile(
                            z, kind, columns, cells, seeds[run], lattice, scale, middle, up, node_y,
                            across, node_x, node, made, wide, state, cell, j, known, now,
                        )  # fmt: skip
                        was = state[j]
                    if was < known | _PATH:
                        if cell[3 * j] == math.inf:
                            end = VOID
                            break
                        number[6 * j + PARENT] = i
                        cell[3 * j + FAR] = so_far + (_ROOT if way & 1 else 1.0)
                        seen += 1
                    state[j] = known | _OPEN | (was & _BAR)
                    bucket = bucket_of(cell[3 * j], low, per, buckets)
                    push(hz, hi, cell, number, count, head, bucket, j)
                if end == VOID:
                    break
        n = run * most
        told[3 * run + 1], told[3 * run + 2] = end, seen
        while i >= 0:
            path[n], height_of[n] = i, cell[3 * i]
            n += 1
            i = int(number[6 * i + PARENT])
        told[3 * run] = n - run * most
