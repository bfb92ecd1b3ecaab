"""BMP010: runoff from disturbed ground that enters a water without passing a control."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.downstream import SQFT_PER_ACRE, Flow
from sitemap.terrain.treatment import Runoff, Treatment, treatment_of
from sitemap.units import Length

USES = (
    "controls", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts", "inlets",
    "contours_proposed",
)  # fmt: skip
MOST_WAYS = 40  # drawn with one finding


@rule("BMP010", clauses=("9c4",), needs=("disturbance",), uses=USES)
def untreated_flow_path(
    site: Site,
    flow: Flow,
    disturbance: RoleLayer,
    edge_sampling: Length,
    corridor_lower: float,
) -> Iterator[Said]:
    """The map has disturbed ground whose runoff enters a water without passing a control.

    Why
        The law wants treatment before runoff enters waters of the state; a fence beside the path
        of the water treats nothing.

    How it is measured
        From places along the downslope edge of each disturbed area, the pack's edge sampling
        apart and just inside it, and from places inside it, twice as far apart, the water is
        followed over the ground after grading (the proposed surface, else the existing one),
        through inlets, pipes and culverts, along diversions, ditches and streams, on all its
        branches, to the first water or wetland within the pack's discharge distance. On its way
        above ground it must cross a barrier, ditch check, buffer or filter strip, or pass a basin,
        trap or protected inlet. Each place stands for the ground nearer to it than to the others;
        measured are the acres of each area from which a water is reached untreated. A path over
        the ground is not a fact: up to the pack's lower share of the ground of an area, a person
        decides.

    When it does not apply
        To runoff that meets no drawn water within the distance; without drawn waters, without a
        surface.

    How to fix
        Put a control across the ways drawn with the finding, or lead the water to one that there
        is.

    References
        § 162-9C(4); the reading "Ground" of the pack.
    """
    if not flow.waters.waters:
        yield NotApplicable("no water or wetland is drawn that the runoff could enter")
        return
    treatment = treatment_of(flow, edge_sampling.to(site.foot))
    if treatment is None:
        yield Skip(f"the runoff cannot be followed: {flow.ground.why_no_existing}")
        return
    places = treatment.runoff
    reached = sum(place.reaches_water for place in places)
    if not reached:
        yield NotApplicable("no runoff from disturbed ground meets a drawn water")
        return
    yield from _by_area(treatment, disturbance, corridor_lower)
    yield Checked(
        f"runoff followed from {len(places)} places of disturbed ground, "
        f"{treatment.lattice_ft:,.0f} ft apart inside and {treatment.spacing_ft:,.0f} ft along the "
        f"downslope edge; from {reached} of them to a water",
        reached,
    )


def _by_area(treatment: Treatment, disturbance: RoleLayer, lower: float) -> Iterator[Said]:
    """One finding or question for each area and each water that it reaches untreated."""
    where = sources(disturbance.usable)
    for area in sorted({place.area for place in treatment.runoff}):
        places = [place for place in treatment.runoff if place.area == area]
        bad = [place for place in places if place.untreated]
        whole = sum(place.sqft for place in places)
        share_pct = 100.0 * sum(place.sqft for place in bad) / whole if whole else 0.0
        for water in sorted({number for place in bad for number, _ in place.untreated}):
            own = [(p, way) for p in bad for number, way in p.untreated if number == water]
            stands_for = {id(place): place.sqft for place, _ in own}
            size = sum(stands_for.values()) / SQFT_PER_ACRE
            name = where[area].user_id or f"record {where[area].feature}"
            words = (
                f"runoff from {size:,.2f} acres of disturbed area {name} "
                f"({len(stands_for)} of {len(places)} places) enters "
                f"{treatment.flow.water(water).name} without passing a control"
            )
            drawn = _drawn(own)
            if share_pct <= lower:
                yield Ask(f"{words}, as the ground shows it: is that so?", "9c4", drawn)
                continue
            yield Fault(
                words,
                "put a control across these ways, or lead the water to a basin",
                geometry=drawn,
                measured=Quantity(round(size, 3), "acres"),
                limit=Limit(0.0, "acres"),
                role="disturbance",
                source=where[area],
                related=(treatment.flow.water(water).source,),
                distinct=treatment.flow.water(water).name,
            )


def _drawn(own: list[tuple[Runoff, BaseGeometry]]) -> BaseGeometry:
    """The ways together; where all places lie in the water itself and have none, the places."""
    ways = [way for _, way in own if way.length > 0]
    found = ways or [place.point for place, _ in own]
    return shapely.union_all(np.array(found[:MOST_WAYS], dtype=object))
