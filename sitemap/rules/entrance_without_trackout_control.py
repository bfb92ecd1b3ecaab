"""BMP004: a construction entrance without trackout control."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sitemap.checked import plural
from sitemap.finding import Limit
from sitemap.measures.practices import (
    beside,
    distances_ft,
    nearest,
    nearest_words,
    of_types,
    shapes_of,
)
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("BMP004", clauses=("5g", "9c1a"), needs=("controls",), uses=("activities",))
def entrance_without_trackout_control(
    site: Site, controls: RoleLayer, activities: RoleLayer | None, entrance_distance: Length
) -> Iterator[Said]:
    """The map has a construction entrance without trackout control.

    Why
        Mud on the street is in the storm sewer after the next rain.

    How it is measured
        Every construction entrance (activity CE) must have a trackout control (type TP) within
        the association distance. Where no entrance is drawn, a tracking pad stands for one; where
        neither is drawn, a person says where vehicles leave the site.

    When it does not apply
        Where the site has no controls at all (SUB001).

    How to fix
        Draw a tracking pad over the full width of the exit (WDNR 1057).

    References
        § 162-9C(1)(a), soil tracked onto streets; § 162-11B(5)(g), all vehicle and equipment entry
        and exit locations.
    """
    pads = shapes_of(controls, ("TP",))
    frame = of_types(activities, ("CE",))
    if frame is None or frame.empty:
        if len(pads):
            yield Checked(f"no entrance drawn; {plural(len(pads), 'trackout control')}", len(pads))
        else:
            yield Ask(
                "no construction entrance and no trackout control is drawn: where do vehicles "
                "leave the site, and what keeps soil from the street there?",
                "5g",
            )
        return
    shapes = shapes_of(activities, ("CE",))
    safe = beside(shapes, pads, entrance_distance.feet)
    yield Checked(
        f"{plural(len(frame), 'construction entrance')}, {int(safe.sum())} with trackout control "
        f"within {entrance_distance}",
        len(frame),
    )
    where, away = sources(frame), distances_ft(shapes, pads)
    for index in np.flatnonzero(~safe).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        yield Fault(
            f"construction entrance {name} has no trackout control within {entrance_distance}"
            + nearest_words(away[index]),
            "draw a tracking pad (type TP, WDNR 1057) over the full width of the exit",
            geometry=shapes[index],
            measured=nearest(away[index]),
            limit=Limit(entrance_distance.value, entrance_distance.unit.symbol),
            role="activities",
            source=where[index],
        )
