"""The inset of the quarter mile downstream: its own scale, its own georeference, its own words.

It stands where the main map is too small for the ways of the water. It is not the map that the law
asks for, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from sitemap.measured_plate import INSET_FRAME
from sitemap.plate.blocks import Block, heading
from sitemap.plate.boxes import Box
from sitemap.plate.compose import draw_map
from sitemap.plate.drawing import Drawn, MapDrawing
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.map_grid import neatline
from sitemap.plate.marks import Areas, GroundFrame, Lines, Mark, Text
from sitemap.plate.north_scale import scale_block
from sitemap.plate.traced_ways import TracedWays
from sitemap.site import Site

Bounds = tuple[float, float, float, float]  # left, bottom, right, top in inches

INSET_TITLE = "Downstream inset"
INSET_LAYER = "Downstream inset"
NOT_THE_MAP = "not the site map"
OWN_SYMBOLS = "In the inset only"
ROLES = (
    "boundary", "roads", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts",
    "outfalls", "discharges",
)  # fmt: skip
SCALES = (20, 30, 40, 50, 60, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1500, 2000)
AIR = 1.12  # of the ground around what is shown
LEAST_HEIGHT_IN = 2.4  # of the frame
MOST_FT_PER_IN = 600.0  # in the margin; a tick every 330 ft is then half an inch from the next
NORTH_IN, GAP_IN = 0.55, 0.1


@dataclass(frozen=True, eq=False)
class Inset:
    """The finished inset: its marks, its frame, and the labels that found no place in it."""

    marks: tuple[Mark, ...]
    frame: GroundFrame
    unplaced: tuple[str, ...]


def leaves_map(ways: TracedWays | None, frames: Sequence[GroundFrame]) -> bool:
    """Whether any way goes on beyond what the map frames show."""
    if ways is None:
        return False
    shown = shapely.union_all([shapely.Polygon(frame.corners_ft) for frame in frames])
    return not shown.buffer(1.0).covers(shapely.MultiLineString(list(ways.lines)))


def inset_frame(site: Site, ways: TracedWays, main: GroundFrame, box_in: Bounds) -> GroundFrame:
    """Boundary and ways amid a box, turned as the main map, at the roundest scale that fits."""
    boundary = site.boundary
    outline = [] if boundary is None else [shapely.get_coordinates(boundary)]
    ground = np.concatenate([ways.corners_ft, *outline])
    along = main.to_paper(ground)
    low, high = along.min(axis=0), along.max(axis=0)
    need = (high - low) * main.feet_per_inch * AIR
    room = np.array([box_in[2] - box_in[0], box_in[3] - box_in[1]])
    least = float((need / room).max())
    scale = next((float(s) for s in SCALES if s >= least), float(np.ceil(least / 500.0) * 500.0))
    frame = replace(main, name=INSET_FRAME, box_in=box_in, feet_per_inch=scale)
    middle_in = np.array([[(box_in[0] + box_in[2]) / 2.0, (box_in[1] + box_in[3]) / 2.0]])
    shift = main.to_ground(((low + high) / 2.0)[None, :]) - frame.to_ground(middle_in)
    x, y = (np.array(frame.origin_ft) + shift[0]).round().tolist()
    return replace(frame, origin_ft=(x, y))


def inset_in(site: Site, ways: TracedWays, main: MapDrawing, box_in: Bounds) -> Inset | None:
    """The inset at the top of a box, with head, north, scale and the symbols of its own.

    None where the box is too low, or the ways would come out too small in it.
    """
    left, bottom, right, top = box_in
    width = right - left
    head, drop = heading(INSET_TITLE, NOT_THE_MAP, width)
    upper = top - drop - GAP_IN
    foot_in = scale_block(main.frame, width - NORTH_IN).height_in + GAP_IN
    legend = Block("", width, 0.0, ())
    for _ in range(2):  # without the symbols of its own, then with the room that they take
        lower = bottom + foot_in + legend.height_in
        if upper - lower < LEAST_HEIGHT_IN:
            return None
        frame = inset_frame(site, ways, main.frame, (left, lower, right, upper))
        if frame.feet_per_inch > MOST_FT_PER_IN:
            return None
        drawing = draw_inset(site, ways, frame)
        own = symbols_of_its_own(drawing.drawn.values(), main.drawn.values())
        if not own or legend.marks:
            break
        legend = legend_block(own, width, legend_columns(width), OWN_SYMBOLS)
        legend = replace(legend, height_in=legend.height_in + GAP_IN)
    marks = Block("inset", width, drop, tuple(head)).at(left, top)
    marks += [*drawing.marks(), neatline(frame), *north_marks(frame, left, lower - GAP_IN)]
    marks += scale_block(frame, width - NORTH_IN).at(left + NORTH_IN, lower - GAP_IN)
    marks += legend.at(left, lower - foot_in)
    return Inset(tuple(on_layer(marks)), frame, tuple(drawing.unplaced))


def north_marks(frame: GroundFrame, left_in: float, top_in: float) -> list[Mark]:
    """A small arrow to grid north as it lies in the frame, in a square of half an inch."""
    start, ahead = frame.to_paper(np.array([[0.0, 0.0], [0.0, 1.0]]))
    up = ahead - start
    up = up / np.hypot(*up)
    side = np.array([up[1], -up[0]]) * 0.06
    middle = np.array([left_in + NORTH_IN / 2.0 - 0.05, top_in - NORTH_IN / 2.0])
    tip, foot, neck = middle + up * 0.16, middle - up * 0.24, middle - up * 0.02
    letter = middle + up * 0.25
    return [
        Lines("", (np.vstack([foot, tip, neck - side, neck]),), 0.7, join="miter"),
        Areas("", ((np.vstack([tip, neck + side, neck, tip]),),), "#000000"),
        Text("", float(letter[0]), float(letter[1]) - 0.04, "N", 0.10, bold=True, ha="center"),
    ]


def draw_inset(
    site: Site, ways: TracedWays, frame: GroundFrame, taken: Sequence[Box] = ()
) -> MapDrawing:
    """Boundary, roads, waters, conduits and the ways on the frame of an inset."""
    return draw_map(site, frame, taken, ROLES, ways)


def symbols_of_its_own(inset: Iterable[Drawn], main: Iterable[Drawn]) -> list[Drawn]:
    """What the inset draws and the legend of the main map does not explain."""
    known = {(drawn.style.legend, drawn.dimension) for drawn in main}
    found = {(d.style.legend, d.dimension): d for d in inset}
    return [drawn for key, drawn in found.items() if key not in known]


def on_layer(marks: Iterable[Mark]) -> list[Mark]:
    """Furniture of the inset on a layer of its own; what it maps keeps the layers of the map."""
    return [mark if mark.layer else replace(mark, layer=INSET_LAYER) for mark in marks]
