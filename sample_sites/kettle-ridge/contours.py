"""Contours at 2 ft from the ground before and after grading, every 10 ft an index contour."""

from __future__ import annotations

import contourpy
import numpy as np
import shapely
from areas import below, eased
from grading import Limits
from place import CELL_FT, XMAX, XMIN, YMAX, YMIN, cell_centres, sample
from shapely import Polygon
from shapely.geometry import LineString
from terrain import existing_ft

INTERVAL_FT, INDEX_FT = 2.0, 10.0


def _kind(line: LineString, level: float, surface: np.ndarray) -> str:
    """index, depression (closed round lower ground) or intermediate."""
    if line.is_ring:
        inside = Polygon(line.coords).representative_point()
        if sample(surface, np.array([[inside.x, inside.y]]))[0] < level:
            return "depression"
    return "index" if level % INDEX_FT == 0 else "intermediate"


def existing_contours(surface: np.ndarray) -> list[tuple[float, str, LineString]]:
    """Contours of the ground before construction, out to the edge of the mapped extent."""
    x = np.arange(XMIN, XMAX + 0.1, CELL_FT)
    y = np.arange(YMIN, YMAX + 0.1, CELL_FT)
    nodes = existing_ft(*np.meshgrid(x, y))
    generator = contourpy.contour_generator(x, y, nodes)
    made = []
    for level in np.arange(np.ceil(nodes.min() / 2) * 2, nodes.max(), INTERVAL_FT):
        for points in generator.lines(float(level)):
            line = LineString(points).simplify(0.12)
            if line.length > 45.0:
                made.append((float(level), _kind(line, float(level), surface), line))
    return made


def proposed_contours(
    ground: np.ndarray, proposed: np.ndarray, found: Limits
) -> list[tuple[float, str, LineString]]:
    """Contours after grading, only where the ground changes; they end on the existing ground."""
    x, y = cell_centres()
    changed = eased(below(-np.abs(proposed - ground), -0.06, 300.0), 1.5) & found.shape
    generator = contourpy.contour_generator(x, y, proposed)
    made = []
    for level in np.arange(812.0, 860.0, INTERVAL_FT):
        lines = [LineString(p) for p in generator.lines(float(level)) if len(p) > 3]
        for line in lines:
            inside = line.intersection(changed)
            for part in _joined(inside):
                if part.length > 12.0:
                    kept = part.simplify(0.12)
                    made.append((float(level), _kind(kept, float(level), proposed), kept))
    return made


def _joined(shape: shapely.Geometry) -> list[LineString]:
    merged = shapely.line_merge(shape)
    return [p for p in getattr(merged, "geoms", [merged]) if isinstance(p, LineString)]
