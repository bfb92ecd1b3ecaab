"""What a frame says of each record: attributes as words, the user's own id, where it stands."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

import geopandas
import numpy as np
import pandas

from sitemap.finding import Source
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID

# a day as files of several kinds keep it, some with the hour at which it begins
_MIDNIGHT = re.compile(r"(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ]00:00:00(?:\.0+)?(?:Z|\+00:?00)?)?")
ORIGIN = (SOURCE_FILE, SOURCE_LAYER, SOURCE_FID)
Key = tuple[str, str, int]  # file, layer, record


def words_of(frame: geopandas.GeoDataFrame, fields: Iterable[str]) -> dict[str, np.ndarray]:
    """Each field as words, so that 12, 12.0 and '12' are one and no value is ''."""
    return {name: np.array([word_of(v) for v in frame[name]], dtype=object) for name in fields}


def word_of(value: object) -> str:
    """A value as words: 12 and 12.0 are one, a day is 2026-11-20, no value is empty."""
    if value is None or value is pandas.NA or value is pandas.NaT:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | float | np.number):
        number = float(value)
        return "" if np.isnan(number) else f"{number:.8g}"
    if isinstance(value, dt.datetime):
        day, time = value.date(), value.time()
        return str(day) if time == dt.time() else str(value)
    text = str(value).strip()
    found = _MIDNIGHT.fullmatch(text)
    return f"{found[1]}-{found[2]}-{found[3]}" if found else text


def ids_of(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """The canonical id of each feature, else the user's own, as text; "" without one."""
    words = np.full(len(frame), "", dtype=object)
    for name in (USER_ID, "id"):
        if name in frame:
            said = np.array([word_of(v) for v in frame[name]], dtype=object)
            words = np.where(said != "", said, words)
    return words


def keys_of(frame: geopandas.GeoDataFrame) -> list[Key]:
    """File, layer and record of each feature."""
    columns = [frame[name].tolist() for name in ORIGIN]
    return [(str(f), str(layer), int(n)) for f, layer, n in zip(*columns, strict=True)]


def source_of(frame: geopandas.GeoDataFrame, i: int, user_id: str) -> Source:
    """Where one feature stands in the files."""
    row = frame.iloc[i]
    file, layer, record = (row[name] for name in ORIGIN)
    return Source(str(file), str(layer) if layer else None, int(record), user_id or None)
