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
from sitemap.terrain.downstream import SQFT_PER_ACRE
from sitemap.terrain.gathering import gathered
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
        A fence must not cross a drawn stream, channel, ditch or swale. And at no place along it
        may more of the site drain through one cell of the ground than the pack's concentrated
        area, in acres; what basins, traps, diversions and waterways above it take is left out.
        Where that holds before grading only, or after it only, a person decides. Surfaces with
        more than 60,000 cells on the site are coarsened for this.

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
    grounds = [("before", surface)]
    if ground.proposed is not None:
        grounds.append(("after", ground.proposed))
    boundary = site.boundary
    assert boundary is not None
    taken = list(shapes_of(controls, (*BASINS, *CHANNELS)))
    drained = [(when, gathered(each, boundary, taken)) for when, each in grounds]
    for source, fence in zip(sources(fences), shapes, strict=True):
        name = source.user_id or f"record {source.feature}"
        crossed = shapely.intersection(ways, fence)
        if not crossed.is_empty:
            yield _fault(source, f"silt fence {name} crosses a drawn watercourse", crossed, "line")
        through = [(when, *each.along(fence)) for when, each in drained if each is not None]
        if through:
            yield from _concentrated(source, name, through, concentrated_area.acres)
    yield Checked(f"{plural(len(shapes), 'silt fence')} held against the flow", len(shapes))


def _concentrated(
    source: Source, name: str, through: list[tuple[str, float, tuple[float, float]]], most: float
) -> Iterator[Said]:
    """A fault where too much drains through one place before and after grading, else a question."""
    over = [(when, sqft / SQFT_PER_ACRE, xy) for when, sqft, xy in through]
    over = [place for place in over if place[1] > most]
    if not over:
        return
    when, acres, xy = max(over, key=lambda place: place[1])
    words = f"{acres:,.1f} acres drain through one place of silt fence {name}"
    if len(over) < len(through):
        yield Ask(
            f"{words} {when} grading only: does the fence stand then?", "5d", shapely.Point(xy)
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
