"""WET001: a wetland of a reference that is not drawn on the site."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity
from sitemap.measures.cover import acres, dissolved
from sitemap.measures.reference_classes import (
    class_difference,
    reach_words,
    surely_on,
    unreached,
)
from sitemap.measures.undrawn import Undrawn, difference_words, undrawn
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

LABELS = ("class", "id")


@rule(
    "WET001",
    clauses=("a", "h"),
    needs=("boundary",),
    uses=("wetlands", "waterbodies", "disturbance"),
    refers=("wetlands",),
)
def wetland_on_site_not_drawn(
    site: Site, disturbance: RoleLayer | None, reference_accuracy: Length
) -> Iterator[Said]:
    """The map has no wetland drawn where a reference shows one on the site.

    Why
        An inventory is no delineation, but where it shows a wetland somebody has to look before
        the ground is torn up.

    How it is measured
        Wetlands of the references (areas and points: an inventory keeps those too small to draw as
        points) inside the boundary, against the drawn wetlands and ponds, both cut at the
        boundary. Nothing drawn there: an error, in acres, once for parts that touch. Outlines on
        public maps are right within the pack's reference accuracy: strips thinner than that are
        left aside and counted, and what does not reach farther inside the boundary than that
        needs a person. So does the part by which a reference exceeds a drawn wetland: the
        delineation may have found its edge. How far both lie apart is told. A feature whose code
        says upland needs a person.

    When it does not apply
        Open water: HYD001. Filled wetlands. Without a reference it is skipped.

    How to fix
        Have the ground delineated, and draw what was found; or name in the plan who looked and
        found none.

    References
        § 162-11B(4)(a), (h); Wisconsin Wetland Inventory, National Wetlands Inventory: guides for
        planning, without legal limits.
    """
    boundary = site.boundary
    assert boundary is not None
    away = unreached(site, ("wetlands",), boundary)
    if away:
        yield Skip(away)
        return
    accuracy = reference_accuracy.to(site.foot)
    found = class_difference(site, "wetlands", boundary, accuracy)
    assert found is not None
    torn = dissolved(disturbance.shapes) if disturbance else Polygon()
    inside = surely_on(boundary, accuracy)
    for thing in undrawn(found, LABELS, site.foot):
        yield _said(site, thing, inside, torn, accuracy)
    yield from _points_beside(site, boundary, accuracy)
    count = len(found.reference)
    layers = reach_words(site, ("wetlands",), boundary)
    more = difference_words(found)
    words = f"{plural(count, 'reference wetland')} on the site by {layers}"
    yield Checked(f"{words}; {more}" if more else words, 1)


def _said(
    site: Site, thing: Undrawn, inside: BaseGeometry, torn: BaseGeometry, accuracy: float
) -> Fault | Ask:
    what = f"wetland {thing.label}".strip()
    size = f"{thing.size_words} of {what}" if thing.size_words else f"{what}, a point,"
    shown = f"{thing.where} {thing.show} {size} on the site"
    if thing.doubt:
        return Ask(f"{shown}, but {thing.doubt}: is it wetland?", "h", thing.shape)
    if not thing.whole:
        return Ask(
            f"{shown} beyond the wetland that is drawn: did the delineation find its edge there?",
            "h",
            thing.shape,
        )
    if not _reaches(thing.shape, inside):
        return Ask(
            f"{shown}, nowhere farther inside the boundary than the {accuracy:,.0f} ft within "
            "which the reference is right: does it lie on the site?",
            "h",
            thing.shape,
        )
    return Fault(
        f"{shown}, and none is drawn there{_disturbed(site, thing.shape, torn)}"
        f"{_although_none(site)}",
        "have it delineated and draw what was found, or say in the plan who looked and found none",
        geometry=thing.shape,
        measured=Quantity(round(thing.acres, 4), "acres") if thing.sqft else None,
        role="wetlands",
        related=thing.sources[:4],
        distinct=thing.label,
    )


def _reaches(shape: BaseGeometry, inside: BaseGeometry) -> bool:
    """Whether some of it lies within; of an area more than its edge."""
    if shapely.get_dimensions(shape) == 0:
        return bool(shapely.intersects(shape, inside))
    common = shapely.intersection(shape, inside)
    return bool(common.area > 0 or common.length > 0)


def _disturbed(site: Site, shape: BaseGeometry, torn: BaseGeometry) -> str:
    if shapely.get_dimensions(shape) == 0:
        return "; it lies in disturbed ground" if shapely.intersects(shape, torn) else ""
    size = acres(float(shapely.intersection(shape, torn).area), site.foot)
    return f"; {size:,.2f} acres of it are disturbed" if size >= 0.005 else ""


def _although_none(site: Site) -> str:
    declared = site.declared_none("wetlands")
    if declared is None:
        return ""
    return f"; wetlands are declared none by {declared.by}, {declared.source}, {declared.date}"


def _points_beside(site: Site, boundary: BaseGeometry, accuracy: float) -> Iterator[Ask]:
    """Point wetlands outside the boundary, but so near that they may lie inside."""
    frame = site.reference.frame("wetlands")
    assert frame is not None
    points = frame[shapely.get_dimensions(frame.geometry.to_numpy()) == 0]
    ring = shapely.difference(boundary.buffer(accuracy), boundary)
    if not len(points) or not shapely.intersects(points.geometry.to_numpy(), ring).any():
        return
    found = class_difference(site, "wetlands", ring, accuracy)
    assert found is not None
    for thing in undrawn(found, LABELS, site.foot):
        if thing.is_point:
            yield Ask(
                f"{thing.where} {thing.show} wetland {thing.label}, a point, "
                f"{thing.shape.distance(boundary):,.0f} ft outside the boundary; it is right "
                f"within {accuracy:,.0f} ft: does it lie on the site?",
                "h",
                thing.shape,
            )
