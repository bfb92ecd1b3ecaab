"""Layers that mix kinds of geometry: which of its shapes the role of a layer takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

# file and layer -> the kinds of geometry that its role takes; None where no role is known
Takes = Callable[[str, str], Sequence[str] | None]

_PLURALS = {"point": "points", "line": "lines", "polygon": "areas"}
_KINDS = ("point", "line", "polygon")  # by dimension


def fitting(shapes: np.ndarray, takes: Sequence[str] | None) -> tuple[np.ndarray, str]:
    """Where a shape is of a kind that the role takes, or could be with its ends joined.

    With it what is left out, in words. A layer that holds nothing of the kind is left as it is, so
    that the fault can be named.
    """
    everything = np.ones(len(shapes), dtype=bool)
    if not takes:
        return everything, ""
    size = shapely.get_dimensions(shapes)
    wanted = {_KINDS.index(kind) for kind in takes if kind in _KINDS}
    wanted |= {1} if 2 in wanted else set()  # outlines that do not close are a fault, not a symbol
    keep = np.isin(size, list(wanted))
    if not keep.any() or keep.all():
        return everything, ""
    kinds = Counter(_PLURALS[_KINDS[one]] for one in size[~keep].tolist())
    words = f"{listed(kinds)} on a layer of {' or '.join(_PLURALS.get(k, k) for k in takes)}"
    return keep, words


def as_area(shape: BaseGeometry) -> BaseGeometry:
    """A closed line as the area that it encloses; one that encloses nothing stays as it is."""
    if shape.geom_type != "LineString" or not shape.is_closed or len(shape.coords) < 4:
        return shape
    area = shapely.Polygon(shape.coords)
    return area if area.area > 0 else shape


def listed(counts: Counter[str]) -> str:
    """'points (3), lines (1)': the six most frequent, and how many kinds more."""
    named = [f"{name} ({count:,})" for name, count in counts.most_common(6)]
    return ", ".join(named) + (f" and {len(counts) - 6} more" if len(counts) > 6 else "")
