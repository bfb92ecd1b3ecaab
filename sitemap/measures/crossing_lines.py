"""Where one line crosses others: on both sides of them, not only up to them."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry


def crossing_points(line: BaseGeometry, others: np.ndarray, tolerance: float) -> list[Point]:
    """Points where `line` passes from one side of another line to its other side.

    An end of either within the tolerance of the other does not cross. Points closer together
    than the tolerance count once.
    """
    found: list[Point] = []
    near = shapely.STRtree(others).query(line, predicate="intersects")
    for other in others[np.sort(near)]:
        for part in shapely.get_parts(shapely.intersection(line, other)):
            point = part if part.geom_type == "Point" else part.interpolate(0.5, normalized=True)
            ends = shapely.boundary(np.array([line, other], dtype=object))
            touches = shapely.distance(point, ends) <= tolerance  # NaN for closed lines
            if not touches.any() and all(point.distance(p) > tolerance for p in found):
                found.append(point)
    return sorted(found, key=lambda p: (p.x, p.y))
