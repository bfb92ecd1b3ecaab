"""The area of a waiver as site.toml writes it: WKT, or a list of corners in the map's CRS."""

from __future__ import annotations

from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

AREA_FILES = (".shp", ".gpkg", ".geojson", ".json", ".fgb")
ACCEPTED = (
    'a polygon as WKT ("POLYGON ((x y, x y, x y, x y))"), a list of at least three corners '
    f"([[x, y], ...]) in the map's CRS, or a file ({', '.join(AREA_FILES)})"
)


def is_file_name(value: Any) -> bool:
    """Whether the area is given as the path of a file."""
    return isinstance(value, str) and value.strip().lower().endswith(AREA_FILES)


def area_of(value: Any) -> BaseGeometry:
    """The polygon of WKT or corners, in the map's CRS; ValueError says what is accepted."""
    if isinstance(value, str):
        area = _from_wkt(value)
    else:
        try:
            area = shapely.Polygon([(float(x), float(y)) for x, y in value])
        except (TypeError, ValueError):
            raise ValueError(f"is no polygon; accepted: {ACCEPTED}") from None
    return checked_area(area)


def checked_area(area: BaseGeometry) -> BaseGeometry:
    """The same area when findings can be looked for in it; ValueError otherwise."""
    if area.geom_type not in ("Polygon", "MultiPolygon") or area.is_empty:
        raise ValueError(f"is no polygon but {area.geom_type}; accepted: {ACCEPTED}")
    if not area.is_valid:
        raise ValueError(f"is not a valid polygon ({shapely.is_valid_reason(area)})")
    return area


def _from_wkt(text: str) -> BaseGeometry:
    try:
        area: BaseGeometry = shapely.from_wkt(text)
    except shapely.errors.GEOSException as error:
        words = str(error).splitlines()[0]
        raise ValueError(f"cannot be read as WKT ({words}); accepted: {ACCEPTED}") from None
    return area
