"""FLD001: flood hazard of a reference that is not drawn on the site."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity
from sitemap.layer import SOURCE_FILE
from sitemap.measures.cover import acres, dissolved, polygons_of
from sitemap.measures.flood import hazard_rows
from sitemap.measures.reference_classes import (
    class_difference,
    reach_words,
    surely_on,
    unreached,
)
from sitemap.measures.reference_cut import cut
from sitemap.measures.undrawn import Undrawn, difference_words, undrawn
from sitemap.reference import DOUBT
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

PARTS = {"floodway": "floodway", "floodfringe": "flood fringe"}


@rule(
    "FLD001",
    clauses=("a",),
    needs=("boundary",),
    uses=("floodplain",),
    refers=("floodplain",),
)
def floodplain_on_site_not_drawn(
    site: Site, floodplain: RoleLayer | None, reference_accuracy: Length
) -> Iterator[Said]:
    """The map has no floodplain drawn where a flood map identifies one on the site.

    Why
        The flood map is public, and the paragraph asks for what it identifies: the floodway, in
        which next to nothing may be built, and the fringe.

    How it is measured
        Floodway and fringe of the reference inside the boundary, against all flood hazard that is
        drawn, in acres, once for parts that touch. The floodway is what the flood map names so in
        any of its words (contained in a channel, encroachment area, flowage easement ...); the
        fringe, which no flood map has, is the special flood hazard area less the floodway. Strips
        thinner than the reference accuracy are left aside and counted; what reaches nowhere
        farther inside the boundary than that needs a person. So does ground whose hazard the
        flood map leaves open: zone D, SFHA_TF "U", areas not included, a zone that SFHA_TF
        contradicts. How far both lie apart is told.

    When it does not apply
        To floodway drawn as fringe, and zone A without floodway: FLD002. To the 0.2 % flood.
        Without a reference it is skipped.

    How to fix
        Draw floodway and fringe from the effective flood map, with panel and effective date.

    References
        § 162-11B(4)(a), "identified one-hundred-year floodplains, flood-fringes and floodways";
        Wis. Adm. Code NR 116.03 (flood fringe); FEMA, NFHL S_FLD_HAZ_AR.
    """
    boundary = site.boundary
    assert boundary is not None
    away = unreached(site, ("floodplain",), boundary)
    if away:
        yield Skip(away)
        return
    accuracy = reference_accuracy.to(site.foot)
    drawn = _drawn_hazard(floodplain)
    inside = surely_on(boundary, accuracy)
    words = []
    for name, part in PARTS.items():
        found = class_difference(site, name, boundary, accuracy)
        assert found is not None
        for thing in undrawn(found, ("zone",), site.foot):
            rest = _not_drawn_at_all(thing.shape, drawn, accuracy)
            if not rest.is_empty and not thing.doubt:
                yield _said(site, thing, rest, part, inside, accuracy)
        more = difference_words(found)
        words.append(
            f"{plural(len(found.reference), f'{part} polygon')}{f' ({more})' if more else ''}"
        )
    yield from _open_questions(site, boundary, accuracy)
    layers = reach_words(site, ("floodplain",), boundary)
    yield Checked(f"on the site by {layers}: {', '.join(words)}", 1)


def _drawn_hazard(floodplain: RoleLayer | None) -> BaseGeometry:
    if floodplain is None or floodplain.usable.empty:
        return shapely.Polygon()
    frame = floodplain.usable
    return dissolved(frame.geometry.to_numpy()[hazard_rows(frame)])


def _not_drawn_at_all(shape: BaseGeometry, drawn: BaseGeometry, accuracy: float) -> BaseGeometry:
    """What lies outside all drawn hazard, strips within the accuracy left out."""
    if not shapely.intersects(shape, drawn):
        return shape
    rest = polygons_of(shapely.difference(shape, drawn))
    core = shapely.buffer(rest, -accuracy / 2.0, join_style="mitre")
    merged: BaseGeometry = shapely.union_all(rest[shapely.area(core) > 0])
    return merged


def _said(
    site: Site,
    thing: Undrawn,
    rest: BaseGeometry,
    part: str,
    inside: BaseGeometry,
    accuracy: float,
) -> Fault | Ask:
    size = acres(float(rest.area), site.foot)
    words = f"{size:,.2f} acres" if size >= 0.01 else f"{rest.area:,.0f} sq ft"
    zone = f" (zone {thing.label})" if thing.label else ""
    shown = f"{thing.where} {thing.show} {words} of {part}{zone} on the site"
    if shapely.intersection(rest, inside).area <= 0:
        return Ask(
            f"{shown}, nowhere farther inside the boundary than the {accuracy:,.0f} ft within "
            "which the flood map is right: does it lie on the site?",
            "a",
            rest,
        )
    return Fault(
        f"{shown}, and no floodplain is drawn there{_although_none(site)}",
        "draw floodway and fringe from the effective flood map, with panel and effective date",
        geometry=rest,
        measured=Quantity(round(size, 4), "acres"),
        role="floodplain",
        related=thing.sources[:4],
        distinct=f"{part} {thing.label}",
    )


def _although_none(site: Site) -> str:
    declared = site.declared_none("floodplain")
    if declared is None:
        return ""
    return f"; floodplain is declared none by {declared.by}, {declared.source}, {declared.date}"


def _open_questions(site: Site, boundary: BaseGeometry, accuracy: float) -> Iterator[Ask]:
    """Ground whose hazard the flood map leaves open, once for each reason."""
    frame = site.reference.frame("floodplain")
    assert frame is not None
    here = cut(frame[frame[DOUBT].notna().to_numpy()], boundary.buffer(-accuracy / 2.0))
    for doubt in dict.fromkeys(here[DOUBT]):
        rows = here[(here[DOUBT] == doubt).to_numpy()]
        ground = shapely.union_all(rows.geometry.to_numpy())
        size = acres(float(ground.area), site.foot)
        yield Ask(
            f"{rows[SOURCE_FILE].iloc[0]} leaves {size:,.2f} acres of the site open ({doubt}): is "
            "there a floodplain?",
            "a",
            ground,
        )
