"""What a frame says of each record: attributes as words, the user's own id, where it stands."""

from __future__ import annotations

from collections.abc import Iterable

import geopandas
import numpy as np
import pandas

from sitemap.finding import Source
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID

ORIGIN = (SOURCE_FILE, SOURCE_LAYER, SOURCE_FID)
Key = tuple[str, str, int]  # file, layer, record


def words_of(frame: geopandas.GeoDataFrame, fields: Iterable[str]) -> dict[str, np.ndarray]:
    """Each field as words, so that 12, 12.0 and '12' are one and no value is ''."""
    return {name: np.array([_word(v) for v in frame[name]], dtype=object) for name in fields}


def _word(value: object) -> str:
    if value is None or value is pandas.NA or value is pandas.NaT:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | float | np.number):
        number = float(value)
        return "" if np.isnan(number) else f"{number:.8g}"
    return str(value).strip()


def ids_of(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """The canonical id of each feature, else the user's own, as text; "" without one."""
    words = np.full(len(frame), "", dtype=object)
    for name in (USER_ID, "id"):
        if name in frame:
            said = np.array([_word(v) for v in frame[name]], dtype=object)
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
