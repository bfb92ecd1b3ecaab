"""A surface of LandXML -> triangles with Z; without faces, what it was to be made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from sitemap.intake.landxml_numbers import rows
from sitemap.intake.landxml_stream import NotReadError, SurfaceText


def surface_shapes(surface: SurfaceText) -> np.ndarray:
    """Triangles as polygons with Z; without faces the points, breaklines and contours.

    A face of four corners, of a grid, is two triangles. NotReadError where numbers make none.
    """
    xyz = rows(surface.points)
    if surface.faces:
        return _triangles(surface, xyz)
    scattered = rows(surface.scattered) if surface.scattered else np.empty((0, 3))
    lines = [rows([text]) for text in surface.breaks] + _contours(surface)
    alone = [line for line in lines if len(line) == 1]
    points = [shapely.Point(at) for at in np.concatenate([xyz, scattered, *alone])]
    drawn = [shapely.LineString(line) for line in lines if len(line) > 1]
    return np.array([*points, *drawn], dtype=object)


def _contours(surface: SurfaceText) -> list[np.ndarray]:
    found = []
    for height, text in surface.contours:
        try:
            level = float(height)
        except ValueError:
            raise NotReadError(f"a contour of surface {surface.name!r} has no height") from None
        line = rows([text], 2)
        found.append(np.column_stack([line, np.full(len(line), level)]))
    return found


def _triangles(surface: SurfaceText, xyz: np.ndarray) -> np.ndarray:
    number = {name: i for i, name in enumerate(surface.ids)}
    try:
        faces = [[number[corner] for corner in face.split()] for face in surface.faces]
    except KeyError as error:
        raise NotReadError(
            f"a face of surface {surface.name!r} names point {error}, which is not there"
        ) from None
    three = [cut for face in faces for cut in _cut(face, surface.name)]
    triangles: np.ndarray = shapely.polygons(shapely.linearrings(xyz[np.array(three)]))
    return triangles[shapely.area(triangles) > 0]


def _cut(face: Sequence[int], name: str) -> list[Sequence[int]]:
    if len(face) == 3:
        return [face]
    if len(face) == 4:
        return [face[:3], [face[0], *face[2:]]]
    raise NotReadError(f"surface {name!r} has a face without three corners, or four")
