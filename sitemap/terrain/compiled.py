"""Compiled kernels (extra `fast`): all contours in one pass over the cells, and Horn's slope.

The results are those of contourpy and of numpy: same lines, same order of their vertices, higher
ground on the left.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sitemap.terrain.machine_code import native

_KERNEL = "surface_kernel"
_LIKELY = 16  # cells to one piece of a line, at first


def one_pass_lines(
    z: np.ndarray, levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All lines at rising levels: columns and rows of vertices, offsets, level numbers.

    NaN cells cut lines. Rows go down, from north to south.
    """
    shape = z.shape
    cells = np.ascontiguousarray(z, dtype=np.float64).ravel()
    rising = np.ascontiguousarray(levels, dtype=np.float64)
    start, end = _pieces(cells, shape, rising)
    count = len(start)
    size = 1 << max(4, (2 * count).bit_length())
    table, following = np.full(size, -1, np.int32), np.empty(count, np.int32)
    entered, done = np.empty(count, np.uint8), np.empty(count, np.uint8)
    x, y = np.empty(2 * count), np.empty(2 * count)
    first, of = np.empty(count + 1, np.int64), np.empty(count, np.int64)
    told = np.zeros(2, np.int64)
    native(_KERNEL, "joined", "dNNdNllNiNbibddlll")(
        cells, *shape, rising, len(rising), start, end, count, table, size - 1, entered, following,
        done, x, y, first, of, told,
    )  # fmt: skip
    lines, vertices = told.tolist()
    return x[:vertices], y[:vertices], first[: lines + 1], of[:lines]


def _pieces(
    cells: np.ndarray, shape: tuple[int, ...], levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Keys of the beginnings and ends of the pieces of all lines."""
    run = native(_KERNEL, "pieces", "dNNdNillNl")
    under, told = np.empty(2 * shape[1], np.int32), np.zeros(1, np.int64)
    room = len(cells) // _LIKELY + 64
    while True:
        start, end = np.empty(room, np.int64), np.empty(room, np.int64)
        run(cells, *shape, levels, len(levels), under, start, end, room, told)
        count = int(told[0])
        if count <= room:
            return start[:count], end[:count]
        room = count


def horn_slope_pct(z: np.ndarray, cell_ft: float) -> np.ndarray:
    """Horn's slope of each cell in percent; NaN at the edge and beside voids."""
    slope = np.empty(z.shape)
    run = native(_KERNEL, "horn", "dNNDdNN")
    flat = np.ascontiguousarray(z, dtype=np.float64).ravel()
    in_parts(len(z), lambda a, b: run(flat, *z.shape, cell_ft, slope, a, b))
    return slope


def in_parts(count: int, do: Callable[[int, int], None]) -> None:
    """Do parts of a range at once, one a core."""
    hands = os.cpu_count() or 1
    ends = [count * n // hands for n in range(hands + 1)]
    with ThreadPoolExecutor(hands) as pool:
        list(pool.map(do, ends[:-1], ends[1:]))
