"""What PROJ's register knows around a place: systems by area of use, a county's box."""

from __future__ import annotations

import re
from functools import lru_cache

import pyproj
from pyproj.aoi import AreaOfInterest
from pyproj.database import query_crs_info
from pyproj.enums import PJType

from sitemap.crs.system import Bounds, Crs, area_of_use, square_degrees

DEGREE_SYSTEMS = ("EPSG:4269", "EPSG:4326", "EPSG:6318", "EPSG:4267")  # NAD83, WGS 84, 2011, NAD27
NORTH_AMERICAN = ("NAD_1983", "NAD_1927", "USA_Contiguous", "North_America_")
COUNTIES = 4  # that share one county system; zones of State Plane have dozens
COUNTY_DEG = 3.0  # no county is larger, and two of one name are farther apart

_NEVER_SUBMITTED = (
    "WGS 72", "(CSRS)", "BLM", "UTM grid", "EASE-Grid", "Statistics Canada", "Equi7", "GLANCE",
    "Equal Earth", "Equidistant Cylindrical", "World Mercator", "PDC Mercator", "North Pole",
    "CORS96", "WISCRS_",
)  # fmt: skip  # of ESRI's WISCRS all are in EPSG's


@lru_cache(maxsize=32)
def systems_around(lon: float, lat: float, margin_deg: float = 0.0) -> tuple[Crs, ...]:
    """The registered projected CRS whose area of use holds a point, or comes within a margin.

    State Plane, county and state systems and UTM on every datum and in every unit come with it,
    from EPSG's register and, for the North American datums, from ESRI's (the county systems of
    Minnesota, state systems in feet); deprecated entries and systems that nobody submits here do
    not. Degrees.
    """
    reach = max(margin_deg, 1e-4)
    area = AreaOfInterest(lon - reach, lat - reach, lon + reach, lat + reach)
    found = []
    for authority in ("EPSG", "ESRI"):
        infos = query_crs_info(authority, PJType.PROJECTED_CRS, area, contains=margin_deg == 0.0)
        codes = sorted(
            int(info.code)
            for info in infos
            if not info.deprecated
            and not any(word in info.name for word in _NEVER_SUBMITTED)
            and (authority == "EPSG" or info.name.startswith(NORTH_AMERICAN))
        )
        found += [pyproj.CRS.from_authority(authority, code) for code in codes]
    return tuple(found)


@lru_cache(maxsize=64)
def registered_nad27(zone: str, lon: float, lat: float) -> Crs | None:
    """The system on NAD27 of a State Plane or UTM zone ("Wisconsin South") that holds a point.

    None where the register has none of that name: ask systems_around then. A look-up by name
    takes a tenth of the time of asking for all systems around a place. Degrees.
    """
    try:
        found = pyproj.CRS.from_user_input(f"NAD27 / {zone}")
    except pyproj.exceptions.CRSError:
        return None
    area = area_of_use(found)
    if found.name != f"NAD27 / {zone}" or area is None or found.is_deprecated:
        return None
    west, south, east, north = area
    return found if west <= lon <= east and south <= lat <= north else None


@lru_cache(maxsize=32)
def area_named(county: str, state: str = "") -> Bounds | None:
    """The box in degrees of the registered area of use that names a county of the United States.

    Counties with a system of their own are known: 'Waushara', 'Dane'. None where there is none,
    or where several states have one of that name and none of them is named.
    """
    words = [
        re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE) for word in (county, state) if word
    ]
    infos = query_crs_info("EPSG", PJType.PROJECTED_CRS)
    known = {info.area_of_use for info in infos if info.area_of_use is not None}
    areas = [
        area
        for area in known
        if (name := area.name or "").startswith("United States")
        and "count" in name.lower()  # "... - Wisconsin - Dane county.", "... counties of Rock; ..."
        and name.count(";") < COUNTIES
        and all(word.search(name.split(" - ", 1)[1]) for word in words)
    ]
    if not areas:
        return None
    west, east = min(a.west for a in areas), max(a.east for a in areas)
    south, north = min(a.south for a in areas), max(a.north for a in areas)
    if max(east - west, north - south) > COUNTY_DEG:
        return None
    smallest = min(areas, key=square_degrees)
    return smallest.west, smallest.south, smallest.east, smallest.north
