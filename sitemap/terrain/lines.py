"""Lines of flow: made of places, cut at distances, their ends. A line may have no length."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import ops
from shapely.geometry import LineString, Point


def line_of(xy: np.ndarray) -> LineString:
    """A line through places, (n, 2); a single place is taken twice."""
    return LineString(xy if len(xy) > 1 else np.vstack([xy, xy]))


def first_of(line: LineString) -> Point:
    """Where a line begins."""
    return Point(line.coords[0])


def last_of(line: LineString) -> Point:
    """Where a line ends."""
    return Point(line.coords[-1])


def cut(line: LineString, start_ft: float, end_ft: float) -> LineString:
    """The part of a line between two distances along it."""
    part = ops.substring(line, start_ft, end_ft)
    return part if isinstance(part, LineString) else line_of(shapely.get_coordinates(part))


def points_of(xy: np.ndarray) -> np.ndarray:
    """Places as points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))
