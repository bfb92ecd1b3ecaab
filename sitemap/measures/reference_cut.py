"""Features of one class cut to some ground, mended once; those that can show the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import geopandas
import numpy as np
import shapely
from geopandas.array import from_shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import mended


class Cut(NamedTuple):
    """Some features on some ground: their rows in the frame, their shapes, what says their like."""

    rows: np.ndarray
    shapes: np.ndarray
    values: np.ndarray | None


class Features:
    """The features of one side, flat and mended once however often they are cut."""

    def __init__(self, frame: geopandas.GeoDataFrame, by: str | None = None) -> None:
        shapes = frame.geometry.to_numpy()
        usable = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
        self._frame = frame
        self._rows = np.flatnonzero(usable)
        self._shapes = mended(shapes[self._rows])
        self._values = None if by is None else frame[by].to_numpy()

    def on(self, ground: BaseGeometry) -> Cut:
        """Those that lie on the ground, cut at its edge."""
        near = np.flatnonzero(shapely.intersects(self._shapes, ground))
        whole = self._shapes[near]
        over = ~shapely.covered_by(whole, ground)
        cut = whole.copy()
        cut[over] = mended(shapely.intersection(whole[over], ground))
        # a polygon that only touches the edge is none
        real = shapely.get_dimensions(cut) == shapely.get_dimensions(whole)
        rows = self._rows[near[real]]
        return Cut(rows, cut[real], None if self._values is None else self._values[rows])

    def framed(self, cut: Cut) -> geopandas.GeoDataFrame:
        """The features of a cut with their columns; the index is their row."""
        kept = self._frame.iloc[cut.rows]
        kept.index = cut.rows
        return kept.set_geometry(
            geopandas.GeoSeries(cut.shapes, index=cut.rows, crs=self._frame.crs)
        )


def cut(frame: geopandas.GeoDataFrame, ground: BaseGeometry) -> geopandas.GeoDataFrame:
    """The features that lie on the ground, flat, mended and cut at its edge."""
    features = Features(frame)
    lying = features.on(ground)
    found = features.framed(lying)
    found.index = frame.index[lying.rows]
    return found


def likes(theirs: Cut, ours: Cut) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows of both that can show the same: all of them, or those equal in a column."""
    a, b = theirs.values, ours.values
    if a is None or b is None:
        return [(np.arange(len(theirs.rows)), np.arange(len(ours.rows)))]
    values = dict.fromkeys([*a.tolist(), *b.tolist()])
    return [(np.flatnonzero(a == value), np.flatnonzero(b == value)) for value in values]


def array_of(shapes: Sequence[BaseGeometry]) -> np.ndarray:
    """Geometries as an array, also where there are none."""
    made = np.empty(len(shapes), dtype=object)
    made[:] = list(shapes)
    return made


def frame_of(
    columns: Mapping[str, Sequence[object] | np.ndarray], shapes: np.ndarray, crs: object
) -> geopandas.GeoDataFrame:
    """A frame of columns and shapes; geopandas takes twice as long to add these afterwards."""
    geometry = from_shapely(shapes, crs=crs)
    return geopandas.GeoDataFrame({**columns, "geometry": geometry}, geometry="geometry")
