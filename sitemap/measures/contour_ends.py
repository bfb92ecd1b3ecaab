"""Open ends of contours: joined, broken for a label, at the rim of what is mapped, or inside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.contours import Contours
from sitemap.measures.sight_lines import Sights, blocked, stop

LABEL_GAP_FT = 100.0  # one inch of paper at 100 ft per inch holds any label
FACING_COS = 0.7071  # the ends of a gap look at each other within 45 degrees
RAYS = 36
RIM_DEG = 120.0  # nothing drawn over so wide an angle: beyond the end is the rim of the map
NOTCH_DEG = 60.0  # enough where the layer was plainly cut along a straight line
IN_LINE = 4  # so many other ends on one straight line through an end: the layer was cut there
NEAREST_ENDS = 60
LEAST_RAY_FT = 100.0
TOUCH_FT = 0.05  # twice drawn end points differ by rounding only


@dataclass(frozen=True, eq=False)
class Ends:
    """Ends of open lines: place in feet, direction that the line leads on, line, level in feet."""

    xy: np.ndarray
    heading: np.ndarray
    line: np.ndarray
    level_ft: np.ndarray

    def __len__(self) -> int:
        return len(self.xy)

    def keep(self, mask: np.ndarray) -> Ends:
        """Only the ends where mask is true."""
        return Ends(self.xy[mask], self.heading[mask], self.line[mask], self.level_ft[mask])

    @property
    def points(self) -> np.ndarray:
        """The ends as points."""
        return np.asarray(shapely.points(self.xy))


@dataclass(frozen=True, eq=False)
class LabelGaps:
    """Straight lines over gaps between two ends of one level, and that level in feet."""

    bridges: np.ndarray
    levels_ft: np.ndarray
    ends_xy: np.ndarray  # shape (n, 2, 2)


def open_ends(contours: Contours, tolerance_ft: float = TOUCH_FT) -> Ends:
    """Ends that meet no other end of their own level within the tolerance."""
    lines = contours.lines
    if len(lines) == 0:
        nothing = np.empty((0, 2))
        return Ends(nothing, nothing, np.empty(0, dtype=int), np.empty(0))
    number = shapely.get_num_coordinates(lines)
    first, second = _vertex(lines, np.zeros_like(number)), _vertex(lines, np.ones_like(number))
    last, before = _vertex(lines, number - 1), _vertex(lines, number - 2)
    xy = np.concatenate([first, last])
    heading = np.concatenate([first - second, last - before])
    size = np.hypot(heading[:, 0], heading[:, 1])
    heading = heading / np.where(size > 0, size, 1.0)[:, None]
    line = np.tile(np.arange(len(lines)), 2)
    ends = Ends(xy, heading, line, contours.levels_ft[line])
    return ends.keep(~_meets_another(ends, tolerance_ft))


def _vertex(lines: np.ndarray, index: np.ndarray) -> np.ndarray:
    return shapely.get_coordinates(shapely.get_point(lines, index))


def _meets_another(ends: Ends, tolerance_ft: float) -> np.ndarray:
    """True for ends with another end of the same level within the tolerance."""
    points = ends.points
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=tolerance_ft)
    same = (a != b) & (np.abs(ends.level_ft[a] - ends.level_ft[b]) < 1e-6)
    met = np.zeros(len(ends), dtype=bool)
    met[a[same]] = True
    return met


def ends_near(ends: Ends, others: Contours, tolerance_ft: float) -> np.ndarray:
    """True for ends that lie on a line of their own level in another layer."""
    near = np.zeros(len(ends), dtype=bool)
    if len(ends) and len(others):
        a, piece = others.pieces.within(ends.points, tolerance_ft)
        level = others.levels_ft[others.pieces.owner[piece]]
        near[a[np.abs(level - ends.level_ft[a]) < 1e-6]] = True
    return near


def label_gaps(
    contours: Contours,
    ends: Ends | None = None,
    most_ft: float = LABEL_GAP_FT,
    by: Contours | None = None,
) -> LabelGaps:
    """Pairs of open ends of one level that face each other over a short gap with nothing in it.

    Each end is given to the nearest that faces it, and only where both choose each other. by: the
    same lines in another order, where those are cut into pieces already.
    """
    ends = open_ends(contours) if ends is None else ends
    nothing = LabelGaps(np.empty(0, dtype=object), np.empty(0), np.empty((0, 2, 2)))
    if len(ends) < 2:
        return nothing
    points = ends.points
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=most_ft)
    same = (a != b) & (np.abs(ends.level_ft[a] - ends.level_ft[b]) < 1e-6)
    a, b = a[same], b[same]
    over = ends.xy[b] - ends.xy[a]
    width = np.hypot(over[:, 0], over[:, 1])
    toward = over / np.where(width > 0, width, 1.0)[:, None]
    facing = (np.einsum("ij,ij->i", toward, ends.heading[a]) >= FACING_COS) & (
        np.einsum("ij,ij->i", -toward, ends.heading[b]) >= FACING_COS
    )
    a, b, width = a[facing], b[facing], width[facing]
    order = np.lexsort([b, width, a])
    chosen = np.full(len(ends), -1)
    starts, where = np.unique(a[order], return_index=True)
    chosen[starts] = b[order][where]
    one = np.flatnonzero(chosen >= 0)
    one = one[(chosen[chosen[one]] == one) & (one < chosen[one])]
    pair = np.stack([ends.xy[one], ends.xy[chosen[one]]], axis=1)
    level = ends.level_ft[one]
    free = ~blocked(pair[:, 0], pair[:, 1], (level, level), contours if by is None else by)
    if not free.any():
        return nothing
    return LabelGaps(np.asarray(shapely.linestrings(pair[free])), level[free], pair[free])


def ends_inside(
    contours: Contours, ends: Ends, tolerance_ft: float, outlines: list[BaseGeometry] | None = None
) -> np.ndarray:
    """True for ends with mapped ground beyond them.

    Not inside is an end at the hull of all lines (nearer than a quarter of the mean spacing of
    the contours), on one of the given outlines (what the layer was cut at), or with nothing drawn
    over 120 degrees or more around it as far as the rays reach: 6 times the mean spacing, at
    least 100 ft. Where four other ends lie on one straight line with it, 60 degrees are enough:
    an inner corner of the cut.
    """
    if len(ends) == 0:
        return np.zeros(0, dtype=bool)
    hull = contours.hull
    spacing = float(hull.area) / max(float(contours.lengths_ft.sum()), 1e-9)
    rims = [shapely.boundary(o) if o.area else o for o in outlines or []]
    near = shapely.STRtree(ends.points).query(
        np.array(rims, dtype=object), predicate="dwithin", distance=tolerance_ft
    )
    at_hull = max(tolerance_ft, 0.25 * spacing)
    inside = shapely.distance(ends.points, hull.boundary) > at_hull
    inside[near[1]] = False
    reach = max(LEAST_RAY_FT, 6.0 * spacing)
    view = np.full(len(ends), 360.0)
    view[inside] = _widest_view_deg(contours, ends.keep(inside), reach, tolerance_ft)
    inside &= view < RIM_DEG
    for end in np.flatnonzero(inside & (view >= NOTCH_DEG)):
        inside[end] = not _on_a_cut(ends.xy, int(end), tolerance_ft)
    return inside


def _on_a_cut(xy: np.ndarray, end: int, tolerance_ft: float) -> bool:
    """True when a straight line through this end meets four others of the nearest 60."""
    away = np.delete(xy, end, axis=0) - xy[end]
    distance = np.hypot(away[:, 0], away[:, 1])
    near = np.argsort(distance, kind="stable")[:NEAREST_ENDS]
    near = near[distance[near] > tolerance_ft]
    if len(near) < IN_LINE:
        return False
    unit = away[near] / distance[near, None]
    beside = np.abs(unit[:, :1] * away[near, 1] - unit[:, 1:] * away[near, 0])
    return bool(((beside <= tolerance_ft).sum(axis=1) >= IN_LINE).any())


def _widest_view_deg(
    contours: Contours, ends: Ends, reach_ft: float, tolerance_ft: float
) -> np.ndarray:
    """The widest angle around each end over which no line lies within reach."""
    if len(ends) == 0:
        return np.zeros(0)
    turn = np.arctan2(ends.heading[:, 1], ends.heading[:, 0])[:, None]
    # half a step off the line's own direction, so that a turn of the map turns the rays with it
    angle = turn + (np.arange(RAYS) + 0.5) * (2.0 * np.pi / RAYS)
    way = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    from_xy, to_xy = ((ends.xy[:, None, :] + way * far).reshape(-1, 2)
                      for far in (tolerance_ft, reach_ft))  # fmt: skip
    rays, pieces = Sights(from_xy, to_xy), contours.pieces
    met = np.zeros(len(rays), dtype=bool)
    stop(rays, *pieces.near(rays.boxes), pieces, met)
    hit = met.reshape(len(ends), RAYS)
    twice = np.concatenate([hit, hit], axis=1)
    run = np.zeros(len(ends), dtype=int)
    widest = np.zeros(len(ends), dtype=int)
    for column in twice.T:  # 72 steps over all ends at once
        run = np.where(column, 0, run + 1)
        widest = np.maximum(widest, run)
    return np.asarray(np.minimum(widest, RAYS) * (360.0 / RAYS))
