"""The ground of the clean site and what lies on it: geometries and fields, no site yet.

All places are in feet from the south-west corner of the boundary unless named otherwise; `at()`
turns them into State Plane (EPSG:6609, ftUS).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

import contourpy
import numpy as np
from shapely.affinity import translate
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs, parse_crs

CRS: Crs = parse_crs("EPSG:6609")
NOW = dt.date(2026, 5, 4)
EAST_FT, NORTH_FT = 2_469_500.0, 335_400.0  # south-west corner of the boundary
BOUNDARY = (0.0, 0.0, 800.0, 600.0)
MAP = (-100.0, -100.0, 900.0, 700.0)  # mapped extent: contours, roads and stream are cut at it
GRADED = (150.0, 200.0, 550.0, 500.0)
INTERVAL_FT = 2.0
CELL_FT = 100.0
SITE_ACRES = 800 * 600 / 43560  # 11.02
DISTURBED_ACRES = 400 * 300 / 43560  # 2.75


def at(geometry: BaseGeometry) -> BaseGeometry:
    """A geometry drawn from the boundary's corner, put on the State Plane."""
    return translate(geometry, EAST_FT, NORTH_FT)


def rectangle(xmin: float, ymin: float, xmax: float, ymax: float) -> Polygon:
    """A rectangle on the State Plane from feet off the boundary's corner."""
    return at(box(xmin, ymin, xmax, ymax))


def point(x: float, y: float) -> Point:
    """A point on the State Plane from feet off the boundary's corner."""
    return at(Point(x, y))


def line(*xy: tuple[float, float]) -> LineString:
    """A line on the State Plane from feet off the boundary's corner."""
    return at(LineString(xy))


