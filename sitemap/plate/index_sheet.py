"""The index of a set: where each sheet lies, what is on it, and where the site is.

Drawn at a smaller scale than the law allows a site map, and it says so.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sitemap.measured_plate import INDEX_FRAME
from sitemap.measures.map_extent import Bounds
from sitemap.measures.sheets import SheetLayout
from sitemap.measures.turn import unturned
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import (
    fitting_text,
    frame_lines,
)
from sitemap.plate.bottom_strip import north_and_scale
from sitemap.plate.boxes import Box
from sitemap.plate.compose import draw_map
from sitemap.plate.drawing import turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.furniture import BORDER_PT, banner_box, program_line
from sitemap.plate.map_grid import neatline
from sitemap.plate.marks import GroundFrame, Lines, Link, Mark, SheetMarks
from sitemap.plate.notes_sheet import spelled
from sitemap.plate.plan import SetPlan
from sitemap.plate.sheet_table import SheetRow, row_links, sheet_table
from sitemap.plate.signing_box import SIGNING_IN, has_seal, signing_marks
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.plate.vicinity import centred_frame, fitting_scale, vicinity_map
from sitemap.site import Site
from sitemap.units import MapScale

INDEX_TITLE = "Sheet index"
NOT_THE_MAP = "This index is not the site map"
SHEETS_LAYER = "Sheets"
INDEX_ROLES = ("boundary", "disturbance", "roads", "streams", "waterbodies", "wetlands")
NUMBER_CAP_IN = 0.2
BANNER_ROOM_IN = 0.5
BANNER = "INDEX OF SHEETS – NOT THE SITE MAP"
AIR = 1.06  # of the ground around the sheets


def index_sheet(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    plan: SetPlan,
    numbers: Sequence[str],
    rows: Sequence[SheetRow],
    facts: TitleFacts,
    now: dt.date,
) -> SheetMarks:
    """The index with the outline of every map sheet; numbers are those of the maps."""
    frame = _index_frame(site, layout, plan)
    many = len(plan.tiling.tiles)
    named = [", ".join(numbers[tile::many]) for tile in range(many)]  # of each phase
    facts = replace(
        facts, title=INDEX_TITLE, scale_said=f"{MapScale(frame.feet_per_inch)}, index only"
    )
    words = _words(ordinance, plan, numbers, frame)
    outlines, links = _outlines(plan, frame, named, numbers)
    banner = banner_box(frame, BANNER)
    drawing = draw_map(site, frame, [*_taken(plan, frame, named), banner.grown(0.1)], INDEX_ROLES)
    marks: list[Mark] = [*drawing.marks(), *outlines, neatline(frame)]
    marks.append(turned_text("", banner, BANNER, cap_in=banner.height_in, bold=True, halo_pt=2.5))
    marks.append(frame_lines(*layout.border, BORDER_PT))
    title = title_marks(site, ordinance, facts, layout.title_block)
    marks += title
    strip, x = north_and_scale(frame, layout)
    marks += strip
    _, bottom, right, top = layout.bottom_strip
    told = fitting_text("index words", NOT_THE_MAP, "", words, right - x, top - bottom)
    marks += told.at(x, top)
    left, bottom, right, top = layout.right_column
    table = sheet_table(rows, right - left, top - bottom)
    marks += table.at(left, top)
    links += row_links(rows, left, top, right, table)
    frames = [frame]
    free_top = top - table.height_in - layout.gap_in
    if not has_seal(title) and free_top - bottom > SIGNING_IN:
        marks += signing_marks(site, facts, (left, bottom, right, bottom + SIGNING_IN))
        bottom += SIGNING_IN + layout.gap_in
    room = (left, bottom, right, free_top)
    vicinity = vicinity_map(site, plan.tiling.bounds_ft, plan.frames[0], room)
    if vicinity is not None:
        more, inset = vicinity
        marks += more
        frames.append(inset)
    marks.append(program_line(site, layout, now))
    return SheetMarks(
        number=facts.number,
        title=INDEX_TITLE,
        width_in=layout.width_in,
        height_in=layout.height_in,
        frames=tuple(frames),
        layers=tuple(dict.fromkeys(mark.layer for mark in marks if mark.layer)),
        marks=tuple(marks),
        kind="index",
        links=tuple(links),
    )


def _index_frame(site: Site, layout: SheetLayout, plan: SetPlan) -> GroundFrame:
    left, bottom, right, top = plan.tiling.bounds_ft
    size = (right - left) * AIR, (top - bottom) * AIR
    west, south, east, north = layout.frame
    under_banner = (west, south, east, north - BANNER_ROOM_IN)
    scale = fitting_scale(size, under_banner, plan.scale.feet_per_inch)
    lift = BANNER_ROOM_IN / 2.0 * scale
    middle = np.array([(left + right) / 2.0, (bottom + top) / 2.0 + lift])
    return centred_frame(site, INDEX_FRAME, layout.frame, middle, scale, plan.rotation_deg)


def _boxes(plan: SetPlan, frame: GroundFrame) -> list[tuple[float, float, float, float]]:
    """The own ground of each sheet on the index, in inches."""
    boxes = []
    for tile in plan.tiling.tiles:
        corners = unturned(np.array(tile.own_ft).reshape(2, 2), plan.rotation_deg)
        (x0, y0), (x1, y1) = frame.to_paper(corners).tolist()
        boxes.append((x0, y0, x1, y1))
    return boxes


def _number_box(box: Bounds, number: str) -> Box:
    """In the upper left corner of the sheet's outline, smaller where it is narrow."""
    left, bottom, right, top = box
    cap = min(NUMBER_CAP_IN, (top - bottom) * 0.4)
    while cap > 0.08 and text_width_in(number, cap, bold=True) > right - left - 0.12:
        cap -= 0.01
    width = text_width_in(number, cap, bold=True)
    return Box(left + 0.08 + width / 2.0, top - 0.08 - cap / 2.0, width, cap)


def _taken(plan: SetPlan, frame: GroundFrame, numbers: Sequence[str]) -> list[Box]:
    return [
        _number_box(box, number).grown(0.03)
        for box, number in zip(_boxes(plan, frame), numbers, strict=True)
    ]


def _outlines(
    plan: SetPlan, frame: GroundFrame, named: Sequence[str], numbers: Sequence[str]
) -> tuple[list[Mark], list[Link]]:
    """Where each sheet lies, and the way to it; to that of the first phase where it has several."""
    boxes = _boxes(plan, frame)
    rings = [
        np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]) for x0, y0, x1, y1 in boxes
    ]
    marks: list[Mark] = [Lines(SHEETS_LAYER, tuple(rings), 1.4, join="miter")]
    links = []
    for box, words, number in zip(boxes, named, numbers, strict=False):
        place = _number_box(box, words)
        marks.append(
            turned_text(SHEETS_LAYER, place, words, cap_in=place.height_in, bold=True, halo_pt=2.5)
        )
        links.append(Link(box, number))
    return marks, links


def _words(
    ordinance: Ordinance, plan: SetPlan, numbers: Sequence[str], frame: GroundFrame
) -> tuple[str, ...]:
    clause = ordinance.by_id.get("scale") or ordinance.by_id.get("map")
    law = f"{ordinance.jurisdiction}, {clause.citation}" if clause else ordinance.title
    return (
        f"It is drawn at {frame.feet_per_inch:g} feet per inch, only to find the sheets by. Do not "
        f"measure or review it as the map that {law} asks for.",
        f"The site map is on sheets {spelled(tuple(numbers))}, at {plan.scale}.",
    )
