"""The only place that knows pyproj: parse, compare, choose, transform, refuse ballpark.

Axis order is always x (east, longitude), y (north, latitude). Nothing here guesses: a choice comes
back with the reason for it. `registered` (what PROJ knows around a place) and `installed` (grids,
versions) are asked by name.
"""

from sitemap.crs.choosing import choose_site_crs, state_plane_in_feet
from sitemap.crs.degrees import convergence_deg, grid_scale_factor, lonlat, rough_lonlat
from sitemap.crs.moving import (
    Transformation,
    moved_to,
    plan_transformation,
    to_crs,
    transform_back,
    transform_points,
)
from sitemap.crs.system import (
    WGS84,
    Bounds,
    Crs,
    area_of_use,
    crs_code,
    crs_label,
    datum_name,
    for_files,
    is_in_feet,
    is_plain,
    is_web_mercator,
    linear_unit,
    parse_crs,
    proj_text,
    same_crs,
    same_ellipsoid,
)

__all__ = [
    "WGS84",
    "Bounds",
    "Crs",
    "Transformation",
    "area_of_use",
    "choose_site_crs",
    "convergence_deg",
    "crs_code",
    "crs_label",
    "datum_name",
    "for_files",
    "grid_scale_factor",
    "is_in_feet",
    "is_plain",
    "is_web_mercator",
    "linear_unit",
    "lonlat",
    "moved_to",
    "parse_crs",
    "plan_transformation",
    "proj_text",
    "rough_lonlat",
    "same_crs",
    "same_ellipsoid",
    "state_plane_in_feet",
    "to_crs",
    "transform_back",
    "transform_points",
]
