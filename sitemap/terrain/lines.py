"""Lines of flow: made of places, cut at distances, their ends. A line may have no length."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry import LineString, Point


def line_of(xy: np.ndarray) -> LineString:
    """A line through places, (n, 2); a single place is taken twice."""
    line = shapely.linestrings(xy if len(xy) > 1 else np.vstack([xy, xy]))
    assert isinstance(line, LineString)
    return line


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
    step = xy[1:] - xy[:-1]
    at = np.zeros(len(xy))
    np.hypot(step[:, 0], step[:, 1]).cumsum(out=at[1:])
    far = float(at[-1])
    start, end = min(max(start_ft, 0.0), far), min(max(end_ft, 0.0), far)
    ends = np.array([np.interp((start, end), at, axis) for axis in xy.T]).T
    if end <= start:
        return line_of(ends[:1])
    between = xy[at.searchsorted(start, "right") : at.searchsorted(end, "left")]
    return line_of(np.concatenate([ends[:1], between, ends[1:]]))


def first_on(lines: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """How far along each line the first of its parts begins; parts are not empty."""
    each, of = shapely.get_parts(parts, return_index=True)
    is_point = shapely.get_type_id(each) == 0
    ends = np.concatenate(
        [each[is_point], *(shapely.get_point(each[~is_point], which) for which in (0, -1))]
    )
    of = np.concatenate([of[is_point], of[~is_point], of[~is_point]])
    found = np.full(len(lines), np.inf)
    np.minimum.at(found, of, shapely.line_locate_point(lines[of], ends))
    found[np.isnan(found)] = 0.0  # a line without length has no place but its start
    return found


def points_of(xy: np.ndarray) -> np.ndarray:
    """Places as points."""
    return np.atleast_1d(np.asarray(shapely.points(xy), dtype=object))
