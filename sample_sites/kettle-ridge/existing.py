"""Layers of what is there: topography, cover, roads, waters, wetlands, soils, floodplain."""

from __future__ import annotations

import contours
import cover
import grading
import numpy as np
import shapely
import street
import water as wet
from areas import polygons
from ground import Frames, Ground, acres, frame
from place import XMAX, XMIN, YMAX, YMIN
from shapely.geometry import LineString, Point, box
from terrain import existing_ft, road_ft, road_x


def topography(g: Ground) -> Frames:
    """Contours and spot elevations."""
    made: Frames = {}
    made["contours_existing"] = frame(contours.existing_contours(g.before), "elevation", "kind")
    made["contours_proposed"] = frame(
        contours.proposed_contours(g.before, g.after, g.limits), "elevation", "kind"
    )
    made["spot_elevations"] = frame(_spots(g), "elevation", "description")
    return made


def _spots(g: Ground) -> list[tuple[object, ...]]:
    """Tops, saddles and road crowns before; street crown, pads and berms after."""
    rows: list[tuple[object, ...]] = []
    for x, y in (
        (283, 852),
        (660, 820),
        (960, 800),
        (1150, 700),
        (1185, 600),
        (500, 190),
        (820, 170),
        (300, 40),
        (900, 20),
    ):
        height = float(existing_ft(np.array([float(x)]), np.array([float(y)]))[0])
        rows.append((round(height, 1), "existing ground", Point(x, y)))
    for y in (120.0, 330.0, 640.0):
        at = float(road_x(np.array([y]))[0])
        rows.append(
            (round(float(road_ft(np.array([y]))[0]), 1), "existing road crown", Point(at, y))
        )
    line = street.centre_line()
    for station in (90.0, 250.0, 420.0, 510.0, 620.0, 790.0, 900.0):
        rows.append(
            (
                round(float(street.profile_ft(np.array([station]))[0]), 2),
                "street crown",
                line.interpolate(station),
            )
        )
    for basin in grading.BASINS:
        rim = basin.rim.buffer(basin.berm_ft / 2).exterior
        rows.append(
            (basin.top_ft, f"top of berm {basin.id}", rim.interpolate(0.55, normalized=True))
        )
        rows.append((basin.floor_ft, f"bottom {basin.id}", basin.floor.representative_point()))
    for lot in street.lots():
        rows.append((lot.pad_ft, f"yard grade, lot {lot.number}", lot.house.representative_point()))
    return rows


def surroundings(g: Ground) -> Frames:
    """Vegetation, street, watercourses, pond and wetlands."""
    w = g.water
    made: Frames = {}
    made["vegetation"] = frame(cover.vegetation(g.before, w), "cover")
    paved = street.pavement()
    centre = street.centre_line()
    edges = paved.boundary.intersection(box(14.0, 400, 1100, 600))
    rows: list[tuple[object, ...]] = [("Kettle Ridge Court", "proposed centre line", centre)]
    rows += [(None, "proposed curb", part) for part in _lines(edges)]
    row = street.right_of_way().boundary.intersection(box(39.0, 400, 1100, 600))
    rows += [(None, "right of way", part) for part in _lines(row)]
    made["street"] = frame(rows, "name", "surface")
    rows = [("Marl Creek", "stream", "digitized", w.creek)]
    rows += [
        (f"Ransom Road ditch, {side}", "ditch", "digitized", d)
        for side, d in zip(("west", "east"), w.ditches, strict=True)
    ]
    made["watercourses"] = frame(rows, "name", "kind", "flow_direction")
    made["ponds"] = frame([("Kettle pond", "pond", w.pond)], "name", "kind")
    made["wetlands"] = frame(
        [
            ("W-1", "Wet meadow (PEM1B)", acres(w.creek_wetland), *DELINEATION, w.creek_wetland),
            (
                "W-2",
                "Shallow marsh fringe (PEM1F)",
                acres(w.kettle_wetland),
                *DELINEATION,
                w.kettle_wetland,
            ),
        ],
        "id",
        "class",
        "acres",
        "delineator",
        "delineation_date",
        "source",
    )
    return made


DELINEATION = (
    "T. Halvorsen, Sedge & Tamarack Ecological, LLC (WDNR assured)",
    "2026-06-17",
    "Field delineation, report 26-041 of 2026-07-08, flags located by GNSS",
)


def _lines(shape: shapely.Geometry) -> list[LineString]:
    merged = shapely.line_merge(shape) if shape.geom_type != "LineString" else shape
    return [p for p in getattr(merged, "geoms", [merged]) if p.length > 5.0]


def county(g: Ground) -> Frames:
    """What the county, the survey and FEMA give, with their own field names."""
    panel = ("55133C0999Z", "2021-10-21")
    flood = [("AE", "FLOODWAY", wet.BFE_FT, *panel, p) for p in polygons(g.water.floodway, 500.0)]
    flood += [("AE", "FLOODFRINGE", wet.BFE_FT, *panel, p) for p in polygons(g.water.fringe, 500.0)]
    road = street.county_road()
    lanes = [
        road.offset_curve(d) for d in (-street.ROAD_PAVEMENT_HALF_FT, street.ROAD_PAVEMENT_HALF_FT)
    ]
    rows: list[tuple[object, ...]] = [("Ransom Road (C.T.H. RR)", "centre line", road)]
    rows += [(None, "edge of pavement", lane) for lane in lanes]
    soil = [(*unit, piece) for unit, piece in cover.soils(g.before)]
    city = box(XMIN - 9000, YMIN - 9000, XMAX + 9000, YMAX + 9000)
    return {
        "flood_hazard": frame(
            flood, "FLD_ZONE", "ZONE_SUBTY", "STATIC_BFE", "FIRM_PAN", "EFF_DATE"
        ),
        "road_centerline": frame(rows, "ROADNAME", "SURFACE"),
        "soils": frame(soil, "MUSYM", "MUNAME", "KWFACT", "HYDGRPDCD"),
        "municipal_limits": frame([("City of Muskego", city)], "MUNI_NAME"),
    }
