"""Areas that share out the ground, as one: made of those at its rim only.

An area whose edges are all shared adds nothing to the outline of the whole. So the areas with a
lone edge are dissolved; where the others lie they leave holes, and outlines round about, which
are told by the areas that share their edges, and left out.
"""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

WORTH = 3  # areas inside for each at the rim; with fewer of them all are dissolved


def dissolved_by_edges(
    polygons: np.ndarray, chosen: np.ndarray, lone: np.ndarray, tree: shapely.STRtree
) -> BaseGeometry:
    """The chosen ones of single polygons as one, as GEOS's union of a coverage gives it.

    chosen is a mask; of the chosen ones no two share ground. lone are the lone edges of all
    polygons, tree is the index of them.
    """
    rim = np.zeros(len(polygons), dtype=bool)
    rim[tree.query(shapely.linestrings(lone))[1]] = True
    rim[tree.query(polygons[~chosen])[1]] = True  # edges shared with those are lone as well
    rim &= chosen
    inner = chosen & ~rim
    if not rim.any() or inner.sum() < WORTH * rim.sum():
        whole: BaseGeometry = shapely.coverage_union_all(polygons[chosen])
        return whole
    outlines = shapely.get_parts(shapely.coverage_union_all(polygons[rim]))
    rings, outline = shapely.get_rings(outlines, return_index=True)
    first = np.stack([shapely.get_coordinates(shapely.get_point(rings, k)) for k in (0, 1)], axis=1)
    ring, area = tree.query(shapely.linestrings(first), predicate="covered_by")
    true = np.ones(len(rings), dtype=bool)
    true[ring[inner[area]]] = False
    outer = np.append(True, outline[1:] != outline[:-1])
    shells, holes = rings[outer & true], rings[~outer & true]
    return _assembled(shells, holes, _order(holes, shells, chosen, tree))


def _assembled(shells: np.ndarray, holes: np.ndarray, order: np.ndarray) -> BaseGeometry:
    """Polygons of outlines, each with the holes that lie in it and in no smaller one."""
    bodies = np.asarray(shapely.polygons(shells))
    rank = np.argsort(np.argsort(shapely.area(bodies)))
    inside: list[list[BaseGeometry]] = [[] for _ in shells]
    hole, body = shapely.STRtree(bodies).query(shapely.polygons(holes), predicate="within")
    smallest = np.full(len(holes), len(bodies))
    np.minimum.at(smallest, hole, rank[body])
    of_rank = np.argsort(rank)
    for number in order.tolist():
        inside[of_rank[smallest[number]]].append(holes[number])
    made = [shapely.polygons(shell, own or None) for shell, own in zip(shells, inside, strict=True)]
    whole: BaseGeometry = made[0] if len(made) == 1 else shapely.multipolygons(made)
    return whole


def _order(
    holes: np.ndarray, shells: np.ndarray, chosen: np.ndarray, tree: shapely.STRtree
) -> np.ndarray:
    """The order in which GEOS gives holes: those that touch an outline, then each by the first area
    beside it, or beside one that it touches.
    """
    xy, hole = shapely.get_coordinates(holes, return_index=True)
    if not len(xy):
        return np.empty(0, dtype=np.int64)
    same = np.flatnonzero(hole[1:] == hole[:-1])
    edge, area = tree.query(
        shapely.linestrings(np.stack([xy[same], xy[same + 1]], axis=1)), predicate="covered_by"
    )
    edge, area = edge[chosen[area]], area[chosen[area]]
    first = np.full(len(holes), tree.geometries.size)
    np.minimum.at(first, hole[same][edge], area)
    touch = shapely.STRtree(holes).query(holes, predicate="intersects")
    while True:  # the first of all that hang together by touching
        lower = first.copy()
        np.minimum.at(lower, touch[0], first[touch[1]])
        if (lower == first).all():
            break
        first = lower
    first[np.unique(shapely.STRtree(holes).query(shells, predicate="intersects")[1])] = -1
    return np.argsort(first, kind="stable")
