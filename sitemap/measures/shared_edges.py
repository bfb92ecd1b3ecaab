"""Edges that two areas share from both sides, and the few areas that may lie on each other.

Going over the ground, the number of areas that lie on a place changes only at an edge that is not
shared by two areas from both sides. So where areas overlap at all, two of them do beside such an
edge; and from there every other one is reached from neighbour to neighbour. Matching edges takes
a sort; GEOS's own check of all areas takes several times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

_ODD = tuple(np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_ONE = np.uint64(1)


def lone_edges(polygons: np.ndarray) -> np.ndarray:
    """Segments (n, 2, 2) of single polygons that no other one runs along on the other side."""
    rings, owner = shapely.get_rings(polygons, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    if not len(xy):
        return np.empty((0, 2, 2))
    hole = np.append(False, owner[1:] == owner[:-1])  # the first ring of a polygon is its outline
    left = shapely.is_ccw(rings) != hole  # of its edges lies the area
    place = _place_numbers(xy)
    begin, end = place[:-1], place[1:]
    edge = (ring[1:] == ring[:-1]) & (begin != end)
    side = (begin < end) == left[ring[1:]]
    both = np.minimum(begin, end) * _ODD[2] ^ np.maximum(begin, end)
    key = (both << _ONE) | side.astype(np.uint64)
    alone = _alone(np.sort(key[edge]))
    lone = np.flatnonzero(edge & np.isin(key, alone))
    return np.stack([xy[lone], xy[lone + 1]], axis=1)


def _place_numbers(xy: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each place, the same for the same place.

    Two places share one by chance once in ten million layers of a million vertices.
    """
    bits = np.ascontiguousarray(xy + 0.0).view(np.uint64)  # 0 for -0, the same place in other bits
    mixed = bits[:, 0] * _ODD[0]
    mixed ^= mixed >> np.uint64(31)
    mixed = (mixed ^ bits[:, 1]) * _ODD[1]
    mixed ^= mixed >> np.uint64(29)
    return mixed


def _alone(key: np.ndarray) -> np.ndarray:
    """The sorted keys without those that stand there once for each side of an edge."""
    edge = key >> _ONE
    first = np.flatnonzero(np.append(True, edge[1:] != edge[:-1]))
    count = np.diff(np.append(first, len(key)))
    pair = first[count == 2]
    shared = pair[key[pair] != key[pair + 1]]
    kept = np.ones(len(key), dtype=bool)
    kept[shared] = kept[shared + 1] = False
    return np.unique(key[kept])


@dataclass(frozen=True, eq=False)
class Laid:
    """How areas lie on each other: pairs (n, 2) that meet, what each shares, who is not in order.

    Pairs are those of the areas in `aside`, which have an edge inside another area or share
    ground with one; all others share out their ground.
    """

    aside: np.ndarray
    pairs: np.ndarray
    shared: np.ndarray


def laid(areas: np.ndarray) -> Laid:
    """Which of the areas (Polygon or MultiPolygon, valid) lie on others; other shapes are aside."""
    polygonal = np.isin(shapely.get_type_id(areas), (3, 6))
    tree = shapely.STRtree(areas)
    aside = np.union1d(np.flatnonzero(~polygonal), _with_an_edge_inside(areas, polygonal, tree))
    pairs, shared = np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=object)
    new = aside
    while len(new):
        hit, other = tree.query(areas[new], predicate="intersects")
        more = np.sort(np.column_stack([new[hit], other]), axis=1)
        more = np.unique(more[more[:, 0] != more[:, 1]], axis=0)
        common = shapely.intersection(areas[more[:, 0]], areas[more[:, 1]])
        pairs, shared = np.concatenate([pairs, more]), np.concatenate([shared, common])
        new = np.setdiff1d(more[shapely.area(common) > 0], aside)  # and on to their neighbours
        aside = np.union1d(aside, new)
    pairs, once = np.unique(pairs, axis=0, return_index=True)
    return Laid(aside, pairs, shared[once])


def _with_an_edge_inside(
    areas: np.ndarray, polygonal: np.ndarray, tree: shapely.STRtree
) -> np.ndarray:
    """Places of the areas with an edge of their own inside another one, or along its inner side."""
    chosen = np.flatnonzero(polygonal)
    several = (shapely.get_type_id(areas) == 6).any()
    edges = lone_edges(shapely.get_parts(areas[chosen]) if several else areas[chosen])
    beside = np.intersect1d(tree.query(shapely.linestrings(edges))[1], chosen)
    inside = shapely.coverage_invalid_edges(areas[beside])
    found: np.ndarray = beside[~shapely.is_empty(inside)]
    return found
