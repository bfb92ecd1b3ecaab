"""Streams, sewers and culverts as one directed network, and what lies downstream on it.

Places and lengths are feet of the site CRS. Reaches are cut where another one ends on them, ends
within the snapping distance are one node. The direction of a reach is taken from its inverts,
else from its flow field, else from the heights of its ends, else as the topology wants it; a
reach of unknown direction is followed both ways, and that is said.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.lines import cut, first_of, last_of
from sitemap.terrain.reaches import Edge, Known, Leaf, Reach, Step

LEAST_PIECE_FT = 1e-6
SAME_FALL_FT = 0.005  # inverts nearer than this say nothing about a direction
Heights = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Network:
    """Edges joined at nodes. turned are edges whose stated direction the topology contradicts."""

    edges: tuple[Edge, ...]
    snap_ft: float
    turned: tuple[int, ...] = ()
    _out: dict[int, list[int]] = field(default_factory=dict)
    _into: dict[int, list[int]] = field(default_factory=dict)
    _tree: list[shapely.STRtree] = field(default_factory=list)

    def out_of(self, node: int) -> list[int]:
        """Edges that leave a node."""
        return self._out.get(node, [])

    def into(self, node: int) -> list[int]:
        """Edges that arrive at a node."""
        return self._into.get(node, [])

    def crossing(self, shape: BaseGeometry) -> list[int]:
        """Edges that meet a shape."""
        return sorted(self._tree[0].query(shape, predicate="intersects").tolist())

    def nearest(self, point: BaseGeometry, within_ft: float) -> tuple[int, float] | None:
        """The edge nearest to a point and the place on it; None where none is near enough.

        Underground edges are touched at their ends only. Of equally near ones that which leads on
        is taken.
        """
        tree = self._tree[0]
        found = []
        for i in tree.query(point, predicate="dwithin", distance=within_ft).tolist():
            edge = self.edges[i]
            at = float(edge.line.project(point))
            if edge.reach.underground:
                up, down = first_of(edge.line).distance(point), last_of(edge.line).distance(point)
                if min(up, down) > within_ft:
                    continue
                at, away = (0.0, up) if up < down else (edge.length_ft, down)
            else:
                away = float(edge.line.distance(point))
            spent = at >= edge.length_ft - LEAST_PIECE_FT
            found.append((round(float(away), 6), spent, i, at))
        if not found:
            return None
        _, _, i, at = min(found)
        return i, at

    def downstream(self, edge: int, at_ft: float, length_ft: float) -> list[Step]:
        """All branches below a place on an edge, each with its own distance, cut at length_ft.

        Where branches join again the shorter way is kept. Edges of unknown direction are followed
        both ways.
        """
        first = self.edges[edge]
        steps: list[Step] = []
        heap: list[tuple[float, int, int, bool, Step | None]] = [(0.0, 0, edge, False, None)]
        if first.known is Known.ASSUMED and at_ft > LEAST_PIECE_FT:
            heap.append((0.0, 1, edge, True, None))
        count = 1
        seen: set[tuple[int, bool]] = set()
        while heap:
            start, _, number, backwards, before = heapq.heappop(heap)
            own = self.edges[number]
            twice = before is not None and (number, not backwards) in seen
            if (number, backwards) in seen or twice:
                continue
            seen.add((number, backwards))
            line = own.line.reverse() if backwards else own.line
            if before is None:
                line = cut(line, own.length_ft - at_ft if backwards else at_ft, own.length_ft)
            node = own.tail if backwards else own.head
            left = length_ft - start
            certain = (before is None or before.certain) and own.known is not Known.ASSUMED
            if line.length >= left:
                part = cut(line, 0.0, left)
                steps.append(Step(number, part, start, before, certain, Leaf.DISTANCE))
                continue
            step = Step(number, line, start, before, certain)
            following = [(e, False) for e in self.out_of(node) if e != number]
            following += [
                (e, True)
                for e in self.into(node)
                if e != number and self.edges[e].known is Known.ASSUMED
            ]
            if not following:
                arrive = [e for e in self.into(node) if e != number]
                step = replace(step, leaf=Leaf.HEAD_ON if arrive else Leaf.EDGE)
            steps.append(step)
            for other, back in following:
                count += 1
                heapq.heappush(heap, (step.end_ft, count, other, back, step))
        return steps


def build_network(
    reaches: Sequence[Reach],
    snap_ft: float,
    heights: Heights | None = None,
    error_ft: float = 0.0,
) -> Network:
    """Join reaches to a network.

    heights gives the ground in feet (NaN where unknown); ends must differ by more than error_ft
    for the ground to say where a reach flows.
    """
    pieces = _cut([r for r in reaches if r.line.length > LEAST_PIECE_FT], snap_ft)
    if not pieces:
        return Network((), snap_ft, _tree=[shapely.STRtree([])])
    lines = np.array([piece.line for piece in pieces], dtype=object)
    ends = np.concatenate([shapely.get_point(lines, 0), shapely.get_point(lines, -1)])
    node = _clusters(ends, snap_ft)
    first, last = node[: len(lines)], node[len(lines) :]
    sign, known = _directions(pieces, ends, heights, error_ft)
    turned = _head_on(first, last, sign, known)
    for i in turned:
        sign[i], known[i] = -sign[i], Known.TURNED
    edges = tuple(
        Edge(
            piece.line if s > 0 else piece.line.reverse(),
            piece,
            int(a if s > 0 else b),
            int(b if s > 0 else a),
            how,
            bool(s < 0),
        )
        for piece, a, b, s, how in zip(pieces, first, last, sign, known, strict=True)
    )
    network = Network(edges, snap_ft, tuple(turned), _tree=[shapely.STRtree(lines)])
    for i, edge in enumerate(edges):
        network._out.setdefault(edge.tail, []).append(i)
        network._into.setdefault(edge.head, []).append(i)
    return network


def _cut(reaches: list[Reach], snap_ft: float) -> list[Reach]:
    """Reaches cut where another one's end lies on them, within the snapping distance."""
    if not reaches:
        return []
    lines = np.array([reach.line for reach in reaches], dtype=object)
    count = len(lines)
    ends = np.concatenate([shapely.get_point(lines, 0), shapely.get_point(lines, -1)])
    end, on = shapely.STRtree(lines).query(ends, predicate="dwithin", distance=snap_ft)
    underground = np.array([reach.underground for reach in reaches])
    other = (end % count != on) & ~underground[on]
    end, on = end[other], on[other]
    at = shapely.line_locate_point(lines[on], ends[end])
    inner = (at > snap_ft) & (at < shapely.length(lines[on]) - snap_ft)
    cuts: dict[int, list[float]] = {}
    for line, place in zip(on[inner].tolist(), at[inner].tolist(), strict=True):
        cuts.setdefault(line, []).append(place)
    return [piece for i, reach in enumerate(reaches) for piece in _pieces(reach, cuts.get(i, []))]


