"""CON010: contours of different level drawn on each other."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.contour_coincidence import Coincidence, coincidences
from sitemap.measures.contour_survey import CONTOUR_ROLES, not_judged, usable_contours
from sitemap.measures.contours import Contours
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

MOST_PLACES = 25


@rule(
    "CON010",
    clauses=("contours",),
    needs=("contours_existing",),
    uses=("contours_proposed",),
)
def lines_coincide_in_plan(
    site: Site,
    contours_existing: RoleLayer,
    contours_proposed: RoleLayer | None,
    position_tolerance: Length,
    coincide_share: float,
) -> Iterator[Said]:
    """The map has contours of different level that lie on each other in plan.

    Why
        Lines that were copied and given another level make an interval that nobody measured: on
        paper five feet, on the ground the terraces of the old ten.

    How it is measured
        In each contour layer, stretches of 5 ft and more where lines of two levels run within the
        position tolerance of each other. A wall or a cliff is drawn so too, rightly: a warning,
        one finding per stretch. Where such stretches make up more than the pack's share of the
        drawn length, the interval is not real: one error for the layer.

    When it does not apply
        To existing and proposed contours on each other, which are two layers.

    How to fix
        Contour the ground again at the interval; where a wall stands, draw the wall.

    References
        § 162-11B(4), "interval not to exceed five feet".
    """
    for role in CONTOUR_ROLES:
        layer = site.role(role)
        contours = None if layer is None else usable_contours(layer)
        if layer is None or contours is None or len(contours) == 0:
            continue
        found = coincidences(contours, position_tolerance.feet)
        length = sum(float(c.stretch.length) for c in found)
        share = 100.0 * length / float(contours.lengths_ft.sum())
        title = role.replace("_", " ")
        yield Checked(
            f"{title}: {len(contours)} lines, {length:,.0f} ft on lines of another level",
            len(contours),
        )
        if share > coincide_share:
            yield _whole(role, found, share, coincide_share)
        else:
            yield from _stretches(role, layer, contours, found)
    for why in not_judged(site):
        yield Skip(why)


def _whole(role: str, found: list[Coincidence], share: float, most: float) -> Fault:
    title = role.replace("_", " ")
    return Fault(
        f"{share:.0f} % of the {title} lie on lines of another level: their interval is not real",
        "contour the ground again at the interval, from the survey",
        geometry=shapely.union_all([c.stretch for c in found]),
        measured=Quantity(round(share, 1), "pct"),
        limit=Limit(most, "pct"),
        role=role,
        distinct="whole layer",
    )


def _stretches(
    role: str, layer: RoleLayer, contours: Contours, found: list[Coincidence]
) -> Iterator[Fault]:
    where = sources(layer.frame)
    title = role.replace("_", " ")
    for one in found[:MOST_PLACES]:
        first, second = (where[contours.rows[line]] for line in one.lines)
        at = one.stretch.centroid
        yield Fault(
            f"{title} {one.low_ft:g} and {one.high_ft:g} ft lie on each other over "
            f"{one.stretch.length:,.0f} ft",
            "draw each level where it runs; where a wall stands, draw the wall",
            geometry=one.stretch,
            measured=Quantity(round(one.stretch.length, 1), "ft"),
            limit=Limit(0.0, "ft"),
            role=role,
            source=first,
            related=(second,),
            severity=Severity.WARNING,
            distinct=f"{one.low_ft:g}-{one.high_ft:g} at {at.x:.0f},{at.y:.0f}",
        )
    if len(found) > MOST_PLACES:
        rest = found[MOST_PLACES:]
        length = sum(float(c.stretch.length) for c in rest)
        yield Fault(
            f"{title} lie on lines of another level at {len(rest)} more places ({length:,.0f} ft)",
            "look at the whole layer: lines may have been copied to another level",
            geometry=shapely.union_all([c.stretch for c in rest]),
            measured=Quantity(round(length, 1), "ft"),
            limit=Limit(0.0, "ft"),
            role=role,
            severity=Severity.WARNING,
            distinct="more places",
        )
