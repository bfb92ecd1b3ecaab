"""Opened elevation rasters; those of one CRS and one grid are read as if they were one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import rasterio
from affine import Affine
from rasterio.errors import RasterioError
from rasterio.windows import Window

from sitemap.crs import Bounds, Crs, same_crs
from sitemap.errors import SurfaceError
from sitemap.layer import Raster
from sitemap.project import Project
from sitemap.terrain.vertical import Vertical, feet_per, vertical_of

# no land lies lower or higher: beyond are fill values, declared or not (-9999, near-max floats)
_LAND_FT = -1_500.0, 30_000.0
SAME_PLACE = 1e-3  # of a cell: tiles whose corners agree this well share one grid


@dataclass(frozen=True, eq=False)
class Tile:
    """One opened raster on the common grid of its mosaic."""

    source: Any
    row: int
    column: int
    to_ft: float  # feet per unit of the cells, scale of the band included
    plus_ft: float
    fill: float | None = None  # stands for no height, though not declared


@dataclass(eq=False)
class Mosaic:
    """Rasters of one CRS and one grid, as if they were one."""

    crs: Crs
    transform: Affine
    vertical: Vertical
    tiles: list[Tile] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @property
    def fills(self) -> list[str]:
        """Which tiles have a fill value that is not declared, in words."""
        return [
            f"{name}: cells of {tile.fill:.4g} are taken for voids, though not declared as such: "
            "they lie far from all heights"
            for name, tile in zip(self.names, self.tiles, strict=True)
            if tile.fill is not None
        ]

    @property
    def extent(self) -> tuple[int, int, int, int]:
        """First row and column, and those behind the last ones."""
        ends = [(s.row + s.source.height, s.column + s.source.width) for s in self.tiles]
        starts = [(s.row, s.column) for s in self.tiles]
        return (*map(min, zip(*starts, strict=True)), *map(max, zip(*ends, strict=True)))

    @property
    def bounds(self) -> Bounds:
        """xmin, ymin, xmax, ymax of the corners, in its own CRS."""
        row0, column0, row1, column1 = self.extent
        corners = [self.transform @ (c, r) for c in (column0, column1) for r in (row0, row1)]
        x, y = zip(*corners, strict=True)
        return min(x), min(y), max(x), max(y)

    def read_ft(self, row: int, column: int, rows: int, columns: int) -> np.ndarray:
        """Heights of a block in feet; NaN for voids and outside all tiles."""
        block = np.full((rows, columns), np.nan)
        for tile in self.tiles:
            top, left = max(row, tile.row), max(column, tile.column)
            bottom = min(row + rows, tile.row + tile.source.height)
            right = min(column + columns, tile.column + tile.source.width)
            if bottom <= top or right <= left:
                continue
            window = Window(left - tile.column, top - tile.row, right - left, bottom - top)
            part = block[top - row : bottom - row, left - column : right - column]
            gaps = np.isnan(part)
            if gaps.any():
                np.copyto(part, _heights(tile, window), where=gaps)
        return block


def _heights(tile: Tile, window: Window) -> np.ndarray:
    cells = tile.source.read(1, window=window, masked=True)
    z: np.ndarray = cells.data.astype(float)
    if cells.mask.any():
        z[cells.mask] = np.nan
    if tile.fill is not None:
        z[z == tile.fill] = np.nan
    with np.errstate(invalid="ignore", over="ignore"):
        z *= tile.to_ft
        z += tile.plus_ft
        if not (z.min() > _LAND_FT[0] and z.max() < _LAND_FT[1]):  # False beside a void, too
            z[~((z > _LAND_FT[0]) & (z < _LAND_FT[1]))] = np.nan
    return z


def mosaics_of(stack: ExitStack, rasters: Sequence[Raster], project: Project) -> list[Mosaic]:
    """The rasters, opened until the stack closes, joined where one continues another's grid.

    SurfaceError for one that cannot be opened or placed, or whose unit is stated nowhere.
    """
    found: list[Mosaic] = []
    for raster in sorted(rasters, key=lambda r: r.provenance.file):
        source = _opened(stack, raster)
        assert raster.crs is not None
        vertical = vertical_of(source, raster, project)
        home = next((m for m in found if _on_grid(source.transform, raster.crs, m)), None)
        if home is None:
            home = Mosaic(raster.crs, source.transform, vertical)
            found.append(home)
        column, row = ~home.transform @ (source.transform.c, source.transform.f)
        feet = feet_per(vertical.unit)
        scale, plus = source.scales[0] * feet, source.offsets[0] * feet
        home.tiles.append(Tile(source, round(row), round(column), scale, plus, raster.fill))
        home.names.append(raster.provenance.file)
    return found


def _opened(stack: ExitStack, raster: Raster) -> Any:
    name = raster.provenance.file
    if raster.crs is None:
        raise SurfaceError(f"{name}: has no CRS, so that it cannot be placed; say crs in site.toml")
    try:
        source = stack.enter_context(
            rasterio.open(raster.path, driver=raster.provenance.driver, OVERVIEW_LEVEL="NONE")
        )
    except (RasterioError, OSError) as error:
        reason = str(error).replace(raster.path, "the file").splitlines()[0]
        raise SurfaceError(f"{name}: cannot be opened ({reason})") from None
    if source.transform.is_identity or source.gcps[0]:
        raise SurfaceError(f"{name}: is not placed on the ground by a grid; warp it first")
    return source


def _on_grid(transform: Affine, crs: Crs, mosaic: Mosaic) -> bool:
    """Whether a raster continues the grid of a mosaic."""
    own = mosaic.transform
    cell = math.hypot(own.a, own.d)
    alike = np.allclose(transform[:2] + transform[3:5], own[:2] + own[3:5], 0, cell * 1e-6)
    if not alike or not same_crs(crs, mosaic.crs):
        return False
    column, row = ~own @ (transform.c, transform.f)
    return bool(max(abs(column - round(column)), abs(row - round(row))) < SAME_PLACE)
