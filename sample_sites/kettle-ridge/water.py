"""Creek, ditches, pond, wetlands and floodplain, all read off the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
import street
from areas import below, eased, polygons
from grading import smooth
from place import XMAX, XMIN, YMAX, YMIN, cell_centres
from shapely import Polygon
from shapely.geometry import LineString, Point, box
from terrain import POND_FT, bank_ft, creek_y, road_ditch, road_x, valley_axis

BFE_FT = 811.2  # static: backwater of the lake downstream
FLOODWAY_HALF_FT = 42.0
ROAD_CROSSING_FT = 30.0  # the culvert's half length


@dataclass(frozen=True)
class Water:
    """Everything wet, in local feet."""

    creek: LineString
    ditches: tuple[LineString, ...]
    pond: Polygon
    creek_wetland: Polygon
    kettle_wetland: Polygon
    floodway: shapely.Geometry
    fringe: shapely.Geometry


def creek() -> LineString:
    """The creek in the direction of flow: in from the west, out to the south-east."""
    x = np.arange(XMIN, XMAX + 0.1, 4.0)
    return LineString(np.column_stack([x, creek_y(x)]))


def _road_ditches(water: LineString) -> tuple[LineString, ...]:
    """Ditch lines either side of the county road, falling to the creek."""
    made = []
    y = np.arange(820.0, 165.0, -15.0)
    for side in (-1, 1):
        offset, _ = road_ditch(y, side)
        x = road_x(y) + side * offset
        mouth = float(x[-1])
        points = np.vstack([np.column_stack([x, y]), [mouth, float(creek_y(np.array([mouth]))[0])]])
        made.append(smooth(LineString(points), 10.0))
    return tuple(made)


def find_water(ground: np.ndarray) -> Water:
    """Water and wetland of the ground before grading."""
    x, y = cell_centres()
    line = creek()
    near_kettle = np.hypot(x - 1050, y - 668) < 150
    hollow = np.where(near_kettle, ground, 999.0)
    pond = eased(below(hollow, POND_FT + 0.06), 6.0)
    fringe = eased(below(hollow, POND_FT + 2.2), 6.0)
    meadow = np.where(np.abs(y - valley_axis(x)) < 190, ground - bank_ft(x), 99.0)
    wobble = 0.22 * np.sin(x / 63.0) * np.sin(y / 47.0) + 0.14 * np.sin(x / 29.0 + 1.0)
    wet = eased(below(meadow + wobble, 0.95), 9.0)
    east_of_road = box(46.0, YMIN, XMAX, YMAX)
    reach = street.boundary().buffer(60.0, join_style="mitre")
    wet = polygons(wet & east_of_road & reach)[0]
    flooded = np.where(np.abs(y - valley_axis(x)) < 230, ground, 999.0)
    flood = eased(below(flooded, BFE_FT, 3000.0), 5.0)
    axis = smooth(LineString(line.coords), 70.0)
    way = axis.buffer(FLOODWAY_HALF_FT, quad_segs=16).simplify(0.2) & street.extent()
    return Water(
        creek=line,
        ditches=_road_ditches(line),
        pond=polygons(pond)[0],
        creek_wetland=Polygon(wet.exterior),
        kettle_wetland=polygons(fringe - pond)[0],
        floodway=way,
        fringe=flood - way,
    )


def point_at(water: LineString, x: float) -> Point:
    """Where the creek crosses an easting."""
    return Point(x, float(creek_y(np.array([x]))[0]))
