"""Where water goes after grading: drainage areas by flooding from their outlets, arrows, slopes."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import shapely
import street
from areas import below, coverage, eased, polygons
from grading import BASINS, smooth
from place import CELL_FT, XMIN, YMIN, cell_centres, sample
from scipy.ndimage import gaussian_filter
from shapely import Polygon
from shapely.geometry import LineString
from storm import inlet_points
from terrain import road_x
from water import Water

STEP = 2  # cells of 5 ft are enough for divides
TO_SB1, TO_SB2, TO_KETTLE, TO_CREEK, TO_IB1, OFF_SITE = 1, 2, 3, 4, 5, 9
NAMES = {TO_SB1: "DA-1", TO_SB2: "DA-2", TO_KETTLE: "DA-3", TO_CREEK: "DA-4", TO_IB1: "DA-5"}
OUTFALL = {TO_SB1: "OF-1", TO_SB2: "OF-2", TO_KETTLE: "OF-3", TO_CREEK: None, TO_IB1: "OF-1"}
INLETS_WEST = ("IN-1", "IN-2", "IN-3", "IN-4")


def _seeds(x: np.ndarray, y: np.ndarray, water: Water) -> np.ndarray:
    """Cells where water is gone: basins, inlets, pond, creek and road ditch."""
    label = np.zeros(x.shape, int)
    for code, basin in zip((TO_SB1, TO_SB2, TO_IB1), BASINS, strict=True):
        label[shapely.contains_xy(basin.rim, x, y)] = code
    for name, at in inlet_points().items():
        near = np.hypot(x - at[0], y - at[1]) < 5.0
        label[near] = TO_SB2 if name in INLETS_WEST else TO_SB1
    label[shapely.contains_xy(water.pond, x, y)] = TO_KETTLE
    label[shapely.contains_xy(water.creek.buffer(6.0), x, y)] = TO_CREEK
    ditch = shapely.contains_xy(water.ditches[1].buffer(4.0), x, y)
    label[ditch & (label == 0)] = TO_CREEK
    edge = np.ones(x.shape, bool)
    edge[1:-1, 1:-1] = False
    label[edge & (label == 0)] = OFF_SITE
    return label


def watersheds(proposed: np.ndarray, water: Water) -> np.ndarray:
    """The label of the outlet that each working cell drains to."""
    x, y = (a[::STEP, ::STEP] for a in cell_centres())
    seeds = _seeds(x, y, water)
    flooded, filled = _flood(proposed[::STEP, ::STEP], seeds)
    label = _followed(filled, seeds, flooded)
    return np.kron(label, np.ones((STEP, STEP), int))[: proposed.shape[0], : proposed.shape[1]]


def _flood(z: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Priority flood from the seeds: the outlet's label and the filled height of every cell."""
    label, filled = seeds.copy(), z.copy()
    rows, columns = z.shape
    queue = [(float(z[r, c]), int(r), int(c)) for r, c in zip(*np.nonzero(label), strict=True)]
    heapq.heapify(queue)
    while queue:
        height, r, c = heapq.heappop(queue)
        for nr in range(max(r - 1, 0), min(r + 2, rows)):
            for nc in range(max(c - 1, 0), min(c + 2, columns)):
                if label[nr, nc] == 0:
                    label[nr, nc] = label[r, c]
                    filled[nr, nc] = max(height, float(z[nr, nc]))
                    heapq.heappush(queue, (float(filled[nr, nc]), nr, nc))
    return label, filled


def _followed(filled: np.ndarray, seeds: np.ndarray, flooded: np.ndarray) -> np.ndarray:
    """Every cell's water followed down the fall line to a seed; in flats the flood decides.

    Divides then run along the fall line instead of in the eight directions of the cells.
    """
    down_r, down_c = (-g for g in np.gradient(gaussian_filter(filled, 0.8)))
    row, column = (a.astype(float).ravel() for a in np.indices(filled.shape))
    label = seeds.ravel().copy()
    moving = np.flatnonzero(label == 0)
    for _ in range(700):
        r, c = np.rint(row[moving]).astype(int), np.rint(column[moving]).astype(int)
        fall = np.hypot(down_r[r, c], down_c[r, c])
        arrived, stuck = seeds[r, c] != 0, fall < 0.004
        label[moving[arrived]] = seeds[r, c][arrived]
        still = stuck & ~arrived
        label[moving[still]] = flooded[r, c][still]
        go = ~(arrived | stuck)
        moving, r, c, fall = moving[go], r[go], c[go], fall[go]
        row[moving] = np.clip(row[moving] + 0.7 * down_r[r, c] / fall, 0, filled.shape[0] - 1)
        column[moving] = np.clip(column[moving] + 0.7 * down_c[r, c] / fall, 0, filled.shape[1] - 1)
    left = label == 0
    label[left] = flooded.ravel()[left]
    return label.reshape(filled.shape)


