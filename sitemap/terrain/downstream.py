"""Flow: each outfall and boundary low point of a site followed downstream, with its waters.

Built once per run, when a rule asks for `flow`. A ground path is told as a corridor: in how many of
100 realisations of the surface it reaches each water.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from shapely.geometry import MultiLineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Source
from sitemap.measures.records import sources
from sitemap.site import Site
from sitemap.terrain.conduits import network_of
from sitemap.terrain.corridor import realisations
from sitemap.terrain.courses import GROUND, Course, Follower, Leg, Meeting
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.gathering import Gathering, gathered, low_points
from sitemap.terrain.ground import Ground, ground_of
from sitemap.terrain.known_waters import with_known_waters
from sitemap.terrain.network import Network
from sitemap.terrain.noise import Noise
from sitemap.terrain.stops import relief_of
from sitemap.terrain.surface import Surface
from sitemap.terrain.trace import End, GroundPath, Relief, lines_of
from sitemap.terrain.waters import Water, Waters, waters_of

SQFT_PER_ACRE = 43_560.0
Entry = tuple[int, float, tuple[float, float]]  # number of a water, feet along flow, place
SAME_OUTLET_FT = 50.0  # a low point so near to an outfall, or to its way, is that outfall


@dataclass(frozen=True, eq=False)
class Share:
    """How often the runs of a corridor reach a water, and where and how far on they enter it.

    any_pct counts every run that reaches it, first_pct those that enter no other water before.
    """

    water: int
    any_pct: float
    first_pct: float
    entries: np.ndarray  # (n, 2) feet
    distances_ft: np.ndarray

    @property
    def spread_ft(self) -> tuple[float, float]:
        """Between which distances nine tenths of the runs enter it."""
        low, high = np.percentile(self.distances_ft, [5, 95])
        return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Trace:
    """One outlet of the site, followed downstream.

    outlet is the outfall's id, or "low point 2"; is_outfall tells them apart. shares is by number
    of the water; empty where no ground lies on the way, which is then certain. corridor are the
    paths of all runs.
    """

    outlet: str
    is_outfall: bool
    point: Point
    source: Source
    course: Course
    shares: Mapping[int, Share]
    runs: int = 0
    corridor: BaseGeometry | None = None
    any_water_pct: float = 100.0
    acres: float | None = None  # drains to a low point

    def first_pct(self, meeting: Meeting) -> float:
        """In what share of the runs this water is entered first; 100 on a mapped line."""
        if not self.runs:
            return 100.0 if meeting.first else 0.0
        share = self.shares.get(meeting.water)
        return share.first_pct if share is not None else 0.0

    @property
    def method(self) -> str:
        """Over what the water goes to its first water: network, ground or both."""
        legs = [leg for m in self.course.first[:1] for leg in m.leg.chain()] or self.course.legs
        used = [leg.method for leg in legs if leg.line.length > 0 or len(legs) == 1]
        return ", ".join(dict.fromkeys(used))


@dataclass(frozen=True, eq=False)
class Flow:
    """All that is followed downstream from a site. surface is the existing ground, or None."""

    site: Site
    limits: FlowLimits

    @property
    def ground(self) -> Ground:
        """Both surfaces of the site."""
        return ground_of(self.site)

    @property
    def surface(self) -> Surface | None:
        """The existing ground, over which discharges are followed; None where nothing shows it."""
        return self.ground.existing

    @cached_property
    def mapped(self) -> Site:
        """The site with what its references know of waters and the map does not show."""
        return with_known_waters(self.site, self.limits.accuracy_ft)

    @cached_property
    def network(self) -> Network:
        """Streams, sewers and culverts, joined."""
        return network_of(self.mapped, self.limits.snap_ft, self.surface)

    @cached_property
    def waters(self) -> Waters:
        """The waters and wetlands that are drawn, and those that only a reference shows."""
        return waters_of(self.mapped)

    @cached_property
    def relief(self) -> Relief | None:
        """The existing ground with all that stops a trace."""
        if self.surface is None:
            return None
        return relief_of(self.surface, self.network, self.waters, self.limits.snap_ft)

    @cached_property
    def follower(self) -> Follower:
        """Follows water over the existing ground."""
        return Follower(self.network, self.waters, self.relief, self.limits.snap_ft)

    @cached_property
    def noise(self) -> Noise | None:
        """The stated error of the existing ground."""
        if self.surface is None:
            return None
        return Noise(self.surface.stated_error_ft, self.limits.correlation_ft)

    def water(self, number: int) -> Water:
        """A water by its number."""
        return self.waters.waters[number]

    @cached_property
    def outfalls(self) -> tuple[Trace, ...]:
        """The trace of each outfall that can be followed, in order of the layer."""
        found = [
            self._trace(source.user_id or f"outfall {row}", True, point, source)
            for row, (source, point) in enumerate(self.outfall_points(), start=1)
        ]
        return tuple(t for t in found if t.course.legs)

    def outfall_points(self) -> list[tuple[Source, Point]]:
        """The outfalls that are points, with their source, in order of the layer."""
        layer = self.site.role("outfalls")
        if layer is None:
            return []
        pairs = zip(sources(layer.usable), shapely.force_2d(layer.shapes), strict=True)
        return [(source, shape) for source, shape in pairs if isinstance(shape, Point)]

    @cached_property
    def gathering(self) -> Gathering | None:
        """How much of the site drains through each cell of the ground, before grading."""
        boundary = self.site.boundary
        if self.surface is None or boundary is None:
            return None
        return gathered(self.surface, boundary)

    @cached_property
    def low_points(self) -> tuple[Trace, ...]:
        """The trace of each low point of the boundary over which enough of the site drains.

        Left out are those in a mapped water or wetland, on a mapped reach, and those which an
        outfall stands for: near it, or on its way.
        """
        if self.gathering is None:
            return ()
        sqft = self.limits.low_point_acres * SQFT_PER_ACRE
        ways: list[BaseGeometry] = [
            leg.line for trace in self.outfalls for leg in trace.course.legs
        ]
        ways += [trace.point for trace in self.outfalls]
        taken = shapely.union_all(np.array(ways, dtype=object))
        found: list[Trace] = []
        for xy, area in low_points(self.gathering, sqft):
            point = Point(xy)
            near = max(self.limits.snap_ft, 2.0 * self.gathering.cell_ft)
            if (
                point.distance(taken) <= SAME_OUTLET_FT
                or self.network.nearest(point, near) is not None
                or self.waters.holding(point)
            ):
                continue
            name = f"low point {len(found) + 1}"
            found.append(self._trace(name, False, point, Source(), acres=area / SQFT_PER_ACRE))
        return tuple(t for t in found if t.course.legs)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Outfalls, then low points."""
        return (*self.outfalls, *self.low_points)

    def _trace(
        self,
        outlet: str,
        is_outfall: bool,
        point: Point,
        source: Source,
        acres: float | None = None,
    ) -> Trace:
        course = self.follower.follow(point, self.limits.distance_ft)
        leg = next((leg for leg in course.legs if leg.method == GROUND), None)
        wet_before = leg is not None and any(
            m.distance_ft <= leg.start_ft and m.leg in leg.chain()[:-1] for m in course.meetings
        )
        if leg is None or leg.ground is None or wet_before or leg.ground.end is End.OUTSIDE:
            return Trace(outlet, is_outfall, point, source, course, {}, acres=acres)
        shares, any_pct, lines = self._corridor(leg)
        return Trace(
            outlet, is_outfall, point, source, course, shares, self.limits.runs,
            MultiLineString(lines.tolist()), any_pct, acres,
        )  # fmt: skip

    def _corridor(self, leg: Leg) -> tuple[dict[int, Share], float, np.ndarray]:
        """Shares of the waters over all realisations of the first ground leg of a course."""
        assert self.relief is not None
        assert leg.ground is not None
        assert self.noise is not None
        left = self.limits.distance_ft - leg.start_ft
        runs = realisations(self.relief, leg.ground, left, self.noise, self.limits.runs, leg.spent)
        met: dict[int, list[tuple[bool, tuple[float, float], float]]] = {}
        wet = 0
        lines = lines_of(runs)
        for entries in self._entries(runs, lines, left):
            wet += bool(entries)
            nearest = min((at for _, at, _ in entries), default=0.0)
            for number, at, xy in entries:
                first = at <= nearest + 1e-6
                met.setdefault(number, []).append((first, xy, at + leg.start_ft))
        per = 100.0 / len(runs)
        shares = {
            number: Share(
                number,
                per * len(rows),
                per * sum(first for first, _, _ in rows),
                np.array([xy for _, xy, _ in rows]),
                np.array([at for _, _, at in rows]),
            )
            for number, rows in met.items()
        }
        return shares, per * wet, lines

    def _entries(
        self, paths: Sequence[GroundPath], lines: np.ndarray, left_ft: float
    ) -> Iterator[list[Entry]]:
        """For each realisation the waters that it reaches: number, distance on it, place."""
        of, number, at = self.waters.all_entries(lines)
        xy = shapely.get_coordinates(shapely.line_interpolate_point(lines[of], at)).tolist()
        found: list[dict[int, Entry]] = [{} for _ in paths]
        for run, n, on, (x, y) in zip(of.tolist(), number.tolist(), at.tolist(), xy, strict=True):
            found[run][n] = n, on, (x, y)
        lengths = shapely.length(lines).tolist()
        ends = shapely.get_point(lines, -1)
        for path, own, length, end in zip(paths, found, lengths, ends, strict=True):
            if path.end is End.STOP and path.stop > 0 and length <= left_ft:
                edge = self.network.edges[path.stop - 1]
                start = 0.0 if edge.reach.underground else float(edge.line.project(end))
                for n, on, place in self._on_network(path.stop - 1, start, left_ft - length):
                    own.setdefault(n, (n, length + on, place))
            yield [entry for entry in own.values() if entry[1] <= left_ft]

    @cached_property
    def _ways(self) -> dict[tuple[int, int], list[Entry]]:
        return {}

    def _on_network(self, edge: int, at_ft: float, left_ft: float) -> Sequence[Entry]:
        """Waters below a place on the network; places within a few feet share one search."""
        step = max(self.limits.snap_ft, 1.0)
        own = self.network.edges[edge]
        number = (
            self.waters.of_stream.get(own.reach.record) if own.reach.role == "streams" else None
        )
        if number is not None:
            return [(number, 0.0, _xy(own.line.interpolate(at_ft)))]
        key = (edge, round(at_ft / step))
        if key not in self._ways:
            start = own.line.interpolate(at_ft)
            course = self.follower.follow(start, self.limits.distance_ft)
            self._ways[key] = [(m.water, m.distance_ft, _xy(m.point)) for m in course.meetings]
        return [entry for entry in self._ways[key] if entry[1] <= left_ft]


def _xy(point: Point) -> tuple[float, float]:
    return float(point.x), float(point.y)


@lru_cache(maxsize=4)
def flow_of(site: Site, limits: FlowLimits) -> Flow:
    """The flow of a site under these numbers; kept for the last few, since rules share it."""
    return Flow(site, limits)
