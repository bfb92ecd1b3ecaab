"""SUB009: a role's table lacks a field without which it says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.finding import Quantity
from sitemap.intake.roles import map_fields
from sitemap.layer import SOURCE_FILE, SOURCE_LAYER, Layer
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

COLUMNS_SHOWN = 12
JUDGED_PER_FEATURE = {"elevation"}  # CON003 names each contour whose value is missing


@rule("SUB009", clauses=("map",))
def required_field_missing(site: Site) -> Iterator[Said]:
    """The map has a layer that lacks a field which its role requires.

    Why
        Contours without elevations have no interval; controls without a type are marks without a
        meaning. A field under a name that nobody recognised is as good as missing.

    How it is measured
        The fields that layers/<role>.toml requires are looked for in each dataset under their
        name, their aliases and the ten-character cuts that shapefiles make of them. A field that
        reading took from elsewhere (elevation from Z, type from the file's name) is not missing.
        A column that is there and holds no value at all is. Two columns that claim one field are
        named; none is taken.

    When it does not apply
        To datasets without a record (SUB004) and those that serve no role.

    How to fix
        Add the column, or say in site.toml which column it is:
        [layers] <role> = { path = "...", fields = { elevation = "CONTOUR_EL" } }.

    References
        § 162-11B(4); NYC planimetrics issue 15: hand-shortened names of 15 fields.
    """
    looked_at = 0
    layers = [layer for layer in site.datasets if layer.spec is not None and len(layer.frame)]
    for layer in layers:
        spec = layer.spec
        assert spec is not None  # chosen so above
        for name in (name for name, field in spec.fields.items() if field.required):
            looked_at += 1
            if name in layer.choice.field_map:
                if name not in JUDGED_PER_FEATURE and not _held(site, layer, name):
                    yield _hollow(site, layer, spec, name)
            elif not _held(site, layer, name):
                yield _missing(site, layer, spec, name)
    if not looked_at:
        yield NotApplicable("no dataset serves a role that requires a field")
        return
    yield Checked(f"{looked_at} required fields in {len(layers)} datasets", looked_at)


def _held(site: Site, layer: Layer, name: str) -> bool:
    """True when any record of the dataset has a value of the field after reading."""
    merged = site.role(layer.role or "")
    if merged is not None and layer in merged.members and name in merged.frame.columns:
        own = (merged.frame[SOURCE_FILE] == layer.provenance.file).to_numpy() & (
            merged.frame[SOURCE_LAYER] == layer.provenance.layer
        ).to_numpy()
        return bool(np.any(merged.frame[name].notna().to_numpy() & own))
    shapes = layer.shapes
    if name == "elevation" and shapely.has_z(shapes).any():
        return True  # reading takes it from there once the dataset is on the map
    column = layer.choice.field_map.get(name)
    return column in layer.frame.columns and bool(layer.frame[column].notna().any())


def _missing(site: Site, layer: Layer, spec: LayerSpec, name: str) -> Fault:
    other = {layer.frame.geometry.name, *layer.choice.field_map.values()}
    columns = [
        str(column)
        for column in layer.frame.columns
        if column not in other and not str(column).startswith("_")
    ]
    match = map_fields(columns, spec)
    rivals, near = match.collisions.get(name, ()), match.nearest.get(name, ())
    if rivals:
        why = f"{' and '.join(rivals)} both claim it"
    elif near:
        why = f"the nearest names are {', '.join(near)}"
    elif columns:
        more = " ..." if len(columns) > COLUMNS_SHOWN else ""
        why = f"the other columns are {', '.join(columns[:COLUMNS_SHOWN])}{more}"
    else:
        why = "there are no other columns"
    example = (*rivals, *near, "YOUR_COLUMN")[0]
    return _fault(
        site,
        layer,
        spec,
        name,
        f"has no field for {spec.fields[name].title.lower()}; {why}",
        example,
    )


def _hollow(site: Site, layer: Layer, spec: LayerSpec, name: str) -> Fault:
    column = layer.choice.field_map[name]
    words = (
        f"has no value of {spec.fields[name].title.lower()}: column {column} is empty in all "
        f"{len(layer.frame)} records"
    )
    return _fault(site, layer, spec, name, words, "YOUR_COLUMN")


def _fault(site: Site, layer: Layer, spec: LayerSpec, name: str, words: str, example: str) -> Fault:
    return Fault(
        f"{dataset_words(layer.provenance)} ({spec.title.lower()}) {words}",
        f"add the column {name}, or name it "
        + in_site_toml(site, layer.provenance, spec.role, f'fields = {{ {name} = "{example}" }}'),
        measured=Quantity(len(layer.frame), "records"),
        role=spec.role,
        source=dataset_source(layer.provenance),
        field_name=name,
        distinct=f"{dataset_words(layer.provenance)} {name}",
    )
