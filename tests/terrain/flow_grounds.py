"""Made-up grounds with known answers, and a full priority flood to hold the lazy path against."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable

import numpy as np

from sitemap.terrain.trace import GroundPath, Relief

Height = Callable[[np.ndarray, np.ndarray], np.ndarray]


def relief(z: np.ndarray, cell_ft: float = 1.0, stop: np.ndarray | None = None) -> Relief:
    """A relief whose lower left corner is at 0, 0."""
    stops = np.zeros(z.shape, np.int32) if stop is None else stop
    return Relief(np.asarray(z, float), stops, 0.0, z.shape[0] * cell_ft, cell_ft)


def ground(height: Height, cells: int = 200, cell_ft: float = 5.0) -> Relief:
    """A relief of a function of x and y in feet."""
    at = (np.arange(cells) + 0.5) * cell_ft
    x, y = np.meshgrid(at, cells * cell_ft - at)
    return relief(height(x, y), cell_ft)


def plane(bearing_deg: float, slope: float = 0.03) -> Height:
    """Ground that falls towards a bearing, counted from east to north."""
    east, north = math.cos(math.radians(bearing_deg)), math.sin(math.radians(bearing_deg))
    return lambda x, y: 100.0 - slope * (x * east + y * north)


def filled(z: np.ndarray) -> np.ndarray:
    """The ground with every hollow filled to its spill: a flood of the whole, from its rim."""
    rows, columns = z.shape
    level = z.copy()
    done = np.zeros(z.shape, bool)
    heap = []
    for row, column in np.ndindex(rows, columns):
        if row in (0, rows - 1) or column in (0, columns - 1):
            done[row, column] = True
            heapq.heappush(heap, (float(z[row, column]), row, column))
    while heap:
        up, row, column = heapq.heappop(heap)
        for a in range(max(0, row - 1), min(rows, row + 2)):
            for b in range(max(0, column - 1), min(columns, column + 2)):
                if not done[a, b]:
                    done[a, b] = True
                    level[a, b] = max(up, float(z[a, b]))
                    heapq.heappush(heap, (float(level[a, b]), a, b))
    return level


def violations(path: GroundPath, level: np.ndarray) -> int:
    """Cells of a path above which the water would have to stand higher than the flood does."""
    needed = np.maximum.accumulate(path.z_ft[::-1])[::-1]
    return int((needed > level.ravel()[path.cells] + 1e-9).sum())


def is_connected(path: GroundPath, columns: int) -> bool:
    """Whether each cell touches the one before it."""
    row, column = np.divmod(path.cells, columns)
    return bool(np.maximum(np.abs(np.diff(row)), np.abs(np.diff(column))).max(initial=1) == 1)
