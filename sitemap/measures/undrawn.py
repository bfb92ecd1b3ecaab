"""Parts of a reference that the map does not show, those that touch each other as one thing."""

from __future__ import annotations

from dataclasses import dataclass

import geopandas
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Source
from sitemap.layer import SOURCE_FILE, SOURCE_LAYER
from sitemap.measures.cover import acres
from sitemap.measures.records import sources
from sitemap.measures.reference_difference import WHOLE_SHARE, ReferenceDifference
from sitemap.reference import DOUBT
from sitemap.units import LengthUnit

MOST_LABELS = 3
SAME_FT = 0.5  # what lies no farther apart would be told as 0 ft


@dataclass(frozen=True, eq=False)
class Undrawn:
    """One thing that is not drawn: its shape on the compared ground, in feet of the site.

    whole: nothing of it is drawn. doubt: why it may not be what its reference says, "" where
    nothing is doubtful. labels are names or codes, each once.
    """

    shape: BaseGeometry
    whole: bool
    labels: tuple[str, ...]
    doubt: str
    sources: tuple[Source, ...]
    sqft: float
    acres: float
    length_ft: float

    @property
    def is_point(self) -> bool:
        """Whether the reference shows it as a point, too small to draw."""
        return self.sqft == 0 and self.length_ft == 0

    @property
    def size_words(self) -> str:
        """'1.25 acres', '412 ft'; '' for a point."""
        if self.sqft:
            return f"{self.acres:,.2f} acres" if self.acres >= 0.01 else f"{self.sqft:,.0f} sq ft"
        return f"{self.length_ft:,.0f} ft" if self.length_ft else ""

    @property
    def label(self) -> str:
        """The labels in words, at most three."""
        more = len(self.labels) - MOST_LABELS
        return ", ".join(self.labels[:MOST_LABELS]) + (f" and {more} more" if more > 0 else "")

    @property
    def where(self) -> str:
        """The datasets that show it."""
        return " and ".join(self._files)

    @property
    def show(self) -> str:
        """'shows' of one dataset, 'show' of several."""
        return "shows" if len(self._files) < 2 else "show"

    @property
    def _files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(source.file or "" for source in self.sources))


def undrawn(
    difference: ReferenceDifference, columns: tuple[str, ...], foot: LengthUnit
) -> list[Undrawn]:
    """What is missing, joined where it touches, from west to east.

    Labels are from the first of the columns that is filled.
    """
    parts = difference.missing
    if parts.empty:
        return []
    frame = difference.reference.iloc[parts["row"].to_numpy()]
    shapes, twins = _each_once(parts.geometry.to_numpy(), _datasets(frame), difference.accuracy_ft)
    labels, where = _labels(frame, columns), sources(frame)
    doubts = [str(d) if isinstance(d, str) else "" for d in frame[DOUBT]]
    found = []
    for rows in _touching(shapes, twins):
        shape = shapely.union_all(shapes[rows])
        found.append(
            Undrawn(
                shape,
                bool(parts["whole"].to_numpy()[rows].all()),
                tuple(dict.fromkeys(labels[i] for i in rows if labels[i])),
                doubts[rows[0]] if all(doubts[i] for i in rows) else "",
                tuple(where[i] for i in rows),
                float(shapely.area(shape)),
                acres(float(shapely.area(shape)), foot),
                float(shapely.length(shape)) if shapely.get_dimensions(shape) == 1 else 0.0,
            )
        )
    return sorted(found, key=lambda one: shapely.bounds(one.shape)[:2].tolist())


def _datasets(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """A number for the dataset of each row, in the order in which they come."""
    named = list(zip(frame[SOURCE_FILE], frame[SOURCE_LAYER], strict=True))
    number = {one: n for n, one in enumerate(dict.fromkeys(named))}
    return np.array([number[one] for one in named], dtype=int)


def _each_once(
    shapes: np.ndarray, dataset: np.ndarray, accuracy_ft: float
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The shapes without what a dataset named before shows within the accuracy; pairs of those.

    One creek in two public maps is one creek: of a line the rest is left, of a point nothing.
    Areas that overlap are joined as they are.
    """
    left, twins = shapes.copy(), []
    for row in np.flatnonzero((dataset > 0) & (shapely.get_dimensions(shapes) < 2)).tolist():
        dimension = shapely.get_dimensions(shapes[row])
        before = np.flatnonzero(dataset < dataset[row])
        alike = shapely.get_dimensions(shapes[before]) == 1 if dimension else True
        near = before[shapely.dwithin(shapes[before], shapes[row], accuracy_ft) & alike]
        if not len(near):
            continue
        rest = shapely.difference(
            shapes[row], shapely.union_all(shapely.buffer(shapes[near], accuracy_ft))
        )
        if shapely.length(rest) <= accuracy_ft:
            left[row] = shapely.GeometryCollection()
            twins.append((row, int(near[np.argmin(shapely.distance(shapes[near], shapes[row]))])))
        elif shapely.length(rest) < WHOLE_SHARE * shapely.length(shapes[row]):
            left[row] = rest  # more than a crossing is shown before
    return left, twins


def _touching(shapes: np.ndarray, twins: list[tuple[int, int]]) -> list[list[int]]:
    """Rows in groups of shapes of one dimension that touch, directly or through others."""
    dims = shapely.get_dimensions(shapes)
    i, j = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    same = dims[i] == dims[j]
    group = np.arange(len(shapes))
    for a, b in [*zip(i[same].tolist(), j[same].tolist(), strict=True), *twins]:
        if group[a] != group[b]:
            group[group == group[b]] = group[a]
    return [np.flatnonzero(group == number).tolist() for number in dict.fromkeys(group.tolist())]


def _labels(frame: geopandas.GeoDataFrame, columns: tuple[str, ...]) -> list[str]:
    found = [""] * len(frame)
    for name in columns:
        if name in frame.columns:
            values = frame[name].tolist()
            found = [
                said or (value.strip() if isinstance(value, str) else "")
                for said, value in zip(found, values, strict=True)
            ]
    return found


def difference_words(difference: ReferenceDifference) -> str:
    """How far what both show lies apart, and what the map shows more: evidence, no fault."""
    words = []
    moved = difference.moved
    if len(moved) and (moved["hausdorff_ft"] < SAME_FT).all():
        words.append("what both show lies in the same place")
    elif len(moved):
        worst = moved.iloc[int(np.argmax(moved["hausdorff_ft"].to_numpy()))]
        said = f"what both show lies up to {worst['hausdorff_ft']:,.0f} ft apart"
        said += f" (offset {worst['offset_ft']:,.0f} ft"
        sqft, size = worst["difference_sqft"], worst["difference_acres"]
        if worst["reference_sqft"] and round(abs(sqft)):
            side = "more" if sqft >= 0 else "less"
            said += f", drawn {abs(sqft):,.0f} sq ft or {abs(size):,.2f} acres {side}"
        words.append(f"{said})")
    unknown = len(difference.extra) - difference.extra["row"].isin(difference.elsewhere[1]).sum()
    if unknown:
        words.append(f"{unknown} drawn that the reference does not show")
    if len(difference.slivers):
        count, width = len(difference.slivers), difference.accuracy_ft
        many = "slivers" if count > 1 else "sliver"
        words.append(f"{count} {many} thinner than {width:,.0f} ft left aside")
    return "; ".join(words)
