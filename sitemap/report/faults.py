"""The geometry of a finding as the forms can hold it: finite, flat, sorted by dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Finding

POINTS, LINES, AREAS = 0, 1, 2
_MULTI: tuple[Callable[[Any], BaseGeometry], ...] = (
    shapely.MultiPoint,
    shapely.MultiLineString,
    shapely.MultiPolygon,
)


def usable_geometry(finding: Finding) -> BaseGeometry | None:
    """The finding's geometry in two dimensions; None where it is empty or has wild vertices."""
    geometry = finding.geometry
    if geometry is None or geometry.is_empty:
        return None
    flat: BaseGeometry = shapely.force_2d(geometry)
    return flat if np.isfinite(shapely.get_coordinates(flat)).all() else None


def by_dimension(finding: Finding) -> dict[int, BaseGeometry]:
    """Multipoint, multilinestring and multipolygon of a finding, those that it has.

    Where the geometry cannot be used, the finding's place stands for it as a point.
    """
    geometry = usable_geometry(finding)
    if geometry is None:
        place = finding.place
        return {POINTS: shapely.MultiPoint([(place.x_ft, place.y_ft)])} if place else {}
    parts: dict[int, list[BaseGeometry]] = {}
    for part in _parts(geometry):
        parts.setdefault(int(shapely.get_dimensions(part)), []).append(part)
    return {dimension: _MULTI[dimension](parts[dimension]) for dimension in sorted(parts)}


def _parts(geometry: BaseGeometry) -> Iterator[BaseGeometry]:
    """Points, lines and polygons, collections of collections taken apart."""
    for part in shapely.get_parts(geometry):
        if part.is_empty:
            continue
        if part.geom_type == "GeometryCollection" or part.geom_type.startswith("Multi"):
            yield from _parts(part)
        elif part.geom_type == "LinearRing":
            yield shapely.LineString(part)
        else:
            yield part
