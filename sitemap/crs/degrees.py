"""Places of a system in its own degrees, and what its grid does there: convergence, scale."""

from __future__ import annotations

import math

import numpy as np
import pyproj

from sitemap.crs.system import Crs, once_each


def lonlat(x: np.ndarray | float, y: np.ndarray | float, crs: Crs) -> tuple[np.ndarray, np.ndarray]:
    """Longitude and latitude in degrees in the CRS's own datum (no datum shift).

    NaN where PROJ can make nothing of the definition.
    """
    try:
        transformer = to_own_degrees(crs)
    except pyproj.exceptions.ProjError:
        nowhere = np.full(np.shape(x), np.nan)
        return nowhere, nowhere.copy()
    out = transformer.transform(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    return np.asarray(out[0]), np.asarray(out[1])


@once_each
def to_own_degrees(crs: Crs) -> pyproj.Transformer:
    """The way from a system to degrees in its own datum."""
    return pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)


def rough_lonlat(x: float, y: float, crs: Crs) -> tuple[float, float]:
    """Longitude and latitude of a point of a projected CRS, to some metres; infinite where none.

    For sifting hundreds of systems: a bare projection is made in a fraction of a millisecond.
    """
    try:
        lon, lat = _bare_projection(crs)(x, y, inverse=True)
    except pyproj.exceptions.ProjError:
        return math.inf, math.inf
    return float(lon), float(lat)


@once_each  # ranking candidates asks hundreds of systems, per dataset
def _bare_projection(crs: Crs) -> pyproj.Proj:
    return pyproj.Proj(crs)


def convergence_deg(crs: Crs, x: float, y: float) -> float:
    """Degrees by which grid north lies east (+) of true north at a point of the CRS."""
    lon, lat = lonlat(x, y, crs)
    return float(pyproj.Proj(crs).get_factors(float(lon), float(lat)).meridian_convergence)


def grid_scale_factor(crs: Crs, x: float, y: float) -> float:
    """Grid length over ellipsoid length at a point of the CRS."""
    lon, lat = lonlat(x, y, crs)
    return float(pyproj.Proj(crs).get_factors(float(lon), float(lat)).meridional_scale)
