"""What the sheets show of the ground: features cut to it, in feet, with every vertex kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.plate.clip import GeometryArray
from sitemap.plate.marks import GroundFrame, Path

STRAIGHT_FT = 0.001  # vertices nearer to a straight line are left out
LEAST_FT = 0.01


@dataclass(frozen=True, eq=False)
class Ground:
    """The ground of all map frames; `frame` gives scale, turn and CRS to all of it."""

    frames: tuple[GroundFrame, ...]

    @property
    def frame(self) -> GroundFrame:
        """The first frame: its paper stands for that of every sheet, which lies as it does."""
        return self.frames[0]

    @cached_property
    def shape(self) -> BaseGeometry:
        """One shape in feet."""
        joined = shapely.union_all([shapely.Polygon(one.corners_ft) for one in self.frames])
        shapely.prepare(joined)
        return joined

    @property
    def middle_ft(self) -> tuple[float, float]:
        """The middle of what is shown."""
        left, bottom, right, top = self.shape.bounds
        return (left + right) / 2.0, (bottom + top) / 2.0

    def lines(self, shapes: GeometryArray) -> tuple[GeometryArray, np.ndarray]:
        """Linestrings on the ground, and which input each came from; areas give their outlines."""
        flat = _flat(shapes)
        areas = shapely.get_dimensions(flat) == 2
        flat[areas] = shapely.boundary(flat[areas])
        cut = self._cut(shapely.simplify(flat, STRAIGHT_FT, preserve_topology=False))
        several = shapely.get_type_id(cut) == shapely.GeometryType.MULTILINESTRING
        cut[several] = shapely.line_merge(cut[several])
        parts, owner = _parts(cut)
        keep = (shapely.get_dimensions(parts) == 1) & (shapely.length(parts) > LEAST_FT)
        return parts[keep], owner[keep]

    def areas(self, shapes: GeometryArray) -> tuple[GeometryArray, np.ndarray]:
        """Polygons on the ground, and which input each came from."""
        flat = _flat(shapes)
        broken = ~shapely.is_valid(flat)
        flat[broken] = shapely.make_valid(flat[broken])
        parts, owner = _parts(self._cut(flat))
        keep = (shapely.get_dimensions(parts) == 2) & (shapely.area(parts) > LEAST_FT**2)
        return parts[keep], owner[keep]

    def points(self, shapes: GeometryArray) -> tuple[np.ndarray, np.ndarray]:
        """Places with their height (NaN without), shape (n, 3), and the input of each."""
        xyz, owner = shapely.get_coordinates(shapes, include_z=True, return_index=True)
        inside = shapely.intersects_xy(self.shape, xyz[:, 0], xyz[:, 1])
        return xyz[inside], owner[inside]

    def _cut(self, shapes: GeometryArray) -> GeometryArray:
        whole = shapely.contains_properly(self.shape, shapes)
        cut = shapes.copy()
        cut[~whole] = shapely.intersection(shapes[~whole], self.shape)
        return cut


def _flat(shapes: GeometryArray) -> GeometryArray:
    return np.array(shapely.force_2d(np.asarray(shapes, dtype=object)), dtype=object)


def _parts(shapes: GeometryArray) -> tuple[GeometryArray, np.ndarray]:
    """Single geometries, also out of collections of multi-parts."""
    parts, owner = shapely.get_parts(shapes, return_index=True)
    inner, at = shapely.get_parts(parts, return_index=True)
    return inner, owner[at]


def on_ground(frame: GroundFrame, paths: Sequence[Path]) -> list[Path]:
    """Paths in inches, as a sheet has them, in ground feet."""
    return [frame.to_ground(path) for path in paths]
