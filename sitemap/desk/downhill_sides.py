"""Lines whose ticks or teeth point down or up the slope, turned so that those stand on the left."""

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
    if not lines.any():
        return shapes
    around = shapely.union_all(shapely.buffer(shapely.envelope(shapes[lines]), NEAR_FT))
    fall = fall_of(site, partial(_near, around))
    if fall is None or fall.is_empty:
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


def _run(part: BaseGeometry, fall: Fall, wanted: float) -> BaseGeometry:
    line = shapely.get_exterior_ring(part) if part.geom_type == "Polygon" else part
    chain = Chain.of(shapely.get_coordinates(line) / PAPER_FT_PER_IN)
    return part if fall.side_of(chain) == wanted else shapely.reverse(part)


def _near(around: BaseGeometry, contours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parts of contours around some lines, in inches, and which contour each is of."""
    rows = np.flatnonzero(shapely.intersects(contours, around))
    clipped = shapely.clip_by_rect(contours[rows], *shapely.bounds(around))
    flat = shapely.force_2d(clipped)
    return shapely.transform(flat, lambda xy: xy / PAPER_FT_PER_IN), rows
