"""Streams, sewers and culverts as one directed network, and what lies downstream on it.

Places and lengths are feet of the site CRS. Reaches are cut where another one ends on them, free
ends within the snapping distance are brought together (measures/joints.py). How the direction of
a reach is known: measures/flow_direction.py and continuity.py. A reach of unknown direction is
followed both ways, and that is said.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from sitemap.measures.flow_direction import Known, decided
from sitemap.measures.joints import join
from sitemap.terrain.continuity import NO_STOPS, Continuity, Heights, Stops, votes_of
from sitemap.terrain.lines import cut, first_of, last_of
from sitemap.terrain.reaches import Edge, Leaf, Reach, Step

LEAST_PIECE_FT = 1e-6
JOINED_FT = 0.5  # two ends so near are one place, also where neither hangs free


@dataclass(frozen=True, eq=False)
class Network:
    """Edges joined at nodes. turned are edges whose stated direction continuity contradicts.

    reaches are those that it was built of, in order; continuity tells how they fit together.
    intakes are inlets: the edge underground that each leads into, its number, and its place.
    """

    edges: tuple[Edge, ...]
    snap_ft: float
    turned: tuple[int, ...]
    reaches: tuple[Reach, ...]
    continuity: Continuity
    intakes: tuple[tuple[int, int, Point], ...] = ()
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
            certain = (before is None or before.certain) and own.certain
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
    leads: Set[tuple[str, str]] = frozenset(),
    stops: Stops = NO_STOPS,
    inlets: Sequence[Point] = (),
) -> Network:
    """Join reaches to a network.

    heights gives the ground in feet (NaN where unknown) and error_ft its standard error. leads
    are pairs of reaches of a flow table. Ends nearer than JOINED_FT, or than snap_ft where they
    hang free, are brought together.
    """
    kept = tuple(r for r in reaches if r.line.length > LEAST_PIECE_FT)
    lines = np.empty(len(kept), dtype=object)
    lines[:] = [reach.line for reach in kept]
    under = np.array([reach.underground for reach in kept], dtype=bool)
    noded = join(lines, min(JOINED_FT, snap_ft), snap_ft, under)
    votes = votes_of(kept, noded, heights, error_ft, leads)
    asked = Continuity(noded, decided(votes, len(kept)), kept, stops, snap_ft)
    edges = tuple(asked.edges())
    tree = shapely.STRtree(noded.lines)
    network = Network(edges, snap_ft, asked.turned, kept, asked, _tree=[tree])
    for i, edge in enumerate(edges):
        network._out.setdefault(edge.tail, []).append(i)
        network._into.setdefault(edge.head, []).append(i)
    return replace(network, intakes=tuple(_intakes(network, inlets)))


def _intakes(network: Network, inlets: Sequence[Point]) -> Iterator[tuple[int, int, Point]]:
    """Inlets at the upper end of what runs underground, a manhole between two pipes included."""
    for number, point in enumerate(inlets):
        on = network.nearest(point, network.snap_ft)
        if on is not None and on[1] == 0.0 and network.edges[on[0]].reach.underground:
            yield on[0], number, point
