"""HYD002: water from the site that enters a water or wetland where no discharge is shown."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry import Point

from sitemap.finding import Limit, Quantity
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site
from sitemap.terrain.courses import Meeting
from sitemap.terrain.design import hidden_pct
from sitemap.terrain.downstream import Flow, Trace
from sitemap.terrain.drawn import distance_tolerance_ft, drawn_discharges, is_of
from sitemap.terrain.embankments import overtopped
from sitemap.units import Length

USES = (
    "outfalls", "discharges", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts",
    "boundary", "roads",
)  # fmt: skip


@rule("HYD002", clauses=("h",), uses=USES)
def discharge_not_shown(
    site: Site,
    flow: Flow,
    discharge_distance: Length,
    downstream_tolerance: Length,
    downstream_tolerance_pct: float,
    corridor_upper: float,
    corridor_lower: float,
) -> Iterator[Said]:
    """The map has an outlet whose water enters a water or wetland where no discharge is shown.

    Why
        Downstream is where the water goes, not what lies within a circle: a wetland behind a
        ridge gets nothing, one at the end of a storm sewer gets everything.

    How it is measured
        From each outfall, and from each low point of the boundary over which more of the site
        drains than the pack's area, the water is followed for the pack's distance: along pipes,
        culverts and streams where it is on one (ends within the snapping distance are joined),
        else over the existing ground by steepest descent, through each hollow to its spill. The
        water that it enters first must have a discharge of that outlet. A path over the ground is
        followed in as many realisations of the surface, within its stated error, as the pack
        says: entered first in the upper share of them or more, the discharge must be shown;
        between the shares a person decides; in the lower share or less it is not reached. Within
        the downstream tolerance of the full distance, and where the direction of a reach had to
        be assumed or something speaks against it (TOP003), a person decides too. A hollow that
        fills a foot or more on the way is told, with the road whose bank holds it: its culvert
        may be missing from the drawing. Where more than a tenth of the site has no known ground, a
        person is asked whether runoff leaves it there, and without an outfall nothing is judged.

    When it does not apply
        To waters that the same water reaches after the first one; without elevation to outfalls
        that touch no mapped reach: where those lead, a person decides.

    How to fix
        Draw the point where the water enters, with outfall, receiving water and distance;
        `sitemap derive --only discharges` proposes it.

    References
        § 162-11B(4)(h); the readings "Discharge", "Conveyances" and "End of data" of the pack.
    """
    traces = flow.traces
    if not traces:
        yield _nothing_followed(site, flow)
        return
    near = downstream_tolerance.to(site.foot)
    reach = discharge_distance.to(site.foot)
    drawn = drawn_discharges(site, flow, near)
    outlets = {trace.outlet.casefold() for trace in traces if trace.is_outfall}
    for trace in traces:
        own = [d for d in drawn if is_of(d, trace, outlets)]
        shown = {d.water for d in own if d.water is not None}
        certain = reach - distance_tolerance_ft(reach, near, downstream_tolerance_pct)
        yield from _missing(flow, trace, shown, certain, (corridor_upper, corridor_lower))
    yield from _not_followed(site, flow)
    hidden = 0 if flow.surface is None else hidden_pct(flow.surface, site.boundary)
    if hidden:
        yield Ask(
            f"does runoff leave the site elsewhere? The ground of {hidden} % of it is not known, "
            "so that no low point of the boundary is seen there",
            "h",
            site.boundary,
        )
    words = "; ".join(_words(flow, trace) for trace in traces)
    yield Checked(f"followed downstream for {reach:,.0f} ft: {words}", len(traces))


def _nothing_followed(site: Site, flow: Flow) -> Said:
    if site.role("outfalls") is None:
        if flow.surface is None:
            return Skip(f"no outfall is drawn, and low points need a surface: {_why(flow)}")
        if hidden := hidden_pct(flow.surface, site.boundary):
            return Skip(f"no outfall is drawn, and {hidden} % of the site have no known ground")
        return NotApplicable("no outfall is drawn and no low point drains the pack's area")
    if flow.surface is None:
        return Skip(f"no outfall touches a mapped reach, and there is no surface: {_why(flow)}")
    return NotApplicable("no outfall lies where flow can be followed: see HYD005")


def _why(flow: Flow) -> str:
    return flow.ground.why_no_existing


def _missing(
    flow: Flow, trace: Trace, shown: set[int], certain_ft: float, shares: tuple[float, float]
) -> Iterator[Said]:
    """Faults and questions of one outlet."""
    upper, lower = shares
    first = {m.water: m for m in trace.course.meetings}
    pct = {number: trace.first_pct(m) for number, m in first.items()}
    pct.update({n: s.first_pct for n, s in trace.shares.items()})
    open_ones = [n for n in sorted(pct, key=lambda n: -pct[n]) if n not in shown and pct[n] > lower]
    reached = not trace.runs or trace.any_water_pct >= upper
    nothing_shown = reached and not any(pct.get(n, 0.0) > lower for n in shown)
    for place, number in enumerate(open_ones):
        distance, sure = _distance(trace, first.get(number), number)
        must = pct[number] >= upper or (nothing_shown and place == 0)
        if must and sure and distance <= certain_ft:
            yield _fault(flow, trace, number, pct[number], distance)
        else:
            yield _ask(flow, trace, number, pct[number], distance, sure)


def _distance(trace: Trace, meeting: Meeting | None, number: int) -> tuple[float, bool]:
    """The distance to a water in feet, and whether all directions on the way are known."""
    share = trace.shares.get(number)
    if meeting is not None:
        return meeting.distance_ft, meeting.leg.certain
    assert share is not None
    return float(share.distances_ft.mean()), True


def _fault(flow: Flow, trace: Trace, number: int, pct: float, distance_ft: float) -> Fault:
    water = flow.water(number)
    where, how = _place(trace, number), _how(trace, pct)
    return Fault(
        f"water from {trace.outlet} enters {water.name} after {distance_ft:,.0f} ft ({how}), "
        "and no discharge is shown there",
        f"draw the discharge where the flow enters {water.name}, with its outfall, receiving "
        "water and distance",
        geometry=where,
        measured=Quantity(round(distance_ft, 1), "ft"),
        limit=Limit(round(flow.limits.distance_ft, 1), "ft"),
        role="discharges",
        source=trace.source,
        related=(water.source,),
        distinct=f"{trace.outlet}: {water.name}",
    )


def _ask(flow: Flow, trace: Trace, number: int, pct: float, distance_ft: float, sure: bool) -> Ask:
    name = flow.water(number).name
    reason = _how(trace, pct) if sure else "the direction of a reach on the way is in doubt"
    return Ask(
        f"does water from {trace.outlet} enter {name} ({distance_ft:,.0f} ft, {reason})? "
        "If so, the discharge must be shown",
        "h",
        trace.corridor if trace.corridor is not None else _place(trace, number),
    )


def _place(trace: Trace, number: int) -> Point:
    """Where the nominal path enters a water, else the middle one of the corridor's entries."""
    for m in trace.course.meetings:
        if m.water == number:
            return m.point
    entries = trace.shares[number].entries
    middle = ((entries - entries.mean(axis=0)) ** 2).sum(axis=1).argmin()
    return Point(entries[int(middle)])


