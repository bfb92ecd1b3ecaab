"""The user's columns -> the canonical columns of a role: numbers, words, dates, in one unit.

A value is parsed and converted, never invented: what cannot be parsed is missing, and said so.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas
import shapely

from sitemap.catalogue import FieldSpec, LayerSpec
from sitemap.intake.columns import is_epoch
from sitemap.intake.conversion import (
    StatedUnit,
    factor_between,
    scaled,
    source_unit,
    unit_named,
)
from sitemap.intake.dates import read_dates
from sitemap.intake.fields import canonical_value
from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity
from sitemap.units import AreaUnit, LengthUnit

_PARSED_SHARE = 0.95  # with more text than this among the numbers, the column is none
_NUMBER = (
    r"^\s*([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?)\s*"
    r"('|’|′|\"|ft\.?|feet|foot|us[ -]?ft|ftus|m|meters?|metres?|in\.?|inch(?:es)?|"
    r"ac\.?|acres?|sq\.? ?ft\.?|%|pct|percent|deg)?\s*$"
)
_TRUE = frozenset({"yes", "y", "true", "t", "1", "structural"})
_FALSE = frozenset({"no", "n", "false", "f", "0", "nonstructural", "non-structural"})
_FLAT_Z_FT = 0.01  # a line whose Z varies by less is a contour
WRITTEN_FOR_NOTHING = frozenset(
    ("", "nan", "NaN", "None", "NULL", "null", "<Null>", "<NULL>", "<null>")
)


@dataclass(eq=False)
class Canonical:
    """Canonical columns as arrays (numbers as float), their units, and what was odd."""

    columns: dict[str, np.ndarray]
    units: dict[str, str] = field(default_factory=dict)
    oddities: list[Oddity] = field(default_factory=list)


def canonical_columns(
    frame: pandas.DataFrame,
    geometries: np.ndarray,
    spec: LayerSpec,
    field_map: Mapping[str, str],
    stated: StatedUnit | None,
) -> Canonical:
    """All canonical columns of a role for one dataset; missing ones filled with None or NaN."""
    made = Canonical({})
    for name, known in spec.fields.items():
        column = field_map.get(name)
        if column is not None:
            made.columns[name] = _column(frame[column], name, column, spec, stated, made)
        elif known.type in ("number", "integer"):
            made.columns[name] = np.full(len(frame), np.nan)
        else:
            made.columns[name] = np.full(len(frame), None, dtype=object)
    if "elevation" in spec.fields and "elevation" not in field_map:
        _elevation_from_z(geometries, stated, made)
    return made


def _column(
    values: pandas.Series[Any],
    name: str,
    column: str,
    spec: LayerSpec,
    stated: StatedUnit | None,
    made: Canonical,
) -> np.ndarray:
    known = spec.fields[name]
    if known.type in ("number", "integer"):
        return _numbers(values, name, column, known, stated, made)
    if known.type == "date":
        return _dates(values, column, made)
    if known.type == "boolean":
        return _each(values, _truth)
    return _each(values, lambda value: canonical_value(spec, name, value) or text_of(value))


def _each(values: pandas.Series[Any], change: Any) -> np.ndarray:
    """`change` applied once to each distinct value."""
    codes, distinct = pandas.factorize(values.to_numpy(dtype=object), use_na_sentinel=True)
    changed = np.empty(len(distinct) + 1, dtype=object)
    changed[:-1] = [change(value) for value in distinct]
    changed[-1] = None
    result: np.ndarray = changed[codes]
    return result


def text_of(value: object) -> str | None:
    """A cell as text: no blanks around it, 12.0 as '12', nothing as None.

    Nothing is also what programs write for it into a column of text: nan, None, <Null>.
    """
    if value is None or (isinstance(value, float) and not np.isfinite(value)):
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    words = str(value).strip()
    return None if words in WRITTEN_FOR_NOTHING else words


def texts(values: pandas.Series[Any]) -> np.ndarray:
    """A column as text, for ids."""
    return _each(values, text_of)


def _truth(value: object) -> bool | None:
    word = (text_of(value) or "").lower()
    return True if word in _TRUE else False if word in _FALSE else None


def _dates(values: pandas.Series[Any], column: str, made: Canonical) -> np.ndarray:
    if is_epoch(column, values):
        return _each(values, _iso_of_epoch)
    written = pandas.unique(_each(values, text_of))
    dates, notes = read_dates([text for text in written if text is not None], column)
    made.oddities.extend(notes)
    return _each(values, lambda value: dates.get(text_of(value) or ""))


def _iso_of_epoch(value: float) -> str:
    return dt.datetime.fromtimestamp(float(value) / 1000.0, dt.UTC).date().isoformat()


def _numbers(
    values: pandas.Series[Any],
    name: str,
    column: str,
    known: FieldSpec,
    stated: StatedUnit | None,
    made: Canonical,
) -> np.ndarray:
    units: np.ndarray | None = None
    if pandas.api.types.is_numeric_dtype(values) and not pandas.api.types.is_bool_dtype(values):
        numbers = values.to_numpy(dtype=float, copy=True)
    else:
        parsed = _parsed(values, column, made)
        if parsed is None:
            return np.full(len(values), np.nan)
        numbers, units = parsed
    target = unit_named(known.unit)
    if target is None:
        return numbers
    if units is not None and any(units):
        return _convert_each(numbers, units, target, name, made)
    source, how = source_unit(name, column, stated)
    if source is None or type(source) is not type(target):
        if name == "elevation":
            made.units[name] = "not stated, taken as ft"
            made.oddities.append(_unstated(f"field {column}"))
        return numbers
    return _converted(numbers, source, target, name, how, made)


def _unstated(what: str) -> Oddity:
    return odd(
        "vertical_unit_unstated",
        f"{what}: the unit of the heights is stated nowhere; the numbers are taken as feet. "
        'Say unit = "ft" (or "m") for the layer in site.toml',
    )


def _parsed(
    values: pandas.Series[Any], column: str, made: Canonical
) -> tuple[np.ndarray, np.ndarray] | None:
    """Numbers and their unit signs out of text; None when it is not a column of numbers."""
    text = pandas.Series(texts(values), dtype=object).fillna("")
    parts = text.str.extract(_NUMBER, flags=re.IGNORECASE)
    bare = parts[0].fillna("").str.replace(",", "", regex=False)
    numbers = pandas.to_numeric(bare, errors="coerce").to_numpy(dtype=float)
    filled = (text != "").to_numpy()
    good = int(np.isfinite(numbers[filled]).sum())
    if not filled.any():
        return numbers, np.full(len(numbers), "", dtype=object)
    bad = text[filled & ~np.isfinite(numbers)]
    if good < _PARSED_SHARE * filled.sum():
        made.oddities.append(
            odd(
                "number_text_refused",
                f"field {column} should be numbers, but only {good:,} of {int(filled.sum()):,} "
                f"values can be read as such (for example not {bad.iloc[0]!r}); none are used",
            )
        )
        return None
    more = f"; {count_of(len(bad), 'value')} not, such as {bad.iloc[0]!r}" if len(bad) else ""
    made.oddities.append(
        odd(
            "number_kept_as_text",
            f"field {column} keeps numbers as text; {count_of(good, 'value')} parsed{more}",
        )
    )
    return numbers, parts[1].fillna("").str.lower().str.strip(".").to_numpy(dtype=object)


def _converted(
    numbers: np.ndarray,
    source: LengthUnit | AreaUnit,
    target: LengthUnit | AreaUnit,
    name: str,
    how: str,
    made: Canonical,
) -> np.ndarray:
    factor = factor_between(source, target)
    made.units[name] = f"{source.symbol}, from {how}"
    if factor == 1:
        return numbers
    made.units[name] += f"; converted to {target.symbol}"
    made.oddities.append(
        odd("unit_converted", f"{name}: {source.symbol} ({how}) converted to {target.symbol}")
    )
    return scaled(numbers, factor)


def _convert_each(
    numbers: np.ndarray,
    units: np.ndarray,
    target: LengthUnit | AreaUnit,
    name: str,
    made: Canonical,
) -> np.ndarray:
    """Values that carry their own unit signs ("842 ft", "256.6 m")."""
    converted = numbers.copy()
    seen: list[str] = []
    for sign in sorted({str(u) for u in units if u}):
        source = unit_named({"’": "'", "′": "'"}.get(sign, sign))
        if source is None or type(source) is not type(target):
            continue
        seen.append(source.symbol)
        mask = units == sign
        converted[mask] = scaled(numbers[mask], factor_between(source, target))
    if seen:
        made.units[name] = f"{' and '.join(dict.fromkeys(seen))}, from the values themselves"
        if any(symbol != target.symbol for symbol in seen):
            made.units[name] += f"; converted to {target.symbol}"
    return converted


def _elevation_from_z(geometries: np.ndarray, stated: StatedUnit | None, made: Canonical) -> None:
    """Contours and spot heights that keep their elevation in the Z of the coordinates."""
    with_z = shapely.has_z(geometries)
    if not with_z.any():
        return
    xyz, owner = shapely.get_coordinates(geometries, include_z=True, return_index=True)
    z = pandas.Series(xyz[:, 2]).groupby(owner).agg(["min", "max"])
    level = np.full(len(geometries), np.nan)
    flat = (z["max"] - z["min"]).to_numpy() <= _FLAT_Z_FT
    level[z.index.to_numpy()[flat]] = z["min"].to_numpy()[flat]
    level[~with_z] = np.nan
    if not np.isfinite(level).any() or not np.nan_to_num(level).any():
        return
    made.oddities.append(
        odd("elevation_from_z", "no elevation field; elevations are the Z of the coordinates")
    )
    if stated is None:
        made.units["elevation"] = "not stated, taken as ft"
        made.oddities.append(_unstated("Z of the coordinates"))
        made.columns["elevation"] = level
    else:
        made.columns["elevation"] = _converted(
            level, stated.unit, LengthUnit.FOOT, "elevation", stated.how, made
        )
