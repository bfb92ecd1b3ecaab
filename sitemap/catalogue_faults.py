"""Faults of the layer catalogue that its schema cannot see. lint_catalogue is the door.

Each fault is one line, "file: key: what is wrong and what is allowed".
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from sitemap.catalogue import (
    ROLE_ORDER,
    Catalogue,
    FieldSpec,
    LayerSpec,
    Symbol,
    load_catalogue,
)
from sitemap.column_names import cuts, name_words, plain_name

# The clause ids of the base pack that a role may serve: "map" is the sentence itself.
CLAUSE_IDS = frozenset(
    ["map", "scale", "contours", *"abcdefghij"]
    + [f"3{letter}" for letter in "abcdefgh"]
    + [f"5{letter}" for letter in "abcdefghijkl"]
    + ["6", *(f"9c1{letter}" for letter in "abcdefghi"), "9c2a", "9c3c", "9c4"]
)
UNITS = ("ft", "in", "acres", "sq ft", "pct", "deg", "days", "years", "none")
NUMBER_TYPES = ("number", "integer")
_INK = re.compile(r"#[0-9a-f]{6}")
# National CAD Standard: discipline, major group, up to two minor groups, status
_CAD_LAYER = re.compile(r"[A-Z]{1,2}-[A-Z]{4}(-[A-Z0-9]{4}){0,2}(-[ADEFMNTX1-9])?")


def lint_catalogue(folder: Path | None = None) -> list[str]:
    """Faults that the schema cannot see, each as "file: key: what is wrong"; empty when sound."""
    catalogue = load_catalogue(folder)
    wanted = ROLE_ORDER if folder is None else ()
    missing = [role for role in wanted if role not in catalogue]
    return [f"{role}.toml: missing from the catalogue" for role in missing] + _faults(catalogue)


def _faults(catalogue: Catalogue) -> list[str]:
    """Every fault of a catalogue that its schema accepts; empty when it is sound."""
    faults = [fault for spec in catalogue.specs for fault in _spec_faults(spec)]
    return faults + list(_shared_names(catalogue))


def _spec_faults(spec: LayerSpec) -> Iterator[str]:
    file = f"{spec.role}.toml"
    for item in spec.items:
        if item not in CLAUSE_IDS:
            yield f"{file}: items: found {item!r}; allowed: {', '.join(sorted(CLAUSE_IDS))}"
    if not spec.items and not spec.pictures:  # no clause asks for a picture
        yield f'{file}: items: empty; name at least one clause id, such as "a"'
    if not spec.geometry:
        yield f"{file}: geometry: empty; allowed: point, line, polygon, raster, tin"
    for key in ("title", "description", "legend"):
        if not getattr(spec, key).strip():
            yield f"{file}: {key}: empty; it is printed and must say something"
    if spec.id_field is not None and spec.id_field not in spec.fields:
        yield f"{file}: id_field: {spec.id_field!r} is none of the fields: {_listed(spec.fields)}"
    for name, field in spec.fields.items():
        yield from (f"{file}: fields.{name}.{fault}" for fault in _field_faults(field))
        if not (spec.types and name == spec.type_field):  # its words are judged with the types
            yield from (f"{file}: fields.{name}.values: {fault}" for fault in _word_faults(field))
    yield from (f"{file}: {fault}" for fault in _alias_faults(spec))
    yield from (f"{file}: {fault}" for fault in _pattern_faults(spec))
    yield from (f"{file}: {fault}" for fault in _cad_faults(spec))
    yield from (f"{file}: {fault}" for fault in _schema_faults(spec))
    yield from (f"{file}: symbol{fault}" for fault in _symbol_faults(spec, spec.symbol))
    yield from (f"{file}: {fault}" for fault in _type_faults(spec))


def _field_faults(field: FieldSpec) -> Iterator[str]:
    if field.type in NUMBER_TYPES and field.unit is None:
        yield f"unit: missing; a number says its unit, one of: {', '.join(UNITS)}"
    if field.unit is not None and field.unit not in UNITS:
        yield f"unit: found {field.unit!r}; allowed: {', '.join(UNITS)}"
    if field.unit is not None and field.type not in NUMBER_TYPES:
        yield f"unit: found {field.unit!r}, but a field of type {field.type} has no unit"


def _word_faults(field: FieldSpec) -> Iterator[str]:
    for value in field.values if field.domain else ():
        if value not in field.domain:
            yield f"{value!r} is not in the domain: {', '.join(field.domain)}"
    words: dict[str, str] = {plain_name(value): value for value in field.domain}
    for value, aliases in field.values.items():
        for alias in (value, *aliases):
            owner = words.setdefault(plain_name(alias), value)
            if owner != value:
                yield f"{alias!r} stands for two values, {owner!r} and {value!r}"


def _alias_faults(spec: LayerSpec) -> Iterator[str]:
    """Aliases that two fields of the role share, whole or when cut to ten characters."""
    whole: dict[str, str] = {}
    shortened: dict[str, str] = {}
    for name, field in spec.fields.items():
        for alias in dict.fromkeys((name, *field.aliases)):
            owner = whole.setdefault(plain_name(alias), name)
            if owner != name:
                yield f"fields.{name}.aliases: {alias!r} is also a name of the field {owner!r}"
            for cut in cuts(alias):
                owner = shortened.setdefault(cut, name)
                if owner != name:
                    yield (
                        f"fields.{name}.aliases: {alias!r} is {cut!r} when cut to ten characters, "
                        f"as is a name of the field {owner!r}"
                    )
    for cut, name in shortened.items():
        owner = whole.get(cut, name)
        if owner != name:
            yield f"fields.{name}.aliases: one is cut to {cut!r}, a name of the field {owner!r}"


def _pattern_faults(spec: LayerSpec) -> Iterator[str]:
    for number, pattern in enumerate(spec.cad_layers):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"cad_layers.{number}: {pattern!r} is not a regular expression: {error}"
    for key in ("file_names", "not_names"):
        names: tuple[str, ...] = getattr(spec, key)
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{key}: {name!r} stands there twice"
        for name in names:
            if not name_words(name):
                yield f"{key}: {name!r} holds no word"
    if not spec.file_names:
        yield "file_names: empty; give the words that a file of this role is named by"


def _cad_faults(spec: LayerSpec) -> Iterator[str]:
    """Layer names of a DXF: formed by the standard, and known again when the DXF is read."""
    named = {key: entry.cad_layer for key, entry in spec.types.items() if entry.symbol}
    named = {f"types.{key}.cad_layer": name for key, name in named.items()}
    if spec.symbol.index_weight_pt is not None or spec.cad_index_layer:
        named["cad_index_layer"] = spec.cad_index_layer
    if not spec.cad_layer and not any(named.values()):
        return
    owners: dict[str, str] = {}
    for key, name in {"cad_layer": spec.cad_layer, **named}.items():
        if not _CAD_LAYER.fullmatch(name):
            yield f"{key}: found {name!r}; must be a layer name such as C-EROS-SILT or V-TOPO-MAJR"
        elif owners.setdefault(name, key) != key:
            yield f"{key}: {name!r} is also {owners[name]}; each symbol has a layer of its own"
        elif not any(_fits(pattern, name) for pattern in spec.cad_layers):
            yield f"{key}: {name!r} fits none of cad_layers, so it would not be known when read"


def _fits(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name, re.IGNORECASE) is not None
    except re.error:  # a fault of its own
        return True


def _schema_faults(spec: LayerSpec) -> Iterator[str]:
    for number, schema in enumerate(spec.schemas):
        if not schema.recognise:
            yield f"schemas.{number}.recognise: empty; every dataset would be taken for it"
        for canonical in schema.fields:
            if canonical not in spec.fields:
                yield (
                    f"schemas.{number}.fields: {canonical!r} is none of the fields: "
                    f"{_listed(spec.fields)}"
                )


def _symbol_faults(spec: LayerSpec, symbol: Symbol) -> Iterator[str]:
    inks = {"ink": symbol.ink, "fill": symbol.fill}
    if symbol.hatch is not None:
        inks["hatch.ink"] = symbol.hatch.ink
        if symbol.hatch.spacing_in <= 0 or symbol.hatch.weight_pt <= 0:
            yield ".hatch: spacing_in and weight_pt must be greater than 0"
    for key, ink in inks.items():
        if ink is not None and not _INK.fullmatch(ink):
            yield f".{key}: found {ink!r}; must be # and six hexadecimal digits in lower case"
    if symbol.weight_pt <= 0:
        yield f".weight_pt: found {symbol.weight_pt:g}; must be greater than 0"
    if not 0 <= symbol.fill_alpha <= 1:
        yield f".fill_alpha: found {symbol.fill_alpha:g}; must be from 0 to 1"
    if any(length <= 0 for length in symbol.dash_pt) or len(symbol.dash_pt) % 2:
        yield f".dash_pt: found {list(symbol.dash_pt)}; must be pairs of lengths above 0: on, off"
    if symbol.marker == "letters" and not symbol.letters:
        yield '.letters: missing; marker = "letters" needs one to three of them'
    try:
        named = [name for _, name, _, _ in string.Formatter().parse(symbol.label) if name]
    except ValueError as error:
        yield f".label: {symbol.label!r} is not a template: {error}"
        return
    for name in named:
        if name not in spec.fields:
            yield f".label: {{{name}}} is none of the fields: {_listed(spec.fields)}"


def _type_faults(spec: LayerSpec) -> Iterator[str]:
    if spec.types and spec.type_field not in spec.fields:
        yield f"type_field: {spec.type_field!r} is none of the fields: {_listed(spec.fields)}"
    if spec.closed_types and not spec.types:
        yield "closed_types: true, but there are no types"
    owners: dict[str, str] = {}
    for key, entry in spec.types.items():
        for alias in dict.fromkeys(plain_name(word) for word in (key, entry.name, *entry.aliases)):
            owner = owners.setdefault(alias, key)
            if owner != key:
                yield f"types.{key}.aliases: {alias!r} also means the type {owner!r}"
        if not entry.legend.strip():
            yield f"types.{key}.legend: empty; it is printed in the legend"
        for kind in entry.geometry:
            if kind not in spec.geometry:
                yield (
                    f"types.{key}.geometry: {kind!r} is not among the role's: "
                    f"{', '.join(spec.geometry)}"
                )
        if entry.symbol is not None:
            for fault in _symbol_faults(spec, entry.symbol):
                yield f"types.{key}.symbol{fault}"


def _shared_names(catalogue: Catalogue) -> Iterator[str]:
    """File names that two roles claim: such a file would never find its role."""
    claims: dict[frozenset[str], list[str]] = defaultdict(list)
    for spec in catalogue.specs:
        for name in spec.file_names:
            claims[frozenset(name_words(name))].append(f"{spec.role}.toml: file_names: {name!r}")
    for stranger in catalogue.strangers:
        for name in stranger.file_names:
            claims[frozenset(name_words(name))].append(f"no_role.toml: file_names: {name!r}")
    for claimed in claims.values():
        files = {claim.split(":")[0] for claim in claimed}
        if len(files) > 1:
            yield f"{claimed[0]} is also in {', '.join(sorted(files - {claimed[0].split(':')[0]}))}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "(there are none)"
