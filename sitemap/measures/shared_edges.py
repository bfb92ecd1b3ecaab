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

from sitemap.measures.vertices import Vertices, numbers_of, vertices_of

_ODD = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)


def lone_edges(areas: np.ndarray) -> np.ndarray:
    """Segments (n, 2, 2) of areas that no other one runs along on the other side."""
    laid = vertices_of(areas)
    places, keys = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.uint64)]
    for start, end in laid.blocks():
        place, key = _edges(laid, start, end)
        places.append(place)
        keys.append(key)
    place, key = np.concatenate(places), np.concatenate(keys)
    lone = place[_is_one_of(key, _alone(np.sort(key)))]
    return np.stack([laid.xy[lone], laid.xy[lone + 1]], axis=1)


def _edges(laid: Vertices, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the edges of some rings begin, and a number of each: even and odd for its two sides."""
    first = laid.first[start : end + 1]
    number = numbers_of(laid.xy[first[0] : first[-1]])
    begin, stop = number[:-1], number[1:]
    edge = begin != stop
    edge[first[1:-1] - first[0] - 1] = False  # from one ring to the next
    ring = slice(start, end)
    left = np.repeat(laid.ccw[ring] != laid.hole[ring], laid.count[ring])[:-1]  # is the area
    key = (np.minimum(begin, stop) * _ODD ^ np.maximum(begin, stop)) << _ONE
    key |= (begin < stop) == left
    return first[0] + np.flatnonzero(edge), key[edge]


def _is_one_of(key: np.ndarray, few: np.ndarray) -> np.ndarray:
    """True for each key that is among a few; almost all others are told by their last bits."""
    bits = np.uint64(2 ** min(24, max(10, len(few).bit_length() + 6)) - 1)
    maybe = np.zeros(int(bits) + 1, dtype=bool)
    maybe[few & bits] = True
    found: np.ndarray = maybe[key & bits]
    likely = np.flatnonzero(found)
    found[likely] = np.isin(key[likely], few)
    return found


def _alone(key: np.ndarray) -> np.ndarray:
    """The sorted keys without those that stand there once for each side of an edge."""
    differ = key[1:] ^ key[:-1]  # the two sides of an edge differ in the last bit alone
    beside = np.zeros(len(key) + 1, dtype=bool)
    beside[1:-1] = differ <= _ONE
    shared = (differ == _ONE) & ~beside[:-2] & ~beside[2:]
    kept = np.ones(len(key), dtype=bool)
    kept[:-1] &= ~shared
    kept[1:] &= ~shared
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


def laid(
    areas: np.ndarray, lone: np.ndarray | None = None, tree: shapely.STRtree | None = None
) -> Laid:
    """Which of the areas (Polygon or MultiPolygon, valid) lie on others; other shapes are aside.

    lone are their lone edges and tree is the index of them, where those are known.
    """
    polygonal = np.isin(shapely.get_type_id(areas), (3, 6))
    if lone is None:
        lone = lone_edges(areas if polygonal.all() else areas[polygonal])
    tree = tree or shapely.STRtree(areas)
    aside = np.union1d(
        np.flatnonzero(~polygonal), _with_an_edge_inside(areas, polygonal, tree, lone)
    )
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
    areas: np.ndarray, polygonal: np.ndarray, tree: shapely.STRtree, lone: np.ndarray
) -> np.ndarray:
    """Places of the areas with an edge of their own inside another one, or along its inner side."""
    beside = np.unique(tree.query(shapely.linestrings(lone))[1])
    beside = beside[polygonal[beside]]
    inside = shapely.coverage_invalid_edges(areas[beside])
    found: np.ndarray = beside[~shapely.is_empty(inside)]
    return found