def _pieces(reach: Reach, cuts: list[float]) -> list[Reach]:
    if not cuts:
        return [reach]
    length = reach.line.length
    at = [0.0, *sorted(set(cuts)), length]
    first, last = reach.invert_first_ft, reach.invert_last_ft
    level = np.interp(at, [0.0, length], [first, last])
    return [
        replace(
            reach,
            line=cut(reach.line, a, b),
            invert_first_ft=float(level[i]),
            invert_last_ft=float(level[i + 1]),
        )
        for i, (a, b) in enumerate(pairwise(at))
        if b - a > LEAST_PIECE_FT
    ]


def _clusters(points: np.ndarray, within_ft: float) -> np.ndarray:
    """A number per point; points within the distance, also by way of others, share one."""
    label = np.arange(len(points))
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=within_ft)
    while True:
        lower = label.copy()
        np.minimum.at(lower, a, label[b])
        if (lower == label).all():
            return label
        label = lower


def _directions(
    pieces: list[Reach], ends: np.ndarray, heights: Heights | None, error_ft: float
) -> tuple[list[int], list[Known]]:
    """+1 as drawn or -1 against it for each piece, and by what it is known."""
    count = len(pieces)
    xy = shapely.get_coordinates(ends)
    z = heights(xy) if heights is not None else np.full(2 * count, np.nan)
    sign, known = [], []
    for i, piece in enumerate(pieces):
        fall = piece.invert_first_ft - piece.invert_last_ft
        drop = z[i] - z[count + i]
        if abs(fall) > SAME_FALL_FT:
            sign.append(1 if fall > 0 else -1)
            known.append(Known.INVERTS)
        elif piece.stated:
            sign.append(piece.stated)
            known.append(Known.FIELD)
        elif abs(drop) > max(error_ft, SAME_FALL_FT):
            sign.append(1 if drop > 0 else -1)
            known.append(Known.GROUND)
        else:
            sign.append(1)
            known.append(Known.ASSUMED)
    return sign, known


def _head_on(first: np.ndarray, last: np.ndarray, sign: list[int], known: list[Known]) -> list[int]:
    """Edges that must be turned: water meets at one end with no way on, and parts at the other.

    Such an edge flows into a node into which another flows and out of which none does, from a
    node which nothing feeds though another edge leaves it. Inverts are never overruled.
    """
    forward = np.array(sign) > 0
    tail, head = np.where(forward, first, last), np.where(forward, last, first)
    size = int(max(first.max(), last.max())) + 1
    into, out = np.bincount(head, minlength=size), np.bincount(tail, minlength=size)
    wrong = (out[head] == 0) & (into[head] >= 2) & (into[tail] == 0) & (out[tail] >= 2)
    sure = np.array([how is Known.INVERTS for how in known])
    return np.flatnonzero(wrong & ~sure).tolist()
