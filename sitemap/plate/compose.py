"""Site and ordinance to the map of one sheet: all roles, labelled, with grid and neatline."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.freed_memory import return_freed
from sitemap.measures.grid import RegularGrid
from sitemap.measures.phases import site_phases
from sitemap.measures.sheets import SheetLayout
from sitemap.ordinance import Ordinance
from sitemap.plate.boxes import Box
from sitemap.plate.clip import clip_areas, clip_lines
from sitemap.plate.contour_lines import contour_interval
from sitemap.plate.downhill import fall_of
from sitemap.plate.drawing import MapDrawing
from sitemap.plate.labels import INDEX_PRIORITY, clear_elevations, label_contours
from sitemap.plate.letters import set_letters
from sitemap.plate.map_frame import map_frame
from sitemap.plate.map_grid import (
    coordinate_ticks,
    grid_letters,
    grid_lines,
    neatline,
)
from sitemap.plate.marks import GroundFrame, Mark, control_crosses
from sitemap.plate.occupancy import Occupancy
from sitemap.plate.point_labels import place_labels
from sitemap.plate.point_symbols import set_markers
from sitemap.plate.site_grid import site_grid, submitted_grid
from sitemap.plate.symbols import draw_role
from sitemap.plate.traced_ways import TracedWays, traced_ways
from sitemap.plate.ways_on_map import WAY_ORDER, draw_bands, draw_ways
from sitemap.site import Site

GRID_LAYER = "Alphanumeric grid"
TICK_LAYER = "State Plane ticks"
CONTOUR_PRIORITY = 80  # plate.md section 5
OTHER_GRID = (
    "the submitted grid is not regular, lies askew to the sheet, or does not cover the map: "
    "another is drawn"
)
NOT_DRAWN = ("grid", "elevation")  # the grid is ruled anew; a raster has no symbol
GRID_MARKS = 1  # of the grid, before all others


@dataclass(frozen=True, eq=False)
class ComposedMap:
    """The main map with what the margin has to know of it."""

    drawing: MapDrawing
    grid: RegularGrid
    layout: SheetLayout
    ways: TracedWays | None = None


def map_marks(
    composed: ComposedMap,
    control_ft: tuple[tuple[float, float], ...],
    over: Sequence[Mark] = (),
) -> list[Mark]:
    """The map with its grid, control crosses and neatline; `over` lies on the map."""
    drawing, frame = composed.drawing, composed.drawing.frame
    marks: list[Mark] = [grid_lines(frame, composed.grid, GRID_LAYER)]
    marks += drawing.marks()
    marks += [*over, control_crosses(frame, control_ft), neatline(frame)]
    marks += grid_letters(frame, composed.grid, GRID_LAYER, composed.layout.lettering_in)
    return marks


def compose_map(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    scale: float | str | None,
    rotation_deg: float = 0.0,
) -> ComposedMap:
    """Everything inside the neatline of a single sheet."""
    frame = map_frame(site, ordinance, layout, scale, rotation_deg)
    submitted = submitted_grid(site)
    grid = site_grid(frame, submitted=submitted)
    ways = traced_ways(site, ordinance)
    drawing = draw_map(site, frame, ways=ways)
    if site.role("grid") is not None and grid is not submitted:
        drawing.unplaced.append(OTHER_GRID)
    return ComposedMap(drawing, grid, layout, ways)


def draw_map(
    site: Site,
    frame: GroundFrame,
    taken: Sequence[Box] = (),
    roles: Collection[str] | None = None,
    ways: TracedWays | None = None,
) -> MapDrawing:
    """All roles on one frame, labelled, or only those that are named, without coordinates.

    ways are what was traced downstream from the site.
    Lettering keeps off the boxes that are `taken`.
    """
    drawing = MapDrawing(
        frame,
        Occupancy(frame.box_in),
        fall_of(site, lambda shapes: clip_lines(shapes, frame)),
        interval_in_force(site),
        _cleared(site, frame),
    )
    phases = site_phases(site) if site.project.plate.phases == "layers" else None
    for box in taken:
        drawing.occupancy.take(box)
    if roles is None:
        _lay_under(drawing, site)
        coordinate_ticks(drawing, TICK_LAYER)
        _leave_open(drawing, site)
    if ways is not None:
        draw_bands(drawing, ways)
    for spec in sorted(site.catalogue.specs, key=lambda one: one.draw_order):
        if ways is not None and spec.draw_order > WAY_ORDER:
            draw_ways(drawing, ways)
            ways = None
        layer = site.role(spec.role)
        wanted = spec.role not in NOT_DRAWN if roles is None else spec.role in roles
        if layer is not None and wanted:
            draw_role(drawing, spec, layer, phases)
    set_markers(drawing)
    set_letters(drawing)
    return_freed()  # what cutting and simplifying has left behind
    _place_all_labels(drawing)
    return_freed()
    return drawing


def _lay_under(drawing: MapDrawing, site: Site) -> None:
    """Pictures under the map; what draws them is loaded only where they are wished for."""
    if site.project.plate.underlay == "none":
        return
    from sitemap.plate.underlay import underlay_marks

    pictures, missing = underlay_marks(site, drawing.frame)
    drawing.items.extend(pictures)
    drawing.unplaced.extend(missing)


def _leave_open(drawing: MapDrawing, site: Site) -> None:
    """Ground without elevation data, where some was submitted; rasters are loaded only then."""
    if site.role("elevation") is None and all(r.role != "elevation" for r in site.rasters):
        return
    from sitemap.plate.voids import draw_voids

    draw_voids(drawing, site)


def _place_all_labels(drawing: MapDrawing) -> None:
    """Labels and elevations by turns, in the order of plate.md section 5."""
    first = [one for one in drawing.labels if one.priority < INDEX_PRIORITY]
    second = [one for one in drawing.labels if INDEX_PRIORITY <= one.priority < CONTOUR_PRIORITY]
    third = [one for one in drawing.labels if one.priority >= CONTOUR_PRIORITY]
    place_labels(drawing, first)
    place_labels(drawing, label_contours(drawing, index=True))
    place_labels(drawing, second)
    label_contours(drawing, index=False)
    clear_elevations(drawing)
    place_labels(drawing, third)


def interval_in_force(site: Site) -> float | None:
    """The contour interval in feet: as site.toml states it, else as the contours show it."""
    stated = site.project.map.contour_interval_ft
    if stated is not None:
        return stated
    for role in ("contours_existing", "contours_proposed"):
        layer = site.role(role)
        if layer is not None and not layer.usable.empty:
            return contour_interval(layer.usable["elevation"].to_numpy(dtype=float))
    return None


def _cleared(site: Site, frame: GroundFrame) -> BaseGeometry | None:
    """The disturbed ground on paper, in one piece."""
    layer = site.role("disturbance")
    if layer is None or layer.usable.empty:
        return None
    areas, _ = clip_areas(layer.shapes, frame)
    return shapely.union_all(areas) if len(areas) else None
