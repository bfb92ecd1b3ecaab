"""Lines that lie where they lay and are drawn the other way: the flow that they show is turned."""

from __future__ import annotations

import geopandas
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import LayerSpec

PLACES = 32  # along each part of a line at which its direction is looked at
STEP_FT = 0.05  # to either side of a place, for the direction there
TURNED = -0.5  # mean cosine of the two directions; a line that runs out and back is near 0


def directed_rows(spec: LayerSpec | None, frame: geopandas.GeoDataFrame) -> np.ndarray:
    """Which lines say something by the direction in which they are drawn: their symbol has arrows.

    A diversion does, a silt fence does not.
    """
    if spec is None:
        return np.zeros(len(frame), dtype=bool)
    named = frame[spec.type_field] if spec.type_field in frame else [None] * len(frame)
    own = (spec.types.get(str(name)) for name in named)
    symbols = (spec.symbol if kind is None or kind.symbol is None else kind.symbol for kind in own)
    return np.array([symbol.arrows for symbol in symbols], dtype=bool)


def reversed_ft(old: BaseGeometry, new: BaseGeometry, beside_ft: float) -> float:
    """Feet of the new line in parts that run against the old one, which lies at most so far off."""
    if {int(shapely.get_dimensions(shape)) for shape in (old, new)} != {1}:
        return 0.0
    if shapely.equals_exact(old, new, 0.0):
        return 0.0
    before = shapely.get_parts(old)
    parts = shapely.get_parts(new)
    return float(sum(part.length for part in parts if _is_against(part, before, beside_ft)))


def _is_against(part: BaseGeometry, before: np.ndarray, beside_ft: float) -> bool:
    at = (np.arange(PLACES) + 0.5) / PLACES * part.length
    own = np.full(PLACES, part, dtype=object)
    spots = shapely.line_interpolate_point(own, at)
    apart = shapely.distance(before[:, None], spots[None, :])
    nearest = apart.argmin(axis=0)
    near = apart[nearest, np.arange(PLACES)] <= beside_ft
    if 2 * int(near.sum()) < PLACES:
        return False
    under = before[nearest[near]]
    there = _direction(under, shapely.line_locate_point(under, spots[near]))
    cosines = (_direction(own[near], at[near]) * there).sum(axis=1)
    return bool(cosines.mean() < TURNED)


def _direction(lines: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The unit vector of each line about a length along it."""
    ends = [
        shapely.get_coordinates(
            shapely.line_interpolate_point(lines, np.clip(at + step, 0.0, shapely.length(lines)))
        )
        for step in (-STEP_FT, STEP_FT)
    ]
    way = ends[1] - ends[0]
    unit: np.ndarray = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-12)[:, None]
    return unit
