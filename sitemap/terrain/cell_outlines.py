"""Cells of a grid joined to polygons along their sides, and the cells that shapes touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import rasterio.features
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import polygons_of

SPECK_SQFT = 400.0


def labelled_areas(label: np.ndarray, transform: Affine, count: int) -> list[BaseGeometry]:
    """Cells of each label as one shape; their common edges are smoothed alike by a cell's side."""
    made: list[list[BaseGeometry]] = [[] for _ in range(count)]
    for shape, number in rasterio.features.shapes(label, mask=label > 0):
        polygon = shapely.Polygon(shape["coordinates"][0], shape["coordinates"][1:])
        made[int(number) - 1].append(polygon)
    joined = np.array([shapely.union_all(parts) for parts in made], dtype=object)
    # a vertex at each corner of a cell: where three meet, all three have it
    smooth = shapely.coverage_simplify(shapely.segmentize(joined, 1.0), 1.0)
    placed = shapely.transform(smooth, lambda xy: _placed(xy, transform))
    return [_without_specks(shape) for shape in placed]


def _placed(column_row: np.ndarray, transform: Affine) -> np.ndarray:
    x = transform.c + column_row[:, 0] * transform.a
    return np.column_stack([x, transform.f + column_row[:, 1] * transform.e])


def cells_touched(
    shapes: Sequence[BaseGeometry], size: tuple[int, ...], transform: Affine
) -> np.ndarray:
    """Which cells of a grid of (rows, columns) some shapes touch, be it by a corner."""
    touched: np.ndarray = np.zeros(size, dtype=bool)
    if len(shapes):
        touched |= rasterio.features.rasterize(
            shapes, size, transform=transform, all_touched=True, dtype="uint8"
        ).astype(bool)
    return touched


def cells_as_areas(mask: np.ndarray, transform: Affine) -> np.ndarray:
    """Cells that are true, joined to polygons along their sides."""
    if not mask.any():
        return np.empty(0, dtype=object)
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
