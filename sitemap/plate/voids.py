"""Ground without elevation data on the map, so that nobody takes it for level ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Hatch, Symbol
from sitemap.plate.area_symbols import area_marks
from sitemap.plate.clip import clip_areas, clip_lines, paths_of
from sitemap.plate.drawing import Label, MapDrawing
from sitemap.plate.marks import GroundFrame, Lines
from sitemap.plate.styles import Style
from sitemap.site import Site
from sitemap.terrain.cell_outlines import cells_as_areas
from sitemap.terrain.contours import clipped
from sitemap.terrain.ground import ground_of
from sitemap.terrain.surface import Surface

LEAST_PCT = 0.05  # of the map, below which nothing is said
VOID = Style(
    "surface_voids",
    "",
    "Voids in the elevation data",
    "No elevation data",
    Symbol(
        ink="#8a8a8a",
        weight_pt=0.5,
        dash_pt=(2.0, 2.0),
        hatch=Hatch(kind="lines", angle_deg=135.0, spacing_in=0.3, weight_pt=0.25),
    ),
    "",
    15,  # under all that is mapped
)


def draw_voids(drawing: MapDrawing, site: Site) -> None:
    """Hatch what submitted elevation leaves open inside the frame, with its percentage.

    Nothing where the ground is known from contours alone, which end where they end.
    """
    surface = ground_of(site).existing
    if surface is None or surface.of_contours:
        return
    void = voids_in(surface, drawing.frame)
    pct = 100.0 * void.area / shapely.Polygon(drawing.frame.corners_ft).area
    if pct < LEAST_PCT:
        return
    shape = np.array([void], dtype=object)
    areas, _ = clip_areas(shape, drawing.frame)
    if not len(areas):
        return
    style = replace(VOID, legend=f"{VOID.legend} ({pct:.2g} % of this map)")
    drawing.note(style, 2)
    symbol = style.symbol
    drawing.items += area_marks(style, areas, symbol.hatch)
    outlines, _ = clip_lines(shape, drawing.frame)
    drawing.items.append(
        Lines(style.title, paths_of(outlines), symbol.weight_pt, symbol.ink, dash_pt=symbol.dash_pt)
    )
    largest = areas[int(np.argmax(shapely.area(areas)))]
    drawing.labels.append(
        Label(style.role, style.title, ("no elevation data",), 70, "area", largest, symbol.ink)
    )


def voids_in(surface: Surface, frame: GroundFrame) -> BaseGeometry:
    """Cells without a height, and ground beyond the surface, inside a frame; in ground feet."""
    shown = shapely.Polygon(frame.corners_ft)
    beyond = shapely.difference(shown, shapely.box(*surface.bounds))
    part = clipped(surface, shown.bounds)
    cells = cells_as_areas(np.isnan(part.z_ft), part.transform)
    inside = shapely.intersection(shapely.union_all(cells), shown)
    found: BaseGeometry = shapely.union_all([beyond, inside])
    return found
