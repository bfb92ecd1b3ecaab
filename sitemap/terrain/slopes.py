"""Percent slope of a surface (Horn), and ground at or above a slope as clean polygons."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import contourpy
import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.measures.cover import polygons_of
from sitemap.terrain.compiled import horn_slope_pct
from sitemap.terrain.contours import clipped
from sitemap.terrain.machine_code import can_compile
from sitemap.terrain.surface import Surface

EXACT_PCT = 1e-6  # slopes are compared to a millionth of a percent: rounding is not steepness
TOLERANCE_IN_CELLS = 0.1
WORTH_COMPILED = 4_000_000  # cells from which loading the compiled kernel pays


@dataclass(frozen=True, eq=False)
class SteepAreas:
    """Polygons of steep ground, the largest first, with their mean slope; and what was done."""

    areas: np.ndarray
    slope_pct: np.ndarray
    words: str

    def __len__(self) -> int:
        return len(self.areas)


def slope_pct(surface: Surface) -> np.ndarray:
    """Slope of each cell in percent, over its eight neighbours; NaN where one of them is void."""
    z = surface.z_ft
    if z.size >= WORTH_COMPILED and can_compile():
        return horn_slope_pct(z, surface.cell_ft)
    slope = np.full(z.shape, np.nan)
    if min(z.shape) < 3:
        return slope
    west = z[:-2, :-2] + 2.0 * z[1:-1, :-2] + z[2:, :-2]
    east = z[:-2, 2:] + 2.0 * z[1:-1, 2:] + z[2:, 2:]
    north = z[:-2, :-2] + 2.0 * z[:-2, 1:-1] + z[:-2, 2:]
    south = z[2:, :-2] + 2.0 * z[2:, 1:-1] + z[2:, 2:]
    run = 8.0 * surface.cell_ft
    inner = 100.0 * np.hypot((east - west) / run, (north - south) / run)
    slope[1:-1, 1:-1] = np.where(np.isnan(z[1:-1, 1:-1]), np.nan, inner)
    return slope


def steep_areas(
    surface: Surface,
    limit_pct: float,
    *,
    least_sqft: float,
    within: Bounds | None = None,
) -> SteepAreas:
    """Ground at or above a slope, its edges between cell centres by the slope itself.

    Parts and holes smaller than least_sqft are left out and filled; edges are moved by at most a
    tenth of a cell.
    """
    part = clipped(surface, within)
    slope = slope_pct(part)
    words = f"slopes of {limit_pct:g} % and more over {3 * part.cell_ft:.3g} ft (Horn)"
    known = np.isfinite(slope)
    if not known.any():
        return _nothing(f"{words}: no slope is known there")
    top = float(np.nanmax(slope))
    if top < limit_pct - EXACT_PCT:
        return _nothing(f"{words}: none, the steepest is {top:.1f} %")
    polygons = _at_or_above(part, slope, limit_pct - EXACT_PCT)
    kept = _clean(polygons, least_sqft, part.cell_ft * TOLERANCE_IN_CELLS)
    small = len(polygons) - len(kept)
    kept = kept[np.argsort(-shapely.area(kept), kind="stable")]
    mean = np.array([_mean_in(part, slope, area) for area in kept.tolist()])
    words += (
        f": {len(kept)} areas, steepest {top:.1f} %; areas and holes under {least_sqft:,.0f} sq ft "
        f"({small} areas) left out or filled; edges moved at most "
        f"{part.cell_ft * TOLERANCE_IN_CELLS:.3g} ft"
    )
    return SteepAreas(kept, mean, words)


def _nothing(words: str) -> SteepAreas:
    return SteepAreas(np.empty(0, dtype=object), np.empty(0), words)


def _at_or_above(surface: Surface, slope: np.ndarray, least_pct: float) -> np.ndarray:
    """Valid polygons of the ground whose slope is over a value, between cell centres."""
    rows, columns = slope.shape
    x = surface.transform.c + (np.arange(columns) + 0.5) * surface.cell_ft
    y = surface.transform.f - (np.arange(rows) + 0.5) * surface.cell_ft
    generator = contourpy.contour_generator(
        x,
        y[::-1],
        np.ma.masked_invalid(slope[::-1]),
        corner_mask=False,
        fill_type=contourpy.FillType.OuterOffset,
    )
    made = []
    for points, offsets in zip(*generator.filled(least_pct, 1e12), strict=True):
        rings = [points[a:b] for a, b in pairwise(offsets)]
        made.append(shapely.Polygon(rings[0], rings[1:]))
    valid = shapely.make_valid(np.array(made, dtype=object))
    return polygons_of(valid)


def _clean(polygons: np.ndarray, least_sqft: float, tolerance_ft: float) -> np.ndarray:
    large = polygons[shapely.area(polygons) >= least_sqft]
    filled = np.array([_holes_filled(one, least_sqft) for one in large.tolist()], dtype=object)
    if not len(filled):
        return filled
    simple = shapely.simplify(filled, tolerance_ft)
    return np.where(shapely.is_valid(simple), simple, filled)


def _holes_filled(polygon: shapely.Polygon, least_sqft: float) -> shapely.Polygon:
    holes = [ring for ring in polygon.interiors if shapely.Polygon(ring).area >= least_sqft]
    return shapely.Polygon(polygon.exterior, holes)


def _mean_in(surface: Surface, slope: np.ndarray, area: shapely.Polygon) -> float:
    """Mean slope of the cells whose centres lie in an area, percent to a tenth."""
    xmin, ymin, xmax, ymax = area.bounds
    rows, columns = surface.cells(np.array([[xmin, ymax], [xmax, ymin]]))
    top, left = max(int(rows[0]), 0), max(int(columns[0]), 0)
    block = slope[top : int(rows[1]) + 1, left : int(columns[1]) + 1]
    row, column = np.indices(block.shape)
    xy = surface.xy(row.ravel() + top, column.ravel() + left)
    shapely.prepare(area)
    inside = shapely.contains_xy(area, xy[:, 0], xy[:, 1]) & np.isfinite(block.ravel())
    values = block.ravel()[inside]
    return round(float(values.mean()), 1) if len(values) else float("nan")
