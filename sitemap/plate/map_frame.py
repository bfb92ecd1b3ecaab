"""Which ground a sheet shows, and at which scale: the largest engineer's scale that holds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sitemap.errors import PlateError
from sitemap.measures.grid import round_cell_ft
from sitemap.measures.map_extent import CORE_ROLES, Bounds, grown, hull_ft, margin_ft
from sitemap.measures.sheets import (
    ENGINEERS_SCALES,
    SheetLayout,
    fit_scale,
    fits,
    sheets_that_fit,
)
from sitemap.measures.turn import by_quarters, turned, turned_bounds, unturned
from sitemap.ordinance import Ordinance
from sitemap.plate.marks import GroundFrame
from sitemap.plate.site_grid import submitted_grid
from sitemap.site import Site
from sitemap.units import Length, LengthUnit, MapScale

IF_THEY_FIT = ("discharges", "outfalls")  # drawn larger without them, where they lie far off
MARGIN_IF_UNSTATED = Length(50.0, LengthUnit.FOOT)
LARGEST_FT_PER_INCH = 100.0
SLIVER_SHARE = 0.2


def map_frame(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    scale: float | str | None,
    rotation_deg: float = 0.0,
) -> GroundFrame:
    """The main frame of a sheet; scale in feet per inch, or "auto"; 90 degrees: north left.

    PlateError when the site has no boundary or CRS, or does not fit, saying which sheet would do.
    """
    most = max_scale(ordinance)
    adjacent = adjacent_distance(ordinance)
    core = grown(turned_bounds(core_of(site), rotation_deg), margin_ft(site, adjacent))
    if scale is None or isinstance(scale, str):
        chosen = fit_scale(*_size(core), layout.name, max_scale=most)
        if chosen is None:
            raise PlateError(_does_not_fit(core, layout.name, most))
    else:
        chosen = wanted_scale(float(scale), most)
        if not fits(*_size(core), layout.name, chosen):
            raise PlateError(_does_not_fit(core, layout.name, chosen, least=chosen))
    more = hull_ft(site, (*CORE_ROLES, *IF_THEY_FIT))
    wider = (
        core
        if more is None
        else grown(turned_bounds(more, rotation_deg), margin_ft(site, adjacent))
    )
    shown = wider if fits(*_size(wider), layout.name, chosen) else core
    return _framed(site, layout, shown, chosen, rotation_deg)


def core_of(site: Site) -> np.ndarray:
    """The outline of what the map must show, shape (n, 2) in feet; margins not yet around it.

    PlateError when there is nothing to show, or no CRS.
    """
    if site.crs is None:
        raise PlateError(
            "the site has no coordinate reference system, so nothing can be drawn to scale; "
            "give its layers a CRS (.prj, site.toml, or --crs)"
        )
    core = hull_ft(site, CORE_ROLES)
    if core is None:
        raise PlateError(
            "the site has no boundary, disturbed area or control to draw a map around; "
            "supply at least the boundary of the construction site"
        )
    return core


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
    site: Site, layout: SheetLayout, shown: Bounds, scale: MapScale, rotation_deg: float
) -> GroundFrame:
    """The frame with the shown ground in its middle, moved so that edges are lines of the grid.

    shown lies along the axes of the paper.
    """
    left, bottom, right, top = layout.frame
    width, height = scale.ground_ft(right - left), scale.ground_ft(top - bottom)
    lines = grid_lines_of(site, max(width, height), scale, rotation_deg)
    cell, (x_line, y_line) = lines.cell_ft, lines.through_ft
    slack_x, slack_y = width - _size(shown)[0], height - _size(shown)[1]
    x = _aligned((shown[0] + shown[2] - width) / 2.0, width, slack_x, cell, x_line)
    # rows count from the top, so the top edge is the one to lie on a line: the axis is mirrored
    up = -(shown[1] + shown[3] + height) / 2.0
    y = -_aligned(up, height, slack_y, cell, -y_line) - height
    if lines.bounds_ft is not None:  # the map is moved under the grid that was handed in
        low_x, low_y, high_x, high_y = lines.bounds_ft
        x = _within(x, width, low_x, high_x, shown[0], shown[2])
        y = _within(y, height, low_y, high_y, shown[1], shown[3])
    return ground_frame(site, layout, (x, y), scale, rotation_deg)


@dataclass(frozen=True)
class GridLines:
    """Where lines of the grid lie, along the axes of the paper: their distance, a point on two of
    them, and how far a grid that was handed in reaches.
    """

    cell_ft: float
    through_ft: tuple[float, float]
    bounds_ft: Bounds | None = None


def grid_lines_of(site: Site, extent_ft: float, scale: MapScale, rotation_deg: float) -> GridLines:
    """Those of the submitted grid where it lies along the paper, else those of our own."""
    submitted = submitted_grid(site)
    if submitted is None or not by_quarters(submitted.turn_deg, rotation_deg):
        # lines of our own pass through the origin of their axes, which a quarter turn keeps
        return GridLines(round_cell_ft(extent_ft, scale), (0.0, 0.0))
    ends = unturned(np.array(submitted.bounds_ft).reshape(2, 2), submitted.turn_deg)
    x, y = turned(ends[:1], rotation_deg)[0].tolist()
    return GridLines(submitted.cell_ft, (x, y), turned_bounds(ends, rotation_deg))


def ground_frame(
    site: Site,
    layout: SheetLayout,
    corner_ft: tuple[float, float],
    scale: MapScale,
    rotation_deg: float,
) -> GroundFrame:
    """The main frame of a sheet whose lower left corner, along the axes of the paper, is given."""
    x, y = unturned(np.array([corner_ft]), rotation_deg)[0].tolist()
    assert site.crs is not None
    return GroundFrame(
        "Map Layers", layout.frame, (x, y), scale.feet_per_inch, site.crs, rotation_deg
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
