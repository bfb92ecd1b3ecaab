"""Contours as a triangulated surface: heights between the lines. Feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.contours import sample

MOST_SAMPLES = 40_000
LONGEST_SIDE_FT = 500.0  # ground between lines farther apart than this is not shown by them


@dataclass(frozen=True, eq=False)
class Tin:
    """Triangles with the plane over each: height = plane . (x, y, 1), near the origin."""

    tree: shapely.STRtree
    planes: np.ndarray
    origin: np.ndarray

    def heights_ft(self, xy: np.ndarray) -> np.ndarray:
        """Height at each place; NaN outside the triangles. On a shared edge both agree."""
        near = xy - self.origin
        heights = np.full(len(xy), np.nan)
        good = np.isfinite(near).all(axis=1)
        points = shapely.points(near[good])
        which, triangle = self.tree.query(points, predicate="intersects")
        at = near[good][which]
        plane = self.planes[triangle]
        rows = np.flatnonzero(good)[which]
        heights[rows] = plane[:, 0] * at[:, 0] + plane[:, 1] * at[:, 1] + plane[:, 2]
        return heights


def tin_of(lines: np.ndarray, levels_ft: np.ndarray, spacing_ft: float) -> Tin | None:
    """The Delaunay triangulation of points along contours; None for fewer than two levels.

    Where a bend is closed by three points of one line the surface is level there, as the lines
    themselves show no more.
    """
    if len(lines) == 0 or len(np.unique(np.round(levels_ft, 3))) < 2:
        return None
    origin = np.floor(shapely.total_bounds(lines)[:2])
    moved = shapely.transform(lines, lambda xy: xy - origin)
    spacing = max(spacing_ft, float(shapely.length(moved).sum()) / MOST_SAMPLES)
    points = sample(moved, spacing)
    xyz = np.column_stack([points.xy, levels_ft[points.line]])
    xyz = xyz[np.lexsort(xyz.T)]  # of twins the lowest, whatever the order of the lines
    _, first = np.unique(xyz[:, :2], axis=0, return_index=True)
    triangles = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(xyz[first])))
    if len(triangles) == 0:
        return None
    corner = shapely.get_coordinates(triangles, include_z=True).reshape(-1, 4, 3)
    side = np.hypot(*np.moveaxis(np.diff(corner[..., :2], axis=1), -1, 0))
    area = shapely.area(triangles)
    kept = (side.max(axis=1) <= LONGEST_SIDE_FT) & (area > 1e-6)
    planes = _planes(corner[kept][:, :3])
    return Tin(shapely.STRtree(shapely.force_2d(triangles[kept])), planes, origin)


def _planes(corner: np.ndarray) -> np.ndarray:
    """Coefficients of the plane through each triangle's corners."""
    a = np.concatenate([corner[..., :2], np.ones((*corner.shape[:2], 1))], axis=2)
    planes: np.ndarray = np.linalg.solve(a, corner[..., 2][..., None])[..., 0]
    return planes
