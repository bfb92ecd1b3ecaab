"""What a reference shows and the map does not, what the map shows more, and how far both differ.

Both are cut to the same ground first. An outline on a public map is right within its accuracy only:
thinner strips between two outlines, and shorter ends of lines, are slivers, listed apart. A
feature that is not drawn at all is missing however thin it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import geopandas
import numpy as np
import pandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import acres, mended
from sitemap.measures.reference_lines import offsets_along
from sitemap.units import LengthUnit

WHOLE_SHARE = 0.9  # so much of a feature undrawn: it is missing as a whole
LEAST_COMMON = 0.1  # of the smaller of two areas: less common ground is a touch, no match
HAUSDORFF_STEP_FT = 10.0
ROUNDING_FT = 0.01
PART_COLUMNS = ("row", "whole", "area_sqft", "acres", "length_ft")
PAIR_COLUMNS = (
    "reference_rows", "drawn_rows", "hausdorff_ft", "offset_ft", "east_ft", "north_ft",
    "reference_sqft", "drawn_sqft", "difference_sqft", "difference_acres", "reference_geometry",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ReferenceDifference:
    """One class of reference against what the map shows of it, on some ground, in site feet.

    reference and drawn are the features that were compared, cut to the ground; `row` of the other
    frames is a place in them. missing, extra and slivers have PART_COLUMNS (slivers also `side`,
    "missing" or "extra"); moved has PAIR_COLUMNS, one row for all that overlap each other:
    hausdorff_ft and offset_ft (of the centroids; of lines the mean distance) and the area drawn
    less the area of the reference.
    """

    role: str
    ground: BaseGeometry
    accuracy_ft: float
    reference: geopandas.GeoDataFrame
    drawn: geopandas.GeoDataFrame
    missing: geopandas.GeoDataFrame
    extra: geopandas.GeoDataFrame
    moved: geopandas.GeoDataFrame
    slivers: geopandas.GeoDataFrame

    @property
    def is_same(self) -> bool:
        """Whether both show the same, but for slivers and what lies within the accuracy."""
        far = self.moved["hausdorff_ft"] > self.accuracy_ft
        return self.missing.empty and self.extra.empty and not far.any()


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
    reference, drawn = reference.reset_index(drop=True), drawn.reset_index(drop=True)
    theirs, ours = cut(reference, ground), cut(drawn, ground)
    beyond = ground.buffer(accuracy_ft)  # what lies just off the ground may show what is on it
    their_wide, our_wide = cut(reference, beyond), cut(drawn, beyond)
    missing = _Parts(theirs, our_wide, also_drawn, by, accuracy_ft)
    extra = _Parts(ours, their_wide, also_known, by, accuracy_ft)
    crs = reference.crs
    slivers = [
        one.frame(~one.kept, foot, crs).assign(side=side)
        for one, side in ((missing, "missing"), (extra, "extra"))
    ]
    return ReferenceDifference(
        role,
        ground,
        accuracy_ft,
        theirs,
        ours,
        missing.frame(missing.kept, foot, crs),
        extra.frame(extra.kept, foot, crs),
        _moved(theirs, ours, our_wide, by, accuracy_ft, foot),
        geopandas.GeoDataFrame(pandas.concat(slivers, ignore_index=True), crs=crs),
    )


def cut(frame: geopandas.GeoDataFrame, ground: BaseGeometry) -> geopandas.GeoDataFrame:
    """The features that lie on the ground, flat, mended and cut at its edge."""
    shapes = frame.geometry.to_numpy()
    usable = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
    near = np.flatnonzero(usable)
    whole = mended(shapes[near])
    hit = shapely.intersects(whole, ground)
    near, whole = near[hit], whole[hit]
    over = ~shapely.covered_by(whole, ground)
    whole[over] = mended(shapely.intersection(whole[over], ground))
    dims = shapely.get_dimensions(mended(shapes[near])) if len(near) else np.zeros(0, dtype=int)
    real = shapely.get_dimensions(whole) == dims  # a polygon that only touches the edge is none
    return frame.iloc[near[real]].set_geometry(
        geopandas.GeoSeries(whole[real], index=frame.index[near[real]], crs=frame.crs)
    )


def _likes(
    theirs: geopandas.GeoDataFrame, ours: geopandas.GeoDataFrame, by: str | None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows of both that can show the same: all of them, or those equal in a column."""
    if by is None:
        return [(np.arange(len(theirs)), np.arange(len(ours)))]
    a, b = theirs[by].to_numpy(), ours[by].to_numpy()
    values = dict.fromkeys([*a.tolist(), *b.tolist()])
    return [(np.flatnonzero(a == value), np.flatnonzero(b == value)) for value in values]


