"""SUB010: a word that the field's vocabulary does not have."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import GeometryCollection

from sitemap.catalogue import LayerSpec
from sitemap.column_names import plain_name
from sitemap.finding import Quantity, Severity
from sitemap.measures.records import record_numbers, record_words, sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site

JUDGED_ELSEWHERE = {("controls", "type")}  # BMP001
SHOWN = 12  # words of a vocabulary in a message


@rule("SUB010", clauses=("map",))
def value_outside_vocabulary(site: Site) -> Iterator[Said]:
    """The map has a value outside its field's vocabulary.

    Why
        A flood zone "AEE" is drawn as nothing and counted as nothing; an activity nobody knows has
        no symbol and no control asked for it.

    How it is measured
        The fields of layers/<role>.toml with a closed vocabulary. Every value is first looked for
        under the canonical words and their aliases, case, blanks, signs and remarks in brackets
        forgiven; what remains is found, one finding per dataset, field and value, with the words
        most like it. Warning; error where no value of a required field is known, since then the
        layer says nothing.

    When it does not apply
        To fields without a value (SUB009), fields with an open vocabulary, and the type of
        controls (BMP001).

    How to fix
        Write one of the words named, or add the user's word as an alias in layers/<role>.toml.

    References
        § 162-11B(4); labs-zola issue 359 (flood zones); layers/README.md.
    """
    looked_at = 0
    for role, layer in site.layers.items():
        spec = site.catalogue[role]
        for name, words in _vocabularies(spec).items():
            values = layer.frame[name].to_numpy(dtype=object)
            there = layer.frame[name].notna().to_numpy()
            looked_at += int(there.sum())
            unknown = there & ~np.isin(values.astype(str), list(words))
            if unknown.any():
                yield from _faults(spec, layer, name, unknown, bool((there & ~unknown).any()))
    if not looked_at:
        yield NotApplicable("no layer has a value in a field with a closed vocabulary")
        return
    yield Checked(f"{looked_at} values of closed vocabularies", looked_at)


def _vocabularies(spec: LayerSpec) -> dict[str, tuple[str, ...]]:
    """The canonical words of each closed field of a role."""
    return {
        name: field.domain
        for name, field in spec.fields.items()
        if field.domain and (spec.role, name) not in JUDGED_ELSEWHERE
    }


def _faults(
    spec: LayerSpec, layer: RoleLayer, name: str, unknown: np.ndarray, any_known: bool
) -> Iterator[Fault]:
    values = layer.frame[name].to_numpy(dtype=object)
    wholly_unknown = spec.fields[name].required and not any_known
    severity = Severity.ERROR if wholly_unknown else Severity.WARNING
    groups: dict[tuple[str, str], list[int]] = {}
    for row, owner in zip(
        np.flatnonzero(unknown).tolist(), sources(layer.frame[unknown]), strict=True
    ):
        place = f"{owner.file or ''}, layer {owner.layer}" if owner.layer else owner.file or ""
        groups.setdefault((place, str(values[row])), []).append(row)
    for (place, value), rows in groups.items():
        yield _fault(spec, layer, name, place, value, rows, severity)


def _fault(
    spec: LayerSpec,
    layer: RoleLayer,
    name: str,
    place: str,
    value: str,
    rows: list[int],
    severity: Severity,
) -> Fault:
    frame = layer.frame.iloc[rows]
    found = sources(frame)
    shapes = frame.geometry.to_numpy()
    shapes = shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))]
    near = _nearest(spec, name, value)
    if near:
        accepted = f"the nearest words are {', '.join(near)}"
    else:
        words = spec.fields[name].domain
        more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
        accepted = f"accepted are {', '.join(words[:SHOWN])}{more}"
    return Fault(
        f"{place} ({spec.title.lower()}): {value!r} is no known word of {name} "
        f"({record_words(record_numbers(frame))}); {accepted}",
        f"write {near[0] if near else 'one of these words'} in {name}, if that is meant",
        geometry=GeometryCollection(shapes.tolist()) if len(shapes) else None,
        measured=Quantity(len(rows), "features"),
        role=spec.role,
        source=found[0],
        related=tuple(found[1:]),
        field_name=name,
        severity=severity,
        distinct=f"{place} {name} {value}",
    )


def _nearest(spec: LayerSpec, name: str, value: str) -> list[str]:
    """Up to three canonical words one of whose forms is most like the value, best first."""
    field = spec.fields[name]
    forms: dict[str, str] = {}
    for word in field.domain:
        for form in (word, *field.values.get(word, ())):
            forms.setdefault(plain_name(form), word)
    close = difflib.get_close_matches(plain_name(value), list(forms), n=6)
    return list(dict.fromkeys(forms[form] for form in close))[:3]
