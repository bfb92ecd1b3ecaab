"""Layers of the work: disturbance, controls, activities, and the cover that ends it."""

from __future__ import annotations

import controls as esc
import grading
import numpy as np
import storm
import street
from areas import polygons
from ground import Frames, Ground, acres, frame
from place import without_tails
from shapely import Polygon
from shapely.geometry import MultiPolygon, box

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


def works(g: Ground) -> Frames:
    """Disturbance, controls and activities."""
    made: Frames = {}
    shapes = _phase_shapes(g.limits.shape)
    made["disturbance"] = frame(
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
        made[name] = frame(
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
    made["activities"] = frame(
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
    made: Frames = {"finished_surfaces": frame(f.surfaces, "id", "kind")}
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
    made["stabilization"] = frame(rows, "id", "type", "term", "date")
    rows = []
    for kind, letter, shape in (
        ("permanent seeding", "PS", f.lawn),
        ("native planting", "NP", f.prairie),
    ):
        for number, (phase, date) in enumerate(zip(phases, done, strict=True), start=1):
            parts = polygons(without_tails(shape & phase, 0.49), 5.0)
            if parts:
                rows.append((f"{letter}-{number}", kind, date, MultiPolygon(parts)))
    made["revegetation"] = frame(rows, "id", "type", "date")
    made["infiltration"] = frame(
        [("IB-1", "infiltration basin", grading.BASINS[2].rim)], "id", "type"
    )
    return made