def _how(trace: Trace, pct: float) -> str:
    if not trace.runs:
        return "along mapped reaches"
    return f"first in {round(pct * trace.runs / 100.0)} of {trace.runs} realisations"


def _not_followed(site: Site, flow: Flow) -> Iterator[Ask]:
    """Outfalls that no mapped reach touches, where there is no surface."""
    layer = site.role("outfalls")
    if layer is None or flow.surface is not None:
        return
    followed = {trace.source for trace in flow.outfalls}
    for source, point in flow.outfall_points():
        if source not in followed:
            name = source.user_id or f"record {source.feature}"
            yield Ask(
                f"outfall {name} touches no mapped reach and there is no surface "
                f"({_why(flow)}): where does its water go within the pack's distance?",
                "h",
                point,
            )


def _words(flow: Flow, trace: Trace) -> str:
    banks = overtopped(trace.course, flow.site.role("roads"))
    on_the_way = f" ({'; '.join(banks)})" if banks else ""
    if not trace.course.meetings:
        far = max((leg.end_ft for leg in trace.course.legs), default=0.0)
        return f"{trace.outlet} meets no mapped water in {far:,.0f} ft{on_the_way}"
    met = [
        f"{flow.water(m.water).name} after {m.distance_ft:,.0f} ft"
        for m in trace.course.meetings[:4]
    ]
    return f"{trace.outlet} to {', '.join(met)}{on_the_way}"