def ground_ft(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Existing ground, ft NAVD88: 4 % down to the south, half a percent down to the east."""
    return 806.37 + 0.04 * y - 0.005 * x + 1.0 * np.sin(2 * np.pi * x / 1000.0)


def graded_ft(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ground after grading: a rise of at most 3 ft that runs out at the limits of grading."""
    xmin, ymin, xmax, ymax = GRADED
    u, v = (x - xmin) / (xmax - xmin), (y - ymin) / (ymax - ymin)
    return ground_ft(x, y) + 3.0 * np.sin(np.pi * u) * np.sin(np.pi * v)


def contours(
    surface: Callable[[np.ndarray, np.ndarray], np.ndarray],
    extent: tuple[float, float, float, float],
    interval_ft: float = INTERVAL_FT,
) -> list[tuple[LineString, float]]:
    """(line on the State Plane, elevation in ft) for every level of a surface in an extent."""
    x = np.arange(extent[0], extent[2] + 1, 10.0)
    y = np.arange(extent[1], extent[3] + 1, 10.0)
    z = surface(*np.meshgrid(x, y))
    generator = contourpy.contour_generator(x, y, z)
    first = np.ceil(z.min() / interval_ft) * interval_ft
    levels = np.arange(first, z.max(), interval_ft)
    return [(at(LineString(xy)), float(level)) for level in levels for xy in generator.lines(level)]


def contour_features(lines: Sequence[tuple[LineString, float]]) -> dict[str, Any]:
    """Geometry, elevation and kind columns of a contour layer."""
    return {
        "geometry": [geometry for geometry, _ in lines],
        "elevation": [level for _, level in lines],
        "kind": ["index" if level % 10 == 0 else "intermediate" for _, level in lines],
    }


def grid_cells() -> dict[str, Any]:
    """Cells of 100 ft over the whole map: letters across without I and O, numbers down."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    columns, rows = int((MAP[2] - MAP[0]) / CELL_FT), int((MAP[3] - MAP[1]) / CELL_FT)
    cells, labels = [], []
    for row in range(rows):
        for column in range(columns):
            left, top = MAP[0] + column * CELL_FT, MAP[3] - row * CELL_FT
            cells.append(rectangle(left, top - CELL_FT, left + CELL_FT, top))
            labels.append(f"{letters[column]}{row + 1}")
    return {"geometry": cells, "label": labels}


def controls() -> dict[str, Any]:
    """Controls of the clean site: the fence along the contour with its ends turned up, and so on.

    MPC-2 stands round the stockpile; MPC-1 cuts the slope above the fence SF-1; MPC-3 keeps what
    runs off to the east from going around it.
    """
    made = [
        ("SF-1", line((138, 181), (150, 165), (300, 172), (548, 198), (560, 216)), "WDNR 1056"),
        ("SB-1", rectangle(440, 210, 530, 270), "WDNR 1064"),
        ("TP-1", rectangle(300, 480, 330, 498), "WDNR 1057"),
        ("MPC-1", line((150, 231), (300, 238), (432, 250)), "WDNR 1071"),
        ("MPC-2", line((452, 366), (452, 322), (508, 322), (508, 366)), "WDNR 1071"),
        ("ST-1", rectangle(250, 202, 320, 234), "WDNR 1063"),
        ("IP-1", point(620, 350), "WDNR 1060"),
        ("OP-1", rectangle(490, 135, 510, 155), None),
        ("MPC-3", line((552, 206), (552, 500)), "WDNR 1071"),
    ]
    return {
        "geometry": [shape for _, shape, _ in made],
        "id": [name for name, _, _ in made],
        "type": [name.split("-")[0] for name, _, _ in made],
        "structural": ["yes"] * len(made),
        "standard": [standard for _, _, standard in made],
        "phase": ["1"] * len(made),
    }


def clean_features() -> dict[str, dict[str, Any]]:
    """Every role that is drawn on the clean site: geometry and the canonical fields that it has."""
    wetland = rectangle(560, 60, 700, 120)
    return {
        "boundary": {"geometry": [rectangle(*BOUNDARY)], "name": ["Hillside Acres"]},
        "disturbance": {
            "geometry": [rectangle(*GRADED)],
            "id": ["D-1"],
            "phase": ["1"],
            "activity": ["mass grading"],
            "acres": [round(DISTURBED_ACRES, 2)],
            "start": ["2026-06-01"],
            "end": ["2026-10-15"],
        },
        "contours_existing": contour_features(contours(ground_ft, MAP)),
        "contours_proposed": contour_features(contours(graded_ft, GRADED)),
        "vegetation": {
            "geometry": [rectangle(20, 520, 780, 590), rectangle(20, 60, 140, 500)],
            "cover": ["woods", "grass"],
        },
        "roads": {
            "geometry": [line((-100, 640), (900, 640))],
            "name": ["Woods Road"],
            "surface": ["asphalt"],
        },
        "streams": {
            "geometry": [line((-100, 40), (300, 30), (900, 20))],
            "name": ["Tess Corners Creek"],
            "kind": ["stream"],
            "flow_direction": ["digitized"],
        },
        "wetlands": {
            "geometry": [wetland],
            "id": ["W-1"],
            "class": ["E2K"],
            "acres": [round(wetland.area / 43560, 2)],
            "delineator": ["Kettle Wetland Services"],
            "delineation_date": ["2025-09-12"],
            "source": ["field delineation"],
        },
        "floodplain": {
            "geometry": [rectangle(-100, 45, 900, 58), rectangle(-100, 5, 900, 45)],
            "zone": ["AE", "AE"],
            "subtype": ["floodfringe", "floodway"],
            "bfe": [808.0, 808.0],
            "panel": ["55133C0334G", "55133C0334G"],
            "effective_date": ["2014-11-05", "2014-11-05"],
        },
        "drainage_areas": {
            "geometry": [rectangle(150, 200, 350, 500), rectangle(350, 200, 550, 500)],
            "id": ["DA-1", "DA-2"],
            "acres": [1.38, 1.38],
            "slope_pct": [4.0, 4.0],
            "outfall": ["OF-1", "OF-1"],
        },
        "flow_arrows": {
            "geometry": [line((250, 450), (250, 300)), line((450, 450), (450, 300))],
            "id": ["FA-1", "FA-2"],
            "slope_pct": [4.0, 4.0],
            "from_area": ["DA-1", "DA-2"],
            "to_outfall": ["OF-1", "OF-1"],
        },
        "outfalls": {
            "geometry": [point(500, 150)],
            "id": ["OF-1"],
            "kind": ["pipe"],
            "drainage_area": ["DA-2"],
            "acres": [2.75],
        },
        "controls": controls(),
        "activities": {
            "geometry": [rectangle(460, 330, 500, 360), point(315, 500)],
            "id": ["SP-1", "CE-1"],
            "type": ["SP", "CE"],
            "days": [60.0, 120.0],
        },
        "inlets": {
            "geometry": [point(620, 350)],
            "id": ["IN-1"],
            "kind": ["inlet"],
            "rim_ft": [819.2],
            "invert_ft": [815.0],
        },
        "soils": {
            "geometry": [rectangle(*MAP)],
            "map_unit": ["HmB2"],
            "name": ["Hochheim loam, 2 to 6 percent slopes"],
            "k_factor": [0.32],
            "hydrologic_group": ["B"],
        },
        "stabilization": {
            "geometry": [rectangle(150, 350, 550, 500)],
            "id": ["ST-1"],
            "type": ["MU"],
            "term": ["permanent"],
            "date": ["2026-10-15"],
        },
        "revegetation": {
            "geometry": [rectangle(150, 270, 550, 350), rectangle(150, 200, 550, 270)],
            "id": ["RV-1", "RV-2"],
            "type": ["permanent seeding", "permanent seeding"],
            "date": ["2026-10-15", "2026-10-15"],
        },
        "discharges": {
            "geometry": [point(532, 26.1)],
            "id": ["DP-1"],
            "outfall": ["OF-1"],
            "receiving_water": ["Tess Corners Creek"],
            "distance_ft": [124.0],
        },
        "infiltration": {
            "geometry": [rectangle(170, 210, 240, 260)],
            "id": ["INF-1"],
            "type": ["infiltration basin"],
        },
        "grid": grid_cells(),
    }
