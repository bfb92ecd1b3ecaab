"""What a check stands on, as rows: site, CRS, operations, pack, tolerances, program, datasets,
references.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitemap.checked import CheckedSite, plural
from sitemap.layer import Layer, Raster
from sitemap.ordinance import Ordinance
from sitemap.reference import ReferenceSet, ReferenceSource
from sitemap.version import VERSION

Row = tuple[str, str, str]  # what, which, how


@dataclass(frozen=True)
class Provenance:
    """facts: site, CRS, pack and program; datasets and references: one row each; rows: all."""

    facts: tuple[Row, ...]
    datasets: tuple[Row, ...]
    references: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Facts, then datasets, then references."""
        return (*self.facts, *self.datasets, *self.references)


def provenance_of(checked: CheckedSite) -> Provenance:
    """Everything that another person needs to repeat the check."""
    found = checked.site.reference
    return Provenance(
        tuple(_facts(checked)), tuple(_datasets(checked)), tuple(reference_rows(found))
    )


def _facts(checked: CheckedSite) -> Iterator[Row]:
    site = checked.site
    yield "site", site.name, site.submission
    yield "map CRS", site.crs_name, site.crs_reason
    accounts: dict[str, list[str]] = {}
    for file, account in site.transformations.items():
        accounts.setdefault(str(account), []).append(file)
    for words, files in accounts.items():
        yield "brought in", ", ".join(files), words
    if checked.plate is not None:
        yield "plate", checked.plate.path, "; ".join(checked.plate.trouble)
    for pack in checked.ordinances:
        yield from _pack(pack)
    yield "program", f"sitemap {VERSION}", f"run for {checked.now}"


def _pack(pack: Ordinance) -> Iterator[Row]:
    base = f", based on {pack.based_on}" if pack.based_on else ""
    yield "ordinance", f"{pack.title}, {pack.jurisdiction}", pack.source
    yield "pack", f"{pack.id} version {pack.version}{base}", f"digest {pack.digest}"
    for name, limit in pack.tolerances.items():
        words = name.removesuffix("_pct").replace("_", " ")
        unit = "%" if limit.unit == "pct" else limit.unit
        yield "tolerance", f"{words}: {limit.value:g} {unit}", limit.reading


def reference_rows(reference: ReferenceSet) -> Iterator[Row]:
    """One row for each reference layer: name and class, version, date and identity; then others."""
    for layer in reference.layers:
        source = layer.source
        schema = f"{source.schema}; " if source.schema else ""
        notes = "".join(f"; {note}" for note in layer.notes)
        yield (
            "reference",
            f"{source.name} as {source.role.replace('_', ' ')}",
            f"{schema}{plural(len(layer), 'feature')} around the site{_of_rows(source)}; "
            f"{source.date_words}; {source.identity}; {source.index}; "
            f"{layer.transformation}{notes}",
        )
    for raster in reference.rasters:
        source = raster.source
        yield "reference", f"{source.name} as elevation", f"{source.date_words}; {source.identity}"
    if reference.why_not:
        yield "not read", ", ".join(reference.given), reference.why_not
    for lost in reference.unread:
        yield "not read", lost.file, lost.reason
    if reference.left_out:
        count = plural(len(reference.left_out), "dataset")
        verb = "serves" if len(reference.left_out) == 1 else "serve"
        words = f"{count} that {verb} no class of reference"
        yield "left out", words, ", ".join(reference.left_out)


def _of_rows(source: ReferenceSource) -> str:
    return f" of {source.rows:,}" if source.rows is not None else ""


def _datasets(checked: CheckedSite) -> Iterator[Row]:
    everything: tuple[Layer | Raster, ...] = (*checked.site.datasets, *checked.site.rasters)
    for dataset in everything:
        source = dataset.provenance
        name = source.file if source.layer in ("", source.file) else f"{source.file}:{source.layer}"
        role = (dataset.role or "no role").replace("_", " ")
        counts = f"{plural(source.features_read, 'feature')}, CRS from {source.crs_how}"
        yield "dataset", f"{name} as {role}", f"{counts}, sha256 {source.sha256}"
    for lost in checked.site.unreadable:
        yield "not read", lost.file, lost.reason
