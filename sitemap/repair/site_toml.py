"""The site.toml of a repaired copy: each layer named, everything else as it was said."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sitemap.crs import Crs, crs_code
from sitemap.repair.changes import RepairedLayer
from sitemap.site import Site

GEOPACKAGE = "repaired.gpkg"
FACTORS = "soil_factors.csv"
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def site_toml(
    site: Site, layers: Sequence[RepairedLayer], rasters: Mapping[str, Sequence[dict[str, Any]]]
) -> str:
    """The text: facts and declarations carried over, layers by role. rasters: role -> tables."""
    said = site.project.model_dump(
        mode="python", exclude_none=True, exclude_defaults=True,
        exclude={"path", "layers", "soil_factors"},
    )  # fmt: skip
    said.setdefault("project", {}).setdefault("name", site.name)
    if site.crs is not None:
        said.setdefault("map", {})["crs"] = crs_words(site.crs)
    if "factors" in said.get("soil_loss", {}):
        said["soil_loss"]["factors"] = FACTORS
    for number, waiver in enumerate(said.get("waivers", ())):
        area = site.waiver_areas.get(number)
        if area is not None:
            waiver["area"] = area.wkt
    by_role: dict[str, list[dict[str, Any]]] = {}
    for layer in layers:
        if layer.role is not None:
            by_role.setdefault(layer.role, []).append(_layer(layer))
    for role, tables in rasters.items():
        by_role.setdefault(role, []).extend(tables)
    order = {role: place for place, role in enumerate(site.catalogue.by_role)}
    said["layers"] = dict(sorted(by_role.items(), key=lambda item: order.get(item[0], 999)))
    head = "# Written by `sitemap fix`: the repaired copy, and what was said of the original.\n"
    return head + toml_text(said)


def crs_words(crs: Crs) -> str:
    """The registered code, else the whole definition."""
    return crs_code(crs) or str(crs.to_wkt())


def _layer(layer: RepairedLayer) -> dict[str, Any]:
    table: dict[str, Any] = {"path": GEOPACKAGE, "layer": layer.name}
    if layer.fields:
        table["fields"] = dict(layer.fields)
    for key, value in (
        ("unit", layer.unit), ("source", layer.source_words), ("date", layer.date_words)
    ):  # fmt: skip
        if value is not None:
            table[key] = value
    return table


def toml_text(content: Mapping[str, Any]) -> str:
    """A table of text, numbers, dates, lists and tables as TOML."""
    return "\n".join(_table(content, ())).strip() + "\n"


def _table(content: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    inner = {k: v for k, v in content.items() if isinstance(v, Mapping) and not _inline(k)}
    many = {k: v for k, v in content.items() if _is_tables(v)}
    lines = [
        f"{_key(key)} = {_value(value)}"
        for key, value in content.items()
        if key not in inner and key not in many
    ]
    for key, value in inner.items():
        lines += ["", f"[{_path((*path, key))}]", *_table(value, (*path, key))]
    for key, tables in many.items():
        for table in tables:
            lines += ["", f"[[{_path((*path, key))}]]", *_table(table, (*path, key))]
    return lines


def _inline(key: str) -> bool:
    return key == "fields"


def _is_tables(value: Any) -> bool:
    is_list = isinstance(value, list | tuple) and bool(value)
    return is_list and all(isinstance(item, Mapping) for item in value)


def _path(path: tuple[str, ...]) -> str:
    return ".".join(_key(step) for step in path)


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _text(text)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return "[" + ", ".join(_value(item) for item in value) + "]"


def _text(value: str) -> str:
    """JSON's escapes are TOML's."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
