"""Features that are the same feature again: same shape, same values."""

from __future__ import annotations

import numpy as np
import pandas
import shapely
from shapely import GeometryType

from sitemap.measures.vertices import numbers_of


def repeated(shapes: np.ndarray, values: pandas.DataFrame, step: float) -> list[np.ndarray]:
    """Places of the features in each set that has one shape and the same values.

    Coordinates are compared after rounding to `step` (their unit); the direction of a line and
    the vertex at which a ring begins do not matter. Empty values are equal.
    """
    maybe = _with_a_double(np.round(shapely.bounds(shapes) / step))
    if len(maybe):  # the halves of a square have one box
        maybe = maybe[_with_a_double(_vertex_sums(shapes[maybe], step))]
    if not len(maybe):
        return []
    flat = shapely.force_2d(shapes[maybe])
    rounded = shapely.transform(flat, lambda xy: np.round(xy / step) + 0.0)  # 0 and -0 are one
    forms = shapely.to_wkb(shapely.normalize(rounded))
    table = values.iloc[maybe].reset_index(drop=True).astype(object)
    table = table.where(table.notna(), None)
    table.insert(0, "_form", pandas.factorize(pandas.Series(forms, dtype=object))[0])
    if not table.duplicated().any():
        return []
    groups = table.groupby(list(table.columns), dropna=False, sort=False).indices
    return [np.sort(maybe[rows]) for rows in groups.values() if len(rows) > 1]


def _with_a_double(boxes: np.ndarray) -> np.ndarray:
    """The places of the rows that are not alone: only their features can be the same."""
    number = numbers_of(boxes)
    ordered = np.sort(number)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.flatnonzero(np.isin(number, twice)) if len(twice) else np.empty(0, dtype=np.int64)


def _vertex_sums(shapes: np.ndarray, step: float) -> np.ndarray:
    """(N, 2) the sums of the rounded vertices, whichever comes first; 0 for shapes of parts."""
    xy, owner = shapely.get_coordinates(shapes, return_index=True)
    xy = np.round(xy / step)  # whole numbers, so that their sums are exact
    sums = np.column_stack([np.bincount(owner, axis, len(shapes)) for axis in xy.T])
    kind = shapely.get_type_id(shapes)
    is_ring = (kind == GeometryType.POLYGON) & (shapely.get_num_interior_rings(shapes) == 0)
    is_plain = is_ring | np.isin(kind, (GeometryType.POINT, GeometryType.LINESTRING))
    sums[is_ring] -= xy[np.searchsorted(owner, np.flatnonzero(is_ring))]  # it stands there twice
    sums[~is_plain] = 0.0
    return sums
