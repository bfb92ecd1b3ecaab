"""Features that are the same feature again: same shape, same values."""

from __future__ import annotations

import numpy as np
import pandas
import shapely

from sitemap.measures.vertices import numbers_of


def repeated(shapes: np.ndarray, values: pandas.DataFrame, step: float) -> list[np.ndarray]:
    """Places of the features in each set that has one shape and the same values.

    Coordinates are compared after rounding to `step` (their unit); the direction of a line and
    the vertex at which a ring begins do not matter. Empty values are equal.
    """
    maybe = _with_a_double(np.round(shapely.bounds(shapes) / step))
    if not len(maybe):
        return []
    rounded = shapely.transform(shapely.force_2d(shapes[maybe]), lambda xy: np.round(xy / step))
    forms = shapely.to_wkb(shapely.normalize(rounded))
    table = values.iloc[maybe].reset_index(drop=True).astype(object)
    table = table.where(table.notna(), None)
    table.insert(0, "_form", pandas.factorize(pandas.Series(forms, dtype=object))[0])
    if not table.duplicated().any():
        return []
    groups = table.groupby(list(table.columns), dropna=False, sort=False).indices
    return [np.sort(maybe[rows]) for rows in groups.values() if len(rows) > 1]


def _with_a_double(boxes: np.ndarray) -> np.ndarray:
    """The places of the boxes that are not alone: only their features can be the same."""
    number = numbers_of(boxes)
    ordered = np.sort(number)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.flatnonzero(np.isin(number, twice)) if len(twice) else np.empty(0, dtype=np.int64)
