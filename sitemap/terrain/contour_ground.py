"""Contours, spot elevations, or both -> Surface, through a triangulation of their points."""

from __future__ import annotations

import math

import numpy as np
import shapely
from affine import Affine

from sitemap.crs import Bounds
from sitemap.errors import SurfaceError
from sitemap.measures.contour_survey import usable_contours
from sitemap.measures.contours import Contours
from sitemap.measures.intervals import interval_in_force
from sitemap.site import Site
from sitemap.terrain.surface import Surface
from sitemap.terrain.triangles import Tin, along, triangulated
from sitemap.terrain.vertical import UNSTATED_ERROR_FT

CELLS_FT = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
MOST_CELLS = 500_000
SPACING_FT = 5.0  # between points put on a contour
LEAST_SPOTS = 12  # without contours; fewer show places, and no ground between them
ERROR_IN_INTERVALS = 0.3  # nine heights in ten within half an interval of the truth


def surface_from_contours(site: Site, bounds: Bounds) -> Surface:
    """The existing ground inside bounds from contours_existing and spot_elevations.

    SurfaceError where there are no two levels of contours; without contours, where the spot
    elevations are too few for a surface.
    """
    layer = site.role("contours_existing")
    if layer is None or site.crs is None:
        return _surface_of_spots(site, bounds)
    contours = usable_contours(layer).within(bounds)
    step_ft = step_of(contours)
    if step_ft is None:
        raise SurfaceError("the existing contours show fewer than two levels, so no surface")
    total = shapely.total_bounds(contours.lines)
    cell = cell_for((total[2] - total[0]) * (total[3] - total[1]))
    spots = spot_points(site, bounds)
    tin = triangulated(
        np.concatenate([along(contours.lines, contours.levels_ft, max(cell, SPACING_FT)), spots])
    )
    grid, shape = grid_around(tin, cell)
    z = tin.heights_ft(grid, shape)
    files = ", ".join(dict.fromkeys(one.provenance.file for one in layer.members))
    with_spots = f" and {len(spots)} spot elevations" if len(spots) else ""
    unit = next((one.units.get("elevation", "") for one in layer.members), "")
    return Surface(
        z,
        grid,
        site.crs,
        f"existing contours of {files}{with_spots}, triangulated",
        "ft",
        unit or "the contours' own",
        site.project.map.vertical_datum,
        *_error(site, step_ft),
        covered_pct=float(np.isfinite(z).sum() * cell**2 / area_of(bounds) * 100.0),
        notes=("between points of one level the ground is left level",),
        of_contours=True,
    )


def show_ground(site: Site, bounds: Bounds) -> bool:
    """Whether existing contours of two levels and more lie inside bounds, so that they show it."""
    layer = site.role("contours_existing")
    if layer is None or site.crs is None:
        return False
    return step_of(usable_contours(layer).within(bounds)) is not None


def _surface_of_spots(site: Site, bounds: Bounds) -> Surface:
    spots, layer = spot_points(site, bounds), site.role("spot_elevations")
    if site.crs is None or layer is None:
        raise SurfaceError(
            "no elevation layer: no raster, triangulated surface, contours or spot elevations"
        )
    if len(spots) < LEAST_SPOTS:
        raise SurfaceError(
            f"no surface: {len(spots)} spot elevations lie on the map and around it, and no "
            f"contours; at least {LEAST_SPOTS} are needed"
        )
    tin = triangulated(spots)
    if not len(tin):
        raise SurfaceError("no surface: the spot elevations lie on one line, or far apart")
    xmin, ymin, xmax, ymax = tin.bounds
    cell = cell_for((xmax - xmin) * (ymax - ymin))
    grid, shape = grid_around(tin, cell)
    z = tin.heights_ft(grid, shape)
    files = ", ".join(dict.fromkeys(one.provenance.file for one in layer.members))
    unit = next((one.units.get("elevation", "") for one in layer.members), "")
    apart = float(np.median(tin.sides_ft))
    error_ft = site.project.map.vertical_error_ft or UNSTATED_ERROR_FT
    said = "from site.toml" if site.project.map.vertical_error_ft else "not stated, taken as such"
    return Surface(
        z,
        grid,
        site.crs,
        f"{len(spots)} spot elevations of {files}, triangulated",
        "ft",
        unit or "the spot elevations' own",
        site.project.map.vertical_datum,
        error_ft,
        f"standard error {error_ft:.2g} ft, {said}",
        covered_pct=float(np.isfinite(z).sum() * cell**2 / area_of(bounds) * 100.0),
        notes=(f"ground between spot elevations, {apart:.0f} ft apart, is taken as straight",),
    )


def _error(site: Site, step_ft: float) -> tuple[float, str]:
    """The standard error of a height in feet, and where it is from."""
    said = site.project.map.vertical_error_ft
    if said is not None:
        return said, f"standard error {said:g} ft, from site.toml"
    value = ERROR_IN_INTERVALS * step_ft
    words = f"three tenths of the contour interval of {step_ft:g} ft"
    return value, f"standard error {value:.2g} ft, {words}"


def step_of(contours: Contours) -> float | None:
    """The interval in force in feet; None for fewer than two levels."""
    if len(contours) == 0 or len(contours.levels) < 2:
        return None
    interval = interval_in_force(contours.levels_ft, contours.lengths_ft)
    return interval.step_ft if interval is not None else None


def spot_points(site: Site, bounds: Bounds) -> np.ndarray:
    """Spot elevations inside bounds as x, y, height."""
    layer = site.role("spot_elevations")
    if layer is None or layer.usable.empty:
        return np.empty((0, 3))
    frame = layer.usable
    parts, owner = shapely.get_parts(frame.geometry.to_numpy(), return_index=True)
    level = frame["elevation"].to_numpy(dtype=float, na_value=np.nan)[owner]
    point = (shapely.get_type_id(parts) == 0) & np.isfinite(level) & (level != 0)
    xy = shapely.get_coordinates(parts[point])
    inside = (xy[:, 0] >= bounds[0]) & (xy[:, 0] <= bounds[2])
    inside &= (xy[:, 1] >= bounds[1]) & (xy[:, 1] <= bounds[3])
    return np.column_stack([xy, level[point]])[inside]


def cell_for(area_sqft: float) -> float:
    """The smallest round cell that keeps an area within the number of cells."""
    return next((c for c in CELLS_FT if area_sqft / c**2 <= MOST_CELLS), CELLS_FT[-1])


def grid_around(tin: Tin, cell_ft: float) -> tuple[Affine, tuple[int, int]]:
    """Cells on whole multiples of their side around triangles. SurfaceError for no triangle."""
    if not len(tin):
        raise SurfaceError("the heights given lie in one place or on one line: no surface")
    xmin, ymin, xmax, ymax = tin.bounds
    left, top = math.floor(xmin / cell_ft), math.ceil(ymax / cell_ft)
    shape = (top - math.floor(ymin / cell_ft), math.ceil(xmax / cell_ft) - left)
    grid = Affine(cell_ft, 0.0, left * cell_ft, 0.0, -cell_ft, top * cell_ft)
    return grid, (max(shape[0], 1), max(shape[1], 1))


def area_of(bounds: Bounds) -> float:
    """Square feet inside bounds."""
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])
