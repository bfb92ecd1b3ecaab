"""GeoJSON by RFC 7946: the findings in longitude and latitude, for a web map.

Degrees are those of the site CRS's own datum (for NAD83 within 2 m of WGS 84); the site's own
feet stand in the properties. A finding without a place is a feature with geometry null.
"""

from __future__ import annotations

import json

import numpy as np
import shapely
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.crs import Crs, crs_code, lonlat
from sitemap.finding import Finding, JsonDict
from sitemap.report.faults import usable_geometry
from sitemap.report.json import finding_dict

DIGITS = 8  # of a degree: a millimetre


def to_geojson(checked: CheckedSite) -> str:
    """A FeatureCollection as JSON text, one feature per finding."""
    crs = checked.site.crs
    code = json.dumps(crs_code(crs) if crs is not None else None)
    lines = [
        json.dumps(_feature(number, finding, crs), ensure_ascii=False, allow_nan=False)
        for number, finding in enumerate(checked.findings, start=1)
    ]
    head = f'{{"type": "FeatureCollection", "site_crs": {code}, "features": ['
    return head + "\n" + ",\n".join(lines) + "\n]}\n"


def _feature(number: int, finding: Finding, crs: Crs | None) -> JsonDict:
    properties = finding_dict(number, finding)
    properties["site_geometry"] = properties.pop("geometry")
    geometry = _in_degrees(usable_geometry(finding), crs)
    place = finding.place
    if geometry is None and place and place.lon is not None and place.lat is not None:
        geometry = shapely.Point(place.lon, place.lat)
    return {
        "type": "Feature",
        "id": finding.fingerprint or number,
        "geometry": None if geometry is None else mapping(geometry),
        "properties": properties,
    }


def _in_degrees(geometry: BaseGeometry | None, crs: Crs | None) -> BaseGeometry | None:
    """The geometry in degrees, rings by the right-hand rule; None where PROJ gives no degrees."""
    if geometry is None or crs is None:
        return None
    if isinstance(geometry, shapely.LinearRing):
        geometry = shapely.LineString(geometry)
    xy = shapely.get_coordinates(geometry)
    degrees = np.column_stack(lonlat(xy[:, 0], xy[:, 1], crs))
    if not np.isfinite(degrees).all():
        return None
    moved = shapely.set_coordinates(shapely.force_2d(geometry), degrees.round(DIGITS))
    oriented: BaseGeometry = shapely.orient_polygons(moved, exterior_cw=False)
    return oriented
