"""Areas made to share out the ground: nothing left out between them, one edge for two of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.neighbours import Gap, gaps

ROUNDS = 5  # what closes one slit may open the end of another
GRID_FT = 0.001  # edges of two areas that are nearer to each other are one
REACH_FT = 0.01


@dataclass(frozen=True, eq=False)
class SharedOut:
    """The areas, in their order; what was given to a neighbour; holes too large for that."""

    shapes: list[BaseGeometry]
    given_sqft: float
    left: list[BaseGeometry]


def shared_out(
    shapes: list[BaseGeometry], *, most_sqft: float, slit_ft: float, sliver_ft: float
) -> SharedOut:
    """Areas with the holes of up to most_sqft between them, and the slits of up to slit_ft.

    Each goes to the neighbour that it shares the longest edge with. What is thinner than
    sliver_ft is no gap (neighbours.py).
    """
    given = 0.0
    left: list[BaseGeometry] = []
    for _ in range(ROUNDS):
        found = gaps(np.array(shapes, dtype=object), slit_ft, sliver_ft)
        left = [gap.ground for gap in found if gap.ground.area > most_sqft]
        small = [gap for gap in found if gap.ground.area <= most_sqft]
        if not small:
            break
        given += sum(gap.ground.area for gap in small)
        shapes = _with(shapes, small)
    return SharedOut(shapes, given, left)


def _with(shapes: list[BaseGeometry], found: list[Gap]) -> list[BaseGeometry]:
    """The areas with each gap given to a neighbour, all cut from one set of edges."""
    to = [_longest(shapes, gap) for gap in found]
    pieces = np.array([*shapes, *(gap.ground for gap in found)], dtype=object)
    owner = np.array([*range(len(shapes)), *to])
    edges = shapely.union_all(shapely.boundary(pieces), grid_size=GRID_FT)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(edges)))
    inside = shapely.point_on_surface(faces)
    face, piece = shapely.STRtree(pieces).query(inside, predicate="within")
    first = np.unique(face, return_index=True)[1]
    face, piece = face[first], piece[first]
    return [shapely.union_all(faces[face[owner[piece] == number]]) for number in range(len(shapes))]


def _longest(shapes: list[BaseGeometry], gap: Gap) -> int:
    """The neighbour with which a gap shares the longest edge."""
    near = shapely.buffer(gap.ground, REACH_FT)
    shared = [shapely.intersection(shapes[i].boundary, near).length for i in gap.neighbours]
    return gap.neighbours[int(np.argmax(shared))]
