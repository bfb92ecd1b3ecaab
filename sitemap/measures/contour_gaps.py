"""Contours that are neighbours on the ground, and the places where a level between them is missing.

Samples of the lines are triangulated. A triangle whose sides join two lines without meeting any
line between them shows ground between neighbours; when their levels are farther apart than the
regular step, a level is missing there. Complete contours can never do this, whatever the ground
(hilltops, saddles, kettles), since every way from one level to another meets all between. What is
left to tell apart is the rim of the map and gaps for labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.contour_ends import label_gaps
from sitemap.measures.contours import Contours, Samples, contours_of, sample
from sitemap.measures.sight_lines import blocked

LEAST_SPACING_FT = 10.0  # samples along lines: closer ones show nothing at 1 in = 100 ft
MOST_SAMPLES = 40_000
EPSILON_FT = 1e-6


@dataclass(frozen=True, eq=False)
class GroundGap:
    """Ground between two neighbouring contours that are more than the regular step apart."""

    low_ft: float
    high_ft: float
    ground: BaseGeometry  # one polygon: the triangles between the two lines

    @property
    def step_ft(self) -> float:
        """The difference of the two levels."""
        return float(np.round(self.high_ft - self.low_ft, 3))


@dataclass(frozen=True, eq=False)
class _Triangles:
    """Corners as indices of samples, shape (n, 3), and the closed outlines, shape (n, 4, 2)."""

    corner: np.ndarray
    xy: np.ndarray


def ground_gaps(
    contours: Contours,
    more_than_ft: float,
    *,
    inside: BaseGeometry | None = None,
    outside: BaseGeometry | None = None,
    beside: Contours | None = None,
) -> list[GroundGap]:
    """Where neighbours on the ground differ by more than `more_than_ft`, widest ground first.

    inside, outside: areas that the sight between two lines must keep within, or clear of.
    beside: lines of another layer that count as lines between where their level is drawn in
    `contours` too (proposed contours run on into the existing ones). Gaps for labels are closed
    first. A place counts when it is as long along the lines as it is wide, or when the levels
    between are drawn nowhere in `contours`.
    """
    if len(contours.levels) < 2 or np.ptp(contours.levels) <= more_than_ft:
        return []
    drawn, contours = contours, contours.in_order()
    # near the origin, where the triangulation has all digits for itself
    origin = np.floor(shapely.total_bounds(contours.lines)[:2])
    walls = _walls(contours, drawn, beside)
    spacing = max(LEAST_SPACING_FT, float(contours.lengths_ft.sum()) / MOST_SAMPLES)
    samples = sample(contours.lines, spacing, origin)
    level = np.round(contours.levels_ft, 3)[samples.line]
    triangles = _triangulate(samples)
    clear = _clear(samples, level, triangles, more_than_ft, walls, (inside, outside), origin)
    found = _places(samples, level, triangles, clear, contours.levels, more_than_ft)
    back = [GroundGap(g.low_ft, g.high_ft, _shift(g.ground, origin)) for g in found]
    return sorted(back, key=lambda gap: (-gap.ground.area, gap.low_ft))


def _shift(geometry: BaseGeometry, by: np.ndarray) -> BaseGeometry:
    moved: BaseGeometry = shapely.transform(geometry, lambda xy: xy + by)
    return moved


def _walls(own: Contours, drawn: Contours, beside: Contours | None) -> list[Contours]:
    """All lines that stop the sight: own ones, gaps for labels closed, and those beside.

    drawn: the own ones as they were drawn, which other measures have cut into pieces too.
    """
    gaps = label_gaps(own, by=drawn)
    sets = [drawn, contours_of(gaps.bridges, gaps.levels_ft)]
    if beside is not None and len(beside):
        sets.append(beside.keep(np.isin(np.round(beside.levels_ft, 3), own.levels)))
    return sets


def _triangulate(samples: Samples) -> _Triangles:
    """The Delaunay triangles with their corners as sample numbers (of twins, the first)."""
    points = samples.xy[:, 0] + 1j * samples.xy[:, 1]
    known, first = np.unique(points, return_index=True)
    # the vertices of a line are made in less time than as many points
    laid = shapely.delaunay_triangles(shapely.linestrings(samples.xy))
    xy = shapely.get_coordinates(laid).reshape(-1, 4, 2)
    corner = xy[:, :3, 0] + 1j * xy[:, :3, 1]
    slot = np.searchsorted(known, corner)
    return _Triangles(first[np.minimum(slot, len(known) - 1)], xy)


def _along(samples: Samples, sides: np.ndarray) -> np.ndarray:
    """True for triangles with a side along a line; the others turn corners, or cross a rim."""
    a, b = sides[..., 0], sides[..., 1]
    on_line = np.bincount(samples.line)[samples.line]
    apart = np.abs(a - b)  # the samples of a ring end where they begin
    follows = (samples.line[a] == samples.line[b]) & ((apart == 1) | (apart >= on_line[a] - 2))
    return np.asarray(follows.any(axis=1))


def _sides(corner: np.ndarray) -> np.ndarray:
    """The three sides of each triangle as pairs of samples, shape (n, 3, 2)."""
    return np.stack([corner[:, [0, 1]], corner[:, [1, 2]], corner[:, [2, 0]]], axis=1)


def _clear(
    samples: Samples,
    level: np.ndarray,
    triangles: _Triangles,
    more_than_ft: float,
    walls: list[Contours],
    areas: tuple[BaseGeometry | None, BaseGeometry | None],
    origin: np.ndarray,
) -> np.ndarray:
    """True for triangles with sides between levels too far apart, none of which is stopped."""
    sides = _sides(triangles.corner)
    a, b = sides[..., 0], sides[..., 1]
    wide = np.abs(level[a] - level[b]) > more_than_ft + EPSILON_FT
    a, b = np.minimum(a, b)[wide], np.maximum(a, b)[wide]
    pairs, number = np.unique(a * len(samples.xy) + b, return_inverse=True)
    if len(pairs) == 0:
        return np.zeros(len(sides), dtype=bool)
    a, b = np.divmod(pairs, len(samples.xy))
    start, end = samples.xy[a], samples.xy[b]
    stopped = _strays(start, end, areas, origin)
    for wall in walls:
        on = np.flatnonzero(~stopped)
        ends = level[a[on]], level[b[on]]
        stopped[on] = blocked(start[on] + origin, end[on] + origin, ends, wall)
    open_sides = np.ones(wide.shape, dtype=bool)
    open_sides[wide] = ~stopped[number]
    return np.asarray(wide.any(axis=1) & open_sides.all(axis=1))


def _strays(
    start: np.ndarray,
    end: np.ndarray,
    areas: tuple[BaseGeometry | None, BaseGeometry | None],
    origin: np.ndarray,
) -> np.ndarray:
    """True for sight lines that leave the area to look in, or enter the one to keep clear of."""
    inside, outside = areas
    stray = np.zeros(len(start), dtype=bool)
    if inside is None and outside is None:
        return stray
    sight = shapely.linestrings(np.stack([start, end], axis=1) + origin)
    if inside is not None:
        # half a foot of room: lines drawn to the edge of an area end on it only nearly
        roomy = inside.buffer(0.5)
        shapely.prepare(roomy)
        stray |= ~shapely.covers(roomy, sight)
    if outside is not None:
        narrow = outside.buffer(-0.5)
        shapely.prepare(narrow)
        stray |= shapely.intersects(narrow, sight)
    return stray


def _places(
    samples: Samples,
    level: np.ndarray,
    triangles: _Triangles,
    clear: np.ndarray,
    drawn: np.ndarray,
    more_than_ft: float,
) -> list[GroundGap]:
    """Clear triangles of one pair of levels, joined where they share a side."""
    corner, shapes = triangles.corner[clear], shapely.polygons(triangles.xy[clear])
    heights = level[corner]
    low, high = heights.min(axis=1), heights.max(axis=1)
    side = _sides(corner)
    across = np.abs(level[side[..., 0]] - level[side[..., 1]]) > more_than_ft + EPSILON_FT
    length = np.hypot(*np.moveaxis(samples.xy[side[..., 0]] - samples.xy[side[..., 1]], -1, 0))
    support = np.where(_along(samples, side), shapely.area(shapes), 0.0)
    gaps = []
    for pair in np.unique(np.column_stack([low, high]), axis=0):
        mine = np.flatnonzero((low == pair[0]) & (high == pair[1]))
        parts = shapely.get_parts(shapely.union_all(shapes[mine]))
        of = shapely.STRtree(parts).query(shapely.point_on_surface(shapes[mine]), "intersects")
        nowhere = not ((drawn > pair[0]) & (drawn < pair[1])).any()
        for number, part in enumerate(parts):
            these = mine[of[0][of[1] == number]]
            backed = float(support[these].sum())
            if backed == 0.0:  # a sliver of rounding, or a sight along a rim
                continue
            width = float(np.median(length[these][across[these]]))
            if nowhere or backed >= width**2:
                gaps.append(GroundGap(float(pair[0]), float(pair[1]), part))
    return gaps


def contiguous(gaps: list[GroundGap]) -> list[list[GroundGap]]:
    """Gaps that share ground or an edge, as one place each; the largest place first."""
    if not gaps:
        return []
    ground = [gap.ground for gap in gaps]
    merged = shapely.get_parts(shapely.union_all(ground))
    inner = shapely.point_on_surface(ground)
    gap_of, part_of = shapely.STRtree(merged).query(inner, predicate="intersects")
    places: dict[int, list[GroundGap]] = {}
    for gap, part in zip(gap_of.tolist(), part_of.tolist(), strict=True):
        places.setdefault(part, []).append(gaps[gap])
    return sorted(places.values(), key=lambda place: -sum(gap.ground.area for gap in place))
