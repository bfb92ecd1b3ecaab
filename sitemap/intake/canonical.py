"""The user's columns -> the canonical columns of a role: numbers, words, dates, in one unit.

A value is parsed and converted, never invented: what cannot be parsed is missing, and said so.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas
import shapely

from sitemap.catalogue import LayerSpec
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
from sitemap.intake.fill_values import without_fills
from sitemap.intake.number_texts import DATUM, read_numbers
from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity
from sitemap.units import AreaUnit, LengthUnit

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
    datums: np.ndarray | None = None  # named beside the elevations: "" where none is
    datums_from: str = ""


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
    if "elevation" in spec.fields:
        column = field_map.get("elevation")
        if column is None or not np.nan_to_num(made.columns["elevation"]).any():
            _elevation_from_z(geometries, column, stated, made)
    if made.datums is not None and DATUM in made.columns:
        _datums(made, made.datums)
    return made


def _datums(made: Canonical, said: np.ndarray) -> None:
    """The zero that elevations name themselves, where no column of its own does."""
    own = made.columns[DATUM]
    empty = pandas.isna(own) & (said != "")
    if not empty.any():
        return
    made.columns[DATUM] = np.where(empty, said, own)
    named = [f"{word} in {int((said == word).sum()):,}" for word in sorted(set(said) - {""})]
    made.units[DATUM] = f"from the values of {made.datums_from}"
    made.oddities.append(
        odd(
            "vertical_datum_in_values",
            f"field {made.datums_from}: the elevations name their zero themselves: "
            f"{', '.join(named)} of {len(said):,} values",
        )
    )


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
        return _numbers(values, name, column, spec, stated, made)
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
    spec: LayerSpec,
    stated: StatedUnit | None,
    made: Canonical,
) -> np.ndarray:
    known = spec.fields[name]
    units: np.ndarray | None = None
    if pandas.api.types.is_numeric_dtype(values) and not pandas.api.types.is_bool_dtype(values):
        numbers = values.to_numpy(dtype=float, copy=True)
    else:
        text = pandas.Series(texts(values), dtype=object).fillna("")
        read = read_numbers(text, name, column, spec)
        made.oddities.extend(read.oddities)
        if read.refused:
            return read.numbers
        numbers, units = read.numbers, read.units
        if name == "elevation" and any(read.datums):
            made.datums, made.datums_from = read.datums, column
    numbers, filled = without_fills(numbers, name, column)
    made.oddities.extend(filled)
    target = unit_named(known.unit)
    if target is None:
        return numbers
    if units is not None and any(units):
        return _convert_each(numbers, units, target, name, column, made)
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
    column: str,
    made: Canonical,
) -> np.ndarray:
    """Values that carry their own unit signs ("842 ft", "256.6 m").

    One without a sign is in the unit of all others; where those differ it is not used.
    """
    converted = numbers.copy()
    seen: list[str] = []
    bare = np.isfinite(numbers) & (units == "")
    for sign in sorted({str(u) for u in units if u}):
        source = unit_named(sign)
        if source is None or type(source) is not type(target):
            continue
        seen.append(source.symbol)
        factor = factor_between(source, target)
        if len(set(seen)) == 1:
            converted[bare] = scaled(numbers[bare], factor)
        mask = units == sign
        converted[mask] = scaled(numbers[mask], factor)
    if seen:
        told = list(dict.fromkeys(seen))
        made.units[name] = f"{' and '.join(told)}, from the values themselves"
        if any(symbol != target.symbol for symbol in seen):
            made.units[name] += f"; converted to {target.symbol}"
        _say_of_bare(converted, bare, told, column, made)
    return converted


def _say_of_bare(
    converted: np.ndarray, bare: np.ndarray, told: list[str], column: str, made: Canonical
) -> None:
    """What became of the values without a unit among those that have one."""
    if not bare.any():
        return
    count = count_of(int(bare.sum()), "value")
    words = f"taken as {told[0]} like the others"
    if len(told) > 1:
        converted[bare] = np.nan
        words = f"not used: the others are in {' and '.join(told)}"
    made.oddities.append(
        odd("unit_in_some_values", f"field {column}: {count} without unit, {words}")
    )


def _elevation_from_z(
    geometries: np.ndarray, column: str | None, stated: StatedUnit | None, made: Canonical
) -> None:
    """Contours and spot heights that keep their elevation in the Z of the coordinates.

    column: one for the elevation that holds nothing, or 0 throughout; None where there is none.
    """
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
    said = "no elevation field; elevations are the Z of the coordinates"
    if column is not None:
        made.oddities = [o for o in made.oddities if o.kind != "vertical_unit_unstated"]
        known = level[np.isfinite(level)]
        said = (
            f"field {column} holds no elevation (0, nothing or no numbers); taken are the Z of the "
            f"coordinates, {known.min():g} to {known.max():g}"
        )
    kind = "elevation_from_z" if column is None else "elevation_field_idle"
    made.oddities.append(odd(kind, said))
    if stated is None:
        made.units["elevation"] = "not stated, taken as ft"
        made.oddities.append(_unstated("Z of the coordinates"))
        made.columns["elevation"] = level
    else:
        made.columns["elevation"] = _converted(
            level, stated.unit, LengthUnit.FOOT, "elevation", stated.how, made
        )
