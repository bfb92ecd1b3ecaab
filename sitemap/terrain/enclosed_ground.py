"""Ground enclosed by other ground: small voids that water is led round, holes between areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import rasterio.features
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.design import cells_inside
from sitemap.terrain.flow_field import FlowField
from sitemap.terrain.surface import Surface

MOSTLY = 0.5
WALL_FT = 1000.0  # above all ground: water flows round a void, and never over it


@dataclass(frozen=True, eq=False)
class Between:
    """Known ground between areas, with its number, and where its water leaves it: cell (flat)."""

    shape: BaseGeometry
    number: int
    cell: np.ndarray
    xy: tuple[float, float]


def round_small_voids(surface: Surface, most_sqft: float) -> tuple[Surface, float]:
    """The surface with a wall on each void of up to most_sqft that has ground all round it.

    And the square feet of those. No height is made up: a wall only says that no water is lost.
    """
    void = np.isnan(surface.z_ft)
    if not void.any() or void.all():
        return surface, 0.0
    rows, columns = void.shape
    most_cells = most_sqft / surface.cell_ft**2
    walls = []
    for shape, _ in rasterio.features.shapes(void.astype("uint8"), mask=void, connectivity=8):
        ring = np.array(shape["coordinates"][0])
        (left, top), (right, bottom) = ring.min(axis=0), ring.max(axis=0)
        x, y = ring.T
        size = abs(float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))) / 2.0
        if min(left, top) > 0 and right < columns and bottom < rows and size <= most_cells:
            walls.append((shape, 1))
    if not walls:
        return surface, 0.0
    wall = rasterio.features.rasterize(walls, void.shape, dtype="uint8").astype(bool) & void
    z = np.where(wall, surface.range_ft[1] + WALL_FT, surface.z_ft)
    return replace(surface, z_ft=z), float(wall.sum() * surface.cell_ft**2)


def areas_between(
    field: FlowField, label: np.ndarray, holes: Sequence[BaseGeometry], first: int
) -> list[Between]:
    """Holes in most of which the ground is known, numbered from `first`, also in `label`."""
    columns = label.shape[1]
    found: list[Between] = []
    for hole in holes:
        inside = cells_inside(field.surface, hole).ravel()
        own = inside & (label == 0).ravel() & field.known
        if own.sum() <= MOSTLY * inside.sum():
            continue
        here = FlowField(
            field.surface, np.where(own, field.receiver, field.outside), field.spill_ft
        )
        leaves = np.flatnonzero(own & ~np.append(own, False)[field.receiver])
        cell = leaves[here.gathered(own)[leaves].argmax()]
        number = first + len(found)
        label[own.reshape(label.shape)] = number
        x, y = field.surface.xy(cell // columns, cell % columns)[0].tolist()
        found.append(Between(hole, number, np.array([cell]), (x, y)))
    return found
