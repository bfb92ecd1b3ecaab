"""The user's columns as read: text decoded, record numbers added, odd dates named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import geopandas
import numpy as np
import pandas
from geopandas.array import GeometryArray

from sitemap.crs import Crs
from sitemap.intake.oddities import count_of, odd
from sitemap.layer import SOURCE_FID, Oddity

GEOMETRY = "geometry"
_EPOCH_MS = (1.0e11, 4.2e12)  # 1973 to 2103 in milliseconds since 1970
_LAST_YEAR = 2262  # the last year that nanosecond clocks of data tables hold


def decode_columns(columns: Mapping[str, Any], codec: str, notes: list[Oddity]) -> dict[str, Any]:
    """Columns that were read byte for byte as Latin-1, decoded by `codec`.

    Bytes that do not exist in it become the replacement sign, and are counted in `notes`.
    """
    replaced = 0
    decoded: dict[str, Any] = {}
    for name, values in columns.items():
        cells = values.copy() if values.dtype == object else values
        if cells.dtype == object:
            for at in np.flatnonzero([isinstance(v, str) and not v.isascii() for v in cells]):
                text = _decode(cells[at], codec)
                replaced += "\ufffd" in text
                cells[at] = text
        decoded[name if name.isascii() else _decode(name, codec)] = cells
    if replaced:
        words = f"{count_of(replaced, 'text')} hold bytes that do not exist in {codec}"
        notes.append(odd("text_undecodable", f"{words}; shown as \ufffd"))
    return decoded


def _decode(text: str, codec: str) -> str:
    try:
        raw = text.encode("latin-1")
    except UnicodeEncodeError:  # already decoded by the reader
        return text
    return raw.decode(codec, errors="replace")


def frame_of(
    columns: Mapping[str, Any],
    geometries: np.ndarray,
    records: np.ndarray,
    crs: Crs | None = None,
) -> geopandas.GeoDataFrame:
    """The frame of a layer; a user's column named geometry is renamed."""
    table: dict[str, Any] = {}
    for name, values in columns.items():
        label = name
        while label in table or label in (GEOMETRY, SOURCE_FID):
            label += "_"
        table[label] = values
    table[SOURCE_FID] = records
    return geo_frame(table, geometries, crs)


def geo_frame(
    arrays: Mapping[str, Any], geometries: np.ndarray, crs: Crs | None
) -> geopandas.GeoDataFrame:
    """A frame of columns as they are, with geometry; nothing of them is copied.

    Handed over as a finished column, the geometry costs a third of what it does as an argument.
    """
    shapes = GeometryArray(np.asarray(geometries, dtype=object), crs=crs)
    table = {**as_columns(arrays), GEOMETRY: shapes}
    return geopandas.GeoDataFrame(table, geometry=GEOMETRY, copy=False)


def as_columns(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Columns that keep the type of their array, so that missing text stays None."""
    return {
        name: pandas.Index(values, dtype=object) if values.dtype == object else values
        for name, values in ((name, np.asarray(given)) for name, given in arrays.items())
    }


def date_oddities(columns: Mapping[str, Any], date_columns: Sequence[str]) -> list[Oddity]:
    """Dates beyond the calendar, and dates kept as milliseconds in a number column."""
    notes: list[Oddity] = []
    for name in date_columns:
        values = columns.get(name)
        if values is None:
            continue
        texts = [str(v) for v in values if v is not None and str(v) not in ("", "NaT", "nan")]
        far = [t for t in texts if not t[:4].isdigit() or not 1678 <= int(t[:4]) <= _LAST_YEAR]
        if far:
            notes.append(
                odd(
                    "date_out_of_range",
                    f"field {name}: {count_of(len(far), 'date')} out of range, such as {far[0]}; "
                    "kept as text",
                )
            )
    for name, values in columns.items():
        if name not in date_columns and is_epoch(name, values):
            notes.append(
                odd(
                    "date_as_number",
                    f"field {name} holds dates as milliseconds since 1970 in a number field",
                )
            )
    return notes


def is_epoch(name: str, values: Any) -> bool:
    """True for a number column named for a date whose values are milliseconds since 1970."""
    words = name.lower()
    if not any(word in words for word in ("date", "time", "dt", "edited", "created")):
        return False
    if getattr(values, "dtype", None) is None or values.dtype.kind not in "if":
        return False
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    return bool(len(numbers)) and bool(
        ((numbers >= _EPOCH_MS[0]) & (numbers <= _EPOCH_MS[1])).all()
    )
