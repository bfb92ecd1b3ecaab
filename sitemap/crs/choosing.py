"""The system of a site's map: State Plane in feet around the data, and why."""

from __future__ import annotations

import math
import re
from functools import lru_cache

import numpy as np
import pyproj
from pyproj.aoi import AreaOfInterest
from pyproj.database import query_crs_info
from pyproj.enums import PJType

from sitemap.crs.degrees import lonlat
from sitemap.crs.system import WGS84, Bounds, Crs, crs_label, is_in_feet, square_degrees
from sitemap.errors import CrsError


def choose_site_crs(crs: Crs, bounds: Bounds) -> tuple[Crs, str]:
    """A projected CRS in feet for data within `bounds` of `crs`, and why this one.

    The data's own CRS if it is already in feet; else the State Plane zone of NAD83(2011)
    in feet around the middle of the data; else UTM in feet. CrsError without usable bounds.
    """
    if is_in_feet(crs):
        return crs, f"the data are already in it: {crs_label(crs)}"
    middle = np.array([(bounds[0] + bounds[2]) / 2.0]), np.array([(bounds[1] + bounds[3]) / 2.0])
    lon_, lat_ = lonlat(*middle, crs) if crs.is_projected else middle
    lon, lat = float(lon_[0]), float(lat_[0])
    if not (math.isfinite(lon) and math.isfinite(lat) and abs(lon) <= 180 and abs(lat) <= 90):
        raise CrsError(
            f"the data say {crs_label(crs)}, but their numbers ({bounds[0]:.6g}, {bounds[1]:.6g}) "
            "lie outside the earth in it; correct the CRS or give the right one with --crs"
        )
    zones = _zones_in_feet(lon, lat)
    if zones:
        own = next((zone for zone in zones if _zone_name(zone) == _zone_name(crs)), zones[0])
        others = sorted({_zone_name(zone) for zone in zones} - {_zone_name(own)})
        doubt = f"; it may lie in {' or '.join(others)} too, then give --crs" if others else ""
        doubt = doubt if own is zones[0] and _zone_name(own) != _zone_name(crs) else ""
        return own, f"State Plane zone around the data ({lat:.4f} N, {-lon:.4f} W){doubt}"
    number = int((lon + 180) // 6) + 1
    utm = _utm_in_feet(crs, number, "S" if lat < 0 else "N")
    where = f"{lat:.4f}, {lon:.4f}"  # Alaska has zones, in metres alone
    return utm, f"no State Plane zone in feet is registered at {where}; UTM zone {number} in feet"


def _utm_in_feet(crs: Crs, number: int, half: str) -> Crs:
    """A UTM zone in feet on the datum of `crs`, so that nothing needs to be shifted."""
    base = crs.geodetic_crs.to_2d() if crs.geodetic_crs else WGS84
    made = pyproj.crs.ProjectedCRS(
        conversion=pyproj.crs.coordinate_operation.UTMConversion(str(number), half),
        name=f"{base.name} / UTM zone {number}{half} (ft)",
        cartesian_cs=pyproj.crs.coordinate_system.Cartesian2DCS(
            axis=pyproj.crs.enums.Cartesian2DCSAxis.EASTING_NORTHING_FT
        ),
        geodetic_crs=base,
    )
    return pyproj.CRS.from_wkt(made.to_wkt())  # a plain CRS: the class above has no 2D form


def _zone_name(crs: Crs) -> str:
    """'Wisconsin South' of every realisation and unit of it."""
    return re.sub(r"\s*\((ft|ftUS|m)\)$", "", crs.name.rsplit(" / ", 1)[-1])


def state_plane_in_feet(lon: float, lat: float) -> Crs | None:
    """The NAD83(2011) State Plane CRS in feet that holds a point (ftUS first), or None."""
    zones = _zones_in_feet(lon, lat)
    return zones[0] if zones else None


@lru_cache(maxsize=64)
def _zones_in_feet(lon: float, lat: float) -> tuple[Crs, ...]:
    """Every such zone: they are registered by rectangles, which overlap at the borders."""
    area = AreaOfInterest(lon - 1e-4, lat - 1e-4, lon + 1e-4, lat + 1e-4)
    infos = query_crs_info("EPSG", PJType.PROJECTED_CRS, area, contains=True)
    zones = [i for i in infos if i.name.startswith("NAD83(2011) / ") and "(ft" in i.name]
    zones.sort(key=lambda i: ("(ftUS)" not in i.name, square_degrees(i.area_of_use), i.code))
    made = (pyproj.CRS.from_epsg(int(info.code)) for info in zones)
    return tuple(crs for crs in made if _is_state_plane(crs))


def _is_state_plane(crs: Crs) -> bool:
    operation = crs.coordinate_operation
    return operation is not None and operation.name.startswith("SPCS83")
