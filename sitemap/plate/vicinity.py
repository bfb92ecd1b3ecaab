"""Where the site is: roads and municipal limits for a mile around, the site as a grey area."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.measures.map_extent import CORE_ROLES, Bounds, hull_ft
from sitemap.measures.turn import turned_bounds, unturned
from sitemap.plate.blocks import HEAD_CAP_IN, Block, heading
from sitemap.plate.compose import draw_map
from sitemap.plate.map_grid import neatline
from sitemap.plate.marks import Areas, GroundFrame, Mark, Text
from sitemap.site import Site

VICINITY_ROLES = ("boundary", "roads", "jurisdiction", "waterbodies")
VICINITY_NAME, SITE_SHADE = "Vicinity", "#c4c4c4"
SCALES = (30, 40, 50, 60, 100, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000)
MILE_FT = 5280.0
AIR = 1.04  # of the ground around the roads
WIDER = 1.5  # than the sheets, before a vicinity map tells anything


def fitting_scale(size_ft: tuple[float, float], box_in: Bounds, least: float) -> float:
    """The roundest feet per inch over `least` at which the ground fits the box."""
    room = box_in[2] - box_in[0], box_in[3] - box_in[1]
    need = max(size_ft[0] / room[0], size_ft[1] / room[1])
    return next((float(s) for s in SCALES if s >= need and s > least), float(np.ceil(need)))


def centred_frame(
    site: Site, name: str, box_in: Bounds, middle: np.ndarray, scale: float, rotation_deg: float
) -> GroundFrame:
    """A frame about a middle that is given along the axes of the paper."""
    half = np.array([box_in[2] - box_in[0], box_in[3] - box_in[1]]) * scale / 2.0
    x, y = unturned(np.round(middle - half)[None, :], rotation_deg)[0].tolist()
    assert site.crs is not None
    return GroundFrame(name, box_in, (x, y), scale, site.crs, rotation_deg)


def vicinity_map(
    site: Site, shown_ft: Bounds, main: GroundFrame, room: Bounds
) -> tuple[list[Mark], GroundFrame] | None:
    """Roads and municipal limits around the site, turned as the main frame and at a smaller scale.

    shown_ft is what the sheets show already, along the edges of the paper; None where roads go
    little beyond it, or where there is no room.
    """
    roads = site.role("roads")
    core = hull_ft(site, CORE_ROLES)
    left, bottom, right, top = room
    height = min(top - bottom, (right - left) * 0.9)
    if roads is None or core is None or height < 2.0:
        return None
    near = shapely.buffer(shapely.box(*core.min(axis=0), *core.max(axis=0)), MILE_FT, quad_segs=2)
    around = shapely.get_coordinates(shapely.intersection(shapely.force_2d(roads.shapes), near))
    if not len(around):
        return None
    shown = turned_bounds(np.concatenate([around, core]), main.rotation_deg)
    size = np.subtract(shown[2:], shown[:2])
    own = np.subtract(shown_ft[2:], shown_ft[:2])
    if (size < own * WIDER).all():
        return None
    marks, drop = heading("Vicinity", "", right - left)
    box = (left, top - height, right, top - drop - 0.05)
    scale = fitting_scale((float(size[0]) * AIR, float(size[1]) * AIR), box, main.feet_per_inch)
    centre = np.array(shown).reshape(2, 2).mean(axis=0)
    frame = centred_frame(site, VICINITY_NAME, box, centre, scale, main.rotation_deg)
    drawing = draw_map(site, frame, roles=VICINITY_ROLES)
    placed = Block("vicinity", right - left, height, tuple(marks)).at(left, top)
    placed += _site_shade(site, frame)
    said = f"1 in = {scale:,.0f} ft, vicinity only"
    placed.append(Text("", right, top - HEAD_CAP_IN, said, 0.08, ha="right"))
    return [*placed, *drawing.marks(), neatline(frame)], frame


def _site_shade(site: Site, frame: GroundFrame) -> list[Mark]:
    """The site as a grey area, which is found at a glance."""
    boundary = site.boundary
    if boundary is None:
        return []
    shown = shapely.intersection(
        shapely.transform(shapely.force_2d(boundary), frame.to_paper), shapely.box(*frame.box_in)
    )
    polygons = [part for part in shapely.get_parts(shown) if part.geom_type == "Polygon"]
    rings = tuple(
        tuple(shapely.get_coordinates(ring) for ring in (one.exterior, *one.interiors))
        for one in polygons
    )
    return [Areas("", rings, SITE_SHADE)] if rings else []
