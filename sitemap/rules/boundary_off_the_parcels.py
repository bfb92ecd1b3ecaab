"""BND003: a site boundary that differs from the parcels that it takes in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity, Severity
from sitemap.layer import SOURCE_FILE
from sitemap.measures.cover import acres
from sitemap.measures.records import sources
from sitemap.measures.reference_classes import class_difference, reach_words, unreached
from sitemap.measures.reference_difference import ReferenceDifference
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule(
    "BND003",
    clauses=("b",),
    needs=("boundary",),
    refers=("parcels",),
    after=("BND001",),
    severity=Severity.WARNING,
)
def boundary_off_the_parcels(
    site: Site, boundary: RoleLayer, parcel_accuracy: Length
) -> Iterator[Said]:
    """The map has a site boundary that differs from the parcels that it takes in.

    Why
        A boundary that cuts a strip off the neighbour, or leaves out a corner of the owner's land,
        was digitized from another source, or lies in another coordinate system.

    How it is measured
        Parcels of the reference of which at least half lies inside the boundary are taken as the
        site. Ground of these outside the boundary, and ground inside it that is none of these, in
        acres; strips thinner than the pack's parcel accuracy are left aside and counted. A warning
        for each side, with the greatest distance between both outlines. Where no parcel lies half
        inside, a person looks whether a part of one is meant.

    When it does not apply
        Without a reference it is skipped.

    How to fix
        Take the boundary from the survey or the deed; where the site is a part of a parcel, or
        takes in a road, say so in the plan.

    References
        § 162-11B(4)(b), boundaries of the construction site. A tax map is no survey.
    """
    outline = site.boundary
    assert outline is not None
    away = unreached(site, ("parcels",), outline)
    if away:
        yield Skip(away)
        return
    accuracy = parcel_accuracy.to(site.foot)
    found = class_difference(site, "parcels", outline, accuracy)
    if found is None or found.reference.empty:
        yield from _no_parcel(site, outline)
        return
    count = len(found.reference)
    apart = float(found.moved["hausdorff_ft"].max()) if len(found.moved) else 0.0
    slivers = plural(len(found.slivers), "sliver")
    yield Checked(
        f"{plural(count, 'parcel')} of {reach_words(site, ('parcels',), outline)} make up the "
        f"site; outlines up to {apart:,.1f} ft apart; {slivers} thinner than "
        f"{parcel_accuracy.feet:g} ft left aside",
        count,
    )
    yield from _faults(site, boundary, found, apart)


def _no_parcel(site: Site, outline: BaseGeometry) -> Iterator[Said]:
    frame = site.reference.frame("parcels")
    assert frame is not None
    here = frame[shapely.intersects(frame.geometry.to_numpy(), outline)]
    if here.empty:
        yield Skip(f"{reach_words(site, ('parcels',), outline)} holds no parcel on the site")
        return
    names = ", ".join(source.user_id or f"record {source.feature}" for source in sources(here)[:4])
    yield Checked(f"{plural(len(here), 'parcel')} on the site ({names}), none by half", len(here))
    yield Ask(
        f"the site takes in less than half of each parcel that it lies on ({names}): is a part of "
        "a parcel meant?",
        "b",
        outline,
    )


def _faults(
    site: Site, boundary: RoleLayer, found: ReferenceDifference, apart: float
) -> Iterator[Fault]:
    sides = (
        (found.missing, "of the parcels lie outside the boundary", "outside"),
        (found.extra, "inside the boundary are no part of these parcels", "inside"),
    )
    for parts, words, side in sides:
        if parts.empty:
            continue
        ground = shapely.union_all(parts.geometry.to_numpy())
        size = acres(float(ground.area), site.foot)
        file = found.reference[SOURCE_FILE].iloc[0]
        rows = parts["row"].to_numpy() if side == "outside" else np.array([], dtype=int)
        yield Fault(
            f"{size:,.2f} acres ({ground.area:,.0f} sq ft) {words} ({file}); the outlines lie up "
            f"to {apart:,.0f} ft apart",
            "take the boundary from the survey or the deed; where a part of a parcel is meant, or "
            "a road is taken in, say so in the plan",
            geometry=ground,
            measured=Quantity(round(size, 4), "acres"),
            role="boundary",
            source=sources(boundary.usable)[0],
            related=tuple(sources(found.reference.iloc[rows[:4]])),
            distinct=side,
        )
