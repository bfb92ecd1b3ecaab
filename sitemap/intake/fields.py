"""The user's columns and words -> canonical fields and values of a role. Reports, never guesses."""

from __future__ import annotations

import difflib
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sitemap.catalogue import LayerSpec
from sitemap.column_names import counts_a_coverage, is_id_like, plain_name, same_name

_NEAR_ENOUGH = 0.6  # difflib's own default: less than this is no likeness
_NEAREST = 3
_STANDARD_NUMBER = re.compile(r"(?<!\d)(\d{3,4})(?!\d)")


@dataclass(frozen=True)
class FieldMatch:
    """Which column stands behind each canonical field, and what could not be decided.

    collisions: canonical field -> the columns that all claim it (none of them is taken).
    nearest: required fields (and named columns) that were not found -> columns most like them,
    best first; an empty tuple where nothing is like it.
    absent: canonical field -> the column that site.toml names and that is not there.
    """

    field_map: dict[str, str] = field(default_factory=dict)
    collisions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    nearest: dict[str, tuple[str, ...]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)


def map_fields(
    columns: Sequence[str],
    spec: LayerSpec,
    overrides: Mapping[str, str] | None = None,
    *,
    schema_fields: Mapping[str, str] | None = None,
) -> FieldMatch:
    """Find the column of every canonical field of a role.

    overrides (canonical -> column, from site.toml) are taken as they are; schema_fields come next
    (left out: those of the role's public schema whose columns are all there); then names,
    forgiving case, blanks, signs, a _1 suffix and cuts to ten characters. Two columns that claim
    one field are a collision. A number is never taken from an id, nor from a length or area that
    software keeps.
    """
    if schema_fields is None:
        schema_fields = _schema_fields(columns, spec)
    taken: dict[str, str] = {}
    absent: dict[str, str] = {}
    for canonical, wanted in (overrides or {}).items():
        column = find_column(columns, wanted)
        if column is None:
            absent[canonical] = wanted
        else:
            taken[canonical] = column
    for canonical, wanted in schema_fields.items():
        column = find_column(columns, wanted)
        if column is not None and canonical not in taken and canonical not in absent:
            taken[canonical] = column
    claims = _claims(columns, spec, set(taken.values()))
    decided = {*taken, *absent}
    single = {name: cols[0] for name, cols in claims.items() if len(cols) == 1}
    collisions = {
        name: tuple(cols) for name, cols in claims.items() if len(cols) > 1 and name not in decided
    }
    field_map = {n: (single | taken)[n] for n in spec.fields if n in taken or n in single}
    for name in absent:
        field_map.pop(name, None)
    nearest = {
        name: nearest_columns(columns, spec, name)
        for name, known in spec.fields.items()
        if known.required and name not in field_map and name not in collisions
    }
    for name, wanted in absent.items():
        nearest[name] = _most_like(columns, [wanted])
    return FieldMatch(field_map, collisions, nearest, absent)


def _schema_fields(columns: Sequence[str], spec: LayerSpec) -> Mapping[str, str]:
    for schema in spec.schemas:
        if all(find_column(columns, wanted) is not None for wanted in schema.recognise):
            return schema.fields
    return {}


def find_column(columns: Sequence[str], wanted: str) -> str | None:
    """The column with this name: exactly, else in plain form, else cut or suffixed, if only one."""
    ways: tuple[Callable[[str], bool], ...] = (
        lambda column: column == wanted,
        lambda column: column.strip().casefold() == wanted.strip().casefold(),
        lambda column: plain_name(column) == plain_name(wanted),
        lambda column: same_name(column, wanted),
    )
    for way in ways:
        close = [column for column in columns if way(column)]
        if close:
            return close[0] if len(close) == 1 else None
    return None


def nearest_columns(columns: Sequence[str], spec: LayerSpec, canonical: str) -> tuple[str, ...]:
    """Columns whose names are most like those of a field, best first; ids never for numbers."""
    known = spec.fields[canonical]
    usable = [c for c in columns if not (known.type == "number" and is_id_like(c))]
    return _most_like(usable, [canonical, *known.aliases])


def _most_like(columns: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    plain = [plain_name(name) for name in names]
    likeness = {
        column: max(difflib.SequenceMatcher(None, plain_name(column), n).ratio() for n in plain)
        for column in columns
        if plain_name(column)
    }
    near = [column for column, ratio in likeness.items() if ratio >= _NEAR_ENOUGH]
    return tuple(sorted(near, key=lambda column: -likeness[column])[:_NEAREST])


def _claims(columns: Sequence[str], spec: LayerSpec, used: set[str]) -> dict[str, list[str]]:
    """Canonical field -> the columns whose best match it is."""
    claims: dict[str, list[str]] = defaultdict(list)
    for column in columns:
        if column in used or column.startswith("_") or counts_a_coverage(column, columns):
            continue
        strengths = {name: _strength(column, spec, name) for name in spec.fields}
        best = max(strengths.values(), default=0)
        owners = [name for name, strength in strengths.items() if strength == best]
        if best and len(owners) == 1:  # a short cut that fits two fields claims neither
            claims[owners[0]].append(column)
    return dict(claims)


def _strength(column: str, spec: LayerSpec, name: str) -> int:
    """2 for the field's name or an alias, 1 for a cut or suffixed form of one, else 0."""
    known = spec.fields[name]
    if known.type in ("number", "integer") and is_id_like(column):
        return 0
    names = (name, *known.aliases)
    if plain_name(column) in {plain_name(n) for n in names}:
        return 2
    return int(any(same_name(column, n) for n in names))


@lru_cache(maxsize=256)
def _vocabulary(spec_role: str, words: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    known: dict[str, str] = {}
    for canonical, aliases in words:
        for word in (canonical, *aliases):
            known.setdefault(plain_name(word), canonical)
    return known


def canonical_value(spec: LayerSpec, name: str, value: object) -> str | None:
    """The canonical word of a field for a user's word: 'Silt Fence (WDNR 1056)' -> 'SF'.

    None where the field has no such word, or no vocabulary. Case, blanks and signs are
    forgiven; codes kept as numbers (460.0) are read as codes; a remark in brackets is left out;
    one known standard number decides where the words do not.
    """
    known_field = spec.fields.get(name)
    if known_field is None or value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    listed = {word: known_field.values.get(word, ()) for word in known_field.domain}
    words = _vocabulary(spec.role, tuple((listed | known_field.values).items()))
    if not words:
        return None
    text = f"{value:g}" if isinstance(value, float) else str(value)
    without_remark = re.sub(r"[(\[].*?[)\]]", "", text)
    for form in (text, without_remark):
        found = words.get(plain_name(form))
        if found is not None:
            return found
    numbers = {words[n] for n in _STANDARD_NUMBER.findall(text) if n in words}
    return numbers.pop() if len(numbers) == 1 else None


def unit_in_name(column: str) -> str | None:
    """'ft' or 'm' where a column's name ends with its unit (ELEV_FT, Elevation (m)), else None."""
    words = re.findall(r"[a-z]+", column.strip().lower())
    if len(words) < 2:
        return None
    return {"ft": "ft", "feet": "ft", "foot": "ft", "m": "m", "meters": "m", "metres": "m"}.get(
        words[-1]
    )
