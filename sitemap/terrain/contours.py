"""Contours of a surface: levels exact, closed where they close, kinds marked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import contourpy
import numpy as np
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Bounds
from sitemap.errors import SurfaceError
from sitemap.measures.contour_crossings import crossings
from sitemap.measures.contours import Contours
from sitemap.terrain.compiled import one_pass_lines
from sitemap.terrain.machine_code import can_compile
from sitemap.terrain.surface import Surface

FINE_RELIEF_FT = 40.0  # up to this relief contours are drawn at 1 ft, above it at 2 ft
INDEX_EVERY = 5
MOST_LEVELS = 1000
WORTH_COMPILED = 1_000_000  # cells from which loading the compiled kernels pays
TOLERANCE_IN_CELLS = 0.1  # a contour drawn from cells is no better than this
MOST_TOLERANCE_FT = 2.0
SPECK_CELLS = 4.0  # a closed contour round less ground than this is noise of the cells


@dataclass(frozen=True, eq=False)
class DerivedContours:
    """Lines with their level in feet and kind (index, intermediate, depression).

    words say the range, the interval, the count and what was smoothed or left out.
    """

    lines: np.ndarray
    levels_ft: np.ndarray
    kinds: np.ndarray
    interval_ft: float
    words: str

    def __len__(self) -> int:
        return len(self.lines)

    def inside(self, area: BaseGeometry) -> DerivedContours:
        """The parts of the lines inside an area, each a line of its own."""
        cut = shapely.line_merge(shapely.intersection(self.lines, area))
        parts, of = shapely.get_parts(cut, return_index=True)
        line = (shapely.get_type_id(parts) == 1) & (shapely.length(parts) > 0)
        of = of[line]
        return replace(self, lines=parts[line], levels_ft=self.levels_ft[of], kinds=self.kinds[of])


def default_interval_ft(relief_ft: float, limit_ft: float) -> float:
    """1 ft on low ground, 2 ft on higher; never over the limit."""
    return min(1.0 if relief_ft <= FINE_RELIEF_FT else 2.0, limit_ft)


def derive_contours(
    surface: Surface,
    interval_ft: float | None = None,
    *,
    limit_ft: float = 5.0,
    within: Bounds | None = None,
    tolerance_ft: float | None = None,
) -> DerivedContours:
    """Contours of the ground inside bounds, at whole multiples of the interval.

    tolerance_ft is how far a line may be moved to have fewer vertices (a tenth of a cell, at
    most 2 ft, unless given; 0 for none); no two levels are let cross. SurfaceError for an
    interval that is not positive, over the limit, or that would make more than 1,000 levels.
    """
    part = clipped(surface, within)
    low, high = part.range_ft
    if not np.isfinite(low):
        return _nothing("no height is known there", interval_ft or limit_ft)
    relief = high - low
    interval = default_interval_ft(relief, limit_ft) if interval_ft is None else interval_ft
    if not interval > 0:
        raise SurfaceError(f"a contour interval of {interval:g} ft: give a number of feet over 0")
    if interval > limit_ft:
        raise SurfaceError(
            f"a contour interval of {interval:g} ft is over the {limit_ft:g} ft that the ordinance "
            "allows; give a smaller one with --interval"
        )
    levels = levels_within(low, high, interval)
    span = f"surface range {relief:.1f} ft ({low:.1f} to {high:.1f}), interval {interval:g} ft"
    if len(levels) > MOST_LEVELS:
        raise SurfaceError(f"{span}: {len(levels)} levels; give a larger interval with --interval")
    fine = min(part.cell_ft * TOLERANCE_IN_CELLS, MOST_TOLERANCE_FT)
    tolerance = fine if tolerance_ft is None else tolerance_ft
    lines, of = contour_lines(part, levels)
    lines, of, specks = _without_specks(lines, of, SPECK_CELLS * part.cell_ft**2)
    if not len(lines):
        return _nothing(f"{span}: 0 contours", interval)
    drawn = _smoothed(lines, levels[of], tolerance)
    kinds = _kinds(lines, np.round(levels[of] / interval).astype(int))
    words = f"{span}: {len(drawn)} contours at {len(np.unique(of))} levels"
    words += f"; lines moved at most {tolerance:.3g} ft" if tolerance else "; not smoothed"
    if specks:
        words += (
            f"; {specks} closed specks under {SPECK_CELLS * part.cell_ft**2:,.0f} sq ft left out"
        )
    return DerivedContours(drawn, levels[of], kinds, interval, words)


def _nothing(words: str, interval_ft: float) -> DerivedContours:
    empty = np.empty(0, dtype=object)
    return DerivedContours(empty, np.empty(0), empty.copy(), interval_ft, words)


def levels_within(low_ft: float, high_ft: float, interval_ft: float) -> np.ndarray:
    """The multiples of the interval above the lowest height and not above the highest."""
    first = np.floor(low_ft / interval_ft + 1e-9) + 1
    last = np.floor(high_ft / interval_ft + 1e-9)
    levels: np.ndarray = np.round(np.arange(first, last + 1) * interval_ft, 9)
    return levels


def clipped(surface: Surface, within: Bounds | None) -> Surface:
    """The cells whose centres lie inside bounds, and those next to them; none where none are."""
    if within is None:
        return surface
    rows, columns = surface.cells(np.array([[within[0], within[3]], [within[2], within[1]]]))
    (top, bottom), (left, right) = rows.tolist(), columns.tolist()
    height, width = surface.z_ft.shape
    top, left = max(top - 1, 0), max(left - 1, 0)
    low, far = max(min(bottom + 2, height), 0), max(min(right + 2, width), 0)
    z = surface.z_ft[top:low, left:far]
    moved = surface.transform @ Affine.translation(left, top)
    return replace(surface, z_ft=z, transform=moved)


def contour_lines(surface: Surface, levels_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every line at every level, higher ground on its left, and which level each has."""
    rows, columns = surface.z_ft.shape
    if rows < 2 or columns < 2 or not len(levels_ft):
        return np.empty(0, dtype=object), np.empty(0, dtype=int)
    if rows * columns >= WORTH_COMPILED:
        made = _in_one_pass(surface, levels_ft)
        if made is not None:
            return made
    return _level_by_level(surface, levels_ft)


