"""The ground after grading: proposed contours or a design surface, over the existing ground.

Inside the graded area (the disturbance) the design counts, outside it the existing ground; along
the limit of grading both meet. Ground that is disturbed but shows no proposed contour nearby
keeps its existing heights.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.errors import SurfaceError
from sitemap.measures.contour_survey import usable_contours
from sitemap.measures.cover import dissolved, polygons_of
from sitemap.site import Site
from sitemap.terrain.contour_ground import cell_for, grid_around, step_of
from sitemap.terrain.surface import Surface
from sitemap.terrain.triangles import Tin, along, triangulated

MIXED_SPACINGS = 3.0  # so many mean spacings of its contours a design is carried to the limit
MIXED_SIDE_FT = (50.0, 200.0)  # but no less, and no farther, than this
FINE_FT = 5.0  # grading is not laid on coarser cells than about this
MOST_CELLS = 6_000_000
EDGES = 0.1  # of an area: so much of it without heights is its edge


def with_design(site: Site, existing: Surface | None, design: Surface | None) -> Surface:
    """The proposed surface: a design surface, else proposed contours, merged over the existing.

    SurfaceError where neither is submitted.
    """
    graded = graded_area(site)
    if design is not None:
        return design if existing is None else _merged(existing, design, graded)
    layer = site.role("contours_proposed")
    if layer is None or layer.usable.empty:
        raise SurfaceError(
            "no proposed contours and no design surface: the ground after grading is not known"
        )
    contours = usable_contours(layer)
    step_ft = step_of(contours)
    if step_ft is None:
        raise SurfaceError("the proposed contours show fewer than two levels, so no surface")
    base = _refined(existing) if existing is not None else None
    points = along(contours.lines, contours.levels_ft, max(base.cell_ft if base else 0, FINE_FT))
    graded = _drawn_on(graded, contours.lines)
    if graded is not None and graded.is_empty:
        raise SurfaceError("no proposed contour lies on the disturbed ground")
    limit = np.empty((0, 3)) if base is None or graded is None else _limit(base, graded)
    tin = _graded_tin(points, limit, _reach_ft(graded, contours.lines))
    if base is None:
        total = shapely.total_bounds(contours.lines)
        cell = cell_for((total[2] - total[0]) * (total[3] - total[1]))
        base = _void(site, tin, cell)
    z = tin.heights_ft(base.transform, base.z_ft.shape)
    if graded is not None:
        z[~cells_inside(base, graded)] = np.nan
    files = ", ".join(dict.fromkeys(one.provenance.file for one in layer.members))
    return replace(
        base,
        z_ft=np.where(np.isnan(z), base.z_ft, z),
        source=f"proposed contours of {files}, triangulated"
        + (f", over {base.source}" if existing is not None else ""),
        stated_error_ft=max(base.stated_error_ft, 0.3 * step_ft),
        error_how=f"standard error at least {0.3 * step_ft:.2g} ft where graded, three tenths of "
        f"the contour interval of {step_ft:g} ft; {base.error_how}",
    )


def graded_area(site: Site) -> BaseGeometry | None:
    """The disturbed ground as one geometry; None where none is drawn."""
    layer = site.role("disturbance")
    if layer is None or layer.usable.empty:
        return None
    area = dissolved(layer.shapes)
    return area if area.area > 0 else None


def hidden_pct(surface: Surface, area: BaseGeometry | None) -> int:
    """Percent of an area on which the surface has no heights; 0 up to a tenth, which are edges."""
    if area is None or area.area <= 0:
        return 0
    known = np.isfinite(surface.z_ft[cells_inside(surface, area)]).sum()
    hidden = 1.0 - float(known) * surface.cell_ft**2 / float(area.area)
    return round(100.0 * hidden) if hidden > EDGES else 0


def cells_inside(surface: Surface, area: BaseGeometry) -> np.ndarray:
    """Which cells have their centre inside an area: booleans of the surface's shape."""
    mask: np.ndarray = np.zeros(surface.z_ft.shape, dtype=bool)
    if area.is_empty:
        return mask
    xmin, ymin, xmax, ymax = area.bounds
    edge_rows, edge_columns = surface.cells(np.array([[xmin, ymax], [xmax, ymin]]))
    (top, bottom), (left, right) = edge_rows.tolist(), edge_columns.tolist()
    rows = np.arange(max(top, 0), min(bottom + 1, mask.shape[0]))
    columns = np.arange(max(left, 0), min(right + 1, mask.shape[1]))
    if not len(rows) or not len(columns):
        return mask
    shapely.prepare(area)
    row, column = np.meshgrid(rows, columns, indexing="ij")
    xy = surface.xy(row.ravel(), column.ravel())
    inside = shapely.contains_xy(area, xy[:, 0], xy[:, 1])
    mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = inside.reshape(row.shape)
    return mask


