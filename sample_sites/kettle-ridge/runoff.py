"""Layers of where water goes: sewers, drainage areas, arrows, outfalls, discharges."""

from __future__ import annotations

import drainage
import geopandas
import storm
import water as wet
from ground import Frames, Ground, acres, frame
from shapely.geometry import LineString, Point


def sewers(g: Ground) -> Frames:
    """Inlets, pipes and culverts."""
    structures = storm.structures(g.after)
    pipe_columns = ("id", "kind", "size_in", "material", "invert_up_ft", "invert_down_ft")

    def rows(pipes: list[storm.Pipe]) -> list[tuple[object, ...]]:
        return [(p.id, p.kind, p.size_in, p.material, p.up_ft, p.down_ft, p.line) for p in pipes]

    return {
        "inlets": frame(
            [(s.id, s.kind, s.rim_ft, s.invert_ft, s.at) for s in structures],
            "id",
            "kind",
            "rim_ft",
            "invert_ft",
        ),
        "storm_sewers": frame(rows(storm.pipes(structures)), *pipe_columns),
        "culverts": frame(rows(storm.culverts()), *pipe_columns),
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
    ((1196, 350), 40),
)


def runoff(g: Ground) -> Frames:
    """Drainage areas, arrows, steep slopes, outfalls and discharges."""
    acres_to = {
        of: round(sum(acres(a.shape) for a in g.areas if a.outfall == of), 2)
        for of in ("OF-1", "OF-2", "OF-3")
    }
    made: Frames = {}
    made["drainage_areas"] = frame(
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
    made["flow_arrows"] = frame(rows, "id", "slope_pct", "from_area", "to_outfall")
    made["steep_slopes"] = frame(
        [
            (f"SS-{i}", slope, shape)
            for i, (shape, slope) in enumerate(drainage.steep_slopes(g.before), start=1)
        ],
        "id",
        "slope_pct",
    )
    ends = {name: Point(at) for name, at, _ in storm.OUTLETS}
    served = {of: ", ".join(a.id for a in g.areas if a.outfall == of) for of in acres_to}
    made["outfalls"] = frame(
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
    return frame(
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
