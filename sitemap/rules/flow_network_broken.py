"""TOP003: reaches that miss each other, flow against each other, or run in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas
from shapely.geometry import MultiLineString
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.flow_balance import Odd, Oddity
from sitemap.measures.flow_direction import TRUST, Known
from sitemap.measures.flow_network import Miss, circles, misses
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.conduits import REACHES, STOPS, WATERS, stops_of
from sitemap.terrain.downstream import Flow
from sitemap.terrain.network import Network
from sitemap.units import Length

NAMED = 6
FITS = {
    Oddity.HEAD_ON: "flow towards each other and nothing leads on",
    Oddity.PARTING: "flow away from each other and nothing arrives between them",
    Oddity.BRANCH_ENDS: "leaves another stream and ends",
}


@rule("TOP003", clauses=("map",), uses=(*dict.fromkeys((*REACHES, *STOPS, *WATERS)),))
def flow_network_broken(
    site: Site,
    flow: Flow,
    position_tolerance: Length,
    snapping_distance: Length,
    level_tolerance: Length,
) -> Iterator[Said]:
    """The map has streams or storm sewers that do not join into one network.

    Why
        Where stormwater is discharged within a quarter mile is found by following the flow. A gap
        of a foot, a reach drawn backwards or a circle sends that search the wrong way.

    How it is measured
        Streams, storm sewers and culverts as one network in the site CRS. A reach is cut where
        another one ends on it; free ends within the pack's snapping distance are brought together
        for the search downstream, and each one farther off than the position tolerance is told
        (warning). Lines that cross without an end there, a bridge or a culvert, are not joined.
        The direction of each reach is told, in this order, by a flow table (PlusFlow, or the
        number of the next reach), the names of its from and to nodes, its end elevations beside
        those of its neighbours, its inverts, the heights of its own vertices, its flow direction
        field, the fall of the ground and stream orders. Found is: a reach whose field, or drawing,
        one of these contradicts (an error where the field is wrong, else a warning); reaches that
        meet head on with nothing to lead on, or part where nothing arrives, or leave a stream and
        end: an error where turning one of them mends both a meeting and a parting, or where the
        ground or the orders say that the one to turn flows the other way (the first and the last
        reach of a stream mend one place only); else a warning that names the one to turn where one
        mends more than the others, since the data may end there: its direction counts as unknown,
        unless the ground falls as it is drawn; a pipe whose inverts rise along it by more than the
        level tolerance (error); reaches
        of known direction in a circle (error). Reaches whose direction nothing tells are named
        (information): they are followed both ways.

    When it does not apply
        To an end with no other reach near, which may be a source or the edge of the data
        (HYD004); within the snapping distance of inlets, outfalls, culverts, discharges, waters,
        wetlands and infiltration areas, where water comes and goes. To reaches that only a
        reference shows: they tell where drawn ones lead, their own faults are not the map's.
        Where field and ground alone disagree, see HYD007.

    How to fix
        Snap the end to the other reach; reverse the line named, or correct its direction field;
        open the circle.

    References
        § 162-11B(4)(a), (h); the reading "End of data" of the pack; flowtrace issue 4 (reversed
        reaches stop or turn a trace), hydroloom issue 42 (unknown directions).
    """
    network = flow.network if any(site.role(role) for role in REACHES) else None  # dear to make
    if network is None or not network.reaches:
        yield NotApplicable("no stream or storm sewer is drawn as a line")
        return
    told = _Told(network, _where(flow.mapped), _own(network, site))
    tolerance, snap = position_tolerance.to(site.foot), snapping_distance.to(site.foot)
    lines = np.array([reach.line for reach in network.reaches], dtype=object)
    stops = stops_of(site)
    for miss in misses(lines, tolerance, snap, np.concatenate([stops.points, stops.waters])):
        if {miss.line, miss.other} <= told.own:
            yield told.missed(miss, tolerance)
    yield from told.contradicted()
    for odd in network.continuity.odd:
        if told.own & set(odd.lines) and (odd.turn is None or odd.turn in told.own):
            yield told.odd(odd)
    yield from told.in_circles()
    sewers = site.role("storm_sewers")
    if sewers is not None:
        yield from _rising(sewers, level_tolerance.feet)
    yield from told.unknown()
    yield Checked(told.words(), len(told.own))


def _own(network: Network, site: Site) -> frozenset[int]:
    """The reaches that are drawn; those that only a reference shows come after them."""
    drawn = {role: len(layer.usable) for role in REACHES if (layer := site.role(role)) is not None}
    reaches = enumerate(network.reaches)
    return frozenset(i for i, reach in reaches if reach.record < drawn.get(reach.role, 0))


def _where(site: Site) -> dict[str, list[Source]]:
    return {
        role: sources(layer.usable) for role in REACHES if (layer := site.role(role)) is not None
    }


@dataclass(frozen=True, eq=False)
class _Told:
    """What is wrong with a network, in words. own: the reaches that are drawn; others are of a
    reference, whose faults are not those of the map.
    """

    network: Network
    where: dict[str, list[Source]]
    own: frozenset[int]

    def source(self, line: int) -> Source:
        """Where a reach stands in the user's files."""
        reach = self.network.reaches[line]
        return self.where[reach.role][reach.record]

    def _names(self, lines: Iterable[int], joint: str = "; ") -> str:
        """The records of some reaches, the first few of them."""
        names = [*dict.fromkeys(str(self.source(line)) for line in lines)]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return f"{joint.join(names[:NAMED])}{more}"

    def _shape(self, lines: Iterable[int]) -> BaseGeometry:
        return MultiLineString([self.network.reaches[line].line for line in lines])

    def missed(self, miss: Miss, tolerance_ft: float) -> Fault:
        """An end that falls short of another reach, or goes beyond it."""
        mine, other = self.source(miss.line), self.source(miss.other)
        how = "goes beyond" if miss.beyond else "ends short of"
        return Fault(
            f"{mine} {how} {other}, by {miss.distance:.1f} ft",
            f"snap the end to {other}",
            geometry=miss.place,
            measured=Quantity(round(miss.distance, 2), "ft"),
            limit=Limit(tolerance_ft, "ft"),
            role=self.network.reaches[miss.line].role,
            source=mine,
            related=(other,),
            severity=Severity.WARNING,
            distinct=f"{mine}|{other}|{miss.place.centroid.x:.0f} {miss.place.centroid.y:.0f}",
        )

    def contradicted(self) -> Iterator[Fault]:
        """Reaches whose field, or drawing, is contradicted by what is known of them."""
        told = self.network.continuity.told
        for line in sorted(self.own):
            reach = self.network.reaches[line]
            known, sign = told.known[line], int(told.sign[line])
            against = [how for how in told.contradicting(line) if how is not Known.GROUND]
            if reach.stated and sign != reach.stated:
                yield self._contradicted(line, "is said to flow the other way", None)
            elif not reach.stated and sign < 0 and known is not Known.INVERTS:
                yield self._contradicted(line, "is drawn against its flow", Severity.WARNING)
            elif against:
                words = " and ".join(how.value for how in against)
                yield self._contradicted(line, f"flows the other way by {words}", Severity.WARNING)

    def _contradicted(self, line: int, words: str, severity: Severity | None) -> Fault:
        told, reach = self.network.continuity.told, self.network.reaches[line]
        known = " and ".join(how.value for how in told.agreeing(line))
        stream = reach.role == "streams"
        return Fault(
            f"{self.source(line)} {words}; its direction is taken from {known}",
            "reverse the line, or correct its direction field" if stream else "reverse the line",
            geometry=reach.line,
            role=reach.role,
            source=self.source(line),
            field_name="flow_direction" if reach.stated else None,
            severity=severity,
            distinct=f"direction {self.source(line)}",
        )

    def odd(self, odd: Odd) -> Fault:
        """Reaches whose directions contradict each other at a node."""
        named = self._names(odd.lines, " and ")
        drawn = [line for line in odd.lines if line in self.own]
        first = drawn[0] if odd.turn is None else odd.turn
        if odd.certain and odd.by is not None:
            words = f"; {self.source(first)} is drawn backwards, by {odd.by.value}"
        elif odd.certain:
            words = (
                f"; turning {self.source(first)} alone mends both its ends: it is drawn backwards"
            )
        elif odd.turn is not None:
            words = f"; {self.source(first)} is drawn backwards, or the data end here"
            if odd.turn in self.network.continuity.either_way:
                words += ": of unknown direction, it is followed both ways"
        else:
            words = "; one of them is drawn backwards, or the data end where they meet"
        return Fault(
            f"{named} {FITS[odd.kind]}{words}",
            "reverse the one that is drawn backwards, or draw the reach that leads on",
            geometry=self.network.continuity.place(odd.node),
            role=self.network.reaches[first].role,
            source=self.source(first),
            related=tuple(self.source(line) for line in odd.lines if line != first),
            severity=None if odd.certain else Severity.WARNING,
            distinct=f"{odd.kind.name} {named}",
        )

    def in_circles(self) -> Iterator[Fault]:
        """Reaches of known direction in which water would run in a circle."""
        continuity = self.network.continuity
        noded = continuity.noded
        known = continuity.told.is_known[noded.of]
        pieces = np.flatnonzero(known & (noded.first != noded.last))
        tail, head = continuity.balance.flow(continuity.told.sign)
        found = [noded.of[pieces[circle]] for circle in circles(tail[pieces], head[pieces])]
        rings = np.flatnonzero(known & (noded.first == noded.last))
        for lines in [*found, *(noded.of[[ring]] for ring in rings.tolist())]:
            ring_of = sorted(np.unique(lines).tolist(), key=lambda line: line not in self.own)
            if ring_of[0] in self.own:
                yield self._circle(tuple(ring_of))

    def _circle(self, lines: tuple[int, ...]) -> Fault:
        named = self._names(lines)
        what = "flows back into itself" if len(lines) == 1 else "flow in a circle"
        return Fault(
            f"{named} {what}",
            "reverse or take out the reach that closes the circle",
            geometry=self._shape(lines),
            measured=Quantity(len(lines), "reaches"),
            role=self.network.reaches[lines[0]].role,
            source=self.source(lines[0]),
            related=tuple(self.source(line) for line in lines[1:]),
            distinct=f"circle {named}",
        )

    def unknown(self) -> Iterator[Fault]:
        """The reaches of each role whose direction nothing tells, told otherwise not yet."""
        told = self.network.continuity.either_way
        known = self.network.continuity.followed[1]
        for role in REACHES:
            lines = [
                i
                for i in sorted(self.own - set(told))
                if self.network.reaches[i].role == role and known[i] is Known.ASSUMED
            ]
            if lines:
                yield Fault(
                    f"{_reaches(len(lines))} of unknown direction, followed both "
                    f"ways: {self._names(lines)}",
                    "state the direction of flow, or the inverts, or supply elevation",
                    geometry=self._shape(lines),
                    measured=Quantity(len(lines), "reaches"),
                    role=role,
                    source=self.source(lines[0]),
                    related=tuple(self.source(line) for line in lines[1:50]),
                    severity=Severity.INFO,
                    distinct=f"unknown direction of {role}",
                )

    def words(self) -> str:
        """What was looked at."""
        continuity = self.network.continuity
        own = sorted(self.own)
        known = [continuity.told.known[line] for line in own]
        by = [f"{known.count(how)} by {how.value}" for how in TRUST if how in known]
        told = ", ".join(by)
        cut = continuity.noded.cut
        split = f"; {_reaches(cut)} cut where others end on them" if cut else ""
        snapped = len(continuity.noded.snaps)
        gaps = f"; {plural(snapped, 'end')} brought to others over a gap" if snapped else ""
        others = len(self.network.reaches) - len(own)
        beside = f"; {_reaches(others)} beside them that only a reference shows" if others else ""
        return (
            f"{len(own)} reaches, {sum(continuity.told.is_known[own])} of them with a "
            f"known direction of flow{f' ({told})' if by else ''}{split}{gaps}{beside}"
        )


def _rising(sewers: RoleLayer, tolerance_ft: float) -> Iterator[Fault]:
    frame = sewers.usable
    rise = _numbers(sewers, "invert_down_ft") - _numbers(sewers, "invert_up_ft")
    rows = np.flatnonzero(np.round(rise, 6) > tolerance_ft)
    for row, source in zip(rows.tolist(), sources(frame.iloc[rows]), strict=True):
        yield Fault(
            f"{source}: the invert rises by {rise[row]:.2f} ft from the upper end to the lower",
            "exchange the two inverts, or correct them",
            geometry=frame.geometry.iloc[row],
            measured=Quantity(round(float(rise[row]), 3), "ft"),
            limit=Limit(0, "ft"),
            role="storm_sewers",
            source=source,
            field_name="invert_down_ft",
            distinct=f"rising {source}",
        )


def _numbers(layer: RoleLayer, field: str) -> np.ndarray:
    values: np.ndarray = pandas.to_numeric(layer.usable[field], errors="coerce").to_numpy(float)
    return values


def _reaches(count: int) -> str:
    return "1 reach" if count == 1 else f"{count:,} reaches"
