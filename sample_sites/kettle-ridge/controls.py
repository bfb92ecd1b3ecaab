"""Erosion and sediment controls where the design puts them, each with id, type and standard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
import street
from areas import eased, polygons
from grading import BASINS, Limits, contour_between
from place import sample
from shapely import Polygon, affinity
from shapely.geometry import LineString, Point
from shapely.ops import substring
from storm import at_station, inlet_points
from water import Water


@dataclass(frozen=True)
class Control:
    """One control as it goes into the layer."""

    id: str
    type: str
    shape: shapely.Geometry
    structural: bool
    standard: str
    phase: str


STANDARD = {
    "SF": "WDNR 1056",
    "MPC": "WDNR 1071",
    "IP": "WDNR 1060",
    "TP": "WDNR 1057",
    "DC": "WDNR 1062",
    "SB": "WDNR 1064",
    "DV": "WDNR 1066",
    "EM": "WDNR 1052",
    "VB": "WDNR 1054",
    "CW": "",
    "OP": "",
}
NOT_STRUCTURAL = ("EM", "VB")
STOCKPILE = (1122.0, 474.0)
APRONS = {  # outlet protection: pipe end, bearing of flow in degrees, length
    "OP-1": ((1096.0, 187.0), -90.0, 20.0),
    "OP-2": ((62.0, 268.0), -128.0, 16.0),
    "OP-3": ((1078.0, 322.0), -62.0, 18.0),
    "OP-4": ((128.0, 342.0), -80.0, 16.0),
    "OP-5": ((1171.0, 297.0), 0.0, 12.0),
    "OP-6": ((980.0, 628.5), 0.0, 14.0),  # the ridge diversion's end at the kettle
}


def apron(at: tuple[float, float], bearing_deg: float, length: float) -> Polygon:
    """A riprap apron that widens from 6 ft at the pipe."""
    half = 3.0 + length * 0.22
    shape = Polygon([(0, -3), (length, -half), (length, half), (0, 3)])
    turned = affinity.rotate(shape.buffer(1.0, quad_segs=4), bearing_deg, origin=(0, 0))
    return affinity.translate(turned, *at)


def ends_turned_up(line: LineString, ground: np.ndarray, reach_ft: float = 14.0) -> LineString:
    """A fence whose two ends turn up the slope so that water cannot go round."""
    points = np.array(line.simplify(0.4).coords)
    out = [points]
    for end, inner, first in ((points[0], points[1], True), (points[-1], points[-2], False)):
        probe = end + np.array([(4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0)])
        east, west, north, south = sample(ground, probe)
        up = np.array([east - west, north - south])
        on = (end - inner) / np.hypot(*(end - inner))
        turn = up / np.hypot(*up)
        hook = np.array([end + reach_ft * (f * turn + (1 - f) * 0.5 * on) * f for f in (0.5, 1.0)])
        out = [hook[::-1], *out] if first else [*out, hook]
    return LineString(np.vstack(out))


WATTLES = {  # slope interruption above a fence: level, from, to
    "MPC-1": (822.8, (1214.0, 240.0), (1138.0, 245.0)),
    "MPC-2": (823.2, (1022.0, 222.0), (1070.0, 232.0)),
    "MPC-3": (840.6, (966.0, 590.0), (1090.0, 566.0)),
}


def stockpile() -> Polygon:
    """The topsoil stockpile."""
    round_heap = affinity.scale(Point(STOCKPILE).buffer(1.0, quad_segs=32), 30.0, 20.0)
    return affinity.rotate(round_heap, -18.0)


def _pile_fence() -> LineString:
    """Round the heap, open for 40 ft on the upslope side where loaders come in."""
    ring = stockpile().buffer(8.0, quad_segs=24).exterior
    gap = ring.project(Point(STOCKPILE[0] + 6.0, STOCKPILE[1] + 60.0))
    first, last = gap + 20.0, gap - 20.0 + ring.length
    doubled = LineString(np.vstack([ring.coords, np.array(ring.coords)[1:]]))
    return substring(doubled, first, last)


def tracking_pad() -> Polygon:
    """Stone over the full egress, 75 ft long from the county road's edge."""
    line = substring(street.centre_line(), 18.0, 93.0)
    return line.buffer(12.0, cap_style="flat")


def washout() -> Polygon:
    """A lined concrete washout beside the entrance."""
    at = at_station(118.0, -46.0)
    return affinity.translate(shapely.box(-12, -8, 12, 8), *at)


def buffer_strip(water: Water, found: Limits) -> Polygon:
    """50 ft of meadow kept above the creek's wetland, on the site and outside the disturbance."""
    wet = water.creek_wetland
    strip = (wet.buffer(50.0) - wet) & street.boundary().buffer(-6.0)
    strip = strip - found.shape.buffer(4.0) - street.county_road().buffer(42.0)
    north = [p for p in polygons(eased(strip, 14.0), 2000.0) if p.centroid.y > 120]
    return north[0]


def _checks(line: LineString, at_ft: tuple[float, ...], half: float = 8.0) -> list[LineString]:
    """Stone ditch checks across a channel."""
    made = []
    for distance in at_ft:
        a, b = (np.array(line.interpolate(distance + d).coords[0]) for d in (-2, 2))
        along = (b - a) / np.hypot(*(b - a))
        across = np.array([-along[1], along[0]]) * half
        made.append(LineString([(a + b) / 2 - across, (a + b) / 2 + across]))
    return made


def controls(ground: np.ndarray, found: Limits, water: Water) -> list[Control]:
    """Every control, in the order of the schedule."""
    made: list[tuple[str, shapely.Geometry, str]] = []
    for name, line in found.fences.items():
        made.append((name, ends_turned_up(line, ground), "1"))
    made.append(("SF-5", _pile_fence(), "1"))
    made += [(name, contour_between(ground, *where), "1") for name, where in WATTLES.items()]
    made.append(("TP-1", tracking_pad(), "1"))
    for name, at in inlet_points().items():
        made.append(
            (
                name.replace("IN", "IP"),
                Point(at),
                "1" if name in ("IN-1", "IN-2", "IN-3", "IN-4") else "2",
            )
        )
    made += [(s.id, s.line, "1") for s in found.swales]
    checks = []
    for swale in found.swales:
        length = swale.line.length
        spots = tuple(np.arange(90.0, length - 40.0, 150.0))
        checks += _checks(swale.line, spots)
    ditch = water.ditches[1]
    checks += _checks(
        ditch, tuple(ditch.project(Point(30.0, y)) for y in (440.0, 370.0, 310.0)), 5.0
    )
    made += [(f"DC-{i}", line, "1") for i, line in enumerate(checks, start=1)]
    for basin in BASINS[:2]:
        made.append((basin.id, basin.rim, "1"))
    made += [(name, apron(*where), "1") for name, where in APRONS.items()]
    made.append(("VB-1", buffer_strip(water, found), "1"))
    made.append(("CW-1", washout(), "1"))
    return [
        Control(name, kind, shape, kind not in NOT_STRUCTURAL, STANDARD[kind], phase)
        for name, shape, phase in made
        for kind in (name.split("-")[0],)
    ]
