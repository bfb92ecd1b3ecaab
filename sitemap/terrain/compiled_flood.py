"""The flow over wide ground compiled (extra `fast`): a priority flood in buckets, and sums down it.

Buckets of quantised heights make the flood linear in the cells (Barnes, Lehman and Mulla 2014 for
integers). What lies below the water goes through a plain queue, and what stands dry above it grows
from cell to cell: only cells over which a lower one may spill wait in buckets (Zhou, Sun and Fu
2016). There are half as many buckets as cells, between 65,536 and two millions: levels are exact
to their step. Peak memory is under 25 bytes a cell beside the heights.
"""

from __future__ import annotations

import numpy as np

from sitemap.terrain.compiled import in_parts
from sitemap.terrain.machine_code import native

LEAST_BUCKETS, MOST_BUCKETS = 1 << 16, 1 << 21
FINEST_FT = 2.0**-20
_DOWN = np.array([0, 1, 1, 1, 0, -1, -1, -1])  # of the neighbours, two by two
_RIGHT = np.array([1, 0, 1, -1, -1, 0, -1, 1])


def flooded(z: np.ndarray, out: np.ndarray, out_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Receivers (flat, int32; behind the last for what leaves) and spill levels of all cells.

    z is the grid in feet, NaN for voids. Water leaves at the cells `out` (flat) once it stands at
    out_ft there. Cells from which no water leaves receive themselves at the foot of their way.
    """
    cells = np.ascontiguousarray(z).ravel()
    if cells.dtype != np.float32:
        cells = cells.astype(np.float64, copy=False)
    size, (rows, columns), kind = cells.size, z.shape, "f" if cells.dtype == np.float32 else "d"
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    buckets = min(max(LEAST_BUCKETS, size // 2), MOST_BUCKETS)
    step = max((high - low) / (buckets - 2), FINEST_FT)
    level, way = np.empty(size, np.int32), np.empty(size, np.uint8)
    steps = _DOWN * columns + _RIGHT
    quantise = native("flood_kernel", "quantised", f"{kind}DDibNN")
    in_parts(size, lambda a, b: quantise(cells, low, 1.0 / step, level, way, a, b))
    wanted = np.floor((np.minimum(out_ft, high) - low) / step).astype(np.int32)
    order = np.argsort(wanted, kind="stable")
    _flood(level, way, columns, out[order].astype(np.int64), wanted[order], buckets, steps)
    receiver, spill = np.empty(size, np.int32), np.empty_like(cells)
    lead = native("flood_kernel", "steepest", f"{kind}ibi{kind}NNDDlNN")
    in_parts(
        rows,
        lambda a, b: lead(
            cells, level, way, receiver, spill, size, columns, low, step, steps, a, b
        ),
    )
    return receiver, spill.reshape(z.shape)


def _flood(
    level: np.ndarray, way: np.ndarray, columns: int, out: np.ndarray, wanted: np.ndarray,
    buckets: int, steps: np.ndarray,
) -> None:  # fmt: skip
    size = len(level)
    head, following = np.full(buckets, -1, np.int32), np.empty(size, np.int32)
    waiting = np.empty(size, np.int32)
    run = native("flood_kernel", "flood", "ibNNliNNiiil")
    run(level, way, size, columns, out, wanted, len(out), buckets, head, following, waiting, steps)


def added_up(receiver: np.ndarray, total: np.ndarray) -> None:
    """Add to each cell what comes from all cells above it, in place; receivers lead in no circle.

    total is float64.
    """
    waits = np.zeros(len(receiver), np.uint16)
    native("flood_kernel", "added_up", "idhN")(receiver, total, waits, len(receiver))
