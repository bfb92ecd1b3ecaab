"""What is known from elsewhere, for the desk: reference layers, which they are, how they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.desk.drawn_layers import DrawnLayer, drawn_layer
from sitemap.desk.said import drawing
from sitemap.desk.shapes import Origin
from sitemap.finding import JsonDict
from sitemap.intake.reference_roles import reference_catalogue
from sitemap.layer import USER_ID
from sitemap.measures.reference_classes import CLASSES, reference_differences
from sitemap.measures.reference_difference import ReferenceDifference
from sitemap.report.words import plain, rule_words
from sitemap.site import Site
from sitemap.units import Length

if TYPE_CHECKING:
    import geopandas

CLASS_WORDS = {"floodfringe": "flood fringe", "waterbodies": "water bodies"}
MOST_OF_A_KIND = 200  # differences of one kind of one class; the rest is counted


@dataclass(frozen=True, eq=False)
class Known:
    """The ground and the accuracy by which references are compared; words where they cannot be."""

    ground: BaseGeometry | None
    accuracy_ft: float
    words: str


def reference_layers(checked: CheckedSite) -> tuple[DrawnLayer, ...]:
    """Each dataset's part around the site, with the symbols of its role."""
    site = checked.site
    catalogue = reference_catalogue()
    found = []
    for layer in site.reference.layers:
        frame = layer.frame[~(layer.frame.geometry.isna() | layer.frame.geometry.is_empty)]
        spec = site.catalogue.by_role.get(layer.role) or catalogue[layer.role]
        if len(frame):
            found.append(drawn_layer(spec, frame, site, "reference", (plain(layer.name),)))
    return tuple(sorted(found, key=lambda layer: layer.order))


def reference_sources(checked: CheckedSite) -> list[list[str]]:
    """Name, version and hash of each dataset; what could not be read, and why."""
    known = checked.site.reference
    rows = [
        [rule_words(source.role), source.name, f"{source.date_words}; {source.identity}"]
        for source in known.sources
    ]
    rows += [["not read", lost.file, lost.reason] for lost in known.unread]
    rows += [["no reference", name, why] for name, why in known.left_out.items()]
    if known.why_not:
        rows.append(["nothing read", ", ".join(known.given), known.why_not])
    if known.layers:
        rows.append(["compared", "", compared_on(checked).words])
    return [[plain(words) for words in row] for row in rows]


def compared_on(checked: CheckedSite) -> Known:
    """The site and what lies immediately beside it, by the first law that has both numbers."""
    boundary, foot = checked.site.boundary, checked.site.foot
    for pack in checked.ordinances:
        numbers = {**pack.tolerances, **pack.limits}
        typed = [
            numbers[name].typed if name in numbers else None
            for name in ("adjacent_distance", "reference_accuracy")
        ]
        beside, accuracy = (t.to(foot) if isinstance(t, Length) else None for t in typed)
        if boundary is not None and beside is not None and accuracy is not None:
            words = (
                f"on the site and {beside:.4g} ft around it; strips thinner than "
                f"{accuracy:.4g} ft, within which public maps are right, are slivers"
            )
            return Known(shapely.buffer(boundary, beside), accuracy, words)
    why = "no boundary" if boundary is None else "no law of this run says how exact a reference is"
    return Known(None, 0.0, f"not compared: {why}")


def not_compared(checked: CheckedSite) -> str:
    """Why references that were given are not compared with the map; empty where they are."""
    known = checked.site.reference
    if not known.given:
        return ""
    if not known.layers:
        return "Not compared: no layer of the references serves here; see below."
    words = compared_on(checked)
    return "" if words.ground is not None else plain(f"{words.words[:1].upper()}{words.words[1:]}.")


def difference_dicts(checked: CheckedSite, origin: Origin) -> list[JsonDict]:
    """What is missing, extra, moved or a sliver, class by class."""
    known = compared_on(checked)
    if known.ground is None or not checked.site.reference.layers:
        return []
    site = checked.site
    owed = [name for name in CLASSES if _is_owed(site, name)]
    found = reference_differences(site, known.ground, known.accuracy_ft, owed)
    return [one for difference in found for one in _of_class(difference, origin)]


