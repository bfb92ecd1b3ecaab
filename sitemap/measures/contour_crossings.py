"""Where contours of different level cross. Touching ends and lines that coincide are not meant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.contours import Contours
from sitemap.measures.near_pieces import near_another_level

AT_END_FT = 0.01


@dataclass(frozen=True, eq=False)
class Crossings:
    """Pairs of lines with the points where they cross: shape (n, 2), and as many points."""

    pair: np.ndarray
    points: np.ndarray


def crossings(contours: Contours) -> Crossings:
    """Points at which two lines of different level cross, away from the ends of both."""
    pieces = contours.pieces
    a, b = near_another_level(contours, 0.0)
    one, other = pieces.some(a), pieces.some(b)
    meet = shapely.intersects(one, other)
    a, b = a[meet], b[meet]
    met, which = shapely.get_parts(shapely.intersection(one[meet], other[meet]), return_index=True)
    point = shapely.get_type_id(met) == 0  # what coincides is a line, and another rule's
    points, which = met[point], which[point]
    pair = np.column_stack([pieces.owner[a[which]], pieces.owner[b[which]]])
    pair = np.sort(pair, axis=1)
    inner = ~(_near_end(points, contours.lines[pair[:, 0]]))
    inner &= ~(_near_end(points, contours.lines[pair[:, 1]]))
    points, pair = points[inner], pair[inner]
    # a crossing at the joint of two pieces is found once for each
    xy = np.round(shapely.get_coordinates(points).reshape(-1, 2), 3)
    _, once = np.unique(np.column_stack([pair, xy]), axis=0, return_index=True)
    once = np.sort(once)
    return Crossings(pair[once], points[once])


def _near_end(points: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """True for points at an open end of their line."""
    open_line = ~shapely.is_closed(lines)
    first = shapely.distance(points, shapely.get_point(lines, 0)) <= AT_END_FT
    last = shapely.distance(points, shapely.get_point(lines, -1)) <= AT_END_FT
    return np.asarray(open_line & (first | last), dtype=bool)
