"""What a reference shows and the map does not, what the map shows more, and how far both differ.

Both are cut to the same ground first. An outline on a public map is right within its accuracy only:
thinner strips between two outlines, and shorter ends of lines, are slivers, listed apart. A
feature that is not drawn at all is missing however thin it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import geopandas
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import acres, mended
from sitemap.measures.reference_cut import Cut, Features, array_of, frame_of, likes
from sitemap.measures.reference_lines import shifted_lines
from sitemap.measures.reference_moved import moved
from sitemap.units import LengthUnit

WHOLE_SHARE = 0.9  # so much of a feature undrawn: it is missing as a whole
ROUNDING_FT = 0.01
FARTHEST = 5.0  # times the accuracy: a line drawn within it is the same line at another place
PART_COLUMNS = ("row", "whole", "area_sqft", "acres", "length_ft")
PAIR_COLUMNS = (
    "reference_rows", "drawn_rows", "hausdorff_ft", "offset_ft", "east_ft", "north_ft",
    "reference_sqft", "drawn_sqft", "difference_sqft", "difference_acres", "reference_geometry",
)  # fmt: skip


class ReferenceDifference:
    """One class of reference against what the map shows of it, on some ground, in site feet.

    Each frame is worked out when it is first asked for. reference and drawn are the features that
    were compared, cut to the ground; `row` of the other frames is a place in them. missing, extra
    and slivers have PART_COLUMNS (slivers also `side`, "missing" or "extra"); moved has
    PAIR_COLUMNS, one row for all that overlap each other: hausdorff_ft and offset_ft (of the
    centroids; of lines the mean distance) and the area drawn less the area of the reference.
    """

    def __init__(
        self,
        role: str,
        sides: tuple[Features, Features],
        ground: BaseGeometry,
        accuracy_ft: float,
        foot: LengthUnit,
        also: tuple[Sequence[BaseGeometry], Sequence[BaseGeometry]],
        crs: object,
    ) -> None:
        self.role, self.ground, self.accuracy_ft = role, ground, accuracy_ft
        self._sides, self._also, self._foot, self._crs = sides, also, foot, crs
        beyond = ground.buffer(accuracy_ft)  # what lies just off the ground may show what is on it
        shapely.prepare([ground, beyond])
        self._theirs, self._ours = (side.on(ground) for side in sides)
        self._their_wide, self._our_wide = (side.on(beyond) for side in sides)

    @cached_property
    def reference(self) -> geopandas.GeoDataFrame:
        """The features of the reference on the ground."""
        return self._sides[0].framed(self._theirs)

    @cached_property
    def drawn(self) -> geopandas.GeoDataFrame:
        """The features of the map on the ground."""
        return self._sides[1].framed(self._ours)

    @cached_property
    def missing(self) -> geopandas.GeoDataFrame:
        """What the reference shows and the map does not."""
        return self._framed([self._undrawn.rows(self._undrawn.kept)])

    @cached_property
    def extra(self) -> geopandas.GeoDataFrame:
        """What the map shows and the reference does not."""
        return self._framed([self._unknown.rows(self._unknown.kept)])

    @cached_property
    def slivers(self) -> geopandas.GeoDataFrame:
        """The same on both sides, where it is thinner than the accuracy."""
        sides = (self._undrawn, self._unknown)
        tables = [parts.rows(~parts.kept) for parts in sides]
        said = np.repeat(np.array(["missing", "extra"], dtype=object), [len(t[0]) for t in tables])
        return self._framed(tables, side=said)

    @cached_property
    def moved(self) -> geopandas.GeoDataFrame:
        """What both show, with how far it lies apart."""
        rows = moved(self._theirs, self._ours, self._our_wide, self.accuracy_ft, self._foot)
        rows += self._shifted
        columns = {name: [row[name] for row in rows] for name in PAIR_COLUMNS}
        return frame_of(columns, array_of([row["geometry"] for row in rows]), self._crs)

    @property
    def elsewhere(self) -> tuple[frozenset[int], frozenset[int]]:
        """The `row`s of missing and of extra that are one line at another place, told in moved."""
        sides = ("reference_rows", "drawn_rows")
        theirs, ours = (frozenset(r for one in self._shifted for r in one[side]) for side in sides)
        return theirs, ours

    @cached_property
    def _shifted(self) -> list[dict[str, Any]]:
        """Lines that are missing here and extra there: drawn beside their place."""
        gone, come = self.missing, self.extra
        apart = FARTHEST * self.accuracy_ft
        rows = shifted_lines(gone.geometry.to_numpy(), come.geometry.to_numpy(), apart)
        for row in rows:
            row["reference_rows"] = tuple(gone["row"].to_numpy()[list(row["reference_rows"])])
            row["drawn_rows"] = tuple(come["row"].to_numpy()[list(row["drawn_rows"])])
        return rows

    @property
    def is_same(self) -> bool:
        """Whether both show the same, but for slivers and what lies within the accuracy."""
        far = self.moved["hausdorff_ft"] > self.accuracy_ft
        return self.missing.empty and self.extra.empty and not far.any()

    @cached_property
    def _undrawn(self) -> _Parts:
        return _Parts(self._theirs, self._our_wide, self._also[0], self.accuracy_ft)

    @cached_property
    def _unknown(self) -> _Parts:
        return _Parts(self._ours, self._their_wide, self._also[1], self.accuracy_ft)

    def _framed(
        self, tables: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], **more: np.ndarray
    ) -> geopandas.GeoDataFrame:
        rows, whole, shapes = (np.concatenate(column) for column in zip(*tables, strict=True))
        area = shapely.area(shapes)
        table: dict[str, np.ndarray] = {
            "row": rows,
            "whole": whole,
            "area_sqft": area,
            "acres": acres(area, self._foot),  # type: ignore[arg-type,dict-item]
            "length_ft": np.where(shapely.get_dimensions(shapes) == 1, shapely.length(shapes), 0.0),
            **more,
        }
        return frame_of(table, shapes, self._crs)


def difference(
    role: str,
    reference: geopandas.GeoDataFrame,
    drawn: geopandas.GeoDataFrame,
    ground: BaseGeometry,
    accuracy_ft: float,
    foot: LengthUnit,
    *,
    also_drawn: Sequence[BaseGeometry] = (),
    also_known: Sequence[BaseGeometry] = (),
    by: str | None = None,
) -> ReferenceDifference:
    """Compare features of one class on some ground; all in one CRS in feet.

    also_drawn are things on the map that show the same in another form (a pond drawn as wetland):
    what they cover is not missing. also_known, the like in the reference: it is not extra. by is
    a column: only features that are equal in it show the same (soil units, levels of contours).
    """
    sides = Features(reference, by), Features(drawn, by)
    also = also_drawn, also_known
    return ReferenceDifference(role, sides, ground, accuracy_ft, foot, also, reference.crs)


class _Parts:
    """What is left of some shapes without what covers them, and which parts are no slivers."""

    def __init__(
        self, features: Cut, others: Cut, also: Sequence[BaseGeometry], accuracy_ft: float
    ) -> None:
        shapes, covers = features.shapes, others.shapes
        more, rest = mended(array_of(also)), shapes.copy()
        for i, j in likes(features, others):
            rest[i] = _uncovered(shapes[i], np.concatenate([covers[j], more]), accuracy_ft)
        self._shapes, self._row = shapely.get_parts(rest, return_index=True)
        there = ~(shapely.is_empty(self._shapes) | _is_rounding(self._shapes))
        self._shapes, self._row = self._shapes[there], self._row[there]
        size, whole = _size(rest), _size(shapes)
        share = np.divide(size, whole, out=np.ones(len(shapes)), where=whole > 0)
        self._whole = (share >= WHOLE_SHARE)[self._row]
        self.kept = self._whole | ~_is_thin(self._shapes, accuracy_ft)

    def rows(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of some of the parts, those of one shape together: row, whether whole, shape."""
        rows = np.unique(self._row[which])
        shapes = array_of(
            [shapely.union_all(self._shapes[which & (self._row == row)]) for row in rows]
        )
        whole = np.array([bool(self._whole[self._row == row].all()) for row in rows], dtype=bool)
        return rows, whole, shapes


