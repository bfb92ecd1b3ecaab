"""A fence against the ground: stretches that leave the contour, and the slope above it. Feet.

The ground is given as an object with heights_at(xy) in feet and gradient(xy, reach_ft).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

STEP_FT = 5.0  # samples along a fence
WINDOW_FT = 25.0  # its direction is taken over this length, so that single posts do not matter
REACH_FT = 10.0  # the slope of the ground is taken over 20 ft
CLIMB_FT = 5.0  # step up the slope above a fence
FARTHEST_FT = 300.0  # longer slopes are far beyond every limit
SLOPE_OVER_FT = 100.0  # the slope class is that of the first 100 ft above the fence
FLAT = 0.005  # rise per foot: flatter ground is the top of the slope


class HasHeights(Protocol):
    """Ground whose heights and slopes can be asked for."""

    def heights_at(self, xy: np.ndarray) -> np.ndarray:
        """Feet at each place, NaN where unknown."""

    def gradient(self, xy: np.ndarray, reach_ft: float) -> np.ndarray:
        """Rise per foot to east and north."""


@dataclass(frozen=True, eq=False)
class OffContour:
    """A stretch of fence that leaves the contour: its mean angle, fall and line."""

    line: LineString
    angle_deg: float
    fall_ft: float


def stations(line: LineString, step_ft: float) -> np.ndarray:
    """Distances along a line in equal steps of at most step_ft, both ends included."""
    count = max(1, int(np.ceil(line.length / step_ft - 1e-9)))
    return np.linspace(0.0, line.length, count + 1)


def places(line: LineString, at_ft: np.ndarray) -> np.ndarray:
    """Coordinates at distances along a line."""
    xy: np.ndarray = shapely.get_coordinates(shapely.line_interpolate_point(line, at_ft))
    return xy


def between(line: LineString, first_ft: float, last_ft: float) -> LineString:
    """The part of a line between two distances along it."""
    part = substring(line, first_ft, last_ft)
    return part if isinstance(part, LineString) else LineString([part, part])


def hidden_ft(line: LineString, ground: HasHeights) -> float:
    """The length of a fence along which the ground has no height or no slope, in feet."""
    xy = places(line, stations(line, STEP_FT))
    known = np.isfinite(ground.heights_at(xy))
    known &= np.isfinite(ground.gradient(xy, REACH_FT)).all(axis=1)
    both = known[:-1] & known[1:]
    return float(line.length * (1.0 - both.mean()))


def judged_part(line: LineString, ground: HasHeights, return_ft: float) -> tuple[float, float]:
    """From where to where a fence must follow the contour: without ends that turn upslope.

    Each end may have a return of return_ft, at most a quarter of the fence; it is one when it
    leads uphill from its inner end.
    """
    if line.is_ring:
        return 0.0, float(line.length)
    reach = min(return_ft, line.length / 4.0)
    ends = np.array([0.0, reach, line.length - reach, line.length])
    z = ground.heights_at(places(line, ends))
    first = reach if z[0] > z[1] else 0.0
    last = line.length - (reach if z[3] > z[2] else 0.0)
    return first, float(last)


def off_contour(
    line: LineString, ground: HasHeights, part: tuple[float, float], limits: FenceLimits
) -> list[OffContour]:
    """Stretches whose angle to the contour exceeds the limit and that fall at least the least.

    The angle is that between the fence over WINDOW_FT and level: the sine is its rise per foot
    over the mean slope of the ground there. Flatter ground than the least slope has no contour to
    follow. Stretches closer together than WINDOW_FT are one.
    """
    inner = between(line, *part)
    at = stations(inner, STEP_FT)
    xy = places(inner, at)
    z = ground.heights_at(xy)
    slope = np.hypot(*ground.gradient(xy, REACH_FT).T)
    if len(at) < 3:
        return []
    half = max(1, round(WINDOW_FT / 2.0 / (at[1] - at[0])))
    low = np.maximum(np.arange(len(at)) - half, 0)
    high = np.minimum(np.arange(len(at)) + half, len(at) - 1)
    rise = np.abs(z[high] - z[low]) / (at[high] - at[low])
    mean = np.array([slope[a : b + 1].mean() for a, b in zip(low, high, strict=True)])
    with np.errstate(invalid="ignore", divide="ignore"):
        angle = np.degrees(np.arcsin(np.minimum(1.0, rise / mean)))
        off = (angle > limits.angle_deg) & (mean >= limits.least_slope_pct / 100.0)
    found = []
    for a, b in _runs(off, half * 2):
        fall = float(np.ptp(z[a : b + 1]))
        if fall >= limits.fall_ft and b > a:
            mean_angle = float(angle[a : b + 1][off[a : b + 1]].mean())
            stretch = between(inner, at[a], at[b])
            found.append(OffContour(stretch, mean_angle, fall))
    return found


@dataclass(frozen=True)
class FenceLimits:
    """What a fence may do: angle, least slope on which it is judged, fall of a stretch."""

    angle_deg: float
    least_slope_pct: float
    fall_ft: float


def _runs(mask: np.ndarray, join: int) -> list[tuple[int, int]]:
    """First and last index of stretches of True, those with at most `join` between them joined."""
    index = np.flatnonzero(mask)
    if len(index) == 0:
        return []
    breaks = np.flatnonzero(np.diff(index) > join)
    first = index[np.concatenate([[0], breaks + 1])]
    last = index[np.concatenate([breaks, [len(index) - 1]])]
    return list(zip(first.tolist(), last.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class SlopeAbove:
    """The slope above places on a fence: length in feet, percent, the way up, how it ended.

    ended is one of "top", "control", "unknown", "long".
    """

    length_ft: np.ndarray
    slope_pct: np.ndarray
    paths: list[BaseGeometry]
    ended: list[str]


def slope_above(xy: np.ndarray, ground: HasHeights, stops: np.ndarray) -> SlopeAbove:
    """Follow the ground straight uphill from each place to its top, or to what takes the water.

    stops are lines and areas that take the water. Beyond FARTHEST_FT nothing is followed.
    """
    tree = shapely.STRtree(stops)
    count = len(xy)
    now, way = xy.copy(), [[p] for p in xy]
    length, ended = np.zeros(count), np.array(["long"] * count, dtype=object)
    before = np.zeros((count, 2))
    alive = np.arange(count)
    while len(alive) and length[alive].min() < FARTHEST_FT:
        g = ground.gradient(now[alive], REACH_FT)
        steep = np.hypot(g[:, 0], g[:, 1])
        unknown = ~np.isfinite(steep)
        with np.errstate(invalid="ignore", divide="ignore"):
            up = g / steep[:, None]
            top = (steep < FLAT) | ((up * before[alive]).sum(axis=1) < 0)
        ended[alive[unknown]], ended[alive[top]] = "unknown", "top"
        go = ~(unknown | top)
        alive, up = alive[go], up[go]
        if len(alive) == 0:
            break
        ahead = now[alive] + CLIMB_FT * up
        legs = np.asarray(shapely.linestrings(np.stack([now[alive], ahead], axis=1)))
        ahead, met = _stopped(now[alive], ahead, legs, tree)
        length[alive] += np.hypot(*(ahead - now[alive]).T)
        now[alive], before[alive] = ahead, up
        for index, place in zip(alive.tolist(), ahead, strict=True):
            way[index].append(place)
        ended[alive[met]] = "control"
        alive = alive[~met]
    paths: list[BaseGeometry] = [
        shapely.LineString(w) if len(w) > 1 else shapely.Point(w[0]) for w in way
    ]
    return SlopeAbove(length, _slope_pct(paths, length, ground), paths, ended.tolist())


def _stopped(
    start: np.ndarray, ahead: np.ndarray, legs: np.ndarray, tree: shapely.STRtree
) -> tuple[np.ndarray, np.ndarray]:
    """Where each leg ends: at the first thing that takes the water, if it meets one."""
    ahead, met = ahead.copy(), np.zeros(len(legs), dtype=bool)
    which, stop = tree.query(legs, predicate="intersects")
    common = shapely.intersection(legs[which], tree.geometries[stop])
    nearest = shapely.shortest_line(shapely.points(start[which]), common)
    away = shapely.length(nearest)
    for order in np.argsort(-away):  # the nearest is written last
        ahead[which[order]] = shapely.get_coordinates(nearest[order])[-1]
        met[which[order]] = True
    return ahead, met


def _slope_pct(paths: list[BaseGeometry], length: np.ndarray, ground: HasHeights) -> np.ndarray:
    """Mean slope of each way over its first SLOPE_OVER_FT, percent; NaN for no way."""
    reach = np.minimum(length, SLOPE_OVER_FT)
    begin = np.array([shapely.get_coordinates(p)[0] for p in paths]).reshape(-1, 2)
    lines = np.array(paths, dtype=object)
    end = begin.copy()
    long = length > 0
    end[long] = shapely.get_coordinates(shapely.line_interpolate_point(lines[long], reach[long]))
    rise = ground.heights_at(end) - ground.heights_at(begin)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(100.0 * rise / reach)
