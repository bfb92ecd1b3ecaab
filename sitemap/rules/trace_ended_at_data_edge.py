"""HYD004: the way of the water ends with the data before a water or the distance is reached."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site
from sitemap.terrain.courses import Leg
from sitemap.terrain.design import hidden_pct
from sitemap.terrain.downstream import Flow, Trace
from sitemap.terrain.reaches import Leaf
from sitemap.terrain.trace import End
from sitemap.units import Length

SUPPLY = {
    Leaf.EDGE: "the drawn reaches end",
    Leaf.HEAD_ON: "drawn reaches meet and none leads on",
    End.EDGE: "the elevation data end",
    End.VOID: "the elevation data end there or have a hole",
    End.CLOSED: "the water stands in a basin with no way out within the elevation data",
}


@rule(
    "HYD004",
    clauses=("h",),
    uses=(
        "outfalls", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts", "boundary",
    ),
    severity=Severity.WARNING,
)  # fmt: skip
def trace_ended_at_data_edge(site: Site, flow: Flow, discharge_distance: Length) -> Iterator[Said]:
    """The map has an outlet whose water cannot be followed to a water or for the full distance.

    Why
        That nothing was met within the data does not mean that there is nothing: where the data
        end after 840 of 1,320 ft, the other 480 ft have not been looked at.

    How it is measured
        Branches of the traces of HYD002 that have met no water, and that end before the pack's
        distance because the reaches end where no elevation goes on, or the elevation ends, has a
        hole or a basin without a way out. Measured is the distance followed, in feet along the
        flow. It is a warning: the submission may be right, but nobody can tell.

    When it does not apply
        Once a branch has met a water or wetland: what is farther downstream is information.

    How to fix
        Supply elevation and streams as far as the pack's distance downstream (county lidar, state
        or national hydrography).

    References
        § 162-11B(4)(h); the reading "End of data" of the pack; NOAA-OWP inundation-mapping issue
        299 (mapping that stops at the data boundary).
    """
    if not flow.traces:
        if flow.surface is None:
            yield Skip(f"nothing can be followed: {flow.ground.why_no_existing}")
        elif hidden := hidden_pct(flow.surface, site.boundary):
            yield Skip(f"no outfall is drawn, and {hidden} % of the site have no known ground")
        else:
            yield NotApplicable("no outfall and no low point is there to follow")
        return
    for trace in flow.traces:
        for leg in trace.course.dry_leaves():
            if leg.leaf in SUPPLY:
                yield _fault(trace, leg, discharge_distance.to(site.foot))
    yield Checked(f"{plural(len(flow.traces), 'outlet')} followed downstream", len(flow.traces))


def _fault(trace: Trace, leg: Leg, distance_ft: float) -> Fault:
    assert leg.leaf is not None
    why = SUPPLY[leg.leaf]  # type: ignore[index]
    return Fault(
        f"water from {trace.outlet} was followed for {leg.end_ft:,.0f} of {distance_ft:,.0f} ft "
        f"and met no water: {why}",
        "supply elevation and streams farther downstream",
        geometry=shapely.get_point(leg.line, -1),
        measured=Quantity(round(leg.end_ft, 1), "ft"),
        limit=Limit(round(distance_ft, 1), "ft", ">="),
        role="outfalls" if trace.is_outfall else "boundary",
        source=trace.source,
        distinct=f"{trace.outlet}: {leg.method}",
    )
