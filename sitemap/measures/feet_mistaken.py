"""Whether a layer fits the boundary only when one foot is read as the other (2 ppm)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs, linear_unit, transform_points
from sitemap.units import LengthUnit

CORNERS = 3  # fewer could fit by chance
FIT_FT = 0.05
FOOT_RATIO = float(LengthUnit.US_SURVEY_FOOT.metres / LengthUnit.FOOT.metres)  # 1.000002


@dataclass(frozen=True)
class FootMistaken:
    """How far off the layer lies, how many corners of the boundary say so, and its true foot."""

    off_ft: float
    direction: str
    corners: int
    foot: str


def foot_mistaken(
    shapes: np.ndarray, crs: Crs, site_crs: Crs, boundary: BaseGeometry
) -> FootMistaken | None:
    """The layer's true foot where only exchanging the feet makes it fit; else None.

    shapes are in `crs`, the boundary in the site CRS. Only for a `crs` in feet.
    """
    unit = linear_unit(crs)
    if unit is None or not unit.is_foot:
        return None
    own = shapely.get_coordinates(shapes[~shapely.is_missing(shapes)])
    own = np.unique(own[np.isfinite(own).all(axis=1)], axis=0)
    corners = np.unique(shapely.get_coordinates(boundary), axis=0)
    if len(own) < CORNERS or len(corners) < CORNERS:
        return None
    tree = shapely.STRtree([shapely.Point(xy) for xy in corners])
    if _fitting(own, crs, site_crs, tree):
        return None
    survey = unit is LengthUnit.US_SURVEY_FOOT
    factor = 1 / FOOT_RATIO if survey else FOOT_RATIO  # stated unit to the other one
    count = _fitting(own * factor, crs, site_crs, tree)
    if count < CORNERS:
        return None
    shift = own.mean(axis=0) * (1 - factor)
    return FootMistaken(
        math.hypot(*shift),
        f"{'east' if shift[0] > 0 else 'west'} and {'north' if shift[1] > 0 else 'south'}",
        count,
        "international foot" if survey else "US survey foot",
    )


def _fitting(xy: np.ndarray, crs: Crs, site_crs: Crs, tree: shapely.STRtree) -> int:
    """How many corners of the boundary have a vertex of the layer on them."""
    x, y = transform_points(xy[:, 0], xy[:, 1], crs, site_crs)
    sound = np.isfinite(x) & np.isfinite(y)
    vertices = shapely.points(np.column_stack([x[sound], y[sound]]))
    hits = tree.query(vertices, predicate="dwithin", distance=FIT_FT)[1]
    return int(np.unique(hits).size)
