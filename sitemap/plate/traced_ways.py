"""What the flow trace found, as the plate has to show it: ways, entries, corridors to confirm.

The traces themselves are terrain/downstream.py's; here is chosen what of them is drawn and listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.ordinance import Ordinance
from sitemap.site import Site
from sitemap.terrain.courses import GROUND, Meeting
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.units import Length

if TYPE_CHECKING:  # what follows water loads rasters too: only where something leads on
    from sitemap.terrain.downstream import Flow, Trace
    from sitemap.terrain.drawn import Drawn

STRETCHES = 4  # distances are told every quarter of the pack's distance: 330 ft of 1,320
THIN_IN_CELLS = 0.75  # a path over cells is drawn without their steps; distances keep them
BAND_CELLS = 1.5  # to either side of each run of a corridor
SAME_PLACE_FT = 1.0
LEADING_ROLES = ("outfalls", "discharges", "streams", "waterbodies", "wetlands", "storm_sewers")
FLOWING_ROLES = ("streams", "storm_sewers", "culverts")
ROLE_WORDS = {"wetlands": "wetland", "waterbodies": "water body", "streams": "stream"}


@dataclass(frozen=True, eq=False)
class WayMark:
    """A place on a way with its distance in feet: "distance", "entry" into a water, or "end".

    ahead is the direction of flow there, a unit vector on the ground; words are its label.
    """

    kind: Literal["distance", "entry", "end"]
    point: Point
    ahead: tuple[float, float]
    words: str
    first: bool = False  # the water is entered before any other


@dataclass(frozen=True, eq=False)
class Reached:
    """A water that an outlet's flow reaches, and the discharges that the site shows for it.

    first_pct and any_pct are the shares of the runs of the corridor that enter it before any
    other water, and at all; 100 along mapped reaches.
    """

    trace: Trace
    water: int
    distance_ft: float
    point: Point
    first_pct: float
    any_pct: float
    method: str
    is_certain: bool
    discharges: tuple[Drawn, ...]


@dataclass(frozen=True, eq=False)
class TracedWays:
    """The traces of a site with the pack's shares (percent) and its tolerance of places (feet)."""

    flow: Flow
    near_ft: float

    @property
    def distance_ft(self) -> float:
        """How far downstream is followed."""
        return self.flow.limits.distance_ft

    @cached_property
    def lines(self) -> tuple[LineString, ...]:
        """Every stretch that is followed, each once, in ground feet."""
        legs = [leg for trace in self.flow.traces for leg in trace.course.legs]
        mapped = _once([leg.line for leg in legs if leg.method != GROUND])
        ground = _once([leg.line for leg in legs if leg.method == GROUND])
        surface = self.flow.surface
        if surface is not None and len(ground):
            # without the steps of the cells, and no further than the shore of a water
            ground = shapely.simplify(ground, THIN_IN_CELLS * surface.cell_ft)
            ground = shapely.get_parts(shapely.difference(ground, self._open_water))
        both = np.concatenate([mapped, ground])
        return tuple(both[shapely.length(both) > 0.0].tolist())

    @cached_property
    def _open_water(self) -> BaseGeometry:
        """Lakes and ponds in one shape."""
        waters = self.flow.waters.waters
        shapes = [water.shape for water in waters if water.role == "waterbodies"]
        found: BaseGeometry = shapely.union_all(np.array(shapes, dtype=object))
        return found

    @cached_property
    def corners_ft(self) -> np.ndarray:
        """All places of the ways, shape (n, 2)."""
        return np.asarray(shapely.get_coordinates(np.array(self.lines, dtype=object)))

    @cached_property
    def marks(self) -> tuple[WayMark, ...]:
        """Entries, then ends, then distances; each place once."""
        found = [mark for trace in self.flow.traces for mark in self._marks(trace)]
        order = ("entry", "end", "distance")
        found.sort(key=lambda mark: (order.index(mark.kind), not mark.first))
        kept: dict[tuple[float, float, str], WayMark] = {}
        for mark in found:
            kept.setdefault((round(mark.point.x), round(mark.point.y), mark.words), mark)
        return tuple(kept.values())

    def _marks(self, trace: Trace) -> Iterator[WayMark]:
        for met in trace.course.meetings:
            water = self.flow.water(met.water)
            at = met.leg.line.project(met.point)
            words = f"{trace.outlet}, {met.distance_ft:,.0f} ft to {water.name}"
            yield WayMark("entry", met.point, _ahead(met.leg.line, at), words, met.first)
        step = self.distance_ft / STRETCHES
        for leg in trace.course.legs:
            for number in range(1, STRETCHES + 1):
                far = number * step
                if not leg.start_ft < far <= leg.end_ft + 1e-6:
                    continue
                at = min(far - leg.start_ft, leg.line.length)
                kind: Literal["end", "distance"] = "end" if number == STRETCHES else "distance"
                words = f"{trace.outlet}, {far:,.0f} ft"  # "OF-1: 330" would read as a scale
                yield WayMark(kind, leg.line.interpolate(at), _ahead(leg.line, at), words)

    # ------------------------------------------------------------------------ what is reached

    @cached_property
    def _drawn(self) -> list[Drawn]:
        from sitemap.terrain.drawn import drawn_discharges

        return drawn_discharges(self.flow.site, self.flow, self.near_ft)

    @cached_property
    def reached(self) -> tuple[Reached, ...]:
        """Every water that an outlet's flow reaches, by outlet, the likeliest first one first."""
        from sitemap.terrain.drawn import is_of

        outlets = {trace.outlet.casefold() for trace in self.flow.traces if trace.is_outfall}
        known = [drawn for drawn in self._drawn if drawn.water is not None]
        return tuple(
            r for trace in self.flow.traces
            for r in self._reached(trace, [d for d in known if is_of(d, trace, outlets)])
        )  # fmt: skip

    def _reached(self, trace: Trace, own: list[Drawn]) -> Iterator[Reached]:
        met = {m.water: m for m in trace.course.meetings}
        first = {number: trace.first_pct(m) for number, m in met.items()}
        first.update({number: one.first_pct for number, one in trace.shares.items()})
        for number in sorted(first, key=lambda n: -first[n]):
            share = trace.shares.get(number)
            any_pct = share.any_pct if share is not None else 0.0 if trace.runs else 100.0
            shown = tuple(d for d in own if d.water == number)
            entry = _entry(trace, number, met.get(number))
            yield Reached(trace, number, *entry[:2], first[number], any_pct, *entry[2:], shown)

    @property
    def to_show(self) -> list[Reached]:
        """Waters entered first in more than the lower share, and that no discharge shows."""
        lower = self.flow.limits.lower_pct
        return [r for r in self.reached if not r.discharges and r.first_pct > lower]

    def to_confirm(self, one: Reached) -> bool:
        """Whether a person decides if this water is reached, since the runs differ."""
        return bool(one.trace.runs) and one.first_pct < self.flow.limits.upper_pct

    def reached_by(self, name: str) -> Reached | None:
        """What the discharge of this id stands for; None where no trace leads to it."""
        return next(
            (r for r in self.reached if any(d.name == name for d in r.discharges)), None
        )  # fmt: skip

    def kind_of(self, water: int) -> str:
        """Wetland, water body or what a stream is, in a word."""
        found = self.flow.water(water)
        if found.role == "streams" and found.kind:
            return found.kind.replace("_", " ")
        return ROLE_WORDS[found.role]

    @cached_property
    def bands(self) -> tuple[tuple[BaseGeometry, str], ...]:
        """Corridors in which a person must confirm a water that is not shown, with their label."""
        found = []
        for trace in self.flow.traces:
            asked = [r for r in self.to_show if r.trace is trace and self.to_confirm(r)]
            if asked and trace.corridor is not None:
                found.append((self._band(trace.corridor), self._asked(trace, asked)))
        return tuple(found)

    def _band(self, corridor: BaseGeometry) -> BaseGeometry:
        surface = self.flow.surface
        half = BAND_CELLS * (surface.cell_ft if surface is not None else SAME_PLACE_FT)
        wide = shapely.union_all(shapely.buffer(shapely.get_parts(corridor), half, quad_segs=2))
        return shapely.simplify(wide, half / 4.0)

    def _asked(self, trace: Trace, asked: list[Reached]) -> str:
        told = [
            f"{self.flow.water(r.water).name} first in {round(r.first_pct * trace.runs / 100.0)}"
            for r in asked
        ]
        return f"{trace.outlet}: {', '.join(told)} of {trace.runs} runs, to be confirmed"


