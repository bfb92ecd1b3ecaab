"""Symbols that follow the fall of the ground: ticks and teeth of lines, hatches of steep slopes."""

from __future__ import annotations

from functools import partial

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.plate.downhill import Fall, fall_of
from sitemap.plate.lines import Chain
from sitemap.site import Site

PAPER_FT_PER_IN = 50.0  # Fall thinks in inches of paper: those of a usual plate
NEAR_FT = 250.0


def ticked_downhill(site: Site, shapes: np.ndarray, ticked: np.ndarray, role: str) -> np.ndarray:
    """The shapes; ticked lines run with lower ground on their left (divides: higher)."""
    lines = ticked & (shapely.get_dimensions(shapes) >= 1)
    fall = _fall_around(site, shapes[lines])
    if fall is None:
        return shapes
    wanted = -1.0 if role == "drainage_areas" else 1.0
    turned = shapes.copy()
    for position in np.flatnonzero(lines):
        parts = [_run(part, fall, wanted) for part in shapely.get_parts(shapes[position])]
        if shapely.get_dimensions(shapes[position]) == 1:
            turned[position] = parts[0] if len(parts) == 1 else shapely.multilinestrings(parts)
        else:
            turned[position] = parts[0] if len(parts) == 1 else shapely.multipolygons(parts)
    return turned


def fall_lines(site: Site, shapes: np.ndarray) -> np.ndarray:
    """Degrees counter-clockwise from east of the way down each area; NaN where it is not known."""
    found = np.full(len(shapes), np.nan)
    fall = _fall_around(site, shapes)
    if fall is None:
        return found
    places = shapely.point_on_surface(shapes)
    for number in np.flatnonzero(~shapely.is_empty(places)).tolist():
        x, y = shapely.get_coordinates(places[number])[0] / PAPER_FT_PER_IN
        down = fall.at(float(x), float(y))
        if down is not None:
            found[number] = np.degrees(np.arctan2(down[1], down[0]))
    return found


def _fall_around(site: Site, shapes: np.ndarray) -> Fall | None:
    """The fall of the ground about some shapes; None where no contour tells it."""
    if not len(shapes):
        return None
    around = shapely.union_all(shapely.buffer(shapely.envelope(shapes), NEAR_FT))
    fall = fall_of(site, partial(_near, around))
    return None if fall is None or fall.is_empty else fall


def _run(part: BaseGeometry, fall: Fall, wanted: float) -> BaseGeometry:
    line = shapely.get_exterior_ring(part) if part.geom_type == "Polygon" else part
    chain = Chain.of(shapely.get_coordinates(line) / PAPER_FT_PER_IN)
    return part if fall.side_of(chain) == wanted else shapely.reverse(part)


def _near(around: BaseGeometry, contours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parts of contours around some shapes, in inches, and which contour each is of."""
    rows = np.flatnonzero(shapely.intersects(contours, around))
    clipped = shapely.clip_by_rect(contours[rows], *shapely.bounds(around))
    flat = shapely.force_2d(clipped)
    return shapely.transform(flat, lambda xy: xy / PAPER_FT_PER_IN), rows
