"""SUB013: the table of a shapefile has not as many records as its shapes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely.geometry import GeometryCollection
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity, Severity
from sitemap.layer import Layer
from sitemap.measures.records import (
    dataset_source,
    dataset_words,
    in_site_crs,
    is_table,
    oddities_of,
    record_numbers,
    record_words,
)
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

KINDS = ("dbf_ends_early", "dbf_cut_off", "dbf_too_long", "dbf_misaligned")  # of intake/oddities.py


@rule("SUB013", clauses=("map",))
def attributes_end_early(site: Site) -> Iterator[Said]:
    """The map has a shapefile whose attribute table ends early or does not fit its shapes.

    Why
        Attributes belong to shapes by their place in the file. A table that was cut off leaves
        the last contours without elevation; one record too many shifts, perhaps, all of them.

    How it is measured
        The records that the .dbf states and really holds against the shapes in the .shp, and the
        features at the end of which no field has a value; and whether each record begins where
        the header of the table says. One finding per dataset: an error where
        it serves a role, because nobody knows which attributes are whose; else information.

    When it does not apply
        To other formats, and to shapefiles without a .dbf (SUB003).

    How to fix
        Copy or export the shapefile again, all of its files at once.

    References
        § 162-11B(4); OSGeo/gdal issue 937 (cut at 2 GB); geojson.io issue 847 (10 shapes, 9 rows).
    """
    layers = [
        layer
        for layer in site.datasets
        if layer.provenance.driver == "ESRI Shapefile"
        and ".dbf" in layer.provenance.companions
        and not is_table(layer)
    ]
    if not layers:
        yield NotApplicable("no dataset is a shapefile with a table")
        return
    for layer in layers:
        found = oddities_of(layer, KINDS)
        if found:
            yield _fault(site, layer, [oddity.message for oddity in found])
    records = sum(len(layer.frame) for layer in layers)
    yield Checked(f"shapes and records of {len(layers)} shapefiles, {records} records", len(layers))


def _fault(site: Site, layer: Layer, words: list[str]) -> Fault:
    name, bare = dataset_words(layer.provenance), _bare_end(layer)
    named = ""
    if bare.any():
        named = f"; without attributes: {record_words(record_numbers(layer.frame)[bare])}"
    count = int(bare.sum())
    return Fault(
        f"{name}: {'; '.join(words)}{named}",
        "copy or export the shapefile again, all of its files at once",
        geometry=_shapes(site, layer, bare),
        measured=Quantity(count, "records without attributes") if count else None,
        limit=Limit(0, "records without attributes") if count else None,
        role=layer.role,
        source=dataset_source(layer.provenance),
        severity=Severity.ERROR if layer.role else Severity.INFO,
        distinct=name,
    )


def _bare_end(layer: Layer) -> np.ndarray:
    """The records at the end of a dataset that have no value in any field."""
    frame = layer.frame
    columns = [c for c in frame if c != frame.geometry.name and not str(c).startswith("_")]
    if not columns:
        return np.zeros(len(frame), dtype=bool)
    cells = frame[columns]
    empty = (cells.isna() | (cells == "")).to_numpy().all(axis=1)
    filled = np.flatnonzero(~empty)
    end = np.arange(len(frame)) > (filled[-1] if filled.size else -1)
    return np.asarray(end)


def _shapes(site: Site, layer: Layer, mask: np.ndarray) -> BaseGeometry | None:
    placed = in_site_crs(layer.frame[mask], site) if mask.any() else None
    if placed is None:
        return None
    there = [shape for shape in placed if shape is not None and not shape.is_empty]
    return GeometryCollection(there) if there else None
