"""A Site -> the text of a commented site.toml: roles with their reasons, doubts commented out.

What it writes, load_project reads back; nothing in it is decided that the files do not say.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from sitemap.catalogue import LayerSpec
from sitemap.crs import crs_code, crs_label
from sitemap.intake.formats import ARCHIVES
from sitemap.intake.named import said_of
from sitemap.layer import Layer, Raster
from sitemap.project import LayerPath
from sitemap.site import Site

_WIDTH = 100


def propose_site_toml(site: Site, relative_to: Path | None = None) -> str:
    """The proposal as TOML text. relative_to: the folder it will be saved in.

    Without it, paths are as from the submission's own folder.
    """
    lines = [
        f"# Proposed by `sitemap init` from {_one_line(site.submission)}. Read it, correct it.",
        "# Lines that begin with # are left out; take the # away to use them.",
        "",
    ]
    lines += _project_lines(site)
    lines += _map_lines(site)
    prefix = _prefix(site, relative_to)
    lines += _layer_lines(site, prefix)
    lines += _none_lines(site)
    return "\n".join(lines) + "\n"


def _project_lines(site: Site) -> list[str]:
    """§ 162-11B(3): what only a person knows; what site.toml said already is kept."""
    facts = site.project.project
    wanted = {
        "name": "",
        "address": "",
        "owner": "name, address and telephone of the owner",
        "consultant": "",
        "contact": "",
        "start": "date of the first land disturbance, such as 2026-05-01",
        "end": "date of final stabilization",
        "receiving_water": "name of the first water that runoff reaches",
        "site_acres": "",
        "disturbed_acres": "",
    }
    lines = ["[project]  # section 162-11B(3): who, where, when"]
    for key, hint in wanted.items():
        value = getattr(facts, key)
        note = f"  # {hint}" if hint else ""
        if value is not None:
            lines.append(f"{key} = {_toml(value)}")
        elif key == "name":
            lines.append(f"{key} = {_toml(site.name)}")
        else:
            example = _EXAMPLES.get(key, '""')
            lines.append(f"# {key} = {example}{note}")
    return [*lines, ""]


_EXAMPLES = {
    "start": "2026-05-01",
    "end": "2026-10-31",
    "site_acres": "25.0",
    "disturbed_acres": "12.5",
}


def _map_lines(site: Site) -> list[str]:
    lines = ["[map]"]
    if site.crs is None:
        lines += _comment(f"The CRS of the map could not be settled: {site.crs_reason}.")
        lines.append('# crs = "EPSG:6609"')
    else:
        code = crs_code(site.crs)
        lines += _comment(f"{crs_label(site.crs)}, {site.crs_reason}")
        lines.append(f"crs = {_toml(code or site.crs.to_wkt())}")
    wishes = site.project.map
    stated = wishes.vertical_datum
    lines.append(f"vertical_datum = {_toml(stated)}" if stated else _datum_line(site))
    if wishes.vertical_unit is not None:
        lines.append(f"vertical_unit = {_toml(wishes.vertical_unit)}")
    else:
        hint = "unit of heights where a layer does not say its own"
        lines.append(f'# vertical_unit = "ft"  # {hint}')
    for key in ("vertical_error_ft", "contour_interval_ft"):
        if getattr(wishes, key) is not None:
            lines.append(f"{key} = {getattr(wishes, key):g}")
    return [*lines, ""]


def _datum_line(site: Site) -> str:
    """The zero of heights to be stated: that which elevations name themselves, where it is one."""
    named: dict[str, str] = {}
    for dataset in site.datasets:
        layer = site.layers.get(dataset.role or "")
        if layer is not None and "datum" in dataset.units:
            for datum in layer.frame["datum"].dropna().unique():
                named.setdefault(str(datum), dataset.provenance.file)
    said = "; ".join(f"{_one_line(file)} says {datum}" for datum, file in named.items())
    example = next(iter(named)) if len(named) == 1 else "NAVD88"
    return f"# vertical_datum = {_toml(example)}" + (f"  # {said}" if said else "")


def _prefix(site: Site, relative_to: Path | None) -> str:
    """What to put before a file's name to reach it from the folder of site.toml."""
    submission = Path(site.submission)
    if submission.suffix.lower() == ".toml" or (
        submission.is_dir() and submission.suffix.lower() != ".gdb"
    ):
        home = submission if submission.is_dir() else submission.parent
        inside = ""
    else:
        home = submission.parent
        inside = f"{submission.name}/" if submission.suffix.lower() in ARCHIVES else ""
    if relative_to is None:
        return inside
    way = os.path.relpath(home.absolute(), relative_to.absolute()).replace(os.sep, "/")
    return inside if way == "." else f"{way}/{inside}"


def _layer_lines(site: Site, prefix: str) -> list[str]:
    lines = ["# The layers: one table per role, [[layers.ROLE]] once for each dataset.", ""]
    served: dict[str, list[Layer | Raster]] = {}
    doubtful: list[Layer | Raster] = []
    items: list[Layer | Raster] = [*site.datasets, *site.rasters]
    for item in items:
        if item.role is not None:
            served.setdefault(item.role, []).append(item)
        elif not _is_table(item):
            doubtful.append(item)
    several = _several_layers(site)
    for spec in site.catalogue.specs:
        datasets = served.get(spec.role, [])
        clash = len(datasets) > 1 and not spec.many
        if clash:
            lines += _comment(
                f"{spec.role}: {len(datasets)} datasets claim this role, which takes one. Keep "
                "one and take its # away."
            )
        for item in datasets:
            said = said_of(site.project, item)
            lines += _table(item, spec.role, spec, prefix, several, used=not clash, said=said)
    if doubtful:
        lines += [*_comment("Serve no role as far as can be seen. Name one to use them."), ""]
    for item in doubtful:
        lines += _table(item, "ROLE", None, prefix, several, used=False)
    return lines


