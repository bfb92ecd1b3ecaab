"""Cells of a grid joined to polygons along their sides."""

from __future__ import annotations

import numpy as np
import rasterio.features
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import polygons_of

SPECK_SQFT = 400.0


def labelled_areas(
    label: np.ndarray, transform: Affine, cell_ft: float, count: int
) -> list[BaseGeometry]:
    """Cells of each label as one shape; their common edges are smoothed alike by a cell's side."""
    made: list[list[BaseGeometry]] = [[] for _ in range(count)]
    found = rasterio.features.shapes(label, mask=label > 0, transform=transform)
    for shape, number in found:
        polygon = shapely.Polygon(shape["coordinates"][0], shape["coordinates"][1:])
        made[int(number) - 1].append(polygon)
    joined = np.array([shapely.union_all(parts) for parts in made], dtype=object)
    smooth = shapely.coverage_simplify(joined, cell_ft)
    return [_without_specks(shape) for shape in smooth]


def cells_as_areas(mask: np.ndarray, transform: Affine) -> np.ndarray:
    """Cells that are true, joined to polygons along their sides."""
    found = rasterio.features.shapes(mask.astype("uint8"), mask=mask, transform=transform)
    made = [
        shapely.Polygon(shape["coordinates"][0], shape["coordinates"][1:]) for shape, _ in found
    ]
    return np.array(made, dtype=object)


def _without_specks(shape: BaseGeometry) -> BaseGeometry:
    """Without parts that hang on by a corner of a cell; the largest part always stays."""
    parts = polygons_of(shapely.make_valid(shape))
    size = shapely.area(parts)
    kept = parts[(size >= SPECK_SQFT) | (size == size.max(initial=0.0))]
    whole: BaseGeometry = shapely.union_all(kept)
    return whole
