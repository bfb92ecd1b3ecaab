"""What one area leaves uncovered of another, in acres; strips too thin to mean anything apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.units import AreaUnit, LengthUnit


def acres(area: float, foot: LengthUnit) -> float:
    """Acres of an area in square feet of the given foot."""
    return area * float(foot.metres**2 / AreaUnit.ACRE.square_metres)


def acres_tolerance_of(stated: float, percent: float, least: float) -> float:
    """The larger of both tolerances, in acres."""
    return max(abs(stated) * percent / 100.0, least)


def polygons_of(geometry: BaseGeometry | np.ndarray) -> np.ndarray:
    """The single polygons in a geometry (or array), whatever it is collected in."""
    parts = shapely.get_parts(geometry)
    while (shapely.get_type_id(parts) == 7).any():  # a collection in a collection
        parts = shapely.get_parts(parts)
    parts = shapely.get_parts(parts)
    return np.asarray(parts[shapely.get_type_id(parts) == 3])


def mended(geometry: np.ndarray) -> np.ndarray:
    """Flat and valid shapes; of what is collected in one, only the parts of highest dimension.

    GEOS cannot overlay collections of points, lines and areas.
    """
    shapes = np.array(shapely.make_valid(shapely.force_2d(geometry)), dtype=object)
    for index in np.flatnonzero(shapely.get_type_id(shapes) == 7):
        parts = np.atleast_1d(shapely.get_parts(shapes[index]))
        while (shapely.get_type_id(parts) == 7).any():
            parts = shapely.get_parts(parts)
        most = shapely.get_dimensions(parts)
        shapes[index] = shapely.union_all(parts[most == most.max()] if len(parts) else parts)
    return shapes


def dissolved(geometry: np.ndarray) -> BaseGeometry:
    """All areas as one, self-crossing ones mended; lines and points left out."""
    shapes = shapely.make_valid(shapely.force_2d(geometry))
    merged: BaseGeometry = shapely.union_all(polygons_of(shapes))
    return merged


@dataclass(frozen=True, eq=False)
class Uncovered:
    """Parts of an area that another does not cover; slivers are thinner than the stated width."""

    parts: np.ndarray
    slivers: np.ndarray

    @property
    def area(self) -> float:
        """The area of the parts, in square units of the coordinates."""
        return float(shapely.area(self.parts).sum())

    @property
    def sliver_area(self) -> float:
        """The area of the slivers, in square units of the coordinates."""
        return float(shapely.area(self.slivers).sum())

    def at_least(self, area: float) -> Uncovered:
        """The same with parts smaller than `area` (square units) counted as slivers."""
        small = shapely.area(self.parts) < area
        return Uncovered(self.parts[~small], np.concatenate([self.slivers, self.parts[small]]))


def uncovered(target: BaseGeometry, cover: BaseGeometry, sliver_width: float) -> Uncovered:
    """What of `target` lies outside `cover`; a part that holds no strip as wide is a sliver."""
    rest = polygons_of(shapely.difference(target, cover))
    rest = rest[shapely.area(rest) > sliver_width**2]  # crumbs of rounding along a shared edge
    if len(rest) == 0:
        return Uncovered(rest, rest)
    # a part is thin when shrinking it by half the width leaves nothing
    core = shapely.buffer(rest, -sliver_width / 2.0, join_style="mitre")
    thin = shapely.is_empty(core) | (shapely.area(core) <= 0)
    return Uncovered(rest[~thin], rest[thin])


def close_gaps(area: BaseGeometry, width: float) -> BaseGeometry:
    """The area with gaps and slits up to `width` closed, corners kept."""
    grown = shapely.buffer(area, width / 2.0, join_style="mitre")
    closed: BaseGeometry = shapely.buffer(grown, -width / 2.0, join_style="mitre")
    return closed


@dataclass(frozen=True, eq=False)
class Overlap:
    """Two areas that share ground: their numbers, and the ground."""

    first: int
    second: int
    ground: BaseGeometry


def overlaps(shapes: np.ndarray, sliver_width: float) -> list[Overlap]:
    """Pairs that share more than a sliver."""
    whole = shapely.make_valid(shapes)
    a, b = shapely.STRtree(whole).query(whole, predicate="intersects")
    a, b = a[a < b], b[a < b]
    shared = shapely.intersection(whole[a], whole[b])
    core = shapely.buffer(shared, -sliver_width / 2.0, join_style="mitre")
    real = shapely.area(core) > 0
    return [
        Overlap(int(i), int(j), ground)
        for i, j, ground in zip(a[real], b[real], shared[real], strict=True)
    ]


def shared(shapes: np.ndarray, ground: BaseGeometry, sliver_width: float) -> np.ndarray:
    """What each shape shares with the ground, strips thinner than the width left out.

    One geometry per shape, empty where nothing is shared; points and lines give nothing.
    """
    common = shapely.intersection(mended(shapes), ground)
    parts, owner = shapely.get_parts(common, return_index=True)
    parts, inner = shapely.get_parts(parts, return_index=True)  # of collections
    owner = owner[inner]
    core = shapely.buffer(parts, -sliver_width / 2.0, join_style="mitre")
    real = (shapely.get_dimensions(parts) == 2) & (shapely.area(core) > 0)
    made = np.array([shapely.Polygon()] * len(shapes), dtype=object)
    for index in np.unique(owner[real]):
        made[index] = shapely.union_all(parts[real & (owner == index)])
    return made
