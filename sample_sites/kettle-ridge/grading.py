"""The graded ground: limits of disturbance, basins, swales and pads, blended into the ground.

A target surface is built from the street outward; cut and fill then taper to nothing at the
limits of grading, so that every proposed contour ends on the existing contour of its level.
"""

from __future__ import annotations

from dataclasses import dataclass

import contourpy
import numpy as np
import shapely
import street
from place import cell_centres, sample
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree
from shapely import Polygon
from shapely.geometry import LineString, Point
from shapely.ops import substring

TAPER = 0.25  # cut and fill grow at most 4:1 from the limits of grading
SIDE = 0.25  # basin sides 4:1


@dataclass(frozen=True)
class Basin:
    """A basin: its floor, floor and berm heights, and the berm's top width (all feet)."""

    id: str
    floor: Polygon
    floor_ft: float
    top_ft: float
    berm_ft: float = 10.0

    @property
    def rim(self) -> Polygon:
        """Inner edge of the berm."""
        rim: Polygon = self.floor.buffer((self.top_ft - self.floor_ft) / SIDE, quad_segs=24)
        return rim

    def water(self, depth_ft: float) -> Polygon:
        """The pool at a depth over the floor."""
        pool: Polygon = self.floor.buffer(depth_ft / SIDE, quad_segs=24)
        return pool


def _rounded(points: list[tuple[float, float]], radius: float) -> Polygon:
    return Polygon(points).buffer(-radius).buffer(radius, quad_segs=24)


BASINS = (
    Basin(
        "SB-1", _rounded([(1062, 258), (1118, 252), (1124, 318), (1076, 330)], 16.0), 817.5, 823.5
    ),
    Basin("SB-2", _rounded([(92, 318), (196, 300), (203, 330), (96, 346)], 12.0), 814.0, 819.0),
    Basin(
        "IB-1",
        _rounded([(1170, 264), (1194, 264), (1192, 330), (1172, 330)], 11.0),
        819.5,
        822.0,
        6.0,
    ),
)

BERM_FT = 1.5  # a diversion's berm above its invert
BERM_OFFSET_FT = 9.0  # the berm's crest from the invert, on the downhill side


@dataclass(frozen=True)
class Swale:
    """A swale or diversion: its line, falling from the first point, and its invert heights."""

    id: str
    line: LineString
    invert_ft: np.ndarray  # at the line's vertices
    berm_side: int  # +1 berm on the left of the line, -1 on the right, 0 none


def contour_between(
    surface: np.ndarray, level_ft: float, start: tuple[float, float], end: tuple[float, float]
) -> LineString:
    """The part of the contour of `level_ft` from nearest `start` to nearest `end`.

    On a closed contour it is the shorter way round.
    """
    x, y = cell_centres()
    lines = contourpy.contour_generator(x, y, surface).lines(level_ft)
    best = min(
        (LineString(line) for line in lines if len(line) > 4),
        key=lambda line: line.distance(Point(start)) + line.distance(Point(end)),
    )
    a, b = best.project(Point(start)), best.project(Point(end))
    part = substring(best, a, b)
    if best.is_ring and part.length > best.length / 2:
        rest = [substring(best, a, 0), substring(best, best.length, b)]
        if a > b:
            rest = [substring(best, a, best.length), substring(best, 0, b)]
        part = LineString(np.vstack([r.coords for r in rest if r.length > 0]))
    return smooth(part)


