"""Which ground a sheet shows, and at which scale: the largest engineer's scale that holds it."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.errors import PlateError
from sitemap.measures.grid import RegularGrid, grid_over, round_cell_ft
from sitemap.measures.map_extent import (
    CORE_ROLES,
    Bounds,
    core_ground,
    extent_ft,
    grown,
    margin_ft,
)
from sitemap.measures.sheets import (
    ENGINEERS_SCALES,
    SheetLayout,
    fit_scale,
    fits,
    sheets_that_fit,
)
from sitemap.measures.tiling import turned, unturned
from sitemap.ordinance import Ordinance
from sitemap.plate.marks import GroundFrame
from sitemap.site import Site
from sitemap.units import Length, LengthUnit, MapScale

IF_THEY_FIT = ("discharges", "outfalls")  # drawn larger without them, where they lie far off
MARGIN_IF_UNSTATED = Length(50.0, LengthUnit.FOOT)
LARGEST_FT_PER_INCH = 100.0
SLIVER_SHARE = 0.2
GRID_TOLERANCE_FT = 0.5


def map_frame(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    scale: float | str | None,
    rotation_deg: int = 0,
) -> GroundFrame:
    """The main frame of a sheet; scale in feet per inch, or "auto"; rotation 0, or 90: north left.

    PlateError when the site has no boundary or CRS, or does not fit, saying which sheet would do.
    """
    most = max_scale(ordinance)
    adjacent = adjacent_distance(ordinance)
    core = turned_bounds(core_of(site, adjacent), rotation_deg)
    if scale is None or isinstance(scale, str):
        chosen = fit_scale(*_size(core), layout.name, max_scale=most)
        if chosen is None:
            raise PlateError(_does_not_fit(core, layout.name, most))
    else:
        chosen = wanted_scale(float(scale), most)
        if not fits(*_size(core), layout.name, chosen):
            raise PlateError(_does_not_fit(core, layout.name, chosen, least=chosen))
    more = extent_ft(site, (*CORE_ROLES, *IF_THEY_FIT))
    wider = (
        core
        if more is None
        else turned_bounds(grown(more, margin_ft(site, adjacent)), rotation_deg)
    )
    shown = wider if fits(*_size(wider), layout.name, chosen) else core
    return _framed(site, layout, shown, chosen, rotation_deg)


def core_of(site: Site, adjacent: Length) -> Bounds:
    """The ground that the map must show; PlateError when there is none, or no CRS."""
    if site.crs is None:
        raise PlateError(
            "the site has no coordinate reference system, so nothing can be drawn to scale; "
            "give its layers a CRS (.prj, site.toml, or --crs)"
        )
    core = core_ground(site, adjacent)
    if core is None:
        raise PlateError(
            "the site has no boundary, disturbed area or control to draw a map around; "
            "supply at least the boundary of the construction site"
        )
    return core


def turned_bounds(bounds: Bounds, rotation_deg: int) -> Bounds:
    """Bounds along the axes of the paper; ground as it is where north is up."""
    corners = turned(np.array(bounds).reshape(2, 2), rotation_deg)
    (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(bottom), float(right), float(top)


def max_scale(ordinance: Ordinance) -> MapScale:
    """The most feet per inch that the pack allows."""
    limit = ordinance.limits.get("max_scale")
    typed = limit.typed if limit is not None else None
    return typed if isinstance(typed, MapScale) else MapScale(LARGEST_FT_PER_INCH)


def adjacent_distance(ordinance: Ordinance) -> Length:
    """What the pack calls immediately adjacent: the margin where site.toml wishes none."""
    limit = ordinance.limits.get("adjacent_distance")
    typed = limit.typed if limit is not None else None
    return typed if isinstance(typed, Length) else MARGIN_IF_UNSTATED


def _size(bounds: Bounds) -> tuple[float, float]:
    return bounds[2] - bounds[0], bounds[3] - bounds[1]


def wanted_scale(feet_per_inch: float, most: MapScale) -> MapScale:
    """The scale that was asked for; PlateError when the ordinance does not allow it."""
    chosen = MapScale(feet_per_inch)
    if chosen > most:
        raise PlateError(
            f"{chosen} was asked for; the ordinance allows at most "
            f"{most.feet_per_inch:g} ft per inch. Ask for one of "
            f"{', '.join(str(s) for s in ENGINEERS_SCALES)}, or for auto"
        )
    return chosen


def _does_not_fit(core: Bounds, sheet: str, most: MapScale, least: MapScale | None = None) -> str:
    width, height = _size(core)
    if least is None:
        larger = sheets_that_fit(width, height, most)
        words = f"no engineer's scale up to {most} holds it"
    else:
        larger = tuple(
            s for s in sheets_that_fit(width, height, most) if fits(width, height, s, least)
        )
        words = f"{least} does not hold it"
    remedy = (
        f"it fits {', '.join(larger)}"
        if larger
        else "no sheet holds it; it has to be drawn on several sheets"
    )
    return (
        f"the site with its margin is {width:,.0f} by {height:,.0f} ft and does not fit {sheet}: "
        f"{words}; {remedy}"
    )


def _framed(
    site: Site, layout: SheetLayout, shown: Bounds, scale: MapScale, rotation_deg: int
) -> GroundFrame:
    """The frame with the shown ground in its middle, moved so that edges are lines of the grid.

    shown lies along the axes of the paper.
    """
    left, bottom, right, top = layout.frame
    width, height = scale.ground_ft(right - left), scale.ground_ft(top - bottom)
    submitted = submitted_grid(site)
    cell = round_cell_ft(max(width, height), scale) if submitted is None else submitted.cell_ft
    corner = (0.0, 0.0) if submitted is None else (submitted.x0_ft, submitted.y0_ft)
    x_line, y_line = turned(np.array([corner]), rotation_deg)[0].tolist()
    slack_x, slack_y = width - _size(shown)[0], height - _size(shown)[1]
    x = _aligned((shown[0] + shown[2] - width) / 2.0, width, slack_x, cell, x_line)
    # rows count from the top, so the top edge is the one to lie on a line: the axis is mirrored
    up = -(shown[1] + shown[3] + height) / 2.0
    y = -_aligned(up, height, slack_y, cell, -y_line) - height
    if submitted is not None:  # the map is moved under the grid that was handed in
        west, south, east, north = turned_bounds(submitted.bounds_ft, rotation_deg)
        x = _within(x, width, west, east, shown[0], shown[2])
        y = _within(y, height, south, north, shown[1], shown[3])
    return ground_frame(site, layout, (x, y), scale, rotation_deg)


def ground_frame(
    site: Site,
    layout: SheetLayout,
    corner_ft: tuple[float, float],
    scale: MapScale,
    rotation_deg: int,
) -> GroundFrame:
    """The main frame of a sheet whose lower left corner, along the axes of the paper, is given."""
    x, y = unturned(np.array([corner_ft]), rotation_deg)[0].tolist()
    assert site.crs is not None
    return GroundFrame(
        "Map Layers", layout.frame, (x, y), scale.feet_per_inch, site.crs, float(rotation_deg)
    )


def _within(
    start: float, extent: float, low: float, high: float, least: float, most: float
) -> float:
    """The start moved so that the extent lies between low and high, where the ground allows it."""
    moved = min(max(start, low), high - extent)
    return moved if low <= moved <= least and moved + extent >= most else start


def _aligned(wanted: float, extent: float, slack: float, cell: float, line: float) -> float:
    """An edge on the nearest line of the grid, if the ground shown stays in the frame.

    line is where one of the grid's lines lies. Where a sliver of a cell would be left at the
    other edge, both edges cut their cells alike.
    """
    rest = extent % cell  # what the last cell would show, were the first one whole
    start = 0.0 if rest > SLIVER_SHARE * cell else (rest - cell) / 2.0
    on_line = round((wanted - start - line) / cell) * cell + start + line
    if abs(on_line - wanted) <= slack / 2.0:
        return float(on_line)
    return float(round(wanted)) if slack >= 1.0 else wanted


def site_grid(*frames: GroundFrame, submitted: RegularGrid | None = None) -> RegularGrid:
    """The alphanumeric grid over all frames: the submitted one if it covers them.

    Else one of our own, its lines on round coordinates.
    """
    corners = np.concatenate([frame.corners_ft for frame in frames])
    low, high = corners.min(axis=0), corners.max(axis=0)
    bounds = (float(low[0]), float(low[1]), float(high[0]) - 1e-6, float(high[1]) - 1e-6)
    if submitted is not None and _covers(submitted.bounds_ft, bounds):
        return submitted
    return grid_over(bounds, scale=MapScale(frames[0].feet_per_inch))


def _covers(outer: Bounds, inner: Bounds) -> bool:
    return (
        outer[0] <= inner[0] + GRID_TOLERANCE_FT
        and outer[1] <= inner[1] + GRID_TOLERANCE_FT
        and outer[2] >= inner[2] - GRID_TOLERANCE_FT
        and outer[3] >= inner[3] - GRID_TOLERANCE_FT
    )


def submitted_grid(site: Site) -> RegularGrid | None:
    """The submission's own grid, if its cells are equal squares lettered as ours are; else None."""
    layer = site.role("grid")
    if layer is None or layer.usable.empty or "label" not in layer.usable.columns:
        return None
    cells = layer.usable
    if (shapely.get_dimensions(cells.geometry.to_numpy()) != 2).any():
        return None
    boxes = shapely.bounds(cells.geometry.to_numpy())
    sizes = boxes[:, 2:] - boxes[:, :2]
    cell = round(float(np.median(sizes)), 2)
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    if np.abs(sizes - cell).max() > GRID_TOLERANCE_FT or cell <= 0.0:
        return None
    columns, rows = (round(float(v)) for v in (high - low) / cell)
    if columns * rows != len(cells):
        return None
    grid = RegularGrid(float(low[0]), float(low[1]), cell, columns, rows)
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2.0
    here = grid.cells_of(middle[:, 0], middle[:, 1])
    same = all(str(a) == b for a, b in zip(cells["label"], here, strict=True))
    return grid if same else None
