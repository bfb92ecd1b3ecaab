"""Where a finding lies: site coordinates, degrees, grid cell and sheet.

The cell is named after the grid that the reader has before him: the one printed on the measured
plate, else the submission's own, else the grid that the plate would draw over the site.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Bounds, crs_code, lonlat
from sitemap.finding import Place
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage
from sitemap.measures.grid import RegularGrid, grid_over
from sitemap.measures.grid_regularity import label_order
from sitemap.measures.printed_grid import reference_at
from sitemap.site import Site

MAP_ROLES = ("boundary", "disturbance", "controls", "discharges")  # the map, rules.md section 5.8


class Places:
    """Turns geometries in the site CRS into places; what it needs is built once, when asked."""

    def __init__(self, site: Site, plate: MeasuredPlate | None = None) -> None:
        self._site = site
        self._plate = plate

    def place(self, geometry: BaseGeometry | None) -> Place | None:
        """The representative point of a geometry, or None where it has no finite coordinate."""
        xy = _point_of(geometry)
        if xy is None or self._site.crs is None:
            return None
        lon, lat = self._degrees(*xy)
        known = math.isfinite(lon) and math.isfinite(lat)
        cell, sheet = self._cell(*xy)
        return Place(
            round(xy[0], 3),
            round(xy[1], 3),
            round(lon, 7) if known else None,
            round(lat, 7) if known else None,
            cell,
            sheet,
        )

    def _degrees(self, x_ft: float, y_ft: float) -> tuple[float, float]:
        """Longitude and latitude; not a number in a local CRS that PROJ cannot place on earth."""
        assert self._site.crs is not None
        try:
            lon, lat = lonlat(x_ft, y_ft, self._site.crs)
        except Exception:  # PROJ's own errors; only crs/ may know them
            return math.nan, math.nan
        return float(lon), float(lat)

    def _cell(self, x_ft: float, y_ft: float) -> tuple[str | None, str | None]:
        """Grid cell and sheet of a point."""
        found = self._on_plate(x_ft, y_ft)
        if found is not None:
            return found
        tree, labels = self._submitted
        if self._printed and not (labels and self._prints_submitted):
            return None, None
        if labels:
            hits = tree.query(shapely.Point(x_ft, y_ft), predicate="intersects")
            # on a line between cells the first in order has it, whatever the order of the records
            return min((labels[hit] for hit in hits.tolist()), key=label_order, default=None), None
        return (self._computed.cell_of(x_ft, y_ft) if self._computed else None), None

    def _on_plate(self, x_ft: float, y_ft: float) -> tuple[str | None, str | None] | None:
        """Cell and sheet that are printed at a point; None off all frames with a grid."""
        found = (locate(x_ft, y_ft) for locate in self._printed)
        return next((f for f in found if f is not None), None)

    @cached_property
    def _prints_submitted(self) -> bool:
        """Whether the plate prints the submitted grid: then its cells go on beyond the frames."""
        tree, labels = self._submitted
        middles = shapely.get_coordinates(shapely.centroid(tree.geometries)).tolist()
        seen = [
            (label, on_plate[0])
            for label, middle in zip(labels, middles, strict=True)
            if (on_plate := self._on_plate(*middle)) is not None
        ]
        return bool(seen) and all(label == printed for label, printed in seen)

    def areas_by_cell(self, geometry: BaseGeometry) -> dict[str, float]:
        """How many square feet of an area lie in each grid cell, in order of the labels.

        A1, A2, ... B1, ... AA1, however the records of a grid layer are ordered. By the
        submission's own grid, else by the one that the plate would draw.
        """
        tree, labels = self._submitted
        if not labels and self._computed is not None:
            labels = list(self._computed.labels)
            cells = [shapely.Polygon(self._computed.outline_of(label)) for label in labels]
            tree = shapely.STRtree(cells)
        if not labels:
            return {}
        hits = tree.query(geometry, predicate="intersects")
        sizes = shapely.area(shapely.intersection(tree.geometries[hits], geometry))
        found: dict[str, float] = {}
        for cell, size in zip(hits.tolist(), sizes.tolist(), strict=True):
            if size > 0:
                found[labels[cell]] = found.get(labels[cell], 0.0) + size
        return {label: found[label] for label in sorted(found, key=label_order)}

    @cached_property
    def _submitted(self) -> tuple[shapely.STRtree, list[str]]:
        """The cells of the submission's own grid layer."""
        layer = self._site.role("grid")
        if layer is None or "label" not in layer.frame:
            return shapely.STRtree([]), []
        frame = layer.usable
        frame = frame[frame["label"].notna() & (shapely.get_dimensions(frame.geometry) == 2)]
        cells = shapely.make_valid(frame.geometry.to_numpy())  # GEOS cuts no self-crossing cell
        return shapely.STRtree(cells), [str(v) for v in frame["label"]]

    @cached_property
    def _printed(self) -> list[Callable[[float, float], tuple[str | None, str | None] | None]]:
        """One locator per frame of the plate that is in the site CRS and has grid references."""
        if self._plate is None or self._site.crs is None:
            return []
        code = crs_code(self._site.crs)
        many = len(self._plate.pages) > 1
        return [
            _printed_cell(page, frame, (page.label or str(page.number)) if many else None)
            for page, frame in self._plate.main_frames
            if frame.ground_ft is not None
            and page.grid_columns
            and page.grid_rows
            and (frame.epsg is None or code == f"EPSG:{frame.epsg}")
        ]

    @cached_property
    def _computed(self) -> RegularGrid | None:
        bounds = map_extent(self._site)
        return None if bounds is None else grid_over(bounds)


