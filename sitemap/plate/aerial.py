"""Colours of an aerial image at the pixels of a map frame, through the vectors' own operation."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import rasterio
from affine import Affine
from rasterio.enums import ColorInterp, Resampling
from rasterio.errors import RasterioError
from rasterio.windows import Window

from sitemap.errors import PlateError
from sitemap.intake.files import suffix_of
from sitemap.intake.raster import DRIVERS
from sitemap.layer import Raster
from sitemap.plate.marks import GroundFrame
from sitemap.terrain.lattice import places_in

BORDER_CELLS = 2


def sampled_colours(raster: Raster, frame: GroundFrame, rows: int, columns: int) -> np.ndarray:
    """Red, green and blue from 0 to 255 at each pixel, (rows, columns, 3); NaN where there is none.

    PlateError when the cells cannot be read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is odd about the file is told by intake
            driver = DRIVERS[suffix_of(raster.provenance.file)]
            with rasterio.open(raster.path, driver=driver) as source:
                return _sampled(source, raster, frame, rows, columns)
    except RasterioError as error:
        reason = str(error).splitlines()[0]
        name = raster.provenance.file
        raise PlateError(f"{name}: the cells of the image cannot be read ({reason})") from None


def _sampled(
    source: Any, raster: Raster, frame: GroundFrame, rows: int, columns: int
) -> np.ndarray:
    assert raster.crs is not None
    grid = _pixel_grid(frame, rows, columns)
    at_row, at_column, _ = places_in(
        source.transform, raster.crs, raster.bounds, frame.crs, grid, rows, columns
    )
    at_row, at_column = at_row + 0.5, at_column + 0.5  # from centres of cells to their corners
    nothing = np.full((rows, columns, 3), np.nan, dtype=np.float32)
    known = np.isfinite(at_row) & np.isfinite(at_column)
    if not known.any():
        return nothing
    top = max(0, math.floor(at_row[known].min()) - BORDER_CELLS)
    left = max(0, math.floor(at_column[known].min()) - BORDER_CELLS)
    bottom = min(source.height, math.ceil(at_row[known].max()) + BORDER_CELLS)
    right = min(source.width, math.ceil(at_column[known].max()) + BORDER_CELLS)
    if bottom <= top or right <= left:
        return nothing
    window = Window(left, top, right - left, bottom - top)
    finer = max(1.0, min((right - left) / columns, (bottom - top) / rows))
    height, width = math.ceil((bottom - top) / finer), math.ceil((right - left) / finer)
    colours, there = _read(source, window, height, width)
    with np.errstate(invalid="ignore"):
        row = np.floor((at_row - top) * height / (bottom - top))
        column = np.floor((at_column - left) * width / (right - left))
        inside = known & (row >= 0) & (column >= 0) & (row < height) & (column < width)
    r, c = row[inside].astype(int), column[inside].astype(int)
    nothing[inside] = np.where(there[r, c, None], colours[r, c], np.nan)
    return nothing


def _read(source: Any, window: Window, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Colours (height, width, 3) of a window and where the image has any."""
    kinds = source.colorinterp
    shape = (height, width)
    there = source.dataset_mask(window=window, out_shape=shape) > 0
    if kinds[0] is ColorInterp.palette:
        numbers = source.read(1, window=window, out_shape=shape)
        table = np.zeros((256, 3), dtype=np.float32)
        for number, colour in source.colormap(1).items():
            table[number % 256] = colour[:3]
        return table[numbers], there
    wanted = (ColorInterp.red, ColorInterp.green, ColorInterp.blue)
    bands = [kinds.index(kind) + 1 for kind in wanted if kind in kinds]
    if len(bands) < 3:
        bands = [1, 1, 1] if source.count < 3 else [1, 2, 3]
    cells = source.read(
        bands, window=window, out_shape=(3, *shape), resampling=Resampling.average
    ).astype(np.float32)
    return _to_bytes(cells, source.dtypes[0]).transpose(1, 2, 0), there


def _to_bytes(cells: np.ndarray, dtype: str) -> np.ndarray:
    """Values of 8 bits as they are; of others from the 2nd to the 98th percentile."""
    if dtype == "uint8":
        return cells
    low, high = np.nanpercentile(cells, (2.0, 98.0))
    stretched: np.ndarray = (cells - low) * (255.0 / max(float(high - low), 1e-6))
    clipped: np.ndarray = np.clip(stretched, 0.0, 255.0)
    return clipped


def _pixel_grid(frame: GroundFrame, rows: int, columns: int) -> Affine:
    """From (column, row) of pixel corners, rows from the top, to the ground of a frame."""
    left, bottom, right, top = frame.box_in
    corners = frame.to_ground(np.array([[left, top], [right, top], [left, bottom]]))
    across, down = (corners[1] - corners[0]) / columns, (corners[2] - corners[0]) / rows
    return Affine(across[0], down[0], corners[0, 0], across[1], down[1], corners[0, 1])
