"""Whether barriers stand below an area: the part of its outline from which water runs free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import polygons_of

STEP_FT = 2.0  # the outline is looked at every two feet
MOST_STEPS = 20_000  # of one outline; a longer one is no heap, and is looked at in longer steps
FACING_DEG = 60.0  # outline that faces downhill within this angle is its lower side
FLAT_PCT = 1.0  # flatter ground has no lower side: water may leave all round


@dataclass(frozen=True, eq=False)
class OpenSide:
    """The outline that water leaves by: all of it, and what no barrier stops, in feet.

    all_round is true where the ground is flat or unknown, so that no side is the lower one.
    """

    lower_ft: float
    open_ft: float
    open_lines: BaseGeometry
    all_round: bool = False


def open_side(
    area: BaseGeometry, uphill: np.ndarray | None, barriers: np.ndarray, reach_ft: float
) -> OpenSide:
    """The lower side of an area from which no barrier is met within `reach_ft` downhill.

    uphill is the gradient of the ground under it (rise per foot to east and north); where it is
    None or flatter than FLAT_PCT every side counts, each looked from straight outward.
    """
    start, end, outward = _outline(area)
    middle = (start + end) / 2.0
    steep = uphill is not None and np.hypot(*uphill) >= FLAT_PCT / 100.0
    if steep and uphill is not None:
        down = -uphill / np.hypot(*uphill)
        lower = outward @ down >= np.cos(np.radians(FACING_DEG))
        toward = np.tile(down, (len(middle), 1))
    else:
        lower, toward = np.ones(len(middle), dtype=bool), outward
    ray = np.asarray(shapely.linestrings(np.stack([middle, middle + reach_ft * toward], axis=1)))
    met = np.zeros(len(ray), dtype=bool)
    if len(barriers):
        met[np.unique(shapely.STRtree(barriers).query(ray, predicate="intersects")[0])] = True
    size = np.hypot(*(end - start).T)
    free = lower & ~met
    pieces = shapely.MultiLineString(list(np.stack([start[free], end[free]], axis=1)))
    joined = shapely.line_merge(pieces)
    return OpenSide(float(size[lower].sum()), float(size[free].sum()), joined, not steep)


def _outline(area: BaseGeometry) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Short stretches of the outer rings: start, end, and the direction straight outward."""
    rings = [shapely.orient_polygons(part).exterior for part in polygons_of(area)]
    pieces = [
        shapely.get_coordinates(shapely.segmentize(ring, max(STEP_FT, ring.length / MOST_STEPS)))
        for ring in rings
    ]
    start = np.concatenate([xy[:-1] for xy in pieces])
    end = np.concatenate([xy[1:] for xy in pieces])
    along = end - start
    size = np.hypot(along[:, 0], along[:, 1])
    long = size > 0
    start, end, along, size = start[long], end[long], along[long], size[long]
    return start, end, np.column_stack([along[:, 1], -along[:, 0]]) / size[:, None]
