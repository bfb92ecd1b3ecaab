"""BMP005: silt fence that leaves the contour, or has too long a slope above it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import LineString

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Source
from sitemap.measures.cover import mended
from sitemap.measures.fence_runs import (
    FenceLimits,
    hidden_ft,
    judged_part,
    off_contour,
    places,
    slope_above,
    stations,
)
from sitemap.measures.outlines import joined, lines_of
from sitemap.measures.practices import FENCES, TAKES_WATER, shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import ContourGround, ShownGround, shown_ground
from sitemap.units import Length

MOST_HIDDEN_FT = 25.0  # of a fence, over which its direction is taken anyway
ABOVE_EVERY_FT = 20.0  # the slope above a fence is followed from places so far apart
RINGS_SHARE = 0.8  # a fence with so much of it beside a stockpile is that stockpile's


@rule(
    "BMP005",
    clauses=("9c1c",),
    needs=("controls",),
    uses=("activities", "contours_existing", "elevation"),
)
def silt_fence_off_contour(
    site: Site,
    controls: RoleLayer,
    fence_angle: float,
    fence_fall: Length,
    fence_return: Length,
    fence_least_slope: float,
    slope_length_under_2: Length,
    slope_length_2_to_5: Length,
    slope_length_5_to_10: Length,
    slope_length_10_to_33: Length,
    slope_length_over_33: Length,
    slope_length_tolerance: Length,
    barrier_distance: Length,
    position_tolerance: Length,
) -> Iterator[Said]:
    """The map has silt fence that leaves the contour or has too long a slope above it.

    Why
        A fence across the slope holds a sheet of water; a fence down the slope gathers it and
        sends it, faster, to its lowest end. Too long a slope brings more than the cloth can hold.

    How it is measured
        On existing ground (reading 5): its raster, else a triangulation of the existing contours.
        Fences that meet end to end are one. Along each, over 25 ft at a time, the angle to the
        contour; a stretch counts where the angle exceeds 15 degrees and the stretch falls 1 ft or
        more. The last 20 ft at an end may turn upslope. Ground flatter than 1 % has no contour to
        follow. From every 20 ft of fence the ground is followed straight uphill to the top of the
        slope (flatter than 0.5 %, or falling again) or to a control that takes the water: fence,
        bales, manufactured barrier, diversion, waterway, basin, trap, buffer. That length may
        not exceed the table of standard 1056 for the mean slope of its first 100 ft: 100 ft below
        2 %, 75 to 5 %, 50 to 10 %, 25 to 33 %, 20 above; 5 ft are the tolerance of the measure.

    When it does not apply
        To fence that rings a stockpile (BMP008). Of fence drawn as a point or an area a person
        decides. Where no ground is known at all it is skipped;
        where none is shown along more than 25 ft of a fence, a person decides.

    How to fix
        Draw the fence along a contour with its ends turned up; cut a long slope by a second
        fence, a diversion or a slope interruption.

    References
        WDNR technical standard 1056, table of slope lengths; § 162-9C(1)(c), sediment from
        disturbed areas into adjacent waters.
    """
    shapes = shapes_of(controls, FENCES)
    lines = lines_of(shapes)
    other = shapes[shapely.get_dimensions(shapes) != 1]
    if len(other):
        yield Ask(
            f"{plural(len(other), 'silt fence')} drawn as a point or an area: along the contour, "
            "and with a slope above that is short enough? Draw the line that it stands on",
            "9c1c",
            shapely.union_all(other),
        )
    if len(lines) == 0:
        yield NotApplicable("no silt fence is drawn as a line")
        return
    ground = shown_ground(site)
    if ground is None:
        yield Skip("neither elevation raster nor existing contours show the ground")
        return
    fences = [
        _Fence(line, *_features(controls, line, position_tolerance.feet))
        for line in joined(lines, position_tolerance.feet)
    ]
    heaps = np.concatenate(
        [shapes_of(site.role("activities"), ("SP",)), shapes_of(controls, ("SP",))]
    )
    ours = [f for f in fences if not f.rings(heaps, barrier_distance.feet)]
    round_heaps = len(fences) - len(ours)
    if not ours:
        yield NotApplicable("all silt fence stands round stockpiles: see BMP008")
        return
    limits = FenceLimits(fence_angle, fence_least_slope, fence_fall.feet)
    table = (
        (2.0, slope_length_under_2.feet),
        (5.0, slope_length_2_to_5.feet),
        (10.0, slope_length_5_to_10.feet),
        (33.0, slope_length_10_to_33.feet),
        (np.inf, slope_length_over_33.feet),
    )
    hidden = [hidden_ft(f.line, ground) for f in ours]
    yield Checked(
        f"{plural(len(ours), 'silt fence')}, {sum(f.line.length for f in ours):,.0f} ft, on "
        f"{ground.source}: angle to the contour, and slope above"
        + (f"; {sum(hidden):,.0f} ft where it shows no ground" if sum(hidden) else "")
        + (f"; {round_heaps} round stockpiles left out" if round_heaps else ""),
        sum(ft < f.line.length for ft, f in zip(hidden, ours, strict=True)),
    )
    for fence, unseen_ft in zip(ours, hidden, strict=True):
        part = judged_part(fence.line, ground, fence_return.feet)
        yield from _angles(fence, ground, part, limits)
        stops = _stops(controls, fence)
        yield from _lengths(fence, ground, part, stops, table, slope_length_tolerance.feet)
        if unseen_ft > MOST_HIDDEN_FT:
            yield Ask(
                f"{unseen_ft:,.0f} of the {fence.line.length:,.0f} ft of silt fence {fence.name} "
                f"stand where no {_shown_by(ground)} shows the ground: does it follow the contour "
                "there, and is the slope above it short enough?",
                "9c1c",
                fence.line,
            )


def _shown_by(ground: ShownGround) -> str:
    return "contour" if isinstance(ground, ContourGround) else "elevation data"


@dataclass(frozen=True, eq=False)
class _Fence:
    """Fence that meets end to end, with the records it is made of."""

    line: LineString
    rows: np.ndarray
    where: tuple[Source, ...]

    @property
    def name(self) -> str:
        """The ids of its records, or their numbers."""
        return " + ".join(w.user_id or f"record {w.feature}" for w in self.where[:3])

    def rings(self, heaps: np.ndarray, distance: float) -> bool:
        """Whether it stands round a stockpile."""
        if len(heaps) == 0:
            return False
        near = shapely.intersection(self.line, shapely.union_all(heaps).buffer(distance))
        return bool(shapely.length(near) >= RINGS_SHARE * self.line.length)


def _features(
    controls: RoleLayer, line: LineString, tolerance: float
) -> tuple[np.ndarray, tuple[Source, ...]]:
    """Which usable records a joined line is made of."""
    frame = controls.usable
    shapes = mended(frame.geometry.to_numpy())
    around = line.buffer(2.0 * tolerance)
    mine = frame["type"].isin(FENCES).to_numpy(copy=True) & shapely.intersects(shapes, around)
    inside = shapely.length(shapely.intersection(shapes[mine], around))
    mine[mine] = inside > 2.0 * tolerance
    return np.flatnonzero(mine), tuple(sources(frame[mine]))


def _stops(controls: RoleLayer, fence: _Fence) -> np.ndarray:
    """Controls that take the water, without the fence itself."""
    kept = controls.usable["type"].isin(TAKES_WATER).to_numpy(copy=True)
    kept[fence.rows] = False
    shapes = mended(controls.shapes[kept])
    return np.asarray(shapes[shapely.get_dimensions(shapes) > 0])


def _angles(
    fence: _Fence, ground: ShownGround, part: tuple[float, float], limits: FenceLimits
) -> Iterator[Fault]:
    for run in off_contour(fence.line, ground, part, limits):
        at = run.line.centroid
        yield Fault(
            f"silt fence {fence.name} leaves the contour by {run.angle_deg:.0f} degrees over "
            f"{run.line.length:,.0f} ft and falls {run.fall_ft:.1f} ft",
            "draw it along the contour, or break it into level pieces with ends turned up",
            geometry=run.line,
            measured=Quantity(round(run.angle_deg, 1), "deg"),
            limit=Limit(limits.angle_deg, "deg"),
            role="controls",
            source=fence.where[0],
            related=fence.where[1:],
            distinct=f"angle at {at.x:.0f},{at.y:.0f}",
        )


def _lengths(
    fence: _Fence,
    ground: ShownGround,
    part: tuple[float, float],
    stops: np.ndarray,
    table: tuple[tuple[float, float], ...],
    tolerance: float,
) -> Iterator[Fault | Ask]:
    """One finding for the whole fence, with the place where the slope is longest over its limit.

    A question where the ground is not shown far enough up the slope to tell.
    """
    at = stations(fence.line, ABOVE_EVERY_FT)
    at = at[(at >= part[0]) & (at <= part[1])]
    above = slope_above(places(fence.line, at), ground, stops)
    most = np.array([_allowed(pct, table) for pct in above.slope_pct])
    over = above.length_ft - most
    bad = over > tolerance
    if not bad.any():
        unsure = (np.array(above.ended) == "unknown") & (above.length_ft > 0)
        if unsure.any():
            shown = float(above.length_ft[unsure].min())
            yield Ask(
                f"the ground above silt fence {fence.name} is shown for only {shown:,.0f} ft up "
                "the slope: how much slope drains to it?",
                "9c1c",
                above.paths[int(np.flatnonzero(unsure)[0])],
            )
        return
    worst = int(np.argmax(np.where(bad, over, -np.inf)))
    allowed, length = float(most[worst]), float(above.length_ft[worst])
    more = "more than " if above.ended[worst] in ("long", "unknown") else ""
    along = fence.line.length * bad.sum() / len(stations(fence.line, ABOVE_EVERY_FT))
    yield Fault(
        f"{more}{length:,.0f} ft of slope drain to silt fence {fence.name} on "
        f"{above.slope_pct[worst]:.0f} % ground; at most {allowed:g} ft (exceeded along about "
        f"{along:,.0f} ft of it)",
        "cut the slope by a second fence, a diversion or a slope interruption",
        geometry=above.paths[worst],
        measured=Quantity(round(length), "ft", tolerance),
        limit=Limit(allowed, "ft"),
        role="controls",
        source=fence.where[0],
        related=fence.where[1:],
        distinct="slope above",
    )


def _allowed(slope_pct: float, table: tuple[tuple[float, float], ...]) -> float:
    """Feet allowed on a slope; below 2 % the first class, at 5, 10 and 33 % still the longer."""
    if slope_pct < table[0][0] or not np.isfinite(slope_pct):
        return table[0][1]
    return next(feet for upto, feet in table[1:] if slope_pct <= upto)
