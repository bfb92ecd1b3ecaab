"""The search of tracer.py for the compiler: all runs of a corridor over flat arrays.

The same steps in the same order on the same numbers, so that the paths are the same to the cell.
The heights of a run are made by tiles, only where it looks. Imported only to be compiled:
see machine_code.py and compiled_trace.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from sitemap.terrain.tracer import AT_RIM, AT_STOP, CLOSED, DISTANCE, EDGE, STOP, VOID

ON = -1
_PATH, _OPEN, _KNOWN = 1, 2, 4  # of a cell: on the way, in the queue; its height is made
_ROOT, _HALF = math.sqrt(2.0), math.sqrt(0.5)
# A cell has 24 bytes in one piece, since they are looked at together: as float64 its height and how
# far on it lies, as int32 its parent and the next in its bucket. Its state holds only for the run
# whose number it bears; of the eight around a cell most are known, and only their states read.
_FAR, _PARENT, _NEXT = 1, 4, 5
# A node of the lattice has 16 bytes: as float64 its error, as int32 the runs for which are made it
# and the errors of a row of four nodes from it on.
_NODE, _ROW = 2, 3
_RUN, _MOST_RUNS = 8, (1 << 13) - 1  # of the state
# the queue, in `count`: open cells in buckets, in the heap; the bucket that the heap has reached
_IN_BUCKETS, _IN_HEAP, _AT, _LAST_RUN = 0, 1, 2, 3

compiled = njit(nogil=True, error_model="numpy")


@compiled
def _mixed(key: Any) -> Any:
    """As noise._mixed."""
    key = key + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@compiled
def _four_sums(key: Any) -> Any:
    """The sum of the four numbers of 16 bits in one of 64."""
    low = np.uint64(0xFFFF)
    pairs = (key & low) + ((key >> np.uint64(16)) & low)
    return pairs + ((key >> np.uint64(32)) & low) + (key >> np.uint64(48))


@compiled
def _rows_of_nodes(
    seed: Any, lattice: Any, scale: float, middle: int, across: Any, node: Any, made: Any,
    wide: Any, y: int, x: int, low: int, high: int, now: int,
) -> None:  # fmt: skip
    """The errors at four rows of the lattice and the columns from low to high.

    As ErrorField._nodes, and the first step of its added_to.
    """
    run = _mixed(np.uint64(seed))
    for y_now in range(y, y + 4):
        n = y_now * lattice[3] + x
        if made[4 * n + _ROW] == now:
            continue
        made[4 * n + _ROW] = now
        row = _mixed(run ^ np.uint64(lattice[0] + y_now))
        for k in range(4):
            if made[4 * (n + k) + _NODE] != now:
                made[4 * (n + k) + _NODE] = now
                key = _mixed(row ^ np.uint64(lattice[2] + x + k))
                total = np.int64(_four_sums(key) + _four_sums(_mixed(key)))
                node[2 * (n + k)] = scale * (total - middle)
        for c in range(low, high):
            one = across[4 * c] * node[2 * n] + across[4 * c + 1] * node[2 * n + 2]
            two = one + across[4 * c + 2] * node[2 * n + 4]
            wide[c * lattice[1] + y_now] = two + across[4 * c + 3] * node[2 * n + 6]


@compiled
def _tile(
    z: Any, columns: int, cells: int, seed: Any, lattice: Any, scale: float, middle: int, up: Any,
    node_y: Any, across: Any, node_x: Any, node: Any, made: Any, wide: Any, state: Any,
    cell: Any, i: int, known: int, now: int,
) -> None:  # fmt: skip
    """Make the heights of all cells between the same nodes as a cell: soon they will be asked."""
    row = i // columns
    column = i - row * columns
    rows = cells // columns
    x, y = node_x[column], node_y[row]
    low, high, first, last = column, column + 1, row, row + 1
    while low > 0 and node_x[low - 1] == x:
        low -= 1
    while high < columns and node_x[high] == x:
        high += 1
    while first > 0 and node_y[first - 1] == y:
        first -= 1
    while last < rows and node_y[last] == y:
        last += 1
    if scale > 0.0:
        _rows_of_nodes(
            seed, lattice, scale, middle, across, node, made, wide, y, x, low, high, now
        )  # fmt: skip
    for r in range(first, last):
        for c in range(low, high):
            j = r * columns + c
            height = z[j]
            if scale > 0.0:
                n = c * lattice[1] + y
                error = up[4 * r] * wide[n] + up[4 * r + 1] * wide[n + 1]
                error = error + up[4 * r + 2] * wide[n + 2]
                height = (error + up[4 * r + 3] * wide[n + 3]) + height
            cell[3 * j] = height
            state[j] = known


@compiled
def _before(cell: Any, za: float, a: int, zb: float, b: int) -> bool:
    if za != zb:
        return bool(za < zb)
    far_a, far_b = cell[3 * a + _FAR], cell[3 * b + _FAR]
    return bool(far_a < far_b) if far_a != far_b else a < b


@compiled
def _bucket(height: float, low: float, per: float, buckets: int) -> int:
    """Higher cells lie in no lower bucket; the first and the last take all that lies beyond."""
    at = (height - low) * per
    if at < buckets - 1:
        return int(at) if at > 0.0 else 0
    return buckets - 1


@compiled
def _to_heap(hz: Any, hi: Any, cell: Any, count: Any, height: float, i: int) -> None:
    at = count[_IN_HEAP]
    count[_IN_HEAP] += 1
    while at > 0:
        up = (at - 1) >> 1
        if not _before(cell, height, i, hz[up], hi[up]):
            break
        hz[at], hi[at] = hz[up], hi[up]
        at = up
    hz[at], hi[at] = height, i


@compiled
def _first_of_heap(hz: Any, hi: Any, cell: Any, count: Any) -> int:
    count[_IN_HEAP] -= 1
    size = count[_IN_HEAP]
    first, height, i = hi[0], hz[size], hi[size]
    at = 0
    while True:
        low = 2 * at + 1
        if low >= size:
            break
        if low + 1 < size and _before(cell, hz[low + 1], hi[low + 1], hz[low], hi[low]):
            low += 1
        if not _before(cell, hz[low], hi[low], height, i):
            break
        hz[at], hi[at] = hz[low], hi[low]
        at = low
    hz[at], hi[at] = height, i
    return int(first)


@compiled
def _push(
    hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any, bucket: int, i: int
) -> None:
    if bucket <= count[_AT]:
        _to_heap(hz, hi, cell, count, cell[3 * i], i)
    else:
        number[6 * i + _NEXT] = head[bucket]
        head[bucket] = i
        count[_IN_BUCKETS] += 1


@compiled
def _pop(hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any) -> int:
    """The lowest open cell; the queue holds at least one."""
    if count[_IN_HEAP] == 0:
        at = count[_AT] + 1
        while head[at] < 0:
            at += 1
        count[_AT] = at
        i = int(head[at])
        head[at] = -1
        while i >= 0:
            _to_heap(hz, hi, cell, count, cell[3 * i], i)
            count[_IN_BUCKETS] -= 1
            i = int(number[6 * i + _NEXT])
    lowest: int = _first_of_heap(hz, hi, cell, count)
    return lowest


@compiled
def _lowered(
    hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any, low: float, per: float,
    buckets: int, bucket: int,
) -> None:  # fmt: skip
    """Begin again at a lower bucket: what lies higher goes from the heap back to its bucket."""
    size = count[_IN_HEAP]
    count[_AT], count[_IN_HEAP] = bucket, 0
    for n in range(size):
        height, i = hz[n], int(hi[n])
        own = _bucket(height, low, per, buckets)
        if own > bucket:
            number[6 * i + _NEXT] = head[own]
            head[own] = i
            count[_IN_BUCKETS] += 1
        else:
            _to_heap(hz, hi, cell, count, height, i)


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
    """As Tracer._least_deviation."""
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
        count[_IN_BUCKETS], count[_IN_HEAP], count[_AT] = 0, 0, 0
        for n in range(buckets):
            head[n] = -1
        _tile(
            z, columns, cells, seeds[run], lattice, scale, middle, up, node_y, across, node_x, node,
            made, wide, state, cell, i, known, now,
        )  # fmt: skip
        cell[3 * i + _FAR] = 0.0
        number[6 * i + _PARENT], state[i] = -1, known | _PATH
        while end == ON:
            aside = 0.0
            while True:  # down
                so_far = cell[3 * i + _FAR]
                if kind[i] != 0 or so_far >= length:
                    end = _ends(kind[i], stop[i], so_far, length, spent, many_spent)
                    if end != ON:
                        break
                here, best, k = cell[3 * i], 0.0, -1
                for way in range(8):
                    j = i + around[way]
                    if state[j] < known:
                        _tile(
                            z, columns, cells, seeds[run], lattice, scale, middle, up, node_y,
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
                if state[i] == known:
                    number[6 * i + _PARENT], state[i] = i - around[k], known | _PATH
                    cell[3 * i + _FAR] = so_far + (_ROOT if k & 1 else 1.0)
                    seen += 1
            if end != ON:
                break
            level, end = cell[3 * i], CLOSED
            bucket = _bucket(level, low, per, buckets)
            if count[_IN_HEAP] + count[_IN_BUCKETS] == 0:
                count[_AT] = bucket
            elif bucket < count[_AT]:
                _lowered(hz, hi, cell, number, count, head, low, per, buckets, bucket)
            if state[i] & _PATH:
                state[i] = known | _OPEN
                _push(hz, hi, cell, number, count, head, bucket, i)
            while count[_IN_HEAP] + count[_IN_BUCKETS] > 0:  # fill
                i = _pop(hz, hi, cell, number, count, head)
                height, so_far, end = cell[3 * i], cell[3 * i + _FAR], ON
                if kind[i] != 0 or so_far >= length:
                    end = _ends(kind[i], stop[i], so_far, length, spent, many_spent)
                    if end != ON:
                        break
                if height < level:
                    state[i] = known | _PATH
                    break
                level, end = height, CLOSED
                for way in range(8):
                    j = i + around[way]
                    was = state[j]
                    if was == known | _OPEN:
                        continue
                    if was < known:
                        _tile(
                            z, columns, cells, seeds[run], lattice, scale, middle, up, node_y,
                            across, node_x, node, made, wide, state, cell, j, known, now,
                        )  # fmt: skip
                    if was <= known:
                        if cell[3 * j] == math.inf:
                            end = VOID
                            break
                        number[6 * j + _PARENT] = i
                        cell[3 * j + _FAR] = so_far + (_ROOT if way & 1 else 1.0)
                        seen += 1
                    state[j] = known | _OPEN
                    bucket = _bucket(cell[3 * j], low, per, buckets)
                    _push(hz, hi, cell, number, count, head, bucket, j)
                if end == VOID:
                    break
        n = run * most
        told[3 * run + 1], told[3 * run + 2] = end, seen
        while i >= 0:
            path[n], height_of[n] = i, cell[3 * i]
            n += 1
            i = int(number[6 * i + _PARENT])
        told[3 * run] = n - run * most
