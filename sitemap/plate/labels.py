"""Elevations of contours, each in a gap of its own line: placed greedily over two bitmaps.

Index contours come first and every index level gets one, if need be over another line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.plate.drawing import MAP_CAP_IN, ContourWork, Label, MapDrawing
from sitemap.plate.fonts import text_width_in
from sitemap.plate.letters import box_on, set_on_line
from sitemap.plate.lines import Chain
from sitemap.plate.occupancy import HATCH_INK

STEP_IN = 0.2  # between the places that are tried
EVERY_IN = 8.0  # of line for each label
INDEX_EVERY_IN = 6.0
CLEAR_IN = 0.04
LEAST_WIDTHS = 1.4  # of a label: a shorter line carries none
HELD_TOGETHER = 20_000  # contours against labels
INDEX_PRIORITY = 30  # plate.md section 5


@dataclass(frozen=True)
class _Ease:
    """How strict a place is judged: bend in cap heights, cells of ink of other lines."""

    bend_caps: float
    ink_cells: float


STRICT, RELAXED, LAST = _Ease(0.22, 0.0), _Ease(0.35, 12.0), _Ease(0.6, 1e9)


def label_contours(drawing: MapDrawing, index: bool) -> list[Label]:
    """Label the index contours, or the others, of all roles.

    Index levels whose lines are too short or too crowded for a gap come back as labels that stand
    beside their line.
    """
    beside: list[Label] = []
    for contours in drawing.contours:
        if contours.index is not index:
            continue
        every = INDEX_EVERY_IN if index else EVERY_IN
        done = _label_all(drawing, contours, every, STRICT, None)
        if not index:
            continue
        for ease in (RELAXED, LAST):  # no index level is left without its elevation
            missing = set(np.unique(contours.elevation_ft)) - done
            if missing:
                done |= _label_all(drawing, contours, every, ease, missing)
        missing = set(np.unique(contours.elevation_ft)) - done
        beside += [_beside(contours, level) for level in sorted(missing) if np.isfinite(level)]
    return beside


def _beside(contours: ContourWork, level: float) -> Label:
    """The elevation at the longest line of a level."""
    mine = np.flatnonzero(contours.elevation_ft == level)
    longest = contours.work.chains[int(mine[np.argmax(contours.work.chains.lengths[mine])])]
    style = contours.style
    return Label(
        style.role,
        style.title,
        (f"{level:g}",),
        INDEX_PRIORITY,
        "point",
        shapely.LineString(longest.path),
        style.symbol.ink,
        reach_in=0.03,
    )


def _label_all(
    drawing: MapDrawing,
    contours: ContourWork,
    every: float,
    ease: _Ease,
    only: set[float] | None,
) -> set[float]:
    """Label the chains, longest first; with `only`, one label for each of those levels."""
    done: set[float] = set()
    lengths = contours.work.chains.lengths
    order = np.argsort(-lengths, kind="stable")
    shortest = LEAST_WIDTHS * text_width_in("0", MAP_CAP_IN)
    for number in order[: np.searchsorted(-lengths[order], -shortest, side="right")]:
        level = float(contours.elevation_ft[number])
        if not np.isfinite(level) or (only is not None and (level not in only or level in done)):
            continue
        if _label_chain(drawing, contours, int(number), every, ease):
            done.add(level)
    return done


def _label_chain(
    drawing: MapDrawing, contours: ContourWork, number: int, every: float, ease: _Ease
) -> bool:
    chain = contours.work.chains[number]
    text = f"{contours.elevation_ft[number]:g}"
    width = text_width_in(text, MAP_CAP_IN)
    if chain.length < (LEAST_WIDTHS if ease is LAST else 3.0) * width:
        return False
    margin = width / 2.0 + CLEAR_IN
    stations = np.arange(margin, chain.length - margin, STEP_IN)
    if not len(stations):
        return False
    bend = chain.bend(stations, width + CLEAR_IN)
    flat = np.flatnonzero(bend <= ease.bend_caps * MAP_CAP_IN)
    stations, bend = stations[flat], bend[flat]
    own = 0.5 + 2.0 * contours.work.weight_pt
    other = ink_beside(drawing, chain, stations, width, own)
    slope = np.abs(chain.direction(stations, width / 2.0)[:, 1]) if len(stations) else bend
    cost = other + bend * 40.0 + slope * 0.5
    good = other <= ease.ink_cells
    windows, last, placed = max(1, round(chain.length / every)), -1e9, False
    for window in range(windows):
        low, high = chain.length * window / windows, chain.length * (window + 1) / windows
        mine = np.flatnonzero(
            good & (stations >= low) & (stations < high) & (stations - last > every * 0.35)
        )
        for c in mine[np.argsort(cost[mine], kind="stable")][:25]:
            station = float(stations[c])
            box = box_on(chain, station, width, MAP_CAP_IN)
            if not drawing.occupancy.free(box.grown(0.01)):
                continue
            symbol = contours.style.symbol
            set_on_line(drawing, contours.work, number, station, box, text, symbol.ink, bold=False)
            last, placed = station, True
            break
    return placed


def clear_elevations(drawing: MapDrawing) -> None:
    """Cut every contour that runs under an elevation of its own layer: no line goes through one.

    Own lines have their gap already; these are the neighbours where the ground is too rough for a
    place clear of them. Contours of the other layer stay: one of the two may be switched off.
    """
    for contours in drawing.contours:
        named = zip(drawing.boxes, drawing.box_layers, strict=True)
        mine = [box for box, layer in named if layer == contours.work.layer]
        shapes = np.array([box.grown(CLEAR_IN / 4.0).polygon for box in mine], dtype=object)
        tree = shapely.STRtree(shapes)
        start = 0
        for some in contours.work.chains.paths.runs(HELD_TOGETHER):
            owner = np.repeat(np.arange(len(some)), some.counts)
            lines = np.asarray(shapely.linestrings(some.xy, indices=owner))
            for line, box in np.transpose(tree.query(lines, predicate="intersects")).tolist():
                inside = shapely.get_parts(shapely.intersection(lines[line], shapes[box]))
                for part in inside[shapely.length(inside) > 0.0]:  # what touches has nothing inside
                    _cut_part(contours, start + line, lines[line], part)
            start += len(some)


def _cut_part(
    contours: ContourWork, number: int, line: shapely.LineString, part: shapely.LineString
) -> None:
    """Cut a line where a part of it lies, known by its middle: the ends of a ring are one place."""
    half, whole = part.length / 2.0, line.length
    middle = float(line.project(part.interpolate(0.5, normalized=True)))
    contours.work.cut(number, (max(0.0, middle - half), min(whole, middle + half)))
    path = contours.work.chains.paths[number]
    if len(path) == 3 and (path[0] == path[2]).all():  # a speck: out and back
        back = whole - middle
        contours.work.cut(number, (max(0.0, back - half), min(whole, back + half)))
    if middle + half > whole and contours.work.chains[number].closed:
        contours.work.cut(number, (0.0, middle + half - whole))
    if middle - half < 0.0 and contours.work.chains[number].closed:
        contours.work.cut(number, (whole + middle - half, whole))


def ink_beside(
    drawing: MapDrawing, chain: Chain, stations: np.ndarray, width: float, own: float = 99.0
) -> np.ndarray:
    """Cells of ink of other lines where the letters would stand.

    own is the ink of the line itself: on it only heavier ink is known to be another's.
    """
    if not len(stations):
        return np.empty(0)
    a, b = chain.point(stations - width / 2.0), chain.point(stations + width / 2.0)
    middle, along = (a + b) / 2.0, (b - a) / width
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    u = np.linspace(-width / 2.0, width / 2.0, max(5, int(width * 72 / 1.5)))
    rows = np.array([-0.75, -0.5, 0.0, 0.5, 0.75]) * MAP_CAP_IN
    at = (
        middle[:, None, None, :]
        + u[None, :, None, None] * along[:, None, None, :]
        + rows[None, None, :, None] * normal[:, None, None, :]
    )
    ink = drawing.occupancy.ink[drawing.occupancy.cells(at)]
    least = np.array([HATCH_INK, HATCH_INK, own + 0.05, HATCH_INK, HATCH_INK])
    return np.asarray(np.where(ink > least, ink, 0.0).sum(axis=(1, 2)))
