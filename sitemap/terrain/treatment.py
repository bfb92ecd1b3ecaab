"""What runoff from disturbed ground passes on its way to the first water, and where it leaves.

Water runs over the ground after grading, through inlets and pipes, along diversions and reaches.
From a lattice of places inside the disturbed areas, and from places along their edge, it is
followed until it enters a water.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.measures.practices import BARRIERS, BASINS, CHANNELS, STRIPS
from sitemap.site import RoleLayer
from sitemap.terrain.conduits import network_of
from sitemap.terrain.courses import GROUND, Course, Follower, Leg
from sitemap.terrain.downstream import Flow
from sitemap.terrain.lines import cut, first_of, points_of
from sitemap.terrain.stops import relief_of
from sitemap.terrain.surface import Surface

TREATS = (*BARRIERS, *BASINS, *STRIPS, "IP", "DC")  # what holds sediment back
INSET_FT = 10.0  # places of the edge lie so far inside, so that a fence just inside it counts
SLOPE_OVER_FT = 10.0  # the fall across an edge is taken this far to either side
FLAT = 0.002  # rise per foot: flatter ground has no downslope edge
LATTICE_OF_EDGE = 2.0  # places inside are so many times farther apart than along the edge
FINER = 8.0  # the ground is shared among the places in squares so many times smaller


@dataclass(frozen=True, eq=False)
class Runoff:
    """One place of disturbed ground and the ways of its water.

    area is the row of the disturbed area. untreated are the ways to a first water that pass no
    control that treats, with the number of the water. sqft is the disturbed ground nearer to this
    place than to any other.
    """

    point: Point
    area: int
    untreated: tuple[tuple[int, BaseGeometry], ...]
    reaches_water: bool
    sqft: float


@dataclass(frozen=True, eq=False)
class EdgePlace:
    """A place at a downslope edge: the stretch of edge that it stands for, and its control.

    control_ft is how far along the flow the first control lies that takes the water; inf where
    none does.
    """

    area: int
    stretch: LineString
    control_ft: float


@dataclass(frozen=True, eq=False)
class _Sample:
    """A place just inside a downslope edge, and the ways of its water."""

    area: int
    stretch: LineString
    start: Point
    inset_ft: float
    course: Course


@dataclass(frozen=True, eq=False)
class Treatment:
    """The runoff of all disturbed ground of a site. Feet."""

    flow: Flow
    surface: Surface
    disturbance: RoleLayer
    spacing_ft: float

    @cached_property
    def shapes(self) -> np.ndarray:
        """The disturbed areas, one per row of the usable frame."""
        flat = shapely.force_2d(self.disturbance.shapes)
        return np.asarray(shapely.make_valid(flat))

    @cached_property
    def follower(self) -> Follower:
        """Follows water after grading, with the diversions that lead it during the work."""
        snap = self.flow.limits.snap_ft
        network = network_of(self.flow.mapped, snap, self.surface, diversions=True)
        relief = relief_of(self.surface, network, self.flow.waters, snap)
        return Follower(network, self.flow.waters, relief, snap)

    @cached_property
    def _controls(self) -> tuple[np.ndarray, np.ndarray]:
        """Shapes of the controls and their types; points as wide as an inlet may lie off."""
        layer = self.flow.site.role("controls")
        if layer is None:
            return np.empty(0, dtype=object), np.empty(0, dtype=object)
        frame = layer.usable
        flat = shapely.make_valid(shapely.force_2d(frame.geometry.to_numpy()))
        small = shapely.get_dimensions(flat) == 0
        wide = self.flow.limits.snap_ft + self.surface.cell_ft
        flat[small] = shapely.buffer(flat[small], wide)
        return np.asarray(flat), frame["type"].to_numpy()

    @cached_property
    def _treating(self) -> shapely.STRtree:
        shapes, types = self._controls
        return shapely.STRtree(shapes[np.isin(types.astype(str), TREATS)])

    @cached_property
    def _taking(self) -> shapely.STRtree:
        shapes, types = self._controls
        return shapely.STRtree(shapes[np.isin(types.astype(str), (*TREATS, *CHANNELS))])

    @cached_property
    def lattice_ft(self) -> float:
        """The distance between places inside; each stands for its square."""
        return self.spacing_ft * LATTICE_OF_EDGE

    @cached_property
    def runoff(self) -> tuple[Runoff, ...]:
        """The places inside the disturbed areas, and those along their downslope edges."""
        inside: dict[int, np.ndarray] = {}
        for row, shape in enumerate(self.shapes):
            if shapely.get_dimensions(shape) == 2 and shape.area > 0:
                inside[row] = _lattice(shape, self.lattice_ft)
        courses = iter(self._followed([point for own in inside.values() for point in own]))
        starts = {row: [(p, next(courses)) for p in own] for row, own in inside.items()}
        for sample in self._samples:
            starts.setdefault(sample.area, []).append((sample.start, sample.course))
        found = []
        for row, own in starts.items():
            stands_for = _shares(self.shapes[row], [p for p, _ in own], self.lattice_ft)
            for (point, course), sqft in zip(own, stands_for.tolist(), strict=True):
                untreated = tuple(self._untreated(course))
                found.append(Runoff(point, row, untreated, bool(course.first), sqft))
        return tuple(found)

    def _untreated(self, course: Course) -> list[tuple[int, BaseGeometry]]:
        found = []
        for met in course.first:
            pieces = _open_air(met.leg.chain(), met.distance_ft)
            if not len(self._treating.query(pieces, predicate="intersects")[0]):
                found.append((met.water, shapely.union_all(np.array(pieces, dtype=object))))
        return found

    @cached_property
    def edges(self) -> tuple[EdgePlace, ...]:
        """The places of the downslope edge: where the ground falls out more than along."""
        return tuple(EdgePlace(s.area, s.stretch, self._control_ft(s)) for s in self._samples)

    @cached_property
    def _samples(self) -> tuple[_Sample, ...]:
        whole = shapely.union_all(self.shapes[shapely.get_dimensions(self.shapes) == 2])
        return tuple(sample for ring in _rings(whole) for sample in self._along(ring))

    def _followed(self, starts: list[Point]) -> list[Course]:
        return self.follower.follow_all(starts, self.flow.limits.distance_ft)

    def _along(self, ring: LineString) -> Iterator[_Sample]:
        """The downslope places of one ring, with the ways of their water."""
        count = max(1, round(ring.length / self.spacing_ft))
        bounds = np.linspace(0.0, ring.length, count + 1)
        middle = (bounds[:-1] + bounds[1:]) / 2.0
        at = _xy_at(ring, middle)
        along = _xy_at(ring, np.minimum(middle + 1.0, ring.length)) - at
        along /= np.maximum(np.hypot(along[:, :1], along[:, 1:]), 1e-9)
        out = np.column_stack([along[:, 1], -along[:, 0]])  # rings run against the clock
        slope = self.surface.gradient(at, SLOPE_OVER_FT)
        fall_out = -(slope * out).sum(axis=1)
        fall_along = np.abs((slope * along).sum(axis=1))
        with np.errstate(invalid="ignore"):
            down = (fall_out > FLAT) & (fall_out >= fall_along)
        places = np.flatnonzero(down).tolist()
        starts = list(points_of(at[places] - INSET_FT * out[places])) if places else []
        for i, start, course in zip(places, starts, self._followed(starts), strict=True):
            yield _Sample(
                self._area_of(Point(at[i])),
                cut(ring, float(bounds[i]), float(bounds[i + 1])),
                start,
                float(start.distance(Point(at[i]))),
                course,
            )

    def _area_of(self, point: Point) -> int:
        return int(np.argmin(shapely.distance(self.shapes, point)))

    def _control_ft(self, sample: _Sample) -> float:
        """How far below the edge the flow from a place just inside meets what takes it.

        Only what it goes over the ground counts: a ditch brings it to its checks.
        """
        best = np.inf
        for leg in sample.course.legs:
            over = sum(x.line.length for x in leg.chain()[:-1] if x.method == GROUND)
            reach = None if leg.edge is None else self.follower.network.edges[leg.edge].reach
            if reach is not None and (reach.role == "controls" or reach.underground):
                best = min(best, over)
            if leg.underground:
                continue
            for hit in self._taking.query(leg.line, predicate="intersects").tolist():
                met = shapely.intersection(leg.line, self._taking.geometries[hit])
                at = shapely.line_locate_point(leg.line, points_of(shapely.get_coordinates(met)))
                best = min(best, over + (float(at.min()) if leg.method == GROUND else 0.0))
        return float(best - sample.inset_ft)


def _open_air(legs: list[Leg], to_ft: float) -> list[LineString]:
    """The stretches above ground of a way, up to a distance."""
    return [
        leg.line if leg.end_ft <= to_ft else cut(leg.line, 0.0, max(to_ft - leg.start_ft, 0.0))
        for leg in legs
        if not leg.underground
    ] or [LineString([first_of(legs[0].line)] * 2)]


def _lattice(shape: BaseGeometry, step_ft: float) -> np.ndarray:
    """Centres of squares inside an area; its representative point where it holds none."""
    left, bottom, right, top = shape.bounds
    x = np.arange(left + step_ft / 2.0, right, step_ft)
    y = np.arange(bottom + step_ft / 2.0, top, step_ft)
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    shapely.prepare(shape)
    held = grid[shapely.contains_xy(shape, grid)]
    return points_of(held if len(held) else shapely.get_coordinates(shape.representative_point()))


def _shares(shape: BaseGeometry, places: list[Point], step_ft: float) -> np.ndarray:
    """How much of an area is nearer to each place than to the others. Square feet."""
    fine = _lattice(shape, step_ft / FINER)
    nearest = shapely.STRtree(places).query_nearest(fine, all_matches=False)[1]
    count = np.bincount(nearest, minlength=len(places))
    return np.asarray(shape.area * count / count.sum())


def _rings(whole: BaseGeometry) -> list[LineString]:
    """Outer rings of an area, drawn against the clock, so that outside lies to the right."""
    parts = shapely.get_parts(whole)
    parts = parts[shapely.get_type_id(parts) == 3]
    outer = shapely.get_exterior_ring(shapely.orient_polygons(parts))
    return [LineString(ring.coords) for ring in outer]


def _xy_at(line: LineString, at_ft: np.ndarray) -> np.ndarray:
    return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(line, at_ft)))


@lru_cache(maxsize=4)
def treatment_of(flow: Flow, spacing_ft: float) -> Treatment | None:
    """The runoff of a site's disturbed ground; None without such ground or without a surface."""
    layer = flow.site.role("disturbance")
    surface = flow.ground.after
    if layer is None or surface is None or layer.usable.empty:
        return None
    return Treatment(flow, surface, layer, spacing_ft)
