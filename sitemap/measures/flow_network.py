"""Reaches of streams and sewers as one network: ends that miss, reaches drawn backwards, loops.

Coordinates, distances and results are in one unit. A reach flows from its first to its last
vertex (+1), the other way (-1), or nobody knows (0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

PEELINGS = 50  # cheap passes that leave little for the search of circles


@dataclass(frozen=True, eq=False)
class Reaches:
    """Single lines with the number of the record each belongs to and its direction."""

    lines: np.ndarray
    owner: np.ndarray
    direction: np.ndarray

    @classmethod
    def of(cls, shapes: np.ndarray, direction: np.ndarray) -> Reaches:
        """From records: parts of multi-lines become reaches; areas and points are left out."""
        parts, owner = shapely.get_parts(shapes, return_index=True)
        keep = np.isin(shapely.get_type_id(parts), (1, 2)) & (shapely.length(parts) > 0)
        return cls(shapely.force_2d(parts[keep]), owner[keep], direction[owner[keep]])


@dataclass(frozen=True, eq=False)
class Miss:
    """An end that comes near another reach without meeting it. Numbers are those of records."""

    record: int
    other: int
    distance: float
    beyond: bool  # it crosses the other and ends behind it
    place: BaseGeometry  # from the end to the nearest point of the other


@dataclass(frozen=True, eq=False)
class Against:
    """Reaches that meet head on with nothing to lead on; the ones to turn, as far as is known."""

    place: BaseGeometry
    records: tuple[int, ...]  # all that flow in here
    reversed_: tuple[int, ...]  # of these, the ones whose other end nothing feeds


class FlowNetwork:
    """Reaches joined at ends that lie within `joined` of each other.

    stops are points at which water may come and go without a reach: inlets, outfalls, manholes.
    """

    def __init__(self, reaches: Reaches, joined: float) -> None:
        self.reaches, self.joined = reaches, joined
        lines = reaches.lines
        self._tree = shapely.STRtree(lines)
        count = len(lines)
        self._ends = np.concatenate([shapely.get_point(lines, 0), shapely.get_point(lines, -1)])
        self._node = _clusters(self._ends, joined)
        self._start, self._finish = self._node[:count], self._node[count:]

    def misses(self, snapping: float, stops: np.ndarray) -> list[Miss]:
        """Free ends nearer than or at `snapping` to another reach, but not joined to it.

        An end beside a stop (within `snapping`) is where it should be, and so is one that does not
        reach a line which its own line meets elsewhere (a culvert beside its ditch).
        """
        count = len(self.reaches.lines)
        free = np.flatnonzero(np.bincount(self._node, minlength=2 * count)[self._node] == 1)
        if len(stops) and len(free):
            near = shapely.STRtree(stops).query(
                self._ends[free], predicate="dwithin", distance=snapping
            )[0]
            free = np.delete(free, np.unique(near))
        ends = self._ends[free]
        hit, other = self._tree.query(ends, predicate="dwithin", distance=snapping)
        own, its = self.reaches.lines[free[hit] % count], self.reaches.lines[other]
        beside = ~shapely.intersects(own, its) & shapely.dwithin(own, its, self.joined)
        beside &= shapely.distance(ends[hit], its) > self.joined
        apart = (other != free[hit] % count) & ~beside
        hit, other = hit[apart], other[apart]
        distance = shapely.distance(ends[hit], self.reaches.lines[other])
        meets = np.unique(hit[distance <= self.joined])
        order = np.lexsort((distance, hit))
        hit, other, distance = hit[order], other[order], distance[order]
        first = np.append(True, hit[1:] != hit[:-1]) & ~np.isin(hit, meets)
        found: dict[tuple[int, int], Miss] = {}  # two ends that face each other are one miss
        for h, o, d in zip(hit[first], other[first], distance[first], strict=True):
            line = int(free[h] % count)
            found.setdefault(
                (min(line, int(o)), max(line, int(o))), self._miss(line, ends[h], int(o), d)
            )
        return list(found.values())

    def _miss(self, line: int, end: BaseGeometry, other: int, distance: float) -> Miss:
        own, its = self.reaches.lines[line], self.reaches.lines[other]
        owner = self.reaches.owner
        return Miss(
            int(owner[line]),
            int(owner[other]),
            float(distance),
            bool(own.intersects(its)),
            shapely.shortest_line(end, its),
        )

    @property
    def _flow(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The reaches of known direction, and the nodes they flow from and to."""
        known = np.flatnonzero(self.reaches.direction != 0)
        ahead = self.reaches.direction[known] > 0
        tail = np.where(ahead, self._start[known], self._finish[known])
        head = np.where(ahead, self._finish[known], self._start[known])
        return known, tail, head

    def against(self, stops: np.ndarray, distance: float) -> list[Against]:
        """Nodes into which two or more reaches flow and out of which none does.

        Not where a reach of unknown direction joins, where the node lies on another reach, or
        within `distance` of a stop.
        """
        known, tail, head = self._flow
        size = len(self._node) + 1
        into, out = np.bincount(head, minlength=size), np.bincount(tail, minlength=size)
        unknown = np.flatnonzero(self.reaches.direction == 0)
        unsure = np.zeros(size, dtype=bool)
        unsure[self._start[unknown]] = unsure[self._finish[unknown]] = True
        nodes = np.flatnonzero((into >= 2) & (out == 0) & ~unsure)
        place = {int(node): self._ends[int(np.argmax(self._node == node))] for node in nodes}
        found = []
        for node in nodes.tolist():
            point = place[node]
            if len(stops) and bool(shapely.dwithin(stops, point, distance).any()):
                continue
            through = self._tree.query(point, predicate="dwithin", distance=self.joined)
            if any(self._start[i] != node != self._finish[i] for i in through.tolist()):
                continue
            here = head == node
            unfed = here & (into[tail] == 0) & (out[tail] >= 2)
            owner = self.reaches.owner
            found.append(
                Against(
                    point,
                    tuple(np.unique(owner[known[here]]).tolist()),
                    tuple(np.unique(owner[known[unfed]]).tolist()),
                )
            )
        return found

    def loops(self) -> list[tuple[int, ...]]:
        """Records of each set of reaches in which water would run in a circle."""
        known, tail, head = self._flow
        alive = np.ones(len(known), dtype=bool)
        size = len(self._node) + 1
        for _ in range(PEELINGS):  # reaches that nothing feeds, or that lead to nothing, go
            into = np.bincount(head[alive], minlength=size)
            out = np.bincount(tail[alive], minlength=size)
            dead = alive & ((into[tail] == 0) | (out[head] == 0))
            if not dead.any():
                break
            alive &= ~dead
        circles = _strong(tail[alive], head[alive])
        owner = self.reaches.owner[known[alive]]
        return [tuple(np.unique(owner[circle]).tolist()) for circle in circles]


def _clusters(points: np.ndarray, within: float) -> np.ndarray:
    """A number per point; points within a distance of each other, also by way of others, share."""
    label = np.arange(len(points))
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=within)
    while True:
        lower = label.copy()
        np.minimum.at(lower, a, label[b])
        if (lower == label).all():
            return label
        label = lower


def _strong(tail: np.ndarray, head: np.ndarray) -> list[np.ndarray]:
    """Edges of each strongly connected set of nodes (Tarjan, without recursion)."""
    leads: dict[int, list[int]] = {}
    for start, end in zip(tail.tolist(), head.tolist(), strict=True):
        leads.setdefault(start, []).append(end)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    component: dict[int, int] = {}
    stack: list[int] = []
    for root, first in leads.items():
        if root in index:
            continue
        work = [(root, iter(first))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while node not in component:
                        component[stack.pop()] = node
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                work.append((following, iter(leads.get(following, ()))))
            elif following not in component:
                low[node] = min(low[node], index[following])
    name = np.array([component[node] for node in tail.tolist()], dtype=int)
    same = name == np.array([component[node] for node in head.tolist()], dtype=int)
    return [np.flatnonzero(same & (name == each)) for each in np.unique(name[same])]