class _Parts:
    """What is left of some shapes without what covers them, and which parts are no slivers."""

    def __init__(
        self,
        frame: geopandas.GeoDataFrame,
        others: geopandas.GeoDataFrame,
        also: Sequence[BaseGeometry],
        by: str | None,
        accuracy_ft: float,
    ) -> None:
        shapes, covers = frame.geometry.to_numpy(), others.geometry.to_numpy()
        more, rest = mended(_array(also)), shapes.copy()
        for i, j in _likes(frame, others, by):
            rest[i] = _uncovered(shapes[i], np.concatenate([covers[j], more]), accuracy_ft)
        self.shapes, self.row = shapely.get_parts(rest, return_index=True)
        there = ~shapely.is_empty(self.shapes)
        self.shapes, self.row = self.shapes[there], self.row[there]
        size, whole = _size(rest), _size(shapes)
        share = np.divide(size, whole, out=np.ones(len(shapes)), where=whole > 0)
        self.whole = (share >= WHOLE_SHARE)[self.row]
        self.kept = self.whole | ~_is_thin(self.shapes, accuracy_ft)

    def frame(self, which: np.ndarray, foot: LengthUnit, crs: object) -> geopandas.GeoDataFrame:
        """Some of the parts; those of one shape together."""
        rows = np.unique(self.row[which])
        shapes = np.array(
            [shapely.union_all(self.shapes[which & (self.row == row)]) for row in rows],
            dtype=object,
        )
        area = shapely.area(shapes)
        line = shapely.get_dimensions(shapes) == 1
        table = {
            "row": rows,
            "whole": np.array([bool(self.whole[self.row == row].all()) for row in rows], bool),
            "area_sqft": area,
            "acres": acres(area, foot),  # type: ignore[arg-type]
            "length_ft": np.where(line, shapely.length(shapes), 0.0),
        }
        return geopandas.GeoDataFrame(table, geometry=shapes, crs=crs)


def _array(shapes: Sequence[BaseGeometry]) -> np.ndarray:
    made = np.empty(len(shapes), dtype=object)
    made[:] = list(shapes)
    return made


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


def _is_thin(shapes: np.ndarray, accuracy_ft: float) -> np.ndarray:
    """Areas that hold no circle as wide as the accuracy, and lines no longer than it."""
    dims = shapely.get_dimensions(shapes)
    core = shapely.buffer(shapes, -(accuracy_ft + ROUNDING_FT) / 2.0, join_style="mitre")
    thin: np.ndarray = (dims == 2) & (shapely.area(core) <= 0)
    thin |= (dims == 1) & (shapely.length(shapes) <= accuracy_ft + ROUNDING_FT)
    return thin


