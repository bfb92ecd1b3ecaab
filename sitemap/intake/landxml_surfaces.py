"""A surface of LandXML -> triangles with Z; without faces, what it was to be made of."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.intake.landxml_numbers import numbers, rows
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
    """The faces as polygons, laid out in one array: a design may have a million of them."""
    corners = xyz[_three(surface, _points_of_faces(surface))]
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    corners = corners[one[:, 0] * other[:, 1] != one[:, 1] * other[:, 0]]
    count = np.arange(len(corners) + 1)
    rings = corners[:, [0, 1, 2, 0]].reshape(-1, 3)
    made: np.ndarray = shapely.from_ragged_array(
        shapely.GeometryType.POLYGON, rings, (count * 4, count)
    )
    return made


def _points_of_faces(surface: SurfaceText) -> np.ndarray:
    """Which point each corner of each face is, one behind the other. NotReadError for none."""
    try:
        ids, named = (numbers(texts, int) for texts in (surface.ids, surface.faces))
        found = _by_number(ids, named) if len(ids) == len(surface.ids) else None
    except NotReadError:
        found = None
    if found is None:  # names such as P7
        place = {name: i for i, name in enumerate(surface.ids)}
        found = np.array([place.get(w, -1) for w in " ".join(surface.faces).split()], dtype=int)
    if (found < 0).any():
        unknown = " ".join(surface.faces).split()[int((found < 0).argmax())]
        raise NotReadError(
            f"a face of surface {surface.name!r} names point {unknown!r}, which is not there"
        )
    return found


def _by_number(ids: np.ndarray, named: np.ndarray) -> np.ndarray:
    """The place of each number among the ids; -1 for one that is not there."""
    if not len(ids):
        return np.full(len(named), -1)
    order = np.argsort(ids, kind="stable")
    at = order[np.minimum(np.searchsorted(ids[order], named), len(ids) - 1)]
    return np.where(ids[at] == named, at, -1)


def _three(surface: SurfaceText, points: np.ndarray) -> np.ndarray:
    """(N, 3) the corners of triangles; a face of four corners is two."""
    counts = np.fromiter((len(face.split()) for face in surface.faces), dtype=int)
    if not np.isin(counts, (3, 4)).all():
        raise NotReadError(f"surface {surface.name!r} has a face without three corners, or four")
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    whole = points[first[:, None] + [0, 1, 2]]
    quads = first[counts == 4]
    rest = points[quads[:, None] + [0, 2, 3]]
    return np.concatenate([whole, rest])
