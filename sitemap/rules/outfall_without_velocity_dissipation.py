"""BMP007: an outfall without velocity dissipation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit
from sitemap.measures.practices import (
    DISSIPATES,
    beside,
    distances_ft,
    nearest,
    nearest_words,
    shapes_of,
)
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

SPREAD = ("sheet", "overland", "diffuse", "low point")  # kinds of outfall without one jet


@rule(
    "BMP007",
    clauses=("6", "9c1g"),
    needs=("outfalls",),
    uses=("controls", "stabilization"),
)
def outfall_without_velocity_dissipation(
    site: Site,
    outfalls: RoleLayer,
    controls: RoleLayer | None,
    stabilization: RoleLayer | None,
    outlet_distance: Length,
) -> Iterator[Said]:
    """The map has an outfall without velocity dissipation.

    Why
        Water from a pipe digs. Without stone the outfall makes its own sediment, for years.

    How it is measured
        Every outfall must have outlet protection, a velocity dissipation device or a lined outlet
        (types OP, VD, LW), or an area of riprap, within the association distance. Where the kind
        of the outfall says that water leaves spread out (sheet, overland, low point), a person
        says whether it needs one.

    When it does not apply
        Where outfalls are declared none.

    How to fix
        Draw the apron or the basin at the end of the pipe.

    References
        § 162-11B(6), velocity dissipation at discharge locations; § 162-9C(1)(g), erosive flows at
        outlets.
    """
    frame = outfalls.usable
    shapes = np.asarray(shapely.force_2d(frame.geometry.to_numpy()))
    devices = np.concatenate([shapes_of(controls, DISSIPATES), shapes_of(stabilization, ("RR",))])
    safe = beside(shapes, devices, outlet_distance.feet)
    yield Checked(
        f"{plural(len(frame), 'outfall')}, {int(safe.sum())} with velocity dissipation within "
        f"{outlet_distance}",
        len(frame),
    )
    where, away = sources(frame), distances_ft(shapes, devices)
    for index in np.flatnonzero(~safe).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        kind = str(frame["kind"].iloc[index] or "").lower()
        if any(word in kind for word in SPREAD):
            yield Ask(
                f"outfall {name} ({kind}) has no velocity dissipation: is its flow nonerosive?",
                "6",
                shapes[index],
            )
            continue
        yield Fault(
            f"outfall {name} has no velocity dissipation within {outlet_distance}"
            + nearest_words(away[index]),
            "draw outlet protection (OP), a velocity dissipation device (VD) or riprap there",
            geometry=shapes[index],
            measured=nearest(away[index]),
            limit=Limit(outlet_distance.value, outlet_distance.unit.symbol),
            role="outfalls",
            source=where[index],
        )
