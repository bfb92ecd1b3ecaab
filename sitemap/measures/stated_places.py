"""Longitude and latitude that a dataset's own attributes state: the best evidence for its CRS.

Exports keep them in columns of their own; they were written when the CRS was still known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import geopandas
import numpy as np
import pandas
import shapely
from pandas.api.types import is_numeric_dtype

from sitemap.column_names import plain_name
from sitemap.crs import WGS84, Crs, to_crs
from sitemap.errors import CrsError
from sitemap.measures.crs_shifts import Landing

LONGITUDES = ("lon", "long", "longitude", "lng", "xlong", "xlon", "longdd", "londd", "declong")
LATITUDES = ("lat", "latitude", "ylat", "latdd", "declat")
PAIR = re.compile(r"\s*[(\[]?\s*([-+]?\d+(?:\.\d+)?)\s*[,; ]\s*([-+]?\d+(?:\.\d+)?)\s*[)\]]?\s*")
LEAST = 3  # fewer could be anything
FEET_PER_DEGREE = 364_567.0  # of latitude on GRS 80 at 44 N, to 1 %: residuals are small
SURE_FT = 3.0
ROUGH_FT = 60.0  # a datum shift without its grid is known to 12 m


@dataclass(frozen=True, eq=False)
class StatedPlaces:
    """Degrees stated for some points, with the points' own numbers; columns says where."""

    columns: str
    xy: np.ndarray
    degrees: np.ndarray


def stated_places(frame: geopandas.GeoDataFrame) -> StatedPlaces | None:
    """The places that a layer of points states in a pair of columns, or in one column of text."""
    shapes = frame.geometry.to_numpy()
    point = (shapely.get_type_id(shapes) == 0) & ~shapely.is_empty(shapes)
    if point.sum() < LEAST:
        return None
    for columns, degrees in _pairs(frame):
        known = (
            point
            & np.isfinite(degrees).all(axis=1)
            & (np.abs(degrees[:, 0]) <= 180)
            & (np.abs(degrees[:, 1]) <= 90)
            & (degrees != 0).all(axis=1)
        )
        if known.sum() >= max(LEAST, 0.5 * point.sum()):
            xy = shapely.get_coordinates(shapes[known])
            return StatedPlaces(columns, xy, degrees[known])
    return None


def _pairs(frame: geopandas.GeoDataFrame) -> Iterable[tuple[str, np.ndarray]]:
    """Candidate columns as arrays of longitude and latitude."""
    names = {plain_name(str(name)): str(name) for name in frame.columns}
    lon = next((names[n] for n in LONGITUDES if n in names), None)
    lat = next((names[n] for n in LATITUDES if n in names), None)
    if lon is not None and lat is not None:
        numbers = [pandas.to_numeric(frame[n], errors="coerce").to_numpy(float) for n in (lon, lat)]
        yield f"columns {lon} and {lat}", np.column_stack(numbers)
    for name in frame.columns:
        if name == frame.geometry.name or is_numeric_dtype(frame[name]):
            continue
        parts = frame[name].astype(str).str.extract(rf"^{PAIR.pattern}$").to_numpy(dtype=float)
        if np.isfinite(parts).all(axis=1).sum() < LEAST:
            continue
        # latitudes of the United States are positive, longitudes negative
        flipped = np.nanmedian(parts[:, 0]) > 0 > np.nanmedian(parts[:, 1])
        yield f"column {name}", parts[:, ::-1] if flipped else parts


def residual_ft(places: StatedPlaces, crs: Crs, *, swapped: bool = False) -> float | None:
    """The median distance, in feet, between stated places and numbers read in a CRS.

    By PROJ's way to WGS 84, as software writes such columns. None where there is no way.
    """
    xy = places.xy[:, ::-1] if swapped else places.xy
    points = geopandas.GeoDataFrame(geometry=shapely.points(xy), crs=crs)
    try:
        lon, lat = shapely.get_coordinates(to_crs(points, WGS84)[0].geometry.to_numpy()).T
    except CrsError:
        return None
    aside = (lon - places.degrees[:, 0]) * np.cos(np.radians(places.degrees[:, 1]))
    off = np.hypot(aside, lat - places.degrees[:, 1]) * FEET_PER_DEGREE
    off = off[np.isfinite(off)]
    return float(np.median(off)) if off.size else None


def by_stated_places(
    groups: list[tuple[Landing, ...]], places: StatedPlaces
) -> list[tuple[Landing, ...]]:
    """Ranked landings, those that agree with the stated places first, also within a rank."""
    told = [
        tuple(
            replace(there, residual_ft=residual_ft(places, there.crs, swapped=there.swapped))
            for there in group
        )
        for group in groups
    ]
    told = [tuple(sorted(group, key=_off)) for group in told]
    return sorted(told, key=lambda group: sum(_off(group[0]) > at for at in (SURE_FT, ROUGH_FT)))


def _off(there: Landing) -> float:
    """The residual to 0.1 ft, so that what is equally good keeps its order."""
    return float("inf") if there.residual_ft is None else round(there.residual_ft, 1)
