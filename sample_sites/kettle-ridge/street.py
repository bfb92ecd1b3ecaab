"""Boundary, subdivision street, houses and drives: tangents, arcs and right angles, local feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from place import XMAX, XMIN, YMAX, YMIN, without_tails
from shapely import Polygon, affinity, union_all
from shapely.geometry import LineString, Point, box
from terrain import road_x

PAVEMENT_HALF_FT = 14.0  # 28 ft between curb faces
ROW_HALF_FT = 30.0
BULB_PAVEMENT_FT, BULB_ROW_FT = 45.0, 60.0
ROAD_PAVEMENT_HALF_FT = 12.0  # county road
SETBACK_FT = 28.0  # house front behind the right of way

# Points of intersection of the centre line, with the radius of the arc at each.
PIS = ((-0.7, 497.0, 0.0), (215.0, 499.5, 350.0), (505.0, 545.0, 300.0), (800.0, 462.0, 300.0))
BULB = (948.0, 486.0)
# Vertical points of intersection: station, crown elevation; rounded over 90 ft.
PROFILE = ((0.0, 835.2), (85.0, 833.6), (500.0, 842.6), (1000.0, 837.2))


def boundary() -> Polygon:
    """The plat limits: section line in the road, a house lot left out in the north-west."""
    slant = 0.0115  # grid north is 1.28 degrees off true; the section lines keep 0.66 of it
    corners = [(road_x(4.0), 4.0), (road_x(706.0), 706.0), (161.0, 708.0), (159.1, 871.0)]
    corners += [(990.0, 871.0 + 831.0 * slant), (1227.4, 792.0), (1236.0, 18.0)]
    return Polygon([(float(x), float(y)) for x, y in corners])


def county_road() -> LineString:
    """Centre line of the county road through the mapped extent."""
    y = np.array([YMIN, YMAX])
    return LineString(np.column_stack([road_x(y), y]))


def _arc(pi: np.ndarray, before: np.ndarray, after: np.ndarray, radius: float) -> np.ndarray:
    """Points of the arc of `radius` tangent to both legs at a point of intersection."""
    u = (before - pi) / np.hypot(*(before - pi))
    w = (after - pi) / np.hypot(*(after - pi))
    half = 0.5 * np.arccos(np.clip(u @ w, -1, 1))
    tangent = radius / np.tan(half)
    bisector = (u + w) / np.hypot(*(u + w))
    centre = pi + bisector * radius / np.sin(half)
    start, end = pi + u * tangent - centre, pi + w * tangent - centre
    first, last = np.arctan2(start[1], start[0]), np.arctan2(end[1], end[0])
    sweep = (last - first + np.pi) % (2 * np.pi) - np.pi
    angles = first + sweep * np.linspace(0, 1, max(3, int(abs(sweep) * radius / 4)))
    return centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])


def centre_line() -> LineString:
    """Street centre line from the section line to the centre of the turnaround."""
    points = [np.array(p[:2]) for p in PIS] + [np.array(BULB)]
    parts = [points[0][None]]
    for i in range(1, len(points) - 1):
        parts.append(_arc(points[i], points[i - 1], points[i + 1], PIS[i][2]))
    parts.append(points[-1][None])
    return LineString(np.vstack(parts)).segmentize(4.0)


def profile_ft(station: np.ndarray) -> np.ndarray:
    """Crown elevation along the centre line: straight grades with 90-ft vertical curves."""
    s = np.asarray(station, float)[..., None] + np.linspace(-45.0, 45.0, 31)
    at, up = np.array(PROFILE).T
    heights: np.ndarray = np.interp(s, at, up).mean(axis=-1)
    return heights


def pavement() -> Polygon:
    """Street pavement with 25-ft returns at the county road and at the turnaround."""
    line = centre_line()
    strip = line.buffer(PAVEMENT_HALF_FT, cap_style="flat", quad_segs=24)
    whole = strip | Point(BULB).buffer(BULB_PAVEMENT_FT, quad_segs=48)
    road = county_road().buffer(ROAD_PAVEMENT_HALF_FT, cap_style="flat")
    rounded = _with_returns(whole | road, 25.0) - road
    return _largest(without_tails(rounded & _street_belt(), 0.8))


def right_of_way() -> Polygon:
    """Street right of way with 20-ft corners."""
    strip = centre_line().buffer(ROW_HALF_FT, cap_style="flat", quad_segs=24)
    whole = strip | Point(BULB).buffer(BULB_ROW_FT, quad_segs=48)
    road = county_road().buffer(33.0, cap_style="flat")
    return _largest(without_tails((_with_returns(whole | road, 20.0) - road) & _street_belt(), 0.8))


def _street_belt() -> Polygon:
    """Where the street is: it cuts the fillets off the county road's own strip."""
    return box(0, 446, 200, 548) | box(200, 400, 1100, 600)


