"""DST005: soil disturbed in the floodway."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.cover import acres, dissolved, shared
from sitemap.measures.flood import floodway_rows, unknown_rows
from sitemap.measures.records import areas_in, sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule(
    "DST005",
    clauses=("9c1c",),
    needs=("disturbance", "floodplain"),
    severity=Severity.WARNING,
)
def disturbance_in_floodway(
    site: Site, disturbance: RoleLayer, floodplain: RoleLayer, sliver_width: Length
) -> Iterator[Said]:
    """The map has soil disturbed inside a floodway.

    Why
        The floodway carries the flood. Bare soil there is gone with the first high water, and
        fill there raises the flood on others.

    How it is measured
        The area that each floodway polygon shares with the disturbed areas (dissolved), in the
        site CRS, in acres; strips that are nowhere as wide as the sliver width are left out. A
        warning, since the paragraph itself does not forbid it: the floodplain ordinance decides.

    When it does not apply
        Where no floodway is drawn: zones without one are FLD002's matter. Of polygons with neither
        a known zone nor a part a person says whether they are floodway.

    How to fix
        Keep the work out of the floodway, or hand in the floodplain permit.

    References
        § 162-9C(1)(c), sediment from disturbed areas into adjacent waters of the state;
        § 162-11B(4)(a), identified floodways.
    """
    ground = dissolved(disturbance.shapes)
    if ground.area <= 0:
        yield Skip("the disturbance layer encloses no area")
        return
    unknown = areas_in(floodplain)
    unknown = unknown[unknown_rows(unknown)]
    lost = shared(unknown.geometry.to_numpy(), ground, sliver_width.to(site.foot))
    if shapely.area(lost).any():
        size_of_lost = acres(float(shapely.area(lost).sum()), site.foot)
        yield Ask(
            f"{size_of_lost:,.3f} acres of floodplain with neither a known zone nor a part are "
            "inside the limits of disturbance: are they floodway?",
            "9c1c",
            shapely.union_all(lost),
        )
    frame = areas_in(floodplain)
    frame = frame[floodway_rows(frame)]
    if frame.empty:
        yield NotApplicable("no polygon of the floodplain layer is a floodway")
        return
    torn = shared(frame.geometry.to_numpy(), ground, sliver_width.to(site.foot))
    size = np.array([acres(float(area), site.foot) for area in shapely.area(torn)])
    yield Checked(
        f"{plural(len(frame), 'floodway polygon')}: {size.sum():,.2f} acres disturbed", len(frame)
    )
    where = sources(frame)
    for index in np.flatnonzero(size > 0).tolist():
        yield Fault(
            f"{size[index]:,.3f} acres of floodway are inside the limits of disturbance",
            "keep the work out of the floodway, or hand in the floodplain permit",
            geometry=torn[index],
            measured=Quantity(round(float(size[index]), 4), "acres"),
            limit=Limit(0.0, "acres"),
            role="floodplain",
            source=where[index],
        )
