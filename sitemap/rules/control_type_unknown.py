"""BMP001: a control whose type nobody knows."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import shapely

from sitemap.catalogue import LayerSpec
from sitemap.column_names import plain_name
from sitemap.finding import Quantity
from sitemap.measures.records import record_numbers, record_words, sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site

MOST_NAMED = 3


@rule("BMP001", clauses=("e",), needs=("controls",))
def control_type_unknown(site: Site, controls: RoleLayer) -> Iterator[Said]:
    """The map has a control whose type is unknown or not given.

    Why
        A mark without a meaning protects nothing: whoever builds from the map must know whether
        a line is a silt fence or a diversion.

    How it is measured
        The type of each control against the vocabulary of layers/controls.toml (Wisconsin DNR
        standards, NRCS codes and their usual names); case, blanks, signs and remarks in brackets
        are forgiven. One finding per unknown word, with the types whose names are nearest, and
        one for controls without a type among others that have one.

    When it does not apply
        Where no control has any type: that the field is missing is SUB009's to say.

    How to fix
        Write the type's id or name (SF, silt fence), or add the word as an alias.

    References
        § 162-11B(4)(e), major structural and nonstructural controls; WDNR technical standards.
    """
    frame = controls.frame
    spec = site.catalogue["controls"]
    if frame["type"].isna().all():
        yield Skip("no control has a type: see SUB009")
        return
    words = frame["type"].where(frame["type"].notna(), "")
    unknown = [word for word in words.unique() if word not in spec.types]
    yield Checked(
        f"{len(frame)} controls of {words[words.isin(list(spec.types))].nunique()} known types",
        len(frame),
    )
    for word in unknown:
        rows = frame[words == word]
        where = sources(rows)
        shapes = rows.geometry.to_numpy()
        shapes = shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))]
        said = f"has the unknown type {word!r}" if word else "has no type"
        many = f"{len(rows)} controls" if len(rows) > 1 else "a control"
        said = said.replace("has", "have") if len(rows) > 1 else said
        yield Fault(
            f"{many} {said}: {record_words(record_numbers(rows))}{_nearest(spec, word)}",
            "write a type of layers/controls.toml, or add the word as an alias there",
            geometry=shapely.geometrycollections(shapes) if len(shapes) else None,
            measured=Quantity(len(rows), "controls"),
            role="controls",
            source=where[0],
            related=tuple(where[1:]),
            field_name="type",
            distinct=word or "no type",
        )


def _nearest(spec: LayerSpec, word: str) -> str:
    """The types whose id, name or alias is most like the word, in words; empty for none."""
    names = {
        plain_name(name): f"{key} ({kind.name.lower()})"
        for key, kind in spec.types.items()
        for name in (*kind.aliases, kind.name, key)
    }
    near = difflib.get_close_matches(plain_name(word), names, n=8, cutoff=0.55) if word else []
    found = list(dict.fromkeys(names[name] for name in near))[:MOST_NAMED]
    return f"; the nearest are {', '.join(found)}" if found else ""
