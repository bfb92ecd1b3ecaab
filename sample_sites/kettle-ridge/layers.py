"""The site as named frames: every layer with its attributes, in local feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import contours
import controls as esc
import cover
import drainage
import geopandas
import grading
import numpy as np
import shapely
import storm
import street
import water as wet
from areas import polygons
from place import GRID_CELL_FT, XMAX, XMIN, YMAX, YMIN
from shapely import Polygon
from shapely.geometry import LineString, MultiPolygon, Point, box
from terrain import existing_ft, existing_surface, road_ft, road_x

SQFT_PER_ACRE = 43_560.0
Frames = dict[str, geopandas.GeoDataFrame]


@dataclass(frozen=True)
class Drawn:
    """Everything that is written."""

    design: Frames
    county: Frames
    elevation_ft: np.ndarray
    elevation_cell_ft: float


@dataclass(frozen=True)
class Ground:
    """What the layers are read from."""

    before: np.ndarray
    after: np.ndarray
    limits: grading.Limits
    water: wet.Water
    final: cover.FinalCover
    areas: list[drainage.DrainageArea]


def _frame(rows: Sequence[tuple[object, ...]], *columns: str) -> geopandas.GeoDataFrame:
    """Rows of (attributes ..., geometry)."""
    data = {name: [row[i] for row in rows] for i, name in enumerate(columns)}
    return geopandas.GeoDataFrame(data, geometry=[row[-1] for row in rows])


def acres(shape: shapely.Geometry) -> float:
    """Acres to 0.01."""
    return round(float(shape.area) / SQFT_PER_ACRE, 2)


def survey() -> Ground:
    """The ground before and after, and what follows from it."""
    before = existing_surface()
    limits = grading.limits(before)
    after = grading.proposed_surface(before, limits)
    water = wet.find_water(before)
    return Ground(
        before,
        after,
        limits,
        water,
        cover.final_cover(after, limits),
        drainage.drainage_areas(after, water),
    )


def draw() -> Drawn:
    """All layers."""
    ground = survey()
    design: Frames = {
        "boundary": _frame(
            [("Kettle Ridge, plat limits", acres(street.boundary()), street.boundary())],
            "name",
            "acres",
        ),
        **_topography(ground),
        **_surroundings(ground),
        **_sewers(ground),
        **_runoff(ground),
        **_works(ground),
        "reference_grid": reference_grid(),
    }
    x, y = (np.arange(a + 2.5, b, 5.0) for a, b in ((XMIN, XMAX), (YMIN, YMAX)))
    heights = existing_ft(*np.meshgrid(x, y))
    return Drawn(design, _county(ground), heights, 5.0)


def _topography(g: Ground) -> Frames:
    made: Frames = {}
    made["contours_existing"] = _frame(contours.existing_contours(g.before), "elevation", "kind")
    made["contours_proposed"] = _frame(
        contours.proposed_contours(g.before, g.after, g.limits), "elevation", "kind"
    )
    made["spot_elevations"] = _frame(_spots(g), "elevation", "description")
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


def _surroundings(g: Ground) -> Frames:
    w = g.water
    made: Frames = {}
    made["vegetation"] = _frame(cover.vegetation(g.before, w), "cover")
    paved = street.pavement()
    centre = street.centre_line()
    edges = paved.boundary.intersection(box(14.0, 400, 1100, 600))
    rows: list[tuple[object, ...]] = [("Kettle Ridge Court", "proposed centre line", centre)]
    rows += [(None, "proposed curb", part) for part in _lines(edges)]
    row = street.right_of_way().boundary.intersection(box(39.0, 400, 1100, 600))
    rows += [(None, "right of way", part) for part in _lines(row)]
    made["street"] = _frame(rows, "name", "surface")
    rows = [("Marl Creek", "stream", "digitized", w.creek)]
    rows += [
        (f"Ransom Road ditch, {side}", "ditch", "digitized", d)
        for side, d in zip(("west", "east"), w.ditches, strict=True)
    ]
    made["watercourses"] = _frame(rows, "name", "kind", "flow_direction")
    made["ponds"] = _frame([("Kettle pond", "pond", w.pond)], "name", "kind")
    made["wetlands"] = _frame(
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


def _sewers(g: Ground) -> Frames:
    structures = storm.structures(g.after)
    pipe_columns = ("id", "kind", "size_in", "material", "invert_up_ft", "invert_down_ft")

    def rows(pipes: list[storm.Pipe]) -> list[tuple[object, ...]]:
        return [(p.id, p.kind, p.size_in, p.material, p.up_ft, p.down_ft, p.line) for p in pipes]

    return {
        "inlets": _frame(
            [(s.id, s.kind, s.rim_ft, s.invert_ft, s.at) for s in structures],
            "id",
            "kind",
            "rim_ft",
            "invert_ft",
        ),
        "storm_sewers": _frame(rows(storm.pipes(structures)), *pipe_columns),
        "culverts": _frame(rows(storm.culverts()), *pipe_columns),
    }


ARROWS = (  # start, length
    ((300, 640), 80),
    ((132, 648), 56),
    ((150, 440), 75),
    ((420, 640), 70),
    ((585, 400), 70),
    ((760, 600), 70),
    ((850, 400), 60),
    ((1010, 385), 55),
    ((1060, 470), 70),
    ((520, 280), 90),
    ((800, 265), 80),
    ((330, 820), 90),
    ((640, 780), 90),
    ((980, 830), 90),
    ((1180, 640), 80),
    ((1150, 380), 60),
    ((200, 225), 80),
    ((1140, 196), 60),
)


def _runoff(g: Ground) -> Frames:
    acres_to = {
        of: round(sum(acres(a.shape) for a in g.areas if a.outfall == of), 2)
        for of in ("OF-1", "OF-2", "OF-3")
    }
    made: Frames = {}
    made["drainage_areas"] = _frame(
        [(a.id, acres(a.shape), a.slope_pct, a.outfall, a.shape) for a in g.areas],
        "id",
        "acres",
        "slope_pct",
        "outfall",
    )
    rows: list[tuple[object, ...]] = []
    for number, (start, length) in enumerate(ARROWS, start=1):
        line, slope = drainage.arrow(g.after, (float(start[0]), float(start[1])), float(length))
        area = next((a for a in g.areas if a.shape.contains(Point(start))), None)
        rows.append(
            (f"FA-{number}", slope, area.id if area else None, area.outfall if area else None, line)
        )
    made["flow_arrows"] = _frame(rows, "id", "slope_pct", "from_area", "to_outfall")
    made["steep_slopes"] = _frame(
        [
            (f"SS-{i}", slope, shape)
            for i, (shape, slope) in enumerate(drainage.steep_slopes(g.before), start=1)
        ],
        "id",
        "slope_pct",
    )
    ends = {name: Point(at) for name, at, _ in storm.OUTLETS}
    served = {of: ", ".join(a.id for a in g.areas if a.outfall == of) for of in acres_to}
    made["outfalls"] = _frame(
        [
            ("OF-1", "pipe end section", served["OF-1"], acres_to["OF-1"], ends["EW-3"]),
            ("OF-2", "pipe end section", served["OF-2"], acres_to["OF-2"], ends["EW-4"]),
            ("OF-3", "diversion end", served["OF-3"], acres_to["OF-3"], _ridge_end(g)),
        ],
        "id",
        "kind",
        "drainage_area",
        "acres",
    )
    made["discharges"] = _discharges(g, ends["EW-3"], ends["EW-4"])
    return made


def _ridge_end(g: Ground) -> Point:
    """Where the ridge diversion lets clean water go down to the kettle."""
    return Point(g.limits.swales[0].line.coords[-1])


def _discharges(g: Ground, first: Point, second: Point) -> geopandas.GeoDataFrame:
    """Where the outfalls' water reaches wetland and creek, with the distance along flow."""
    w = g.water
    creek_near = wet.point_at(w.creek, first.x + 34.0)
    path = LineString(
        [first, (first.x + 3, first.y - 25), (first.x + 14, first.y - 60), creek_near]
    )
    edge = path.intersection(w.creek_wetland.exterior)
    edge = edge if isinstance(edge, Point) else edge.geoms[0]
    ditch = w.ditches[1]
    joins = ditch.project(Point(second.x, second.y - 20.0))
    mouth = Point(ditch.coords[-1])
    by_ditch = second.distance(ditch.interpolate(joins)) + ditch.length - joins
    third = _ridge_end(g)
    down = LineString([third, g.water.pond.centroid])
    marsh = down.intersection(w.kettle_wetland.exterior)
    return _frame(
        [
            ("DP-1", "OF-1", "Wetland W-1", round(path.project(edge)), edge),
            ("DP-2", "OF-1", "Marl Creek", round(path.length), creek_near),
            ("DP-3", "OF-2", "Marl Creek", round(by_ditch), mouth),
            ("DP-4", "OF-3", "Wetland W-2", round(third.distance(marsh)), marsh),
        ],
        "id",
        "outfall",
        "receiving_water",
        "distance_ft",
    )


