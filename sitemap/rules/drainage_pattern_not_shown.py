"""SLP001: ground whose drainage pattern no arrow shows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.measures.cover import mended
from sitemap.measures.practices import shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site

SHARE = 0.5  # an arrow is an area's when at least so much of it lies in the area


@rule(
    "SLP001",
    clauses=("c",),
    needs=("flow_arrows",),
    uses=("drainage_areas", "disturbance", "boundary"),
)
def drainage_pattern_not_shown(site: Site, flow_arrows: RoleLayer) -> Iterator[Said]:
    """The map has a drainage area or disturbed area whose drainage pattern no arrow shows.

    Why
        Where the water goes after grading decides where the controls must stand.

    How it is measured
        Each drainage area on the site (where none are drawn: each disturbed area) needs a flow
        arrow: one whose from_area names it, or one with half its length in it. An arrow kept as a
        point has no direction and shows nothing. One finding per area.

    When it does not apply
        Where neither drainage areas nor disturbed areas are drawn on the site.

    How to fix
        Draw an arrow down the slope in each area.

    References
        § 162-11B(4)(c), "Drainage patterns and approximate slopes anticipated after major
        grading activities."
    """
    role = "drainage_areas" if _drawn(site, "drainage_areas") else "disturbance"
    layer = site.role(role)
    if layer is None or layer.usable.empty:
        yield NotApplicable("neither drainage areas nor disturbed areas are drawn")
        return
    frame, shapes = layer.usable, shapes_of(layer)
    kept = shapely.get_dimensions(shapes) == 2
    if site.boundary is not None:
        kept &= shapely.area(shapely.intersection(shapes, site.boundary)) > 0
    if not kept.any():
        yield NotApplicable(f"no area of the {role.replace('_', ' ')} layer lies on the site")
        return
    where = sources(frame)
    shown = kept & _has_arrow(frame["id"].tolist(), shapes, flow_arrows)
    title = (
        role.replace("_", " ").removesuffix("s") if role == "drainage_areas" else "disturbed area"
    )
    yield Checked(
        f"{plural(int(kept.sum()), title)}, {int(shown.sum())} with an arrow; "
        f"{plural(len(flow_arrows.usable), 'arrow')}",
        int(kept.sum()),
    )
    for index in np.flatnonzero(kept & ~shown).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        yield Fault(
            f"no flow arrow shows how {title} {name} drains",
            "draw an arrow down the slope in it, with its slope in percent",
            geometry=shapes[index],
            role=role,
            source=where[index],
        )


def _drawn(site: Site, role: str) -> bool:
    layer = site.role(role)
    return layer is not None and not layer.usable.empty


def _has_arrow(ids: list[object], shapes: np.ndarray, arrows: RoleLayer) -> np.ndarray:
    """True for areas that an arrow names, or in which half an arrow lies; points show no way."""
    lines = mended(arrows.shapes)
    drawn = shapely.length(lines) > 0
    named = {str(v).strip().casefold() for v in arrows.usable["from_area"][drawn].dropna()}
    lines = lines[drawn]
    shown = np.array([v is not None and str(v).strip().casefold() in named for v in ids])
    which, area = shapely.STRtree(shapes).query(lines, predicate="intersects")
    inside = shapely.length(shapely.intersection(lines[which], shapes[area]))
    shown[area[inside >= SHARE * shapely.length(lines[which])]] = True
    return shown
