"""BND002: stated acres of the site against the drawn boundary."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, acres_tolerance_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area


@rule("BND002", clauses=("b", "3d"), needs=("boundary",), after=("BND001",))
def stated_acres_disagree(
    site: Site, boundary: RoleLayer, acres_tolerance_pct: float, acres_tolerance: Area
) -> Iterator[Said]:
    """The map has a boundary whose acres disagree with the acres that are stated.

    Why
        The acres decide which sections apply and what the permit costs; two different numbers on
        one plan mean that one of them, or the drawing, is wrong.

    How it is measured
        The boundary's features dissolved (ground that two of them cover counts once), in the
        site CRS, in acres of 43,560 square feet, against site_acres of site.toml. The larger of
        1 % of the stated acres and 0.01 acre is allowed.

    When it does not apply
        Where no acres are stated (DOC001 asks for them).

    How to fix
        Correct the number, or the boundary. An old deed's acreage differs from a survey's: state
        the survey's.

    References
        § 162-11B(4)(b), boundaries; § 162-11B(3)(d), total area of the site.
    """
    stated = site.project.project.site_acres
    if stated is None:
        yield NotApplicable("site.toml states no site_acres")
        return
    area = site.boundary
    if area is None or area.area <= 0:
        yield Skip("the boundary encloses no area: see BND001")
        return
    measured = acres(float(area.area), site.foot)
    allowed = acres_tolerance_of(stated, acres_tolerance_pct, acres_tolerance.acres)
    yield Checked(
        f"site: stated {stated:,.2f} acres, drawn {measured:,.2f} acres (may differ by "
        f"{allowed:.2g})",
        1,
    )
    if abs(measured - stated) > allowed:
        yield Fault(
            f"the boundary encloses {measured:,.2f} acres; site.toml states {stated:,.2f} acres",
            "correct site_acres, or the boundary",
            geometry=area,
            measured=Quantity(round(measured, 4), "acres", round(allowed, 4)),
            limit=Limit(stated, "acres", "=="),
            role="boundary",
            field_name="site_acres",
        )