PHASES = (
    ("D-1", "1", "Entrance, SB-2, street, sewer and lots 1-3, 18", "2027-04-12", "2027-07-30"),
    ("D-2", "2", "SB-1, IB-1, street, sewer and lots 7-14", "2027-05-17", "2027-09-10"),
    ("D-3", "3", "Street, sewer and lots 4-6, 15-17", "2027-07-12", "2027-10-08"),
)


def _phase_shapes(limit: Polygon) -> list[Polygon]:
    """The limits of disturbance cut into phases at two lot lines."""

    def cut(station: float) -> np.ndarray:
        ends = [np.array(storm.at_station(station, off)) for off in (420.0, -420.0)]
        return np.array(ends)

    west, east = cut(367.0), cut(655.0)
    far = box(-500, -500, 2500, 2500)
    left = Polygon([west[0], west[1], (-500, west[1][1]), (-500, west[0][1])]) & far
    right = Polygon([east[0], east[1], (2500, east[1][1]), (2500, east[0][1])]) & far
    first, second = limit & left, limit & right
    third = limit - left - right
    return [polygons(p)[0] for p in (first, second, third)]


def _works(g: Ground) -> Frames:
    made: Frames = {}
    shapes = _phase_shapes(g.limits.shape)
    made["disturbance"] = _frame(
        [
            (i, phase, what, acres(s), start, end, s)
            for (i, phase, what, start, end), s in zip(PHASES, shapes, strict=True)
        ],
        "id",
        "phase",
        "activity",
        "acres",
        "start",
        "end",
    )
    placed = esc.controls(g.before, g.limits, g.water)
    columns = ("id", "type", "structural", "standard", "phase")
    for name, kind in (
        ("controls_points", "Point"),
        ("controls_lines", "LineString"),
        ("controls_areas", "Polygon"),
    ):
        made[name] = _frame(
            [
                (
                    c.id,
                    c.type,
                    "yes" if c.structural else "no",
                    c.standard or None,
                    c.phase,
                    c.shape,
                )
                for c in placed
                if c.shape.geom_type == kind
            ],
            *columns,
        )
    mouth = street.pavement() & box(0, 440, 36, 560)
    made["activities"] = _frame(
        [
            ("SP-1", "soil stockpile", 150.0, esc.stockpile()),
            ("CE-1", "construction entrance", 180.0, mouth),
        ],
        "id",
        "type",
        "days",
    )
    made.update(_covers(g, shapes))
    return made


