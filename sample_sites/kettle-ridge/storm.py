"""Storm sewer: inlets at the curb, pipes to the basins, outlets, culverts; rims off the design."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import street
from place import sample
from shapely.geometry import LineString, Point
from terrain import bank_ft, creek_y, road_ft, road_x

INLET_STATIONS = (90.0, 330.0, 690.0, 880.0)  # a pair each, one at either curb
CURB_FT = 13.0


@dataclass(frozen=True)
class Structure:
    """An inlet, manhole or end section."""

    id: str
    kind: str
    at: Point
    rim_ft: float
    invert_ft: float


@dataclass(frozen=True)
class Pipe:
    """A pipe from its upper to its lower end."""

    id: str
    kind: str
    line: LineString
    size_in: float
    material: str
    up_ft: float
    down_ft: float


def at_station(station: float, offset_ft: float) -> tuple[float, float]:
    """The point at a station and an offset (left of the stationing positive)."""
    line = street.centre_line()
    a, b = (np.array(line.interpolate(station + d).coords[0]) for d in (-1, 1))
    along = (b - a) / np.hypot(*(b - a))
    spot = (a + b) / 2 + offset_ft * np.array([-along[1], along[0]])
    return float(spot[0]), float(spot[1])


def _along(first: float, last: float, offset_ft: float) -> list[tuple[float, float]]:
    """Points along the street at an offset, every 25 ft."""
    count = max(2, int(abs(last - first) / 25))
    return [at_station(s, offset_ft) for s in np.linspace(first, last, count)]


def inlet_points() -> dict[str, tuple[float, float]]:
    """Inlets by id: pairs at the curb, odd ids on the north side, and one at the turnaround."""
    points = {}
    for i, station in enumerate(INLET_STATIONS):
        points[f"IN-{2 * i + 1}"] = at_station(station, CURB_FT)
        points[f"IN-{2 * i + 2}"] = at_station(station, -CURB_FT)
    bearing = np.radians(-62.0)
    reach = street.BULB_PAVEMENT_FT - 1.5
    points["IN-9"] = (
        street.BULB[0] + reach * float(np.cos(bearing)),
        street.BULB[1] + reach * float(np.sin(bearing)),
    )
    return points


def structures(proposed: np.ndarray) -> list[Structure]:
    """Inlets and end sections with rim and invert heights."""
    made = []
    depth = dict(
        zip(
            [f"IN-{i}" for i in range(1, 10)],
            (4.4, 4.8, 4.2, 4.4, 4.2, 4.4, 5.0, 5.2, 5.8),
            strict=True,
        )
    )
    for name, at in inlet_points().items():
        rim = round(float(sample(proposed, np.array([at]))[0]), 2)
        made.append(Structure(name, "inlet", Point(at), rim, round(rim - depth[name], 2)))
    for name, at, invert in OUTLETS:
        made.append(Structure(name, "endwall", Point(at), round(invert + 2.0, 2), invert))
    return made


# End sections: where pipes let water out (local feet, invert).
OUTLETS = (
    ("EW-1", (1078.0, 322.0), 818.6),  # street sewer into SB-1
    ("EW-2", (128.0, 342.0), 815.2),  # street sewer into SB-2
    ("EW-3", (1096.0, 187.0), 814.0),  # SB-1 outlet at the toe of the slope: OF-1
    ("EW-4", (62.0, 268.0), 812.6),  # SB-2 outlet above the road ditch: OF-2
    ("EW-5", (1171.0, 297.0), 819.9),  # from SB-1 into the infiltration basin
)


def pipes(found: list[Structure]) -> list[Pipe]:
    """Pipes, each falling from one structure to the next."""
    at = {s.id: (s.at.x, s.at.y) for s in found}
    low = {s.id: s.invert_ft for s in found}
    station = {f"IN-{2 * i + k}": s for i, s in enumerate(INLET_STATIONS) for k in (1, 2)}
    runs: list[tuple[str, str, list[tuple[float, float]], float]] = []
    for a in (1, 3, 5, 7):
        runs.append((f"IN-{a}", f"IN-{a + 1}", [], 12.0))
    runs.append(("IN-4", "IN-2", _along(station["IN-4"], station["IN-2"], -CURB_FT)[1:-1], 15.0))
    runs.append(("IN-6", "IN-8", _along(station["IN-6"], station["IN-8"], -CURB_FT)[1:-1], 15.0))
    runs.append(("IN-8", "IN-9", [(911.0, 457.0), (935.0, 449.0)], 18.0))
    runs.append(("IN-9", "EW-1", [(994.0, 404.0), (1024.0, 352.0)], 18.0))
    runs.append(("IN-2", "EW-2", [(104.0, 430.0)], 18.0))
    made = []
    for number, (a, b, between, size) in enumerate(runs, start=1):
        line = LineString([at[a], *between, at[b]])
        made.append(
            Pipe(
                f"P-{number}",
                "storm sewer",
                line,
                size,
                "RCP",
                low[a],
                round(min(low[b], low[a]), 2),
            )
        )
    made.append(
        Pipe(
            "P-10",
            "basin outlet",
            LineString([(1092.0, 262.0), at["EW-3"]]),
            18.0,
            "RCP",
            818.0,
            low["EW-3"],
        )
    )
    made.append(
        Pipe(
            "P-11",
            "basin outlet",
            LineString([(100.0, 322.0), at["EW-4"]]),
            15.0,
            "RCP",
            814.0,
            low["EW-4"],
        )
    )
    made.append(
        Pipe(
            "P-12",
            "basin outlet",
            LineString([(1122.0, 294.0), at["EW-5"]]),
            12.0,
            "RCP",
            820.3,
            low["EW-5"],
        )
    )
    return made


def culverts() -> list[Pipe]:
    """The creek under the county road, and the road ditch under the new street."""
    y0 = float(creek_y(np.array([0.0]))[0])
    x0 = float(road_x(np.array([y0]))[0])
    ends = [
        (x0 - 31.0, float(creek_y(np.array([x0 - 31.0]))[0])),
        (x0 + 31.0, float(creek_y(np.array([x0 + 31.0]))[0])),
    ]
    bed = float(bank_ft(np.array([0.0]))[0]) - 2.6
    ditch = [(float(road_x(np.array([y]))[0]) + 25.0, y) for y in (530.0, 464.0)]
    heights = [round(float(road_ft(np.array([y]))[0]) - 2.9, 1) for y in (530.0, 464.0)]
    return [
        Pipe(
            "CU-1",
            "corrugated metal",
            LineString(ends),
            60.0,
            "CMP",
            round(bed + 0.1, 1),
            round(bed - 0.1, 1),
        ),
        Pipe("CU-2", "concrete", LineString(ditch), 18.0, "RCP", heights[0], heights[1]),
    ]
