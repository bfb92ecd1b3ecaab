"""From cells to areas that look drawn: level sets and coverages with smooth common borders."""

from __future__ import annotations

from itertools import pairwise

import contourpy
import numpy as np
import shapely
from grading import smooth
from place import CELL_FT, XMAX, XMIN, YMAX, YMIN, cell_centres
from scipy.ndimage import gaussian_filter
from shapely import Polygon
from shapely.geometry import LineString, MultiPolygon
from shapely.ops import linemerge, polygonize


def below(field: np.ndarray, level: float, least_sqft: float = 400.0) -> MultiPolygon:
    """Where the field is under the level, without specks."""
    x, y = cell_centres()
    filled = contourpy.contour_generator(
        x, y, field, fill_type=contourpy.FillType.OuterOffset
    ).filled(-1e9, level)
    parts = []
    for points, offsets in zip(*filled, strict=True):
        rings = [points[a:b] for a, b in pairwise(offsets)]
        part = Polygon(rings[0], rings[1:]).buffer(0)
        parts += [p for p in getattr(part, "geoms", [part]) if p.area >= least_sqft]
    cleaned = [
        Polygon(p.exterior, [h for h in p.interiors if Polygon(h).area > least_sqft]) for p in parts
    ]
    return MultiPolygon(cleaned)


def eased(shape: shapely.Geometry, radius: float) -> shapely.Geometry:
    """The shape with corners rounded to about the radius, inside and outside."""
    return shape.buffer(-radius).buffer(2 * radius, quad_segs=12).buffer(-radius, quad_segs=12)


def polygons(shape: shapely.Geometry, least_sqft: float = 60.0) -> list[Polygon]:
    """The polygons of a shape that are more than specks, largest first."""
    parts = [p for p in getattr(shape, "geoms", [shape]) if isinstance(p, Polygon)]
    return sorted((p for p in parts if p.area > least_sqft), key=lambda p: -p.area)


def coverage(labels: np.ndarray, blur_ft: float, step: int = 2) -> list[tuple[int, Polygon]]:
    """Labelled cells as polygons that share smooth borders and fill the mapped extent."""
    coarse = labels[::step, ::step]
    cell = CELL_FT * step
    names = np.unique(coarse)
    weights = [gaussian_filter((coarse == n).astype(float), blur_ft / cell) for n in names]
    chosen = names[np.argmax(weights, axis=0)]
    frame = shapely.box(XMIN, YMIN, XMAX, YMAX)
    lines = linemerge(shapely.union_all(_cell_borders(chosen, cell)))
    arcs = [smooth(LineString(a), 12.0) for a in getattr(lines, "geoms", [lines])]
    whole = shapely.union_all([shapely.union_all(arcs), frame.exterior])
    found = []
    for piece in polygonize(getattr(whole, "geoms", [whole])):
        at = piece.representative_point()
        row = int(np.clip((at.y - YMIN) / cell, 0, chosen.shape[0] - 1))
        column = int(np.clip((at.x - XMIN) / cell, 0, chosen.shape[1] - 1))
        found.append((int(chosen[row, column]), piece))
    return _without_specks(found)


def _without_specks(
    found: list[tuple[int, Polygon]], least_sqft: float = 400.0
) -> list[tuple[int, Polygon]]:
    """Pieces under the least area joined to the neighbour with the longest common border."""
    whole = [(code, p) for code, p in found if p.area >= least_sqft]
    for _, speck in (f for f in found if f[1].area < least_sqft):
        border = [p.intersection(speck).length for _, p in whole]
        at = int(np.argmax(border))
        whole[at] = (whole[at][0], whole[at][1].union(speck))
    return whole


def _cell_borders(chosen: np.ndarray, cell: float) -> np.ndarray:
    """Edges between cells of different labels."""
    rows, columns = np.nonzero(chosen[:, 1:] != chosen[:, :-1])
    x, y = XMIN + (columns + 1) * cell, YMIN + rows * cell
    upright = np.stack([np.column_stack([x, y]), np.column_stack([x, y + cell])], axis=1)
    rows, columns = np.nonzero(chosen[1:] != chosen[:-1])
    x, y = XMIN + columns * cell, YMIN + (rows + 1) * cell
    level = np.stack([np.column_stack([x, y]), np.column_stack([x + cell, y])], axis=1)
    lines: np.ndarray = shapely.linestrings(np.concatenate([upright, level]))
    return lines