@dataclass(frozen=True)
class DrainageArea:
    """Ground that drains to one outlet, cut at the plat limits."""

    id: str
    shape: Polygon
    outfall: str | None
    slope_pct: float


def drainage_areas(proposed: np.ndarray, water: Water) -> list[DrainageArea]:
    """Drainage areas on the site; parts under a tenth of an acre join the neighbour they touch."""
    limits = street.boundary()
    pieces = [
        (c, p)
        for c, whole in coverage(watersheds(proposed, water), 9.0)
        for p in polygons(whole & limits)
    ]
    by_code: dict[int, shapely.Geometry] = {}
    small = [(c, p) for c, p in pieces if p.area < 4356.0]
    for code, piece in pieces:
        if piece.area >= 4356.0:
            by_code[code] = by_code.get(code, Polygon()) | piece
    for _, piece in small:
        code = max(by_code, key=lambda c: by_code[c].buffer(0.5).intersection(piece).area)
        by_code[code] = (by_code[code] | piece).buffer(0.01).buffer(-0.01)
    slope = _slope_pct(proposed)
    x, y = cell_centres()
    made = []
    taken: shapely.Geometry = Polygon()
    for code in sorted(by_code):
        shape = by_code[code] - taken
        taken = taken | shape
        for number, part in enumerate(polygons(shape)):
            name = NAMES.get(code, "DA-6") + ("" if number == 0 else "abcdef"[number])
            inside = shapely.contains_xy(part, x, y)
            mean = float(np.round(np.median(slope[inside]), 1))
            made.append(DrainageArea(name, part, OUTFALL.get(code), mean))
    return made


def _slope_pct(surface: np.ndarray, sigma_ft: float = 6.0) -> np.ndarray:
    up, across = np.gradient(gaussian_filter(surface, sigma_ft / CELL_FT), CELL_FT)
    slope: np.ndarray = 100.0 * np.hypot(up, across)
    return slope


def steep_slopes(ground: np.ndarray) -> list[tuple[Polygon, float]]:
    """Natural slopes of 20 percent and more on the site, with their mean slope."""
    x, y = cell_centres()
    slope = _slope_pct(ground)
    natural = (np.abs(x - road_x(y)) > 60.0) & (ground > 811.0)
    areas = eased(below(np.where(natural, -slope, 0.0), -20.0), 4.0) & street.boundary()
    made = []
    for part in polygons(areas, 900.0):
        inside = shapely.contains_xy(part, x, y)
        made.append((part, round(float(slope[inside].mean()), 0)))
    return made


def arrow(
    surface: np.ndarray, start: tuple[float, float], length_ft: float
) -> tuple[LineString, float]:
    """A path down the surface from a point, and its mean slope in percent."""
    smooth_surface = gaussian_filter(surface, 6.0)
    down_y, down_x = np.gradient(smooth_surface, CELL_FT)
    path = [np.array(start, float)]
    while len(path) * 3.0 < length_ft:
        column = int((path[-1][0] - XMIN) / CELL_FT)
        row = int((path[-1][1] - YMIN) / CELL_FT)
        step = -np.array([down_x[row, column], down_y[row, column]])
        if np.hypot(*step) < 0.002:
            break
        path.append(path[-1] + 3.0 * step / np.hypot(*step))
    if len(path) * 3.0 < length_ft / 2:
        raise ValueError(f"no fall at {start}: give the flow arrow another start")
    line = smooth(LineString(path), 16.0).simplify(0.5)
    ends = sample(surface, np.array([path[0], path[-1]]))
    return line, round(100.0 * float(ends[0] - ends[1]) / line.length, 1)
