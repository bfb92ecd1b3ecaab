"""Geometries packed for a page: whole hundredths of a foot from an origin, steps between vertices.

A packed shape is [dimension, part, ...]: a point part is [x, y], a line [x, y, dx, dy, ...], an
area a list of such rings, the outer one first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

STEPS_PER_FT = 100  # a hundredth of a foot

Origin = tuple[float, float]
Packed = list[Any]


def exploded(shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Simple parts joined again by dimension, and for each the position of what it came from.

    A collection becomes one multi-geometry per dimension, so that each can wear its own symbol.
    """
    flat = shapely.force_2d(np.asarray(shapes, dtype=object))
    mixed = shapely.get_type_id(flat) == shapely.GeometryType.GEOMETRYCOLLECTION
    if not mixed.any():
        return flat, np.arange(len(flat))
    found: list[BaseGeometry] = []
    owner: list[int] = []
    for position, shape in enumerate(flat):
        for one in _by_dimension(shape) if mixed[position] else [shape]:
            found.append(one)
            owner.append(position)
    joined = np.empty(len(found), dtype=object)
    joined[:] = found
    return joined, np.array(owner, dtype=int)


def _by_dimension(shape: BaseGeometry) -> list[BaseGeometry]:
    parts = shapely.get_parts(shapely.get_parts(shape))
    size = shapely.get_dimensions(parts)
    return [shapely.union_all(parts[size == d]) for d in (2, 1, 0) if (size == d).any()]


def packed(shape: BaseGeometry, origin: Origin) -> Packed:
    """One geometry that is not a mixed collection; see packed_all."""
    return packed_all(np.array([shape], dtype=object), origin)[0]


def packed_all(shapes: np.ndarray, origin: Origin) -> list[Packed]:
    """Many geometries, each of one dimension; parts that shrink to one place are left out."""
    found: list[Packed] = [[int(d)] for d in shapely.get_dimensions(shapes)]
    dimension = shapely.get_dimensions(shapes)
    points = np.flatnonzero(dimension == 0)
    xy, owner = shapely.get_coordinates(shapes[points], return_index=True)
    for position, place in zip(points[owner].tolist(), _whole(xy, origin).tolist(), strict=True):
        found[position].append(place)
    lines = np.flatnonzero(dimension == 1)
    parts, owner = shapely.get_parts(shapes[lines], return_index=True)
    for position, steps in zip(lines[owner].tolist(), _steps(parts, origin), strict=True):
        if len(steps) > 2:
            found[position].append(steps)
    areas = np.flatnonzero(dimension == 2)
    parts, owner = shapely.get_parts(shapes[areas], return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    outer = np.concatenate([[True], part[1:] != part[:-1]]) if len(part) else part
    whole: list[list[list[int]]] = [[] for _ in parts]
    rows = zip(part.tolist(), outer.tolist(), _steps(rings, origin), strict=True)
    for number, is_outer, steps in rows:
        if len(steps) > 6 and (is_outer or whole[number]):  # no hole stands for a lost outer ring
            whole[number].append(steps)
    for position, one in zip(areas[owner].tolist(), whole, strict=True):
        if one:
            found[position].append(one)
    return found


def _whole(xy: np.ndarray, origin: Origin) -> np.ndarray:
    whole: np.ndarray = np.rint((xy - origin) * STEPS_PER_FT).astype(np.int64)
    return whole


def _steps(lines: np.ndarray, origin: Origin) -> list[list[int]]:
    """Of each line its first vertex, then the way to each next one; repeated places once."""
    if not len(lines):
        return []
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    whole = _whole(xy, origin)
    first = np.concatenate([[True], owner[1:] != owner[:-1]])
    steps = np.diff(whole, axis=0, prepend=whole[:1])
    steps[first] = whole[first]
    kept = first | (steps != 0).any(axis=1)
    flat = steps[kept].ravel().tolist()
    ends = 2 * np.cumsum(np.bincount(owner[kept], minlength=len(lines)))
    return [flat[a:b] for a, b in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)]


def simplified(shapes: np.ndarray, tolerance_ft: float) -> np.ndarray:
    """No vertex that is left out lies farther than the tolerance from what is drawn."""
    if tolerance_ft <= 0.0:
        return shapes
    areas = shapely.get_dimensions(shapes) == 2
    thin: np.ndarray = shapely.simplify(shapes, tolerance_ft, preserve_topology=False)
    thin[areas] = shapely.simplify(shapes[areas], tolerance_ft, preserve_topology=True)
    lost = shapely.is_empty(thin)
    thin[lost] = shapes[lost]
    return thin
