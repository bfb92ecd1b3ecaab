"""SUB007: points where a role takes areas, and the like."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import GeometryCollection

from sitemap.finding import Quantity
from sitemap.layer import Layer
from sitemap.measures.records import (
    dataset_source,
    dataset_words,
    in_site_crs,
    record_numbers,
    record_words,
)
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

# by shapely type id: point, line, ring, polygon, multi-point, -line, -polygon, collection
KINDS = np.array(["point", "line", "line", "polygon", "point", "line", "polygon", "collection"])


@rule("SUB007", clauses=("map",))
def wrong_geometry_type(site: Site) -> Iterator[Said]:
    """The map has features of a geometry type that their role does not take.

    Why
        A disturbance limit that comes as a line has no acres; a wetland that comes as a label
        point has no edge. The clause cannot be judged by such features.

    How it is measured
        The type of every feature against the types that layers/<role>.toml lists; multi-part
        types count as their single ones. One finding per dataset, with how many and which.

    When it does not apply
        To features without a geometry (GEO002) and datasets that serve no role.

    How to fix
        Export the layer in the type the role takes: close the outline into a polygon, or move the
        features to the role they belong to.

    References
        § 162-11B(4); layers/README.md.
    """
    layers = [layer for layer in site.datasets if layer.spec is not None]
    if not layers:
        yield NotApplicable("no dataset serves a role")
        return
    looked_at = 0
    for layer in layers:
        kinds, wrong = _wrong(layer)
        looked_at += int((kinds != "").sum())
        if wrong.any():
            yield _fault(site, layer, kinds, wrong)
    yield Checked(f"the type of {looked_at} features in {len(layers)} datasets", looked_at)


def _wrong(layer: Layer) -> tuple[np.ndarray, np.ndarray]:
    """Kind per feature ("" without geometry), and which kinds the role does not take."""
    geometry = layer.shapes
    there = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
    kinds = np.where(there, KINDS[np.where(there, shapely.get_type_id(geometry), 0)], "")
    taken = layer.spec.geometry if layer.spec else ()
    if "tin" in taken:  # what a triangulated surface is given as: triangles, points, breaklines
        there &= ~np.asarray(shapely.has_z(geometry))
    return kinds, there & ~np.isin(kinds, taken)


def _fault(site: Site, layer: Layer, kinds: np.ndarray, wrong: np.ndarray) -> Fault:
    spec = layer.spec
    assert spec is not None  # the caller left out datasets without a role
    found, counts = np.unique(kinds[wrong], return_counts=True)
    what = " and ".join(
        f"{count} {kind}{'s' if count > 1 else ''}"
        for kind, count in zip(found.tolist(), counts.tolist(), strict=True)
    )
    taken = " or ".join(spec.geometry)
    placed = in_site_crs(layer.frame[wrong], site)
    return Fault(
        f"{dataset_words(layer.provenance)}: {what} among {int((kinds != '').sum())} features; "
        f"{spec.title.lower()} takes {taken} "
        f"({record_words(record_numbers(layer.frame)[wrong])})",
        f"export the layer as {taken}, or put these features under the role they belong to",
        geometry=None if placed is None else GeometryCollection(placed.tolist()),
        measured=Quantity(int(wrong.sum()), "features"),
        role=spec.role,
        source=dataset_source(layer.provenance),
        distinct=dataset_words(layer.provenance),
    )
