"""Where the site is, by the best thing known, and whether numbers can belong to their CRS."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from sitemap.crs import (
    WGS84,
    Bounds,
    Crs,
    area_of_use,
    choose_site_crs,
    crs_label,
    lonlat,
    parse_crs,
)
from sitemap.crs import transform_points as move
from sitemap.crs.registered import area_named
from sitemap.errors import CrsError
from sitemap.layer import Layer, Raster
from sitemap.measures.crs_shifts import REACH_FT, extent, finite_bounds
from sitemap.measures.records import all_data
from sitemap.site import Site

FAR_DEG = 5.0  # a layer of a neighbouring UTM zone is still no contradiction
NEAR_DEG = 1.0


@dataclass(frozen=True, eq=False)
class Whereabouts:
    """A place in a projected CRS that the data should be near, and what it is in words."""

    crs: Crs
    geometry: BaseGeometry
    words: str

    @cached_property
    def lonlat_box(self) -> Bounds:
        """West, south, east, north in degrees."""
        xmin, ymin, xmax, ymax = self.geometry.bounds
        lon, lat = lonlat(
            np.array([xmin, xmax, xmin, xmax]), np.array([ymin, ymin, ymax, ymax]), self.crs
        )
        return float(lon.min()), float(lat.min()), float(lon.max()), float(lat.max())


def whereabouts(
    site: Site, default_crs: str | None = None, *, trust_data: bool = False
) -> Whereabouts | None:
    """The boundary, else the other layers, the county stated, the area of a map CRS.

    With trust_data also datasets that serve no role, before the county and the areas. The map CRS
    is that of site.toml, else the ordinance's.
    """
    if site.crs is not None:
        if site.boundary is not None:
            return Whereabouts(site.crs, enclosed(site.boundary), "the boundary")
        boxes = [
            extent(tuple(layer.usable.total_bounds.tolist()))
            for layer in site.layers.values()
            if not layer.usable.empty and np.isfinite(layer.usable.total_bounds).all()
        ]
        if boxes:
            return Whereabouts(site.crs, shapely.union_all(boxes), "the other layers")
    found = _other_data(site) if trust_data else None
    found = found or _county(site)
    if found is not None:
        return found
    for text, why in (
        (site.project.map.crs, "the map CRS of site.toml"),
        (default_crs, "the CRS that the ordinance names"),
    ):
        place = area_of(text, why) if text else None
        if place is not None:
            return place
    return None


def enclosed(boundary: BaseGeometry) -> BaseGeometry:
    """The ground that a boundary is about: areas as they are, of lines what lies between them.

    Work inside an outline that was sent as a line (SUB007) is not off the site.
    """
    parts = shapely.get_parts(shapely.get_parts(boundary))
    areal = shapely.get_dimensions(parts) == 2
    if areal.all():
        return boundary
    lines = shapely.convex_hull(shapely.union_all(parts[~areal]))
    ground: BaseGeometry = shapely.union_all([*parts[areal], lines])
    return ground


def _other_data(site: Site) -> Whereabouts | None:
    """Where the datasets with a sound CRS lie, whatever they serve."""
    placed = [
        (data.crs, box)
        for data in all_data(site)
        if data.crs is not None
        and (data.crs.is_projected or data.crs.is_geographic)
        and (box := data_bounds(data)) is not None
        and misfit(np.array([box]), data.crs, None) is None
    ]
    if not placed:
        return None
    placed.sort(key=lambda entry: _spans_degrees(*entry))  # a list of states says little
    try:
        crs = site.crs or choose_site_crs(*placed[0])[0]
        boxes = [_moved(box, its, crs) for its, box in placed]
    except CrsError:
        return None
    local = [box for box in boxes if np.isfinite(box.bounds).all() and box.length <= 4 * REACH_FT]
    near = [box for box in local if box.distance(local[0]) <= REACH_FT]
    if not near:
        return None
    return Whereabouts(crs, shapely.union_all(near), "the other datasets")


def _spans_degrees(crs: Crs, box: Bounds) -> float:
    """How much of the earth a box covers, in degrees across."""
    if crs.is_geographic:
        return math.hypot(box[2] - box[0], box[3] - box[1])
    lon, lat = lonlat(np.array(box[::2]), np.array(box[1::2]), crs)
    span = math.hypot(float(np.ptp(lon)), float(np.ptp(lat)))
    return span if math.isfinite(span) else math.inf


def _moved(box: Bounds, source: Crs, target: Crs) -> BaseGeometry:
    x, y = move(np.array([box[0], box[2]] * 2), np.array([*box[1::2], *box[:0:-2]]), source, target)
    return extent((float(x.min()), float(y.min()), float(x.max()), float(y.max())))


def data_bounds(data: Layer | Raster) -> Bounds | None:
    """The box of a dataset's finite numbers in its own units; None when it has none."""
    if isinstance(data, Raster):
        xmin, ymin, xmax, ymax = data.bounds
        return min(xmin, xmax), min(ymin, ymax), max(xmin, xmax), max(ymin, ymax)
    return finite_bounds(data.shapes)


COUNTY = re.compile(r"([A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*) County(?:,\s*([A-Z]\w+(?: [A-Z]\w+)?))?")


