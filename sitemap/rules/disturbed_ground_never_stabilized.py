"""DST006: disturbed ground that is never stabilized for good."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, uncovered
from sitemap.measures.practices import is_permanent, shapes_of, silent_roles
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

MOST_PLACES = 25
MUST_SPEAK = ("stabilization", "revegetation", "infiltration")  # drawn, or declared none


@rule(
    "DST006",
    clauses=("5a", "f", "g"),
    needs=("disturbance",),
    uses=(*MUST_SPEAK, "finished_surfaces", "controls", "waterbodies"),
    after=("GEO001",),
)
def disturbed_ground_never_stabilized(
    site: Site, disturbance: RoleLayer, sliver_width: Length, least_area: Area
) -> Iterator[Said]:
    """The map has disturbed ground that ends under no permanent cover.

    Why
        Bare soil that nobody plans to cover goes on eroding after the contractor has left.

    How it is measured
        The disturbed areas (dissolved) minus finished surfaces, permanent stabilization,
        revegetation, infiltration areas, permanent controls (wet detention basins, grassed and
        lined waterways, outlet protection, permanent seeding) and open water, in the site CRS, in
        acres. Stabilization is permanent when its term says so, or, where no term stands, when
        its type can be nothing else. Temporary seeding, mulch and sediment basins end with the
        construction and do not count. Parts that are nowhere as wide as the sliver width, or
        smaller than the least area, are left out and named with their number and acres. One
        finding per part.

    When it does not apply
        While stabilization, revegetation or infiltration is neither drawn nor declared none: that
        is SUB001, and the cover is not known yet.

    How to fix
        Draw what the ground will carry: seeding, sod, mat with seed, pavement, building. A
        sediment basin that stays is drawn as the permanent basin too.

    References
        § 162-11B(5)(a), "disturbed portions of the site are stabilized"; § 162-11B(4)(f), (g).
    """
    silent = silent_roles(site, MUST_SPEAK)
    if silent:
        yield Skip(f"{' and '.join(silent)} neither drawn nor declared none: see SUB001")
        return
    ground = dissolved(disturbance.shapes)
    if ground.area <= 0:
        yield Skip("the disturbance layer encloses no area")
        return
    cover, names = _permanent_cover(site)
    bare = uncovered(ground, cover, sliver_width.to(site.foot)).at_least(
        least_area.acres / acres(1.0, site.foot)
    )
    total, left = acres(float(ground.area), site.foot), acres(bare.area, site.foot)
    thin = ""
    if len(bare.slivers):
        size = acres(bare.sliver_area, site.foot)
        number = plural(len(bare.slivers), "sliver")
        limits = f"thinner than {sliver_width} or under {least_area}"
        thin = f"; {number} {limits} left out ({size:.4f} acres)"
    yield Checked(
        f"disturbance: {left:,.2f} of {total:,.2f} acres without permanent cover, against "
        f"{', '.join(names) or 'no cover at all'}{thin}",
        len(disturbance.usable),
    )
    yield from _faults(site, disturbance, bare.parts)


def _permanent_cover(site: Site) -> tuple[BaseGeometry, list[str]]:
    """All ground under permanent cover, and the layers that gave some, in words."""
    covers: dict[str, np.ndarray] = {}
    for role in ("finished_surfaces", "revegetation", "infiltration", "waterbodies"):
        covers[role.replace("_", " ")] = shapes_of(site.role(role))
    layer = site.role("stabilization")
    if layer is not None:
        term = layer.usable["term"]
        kept = (term == "permanent") | (term.isna() & is_permanent(site, layer))
        covers["permanent stabilization"] = shapes_of(layer)[kept.to_numpy(dtype=bool)]
    layer = site.role("controls")
    if layer is not None:
        covers["permanent controls"] = shapes_of(layer)[is_permanent(site, layer)]
    whole = dissolved(np.concatenate(list(covers.values())))
    return whole, [name for name, shapes in covers.items() if shapely.area(shapes).sum() > 0]


def _faults(site: Site, disturbance: RoleLayer, parts: np.ndarray) -> Iterator[Fault]:
    shapes = shapes_of(disturbance)
    where = sources(disturbance.usable)
    order = sorted(parts, key=lambda part: -part.area)
    for part in order[:MOST_PLACES]:
        whose = int(np.argmax(shapely.area(shapely.intersection(shapes, part))))
        size = acres(float(part.area), site.foot)
        name = where[whose].user_id or f"record {where[whose].feature}"
        yield _fault(
            f"{size:,.3f} acres of disturbed area {name} end under no permanent cover",
            part,
            size,
            f"at {part.centroid.x:.0f},{part.centroid.y:.0f}",
        )
    if len(order) > MOST_PLACES:
        rest = order[MOST_PLACES:]
        size = acres(sum(float(part.area) for part in rest), site.foot)
        words = f"{len(rest)} more parts of the disturbance ({size:,.3f} acres) end without cover"
        yield _fault(words, shapely.multipolygons(rest), size, "more parts")


def _fault(words: str, geometry: BaseGeometry, size: float, distinct: str) -> Fault:
    return Fault(
        words,
        "draw what covers this ground for good: seeding, sod, mat, pavement or building",
        geometry=geometry,
        measured=Quantity(round(size, 4), "acres"),
        limit=Limit(0.0, "acres"),
        role="disturbance",
        distinct=distinct,
    )
