"""HYD001: a stream, lake, pond or neighbouring wetland of a reference that is not drawn."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity
from sitemap.measures.reference_classes import (
    class_difference,
    reach_words,
    surely_on,
    unreached,
)
from sitemap.measures.undrawn import Undrawn, difference_words, undrawn
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import Length

KINDS = {  # class of reference: columns that name a feature, and its word
    "streams": (("name", "kind"), "watercourse"),
    "waterbodies": (("name", "kind"), "water body"),
    "wetlands": (("class", "id"), "wetland"),
}
MAYBE_NO_WATER = "swale"  # "flow potential" of the 24K hydrography: a line of the terrain


@rule(
    "HYD001",
    clauses=("a",),
    needs=("boundary",),
    uses=("streams", "waterbodies", "wetlands", "storm_sewers", "culverts"),
    refers=tuple(KINDS),
)
def water_not_drawn(
    site: Site, adjacent_distance: Length, reference_accuracy: Length
) -> Iterator[Said]:
    """The map has no water drawn where a reference shows one on or beside the site.

    Why
        Who does not draw the creek behind the fence does not protect it, and no discharge into it
        will ever be shown.

    How it is measured
        Streams, channels and ditches, lakes and ponds of the references within the boundary and
        the pack's adjacent distance, against what is drawn there: a stream that is drawn as an
        area, a pond that is drawn as a wetland and a stream that runs in a drawn pipe are drawn.
        Wetlands are looked for in the same strip where they lie wholly outside the boundary (on
        the site: WET001). A line counts as drawn where one runs beside it within the reference
        accuracy. Ends of lines shorter, and strips of areas thinner than that are left aside and
        counted. What comes nowhere nearer than the adjacent distance less the accuracy needs a
        person; so does what a reference shows beyond a water that is drawn, and a line that is
        only a possible flow path. How far both lie apart is told.

    When it does not apply
        To paths that a network takes through lakes, and to underground conduits. Without a
        reference it is skipped.

    How to fix
        Draw the water, with its name; where the ground shows none, say in the plan who looked.

    References
        § 162-11B(4)(a), "lakes, streams, wetlands, channels, ditches and other watercourses on and
        immediately adjacent to the site"; NHD, NHDPlus HR, 24K hydrography of the Wisconsin DNR.
    """
    boundary = site.boundary
    assert boundary is not None
    ground = boundary.buffer(adjacent_distance.to(site.foot))
    away = unreached(site, tuple(KINDS), ground)
    if away:
        yield Skip(away)
        return
    accuracy = reference_accuracy.to(site.foot)
    sure = surely_on(ground, accuracy)
    counted, words = 0, []
    for name, (labels, word) in KINDS.items():
        where = ground if name != "wetlands" else shapely.difference(ground, boundary)
        found = class_difference(site, name, where, accuracy)
        if found is None:
            continue
        for thing in undrawn(found, labels, site.foot):
            if name != "wetlands" or not _is_on_site(thing, boundary):
                yield _said(site, thing, word, sure, accuracy)
        more = difference_words(found)
        counted += len(found.reference)
        words.append(f"{plural(len(found.reference), word)}{f' ({more})' if more else ''}")
    layers = reach_words(site, tuple(KINDS), ground)
    yield Checked(f"on or beside the site by {layers}: {', '.join(words)}", 1)


def _is_on_site(thing: Undrawn, boundary: BaseGeometry) -> bool:
    """Whether a wetland of the strip beside the site goes on inside the boundary: WET001's."""
    return bool(shapely.dwithin(thing.shape, boundary, 1e-6))


def _said(
    site: Site, thing: Undrawn, word: str, sure: BaseGeometry, accuracy: float
) -> Fault | Ask:
    label = thing.label if thing.label and thing.label != word else ""
    named = f"{word} {label}".strip()
    size = f"{thing.size_words} of {named}" if thing.size_words else f"{named}, a point,"
    shown = f"{thing.where} {thing.show} {size} on or beside the site"
    doubt = thing.doubt or ("a possible flow path only" if label == MAYBE_NO_WATER else "")
    if doubt:
        return Ask(f"{shown}, {doubt}: is there water?", "a", thing.shape)
    if thing.sqft and not thing.whole:
        return Ask(f"{shown} beyond the one that is drawn: where is its edge?", "a", thing.shape)
    if not _comes_near(thing.shape, sure, accuracy):
        return Ask(
            f"{shown}, at its rim: the reference is right within {accuracy:,.0f} ft. Is it "
            "adjacent?",
            "a",
            thing.shape,
        )
    return Fault(
        f"{shown}, and {'none is' if thing.whole else 'this part is not'} drawn there"
        f"{_although_none(site, word)}",
        f"draw the {word}, with its name; where the ground shows none, say in the plan who looked",
        geometry=thing.shape,
        measured=_measured(thing),
        role={"watercourse": "streams", "water body": "waterbodies"}.get(word, "wetlands"),
        related=thing.sources[:4],
        distinct=thing.label,
    )


def _comes_near(shape: BaseGeometry, sure: BaseGeometry, accuracy: float) -> bool:
    """Whether it surely lies on or beside the site: a line with more than a crossing of the rim."""
    common = shapely.intersection(shape, sure)
    if shapely.get_dimensions(shape) == 1:
        return bool(common.length > min(accuracy, shape.length / 2.0))
    return bool(common.area > 0) if shapely.get_dimensions(shape) == 2 else not common.is_empty


def _measured(thing: Undrawn) -> Quantity | None:
    if thing.sqft:
        return Quantity(round(thing.acres, 4), "acres")
    return Quantity(round(thing.length_ft, 1), "ft") if thing.length_ft else None


def _although_none(site: Site, word: str) -> str:
    role = {"watercourse": "streams", "water body": "waterbodies"}.get(word, "wetlands")
    declared = site.declared_none(role)
    if declared is None:
        return ""
    return f"; {role} are declared none by {declared.by}, {declared.source}, {declared.date}"
