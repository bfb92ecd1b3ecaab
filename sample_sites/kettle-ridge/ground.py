"""The ground before and after grading with what follows from it, and how rows become frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cover
import drainage
import geopandas
import grading
import numpy as np
import shapely
import water as wet
from terrain import existing_surface

SQFT_PER_ACRE = 43_560.0
Frames = dict[str, geopandas.GeoDataFrame]


@dataclass(frozen=True)
class Ground:
    """What the layers are read from."""

    before: np.ndarray
    after: np.ndarray
    limits: grading.Limits
    water: wet.Water
    final: cover.FinalCover
    areas: list[drainage.DrainageArea]


def frame(rows: Sequence[tuple[object, ...]], *columns: str) -> geopandas.GeoDataFrame:
    """Rows of (attributes ..., geometry)."""
    data = {name: [row[i] for row in rows] for i, name in enumerate(columns)}
    return geopandas.GeoDataFrame(data, geometry=[row[-1] for row in rows])


def acres(shape: shapely.Geometry) -> float:
    """Acres to 0.01."""
    return round(float(shape.area) / SQFT_PER_ACRE, 2)


def survey() -> Ground:
    """The ground before and after, and what follows from it."""
    before = existing_surface()
    limits = grading.limits(before)
    after = grading.proposed_surface(before, limits)
    water = wet.find_water(before)
    return Ground(
        before,
        after,
        limits,
        water,
        cover.final_cover(after, limits),
        drainage.drainage_areas(after, water),
    )
