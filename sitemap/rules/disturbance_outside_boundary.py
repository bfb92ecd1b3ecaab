"""DST001: disturbed ground outside the site's boundary."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, uncovered
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

MOST_PLACES = 25


@rule("DST001", clauses=("d",), needs=("boundary", "disturbance"), after=("BND001",))
def disturbance_outside_boundary(
    site: Site, boundary: RoleLayer, disturbance: RoleLayer, sliver_width: Length
) -> Iterator[Said]:
    """The map has disturbed ground outside the boundary of the site.

    Why
        A permit covers the site. Grading beyond its line is on a neighbour's land or on a right
        of way, and needs that owner's word and a larger site.

    How it is measured
        Each disturbed area minus the boundary (features dissolved), in the site CRS, in acres.
        Parts that are nowhere as wide as the sliver width come from digitizing: they are left
        out, and named with their number and acres. One finding per part.

    When it does not apply
        To lines: limits of disturbance drawn as a line enclose no ground (SUB007).

    How to fix
        Draw the limits back to the boundary, or take the ground into the site with its owner's
        consent.

    References
        § 162-11B(4)(b) and (d), boundaries and areas of soil disturbance.
    """
    ground, width = site.boundary, sliver_width.to(site.foot)
    areas = dissolved(disturbance.shapes)
    if ground is None or ground.area <= 0 or areas.area <= 0:
        which = "boundary" if ground is None or ground.area <= 0 else "disturbance"
        yield Skip(f"the {which} layer encloses no area")
        return
    outside = uncovered(areas, ground, width)
    slivers = ""
    if len(outside.slivers):
        size = acres(outside.sliver_area, site.foot)
        number = plural(len(outside.slivers), "sliver")
        slivers = f"; {number} thinner than {sliver_width} left out ({size:.4f} acres)"
    total = acres(float(areas.area), site.foot)
    beyond = acres(outside.area, site.foot)
    yield Checked(
        f"disturbance: {beyond:,.2f} of {total:,.2f} acres outside the boundary{slivers}",
        len(disturbance.usable),
    )
    shapes = shapely.make_valid(disturbance.shapes)
    where = sources(disturbance.usable)
    parts = sorted(outside.parts, key=lambda part: -part.area)
    for part in parts[:MOST_PLACES]:
        whose = np.argsort(-shapely.area(shapely.intersection(shapes, part)), kind="stable")
        size = acres(float(part.area), site.foot)
        yield Fault(
            f"{size:,.3f} acres of disturbance lie outside the boundary",
            "draw the limits of disturbance back to the boundary, or extend the site",
            geometry=part,
            measured=Quantity(round(size, 4), "acres"),
            limit=Limit(0.0, "acres"),
            role="disturbance",
            source=where[int(whose[0])],
            distinct=f"at {part.centroid.x:.0f},{part.centroid.y:.0f}",
        )
    if len(parts) > MOST_PLACES:
        size = acres(sum(float(part.area) for part in parts[MOST_PLACES:]), site.foot)
        yield Fault(
            f"{len(parts) - MOST_PLACES} more parts of the disturbance ({size:,.3f} acres) lie "
            "outside the boundary",
            "compare both outlines; one of them may be shifted",
            geometry=shapely.multipolygons(parts[MOST_PLACES:]),
            measured=Quantity(round(size, 4), "acres"),
            limit=Limit(0.0, "acres"),
            role="disturbance",
            distinct="more parts",
        )
