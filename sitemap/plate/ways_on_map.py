"""Traced ways on the map: dashed, with their distance along flow, entries, corridors to confirm."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.catalogue import Symbol
from sitemap.plate.clip import clip_areas, clip_lines, clip_points, paths_of, rings_of
from sitemap.plate.drawing import Label, LineWork, MapDrawing
from sitemap.plate.lines import Chains, heads
from sitemap.plate.marks import Areas, Lines, Path
from sitemap.plate.point_symbols import marker_marks
from sitemap.plate.styles import Style
from sitemap.plate.traced_ways import TracedWays, WayMark

WAY_ORDER = 136  # over the controls, under outfalls and discharges
ENTRY_PRIORITY, LATER_PRIORITY, DISTANCE_PRIORITY = 22, 48, 66
TICK_IN, END_IN, HEAD_IN = 0.10, 0.16, 0.11
SAME_MARK_IN = 0.18
INK = "#1f4e9e"

WAY = Style(
    "traced_ways",
    "",
    "Traced flow downstream",
    "Traced flow, in feet",
    Symbol(ink=INK, weight_pt=1.8, dash_pt=(4.0, 3.0), ticks="both", ticks_every_in=0.36),
    "",
    WAY_ORDER,
)
ENTRY = Style(
    "traced_ways",
    "entry",
    "Entries of traced flow",
    "Traced flow enters a water",
    Symbol(ink=INK, weight_pt=0.9, marker="diamond", marker_size_in=0.12),
    "",
    WAY_ORDER,
)
BAND = Style(
    "traced_ways",
    "corridor",
    "Corridor of traced flow",
    "Corridor of traced flow, to be confirmed",
    Symbol(ink=INK, weight_pt=0.5, dash_pt=(1.0, 2.0), fill="#cfe0f5", fill_alpha=0.7),
    "",
    WAY_ORDER,
)


def draw_bands(drawing: MapDrawing, ways: TracedWays) -> None:
    """Put the corridors to confirm on the map, under everything else."""
    for band, words in ways.bands:
        _draw_band(drawing, band, words)


def draw_ways(drawing: MapDrawing, ways: TracedWays) -> None:
    """Put ways, entries and distances inside the frame on the map."""
    lines, _ = clip_lines(np.array(ways.lines, dtype=object), drawing.frame)
    if not len(lines):
        return
    drawing.note(WAY, 1)
    work = LineWork(
        WAY.title,
        Chains(paths_of(lines)),
        WAY.symbol.weight_pt,
        INK,
        WAY.symbol.dash_pt,
        extra_weight_pt=0.9,
    )
    drawing.add_lines(work)
    for mark in ways.marks:
        _draw_mark(drawing, work, mark, ways)


def _draw_band(drawing: MapDrawing, band: shapely.Geometry, words: str) -> None:
    shape = np.array([band], dtype=object)
    areas, _ = clip_areas(shape, drawing.frame)
    if not len(areas):
        return
    symbol = BAND.symbol
    drawing.note(BAND, 2)
    rings = tuple(rings_of(area) for area in areas)
    drawing.items.append(Areas(BAND.title, rings, symbol.fill or INK, symbol.fill_alpha))
    outlines, _ = clip_lines(shape, drawing.frame)
    drawing.items.append(
        Lines(BAND.title, paths_of(outlines), symbol.weight_pt, INK, dash_pt=symbol.dash_pt)
    )
    largest = areas[int(np.argmax(shapely.area(areas)))]
    drawing.labels.append(
        Label(BAND.role, BAND.title, (words,), ENTRY_PRIORITY, "area", largest, ink=INK)
    )


def _draw_mark(drawing: MapDrawing, work: LineWork, mark: WayMark, ways: TracedWays) -> None:
    places, _ = clip_points(np.array([mark.point], dtype=object), drawing.frame)
    if not len(places):
        return
    if mark.kind == "entry":
        if not _is_shown(drawing, mark, ways):
            drawing.note(ENTRY, 0)
            drawing.items.append(list(marker_marks(ENTRY, places)))
        reach, priority = 0.08, ENTRY_PRIORITY if mark.first else LATER_PRIORITY
    else:
        strokes = _strokes(drawing, mark, places)
        work.extras.extend(strokes)
        reach, priority = TICK_IN / 2.0 + 0.01, DISTANCE_PRIORITY
        if mark.kind == "end":
            reach, priority = END_IN / 2.0 + 0.01, LATER_PRIORITY
    drawing.labels.append(
        Label(
            WAY.role,
            WAY.title,
            (mark.words,),
            priority,
            "point",
            shapely.Point(places[0]),
            ink=INK,
            bold=mark.first,
            reach_in=reach,
        )
    )


def _is_shown(drawing: MapDrawing, mark: WayMark, ways: TracedWays) -> bool:
    """Whether the triangle of a discharge stands where the mark would."""
    near = SAME_MARK_IN * drawing.frame.feet_per_inch
    return any(mark.point.distance(d.point) < near for r in ways.reached for d in r.discharges)


def _strokes(drawing: MapDrawing, mark: WayMark, places: Path) -> list[Path]:
    """A tick across the way; at its end a longer one, and a head before it."""
    here = np.array([[mark.point.x, mark.point.y]])
    ahead = drawing.frame.to_paper(here + np.array([mark.ahead])) - drawing.frame.to_paper(here)
    along = ahead / np.hypot(*ahead[0])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    half = (END_IN if mark.kind == "end" else TICK_IN) / 2.0
    strokes = [np.vstack([places - across * half, places + across * half])]
    if mark.kind == "end":
        strokes += heads(places, along, HEAD_IN)
    return strokes
