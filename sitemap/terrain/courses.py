"""A course: all ways of water from one place, over the ground and along the network in turn.

Each leg knows the leg before it, so that every branch has its own length. What is followed ends at
the asked distance to the foot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry import LineString, Point

from sitemap.terrain.lines import cut, first_of, last_of, line_of
from sitemap.terrain.network import Network
from sitemap.terrain.reaches import Leaf
from sitemap.terrain.trace import End, GroundPath, Relief
from sitemap.terrain.waters import Waters

GROUND, NETWORK = "ground", "network"
IN_WATER = "in a water without an outlet drawn"
SAME_PLACE_FT = 1e-9
MOST_LEGS = 500  # of one course; real ones have a dozen


_From = tuple[tuple[float, float], frozenset[int]]  # a place and the stops that do not count
_GroundWay = tuple[GroundPath, LineString, tuple[int, float] | None]


@dataclass(frozen=True, eq=False)
class Leg:
    """One stretch: its line, by which method, and after which leg. leaf says why it is the last.

    underground legs touch no water on their way, only where they end.
    """

    line: LineString
    start_ft: float
    method: str
    before: Leg | None
    certain: bool = True
    edge: int | None = None
    underground: bool = False
    leaf: Leaf | End | str | None = None
    ground: GroundPath | None = None
    spent: frozenset[int] = frozenset()  # stops that did not stop it

    @property
    def end_ft(self) -> float:
        """Distance of its lower end from the start of the course."""
        return self.start_ft + float(self.line.length)

    def chain(self) -> list[Leg]:
        """The legs from the start of the course to this one."""
        legs: list[Leg] = []
        at: Leg | None = self
        while at is not None:
            legs.append(at)
            at = at.before
        return legs[::-1]

    def way(self) -> LineString:
        """The line from the start of the course to the lower end of this leg."""
        return line_of(np.concatenate([np.asarray(leg.line.coords) for leg in self.chain()]))


@dataclass(frozen=True, eq=False)
class Meeting:
    """A water and where a course first enters it. first: no other water lies above it on its way.

    water is the number of the water.
    """

    water: int
    distance_ft: float
    point: Point
    leg: Leg
    first: bool = True


@dataclass(frozen=True, eq=False)
class Course:
    """All legs from one place, and the waters met, nearest first.

    wet: the numbers of the legs that meet a water; of two that enter one at the same place, as up
    and down a stream of unknown direction, meetings name one.
    """

    start: Point
    legs: tuple[Leg, ...]
    meetings: tuple[Meeting, ...]
    wet: frozenset[int]

    @property
    def leaves(self) -> list[Leg]:
        """The last legs of all branches."""
        return [leg for leg in self.legs if leg.leaf is not None]

    @property
    def first(self) -> list[Meeting]:
        """The waters that the branches enter first."""
        return [m for m in self.meetings if m.first]

    def dry_leaves(self) -> list[Leg]:
        """The last legs of branches that have met no water."""
        wet = {id(self.legs[number]) for number in self.wet}
        return [leg for leg in self.leaves if not any(id(step) in wet for step in leg.chain())]


@dataclass(frozen=True, eq=False)
class Follower:
    """Follows water over one surface and one network, past the waters of the site."""

    network: Network
    waters: Waters
    relief: Relief | None
    snap_ft: float
    _ways: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    _on_ground: dict[_From, _GroundWay] = field(default_factory=dict)
    _entered: dict[int | None, list[tuple[int, float]]] = field(default_factory=dict)  # by edge
    _leaves: dict[tuple[int, tuple[float, float]], frozenset[int] | None] = field(
        default_factory=dict
    )

    def follow(self, start: Point, length_ft: float) -> Course:
        """The course from a place for a length; it touches the network within snap_ft or not."""
        return self.follow_all([start], length_ft)[0]

    def follow_all(self, starts: Sequence[Point], length_ft: float) -> list[Course]:
        """The courses from many places; the waters on all of them are looked for at once."""
        every = [self._legs(start, length_ft) for start in starts]
        met = self._met_on([leg for legs in every for leg in legs])
        return [
            _course(start, legs, [next(met) for _ in legs])
            for start, legs in zip(starts, every, strict=True)
        ]

    def _legs(self, start: Point, length_ft: float) -> list[Leg]:
        legs: list[Leg] = []
        on = self.network.nearest(start, self.snap_ft)
        if on is not None:
            legs += self._along(on, 0.0, None, length_ft)
        else:
            legs += self._over(start, 0.0, None, length_ft, frozenset())
        seen: set[tuple[float, float]] = set()
        at = 0
        while at < len(legs) and len(legs) < MOST_LEGS:
            more = self._on_from(legs[at], length_ft, seen)
            if more:
                object.__setattr__(legs[at], "leaf", None)  # the legs after it know it already
                legs += more
            at += 1
        return legs

    def first_waters(self, edge: int, at_ft: float, length_ft: float) -> tuple[int, ...]:
        """Numbers of the waters that a way down the network enters first."""
        key = (edge, round(at_ft / max(self.snap_ft, 1.0)))
        if key not in self._ways:
            start = self.network.edges[edge].line.interpolate(at_ft)
            course = self.follow(start, length_ft)
            self._ways[key] = tuple(dict.fromkeys(m.water for m in course.first))
        return self._ways[key]

    def _on_from(self, leg: Leg, length_ft: float, seen: set[tuple[float, float]]) -> list[Leg]:
        """What follows a leg that ended where neither distance nor a water ends it."""
        if leg.leaf not in (Leaf.EDGE, Leaf.HEAD_ON) or self.relief is None:
            return []
        end = last_of(leg.line)
        place = (round(end.x, 3), round(end.y, 3))
        if place in seen or self.relief.cell_of((end.x, end.y)) is None or leg.edge is None:
            return []
        seen.add(place)
        key = leg.edge, (end.x, end.y)
        if key not in self._leaves:
            self._leaves[key] = self._spent_at(leg.edge, end)
        spent = self._leaves[key]
        if spent is None:
            return []
        over = self._over(end, leg.end_ft, leg, length_ft, spent)
        gone = over and (over[0].line.length > 0 or over[0].leaf not in (End.EDGE, End.OUTSIDE))
        return over if gone else []

    def _spent_at(self, edge: int, end: Point) -> frozenset[int] | None:
        """The stops that do not stop what leaves the end of an edge; None inside a water body."""
        if any(self.waters.waters[n].role == "waterbodies" for n in self.waters.holding(end)):
            return None
        own = self.network.edges[edge]
        nodes = {own.tail, own.head}
        near = [i for node in nodes for i in (*self.network.out_of(node), *self.network.into(node))]
        return frozenset(i + 1 for i in near)

    def _along(
        self, on: tuple[int, float], start_ft: float, before: Leg | None, length_ft: float
    ) -> list[Leg]:
        legs: dict[int, Leg] = {}
        for step in self.network.downstream(*on, length_ft - start_ft):
            edge = self.network.edges[step.edge]
            legs[id(step)] = Leg(
                step.line,
                start_ft + step.start_ft,
                NETWORK,
                before if step.before is None else legs[id(step.before)],
                step.certain and (before is None or before.certain),
                step.edge,
                edge.reach.underground,
                step.leaf,
            )
        return list(legs.values())

    def _over(
        self,
        start: Point,
        start_ft: float,
        before: Leg | None,
        length_ft: float,
        spent: frozenset[int],
    ) -> list[Leg]:
        """Over the ground to its end, and on along the network where it comes to it."""
        if self.relief is None:
            return []
        left = length_ft - start_ft
        path, line, on = self._ground_way((start.x, start.y), left, spent)
        leaf = path.end
        if line.length >= left:
            line, on, leaf = cut(line, 0.0, left), None, End.DISTANCE
        certain = before is None or before.certain
        ends: Leaf | End | str | None = leaf
        if leaf is End.STOP:
            ends = IN_WATER if on is None else None
        leg = Leg(line, start_ft, GROUND, before, certain, leaf=ends, ground=path, spent=spent)
        return [leg, *(self._along(on, leg.end_ft, leg, length_ft) if on else [])]

    def _ground_way(
        self, xy: tuple[float, float], left_ft: float, spent: frozenset[int]
    ) -> _GroundWay:
        """A path, its line up to what stops it, and where on the network that is.

        Kept, since below the end of a reach the water of many places goes the same way.
        """
        assert self.relief is not None
        kept = self._on_ground.get((xy, spent))
        if kept is None or kept[0].end is End.DISTANCE or kept[1].length >= left_ft:
            path = self.relief.trace(xy, left_ft, spent)
            stopped = path.end is End.STOP
            kept = (
                path,
                *(self._brought_to(path.line, path.stop) if stopped else (path.line, None)),
            )
            self._on_ground[xy, spent] = kept
        return kept

    def _brought_to(
        self, line: LineString, stop: int
    ) -> tuple[LineString, tuple[int, float] | None]:
        """A path brought to the exact place of what stopped it, and that place on the network."""
        last = last_of(line)
        if stop > 0:
            edge = self.network.edges[stop - 1]
            if edge.reach.underground:
                at = 0.0
            else:
                met = shapely.intersection(line, edge.line)
                near = last if met.is_empty else Point(shapely.get_coordinates(met)[0])
                at = float(edge.line.project(near))
                if not met.is_empty:
                    line = cut(line, 0.0, float(line.project(near)))
            return _with_end(line, edge.line.interpolate(at)), (stop - 1, at)
        number = -stop - 1
        shape = self.waters.waters[number].shape
        inside = [
            i for i in self.network.crossing(shape) if not self.network.edges[i].reach.underground
        ]
        if not inside:
            return line, None
        place = {i: self.network.edges[i].line.intersection(shape) for i in inside}
        nearest = min(inside, key=lambda i: (round(place[i].distance(last), 3), i))
        point = first_of(shapely.shortest_line(place[nearest], last))
        at = float(self.network.edges[nearest].line.project(point))
        return _with_end(line, point), (nearest, at)

    def _met_on(self, legs: list[Leg]) -> Iterator[list[tuple[int, float]]]:
        """For each leg the waters that it meets, and how far along it."""
        entered = self._entries(legs)
        for leg in legs:
            reach = None if leg.edge is None else self.network.edges[leg.edge].reach
            met: list[tuple[int, float]] = []
            if reach is not None and reach.role == "streams":
                number = self.waters.of_stream.get(reach.record)
                met += [] if number is None else [(number, 0.0)]
            if leg.underground:
                held = self.waters.holding(last_of(leg.line))
                yield met + [(number, float(leg.line.length)) for number in held]
            else:
                yield met + entered[id(leg)]

    def _entries(self, legs: list[Leg]) -> dict[int, list[tuple[int, float]]]:
        """The areas that legs above ground enter: looked for at once, on a whole edge only once."""
        found: dict[int, list[tuple[int, float]]] = {}
        asked: list[tuple[Leg, list[tuple[int, float]]]] = []
        for leg in legs:
            whole = leg.edge is not None and leg.line is self.network.edges[leg.edge].line
            known = self._entered.get(leg.edge) if whole else None
            if leg.underground:
                continue
            if known is None:
                known = []
                asked.append((leg, known))
                if whole:
                    self._entered[leg.edge] = known
            found[id(leg)] = known
        if asked:
            lines = np.array([leg.line for leg, _ in asked], dtype=object)
            for of, number, at in zip(*self.waters.all_entries(lines), strict=True):
                asked[int(of)][1].append((int(number), float(at)))
        return found


def _course(start: Point, legs: list[Leg], met: list[list[tuple[int, float]]]) -> Course:
    wet = frozenset(number for number, met_on in enumerate(met) if met_on)
    return Course(start, tuple(legs), tuple(_meetings(legs, met)), wet)


def _meetings(legs: list[Leg], met: list[list[tuple[int, float]]]) -> Iterator[Meeting]:
    """The waters of one course, nearest first; met are those on each leg, and how far along it."""
    found: dict[int, Meeting] = {}
    for leg, met_on in zip(legs, met, strict=True):
        for number, at in met_on:
            distance = leg.start_ft + at
            if number not in found or distance < found[number].distance_ft:
                point = leg.line.interpolate(at)
                found[number] = Meeting(number, distance, point, leg)
    for own in sorted(found.values(), key=lambda m: (m.distance_ft, m.water)):
        above = {id(leg) for leg in own.leg.chain()}
        later = any(
            id(other.leg) in above and other.distance_ft < own.distance_ft - 1e-6
            for other in found.values()
            if other is not own
        )
        yield Meeting(own.water, own.distance_ft, own.point, own.leg, not later)


def _with_end(line: LineString, point: Point) -> LineString:
    if last_of(line).distance(point) < SAME_PLACE_FT:
        return line
    return line_of(np.vstack([np.asarray(line.coords), [point.x, point.y]]))
