"""Lines of flow: made of places, cut at distances, their ends. A line may have no length."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry


def line_of(xy: np.ndarray) -> LineString:
    """A line through places, (n, 2); a single place is taken twice."""
    return LineString(xy if len(xy) > 1 else np.vstack([xy, xy]))


def first_of(line: LineString) -> Point:
    """Where a line begins."""
    point: Point = shapely.get_point(line, 0)
    return point


def last_of(line: LineString) -> Point:
    """Where a line ends."""
    point: Point = shapely.get_point(line, -1)
    return point


def cut(line: LineString, start_ft: float, end_ft: float) -> LineString:
    """The part of a line between two distances along it, the first not over the second.

    Distances before its start and beyond its end are its ends.
    """
    xy = shapely.get_coordinates(line)
    at = np.concatenate([[0.0], np.hypot(*np.diff(xy, axis=0).T).cumsum()])
    ends = np.clip([start_ft, end_ft], 0.0, at[-1])
    first, last = np.column_stack([np.interp(ends, at, axis) for axis in xy.T])
    between = xy[np.searchsorted(at, ends[0], "right") : np.searchsorted(at, ends[1], "left")]
    return line_of(np.vstack([first, between, last])) if ends[1] > ends[0] else line_of(first[None])


def first_on(line: LineString, parts: BaseGeometry) -> float:
    """How far along a line the first of some parts of it begins."""
    if not line.length:
        return 0.0
    each = shapely.get_parts(parts)
    flat = shapely.get_type_id(each) == 0
    ends = np.concatenate(
        [each[flat], *(shapely.get_point(each[~flat], which) for which in (0, -1))]
    )
    return float(shapely.line_locate_point(line, ends).min())


def points_of(xy: np.ndarray) -> np.ndarray:
    """Places as points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))
