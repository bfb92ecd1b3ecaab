"""The open cells of trace_kernel.py, lowest first: buckets of heights, and a heap of the lowest."""

from __future__ import annotations

from typing import Any

from sitemap.terrain.trace_kernel_ground import compiled

# A cell has 24 bytes in one piece, since they are looked at together: as float64 its height and how
# far on it lies, as int32 its parent and the next in its bucket.
FAR, PARENT, NEXT = 1, 4, 5
# in `count`: open cells in buckets, in the heap; the bucket that the heap has reached
IN_BUCKETS, IN_HEAP, AT = 0, 1, 2


@compiled
def _before(cell: Any, za: float, a: int, zb: float, b: int) -> bool:
    if za != zb:
        return bool(za < zb)
    far_a, far_b = cell[3 * a + FAR], cell[3 * b + FAR]
    return bool(far_a < far_b) if far_a != far_b else a < b


@compiled
def bucket_of(height: float, low: float, per: float, buckets: int) -> int:
    """Higher cells lie in no lower bucket; the first and the last take all that lies beyond."""
    at = (height - low) * per
    if at < buckets - 1:
        return int(at) if at > 0.0 else 0
    return buckets - 1


@compiled
def _to_heap(hz: Any, hi: Any, cell: Any, count: Any, height: float, i: int) -> None:
    at = count[IN_HEAP]
    count[IN_HEAP] += 1
    while at > 0:
        up = (at - 1) >> 1
        if not _before(cell, height, i, hz[up], hi[up]):
            break
        hz[at], hi[at] = hz[up], hi[up]
        at = up
    hz[at], hi[at] = height, i


@compiled
def _first_of_heap(hz: Any, hi: Any, cell: Any, count: Any) -> int:
    count[IN_HEAP] -= 1
    size = count[IN_HEAP]
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
def push(
    hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any, bucket: int, i: int
) -> None:
    """Open a cell, which lies in this bucket."""
    if bucket <= count[AT]:
        _to_heap(hz, hi, cell, count, cell[3 * i], i)
    else:
        number[6 * i + NEXT] = head[bucket]
        head[bucket] = i
        count[IN_BUCKETS] += 1


@compiled
def pop(hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any) -> int:
    """The lowest open cell; the queue holds at least one."""
    if count[IN_HEAP] == 0:
        at = count[AT] + 1
        while head[at] < 0:
            at += 1
        count[AT] = at
        i = int(head[at])
        head[at] = -1
        while i >= 0:
            _to_heap(hz, hi, cell, count, cell[3 * i], i)
            count[IN_BUCKETS] -= 1
            i = int(number[6 * i + NEXT])
    lowest: int = _first_of_heap(hz, hi, cell, count)
    return lowest


@compiled
def lowered(
    hz: Any, hi: Any, cell: Any, number: Any, count: Any, head: Any, low: float, per: float,
    buckets: int, bucket: int,
) -> None:  # fmt: skip
    """Begin again at a lower bucket: what lies higher goes from the heap back to its bucket."""
    size = count[IN_HEAP]
    count[AT], count[IN_HEAP] = bucket, 0
    for n in range(size):
        height, i = hz[n], int(hi[n])
        own = bucket_of(height, low, per, buckets)
        if own > bucket:
            number[6 * i + NEXT] = head[own]
            head[own] = i
            count[IN_BUCKETS] += 1
        else:
            _to_heap(hz, hi, cell, count, height, i)
