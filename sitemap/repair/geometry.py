"""Geometries in, geometries out: rings closed, vertices dropped, rings turned, outlines rebuilt.

Arrays throughout; what changed comes back as a mask, so that only those features are worded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

# The way that outer rings run where a format says so; other formats leave it open.
CLOCKWISE_FORMATS = {"ESRI Shapefile", "OpenFileGDB"}
COUNTER_CLOCKWISE_FORMATS = {"GeoJSON"}  # RFC 7946, section 3.1.6


def close_rings(wkb: bytes) -> BaseGeometry | None:
    """The geometry of bytes whose rings do not end where they began; None where nothing helps."""
    with np.errstate(all="ignore"):
        closed: BaseGeometry | None = shapely.from_wkb(wkb, on_invalid="ignore")
        if closed is None:
            closed = _fixed(wkb)
    if closed is None or closed.is_empty or not np.isfinite(shapely.get_coordinates(closed)).all():
        return None
    return closed if closed.area > 0 else None


def _fixed(wkb: bytes) -> BaseGeometry | None:
    try:
        fixed: BaseGeometry | None = shapely.from_wkb(wkb, on_invalid="fix")
    except (shapely.errors.GEOSException, ValueError):
        return None
    return fixed


def drop_repeated(geometries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(geometries, number of vertices dropped from each): exact repeats in a row, nothing else.

    A vertex that repeats its place at another height stays.
    """
    dropped = np.zeros(len(geometries), dtype=int)
    fit = finite(geometries) & np.isin(shapely.get_type_id(geometries), (1, 3, 5, 6))
    if not fit.any():
        return geometries, dropped
    xyz, owner = shapely.get_coordinates(geometries, include_z=True, return_index=True)
    flat = xyz.copy()
    flat[np.isnan(flat)] = 0.0
    in_a_row = (owner[1:] == owner[:-1]) & (flat[1:, :2] == flat[:-1, :2]).all(axis=1)
    upright = in_a_row & (flat[1:, 2] != flat[:-1, 2])
    fit[np.unique(owner[1:][upright])] = False
    fit &= np.bincount(owner[1:][in_a_row], minlength=len(geometries)) > 0
    cleaned = geometries.copy()
    cleaned[fit] = [_without_repeats(shape) for shape in geometries[fit]]
    dropped[fit] = shapely.get_num_coordinates(geometries[fit]) - shapely.get_num_coordinates(
        cleaned[fit]
    )
    cleaned[dropped == 0] = geometries[dropped == 0]
    return cleaned, dropped


def _without_repeats(geometry: BaseGeometry) -> BaseGeometry:
    """The same geometry where nothing would be left of a ring."""
    try:
        return shapely.remove_repeated_points(geometry, 0.0)
    except shapely.errors.GEOSException:
        return geometry


def finite(geometries: np.ndarray) -> np.ndarray:
    """True for geometries that are there and whose coordinates are all finite numbers."""
    there: np.ndarray = ~(shapely.is_missing(geometries) | shapely.is_empty(geometries))
    xy, owner = shapely.get_coordinates(geometries, return_index=True)
    there[owner[~np.isfinite(xy).all(axis=1)]] = False
    return there


def turn_rings(geometries: np.ndarray, driver: str) -> tuple[np.ndarray, np.ndarray]:
    """(geometries, mask of those turned): outer rings counter-clockwise and holes clockwise.

    Turned are areas whose rings break the rule of their format; where the format has none, those
    whose rings do not agree with each other.
    """
    areas = finite(geometries) & np.isin(shapely.get_type_id(geometries), (3, 6))
    turned = np.zeros(len(geometries), dtype=bool)
    if not areas.any():
        return geometries, turned
    parts, owner = shapely.get_parts(geometries[areas], return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    first = np.r_[True, part[1:] != part[:-1]]
    # a ring that crosses itself has no direction of its own: nothing is said of it
    ccw = shapely.is_ccw(rings) == first
    told = shapely.is_simple(rings)
    number = owner[part]
    count = int(areas.sum())
    outward = np.bincount(number[told & ccw], minlength=count)
    inward = np.bincount(number[told & ~ccw], minlength=count)
    if driver in CLOCKWISE_FORMATS:
        wrong = outward > 0
    elif driver in COUNTER_CLOCKWISE_FORMATS:
        wrong = inward > 0
    else:
        wrong = (outward > 0) & (inward > 0)
    turned[np.flatnonzero(areas)[wrong]] = True
    result = geometries.copy()
    result[turned] = shapely.orient_polygons(geometries[turned])
    return result, turned


@dataclass(frozen=True)
class Rebuilt:
    """An outline rebuilt by structure, or why it cannot be; areas in square units of the data."""

    geometry: BaseGeometry | None
    before: float
    after: float
    refused: str = ""


def rebuild(geometry: BaseGeometry) -> Rebuilt:
    """An invalid geometry rebuilt by its structure: rings mended one by one, holes taken out.

    Never buffer(0), which may keep only the small lobe of a bow-tie. Refused where the result
    would be of another dimension or nothing.
    """
    if not np.isfinite(shapely.get_coordinates(geometry)).all():
        return Rebuilt(None, float("nan"), float("nan"), "a coordinate is not a finite number")
    try:
        made = shapely.make_valid(geometry, method="structure", keep_collapsed=False)
    except shapely.errors.GEOSException as error:
        words = str(error).splitlines()[0]
        return Rebuilt(None, float("nan"), float("nan"), f"GEOS cannot rebuild it ({words})")
    before, after = abs(float(geometry.area)), float(made.area)
    if made.is_empty:
        return Rebuilt(None, before, after, "nothing would be left of it")
    if shapely.get_dimensions(made) != shapely.get_dimensions(geometry):
        return Rebuilt(None, before, after, f"it would become a {made.geom_type}")
    if not made.is_valid:
        return Rebuilt(None, before, after, "the rebuilt outline is not valid either")
    return Rebuilt(made, before, after)


# Reprojection moves a vertex that lies on an edge by rounding to one side of it: some 1e-4 ft.
# Below this distance no outline has moved, on no plot and in no deed.
ROUNDING_FT = 0.001


def divided_at_touch(geometry: BaseGeometry) -> BaseGeometry | None:
    """An area that crosses itself by rounding only, cut where it touches itself; else None.

    Coordinates in feet. None where any part of the outline would move by more than ROUNDING_FT,
    or the area change by more than a strip of that width along it.
    """
    made = rebuild(geometry)
    if made.geometry is None or abs(made.after - made.before) > ROUNDING_FT * geometry.length:
        return None
    apart = shapely.hausdorff_distance(geometry.boundary, made.geometry.boundary)
    return made.geometry if apart <= ROUNDING_FT else None
