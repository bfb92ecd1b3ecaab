"""CON004: contours of different level that cross."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely.geometry import MultiPoint

from sitemap.checked import plural
from sitemap.finding import Quantity
from sitemap.measures.contour_crossings import crossings
from sitemap.measures.contour_survey import CONTOUR_ROLES
from sitemap.measures.contours import contours_in
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer

MOST_PAIRS = 25


@rule("CON004", clauses=("contours",), needs=("contours_existing",), uses=("contours_proposed",))
def contours_cross(
    contours_existing: RoleLayer, contours_proposed: RoleLayer | None
) -> Iterator[Said]:
    """The map has contours of different level that cross each other.

    Why
        One place cannot have two heights. Crossing lines come from two surveys laid over each
        other, from smoothing, or from a wrong elevation; slopes read there are wrong.

    How it is measured
        Every pair of lines of one layer with different levels, in the site CRS. One finding for
        each pair of lines, with all points at which they cross. Existing and proposed contours
        cross each other by their nature and are not compared.

    When it does not apply
        To lines of one level that touch, to a line that ends on another, and to lines that run
        on top of each other (a wall).

    How to fix
        Look at the elevations of both lines first; else redraw the one that is smoothed too far.

    References
        § 162-11B(4) and (4)(a), existing topography.
    """
    looked_at = 0
    for role, layer in zip(CONTOUR_ROLES, (contours_existing, contours_proposed), strict=True):
        contours = None if layer is None else contours_in(layer)
        if layer is None or contours is None or len(contours) == 0:
            continue
        looked_at += len(contours)
        found = crossings(contours)
        pairs, slot = np.unique(found.pair, axis=0, return_inverse=True)
        title = role.replace("_", " ")
        yield Checked(
            f"{title}: {len(contours)} lines, {plural(len(pairs), 'crossing pair')}", len(contours)
        )
        where = sources(layer.frame)
        for number, (a, b) in enumerate(pairs[:MOST_PAIRS].tolist()):
            points = found.points[slot.ravel() == number]
            low, high = sorted((contours.levels_ft[a], contours.levels_ft[b]))
            times = "once" if len(points) == 1 else f"at {len(points)} points"
            yield Fault(
                f"{title} {low:g} and {high:g} ft cross {times}",
                "correct the elevation of one of the two lines, or redraw it",
                geometry=MultiPoint(list(points)) if len(points) > 1 else points[0],
                measured=Quantity(len(points), "crossings"),
                role=role,
                source=where[contours.rows[a]],
                related=(where[contours.rows[b]],),
                distinct=f"{low:g}-{high:g}",
            )
        if len(pairs) > MOST_PAIRS:
            rest = found.points[slot.ravel() >= MOST_PAIRS]
            yield Fault(
                f"{title}: {len(pairs) - MOST_PAIRS} more pairs of lines cross",
                "look at the whole layer: two surveys may lie over each other",
                geometry=MultiPoint(list(rest)),
                measured=Quantity(len(rest), "crossings"),
                role=role,
                distinct="more pairs",
            )
    if not looked_at:
        yield Skip("no contour has an elevation: see CON003")
