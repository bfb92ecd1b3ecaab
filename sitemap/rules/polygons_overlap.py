"""TOP001: areas of a role that should share out the ground lie on each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.finding import Quantity, Severity, Source
from sitemap.measures.cover import Overlap, acres, acres_tolerance_of
from sitemap.measures.neighbours import overlapping
from sitemap.measures.records import areas_in, sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

WITHOUT_OVERLAP = ("disturbance", "drainage_areas", "soils")


@rule("TOP001", clauses=("map",), uses=WITHOUT_OVERLAP)
def polygons_overlap(
    site: Site,
    disturbance: RoleLayer | None,
    drainage_areas: RoleLayer | None,
    soils: RoleLayer | None,
    sliver_width: Length,
    acres_tolerance_pct: float,
    acres_tolerance: Area,
) -> Iterator[Said]:
    """The map has areas that overlap although they should not.

    Why
        Ground lies in one phase, one drainage area and one soil. Where two overlap its acres count
        twice, and nobody knows which slope or which soil holds.

    How it is measured
        Every pair within disturbance, drainage areas and soils, in the site CRS: the ground that
        both cover, where it holds a strip wider than the sliver width. One finding per pair.
        Error when the shared acres exceed the acre tolerance (the larger of the percentage of
        the smaller area and the acres), else warning.

    When it does not apply
        To other roles: a control may stand in a wetland, floodway lies in floodplain.

    How to fix
        Cut one of the two back to the other's edge (snap to it), or merge them.

    References
        § 162-11B(4)(c), (d), (3)(f); geofileops issue 774.
    """
    width = sliver_width.to(site.foot)
    looked_at = 0
    for layer in (disturbance, drainage_areas, soils):
        if layer is None:
            continue
        frame = areas_in(layer)
        looked_at += len(frame)
        shapes = frame.geometry.to_numpy()
        for pair in overlapping(shapes, width) if len(frame) > 1 else ():
            sizes = shapely.area(shapes[[pair.first, pair.second]])
            allowed = acres_tolerance_of(
                acres(float(sizes.min()), site.foot), acres_tolerance_pct, acres_tolerance.acres
            )
            where = sources(frame.iloc[[pair.first, pair.second]])
            yield _fault(site, layer, pair, where, sizes, allowed)
    if not looked_at:
        yield NotApplicable("no areas of disturbance, drainage or soil are drawn")
        return
    yield Checked(f"{looked_at} areas of disturbance, drainage and soil", looked_at)


def _fault(
    site: Site,
    layer: RoleLayer,
    pair: Overlap,
    where: list[Source],
    sizes: np.ndarray,
    allowed_acres: float,
) -> Fault:
    spec: LayerSpec = site.catalogue[layer.role]
    first, second = where
    shared = acres(float(pair.ground.area), site.foot)
    how = ""
    if pair.ground.area >= sizes.min() * (1 - 1e-6):
        how = f": {(first, second)[int(sizes.argmin())]} lies wholly in the other"
    return Fault(
        f"{spec.title}: {first} and {second} overlap by {shared:,.2f} acres{how}",
        "cut one of the two back to the edge of the other, or merge them",
        geometry=pair.ground,
        measured=Quantity(round(shared, 4), "acres"),
        role=layer.role,
        source=first,
        related=(second,),
        severity=Severity.ERROR if shared > allowed_acres else Severity.WARNING,
        distinct=f"{first}|{second}",
    )