def _size(shapes: np.ndarray) -> np.ndarray:
    """Area, length or count, by the dimension of each shape."""
    dims = shapely.get_dimensions(shapes)
    sizes = np.where(dims == 2, shapely.area(shapes), shapely.length(shapes))
    return np.where(dims == 0, shapely.get_num_geometries(shapes), sizes)


def _uncovered(shapes: np.ndarray, others: np.ndarray, accuracy_ft: float) -> np.ndarray:
    """Areas without what areas (and lines, widened) cover; lines and points without what is near.

    A stream drawn as a line shows the narrow area along it.
    """
    others = others[~shapely.is_empty(others)]
    flat = shapely.get_dimensions(others) < 2
    near = shapely.union_all(shapely.buffer(others, accuracy_ft))
    over = shapely.union_all(
        np.concatenate([others[~flat], shapely.buffer(others[flat], accuracy_ft)])
    )
    areas = shapely.get_dimensions(shapes) == 2
    rest = np.empty(len(shapes), dtype=object)
    rest[areas] = shapely.difference(shapes[areas], over)
    rest[~areas] = shapely.difference(shapes[~areas], near)
    return mended(rest)


def _is_rounding(shapes: np.ndarray) -> np.ndarray:
    """Areas of next to no mean width and lines of next to no length: two roundings of one edge."""
    dims, length = shapely.get_dimensions(shapes), shapely.length(shapes)
    nothing: np.ndarray = (dims == 2) & (2.0 * shapely.area(shapes) <= ROUNDING_FT * length)
    nothing |= (dims == 1) & (length <= ROUNDING_FT)
    return nothing


def _is_thin(shapes: np.ndarray, accuracy_ft: float) -> np.ndarray:
    """Areas that hold no circle as wide as the accuracy, and lines no longer than it."""
    dims = shapely.get_dimensions(shapes)
    core = shapely.buffer(shapes, -(accuracy_ft + ROUNDING_FT) / 2.0, join_style="mitre")
    thin: np.ndarray = (dims == 2) & (shapely.area(core) <= 0)
    thin |= (dims == 1) & (shapely.length(shapes) <= accuracy_ft + ROUNDING_FT)
    return thin
