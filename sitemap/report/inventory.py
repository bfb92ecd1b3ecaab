"""What was found in a submission: text for a person, JSON by a published schema for programs.

Every dataset: role and why, CRS and how it is known, unit, datum, encoding, features read, null
and lost, field mapping, and each odd thing in plain words; then what could not be read.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

from sitemap.crs import crs_code, crs_label, datum_name, linear_unit
from sitemap.finding import JsonDict
from sitemap.intake.geometry_detective import finite_bounds, geometry_types, ring_faults
from sitemap.layer import SOURCE_FID, Layer, Oddity, Provenance, Raster, RoleChoice
from sitemap.report.page import PLAIN_WIDTH, Page, clean
from sitemap.site import Site
from sitemap.version import VERSION

SCHEMA_VERSION = "1.0"
_HOW = {
    "file": "stated by the file",
    "option": "given by --crs",
    "site.toml": "given by site.toml",
    "none": "not stated",
}
_LEAD = 12  # columns of the word before each line


def to_text(site: Site, width: int = PLAIN_WIDTH) -> str:
    """The inventory as plain text, at most `width` columns."""
    page = Page(width)
    _head(page, site)
    for role, layer in _ordered(site):
        _dataset(page, site, layer, role)
    for raster in site.rasters:
        _raster(page, site, raster)
    if site.unreadable:
        page.heading(f"Not readable ({len(site.unreadable)})")
        for item in site.unreadable:
            layer_words = f", layer {item.layer}" if item.layer else ""
            page.paragraph("- ", f"{item.file}{layer_words}: {item.reason}", hang=2)
    if site.ignored:
        page.heading(f"Left aside, no layer in them ({len(site.ignored)})")
        page.paragraph("", ", ".join(site.ignored))
    return page.to_plain()


def to_json(site: Site) -> str:
    """The inventory as indented UTF-8 JSON text, ending in a newline."""
    return json.dumps(to_dict(site), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@cache
def _schema_text() -> str:
    return files("sitemap.report").joinpath("inventory.schema.json").read_text(encoding="utf-8")


def json_schema() -> JsonDict:
    """The published schema (JSON Schema 2020-12) that to_dict keeps to."""
    schema: JsonDict = json.loads(_schema_text())
    return schema


def _head(page: Page, site: Site) -> None:
    page.paragraph(("Inventory of ", "bold"), site.submission, hang=2)
    page.paragraph("map CRS     ", f"{site.crs_name}: {site.crs_reason}", hang=_LEAD)
    with_role = sum(1 for d in site.datasets if d.role) + sum(1 for r in site.rasters if r.role)
    total = len(site.datasets) + len(site.rasters)
    page.paragraph(
        "found       ",
        f"{_count(total, 'dataset')}, {with_role} with a role, {total - with_role} without; "
        f"{_count(len(site.unreadable), 'file or layer', 'files or layers')} not readable",
        hang=_LEAD,
    )
    datums = _datums(site)
    if len(datums) > 1:
        words = "; ".join(f"{name}: {', '.join(sorted(of))}" for name, of in sorted(datums.items()))
        page.paragraph(("datums      ", "yellow"), f"{len(datums)} of them: {words}", hang=_LEAD)
    if site.project.declared_none:
        page.paragraph(
            "none here   ",
            "; ".join(
                f"{role} (declared by {d.by}, {d.source}, {d.date.isoformat()})"
                for role, d in site.project.declared_none.items()
            ),
            hang=_LEAD,
        )


def _datums(site: Site) -> dict[str, set[str]]:
    """Datum -> files on it."""
    found: dict[str, set[str]] = {}
    items: list[Layer | Raster] = [*site.datasets, *site.rasters]
    for item in items:
        crs = item.crs
        if crs is not None and (crs.is_geographic or crs.is_projected):
            found.setdefault(datum_name(crs), set()).add(item.provenance.file)
    return found


def _ordered(site: Site) -> list[tuple[str | None, Layer]]:
    """Datasets in the order of their roles, those without a role last."""
    places = {role: place for place, role in enumerate(site.catalogue.by_role)}
    return sorted(
        ((layer.role, layer) for layer in site.datasets),
        key=lambda pair: (places.get(pair[0] or "", len(places)), pair[1].provenance.file),
    )


def _dataset(page: Page, site: Site, layer: Layer, role: str | None) -> None:
    provenance = layer.provenance
    _title(page, provenance, role, layer.choice)
    is_table = any(o.kind == "no_geometry" for o in provenance.oddities)
    counts = f"{provenance.features_read:,} read"
    if not is_table:
        counts += f", {provenance.features_null:,} null, {provenance.features_lost:,} lost"
        types = geometry_types(layer.frame.geometry.to_numpy())
        if types:
            counts += ": " + ", ".join(f"{name} {n:,}" for name, n in types.items())
    _line(page, "records" if is_table else "features", counts)
    if not is_table:
        _crs_lines(page, site, layer.crs, provenance)
    if provenance.encoding:
        _line(page, "encoding", f"{provenance.encoding} ({provenance.encoding_how})")
    if layer.choice.field_map:
        pairs = ", ".join(f"{name} = {col}" for name, col in layer.choice.field_map.items())
        _line(page, "fields", pairs)
    rest = _other_columns(layer)
    if rest:
        more = f" and {len(rest) - 12} more" if len(rest) > 12 else ""
        _line(page, "not used" if layer.role else "columns", ", ".join(rest[:12]) + more)
    for name, words in layer.units.items():
        _line(page, "unit", f"{name}: {words}")
    _odd_lines(page, (*provenance.oddities, *_ring_faults(layer)))


def _raster(page: Page, site: Site, raster: Raster) -> None:
    _title(page, raster.provenance, raster.role, raster.choice)
    nodata = "none declared" if raster.nodata is None else f"{raster.nodata:g}"
    bands = f", {raster.bands} bands" if raster.bands > 1 else ""
    _line(
        page,
        "raster",
        f"{raster.width:,} x {raster.height:,} cells of {raster.cell_size[0]:g} x "
        f"{raster.cell_size[1]:g}, {raster.dtype}{bands}, nodata {nodata}",
    )
    _crs_lines(page, site, raster.crs, raster.provenance)
    if not any(o.kind == "raster_is_picture" for o in raster.provenance.oddities):
        unit = raster.vertical_unit or "not stated"
        _line(page, "heights", f"unit {unit}; datum {raster.vertical_datum or 'not stated'}")
    _odd_lines(page, raster.provenance.oddities)


def _title(page: Page, provenance: Provenance, role: str | None, choice: RoleChoice) -> None:
    layer = provenance.layer
    stem = provenance.file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    name = provenance.file if layer in ("", stem) else f"{provenance.file}, layer {layer}"
    title = f"{clean(name)}  ->  {role or 'no role'}"
    if len(title) <= page.width:
        page.heading(title)
    else:
        page.heading(clean(name))
        _line(page, "role", role or "no role")
    _line(page, "why", choice.reason)


def _crs_lines(page: Page, site: Site, crs: Any, provenance: Provenance) -> None:
    if crs is None:
        _line(page, "CRS", _HOW[provenance.crs_how])
        return
    unit = linear_unit(crs)
    words = f", unit {unit.symbol}" if unit else ", unit degree" if crs.is_geographic else ""
    datum = datum_name(crs)
    _line(page, "CRS", f"{crs_label(crs)}, {_HOW[provenance.crs_how]}; datum {datum}{words}")
    moved = site.transformations.get(f"{provenance.file}:{provenance.layer}")
    moved = moved or site.transformations.get(provenance.file)
    if moved is not None and moved.operation != "none":
        _line(page, "to map", str(moved))


def _line(page: Page, lead: str, text: str) -> None:
    page.paragraph(f"  {lead:<10}", text, hang=_LEAD)


def _odd_lines(page: Page, oddities: tuple[Oddity, ...]) -> None:
    for oddity in oddities:
        page.paragraph(("  odd       ", "yellow"), oddity.message, hang=_LEAD)


def _other_columns(layer: Layer) -> list[str]:
    used = set(layer.choice.field_map.values()) | {layer.frame.geometry.name, SOURCE_FID}
    return [column for column in layer.frame.columns if column not in used]


def _ring_faults(layer: Layer) -> tuple[Oddity, ...]:
    return ring_faults(layer.frame.geometry.to_numpy(), layer.frame[SOURCE_FID].to_numpy())


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def to_dict(site: Site) -> JsonDict:
    """The inventory as plain dictionaries, lists, strings and finite numbers."""
    return {
        "schema": SCHEMA_VERSION,
        "program": {"name": "sitemap", "version": VERSION},
        "submission": site.submission,
        "site": site.name,
        "crs": _crs(site.crs),
        "crs_reason": site.crs_reason,
        "datums": {name: sorted(of) for name, of in sorted(_datums(site).items())},
        "datasets": [_dataset_dict(site, layer) for _, layer in _ordered(site)],
        "rasters": [_raster_dict(site, raster) for raster in site.rasters],
        "unreadable": [
            {"file": u.file, "layer": u.layer, "kind": u.kind, "reason": u.reason}
            for u in site.unreadable
        ],
        "ignored": list(site.ignored),
    }


def _crs(crs: Any) -> JsonDict | None:
    if crs is None:
        return None
    unit = linear_unit(crs)
    return {
        "name": crs.name,
        "code": crs_code(crs),
        "datum": datum_name(crs),
        "unit": unit.symbol if unit else "degree" if crs.is_geographic else None,
    }


def _shared(
    site: Site, crs: Any, provenance: Provenance, choice: RoleChoice, odd: tuple[Oddity, ...]
) -> JsonDict:
    moved = site.transformations.get(f"{provenance.file}:{provenance.layer}")
    moved = moved or site.transformations.get(provenance.file)
    return {
        "file": provenance.file,
        "layer": provenance.layer,
        "driver": provenance.driver,
        "sha256": provenance.sha256,
        "role": choice.role,
        "reason": choice.reason,
        "named": choice.named,
        "crs": _crs(crs),
        "crs_how": provenance.crs_how,
        "transformation": None if moved is None else str(moved),
        "oddities": [{"kind": o.kind, "message": o.message, "feature": o.feature} for o in odd],
    }


def _dataset_dict(site: Site, layer: Layer) -> JsonDict:
    provenance = layer.provenance
    geometries = layer.frame.geometry.to_numpy()
    bounds = finite_bounds(geometries)
    odd = (*provenance.oddities, *_ring_faults(layer))
    return {
        **_shared(site, layer.crs, provenance, layer.choice, odd),
        "companions": list(provenance.companions),
        "encoding": provenance.encoding,
        "encoding_how": provenance.encoding_how,
        "features_read": provenance.features_read,
        "features_null": provenance.features_null,
        "features_lost": provenance.features_lost,
        "geometry": geometry_types(geometries),
        "bounds": None if bounds is None else list(bounds),
        "fields": dict(layer.choice.field_map),
        "other_columns": _other_columns(layer),
        "units": dict(layer.units),
    }


def _raster_dict(site: Site, raster: Raster) -> JsonDict:
    nodata = raster.nodata
    if nodata is not None and not math.isfinite(nodata):
        nodata = None  # JSON has no infinity; the oddity nodata_odd says it
    return {
        **_shared(site, raster.crs, raster.provenance, raster.choice, raster.provenance.oddities),
        "width": raster.width,
        "height": raster.height,
        "bounds": list(raster.bounds),
        "cell_size": list(raster.cell_size),
        "dtype": raster.dtype,
        "bands": raster.bands,
        "nodata": nodata,
        "vertical_unit": raster.vertical_unit,
        "vertical_datum": raster.vertical_datum,
    }