def _moved(
    theirs: geopandas.GeoDataFrame,
    ours: geopandas.GeoDataFrame,
    our_wide: geopandas.GeoDataFrame,
    by: str | None,
    accuracy_ft: float,
    foot: LengthUnit,
) -> geopandas.GeoDataFrame:
    a, b, c = (frame.geometry.to_numpy() for frame in (theirs, ours, our_wide))
    rows: list[dict[str, Any]] = []
    for i, j in _likes(theirs, ours, by):
        rows += [
            _pair(a, b, tuple(i[list(one)].tolist()), tuple(j[list(other)].tolist()), foot)
            for one, other in _groups(a[i], b[j])
        ]
    on_ground = ours.index.get_indexer(our_wide.index)
    for i, j in _likes(theirs, our_wide, by):
        for row in offsets_along(a[i], c[j], accuracy_ft):
            drawn = on_ground[j[list(row["drawn_rows"])]]
            row["reference_rows"] = tuple(i[list(row["reference_rows"])].tolist())
            row["drawn_rows"] = tuple(drawn[drawn >= 0].tolist())
            rows.append(row)
    columns = {name: [row[name] for row in rows] for name in PAIR_COLUMNS}
    geometry = _array([row["geometry"] for row in rows])
    return geopandas.GeoDataFrame(columns, geometry=geometry, crs=theirs.crs)


def _groups(
    reference: np.ndarray, drawn: np.ndarray
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Areas of both that overlap each other, directly or through a third, by their rows."""
    a = np.flatnonzero(shapely.get_dimensions(reference) == 2)
    b = np.flatnonzero(shapely.get_dimensions(drawn) == 2)
    if not len(a) or not len(b):
        return []
    i, j = shapely.STRtree(drawn[b]).query(reference[a], predicate="intersects")
    one, other = reference[a[i]], drawn[b[j]]
    common = shapely.area(shapely.intersection(one, other))
    real = common >= LEAST_COMMON * np.minimum(shapely.area(one), shapely.area(other))
    i, j = a[i[real]], b[j[real]]
    group = {("a", int(k)): n for n, k in enumerate(np.unique(i))}
    for x, y in zip(i.tolist(), j.tolist(), strict=True):
        mine, other_one = group[("a", x)], group.get(("b", y))
        if other_one is None:
            group[("b", y)] = mine
        elif other_one != mine:
            group = {k: mine if n == other_one else n for k, n in group.items()}
    return [
        (
            tuple(sorted(k for (side, k), n in group.items() if n == number and side == "a")),
            tuple(sorted(k for (side, k), n in group.items() if n == number and side == "b")),
        )
        for number in dict.fromkeys(group.values())
    ]


def _pair(
    reference: np.ndarray,
    drawn: np.ndarray,
    a: tuple[int, ...],
    b: tuple[int, ...],
    foot: LengthUnit,
) -> dict[str, Any]:
    theirs = shapely.union_all(reference[list(a)])
    ours = shapely.union_all(drawn[list(b)])
    east, north = (
        shapely.get_coordinates(shapely.centroid(ours))[0]
        - shapely.get_coordinates(shapely.centroid(theirs))[0]
    )
    larger = float(shapely.area(ours) - shapely.area(theirs))
    return {
        "reference_rows": a,
        "drawn_rows": b,
        "hausdorff_ft": hausdorff_ft(theirs, ours),
        "offset_ft": float(np.hypot(east, north)),
        "east_ft": float(east),
        "north_ft": float(north),
        "reference_sqft": float(shapely.area(theirs)),
        "drawn_sqft": float(shapely.area(ours)),
        "difference_sqft": larger,
        "difference_acres": acres(larger, foot),
        "reference_geometry": theirs,
        "geometry": ours,
    }


def hausdorff_ft(one: BaseGeometry, other: BaseGeometry) -> float:
    """How far the outlines of two areas lie from each other at most, in feet.

    Outlines are sampled every 10 ft at most; GEOS's own is without index, and slow on long ones.
    """
    a, b = shapely.boundary(one), shapely.boundary(other)
    far = 0.0
    for outline, target in ((a, b), (b, a)):
        step = max(HAUSDORFF_STEP_FT, float(shapely.length(outline)) / 2000.0)
        points = shapely.points(shapely.get_coordinates(shapely.segmentize(outline, step)))
        shapely.prepare(target)
        far = max(far, float(shapely.distance(target, points).max()))
    return far
