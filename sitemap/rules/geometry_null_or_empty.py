"""GEO002: records without a geometry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.layer import Layer
from sitemap.measures.records import (
    dataset_source,
    dataset_words,
    is_table,
    record_numbers,
    record_words,
    sources,
)
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

NAMED = 25  # records named one by one as related sources


@rule("GEO002", clauses=("map",))
def geometry_null_or_empty(site: Site) -> Iterator[Said]:
    """The map has records whose geometry is null or empty.

    Why
        A record without a geometry is on no map, yet stands in the table: a control that is
        counted and not drawn.

    How it is measured
        Null and empty geometries are counted per dataset and named by record (0-based, as in the
        file), and so are records that no reader could give. Warning; error when the dataset has
        no other feature; information when it serves no role. Such records are left out of every
        measure.

    When it does not apply
        To a dataset without any record (SUB004), and to tables that were never meant to have
        geometries.

    How to fix
        Draw the feature or delete the record.

    References
        § 162-11B(4); geopandas issue 1260; real case: 24 of 124 county roads without geometry.
    """
    layers = [
        layer
        for layer in site.datasets
        if (len(layer.frame) or layer.provenance.features_lost) and not is_table(layer)
    ]
    if not layers:
        yield NotApplicable("no dataset has a record")
        return
    looked_at = 0
    for layer in layers:
        geometry = layer.shapes
        null = shapely.is_missing(geometry)
        empty = ~null & shapely.is_empty(geometry)
        looked_at += len(geometry)
        if null.any() or empty.any() or layer.provenance.features_lost:
            yield _fault(layer, null, empty)
    yield Checked(f"{looked_at} records of {len(layers)} datasets", looked_at)


def _fault(layer: Layer, null: np.ndarray, empty: np.ndarray) -> Fault:
    missing = null | empty
    lost = layer.provenance.features_lost
    total = len(missing) + lost
    count = int(missing.sum()) + lost
    parts = [
        f"{int(mask.sum())} {word}"
        for mask, word in ((null, "null"), (empty, "empty"))
        if mask.any()
    ]
    if lost:
        parts.append(f"{lost} that no reader could give")
    numbers = record_numbers(layer.frame)[missing]
    named = f": {record_words(numbers)}" if len(numbers) else ""
    return Fault(
        f"{dataset_words(layer.provenance)}: {count} of {total} records have no geometry "
        f"({', '.join(parts)}){named}",
        "draw these features, or delete their records from the file",
        measured=Quantity(count, "records"),
        limit=Limit(0, "records"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        related=_named(layer, missing),
        severity=_severity(layer, count == total),
        distinct=dataset_words(layer.provenance),
    )


def _named(layer: Layer, missing: np.ndarray) -> tuple[Source, ...]:
    """The first records, each as a Source with the user's own id where it has one."""
    frame = layer.frame[missing].iloc[:NAMED]
    return tuple(sources(frame, layer.provenance.file, layer.provenance.layer))


def _severity(layer: Layer, nothing_left: bool) -> Severity:
    if layer.role is None:
        return Severity.INFO
    return Severity.ERROR if nothing_left else Severity.WARNING
