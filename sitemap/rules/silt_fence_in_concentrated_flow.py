"""BMP006: a silt fence across water that runs together."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Source
from sitemap.measures.practices import BASINS, CHANNELS, FENCES, of_types, shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.contributing_area import (
    LEAST_CELLS,
    PLACE_FT,
    ContributingArea,
    contributing_areas,
)
from sitemap.terrain.downstream import SQFT_PER_ACRE
from sitemap.terrain.ground import Ground
from sitemap.terrain.surface import Surface
from sitemap.terrain.waters import LEADS_UNSEEN
from sitemap.units import Area


@rule(
    "BMP006",
    clauses=("5d",),
    needs=("controls", "boundary"),
    uses=("streams", "contours_proposed"),
)
def silt_fence_in_concentrated_flow(
    site: Site, surface: Surface, ground: Ground, controls: RoleLayer, concentrated_area: Area
) -> Iterator[Said]:
    """The map has a silt fence that stands in concentrated flow.

    Why
        A fence holds back a sheet of water; in a ditch or a hollow the water runs under it,
        around it or through it.

    How it is measured
        A fence must not cross a drawn stream, channel, ditch or swale. And to no 20 ft of it may
        more ground drain than the pack's concentrated area, in acres: on the site and above it, as
        far as the elevation reaches (the outcome names the fences above which it ends). Water
        parts among lower ground by slope, and counts where it first meets the fence; what basins,
        traps, diversions and waterways above it take is left out. A sheet of water would need a
        slope of 2,178 ft to bring an acre to 20 ft. Where the limit is exceeded before grading
        only, or after it only, a person decides; and where the cells of the ground are larger than
        10 ft, so that 20 ft cannot be told apart, more than that in two of them. Surfaces with
        more than 60,000 cells on the site are coarsened for this, and those around it with more
        than 50,000; culverts and pipes are not followed. Of a fence off the known ground a person
        decides.

    When it does not apply
        Without a silt fence.

    How to fix
        Put ditch checks, a sediment trap or a diversion there, and end the fence on either side.

    References
        § 162-11B(5)(d); WDNR technical standard 1056 (silt fence is for sheet flow).
    """
    fences = of_types(controls, FENCES)
    if fences is None or fences.empty:
        yield NotApplicable("no silt fence is drawn")
        return
    shapes = shapely.force_2d(fences.geometry.to_numpy())
    ways = _ways(site)
    boundary = site.boundary
    assert boundary is not None
    taken = list(shapes_of(controls, (*BASINS, *CHANNELS)))
    ways_over = [("before", contributing_areas(surface, boundary, shapes, taken))]
    if ground.proposed is not None:
        after = contributing_areas(ground.proposed, boundary, shapes, taken, surface)
        ways_over.append(("after", after))
    drained = [(when, over.at(shapes)) for when, over in ways_over if over is not None]
    is_open = []
    for row, (source, fence) in enumerate(zip(sources(fences), shapes, strict=True)):
        name = source.user_id or f"record {source.feature}"
        crossed = shapely.intersection(ways, fence)
        if not crossed.is_empty:
            yield _fault(source, f"silt fence {name} crosses a drawn watercourse", crossed, "line")
        coming = [(when, each) for when, at in drained if (each := at[row]) is not None]
        if coming:
            yield from _concentrated(source, name, coming, concentrated_area.acres)
        else:
            yield Ask(
                f"no elevation shows what comes to silt fence {name}: does water run together at "
                "one place of it?",
                "5d",
                fence,
            )
        if any(place.is_open for _, place in coming):
            is_open.append(name)
    yield Checked(_looked_at(len(shapes), is_open), len(shapes))


def _looked_at(count: int, is_open: list[str]) -> str:
    words = f"{plural(count, 'silt fence')} held against the flow"
    if is_open:
        above = ", ".join(is_open)
        words += f"; the elevation ends above {above}: more water may come there than is seen"
    return words


def _concentrated(
    source: Source, name: str, coming: list[tuple[str, ContributingArea]], most: float
) -> Iterator[Said]:
    """A fault where too much drains to one place before and after grading, else a question."""
    over = [(when, place) for when, place in coming if place.sqft / SQFT_PER_ACRE > most]
    if not over:
        return
    when, worst = max(over, key=lambda one: one[1].sqft)
    acres, outside = worst.sqft / SQFT_PER_ACRE, worst.run_on_sqft / SQFT_PER_ACRE
    xy = worst.xy
    words = f"{acres:,.1f} acres drain to one place of silt fence {name}"
    if outside >= 0.05:
        words += f", {outside:,.1f} of them from off the site"
    if worst.place_ft > PLACE_FT:
        yield Ask(
            f"{words}, on ground known by cells of {worst.place_ft / LEAST_CELLS:,.0f} ft only: "
            "does it run together there?",
            "5d",
            shapely.Point(xy),
        )
        return
    if len(over) < len(coming):
        yield Ask(
            f"{words}, {when} grading only: does the fence stand then?", "5d", shapely.Point(xy)
        )
        return
    yield _fault(
        source,
        words,
        shapely.Point(xy),
        "ground",
        Quantity(round(acres, 2), "acres"),
        Limit(most, "acres"),
    )


def _ways(site: Site) -> BaseGeometry:
    """All drawn lines of open water and conveyance."""
    layer = site.role("streams")
    if layer is None:
        return shapely.MultiLineString()
    frame = layer.usable
    return shapely.union_all(frame[~frame["kind"].isin(LEADS_UNSEEN)].geometry.to_numpy())


def _fault(
    source: Source,
    words: str,
    where: BaseGeometry,
    distinct: str,
    measured: Quantity | None = None,
    limit: Limit | None = None,
) -> Fault:
    return Fault(
        words,
        "end the fence on either side, and put ditch checks, a trap or a diversion there",
        geometry=where,
        measured=measured,
        limit=limit,
        role="controls",
        source=source,
        distinct=distinct,
    )
