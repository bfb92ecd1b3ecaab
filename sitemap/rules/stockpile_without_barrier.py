"""BMP008: a soil stockpile that nothing holds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.barriers import OpenSide, open_side
from sitemap.measures.cover import dissolved, mended
from sitemap.measures.practices import BARRIERS, of_types, shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import shown_ground
from sitemap.units import Length

HOLDS = (*BARRIERS, "DV", "VB")
POINT_RADIUS_FT = 10.0  # a heap drawn as a point is taken as 20 ft across
LEAST_OPEN_FT = 5.0  # the step of the outline and a joint of the fence
COVERED_SHARE = 0.95
GROUND_REACH_FT = 20.0


@rule(
    "BMP008",
    clauses=("9c1f",),
    needs=("activities",),
    uses=("controls", "stabilization", "contours_existing", "elevation"),
)
def stockpile_without_barrier(
    site: Site,
    activities: RoleLayer,
    controls: RoleLayer | None,
    stabilization: RoleLayer | None,
    stockpile_days: float,
    barrier_distance: Length,
) -> Iterator[Said]:
    """The map has a soil stockpile that no barrier holds.

    Why
        A heap of loose soil is the steepest and barest ground on the site.

    How it is measured
        Every stockpile (activity SP) that stays for more than seven days, or whose days nobody
        states. From its outline, every two feet, one looks downhill on existing ground for the
        association distance: a silt fence, bale barrier, manufactured barrier, diversion or
        buffer must be met all along the lower side (the outline that faces downhill within 60
        degrees). On ground flatter than 1 %, or unknown, the barrier must ring the heap. A heap
        that stabilization covers to 95 %, or that a stockpile protection (type SP) meets, is held
        too. A heap drawn as a point is taken as 20 ft across. Gaps up to 5 ft are joints.

    When it does not apply
        Where no stockpile is drawn, or all are gone within seven days.

    How to fix
        Draw the fence round the lower side, or seed and mulch the heap within the seven days.

    References
        § 162-9C(1)(f), stockpiles existing for more than seven days.
    """
    frame = of_types(activities, ("SP",))
    assert frame is not None
    days = frame["days"].to_numpy(dtype=float, na_value=np.nan)
    frame = frame[~(days <= stockpile_days)]
    if frame.empty:
        yield NotApplicable(f"no stockpile that stays for more than {stockpile_days:g} days")
        return
    barriers = shapes_of(controls, HOLDS)
    kept = np.concatenate([shapes_of(stabilization), shapes_of(controls, ("SP",))])
    where = sources(frame)
    yield Checked(
        f"{plural(len(frame), 'stockpile')} of more than {stockpile_days:g} days", len(frame)
    )
    for index, shape in enumerate(mended(frame.geometry.to_numpy())):
        heap = shape.buffer(POINT_RADIUS_FT) if shapely.get_dimensions(shape) < 2 else shape
        if _is_kept(heap, kept):
            continue
        side = open_side(heap, _uphill(site, heap), barriers, barrier_distance.feet)
        if side.open_ft <= LEAST_OPEN_FT:
            continue
        name = where[index].user_id or f"record {where[index].feature}"
        yield Fault(
            _words(name, side, barrier_distance),
            "draw a fence or another barrier below the heap, or stabilize it within the days",
            geometry=side.open_lines,
            measured=Quantity(round(side.open_ft), "ft"),
            limit=Limit(0.0, "ft"),
            role="activities",
            source=where[index],
        )


def _words(name: str, side: OpenSide, distance: Length) -> str:
    below, part = ("below it", "its lower side")
    why = ""
    if side.all_round:
        below, part = "round it", "its outline"
        why = "; the ground there is flat or not shown, so that water may leave on every side"
    if side.open_ft >= side.lower_ft - LEAST_OPEN_FT:
        return f"stockpile {name} has no barrier {below} within {distance}{why}"
    return (
        f"the barrier of stockpile {name} leaves {side.open_ft:,.0f} of {side.lower_ft:,.0f} ft of "
        f"{part} open within {distance}{why}"
    )


def _is_kept(heap: BaseGeometry, kept: np.ndarray) -> bool:
    """Whether stabilization covers the heap, or its own protection stands on it."""
    if len(kept) == 0:
        return False
    covered = shapely.area(shapely.intersection(dissolved(kept), heap))
    points = kept[shapely.get_dimensions(kept) == 0]
    return bool(covered >= COVERED_SHARE * heap.area or shapely.intersects(points, heap).any())


def _uphill(site: Site, heap: BaseGeometry) -> np.ndarray | None:
    """The gradient of existing ground under a heap; None where it is not known."""
    ground = shown_ground(site)
    if ground is None:
        return None
    found = ground.gradient(np.array([[heap.centroid.x, heap.centroid.y]]), GROUND_REACH_FT)[0]
    return found if np.isfinite(found).all() else None