def _is_owed(site: Site, role: str) -> bool:
    """Not for what a map may leave out and this one does: town limits, soils."""
    spec = site.catalogue.by_role.get(role)
    return spec is None or spec.presence != "optional" or site.role(role) is not None


def _of_class(difference: ReferenceDifference, origin: Origin) -> Iterator[JsonDict]:
    name = CLASS_WORDS.get(difference.role, rule_words(difference.role))
    theirs, ours = difference.elsewhere  # a line beside its place is moved, not two differences
    missing, extra = difference.missing, difference.extra
    sides = (
        ("missing", missing[~missing["row"].isin(theirs)], difference.reference),
        ("extra", extra[~extra["row"].isin(ours)], difference.drawn),
        ("sliver", difference.slivers, None),
    )
    for kind, parts, features in sides:
        if parts.empty:
            continue
        order = parts.sort_values(["area_sqft", "length_ft"], ascending=False)
        for row in order.head(MOST_OF_A_KIND).to_dict("records"):
            words = f"{name}: {_part_words(row, features)}"
            yield _difference(kind, words, row["geometry"], origin)
        yield from _rest(kind, name, len(parts))
    far = difference.moved[difference.moved["hausdorff_ft"] > difference.accuracy_ft]
    for row in far.head(MOST_OF_A_KIND).to_dict("records"):
        words = f"{name}: {_moved_words(row)}"
        yield _difference("moved", words, row["geometry"], origin, row["reference_geometry"])
    yield from _rest("moved", name, len(far))


def _difference(
    kind: str,
    words: str,
    shape: BaseGeometry,
    origin: Origin,
    known: BaseGeometry | None = None,
) -> JsonDict:
    """One entry; known is where the reference has what was moved."""
    there = drawing(known, origin)
    return {"kind": kind, "words": plain(words), "shapes": drawing(shape, origin), "known": there}


def _rest(kind: str, name: str, number: int) -> Iterator[JsonDict]:
    if number > MOST_OF_A_KIND:
        words = f"{name}: {number - MOST_OF_A_KIND:,} more, which are not on this page"
        yield {"kind": kind, "words": words, "shapes": [], "known": []}


def _part_words(row: dict[Any, Any], features: geopandas.GeoDataFrame | None) -> str:
    """Whose part it is, and how large: 'W-1, all of it, 3,200 sq ft (0.073 acres)'."""
    size = (
        f"{row['area_sqft']:,.0f} sq ft ({row['acres']:.3f} acres)"
        if row["area_sqft"]
        else f"{row['length_ft']:,.0f} ft"
        if row["length_ft"]
        else "a point"
    )
    if features is None:
        return f"{row.get('side', '')} strip, {size}".strip()
    own = features.iloc[int(row["row"])].get(USER_ID)
    parts = [str(own) if own is not None else "", "all of it" if row["whole"] else "a part", size]
    return ", ".join(part for part in parts if part)


def _moved_words(row: dict[Any, Any]) -> str:
    """'outlines up to 80 ft apart, centroids 52 ft; 1,200 sq ft (0.028 acres) more than known'."""
    offset, most = row["offset_ft"], row["hausdorff_ft"]
    if shapely.get_dimensions(row["geometry"]) != 2:
        return f"up to {most:,.0f} ft apart, {offset:,.0f} ft on the mean"
    words = f"outlines up to {most:,.0f} ft apart, centroids {offset:,.0f} ft"
    sqft, acres = row["difference_sqft"], row["difference_acres"]
    if pd.isna(sqft) or not sqft:
        return words
    more = "more" if sqft > 0 else "less"
    return f"{words}; {abs(sqft):,.0f} sq ft ({abs(acres):.3f} acres) {more} than known"