def _in_one_pass(surface: Surface, levels_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The lines by the compiled kernel; None where the extra `fast` is not installed."""
    if not can_compile():
        return None
    column, row, first, of = one_pass_lines(surface.z_ft, levels_ft)
    places = np.empty((len(column), 2))
    places[:, 0] = surface.transform.c + (column + 0.5) * surface.cell_ft
    places[:, 1] = surface.transform.f - (row + 0.5) * surface.cell_ft
    lines, long = _lines_of(places, first)
    return lines, of[long]


def _level_by_level(surface: Surface, levels_ft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lines by contourpy, which goes over all cells for each level."""
    rows, columns = surface.z_ft.shape
    x = surface.transform.c + (np.arange(columns) + 0.5) * surface.cell_ft
    y = surface.transform.f - (np.arange(rows) + 0.5) * surface.cell_ft
    z = np.ma.masked_invalid(surface.z_ft[::-1])
    generator = contourpy.contour_generator(
        x, y[::-1], z, corner_mask=False, line_type=contourpy.LineType.ChunkCombinedOffset
    )
    lines, of = [], []
    for number, level in enumerate(levels_ft.tolist()):
        points, offsets = (chunk[0] for chunk in generator.lines(level))
        if points is None or offsets is None:
            continue
        made, _ = _lines_of(points, offsets)
        lines.append(made)
        of.append(np.full(len(made), number))
    if not lines:
        return np.empty(0, dtype=object), np.empty(0, dtype=int)
    return np.concatenate(lines), np.concatenate(of)


def _lines_of(points: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines of at least two different points, without those repeated, and which lines these are."""
    count = np.diff(offsets.astype(int))
    if not len(count):
        return np.empty(0, dtype=object), np.empty(0, dtype=bool)
    new = np.ones(len(points), dtype=bool)
    x, y = points[:, 0], points[:, 1]
    new[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    new[offsets[:-1].astype(int)] = True
    count = np.add.reduceat(new.astype(np.int64), offsets[:-1].astype(int))
    long = count >= 2
    if not long.all():
        new &= np.repeat(long, np.diff(offsets.astype(int)))
    used = points if new.all() else points[new]
    numbers = np.repeat(np.arange(int(long.sum())), count[long])
    return np.asarray(shapely.linestrings(used, indices=numbers), dtype=object), long


def _without_specks(
    lines: np.ndarray, of: np.ndarray, least_sqft: float
) -> tuple[np.ndarray, np.ndarray, int]:
    closed = np.flatnonzero(shapely.is_closed(lines))
    keep = np.ones(len(lines), dtype=bool)
    keep[closed[shapely.get_num_points(lines[closed]) < 4]] = False  # there and back
    closed = closed[keep[closed]]
    if len(closed):
        xy, owner = shapely.get_coordinates(lines[closed], return_index=True)
        round_it = shapely.polygons(shapely.linearrings(xy, indices=owner))
        keep[closed[shapely.area(round_it) < least_sqft]] = False
    return lines[keep], of[keep], int((~keep).sum())


def _kinds(lines: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Depression where closed round lower ground, else index at every fifth level."""
    kinds = np.where(steps % INDEX_EVERY == 0, "index", "intermediate").astype(object)
    closed = np.flatnonzero(shapely.is_closed(lines))
    if len(closed):
        kinds[closed[~shapely.is_ccw(lines[closed])]] = "depression"
    return kinds


def _smoothed(lines: np.ndarray, levels_ft: np.ndarray, tolerance_ft: float) -> np.ndarray:
    """Lines with fewer vertices; one that would cross another level keeps all of its own."""
    if tolerance_ft <= 0:
        return lines
    simple = np.asarray(shapely.simplify(lines, tolerance_ft), dtype=object)
    good = shapely.is_simple(simple) & (shapely.get_num_points(simple) >= 2)
    drawn = np.where(good, simple, lines)
    while True:
        met = crossings(Contours(drawn, levels_ft, np.arange(len(drawn))))
        again = np.unique(met.pair)
        again = again[shapely.get_num_points(drawn[again]) < shapely.get_num_points(lines[again])]
        if not len(again):
            return drawn
        drawn[again] = lines[again]