def _entry(trace: Trace, water: int, met: Meeting | None) -> tuple[float, Point, str, bool]:
    """Distance, place, method and certainty: of the path itself, else the middle of the runs."""
    if met is not None:
        legs = [leg.method for leg in met.leg.chain() if leg.line.length > 0.0]
        method = ", ".join(dict.fromkeys(legs or [met.leg.method]))
        return met.distance_ft, met.point, method, met.leg.certain
    share = trace.shares[water]
    middle = int(((share.entries - share.entries.mean(axis=0)) ** 2).sum(axis=1).argmin())
    return float(share.distances_ft.mean()), Point(share.entries[middle]), GROUND, True


def _once(lines: list[LineString]) -> np.ndarray:
    """Stretches that several lines share, each once; joined where they lead on."""
    if not lines:
        return np.empty(0, dtype=object)
    joined = shapely.union_all(np.array(lines, dtype=object))
    return np.asarray(shapely.get_parts(shapely.line_merge(joined)))


def _ahead(line: LineString, at_ft: float) -> tuple[float, float]:
    """The direction of a line about a place on it; east where it has no length."""
    reach = max(5.0, line.length / 50.0)
    a = line.interpolate(max(at_ft - reach, 0.0))
    b = line.interpolate(min(at_ft + reach, line.length))
    size = float(np.hypot(b.x - a.x, b.y - a.y))
    return ((b.x - a.x) / size, (b.y - a.y) / size) if size > 0.0 else (1.0, 0.0)


def traced_ways(site: Site, ordinance: Ordinance) -> TracedWays | None:
    """The ways from a site's outlets; None where the pack sets no numbers, or nothing leads on.

    Followed over the elevation and the network that were submitted, as the rules follow them.
    """
    if any(name not in ordinance.limits for name in FlowLimits.NAMES) or site.crs is None:
        return None
    if all(site.role(role) is None for role in LEADING_ROLES):
        return None  # neither an outlet nor a water is shown, so no way leads from one to another
    from sitemap.terrain.downstream import flow_of

    flow = flow_of(site, FlowLimits.of(ordinance.limits, site))
    if not any(leg.line.length > 0.0 for trace in flow.traces for leg in trace.course.legs):
        return None
    near = ordinance.limits.get("downstream_tolerance")
    typed = near.typed if near is not None else None
    near_ft = typed.to(site.foot) if isinstance(typed, Length) else flow.limits.snap_ft
    return TracedWays(flow, near_ft)
