"""Outlines drawn as lines: joined end to end, how far they are from closing, what they enclose."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry


def lines_of(shapes: np.ndarray) -> np.ndarray:
    """The single lines among shapes; areas and points are left out."""
    return np.asarray(shapely.get_parts(shapes[shapely.get_dimensions(shapes) == 1]))


def joined(lines: np.ndarray, tolerance: float) -> np.ndarray:
    """Lines merged end to end, ends within the tolerance made one first."""
    merged = shapely.line_merge(shapely.multilinestrings(lines))
    parts = shapely.get_parts(merged)
    ends = shapely.get_coordinates(
        np.concatenate([shapely.get_point(parts, 0), shapely.get_point(parts, -1)])
    )
    first, last = ends[: len(parts)], ends[len(parts) :]
    near = np.hypot(*(first - last).T) <= tolerance
    if near.all() or len(parts) == 1:
        return np.asarray(parts)
    # several pieces: snap each end to the first one nearby, then merge again
    points = np.asarray(shapely.points(ends))
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=tolerance)
    target = np.full(len(ends), len(ends))
    np.minimum.at(target, a, b)
    moved = []
    for number, part in enumerate(parts):
        xy = shapely.get_coordinates(part)
        xy[0], xy[-1] = ends[target[number]], ends[target[len(parts) + number]]
        moved.append(shapely.LineString(xy))
    return np.asarray(shapely.get_parts(shapely.line_merge(shapely.multilinestrings(moved))))


def end_gap(line: BaseGeometry) -> float:
    """The distance of a line's two ends; 0 for a closed one."""
    return float(shapely.distance(shapely.get_point(line, 0), shapely.get_point(line, -1)))


def ring_of(line: BaseGeometry) -> BaseGeometry:
    """The area that a line encloses when its ends are joined; empty for one segment."""
    xy = shapely.get_coordinates(line)
    return shapely.Polygon(np.vstack([xy, xy[:1]])) if len(xy) > 2 else shapely.Polygon()