def _is_table(item: Layer | Raster) -> bool:
    return any(oddity.kind == "no_geometry" for oddity in item.provenance.oddities)


def _several_layers(site: Site) -> set[str]:
    """Files with more than one layer, which need `layer = ...`."""
    seen: dict[str, set[str]] = {}
    for dataset in site.datasets:
        seen.setdefault(dataset.provenance.file, set()).add(dataset.provenance.layer)
    return {file for file, layers in seen.items() if len(layers) > 1}


def _table(
    item: Layer | Raster,
    role: str,
    spec: LayerSpec | None,
    prefix: str,
    several: set[str],
    *,
    used: bool,
    said: LayerPath | None = None,
) -> list[str]:
    """The table of one dataset; what site.toml said of it already is kept."""
    provenance = item.provenance
    lines = [f"[[layers.{role}]]", f"path = {_toml(prefix + provenance.file)}"]
    if provenance.file in several:
        lines.append(f"layer = {_toml(provenance.layer)}")
    if item.crs is None:
        lines.append('# crs = "EPSG:..."  # the file states none; without it the layer is left out')
    elif provenance.crs_how != "file":
        code = crs_code(item.crs)
        lines.append(f"crs = {_toml(code or item.crs.to_wkt())}")
    if provenance.encoding_how == "option":
        lines.append(f"encoding = {_toml(provenance.encoding)}")
    elif any(o.kind == "encoding_doubtful" for o in provenance.oddities):
        lines.append(f"# encoding = {_toml(provenance.encoding)}  # in doubt: look at the names")
    if spec is not None and isinstance(item, Layer):
        lines += _fields(item, spec)
    lines += _unit(item, said)
    for key in ("source", "date") if said is not None else ():
        if getattr(said, key) is not None:
            lines.append(f"{key} = {_toml(getattr(said, key))}")
    text = [*_comment(item.choice.reason)]
    text += lines if used else [line if line.startswith("#") else f"# {line}" for line in lines]
    return [*text, ""]


def _unit(item: Layer | Raster, said: LayerPath | None) -> list[str]:
    if said is not None and said.unit is not None:
        return [f"unit = {_toml(said.unit)}"]
    if any(oddity.kind == "vertical_unit_unstated" for oddity in item.provenance.oddities):
        return ['# unit = "ft"  # of the heights; the file does not say: "ft" or "m"']
    return []


def _fields(layer: Layer, spec: LayerSpec) -> list[str]:
    """The field mapping that was found, and what is still wanted."""
    lines = []
    pairs = [f"{name} = {_toml(column)}" for name, column in layer.choice.field_map.items()]
    if pairs:
        lines.append(f"fields = {{ {', '.join(pairs)} }}")
    missing = [
        name
        for name, known in spec.fields.items()
        if known.required and name not in layer.choice.field_map and name not in layer.units
    ]
    if missing:
        lines.append(f"# not found, but needed: {', '.join(missing)}")
    return lines


def _none_lines(site: Site) -> list[str]:
    """Roles to draw or to declare none, with an example each."""
    have = {dataset.role for dataset in site.datasets} | {raster.role for raster in site.rasters}
    lines = []
    for role, said in site.project.declared_none.items():
        lines += [f"[declared_none.{role}]", f"by = {_toml(said.by)}"]
        lines += [f"source = {_toml(said.source)}", f"date = {said.date.isoformat()}", ""]
    required = [s for s in site.catalogue.specs if s.presence == "required" and s.role not in have]
    for spec in required:
        lines += _comment(
            f"MISSING: {spec.role} ({spec.title}) must be drawn; add [[layers.{spec.role}]]."
        )
    open_ = [
        spec
        for spec in site.catalogue.specs
        if spec.presence == "declarable"
        and spec.role not in have
        and spec.role not in site.project.declared_none
    ]
    if open_:
        lines += [
            "",
            *_comment(
                "What must be shown but does not exist here: say who looked, in which source, on "
                "which day. Not found in the files, so either a layer is missing or one of these "
                "is needed:"
            ),
        ]
    for spec in open_:
        items = ", ".join(spec.items)
        lines += [
            f"# [declared_none.{spec.role}]  # {spec.title}" + (f" ({items})" if items else ""),
            '# by = ""',
            '# source = ""',
            "# date = 2026-01-31",
        ]
    return lines


def _comment(text: str) -> list[str]:
    """Text as comment lines of at most 100 characters."""
    lines = [""]
    for word in _one_line(text).split():
        if lines[-1] and len(lines[-1]) + len(word) + 3 > _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [f"# {line}" for line in lines]


def _one_line(text: object) -> str:
    return re.sub(r"[\x00-\x1f\x7f\s]+", " ", str(text))


def _toml(value: object) -> str:
    """A value as TOML: JSON's escapes are TOML's for text, numbers and dates stand bare."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
