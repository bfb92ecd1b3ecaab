"""Ground geometry to paper: clipped to the map frame, simplified at 0.1 pt, in inches.

All functions take whole arrays of geometries; the second result says which input each came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import shapely

from sitemap.freed_memory import map_large_arrays
from sitemap.plate.marks import GroundFrame, Path

SIMPLIFY_IN = 0.1 / 72.0  # 0.07 ft at 1 in = 50 ft: below what a pen can show

DENSE_SIMPLIFY_IN = 0.2 / 72.0  # of layers like contours of raw lidar: half of a thin pen
DENSE_VERTICES = 250_000
BLOCK_VERTICES = 50_000
ABOUT_IN = 0.5  # around the frame
FEW_VERTICES = 100  # of an area that is not worth a cut

GeometryArray = np.ndarray  # of shapely geometries


def to_paper(geometry: GeometryArray, frame: GroundFrame) -> GeometryArray:
    """The geometries in inches on the sheet, neither clipped nor simplified, without heights."""
    flat = shapely.force_2d(np.asarray(geometry, dtype=object))
    moved: GeometryArray = shapely.transform(flat, frame.to_paper)
    return moved


def frame_polygon(frame: GroundFrame) -> shapely.Polygon:
    """The box of the frame on paper."""
    return shapely.box(*frame.box_in)


def clip_lines(geometry: GeometryArray, frame: GroundFrame) -> tuple[GeometryArray, np.ndarray]:
    """Linestrings inside the frame, in inches; areas give their outlines (not the frame's edge)."""
    found = list(lines_by_block(geometry, frame))
    if not found:
        return np.empty(0, dtype=object), np.empty(0, dtype=int)
    return tuple(np.concatenate(part) for part in zip(*found, strict=True))  # type: ignore[return-value]


def lines_by_block(
    geometry: GeometryArray, frame: GroundFrame
) -> Iterator[tuple[GeometryArray, np.ndarray]]:
    """The same a block of input at a time: each step copies its lines, and copies of millions of
    vertices add up.
    """
    shapes = np.asarray(geometry, dtype=object)
    sizes = shapely.get_num_coordinates(shapes)
    within = SIMPLIFY_IN
    if sizes.sum() > DENSE_VERTICES:
        within = DENSE_SIMPLIFY_IN
        map_large_arrays()
    block = np.cumsum(sizes) // BLOCK_VERTICES
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    for a, b in pairwise([*starts, len(shapes)]):
        lines, rows = _clip_some(shapes[a:b], frame, within)
        yield lines, rows + a


def _clip_some(
    shapes: GeometryArray, frame: GroundFrame, within_in: float
) -> tuple[GeometryArray, np.ndarray]:
    lines = to_paper(shapes, frame)
    areas = shapely.get_dimensions(lines) == 2
    if areas.any():
        lines = lines.copy()
        lines[areas] = shapely.boundary(lines[areas])
    clipped = shapely.clip_by_rect(lines, *frame.box_in)
    several = shapely.get_type_id(clipped) == shapely.GeometryType.MULTILINESTRING
    if several.any():  # a ring cut by the frame comes back in two pieces that meet at its start
        clipped[several] = shapely.line_merge(clipped[several])
    parts, owner = shapely.get_parts(clipped, return_index=True)
    keep = (shapely.get_dimensions(parts) == 1) & (shapely.length(parts) > SIMPLIFY_IN)
    thin = shapely.simplify(parts[keep], within_in, preserve_topology=False)
    # a ring of a few pens' width may shrink to one place twice, which GEOS takes for no line
    shrunk = shapely.length(thin) == 0.0
    thin[shrunk] = parts[keep][shrunk]
    return thin, owner[keep]


def clip_areas(geometry: GeometryArray, frame: GroundFrame) -> tuple[GeometryArray, np.ndarray]:
    """Polygons inside the frame, in inches, with the frame's edge as part of their outline."""
    shapes = np.asarray(geometry, dtype=object)
    near = np.flatnonzero(reaches(shapes, frame.ground_box_ft))  # of a set most lie elsewhere
    areas = to_paper(shapes[near], frame)
    broken = ~shapely.is_valid(areas)
    if broken.any():
        areas = areas.copy()
        areas[broken] = shapely.make_valid(areas[broken])
    thin = shapely.simplify(_about(areas, frame), SIMPLIFY_IN, preserve_topology=True)
    clipped = shapely.intersection(thin, frame_polygon(frame))
    parts, owner = shapely.get_parts(clipped, return_index=True)
    inner, at = shapely.get_parts(parts, return_index=True)  # collections hold multi-polygons
    keep = (shapely.get_dimensions(inner) == 2) & (shapely.area(inner) > SIMPLIFY_IN**2)
    return inner[keep], near[owner[at][keep]]


def _about(areas: GeometryArray, frame: GroundFrame) -> GeometryArray:
    """Valid areas cut to a box that is wider than the frame: what a set shows on its other sheets
    is not simplified on each of them. One whose cut GEOS gives back invalid stays whole.
    """
    left, bottom, right, top = frame.box_in
    wide = left - ABOUT_IN, bottom - ABOUT_IN, right + ABOUT_IN, top + ABOUT_IN
    bounds = shapely.bounds(areas).reshape(-1, 4)
    beyond = (bounds[:, :2] < wide[:2]).any(axis=1) | (bounds[:, 2:] > wide[2:]).any(axis=1)
    rows = np.flatnonzero(beyond & (shapely.get_num_coordinates(areas) > FEW_VERTICES))
    cut = shapely.clip_by_rect(areas[rows], *wide)
    good = shapely.is_valid(cut) & (shapely.get_dimensions(cut) == 2)
    areas = areas.copy()
    areas[rows[good]] = cut[good]
    return areas


def reaches(shapes: GeometryArray, box: tuple[float, float, float, float]) -> np.ndarray:
    """Whether the bounds of each shape touch a box; those of an empty one do not."""
    left, bottom, right, top = shapely.bounds(shapes).reshape(-1, 4).T
    return np.asarray((left <= box[2]) & (right >= box[0]) & (bottom <= box[3]) & (top >= box[1]))


def clip_points(geometry: GeometryArray, frame: GroundFrame) -> tuple[Path, np.ndarray]:
    """Places in inches, shape (n, 2), of the points inside the frame."""
    xy, owner = shapely.get_coordinates(
        shapely.force_2d(np.asarray(geometry, dtype=object)), return_index=True
    )
    paper = frame.to_paper(xy) if len(xy) else np.empty((0, 2))
    left, bottom, right, top = frame.box_in
    inside = (
        (paper[:, 0] >= left)
        & (paper[:, 0] <= right)
        & (paper[:, 1] >= bottom)
        & (paper[:, 1] <= top)
    )
    return paper[inside], owner[inside]


def paths_of(lines: GeometryArray) -> tuple[Path, ...]:
    """The coordinate arrays of linestrings (or of every part of multilinestrings)."""
    parts = shapely.get_parts(np.asarray(lines, dtype=object))
    parts = parts[shapely.get_num_coordinates(parts) > 1]
    if not len(parts):
        return ()
    xy, index = shapely.get_coordinates(parts, return_index=True)
    ends = np.append(np.flatnonzero(np.diff(index)) + 1, len(xy)).tolist()
    return tuple(xy[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True))


def rings_of(polygon: shapely.Polygon) -> tuple[Path, ...]:
    """Exterior and holes of one polygon, as Areas wants them."""
    return tuple(shapely.get_coordinates(ring) for ring in shapely.get_rings(polygon))
