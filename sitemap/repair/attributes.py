"""A dataset's table as it will be written: canonical names, real numbers, everything else kept.

Words stay the user's own. Numbers are those that the check used; where a text could not be read
as a number, the text is kept beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas

from sitemap.catalogue import LayerSpec
from sitemap.checked import plural
from sitemap.finding import Source
from sitemap.intake.columns import is_epoch
from sitemap.layer import Layer
from sitemap.repair.changes import Change

NUMBER_TYPES = ("number", "integer")
RESERVED = ("fid", "ogc_fid", "geom", "geometry")  # a GeoPackage keeps these names for itself
ENCODING_GUESSED = "guess"  # how Provenance.encoding_how begins when nothing says it


@dataclass(eq=False)
class Table:
    """Columns to be written, the field behind each, and what was changed on the way."""

    columns: dict[str, pandas.Series[Any]] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)  # canonical -> column
    changes: list[Change] = field(default_factory=list)


def repaired_table(layer: Layer, canonical: pandas.DataFrame | None, source: Source) -> Table:
    """The table of one dataset. canonical: its rows of the role's frame, None without a role."""
    made = Table()
    frame = layer.frame.drop(columns=layer.frame.geometry.name)
    user = [name for name in frame.columns if not name.startswith("_")]
    mapped = layer.choice.field_map if canonical is not None and layer.spec is not None else {}
    if canonical is not None and layer.spec is not None:
        for name, column in mapped.items():
            _field(made, layer, layer.spec, canonical, name, column, source)
        _implied(made, layer, layer.spec, canonical, source)
    for column in user:
        if column not in mapped.values():
            name = _free_name(column, made.columns)
            made.columns[name] = _plain(frame[column])
            if name != column:
                made.changes.append(_renamed(column, name, source, layer.role))
    _recoded(made, layer, source)
    return made


def _field(
    made: Table,
    layer: Layer,
    spec: LayerSpec,
    canonical: pandas.DataFrame,
    name: str,
    column: str,
    source: Source,
) -> None:
    """One canonical field: the parsed numbers or dates, else the user's own words."""
    given = layer.frame[column].reset_index(drop=True)
    read = canonical[name].reset_index(drop=True)
    free = _free_name(name, made.columns)
    made.fields[name] = free
    if free != column:
        made.changes.append(_renamed(column, free, source, layer.role))
    kind = spec.fields[name].type
    if kind in NUMBER_TYPES and read.notna().any():
        made.columns[free] = pandas.Series(read.to_numpy(dtype=float))
        _numbers(made, layer, given, read, name, column, source)
    elif kind == "date" and is_epoch(column, given):
        made.columns[free] = read
        words = f"{column}: milliseconds since 1970 written as dates"
        made.changes.append(Change("date parsed", source, layer.role, words))
    else:
        made.columns[free] = _plain(given)


def _numbers(
    made: Table,
    layer: Layer,
    given: pandas.Series[Any],
    read: pandas.Series[Any],
    name: str,
    column: str,
    source: Source,
) -> None:
    is_text = not pandas.api.types.is_numeric_dtype(given)
    if is_text:
        filled = given.notna() & (given.astype(str).str.strip() != "")
        lost = filled & read.isna()
        words = f"{column}: {plural(int((filled & ~lost).sum()), 'number')} kept as text"
        if lost.any():
            beside = _free_name(f"{name}_as_given", made.columns)
            made.columns[beside] = _plain(given)
            words += (
                f"; {plural(int(lost.sum()), 'text')} such as {str(given[lost].iloc[0])!r} are no "
                f"number and stay in {beside}"
            )
        made.changes.append(Change("number parsed", source, layer.role, words))
    idle = [o for o in layer.provenance.oddities if o.kind == "elevation_field_idle"]
    if name == "elevation" and idle:
        made.changes.append(Change("field written", source, layer.role, idle[0].message))
    if "converted" in layer.units.get(name, ""):
        words = f"{column}: {layer.units[name]}"
        made.changes.append(Change("unit converted", source, layer.role, words))


def _implied(
    made: Table, layer: Layer, spec: LayerSpec, canonical: pandas.DataFrame, source: Source
) -> None:
    """Fields without a column that intake took from the heights or from the file's name."""
    for name in spec.fields:
        if name in layer.choice.field_map or name not in layer.units:
            continue
        values = canonical[name].reset_index(drop=True)
        if not values.notna().any():
            continue
        free = _free_name(name, made.columns)
        made.fields[name] = free
        made.columns[free] = values
        words = f"{name}: {layer.units[name]}"
        made.changes.append(Change("field written", source, layer.role, words))


def _recoded(made: Table, layer: Layer, source: Source) -> None:
    """Text that was not UTF-8; where nothing says how it was encoded, that stays a doubt."""
    encoding, how = layer.provenance.encoding, layer.provenance.encoding_how
    if not encoding or encoding.lower().replace("_", "-") in ("utf-8", "utf8", "ascii"):
        return
    foreign = sum(_foreign(values) for values in made.columns.values())
    if not foreign:
        return
    doubt = ""
    if how.startswith(ENCODING_GUESSED):
        doubt = (
            "nothing says how the text is encoded; it is written as read here. Say it with "
            "--encoding, or compare the names with the original"
        )
    words = f"{plural(foreign, 'text')} written as UTF-8, read as {encoding} ({how})"
    made.changes.append(Change("text recoded", source, layer.role, words, refused=doubt))


def _foreign(values: pandas.Series[Any]) -> int:
    if values.dtype != object:
        return 0
    return sum(isinstance(v, str) and not v.isascii() for v in values)


def _renamed(column: str, name: str, source: Source, role: str | None) -> Change:
    words = f"{column} is now {name}"
    return Change("field renamed", source, role, words, renamed=(column, name))


def _free_name(wanted: str, taken: dict[str, pandas.Series[Any]]) -> str:
    """A column name that a GeoPackage takes: not one of its own, and none twice in any case."""
    used = {name.casefold() for name in taken} | set(RESERVED)
    name = wanted.strip() or "field"
    while name.casefold() in used:
        name += "_"
    return name


def _plain(values: pandas.Series[Any]) -> pandas.Series[Any]:
    """Cells that a table can hold; bytes become hexadecimal text."""
    values = values.reset_index(drop=True)
    if values.dtype != object:
        return values
    return pandas.Series([_cell(value) for value in values.to_numpy(dtype=object)], dtype=object)


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, str | bool | int | float) else str(value)
