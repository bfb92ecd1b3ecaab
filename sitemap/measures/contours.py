"""Contour lines as arrays: parts with their level in feet, short pieces, samples, sight lines.

What is measured on them (steps, gaps, ends, crossings) is in the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.contour_pieces import Pieces, cut_into_pieces
from sitemap.measures.vertices import coordinates_of, parts_of
from sitemap.site import RoleLayer

SAME_LEVEL_FT = 0.002  # levels are told apart to a thousandth, rounded or not
LEAST_COUNTED = 5  # fewer records say nothing of how they are counted


@dataclass(frozen=True, eq=False)
class Contours:
    """Single lines, the level of each in feet and the row of the frame that it came from."""

    lines: np.ndarray  # LineString
    levels_ft: np.ndarray
    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def levels(self) -> np.ndarray:
        """The distinct levels in feet, rising, rounded to a thousandth."""
        return np.unique(np.round(self.levels_ft, 3))

    @cached_property
    def lengths_ft(self) -> np.ndarray:
        """The length of each line in feet."""
        return np.asarray(shapely.length(self.lines))

    @cached_property
    def pieces(self) -> Pieces:
        """The same lines cut into short pieces, indexed."""
        return cut_into_pieces(self.lines)

    @cached_property
    def hull(self) -> BaseGeometry:
        """The convex hull of all lines."""
        outer = _outermost(coordinates_of(self.lines)[0])
        hull: BaseGeometry = shapely.MultiPoint(outer).convex_hull
        return hull

    def keep(self, mask: np.ndarray) -> Contours:
        """Only the lines where mask is true; itself, with what is known of it, where all are."""
        if mask.all():
            return self
        return Contours(self.lines[mask], self.levels_ft[mask], self.rows[mask])

    def in_order(self) -> Contours:
        """The lines by level, then by place, so that the order of the records decides nothing."""
        xmin, ymin, xmax, ymax = shapely.bounds(self.lines).T
        order = np.lexsort([ymax, xmax, ymin, xmin, self.levels_ft])
        return Contours(self.lines[order], self.levels_ft[order], self.rows[order])

    def within(self, bounds_ft: tuple[float, float, float, float]) -> Contours:
        """The parts inside xmin, ymin, xmax, ymax."""
        if len(self) == 0:  # what has no line has no bounds either
            return self
        total = shapely.total_bounds(self.lines)
        if (total[:2] >= bounds_ft[:2]).all() and (total[2:] <= bounds_ft[2:]).all():
            return self
        return contours_of(shapely.clip_by_rect(self.lines, *bounds_ft), self.levels_ft, self.rows)


def _outermost(xy: np.ndarray) -> np.ndarray:
    """The points (n, 2) without those that surely lie inside the hull of all.

    Of the four points farthest out to the diagonals the inner corners span such a rectangle.
    """
    if not len(xy):
        return xy
    rise, fall = xy[:, 0] + xy[:, 1], xy[:, 0] - xy[:, 1]
    far = xy[[rise.argmin(), fall.argmax(), rise.argmax(), fall.argmin()]]
    (low_left, low_right, up_right, up_left) = far
    left, right = max(low_left[0], up_left[0]), min(low_right[0], up_right[0])
    bottom, top = max(low_left[1], low_right[1]), min(up_left[1], up_right[1])
    x, y = xy[:, 0], xy[:, 1]
    outer: np.ndarray = xy[~((x > left) & (x < right) & (y > bottom) & (y < top))]
    return outer


def contours_of(
    geometry: Sequence[BaseGeometry | None] | np.ndarray,
    levels_ft: np.ndarray,
    rows: np.ndarray | None = None,
) -> Contours:
    """Lines of one part each; null, empty, not finite, not linear and levelless ones left out."""
    values = np.asarray(geometry, dtype=object)
    levels = np.asarray(levels_ft, dtype=float)
    source = np.arange(len(values)) if rows is None else np.asarray(rows)
    parts, owner = parts_of(values)
    linear = np.isin(shapely.get_type_id(parts), (1, 2))  # LineString, LinearRing
    finite = np.isfinite(shapely.bounds(parts)).all(axis=1) if len(parts) else linear
    kept = linear & finite & (shapely.length(parts) > 0) & np.isfinite(levels[owner])
    lines = parts[kept]
    flat = shapely.force_2d(lines) if (shapely.get_coordinate_dimension(lines) > 2).any() else lines
    return Contours(flat, levels[owner[kept]], source[owner[kept]])


@lru_cache(maxsize=4)
def contours_in(layer: RoleLayer) -> Contours:
    """The contours of a layer; elevations are in feet, as intake leaves them.

    Kept for the last few layers, since every rule on contours asks for them. None at all where
    the elevations only count the records.
    """
    frame = layer.frame
    levels = frame["elevation"].to_numpy(dtype=float, na_value=np.nan)
    if count_the_records(levels):
        levels = np.full(len(levels), np.nan)
    return contours_of(frame.geometry.to_numpy(), levels)


def count_the_records(levels_ft: np.ndarray) -> bool:
    """True when levels run 1, 2, 3 ... (or from 0) with the records, in feet or in metres.

    Such a column is a number of the record under the name of an elevation: contours of real
    ground neither come in order nor have one line for each level.
    """
    if len(levels_ft) < LEAST_COUNTED or not np.isfinite(levels_ft).all():
        return False
    for unit_ft in (1.0, 1.0 / 0.3048):
        count = levels_ft / unit_ft
        first = round(float(count[0]))
        if first in (0, 1) and np.allclose(count, first + np.arange(len(count)), atol=1e-6):
            return True
    return False


@dataclass(frozen=True, eq=False)
class Samples:
    """Points along lines at even steps: coordinates in feet, line of each, in order along it."""

    xy: np.ndarray
    line: np.ndarray


def sample(lines: np.ndarray, spacing_ft: float, origin: np.ndarray | None = None) -> Samples:
    """Points on each line at equal steps of at most spacing_ft, both ends included; from an origin.

    Equal steps make the samples the same whichever way a line was drawn, and however many
    vertices it has.
    """
    vertices, begin = coordinates_of(lines)
    if len(vertices) == 0:
        return Samples(np.empty((0, 2)), np.empty(0, dtype=int))
    x, y = (vertices[:, k] - (0.0 if origin is None else origin[k]) for k in (0, 1))
    first, last = begin[:-1], begin[1:] - 1
    step = np.hypot(np.diff(x), np.diff(y))
    step[last[:-1]] = 0.0
    # a foot between lines keeps their stretches of the common measure apart
    along = np.append(0.0, np.cumsum(step)) + np.repeat(np.arange(len(lines)), last - first + 1)
    length = along[last] - along[first]
    number = np.maximum(1, np.ceil(length / spacing_ft - 1e-9)).astype(int) + 1
    line = np.repeat(np.arange(len(lines)), number)
    order = np.arange(len(line)) - np.repeat(np.cumsum(number) - number, number)
    at = along[first[line]] + length[line] * order / (number[line] - 1)
    return Samples(np.column_stack([np.interp(at, along, x), np.interp(at, along, y)]), line)
