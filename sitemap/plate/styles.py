"""Which symbol each feature wears, and what its label says."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sitemap.catalogue import LayerSpec, Symbol

if TYPE_CHECKING:
    import geopandas

TYPE_COLUMNS = ("type", "subtype", "kind", "cover", "zone", "term", "surface", "class")


@dataclass(frozen=True)
class Style:
    """A role, or one type of its vocabulary, as it is drawn. key is "" for the role itself."""

    role: str
    key: str
    title: str  # of the layer in the PDF
    legend: str
    symbol: Symbol
    label: str
    draw_order: int

    @property
    def order(self) -> tuple[str, str]:
        """What tells styles apart."""
        return self.role, self.key


def role_style(spec: LayerSpec) -> Style:
    """The style of a feature that is of no known type."""
    return Style(
        spec.role, "", spec.title, spec.legend, spec.symbol, spec.symbol.label, spec.draw_order
    )  # fmt: skip


def styles_of(spec: LayerSpec, frame: geopandas.GeoDataFrame) -> list[tuple[Style, np.ndarray]]:
    """Each style that occurs, with the positions of its rows, in the order of the vocabulary."""
    keys = type_keys(spec, frame)
    found = []
    for key in ("", *spec.types):
        rows = np.flatnonzero(keys == key)
        if not len(rows):
            continue
        style = role_style(spec)
        if key:
            entry = spec.types[key]
            symbol = entry.symbol or spec.symbol
            style = Style(
                spec.role,
                key,
                spec.title,
                entry.legend or entry.name,
                symbol,
                symbol.label or spec.symbol.label,
                spec.draw_order,
            )
        found.append((style, rows))
    return found


def type_keys(spec: LayerSpec, frame: geopandas.GeoDataFrame) -> np.ndarray:
    """The key of the vocabulary for every row, "" where no word of it fits."""
    words: dict[str, str] = {}
    for key, entry in spec.types.items():
        for word in (key, entry.name, *entry.aliases):
            words.setdefault(_plain(word), key)
    keys = np.full(len(frame), "", dtype=object)
    for column in TYPE_COLUMNS:
        if not words or column not in frame.columns:
            continue
        values = [words.get(_plain(v), "") if _known(v) else "" for v in frame[column]]
        keys = np.where(keys == "", np.array(values, dtype=object), keys)
    return keys


def _plain(word: object) -> str:
    return " ".join(str(word).lower().replace("_", " ").replace("-", " ").split())


def _known(value: object) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def label_lines(template: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The label's lines from a format string; () when none of its fields is known.

    Words go with their field: "{id} {slope_pct:.1f} %" without a slope is the id alone.
    """
    lines, any_known, any_field = [], False, False
    for row in template.split("\n"):
        text, known, fields = "", False, 0
        for literal, name, spec, _ in string.Formatter().parse(row):
            if name is None:
                text += literal if known or not fields else ""
                continue
            fields += 1
            known = _known(values.get(name))
            if known:
                text += literal + _formatted(values[name], spec)
                any_known = True
        any_field = any_field or fields > 0
        if text.strip(" ,;:-"):
            lines.append(text.strip(" ,;:-"))
    return tuple(lines) if any_known or not any_field else ()


def _formatted(value: object, spec: str | None) -> str:
    if isinstance(value, float) and value.is_integer() and not spec:
        return str(int(value))
    try:
        return format(value, spec or "")
    except (ValueError, TypeError):
        return str(value)
