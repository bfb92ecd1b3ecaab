"""How the reaches of a network fit together: what tells their directions, and which one to turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from sitemap.measures.flow_balance import Balance, Odd, carried_on
from sitemap.measures.flow_direction import FIRM, Directions, Known
from sitemap.measures.flow_evidence import by_fall, by_leads, by_levels, by_nodes, by_order
from sitemap.measures.joints import Noded
from sitemap.measures.near_ends import clusters
from sitemap.terrain.reaches import Edge, Reach

SAME_FALL_FT = 0.005  # heights nearer than this say nothing about a direction
SURE = 2.0  # standard errors of a difference of two heights of the ground
OTHER_WORDS = (Known.GROUND, Known.ORDER)  # that decide where the joints leave a doubt
MADE = ("ditch", "swale", "channel")  # kinds that may begin at a crest and end where they please
Heights = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Stops:
    """Where water comes and goes without a reach: points (inlets, outfalls), and waters."""

    points: np.ndarray
    waters: np.ndarray


NO_STOPS = Stops(np.empty(0, dtype=object), np.empty(0, dtype=object))


def votes_of(
    reaches: Sequence[Reach],
    noded: Noded,
    heights: Heights | None,
    error_ft: float,
    leads: Set[tuple[str, str]],
) -> Mapping[Known, np.ndarray]:
    """What each kind of evidence says of each reach."""
    count = len(reaches)
    first, last = noded.ends[:count], noded.ends[count:]
    routing = [reach.routing for reach in reaches]
    z = np.full((2, count), np.nan)
    if heights is not None and count:
        lines = [reach.line for reach in reaches]
        ends = [shapely.get_coordinates(shapely.get_point(lines, i)) for i in (0, -1)]
        z = np.stack([heights(xy) for xy in ends])
    numbers = np.array(
        [(r.invert_first_ft, r.invert_last_ft, r.z_first, r.z_last) for r in reaches], dtype=float
    ).reshape(count, 4)
    inverts = by_fall(numbers[:, 0], numbers[:, 1], SAME_FALL_FT)
    sure_ft = max(SURE * 2.0**0.5 * error_ft, SAME_FALL_FT)
    return {
        Known.TABLE: by_leads(first, last, [r.reach for r in routing], leads),
        Known.NODES: by_nodes(first, last, routing),
        Known.LEVELS: by_levels(first, last, routing),
        Known.INVERTS: inverts,
        Known.HEIGHTS: by_fall(numbers[:, 2], numbers[:, 3], SAME_FALL_FT),
        Known.FIELD: np.array([r.stated for r in reaches], dtype=int),
        Known.GROUND: np.where(inverts != 0, 0, by_fall(z[0], z[1], sure_ft)),  # pipes dig
        Known.ORDER: by_order(first, last, routing),
    }


@dataclass(frozen=True, eq=False)
class Continuity:
    """Directions as told, and those that the network is followed in."""

    noded: Noded
    told: Directions
    reaches: tuple[Reach, ...]
    stops: Stops
    snap_ft: float

    @cached_property
    def balance(self) -> Balance:
        """The directions as told, held against each other."""
        return self._balance(self.told.sign)

    @cached_property
    def odd(self) -> tuple[Odd, ...]:
        """Places where the directions as told contradict each other."""
        return tuple(map(self._with_other_words, self.balance.odd()))

    def _with_other_words(self, odd: Odd) -> Odd:
        """An oddity made certain by what else speaks against the reach to turn.

        Where turning either of two mends it, against one of them.
        """
        if odd.certain:
            return odd
        asked = odd.lines if odd.turn is None and len(odd.lines) == 2 else (odd.turn,)
        for how in OTHER_WORDS:
            against = [i for i in asked if i is not None and how in self.told.contradicting(i)]
            if len(against) == 1:
                return replace(odd, turn=against[0], certain=True, by=how)
        return odd

    @cached_property
    def either_way(self) -> frozenset[int]:
        """Reaches that may be drawn backwards, and nothing else tells: they are followed both ways.

        One whose direction is firm, or as the ground falls, is not among them.
        """
        asked = {o.turn for o in self.odd if not o.certain and o.turn is not None}
        return frozenset(
            i
            for i in asked
            if self.told.known[i] not in FIRM and not set(OTHER_WORDS) & set(self.told.agreeing(i))
        )

    @cached_property
    def turned_lines(self) -> frozenset[int]:
        """Reaches that are followed against what is told of them: turning one heals two places."""
        sure = {o.turn for o in self.odd if o.certain and o.turn is not None}
        return frozenset(i for i in sure if self.told.known[i] not in FIRM)

    @cached_property
    def followed(self) -> tuple[np.ndarray, tuple[Known, ...]]:
        """The direction in which each reach is followed, and by what."""
        sign, known = self.told.sign.copy(), list(self.told.known)
        for i in self.turned_lines:
            sign[i], known[i] = -sign[i], Known.TURNED
        for i, way in carried_on(self.noded, sign, self.told.is_known).items():
            sign[i], known[i] = way, Known.CONTINUITY
        for i in self.either_way:
            known[i] = Known.ASSUMED
        return sign, tuple(known)

    @property
    def turned(self) -> tuple[int, ...]:
        """Numbers of the pieces of the reaches that were turned."""
        return tuple(np.flatnonzero(np.isin(self.noded.of, list(self.turned_lines))).tolist())

    def edges(self) -> Iterator[Edge]:
        """The pieces, drawn in the direction in which they are followed."""
        sign, known = self.followed
        noded = self.noded
        doubted = self.told.contradicted()
        doubted[[o.turn for o in self.odd if o.turn is not None]] = True
        for line, of, a, b in zip(noded.lines, noded.of, noded.first, noded.last, strict=True):
            number, ahead = int(of), bool(sign[of] > 0)
            yield Edge(
                line if ahead else line.reverse(),
                self.reaches[number],
                int(a if ahead else b),
                int(b if ahead else a),
                known[number],
                not ahead,
                number,
                bool(doubted[of]),
            )

    def place(self, node: int) -> shapely.Point:
        """Where a node lies."""
        at = np.flatnonzero((self.noded.first == node) | (self.noded.last == node))[0]
        end = 0 if self.noded.first[at] == node else -1
        return shapely.Point(self.noded.lines[at].coords[end][:2])

    def _balance(self, sign: np.ndarray) -> Balance:
        return Balance(self.noded, sign, self._independent, self._excused, self._lakes, self._made)

    @cached_property
    def _independent(self) -> np.ndarray:
        """Reaches whose direction was told by something better than the ground or an order."""
        weak = (Known.GROUND, Known.ORDER, Known.ASSUMED)
        return np.array([how not in weak for how in self.told.known], dtype=bool)

    @cached_property
    def _made(self) -> np.ndarray:
        return np.array([r.role != "streams" or r.kind in MADE for r in self.reaches], dtype=bool)

    @cached_property
    def _ends(self) -> tuple[shapely.STRtree, np.ndarray]:
        """The ends of all pieces, and the node of each."""
        points = np.concatenate([shapely.get_point(self.noded.lines, i) for i in (0, -1)])
        return shapely.STRtree(points), np.concatenate([self.noded.first, self.noded.last])

    @cached_property
    def _excused(self) -> np.ndarray:
        """Nodes beside a stop."""
        tree, nodes = self._ends
        found = np.zeros(self.noded.size, dtype=bool)
        if len(self.stops.points) and len(nodes):
            hit = tree.query(self.stops.points, predicate="dwithin", distance=self.snap_ft)[1]
            found[nodes[hit]] = True
        return found

    @cached_property
    def _lakes(self) -> np.ndarray:
        """The number of the water in which each node lies, waters that touch being one."""
        tree, nodes = self._ends
        lake = np.full(self.noded.size, -1)
        waters = self.stops.waters
        if len(waters) and len(nodes):
            label = clusters(waters, self.snap_ft)
            which, hit = tree.query(waters, predicate="dwithin", distance=self.snap_ft)
            lake[nodes[hit]] = label[which]
        return lake