def map_extent(site: Site) -> Bounds | None:
    """Bounds in feet of what the map must cover, else of all layers; None without either."""
    boxes = list(_finite_bounds(site, MAP_ROLES)) or list(_finite_bounds(site, tuple(site.layers)))
    if not boxes:
        return None
    low, high = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def _finite_bounds(site: Site, roles: tuple[str, ...]) -> Iterator[Bounds]:
    for role in roles:
        layer = site.role(role)
        bounds = layer.bounds_ft if layer is not None else None
        if bounds is not None and np.isfinite(bounds).all():
            yield bounds


def anchor(geometry: BaseGeometry | None) -> BaseGeometry | None:
    """The geometry by which a finding is known again; a point where it has wild vertices."""
    xy = _point_of(geometry)
    if xy is None or geometry is None:
        return None
    point = shapely.Point(xy)
    # a length of 1e308 cannot be rounded, nor can one that is not a number
    if not (np.abs(shapely.get_coordinates(geometry)) < 1e15).all():
        return point
    try:
        geometry.representative_point()
    except shapely.errors.GEOSException:
        return point
    return geometry


def _point_of(geometry: BaseGeometry | None) -> tuple[float, float] | None:
    """A point on the geometry; its first finite vertex where GEOS can give none."""
    if geometry is None or geometry.is_empty:
        return None
    xy = shapely.get_coordinates(geometry)
    finite = xy[np.isfinite(xy).all(axis=1)]
    if len(finite) == len(xy):
        try:
            point = geometry.representative_point()
        except shapely.errors.GEOSException:
            point = shapely.Point()
        if not point.is_empty:
            return float(point.x), float(point.y)
    return (float(finite[0][0]), float(finite[0][1])) if len(finite) else None


def _printed_cell(
    page: PlatePage, frame: MapFrame, sheet: str | None
) -> Callable[[float, float], tuple[str | None, str | None] | None]:
    """A function from ground feet to the grid references printed nearest to that place."""
    assert frame.ground_ft is not None
    lower_left, upper_left, _, lower_right = (np.array(corner) for corner in frame.ground_ft)
    axes = np.column_stack([lower_right - lower_left, upper_left - lower_left])
    left, bottom, right, top = frame.box_in

    def locate(x_ft: float, y_ft: float) -> tuple[str | None, str | None] | None:
        try:
            across, up = np.linalg.solve(axes, np.array([x_ft, y_ft]) - lower_left)
        except np.linalg.LinAlgError:
            return None
        if not (0.0 <= across <= 1.0 and 0.0 <= up <= 1.0):
            return None
        x_in = left + float(across) * (right - left)
        y_in = bottom + float(up) * (top - bottom)

        found = reference_at(page, frame, x_in, y_in)
        return None if found is None else (found.cell, sheet)

    return locate
