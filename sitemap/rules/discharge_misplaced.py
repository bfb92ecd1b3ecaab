"""HYD003: a discharge drawn where the flow does not enter its water."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.rules.trace_ended_at_data_edge import SUPPLY
from sitemap.site import RoleLayer, Site
from sitemap.terrain.downstream import Flow, Trace
from sitemap.terrain.drawn import Drawn, distance_tolerance_ft, drawn_discharges, is_of
from sitemap.terrain.lines import points_of
from sitemap.units import Length


@rule(
    "HYD003",
    clauses=("h",),
    needs=("discharges",),
    uses=("outfalls", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts", "boundary"),
)
def discharge_misplaced(
    site: Site,
    flow: Flow,
    discharges: RoleLayer,
    downstream_tolerance: Length,
    downstream_tolerance_pct: float,
    corridor_lower: float,
) -> Iterator[Said]:
    """The map has a discharge that lies elsewhere than where the flow enters its water.

    Why
        The point says which wetland and which bank get the site's water; controls and inspections
        follow it.

    How it is measured
        Each discharge is held against the trace of its outfall (see HYD002). Found is: a point
        farther from every place where a realisation of the flow enters the water that it names
        than the larger of both downstream tolerances; a stated distance that differs from the
        distance along the flow by more than that, beyond what nine tenths of the realisations
        span; a water that the flow enters in the pack's lower share of the realisations or less.
        Where the data end before the flow has met any water, a person is asked.

    When it does not apply
        To a discharge whose outfall or water cannot be told from its fields and place.

    How to fix
        Move the point to where the flow enters, or correct the outfall, the water or the distance
        in its fields.

    References
        § 162-11B(4)(h); tolerances of the pack.
    """
    if not flow.traces:
        if flow.surface is None:
            yield Skip(f"nothing can be followed: {flow.ground.why_no_existing}")
        else:
            yield NotApplicable("no outfall and no low point is there to follow")
        return
    near = downstream_tolerance.to(site.foot)
    outlets = {trace.outlet.casefold() for trace in flow.traces if trace.is_outfall}
    held, unknown = 0, 0
    for drawn in drawn_discharges(site, flow, near):
        traces = [t for t in flow.traces if is_of(drawn, t, outlets)]
        if drawn.water is None or not traces:
            unknown += 1
            continue
        held += 1
        trace = min(traces, key=lambda t: _off(t, drawn))
        yield from _faults(flow, drawn, trace, near, (downstream_tolerance_pct, corridor_lower))
    if not held:
        yield NotApplicable("no discharge names an outfall that is followed and a drawn water")
        return
    left = f"; of {unknown} the outfall or the water cannot be told" if unknown else ""
    yield Checked(f"{plural(held, 'discharge')} held against the flow{left}", held)


def _entries(trace: Trace, water: int) -> tuple[np.ndarray, tuple[float, float]] | None:
    """Where a trace enters a water, and between which distances; None where it never does."""
    share = trace.shares.get(water)
    met = [m for m in trace.course.meetings if m.water == water]
    places = [[(m.point.x, m.point.y)] for m in met]
    spread = [m.distance_ft for m in met]
    if share is not None:
        places.append(share.entries.tolist())
        spread += share.spread_ft
    if not spread:
        return None
    return np.concatenate([np.asarray(p, dtype=float) for p in places]), (min(spread), max(spread))


def _off(trace: Trace, drawn: Drawn) -> float:
    """How far a discharge lies from the nearest entry of a trace into its water."""
    assert drawn.water is not None
    found = _entries(trace, drawn.water)
    if found is None:
        return float("inf")
    return float(shapely.distance(points_of(found[0]), drawn.point).min())


def _faults(
    flow: Flow, drawn: Drawn, trace: Trace, near_ft: float, pct: tuple[float, float]
) -> Iterator[Fault | Ask]:
    assert drawn.water is not None
    name = flow.water(drawn.water).name
    found = _entries(trace, drawn.water)
    share = trace.shares.get(drawn.water)
    never = found is None or (share is not None and share.any_pct <= pct[1])
    cut = [leg.end_ft for leg in trace.course.dry_leaves() if leg.leaf in SUPPLY]
    if never and cut:
        yield Ask(
            f"{drawn.name} says that water from {trace.outlet} enters {name}; the data end after "
            f"{min(cut):,.0f} of {flow.limits.distance_ft:,.0f} ft, before any water is met "
            "(HYD004): does it come there?",
            "h",
            drawn.point,
        )
        return
    if never or found is None:
        yield Fault(
            f"{drawn.name} says that water from {trace.outlet} enters {name}; followed "
            f"{flow.limits.distance_ft:,.0f} ft downstream it does not come there",
            "correct the outfall or the receiving water, or the ground and the reaches between",
            geometry=drawn.point,
            role="discharges",
            source=drawn.source,
            field_name="receiving_water",
            distinct="not reached",
        )
        return
    places, (low, high) = found
    off = float(shapely.distance(points_of(places), drawn.point).min())
    tolerance = distance_tolerance_ft(high, near_ft, pct[0])
    if off > tolerance:
        yield Fault(
            f"{drawn.name} lies {off:,.0f} ft from where water from {trace.outlet} enters {name}",
            "move the point to where the flow enters the water",
            geometry=drawn.point,
            measured=Quantity(round(off, 1), "ft"),
            limit=Limit(round(tolerance, 1), "ft"),
            role="discharges",
            source=drawn.source,
            distinct="place",
        )
    wrong = max(low - drawn.distance_ft, drawn.distance_ft - high, 0.0)
    if wrong > tolerance:
        span = f"{low:,.0f} ft" if high - low < 1 else f"{low:,.0f} to {high:,.0f} ft"
        yield Fault(
            f"{drawn.name} states {drawn.distance_ft:,.0f} ft from {trace.outlet} to {name}; "
            f"along the flow it is {span}",
            "state the distance along the flow from the outfall",
            geometry=drawn.point,
            measured=Quantity(round(drawn.distance_ft, 1), "ft", round(tolerance, 1)),
            limit=Limit(round(low if drawn.distance_ft < low else high, 1), "ft", "=="),
            role="discharges",
            source=drawn.source,
            field_name="distance_ft",
            distinct="distance",
        )
