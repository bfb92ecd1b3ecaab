"""How far contours lie from a surface: heights compared along the lines. Feet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.contours import Contours, sample

SPACING_FT = 10.0

HeightsAt = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class HeightDifferences:
    """Surface less contour at even steps along lines, weighted by the length each stands for.

    NaN where the surface has no height.
    """

    xy: np.ndarray
    line: np.ndarray
    difference_ft: np.ndarray
    weight_ft: np.ndarray

    @property
    def known_ft(self) -> float:
        """The length over which the surface has heights."""
        return float(self.weight_ft[np.isfinite(self.difference_ft)].sum())

    def share_beyond(self, most_ft: float) -> float:
        """The share of the known length that is off by more than a height; 0 without any."""
        known = self.known_ft
        return float(self.weight_ft[self._beyond(most_ft)].sum()) / known if known else 0.0

    def median_ft(self) -> float:
        """The middle difference, by length; NaN without any."""
        good = np.isfinite(self.difference_ft)
        if not good.any():
            return float("nan")
        order = np.argsort(self.difference_ft[good], kind="stable")
        along = np.cumsum(self.weight_ft[good][order])
        middle = int(np.searchsorted(along, along[-1] / 2.0))
        return float(self.difference_ft[good][order][middle])

    def lines_beyond(self, most_ft: float) -> BaseGeometry | None:
        """The stretches that are off by more than a height; None where there is none."""
        off = self._beyond(most_ft)
        both = np.flatnonzero(off[:-1] & off[1:] & (np.diff(self.line) == 0))
        if len(both):
            pieces = shapely.linestrings(np.stack([self.xy[both], self.xy[both + 1]], axis=1))
            merged: BaseGeometry = shapely.line_merge(shapely.union_all(pieces))
            return merged
        return shapely.MultiPoint(self.xy[off]) if off.any() else None

    def _beyond(self, most_ft: float) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            beyond: np.ndarray = np.abs(self.difference_ft) > most_ft
        return beyond


def height_differences(contours: Contours, heights_at: HeightsAt) -> HeightDifferences:
    """The differences every 10 ft along contours, ends included."""
    points = sample(contours.lines, SPACING_FT)
    count = np.bincount(points.line, minlength=len(contours))
    step = contours.lengths_ft / np.maximum(count - 1, 1)
    weight = step[points.line]
    first = np.r_[True, np.diff(points.line) != 0]
    last = np.r_[np.diff(points.line) != 0, True]
    weight = np.where(first | last, weight / 2.0, weight)
    difference = heights_at(points.xy) - contours.levels_ft[points.line]
    return HeightDifferences(points.xy, points.line, difference, weight)