def _limit(existing: Surface, graded: BaseGeometry) -> np.ndarray:
    """Points along the limit of grading with the height of the existing ground."""
    rings = shapely.get_parts(shapely.boundary(graded))
    xy = shapely.get_coordinates(shapely.segmentize(rings, max(2.0 * existing.cell_ft, FINE_FT)))
    heights = existing.heights_at(xy)
    known = np.isfinite(heights)
    return np.column_stack([xy[known], heights[known]])


def _drawn_on(graded: BaseGeometry | None, lines: np.ndarray) -> BaseGeometry | None:
    """The parts of the disturbed ground on which proposed contours are drawn."""
    if graded is None:
        return None
    parts = polygons_of(graded)
    shapely.prepare(parts)
    touched = np.unique(shapely.STRtree(lines).query(parts, predicate="intersects")[0])
    whole: BaseGeometry = shapely.union_all(parts[touched])
    return whole


def _reach_ft(graded: BaseGeometry | None, lines: np.ndarray) -> float:
    """How long a triangle between the design and the limit of grading may be."""
    low, high = MIXED_SIDE_FT
    if graded is None:
        return high
    drawn = float(shapely.length(shapely.intersection(lines, graded)).sum())
    return float(np.clip(MIXED_SPACINGS * graded.area / max(drawn, 1.0), low, high))


def _graded_tin(points: np.ndarray, limit: np.ndarray, reach_ft: float) -> Tin:
    """Triangles over the design; those that reach from it to a far limit are left out."""
    tin = triangulated(np.concatenate([points, limit]))
    if not len(limit) or not len(tin):
        return tin
    on_limit = {tuple(xy) for xy in np.round(limit[:, :2], 4).tolist()}
    corners = np.round(tin.corners[..., :2], 4).reshape(-1, 2).tolist()
    count = np.array([tuple(xy) in on_limit for xy in corners]).reshape(-1, 3).sum(axis=1)
    return tin.keep((count == 0) | ((count < 3) & (tin.sides_ft <= reach_ft)))


def _refined(surface: Surface) -> Surface:
    """The same ground on cells fine enough for grading."""
    times = int(np.ceil(surface.cell_ft / FINE_FT - 1e-9))
    rows, columns = surface.z_ft.shape
    while times > 1 and rows * columns * times**2 > MOST_CELLS:
        times -= 1
    if times <= 1:
        return surface
    cell = surface.cell_ft / times
    grid = Affine(cell, 0.0, surface.transform.c, 0.0, -cell, surface.transform.f)
    finer = replace(surface, transform=grid, z_ft=np.empty((rows * times, columns * times)))
    row, column = np.indices(finer.z_ft.shape)
    heights = surface.heights_at(finer.xy(row.ravel(), column.ravel()))
    return replace(finer, z_ft=heights.reshape(row.shape))


def _merged(existing: Surface, design: Surface, graded: BaseGeometry | None) -> Surface:
    """The design inside the graded area, the existing ground elsewhere."""
    base = _refined(existing)
    row, column = np.indices(base.z_ft.shape)
    z = design.heights_at(base.xy(row.ravel(), column.ravel())).reshape(row.shape)
    if graded is not None:
        z[~cells_inside(base, graded)] = np.nan
    return replace(
        base,
        z_ft=np.where(np.isnan(z), base.z_ft, z),
        source=f"{design.source}, over {base.source}",
        stated_error_ft=max(design.stated_error_ft, base.stated_error_ft),
        notes=(*design.notes, *base.notes),
    )


def _void(site: Site, tin: Tin, cell_ft: float) -> Surface:
    """An empty surface around a design, where no existing ground is known."""
    assert site.crs is not None
    grid, shape = grid_around(tin, cell_ft)
    return Surface(
        np.full(shape, np.nan),
        grid,
        site.crs,
        "",
        "ft",
        "the contours' own",
        site.project.map.vertical_datum,
        0.0,
        "the existing ground is not known",
    )