def _covers(g: Ground, phases: list[Polygon]) -> Frames:
    """Finished surfaces, stabilization, revegetation and infiltration, phase by phase."""
    f = g.final
    made: Frames = {"finished_surfaces": _frame(f.surfaces, "id", "kind")}
    done = ("2027-08-13", "2027-09-24", "2027-10-15")
    rows: list[tuple[object, ...]] = [
        (
            "TS-1",
            "temporary seeding",
            "temporary",
            "2027-07-30",
            phases[0] & f.lawn & box(0, 556, 400, 662),
        )
    ]
    rows = [
        (i, t, term, date, p)
        for i, t, term, date, shape in rows
        for p in polygons(shape, 4000.0)[:1]
    ]
    for number, part in enumerate(polygons(f.steep, 60.0), start=1):
        rows.append((f"EM-{number}", "erosion mat", "permanent", "2027-08-13", part))
    for number, part in enumerate(polygons(f.riprap, 10.0), start=1):
        rows.append((f"RR-{number}", "riprap", "permanent", "2027-06-11", part))
    made["stabilization"] = _frame(rows, "id", "type", "term", "date")
    rows = []
    for kind, letter, shape in (
        ("permanent seeding", "PS", f.lawn),
        ("native planting", "NP", f.prairie),
    ):
        for number, (phase, date) in enumerate(zip(phases, done, strict=True), start=1):
            parts = polygons(shape & phase, 1.0)
            if parts:
                rows.append((f"{letter}-{number}", kind, date, MultiPolygon(parts)))
    made["revegetation"] = _frame(rows, "id", "type", "date")
    made["infiltration"] = _frame(
        [("IB-1", "infiltration basin", grading.BASINS[2].rim)], "id", "type"
    )
    return made


def reference_grid() -> geopandas.GeoDataFrame:
    """100-ft cells: letters across from the west without I and O, numbers down from the north."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    rows: list[tuple[object, ...]] = []
    for row in range(int((YMAX - YMIN) / GRID_CELL_FT)):
        top = YMAX - row * GRID_CELL_FT
        for column in range(int((XMAX - XMIN) / GRID_CELL_FT)):
            left = XMIN + column * GRID_CELL_FT
            cell = box(left, top - GRID_CELL_FT, left + GRID_CELL_FT, top)
            rows.append((f"{letters[column]}{row + 1}", cell))
    return _frame(rows, "label")


def _county(g: Ground) -> Frames:
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
        "flood_hazard": _frame(
            flood, "FLD_ZONE", "ZONE_SUBTY", "STATIC_BFE", "FIRM_PAN", "EFF_DATE"
        ),
        "road_centerline": _frame(rows, "ROADNAME", "SURFACE"),
        "soils": _frame(soil, "MUSYM", "MUNAME", "KWFACT", "HYDGRPDCD"),
        "municipal_limits": _frame([("City of Muskego", city)], "MUNI_NAME"),
    }