def _with_returns(shape: Polygon, radius: float) -> Polygon:
    """Fillets of `radius` in every re-entrant corner."""
    outer = shape.buffer(radius, quad_segs=24, join_style="mitre")
    return outer.buffer(-radius, quad_segs=24)


def _largest(shape: Polygon) -> Polygon:
    parts = getattr(shape, "geoms", [shape])
    return max(parts, key=lambda part: part.area)


@dataclass(frozen=True)
class Lot:
    """A house on its pad: the house, its drive and the height of the pad."""

    number: int
    side: int  # +1 left of the stationing (north), -1 right (south), 0 at the turnaround
    house: Polygon
    drive: Polygon
    pad_ft: float


# Stations of house centres on either side, and bearings (from the bulb's centre) round it.
NORTH_STATIONS = (128.0, 224.0, 320.0, 416.0, 512.0, 607.0, 701.0, 795.0)
SOUTH_STATIONS = (310.0, 410.0, 508.0, 606.0, 704.0, 800.0)
BULB_BEARINGS_DEG = (120.0, 16.0, -33.0, -98.0)


def _plan(mirror: bool, wide: float) -> tuple[Polygon, Polygon]:
    """House and drive in their own frame: front towards -y, front face of the house at y = 0."""
    main = box(-wide / 2, 0, wide / 2, 32)
    garage = box(wide / 2 - 24, -8, wide / 2, 20)
    bay = box(-wide / 2 + 6, 32, -wide / 2 + 24, 38)
    drive = box(wide / 2 - 21, -80, wide / 2 - 3, -8)
    house = union_all([main, garage, bay])
    if mirror:
        house, drive = (affinity.scale(g, -1, 1, origin=(0, 0)) for g in (house, drive))
    return house, drive


def _placed(shape: Polygon, at: np.ndarray, outward: np.ndarray) -> Polygon:
    """The plan turned so that its rear looks `outward`, its front middle at `at`."""
    turn = np.degrees(np.arctan2(outward[1], outward[0])) - 90
    turned = affinity.rotate(shape, turn, origin=(0, 0))
    return affinity.translate(turned, at[0], at[1])


PAD_BELOW_YARD_FT = 0.6  # the level ground under a house, below the yard grade that is stated


def _clear_of_contours(yard_ft: float) -> float:
    """A yard grade, to 0.1 ft, whose level pad lies half a foot or more from an even contour."""
    over = (yard_ft - PAD_BELOW_YARD_FT) % 2.0
    return round(yard_ft + float(np.clip(over, 0.5, 1.5)) - over, 1)


def lots() -> list[Lot]:
    """Every lot's house and drive, numbered from the entrance round the street."""
    line, street = centre_line(), pavement()
    spots: list[tuple[int, np.ndarray, np.ndarray, float, float]] = []
    for side, stations in ((1, NORTH_STATIONS), (-1, SOUTH_STATIONS)):
        for station in stations:
            a, b = (np.array(line.interpolate(station + d).coords[0]) for d in (-2, 2))
            along = (b - a) / np.hypot(*(b - a))
            outward = side * np.array([-along[1], along[0]])
            front = (a + b) / 2 + outward * (ROW_HALF_FT + SETBACK_FT)
            spots.append((side, front, outward, station, 3.2 if side > 0 else 2.4))
    for bearing in BULB_BEARINGS_DEG:
        outward = np.array([np.cos(np.radians(bearing)), np.sin(np.radians(bearing))])
        front = np.array(BULB) + outward * (BULB_ROW_FT + SETBACK_FT)
        spots.append((0, front, outward, line.length - 20, 2.6))
    order = [s for s in spots if s[0] > 0] + [s for s in spots if s[0] == 0]
    order += [s for s in spots if s[0] < 0][::-1]
    built = []
    for number, (side, front, outward, station, above) in enumerate(order, start=1):
        house, drive = _plan(number % 3 == 1, (54.0, 60.0, 56.0, 62.0)[number % 4])
        house, drive = (_placed(g, front, outward) for g in (house, drive))
        drive = _largest(drive - street - house)
        pad = _clear_of_contours(float(profile_ft(np.array([station]))[0]) + above)
        built.append(Lot(number, side, house, drive, pad))
    return built


def extent() -> Polygon:
    """The mapped extent."""
    return box(XMIN, YMIN, XMAX, YMAX)