def _county(site: Site) -> Whereabouts | None:
    """The county that site.toml names, where it is registered as the area of some system."""
    facts = site.project.project
    match = COUNTY.search(f"{facts.municipality or ''}; {facts.address or ''}")
    box = area_named(match[1], match[2] or "") if match is not None else None
    if match is None or box is None:
        return None
    try:
        crs = site.crs or choose_site_crs(WGS84, box)[0]
        return Whereabouts(crs, _moved(box, WGS84, crs), f"{match[1]} County")
    except CrsError:
        return None


def area_of(text: str, why: str) -> Whereabouts | None:
    """The area that a projected CRS is made for, with the words for it; None where unknown."""
    try:
        crs = parse_crs(text)
    except CrsError:
        return None
    area = area_of_use(crs)
    if area is None or not crs.is_projected:
        return None
    edge = shapely.get_coordinates(shapely.segmentize(shapely.box(*area), 0.25))
    x, y = move(edge[:, 0], edge[:, 1], WGS84, crs)
    return Whereabouts(crs, Polygon(np.column_stack([x, y])), f"the area of {why}")


@dataclass(frozen=True)
class Misfit:
    """Numbers that cannot belong to the stated CRS: of what kind, in words, how many features."""

    kind: Literal["projected numbers", "degrees", "swapped", "outside"]
    words: str
    features: int


def misfit(boxes: np.ndarray, crs: Crs, near: Bounds | None) -> Misfit | None:
    """Whether most features' boxes, shape (n, 4), contradict `crs`; None when they do not.

    near is where the site is in degrees (west, south, east, north), None where nobody knows.
    """
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if not len(boxes):
        return None
    x, y = np.median(boxes[:, :2] / 2.0 + boxes[:, 2:] / 2.0, axis=0).tolist()
    in_degrees = (
        (boxes[:, 0] >= -180.0001)
        & (boxes[:, 2] <= 180.0001)
        & (boxes[:, 1] >= -90.0001)
        & (boxes[:, 3] <= 90.0001)
    )
    if crs.is_geographic:
        outside = int((~in_degrees).sum())
        if outside * 2 > len(boxes):
            return _not_degrees(boxes, outside)
    elif crs.is_projected and in_degrees.sum() * 2 > len(boxes) and not _at_home(x, y, crs, near):
        return Misfit(
            "degrees",
            f"the numbers ({x:.6g}, {y:.6g}) are degrees of longitude and latitude",
            int(in_degrees.sum()),
        )
    return _misplaced(x, y, crs, near, len(boxes))


def _not_degrees(boxes: np.ndarray, outside: int) -> Misfit:
    xmin, ymin = boxes[:, :2].min(axis=0).tolist()
    xmax, ymax = boxes[:, 2:].max(axis=0).tolist()
    if max(abs(xmin), abs(xmax)) <= 90 and max(abs(ymin), abs(ymax)) <= 180:
        return Misfit(
            "swapped",
            f"y runs from {ymin:.6g} to {ymax:.6g}, beyond 90: the axes are swapped",
            outside,
        )
    return Misfit(
        "projected numbers",
        f"x runs from {xmin:,.6g} to {xmax:,.6g} and y from {ymin:,.6g} to {ymax:,.6g}: these are "
        "feet or metres of a projected system, not degrees",
        outside,
    )


def _misplaced(x: float, y: float, crs: Crs, near: Bounds | None, count: int) -> Misfit | None:
    """Swapped axes, or numbers far outside the area that the CRS is made for."""
    stated, swapped = _degrees(x, y, crs), _degrees(y, x, crs)
    area = area_of_use(crs)
    home = near or area
    if home is None:
        return None
    off = math.inf if stated is None else max(_apart(stated, each) for each in (home, area or home))
    if off <= FAR_DEG:
        return None
    numbers = f"({x:,.9g}, {y:,.9g})"
    if swapped is not None and _apart(swapped, home) <= NEAR_DEG:
        return Misfit(
            "swapped",
            f"the numbers {numbers} fit only with x and y exchanged: the axes are swapped",
            count,
        )
    if area is None or (stated is not None and _apart(stated, area) <= FAR_DEG):
        return None  # far from the site, but sound in itself: CRS003 measures that
    where = (
        "no place on earth"
        if stated is None
        else f"{abs(stated[1]):.2f} {'N' if stated[1] >= 0 else 'S'} "
        f"{abs(stated[0]):.2f} {'W' if stated[0] < 0 else 'E'}"
    )
    return Misfit(
        "outside",
        f"the numbers {numbers} mean {where}, far outside the area that {crs_label(crs)} is made "
        "for",
        count,
    )


def _at_home(x: float, y: float, crs: Crs, near: Bounds | None) -> bool:
    """True when small numbers are sound: a local system whose zero point is at the site."""
    there, home = _degrees(x, y, crs), near or area_of_use(crs)
    return there is not None and home is not None and _apart(there, home) <= NEAR_DEG


def _degrees(x: float, y: float, crs: Crs) -> tuple[float, float] | None:
    lon, lat = (float(v) for v in (lonlat(x, y, crs) if crs.is_projected else (x, y)))
    sound = math.isfinite(lon) and math.isfinite(lat) and abs(lon) <= 180 and abs(lat) <= 90
    return (lon, lat) if sound else None


def _apart(point: tuple[float, float], home: Bounds) -> float:
    """Degrees from a point to a box; 0 inside. An area across the date line holds everything."""
    west, south, east, north = home
    aside = 0.0 if west > east else max(west - point[0], point[0] - east, 0.0)
    return max(aside, south - point[1], point[1] - north, 0.0)