def smooth(line: LineString, sigma_ft: float = 8.0) -> LineString:
    """The line resampled at 3 ft and averaged along itself; its ends stay."""
    count = max(int(line.length // 3), 4)
    points = np.array([p.coords[0] for p in line.interpolate(np.linspace(0, line.length, count))])
    sigma = sigma_ft / 3.0
    pad = int(4 * sigma)
    first, last = points[0], points[-1]
    before = 2 * first - points[1 : pad + 1][::-1]
    after = 2 * last - points[-pad - 1 : -1][::-1]
    whole = np.vstack([before, points, after])
    eased = gaussian_filter(whole, (sigma, 0))[len(before) : len(before) + count]
    eased[0], eased[-1] = first, last  # to the last digit: arcs of a coverage meet here
    return LineString(eased)


def _beside(line: LineString, offset_ft: float) -> LineString:
    """The line moved sideways (left positive), without the crumbs that tight bends leave."""
    moved = line.offset_curve(offset_ft)
    return max(getattr(moved, "geoms", [moved]), key=lambda part: part.length)


def ridge_diversion(ground: np.ndarray) -> Swale:
    """DV-1: across the hillside above the lots, falling at least 0.6 percent to the east."""
    nodes = [(168, 680), (230, 672), (300, 661), (400, 667), (505, 652), (600, 680), (680, 675)]
    nodes += [(760, 655), (830, 641), (885, 637), (935, 630), (984, 628)]
    line = smooth(LineString(nodes), 30.0)
    points = np.array(line.coords)
    along = np.r_[0, np.cumsum(np.hypot(*np.diff(points, axis=0).T))]
    lowest = np.minimum.accumulate(sample(ground, points) - 0.8 + 0.005 * along)
    return Swale("DV-1", line, lowest - 0.005 * along, -1)


def crest_swales(crest: LineString) -> tuple[Swale, Swale]:
    """DV-2 and DV-3: rear swales 24 ft above the fence, from the spur to the two basins."""
    shifted = smooth(_beside(crest, 24.0 * _uphill(crest)), 22.0)
    points = np.array(shifted.coords)
    points = points if points[0, 0] < points[-1, 0] else points[::-1]
    west = np.vstack(
        [points[(points[:, 0] > 292) & (points[:, 0] < 534)][::-1], [(246, 346), (224, 334)]]
    )
    east = np.vstack(
        [points[(points[:, 0] > 532) & (points[:, 0] < 1000)], [(1022, 304), (1039, 300)]]
    )
    made = []
    for name, path, ends in (
        ("DV-2", west, (836.4, 834.6, 818.9)),
        ("DV-3", east, (836.4, 832.6, 823.3)),
    ):
        line = smooth(LineString(path), 12.0)
        at = np.linspace(0, 1, len(line.coords))
        turn = 0.72 if name == "DV-2" else 0.86
        invert = np.interp(at, (0.0, turn, 1.0), ends)
        made.append(Swale(name, line, invert, 1 if name == "DV-2" else -1))
    return made[0], made[1]


def _uphill(line: LineString) -> int:
    """+1 when north of a crest line is on its left."""
    first, last = line.coords[0], line.coords[-1]
    return 1 if last[0] > first[0] else -1


@dataclass(frozen=True)
class Limits:
    """Limits of disturbance and what stands along them."""

    shape: Polygon
    fences: dict[str, LineString]
    swales: tuple[Swale, ...]


def limits(ground: np.ndarray) -> Limits:
    """Limits of disturbance: contours downslope, the ridge diversion upslope."""
    crest = contour_between(ground, 831.0, (1004, 262), (286, 340))
    below_sb2 = contour_between(ground, 813.6, (216, 262), (86, 283))
    below_sb1 = contour_between(ground, 820.2, (1214, 217), (1030, 222))
    kettle = contour_between(ground, 838.4, (992, 606), (1078, 570))
    ridge = ridge_diversion(ground)
    above = _beside(ridge.line, 22.0)
    if above.coords[0][0] > above.coords[-1][0]:
        above = above.reverse()
    ring: list[tuple[float, float]] = [(38, 640), (60, 676), (120, 694)]
    ring += [(float(x), float(y)) for x, y in above.coords]
    ring += [(float(x), float(y)) for x, y in kettle.coords]
    ring += [(1160, 510), (1178, 440), (1214, 392)]
    for part, after in ((below_sb1, (1024, 236)), (crest, (248, 330)), (below_sb2, (40, 330))):
        ring += [(float(x), float(y)) for x, y in part.coords]
        ring.append((float(after[0]), float(after[1])))
    shape = Polygon(ring).buffer(0)
    mouth = Polygon([(9, 462), (60, 462), (60, 532), (9, 532)])
    shape = shape.buffer(-14).buffer(28, quad_segs=16).buffer(-14, quad_segs=16) | mouth
    for outlet in (
        [(1096, 240), (1096, 162)],
        [(86, 300), (46, 249)],
        [(950, 628), (998, 628)],
    ):  # pipes and aprons
        shape = shape | LineString(outlet).buffer(12, cap_style="flat")
    for fence in (crest, below_sb2, below_sb1, kettle):
        shape = shape | fence.buffer(4.0, cap_style="flat")
    shape = max(getattr(shape, "geoms", [shape]), key=lambda part: part.area)
    fences = {"SF-1": crest, "SF-2": below_sb2, "SF-3": below_sb1, "SF-4": kettle}
    return Limits(Polygon(shape.exterior), fences, (ridge, *crest_swales(crest)))


def _distance(shape: shapely.Geometry, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance of every point to a shape, 0 inside it."""
    shapely.prepare(shape)
    away: np.ndarray = shapely.distance(shape, shapely.points(x, y))
    return away


def _street_target(x: np.ndarray, y: np.ndarray, ground: np.ndarray) -> np.ndarray:
    """Crown, curb, terrace, yards: heights that follow the street, before pads and basins."""
    line, paved = street.centre_line(), street.pavement()
    stations = np.arange(0.0, line.length, 2.0)
    track = np.array([p.coords[0] for p in line.interpolate(stations)])
    _, nearest = cKDTree(track).query(np.column_stack([x, y]))
    crown = street.profile_ft(stations)[nearest]
    ahead = np.gradient(track, axis=0)[nearest]
    left = ahead[:, 0] * (y - track[nearest, 1]) - ahead[:, 1] * (x - track[nearest, 0])
    side = np.tanh(left / np.hypot(*ahead.T) / 25.0)
    inside = shapely.contains_xy(paved, x, y)
    to_edge = _distance(paved.exterior, x, y)
    d = np.where(inside, 0.0, to_edge)
    edge = crown - 0.28
    pad = crown + 2.8 + 0.4 * side
    front = edge + 0.45 + 0.02 * np.minimum(d, 16.0)
    yard = front + (pad - 0.7 - front) * np.clip((d - 16.0) / 26.0, 0, 1)
    rear = pad - 0.9 - 0.03 * np.clip(d - 82.0, 0, 60)
    base = np.where(d < 60.0, yard, np.minimum(yard, rear))
    reach = 0.24 * np.maximum(d - 96.0, 0.0)
    base = np.clip(ground, base - reach, base + reach)  # daylight to the ground behind the yards
    return np.where(inside, crown - 0.02 * np.minimum(14.0, 14.0 - np.minimum(to_edge, 14.0)), base)


def _with_pads(target: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Level pads under the houses; the ground leaves them at 5 percent, then 5:1."""
    for lot in street.lots():
        away = _distance(lot.house.convex_hull.buffer(7.0), x, y)
        fall = 0.05 * np.minimum(away, 10.0) + 0.20 * np.maximum(away - 10.0, 0)
        pad = lot.pad_ft - street.PAD_BELOW_YARD_FT
        target = np.clip(target, pad - fall - 0.2, pad + fall)
    return target


def _with_swale(target: np.ndarray, x: np.ndarray, y: np.ndarray, swale: Swale) -> np.ndarray:
    """A swale cut in at 4:1, and its berm raised on the downhill side."""
    here = np.column_stack([x, y])
    points = np.array(swale.line.coords)
    away, nearest = cKDTree(points).query(here, distance_upper_bound=80.0)
    near = np.isfinite(away)
    bed = swale.invert_ft[np.where(near, nearest, 0)]
    if swale.berm_side:
        crest = np.array(_beside(swale.line, BERM_OFFSET_FT * swale.berm_side).coords)
        from_crest, _ = cKDTree(crest).query(here, distance_upper_bound=60.0)
        rims = shapely.union_all([b.rim for b in BASINS])
        from_crest = np.where(shapely.contains_xy(rims, x, y), np.inf, from_crest)
        raised = bed + BERM_FT - 0.25 * np.maximum(from_crest - 1.5, 0.0)
        target = np.where(near & np.isfinite(from_crest), np.maximum(target, raised), target)
    cut = bed + 0.25 * np.maximum(away - 1.5, 0.0)
    return np.where(near, np.minimum(target, cut), target)


def _with_basin(target: np.ndarray, x: np.ndarray, y: np.ndarray, basin: Basin) -> np.ndarray:
    """Floor, 4:1 sides, level berm, 4:1 outer slopes until they meet the ground."""
    in_rim = _distance(basin.floor, x, y)
    berm = basin.rim.buffer(basin.berm_ft, quad_segs=24)
    out = _distance(berm, x, y)
    bowl = basin.floor_ft + SIDE * in_rim
    top = np.minimum(bowl, basin.top_ft)
    outside = np.clip(target, basin.top_ft - SIDE * out, basin.top_ft + SIDE * out)
    return np.where(out > 0, outside, top)


def proposed_surface(ground: np.ndarray, found: Limits) -> np.ndarray:
    """Ground after grading at the working cells: equal to `ground` outside the limits."""
    x, y = cell_centres()
    limit = found.shape
    inside = shapely.contains_xy(limit, x, y)
    px, py, before = x[inside], y[inside], ground[inside]
    target = _with_pads(_street_target(px, py, before), px, py)
    for basin in BASINS:
        target = _with_basin(target, px, py, basin)
    for swale in found.swales:
        target = _with_swale(target, px, py, swale)
    room = TAPER * _distance(limit.exterior, px, py)
    change = np.zeros_like(ground)
    change[inside] = np.clip(target - before, -room, room)
    eased = gaussian_filter(change, 1.0)
    eased[~inside] = 0.0
    return ground + eased
