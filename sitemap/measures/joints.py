"""Lines brought together at their ends: nodes, short ends, lines cut where another one ends.

Coordinates and distances are in one unit. Only ends join: lines that cross without an end there
(a bridge, a culvert) stay apart. An end within `joined` of another place of the network is there;
one that hangs free is brought to the nearest place within `snapping`, and its line is drawn on to
it, so that lengths along the network are those of one unbroken line. No end is brought to a place
that its own line leads to anyhow within a few times the distance: small pieces stay pieces.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely import ops
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.measures.near_ends import EXACT, Meeting, clusters, meetings

ROUND_ABOUT = 3.0  # a way so many times longer than the gap is still the same place of one line


@dataclass(frozen=True, eq=False)
class Snap:
    """An end that was brought to another line over a gap. Numbers are those of lines."""

    line: int
    other: int
    distance: float
    place: Point


@dataclass(frozen=True, eq=False)
class Noded:
    """Pieces of lines and the nodes at which they meet.

    of is the number of the line of each piece; first and last are its nodes; ends are the nodes
    of the first ends of all lines, then of their last ends. cut counts the lines that were split.
    """

    lines: np.ndarray
    of: np.ndarray
    first: np.ndarray
    last: np.ndarray
    ends: np.ndarray
    snaps: tuple[Snap, ...]
    cut: int

    @property
    def size(self) -> int:
        """Nodes are numbered below this."""
        return len(self.ends) + 1

    def degree(self) -> np.ndarray:
        """How many ends of pieces meet at each node."""
        return np.bincount(np.concatenate([self.first, self.last]), minlength=self.size)


def join(lines: np.ndarray, joined: float, snapping: float, underground: np.ndarray) -> Noded:
    """Lines with their ends brought together; nothing ends on the middle of an underground one."""
    if not len(lines):
        none = np.empty(0, dtype=int)
        return Noded(np.asarray(lines), none, none, none, none, (), 0)
    work = _Joining(lines, joined, snapping, underground)
    work.run()
    return work.result()


@dataclass(eq=False)
class _Joining:
    lines: np.ndarray
    joined: float
    snapping: float
    underground: np.ndarray
    snaps: list[Snap] = field(default_factory=list)
    cuts: dict[int, list[tuple[float, int]]] = field(default_factory=dict)
    on: dict[int, list[tuple[int, float]]] = field(default_factory=dict)  # node -> lines it is on

    def __post_init__(self) -> None:
        count = len(self.lines)
        self.ends = np.concatenate([shapely.get_point(self.lines, i) for i in (0, -1)])
        self.length = shapely.length(self.lines)
        self.node = clusters(self.ends, EXACT)
        self.at_node: dict[int, list[int]] = {}
        for end, node in enumerate(self.node.tolist()):
            self.at_node.setdefault(node, []).append(end)
        self.alone = np.bincount(self.node, minlength=2 * count)[self.node] == 1
        self.own = self.node.copy()  # before anything was joined
        self.count = count

    # ------------------------------------------------------------------------------- who meets

    def run(self) -> None:
        """Join what may be joined, the nearest first."""
        reach = max(self.joined, self.snapping)
        for meeting in meetings(self.lines, self.ends, self.node, self.underground, reach):
            if meeting.kind == 0:
                self._join_ends(meeting)
            else:
                self._join_middle(meeting)

    def _loose(self, node: int) -> bool:
        """Whether no two ends met at a node before anything was joined, and no line passes it."""
        return node not in self.on and all(self.alone[end] for end in self.at_node[node])

    def _join_ends(self, meeting: Meeting) -> None:
        a, b = int(self.node[meeting.end]), int(self.node[meeting.other])
        far = meeting.distance > self.joined
        if a == b or (far and not (self._loose(a) or self._loose(b))):
            return
        if self._spread(a, b) > max(self.joined, self.snapping if far else 0.0):
            return
        if self._leads(a, b, ROUND_ABOUT * meeting.distance):
            return
        moves, stays = (a, b) if self._loose(a) else (b, a)
        if far:
            self._told(meeting, self.at_node[moves][0], self.at_node[stays][0] % self.count)
        self._merge(moves, stays)

    def _join_middle(self, meeting: Meeting) -> None:
        node, line = int(self.node[meeting.end]), meeting.other
        ends = self.at_node[node]
        far = meeting.distance > self.joined
        there = [end % self.count for end in ends] + [i for i, _ in self.on.get(node, [])]
        if line in there:
            return
        hidden = all(self.underground[end % self.count] for end in ends)
        if (far or hidden) and not (self._loose(node) and len(ends) == 1):
            return
        limit = ROUND_ABOUT * meeting.distance
        for i, along in ((line, meeting.at), (line + self.count, self.length[line] - meeting.at)):
            if along <= limit and self._leads(node, int(self.node[i]), limit - along):
                return
        if far:
            self._told(meeting, ends[0], line)
        for i, along in ((line, meeting.at), (line + self.count, self.length[line] - meeting.at)):
            if along <= self.joined:  # as good as the end of the line
                self._merge(node, int(self.node[i]))
                return
        self.on.setdefault(node, []).append((line, meeting.at))
        self.cuts.setdefault(line, []).append((meeting.at, ends[0]))

    def _told(self, meeting: Meeting, end: int, other: int) -> None:
        self.snaps.append(Snap(end % self.count, other, meeting.distance, self.ends[end]))

    def _spread(self, a: int, b: int) -> float:
        """How far apart the ends of two nodes lie at most."""
        ours, theirs = self.ends[self.at_node[a]], self.ends[self.at_node[b]]
        return float(shapely.distance(ours[:, None], theirs[None, :]).max())

    def _leads(self, start: int, target: int, limit: float) -> bool:
        """Whether lines lead from one node to another within a distance."""
        heap = [(0.0, start)]
        done: set[int] = set()
        while heap:
            way, node = heapq.heappop(heap)
            if node == target:
                return True
            if node in done:
                continue
            done.add(node)
            for far, along in self._neighbours(node):
                if far not in done and way + along <= limit + EXACT:
                    heapq.heappush(heap, (way + along, far))
        return False

    def _neighbours(self, node: int) -> Iterator[tuple[int, float]]:
        """Nodes on the lines that meet at a node, with the distance along them."""
        here = [(e % self.count, 0.0 if e < self.count else None) for e in self.at_node[node]]
        for line, at in [*here, *self.on.get(node, [])]:
            whole = float(self.length[line])
            place = whole if at is None else at
            yield int(self.node[line]), place
            yield int(self.node[line + self.count]), whole - place
            for other, end in self.cuts.get(line, []):
                yield int(self.node[end]), abs(other - place)

    def _merge(self, moves: int, stays: int) -> None:
        moved = self.at_node.pop(moves)
        self.at_node[stays] += moved
        self.on[stays] = [*self.on.get(stays, []), *self.on.pop(moves, [])]
        if not self.on[stays]:
            del self.on[stays]
        self.node[moved] = stays

    # --------------------------------------------------------------------------- what comes out

    def result(self) -> Noded:
        """The pieces, drawn on to where their ends were brought, and their nodes."""
        self._same_cuts()
        moved = {node: self._place(node) for node in self._moved()}
        lines: list[BaseGeometry] = []
        of: list[int] = []
        first: list[int] = []
        last: list[int] = []
        for i, line in enumerate(self.lines.tolist()):
            for piece, a, b in self._pieces(i, line):
                lines.append(_drawn_on(piece, moved.get(a), moved.get(b)))
                of.append(i)
                first.append(a)
                last.append(b)
        array = np.empty(len(lines), dtype=object)
        array[:] = lines
        return Noded(
            array, np.array(of), np.array(first), np.array(last), self.node.copy(),
            tuple(self.snaps), len(self.cuts),
        )  # fmt: skip

    def _moved(self) -> set[int]:
        """Nodes to which something was brought that did not lie there."""
        several = {
            n for n, ends in self.at_node.items() if len({int(self.own[e]) for e in ends}) > 1
        }
        return several | set(self.on)

    def _place(self, node: int) -> tuple[float, float]:
        """Where a node lies: on the line that it was brought to, else at the end that stayed."""
        if node in self.on:
            line, at = self.on[node][0]
            point = self.lines[line].interpolate(at)
        else:
            point = self.ends[self.at_node[node][0]]
        return float(point.x), float(point.y)

    def _same_cuts(self) -> None:
        """Ends that meet a line at one place meet each other."""
        for line in sorted(self.cuts):
            kept: list[tuple[float, int]] = []
            for at, end in sorted(self.cuts[line]):
                if kept and at - kept[-1][0] <= EXACT:
                    a, b = int(self.node[end]), int(self.node[kept[-1][1]])
                    if a != b:
                        self._merge(a, b)
                    continue
                kept.append((at, end))
            self.cuts[line] = kept

    def _pieces(self, i: int, line: LineString) -> Iterator[tuple[LineString, int, int]]:
        start, finish = int(self.node[i]), int(self.node[i + self.count])
        cuts = self.cuts.get(i, [])
        at = [0.0, *(a for a, _ in cuts), float(self.length[i])]
        nodes = [start, *(int(self.node[end]) for _, end in cuts), finish]
        for k in range(len(at) - 1):
            piece = line if not cuts else _between(line, at[k], at[k + 1])
            yield piece, nodes[k], nodes[k + 1]


def _between(line: LineString, a: float, b: float) -> LineString:
    part = ops.substring(line, a, b)
    assert isinstance(part, LineString)  # cuts lie apart
    return part


def _drawn_on(
    line: LineString, before: tuple[float, float] | None, after: tuple[float, float] | None
) -> LineString:
    """A line drawn on to where its ends were brought."""
    if before is None and after is None:
        return line
    xy: list[tuple[float, ...]] = list(line.coords)
    if before is not None and _away(xy[0], before) > EXACT:
        xy.insert(0, before)
    if after is not None and _away(xy[-1], after) > EXACT:
        xy.append(after)
    return line if len(xy) == len(line.coords) else LineString(xy)


def _away(a: tuple[float, ...], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
