"""BMP011: a downslope edge of disturbed ground without a perimeter control."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry import LineString

from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.design import hidden_pct
from sitemap.terrain.downstream import Flow
from sitemap.terrain.treatment import EdgePlace, treatment_of
from sitemap.units import Length

USES = (
    "controls", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts", "inlets",
    "contours_proposed",
)  # fmt: skip
JOINED_FT = 0.01


@rule("BMP011", clauses=("5c",), needs=("disturbance",), uses=USES, severity=Severity.WARNING)
def disturbed_edge_open_downslope(
    site: Site,
    flow: Flow,
    disturbance: RoleLayer,
    edge_sampling: Length,
    perimeter_reach: Length,
    open_edge: Length,
) -> Iterator[Said]:
    """The map has a downslope edge of disturbed ground that no perimeter control stands below.

    Why
        Where water leaves bare ground as a sheet, it must be held back there; once it has run
        together farther down, a fence does not hold it any more.

    How it is measured
        The outer edge of all disturbed areas together, in stretches of the pack's edge sampling.
        A stretch is downslope where the ground after grading falls outwards at least as much as
        along the edge. The flow from just inside it (10 ft, so that a fence inside the edge
        counts) must meet a barrier, diversion, basin, trap, buffer, filter strip, protected inlet
        or pipe before it has gone the pack's perimeter reach over the ground; a ditch brings it to
        its checks. Found are runs of open stretches longer than the pack's open edge; measured
        is their length in feet.

    When it does not apply
        To edges along which the ground falls, and to flat ones. Without a surface, or where it
        does not show the disturbed areas, it is not judged.

    How to fix
        Draw a silt fence, diversion or other perimeter control along these stretches.

    References
        § 162-11B(5)(c); WDNR technical standard 1056.
    """
    treatment = treatment_of(flow, edge_sampling.to(site.foot))
    if treatment is None:
        yield Skip(f"the runoff cannot be followed: {flow.ground.why_no_existing}")
        return
    if not treatment.edges:
        hidden = hidden_pct(treatment.surface, shapely.union_all(treatment.shapes))
        if hidden:
            yield Skip(f"the ground of {hidden} % of the disturbed areas is not known")
            return
        yield NotApplicable("no edge of the disturbed ground lies downslope")
        return
    reach, least = perimeter_reach.to(site.foot), open_edge.to(site.foot)
    where = sources(disturbance.usable)
    for run in _runs([edge for edge in treatment.edges if edge.control_ft > reach]):
        length = sum(edge.stretch.length for edge in run)
        if length <= least + JOINED_FT:
            continue
        source = where[run[0].area]
        name = source.user_id or f"record {source.feature}"
        yield Fault(
            f"{length:,.0f} ft of the downslope edge of disturbed area {name} have no perimeter "
            f"control within {reach:,.0f} ft down the slope",
            "draw a silt fence, diversion or other perimeter control along it",
            geometry=shapely.line_merge(shapely.multilinestrings([e.stretch for e in run])),
            measured=Quantity(round(length, 1), "ft"),
            limit=Limit(round(least, 1), "ft"),
            role="disturbance",
            source=source,
            distinct=f"{run[0].stretch.coords[0][0]:.0f},{run[0].stretch.coords[0][1]:.0f}",
        )
    total = sum(edge.stretch.length for edge in treatment.edges)
    yield Checked(
        f"{total:,.0f} ft of downslope edge followed from {len(treatment.edges)} places",
        len(treatment.edges),
    )


def _runs(edges: list[EdgePlace]) -> list[list[EdgePlace]]:
    """Open stretches that lie end to end, also over the start of a ring."""
    runs: list[list[EdgePlace]] = []
    for edge in edges:
        if runs and _meets(runs[-1][-1].stretch, edge.stretch):
            runs[-1].append(edge)
        else:
            runs.append([edge])
    for i, first in enumerate(runs):
        for last in runs[i + 1 :]:
            if _meets(last[-1].stretch, first[0].stretch):
                first[:0] = last
                runs.remove(last)
                break
    return runs


def _meets(before: LineString, after: LineString) -> bool:
    (ax, ay), (bx, by) = before.coords[-1][:2], after.coords[0][:2]
    return abs(ax - bx) <= JOINED_FT and abs(ay - by) <= JOINED_FT
