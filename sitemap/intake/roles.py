"""Which role a dataset serves, and why: public schema, then names, then geometry and fields.

Nothing is guessed: where the evidence fits two roles, the role is None and the reason names both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sitemap.catalogue import Catalogue, LayerSpec
from sitemap.column_names import name_words
from sitemap.intake.fields import (
    FieldMatch,
    canonical_value,
    map_fields,
    unit_in_name,
)
from sitemap.intake.role_evidence import (
    KIND_PLURALS,
    Dataset,
    SchemaHit,
    Values,
    column_values,
    kinds_of,
    level_step,
    schema_hits,
)
from sitemap.intake.role_names import (
    FORM_WORDS,
    NameHit,
    dataset_names,
    folder_status,
    name_hits,
    said_past,
    said_words,
    says_contour,
)
from sitemap.layer import RoleChoice

__all__ = [
    "FieldMatch",
    "canonical_value",
    "choose_role",
    "map_fields",
    "named_role",
    "type_in_name",
    "unit_in_name",
]

_NAME_IT = "name the role in site.toml"
_ENOUGH_FIELDS = 2  # telling columns that speak for a role without a name


def choose_role(
    file: str,
    layer: str,
    columns: Sequence[str],
    geometry_kinds: Iterable[str],
    catalogue: Catalogue,
    values: Values | None = None,
) -> RoleChoice:
    """Infer the role of a dataset from what it is, not from where the site is.

    geometry_kinds: point, line, polygon, raster, tin (or GDAL's names); empty when unknown.
    values: columns with their values, where read; they tell levels and codes apart. The reason
    is a plain sentence, also where the role is None.
    """
    kinds = kinds_of(geometry_kinds)
    data = Dataset(str(file), layer, tuple(map(str, columns)), kinds, catalogue, values)
    hits = _ranked(name_hits(data.file, data.layer, catalogue, data), data)
    schemas = schema_hits(data)
    if schemas:
        return _still_there(_by_schema(schemas, hits, data), hits, data)
    if hits:
        return _still_there(_by_name(hits, data), hits, data)
    return _contours(data) or _by_fields(data) or RoleChoice(None, _nothing_known(data))


def _still_there(choice: RoleChoice, hits: list[NameHit], data: Dataset) -> RoleChoice:
    """The choice, but for features whose own name says that they are gone: historic wetlands."""
    for hit in hits:
        past = said_past(hit, data.file, data.layer)
        if past and hit.spec is not None and hit.spec.role == choice.role:
            words = (
                f"{hit.where} says {past!r} beside {hit.shown!r}: what it shows is no longer "
                f"there; where it is, name the role {choice.role} in site.toml"
            )
            return RoleChoice(None, words)
    return choice


def named_role(
    role: str,
    columns: Sequence[str],
    catalogue: Catalogue,
    overrides: Mapping[str, str] | None = None,
) -> RoleChoice:
    """The choice for a dataset whose role site.toml names."""
    match = map_fields(columns, catalogue[role], overrides)
    return RoleChoice(role, "named in site.toml", named=True, field_map=match.field_map)


def type_in_name(file: str, layer: str, spec: LayerSpec) -> str | None:
    """The type that a name states for all its features: silt_fence.shp, C-EROS-SILT -> SF."""
    for _, name in dataset_names(str(file), layer):
        words = name_words(name)
        found: dict[str, frozenset[str]] = {}
        for key, entry in spec.types.items():
            named = [said_words(words, w) for w in (key, entry.name, *entry.aliases)]
            if any(named):
                found[key] = max(named, key=len)
        most = max(map(len, found.values()), default=0)
        best = [key for key, said in found.items() if len(said) == most]
        if len(best) == 1 and not (spec.type_field == "kind" and _said_beside(found, best[0])):
            return best[0]
        if drawn := _type_of_cad_layer(name, spec):
            return drawn
    return None


def _said_beside(found: Mapping[str, frozenset[str]], best: str) -> bool:
    """True where words of their own say another kind: storm_inlets_and_manholes holds both."""
    return any(said.isdisjoint(found[best]) for said in found.values())


def _type_of_cad_layer(name: str, spec: LayerSpec) -> str | None:
    """The type whose own CAD layer this is, or begins as: C-EROS-SILT-N is new silt fence."""
    fits = [
        (len(entry.cad_layer), key)
        for key, entry in spec.types.items()
        if entry.cad_layer and f"{name.upper()}-".startswith(f"{entry.cad_layer}-")
    ]
    longest = max((length for length, _ in fits), default=0)
    best = [key for length, key in fits if length == longest]
    return best[0] if len(best) == 1 else None


def _ranked(hits: list[NameHit], data: Dataset) -> list[NameHit]:
    """The hits of equal and greatest weight: words of the name, then geometry, then columns.

    Of two phrases in the same words the longer one is meant: "erosion mat", not "erosion".
    """
    longest: dict[frozenset[str], int] = {}
    for hit in hits:
        longest[hit.words] = max(longest.get(hit.words, 0), len(hit.phrase))
    hits = [hit for hit in hits if len(hit.phrase) == longest[hit.words]]

    def weight(hit: NameHit) -> tuple[int, bool, int]:
        spec = hit.spec or hit.stranger
        fits = spec is not None and data.fits(spec)
        return len(hit.words), fits, _required_found(hit.spec, data)

    top = max(map(weight, hits), default=None)
    return [hit for hit in hits if weight(hit) == top]


def _required_found(spec: LayerSpec | None, data: Dataset) -> int:
    if spec is None:
        return 0
    found = map_fields(data.columns, spec).field_map
    return sum(field.required and name in found for name, field in spec.fields.items())


def _by_schema(schemas: list[SchemaHit], hits: list[NameHit], data: Dataset) -> RoleChoice:
    """The schema decides; a name that says another role makes two, and then a person decides."""
    hits = [hit for hit in hits if hit.spec is not None and hit.phrase not in FORM_WORDS]
    said = {hit.spec.role for hit in hits if hit.spec is not None and data.fits(hit.spec)}
    best = next((s for s in schemas if s.spec is not None and s.spec.role in said), schemas[0])
    if best.spec is None:
        reason = getattr(best.schema, "reason", "")
        return RoleChoice(None, _told(data.shape_words, f"{best.words}: serves no role, {reason}"))
    if said and best.spec.role not in said:
        other = _either(sorted(said))
        words = f"{_name_words_of(hits[0])}, so {other}; but {best.words}, so {best.spec.role}"
        return RoleChoice(None, _told(words, _NAME_IT))
    match = map_fields(data.columns, best.spec, schema_fields=getattr(best.schema, "fields", None))
    named = _name_words_of(hits[0]) if best.spec.role in said else ""
    reason = _told(named, data.shape_words, best.words)
    return RoleChoice(best.spec.role, reason, field_map=match.field_map)


def _by_name(hits: list[NameHit], data: Dataset) -> RoleChoice:
    """One role said by the name; None when two are said equally, or a known stranger is."""
    first = hits[0]
    if len(hits) > 1:
        phrases = " and ".join(dict.fromkeys(repr(hit.shown) for hit in hits))
        roles = [hit.spec.role if hit.spec else _stranger_name(hit) for hit in hits]
        words = f"{first.where} says {phrases}, so it can be {_either(roles)}"
        return RoleChoice(None, _told(words, _NAME_IT))
    spec = first.spec
    if spec is None:
        reason = first.stranger.reason if first.stranger else ""
        words = f"{_name_words_of(first)} ({_stranger_name(first)}): serves no role, {reason}"
        return RoleChoice(None, words)
    match = map_fields(data.columns, spec)
    shape = data.shape_words
    if not data.fits(spec):
        accepted = " or ".join(KIND_PLURALS.get(kind, kind) for kind in spec.geometry)
        shape += f", although {spec.title!r} takes {accepted}"
    needed = [
        match.field_map[name]
        for name, field in spec.fields.items()
        if field.required and name in match.field_map
    ]
    reason = _told(_name_words_of(first), shape, f"column {', '.join(needed)}" if needed else "")
    return RoleChoice(spec.role, reason, field_map=match.field_map)


def _told(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _stranger_name(hit: NameHit) -> str:
    return hit.stranger.name if hit.stranger is not None else ""


def _name_words_of(hit: NameHit) -> str:
    return f"{hit.where} says {hit.shown!r}"


def _either(roles: Sequence[str]) -> str:
    return " or ".join(roles)


def _contours(data: Dataset) -> RoleChoice | None:
    """Lines that are contours by name or by their levels: existing or proposed only if said."""
    pair = [spec for spec in data.catalogue.specs if spec.status and "elevation" in spec.fields]
    if not pair or not data.fits(pair[0]):
        return None
    named = any(says_contour(name_words(name)) for _, name in dataset_names(data.file, data.layer))
    match = map_fields(data.columns, pair[0])
    column = match.field_map.get("elevation")
    step = level_step(column_values(data, column)) if column else None
    if not named and (column is None or (step is None and data.values is not None)):
        return None
    evidence = "name says contours" if named else "lines with elevations"
    if column:
        evidence += f"; column {column}"
    if step is not None:
        evidence += f" in steps of {step:g}"
    status = folder_status(data.file)
    told = [spec for spec in pair if status is not None and spec.status == status[0]]
    if named and len(told) == 1 and status is not None:
        fields = map_fields(data.columns, told[0]).field_map
        words = f"{evidence}; folder {status[1]!r} says {told[0].status}"
        return RoleChoice(told[0].role, words, field_map=fields)
    either = _either([spec.role for spec in pair])
    words = f"{evidence}, but nothing says existing or proposed, so it can be {either}"
    return RoleChoice(None, _told(words, _NAME_IT))


def _by_fields(data: Dataset) -> RoleChoice | None:
    """A role that alone owns two or more of the columns, when no name says anything."""
    told: dict[str, list[str]] = {}
    owners = {
        spec.role: _columns_of(spec, data) for spec in data.catalogue.specs if data.fits(spec)
    }
    for role, columns in owners.items():
        others = {column for other, known in owners.items() if other != role for column in known}
        own = [column for column in columns if column not in others]
        if len(own) >= _ENOUGH_FIELDS:
            told[role] = own
    if len(told) != 1:
        return None
    (role, own), *_ = told.items()
    match = map_fields(data.columns, data.catalogue[role])
    reason = _told(data.shape_words, f"columns {', '.join(own)} are those of {role} alone")
    return RoleChoice(role, reason, field_map=match.field_map)


def _columns_of(spec: LayerSpec, data: Dataset) -> list[str]:
    found = map_fields(data.columns, spec).field_map
    return [column for name, column in found.items() if spec.fields[name].tells_role]


def _nothing_known(data: Dataset) -> str:
    if not data.columns:
        fields = "has no columns" if data.kinds != ("raster",) else "is a raster"
        return f"its name says no role and it {fields}"
    shown = ", ".join(data.columns[:4]) + (" ..." if len(data.columns) > 4 else "")
    return _told(f"neither its name nor its columns ({shown}) say a role", data.shape_words)
