"""DST002: stated disturbed acres against the drawn areas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity, Source
from sitemap.measures.cover import acres, acres_tolerance_of, dissolved
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area


@rule("DST002", clauses=("d", "3d"), needs=("disturbance",))
def stated_disturbed_acres_disagree(
    site: Site, disturbance: RoleLayer, acres_tolerance_pct: float, acres_tolerance: Area
) -> Iterator[Said]:
    """The map has disturbed areas whose acres disagree with the acres that are stated.

    Why
        One acre of disturbance is the line between two sets of duties; fees and the schedule
        follow the stated number.

    How it is measured
        All disturbed areas dissolved, in the site CRS, in acres of 43,560 square feet, against
        disturbed_acres of site.toml; ground that several phases disturb counts once, and its
        acres are named. Each area against its own acres field. The larger of 1 % of the stated
        acres and 0.01 acre is allowed.

    When it does not apply
        Where no acres are stated, neither in site.toml nor in the layer.

    How to fix
        Correct the number, or the limits of disturbance.

    References
        § 162-11B(4)(d), areas of soil disturbance; § 162-11B(3)(d), total area that is expected
        to be disturbed.
    """
    shapes = shapely.make_valid(shapely.force_2d(disturbance.shapes))
    size = np.array([acres(float(area), site.foot) for area in shapely.area(shapes)])
    if not (size > 0).any():
        yield Skip("the disturbance layer encloses no area")
        return

    def allowed(stated: float) -> float:
        return acres_tolerance_of(stated, acres_tolerance_pct, acres_tolerance.acres)

    said = False
    total = site.project.project.disturbed_acres
    if total is not None:
        said = True
        whole = dissolved(shapes)
        drawn = acres(float(whole.area), site.foot)
        twice = float(size.sum()) - drawn
        once = f", {twice:,.2f} acres drawn twice counted once" if twice > 0.005 else ""
        yield Checked(
            f"disturbance: stated {total:,.2f} acres, drawn {drawn:,.2f} acres{once} (may differ "
            f"by {allowed(total):.2g})",
            1,
        )
        if abs(drawn - total) > allowed(total):
            words = f"the disturbed areas are {drawn:,.2f} acres{once}; site.toml states"
            yield _fault(words, drawn, total, allowed(total), whole, "disturbed_acres")
    stated = disturbance.usable["acres"].to_numpy(dtype=float, na_value=np.nan)
    named = np.isfinite(stated)
    if named.any():
        said = True
        yield Checked(
            f"{int(named.sum())} disturbed areas with acres of their own", int(named.sum())
        )
    where = sources(disturbance.usable)
    for index in np.flatnonzero(named).tolist():
        if abs(size[index] - stated[index]) > allowed(stated[index]):
            name = where[index].user_id or f"record {where[index].feature}"
            words = f"disturbed area {name} is {size[index]:,.2f} acres; its acres field says"
            yield _fault(
                words,
                float(size[index]),
                float(stated[index]),
                allowed(stated[index]),
                shapes[index],
                "acres",
                where[index],
            )
    if not said:
        yield NotApplicable("neither site.toml nor the layer states disturbed acres")


def _fault(
    words: str,
    drawn: float,
    stated: float,
    allowed: float,
    geometry: BaseGeometry,
    field: str,
    source: Source | None = None,
) -> Fault:
    return Fault(
        f"{words} {stated:,.2f} acres",
        f"correct {field}, or the limits of disturbance",
        geometry=geometry,
        measured=Quantity(round(drawn, 4), "acres", round(allowed, 4)),
        limit=Limit(stated, "acres", "=="),
        role="disturbance",
        source=source or Source(),
        field_name=field,
        distinct=field,
    )
