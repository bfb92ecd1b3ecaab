"""Elevation rasters -> Surface: only the asked window is read, from rasters of any size.

Tiles of one grid are joined before anything is resampled, so that tiling changes nothing. A
raster that already lies square in the site CRS is taken cell by cell; any other is sampled
bilinearly, through the same PROJ operation that moves the vector layers. Overviews are not used.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np
import rasterio
from affine import Affine
from rasterio.errors import RasterioError

from sitemap.crs import Bounds, Crs, linear_unit, same_crs, transform_back
from sitemap.errors import SurfaceError
from sitemap.layer import Raster
from sitemap.project import Project
from sitemap.terrain.lattice import places_of
from sitemap.terrain.surface import Surface, bilinear, is_known
from sitemap.terrain.tiles import SAME_PLACE, Mosaic, mosaics_of

MOST_CELLS = 25_000_000  # of a surface; a window with more is averaged over whole cells
BLOCK_CELLS = 1024  # along a side of what is read at once,
BAND_ROWS = 32  # and rows of it that are sampled at once: what stays in the cache


def surface_from_rasters(
    rasters: Sequence[Raster], crs: Crs, bounds: Bounds, project: Project | None = None
) -> Surface:
    """The surface inside bounds (feet of `crs`) from one raster or several tiles.

    Where rasters overlap the finer one is taken, and of equals the first by name. SurfaceError
    for a raster that cannot be placed or read, whose unit of heights is stated nowhere, or when
    none reaches the window.
    """
    said = project or Project()
    with ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is odd about the files is told by intake
        stack.enter_context(rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True))
        mosaics = mosaics_of(stack, rasters, said)
        mosaics.sort(key=lambda m: (_cell_ft(m, crs, bounds), m.names))
        try:
            return _surface(mosaics, crs, bounds)
        except RasterioError as error:
            names = ", ".join(name for m in mosaics for name in m.names)
            reason = str(error).splitlines()[0]
            raise SurfaceError(f"{names}: the cells cannot be read ({reason})") from None


def _is_square(mosaic: Mosaic, crs: Crs) -> bool:
    """Whether the cells can be taken as they are."""
    t = mosaic.transform
    upright = t.b == 0 and t.d == 0 and t.a > 0 and math.isclose(t.a, -t.e, rel_tol=1e-6)
    return upright and same_crs(mosaic.crs, crs)


def _cell_ft(mosaic: Mosaic, crs: Crs, bounds: Bounds) -> float:
    """The smaller side of a cell on the ground, in feet of `crs`."""
    t = mosaic.transform
    sides = min(math.hypot(t.a, t.d), math.hypot(t.b, t.e))
    unit, foot = linear_unit(mosaic.crs), linear_unit(crs)
    if unit is not None and foot is not None:
        return sides * float(unit.metres / foot.metres) if unit is not foot else sides
    x, y = (bounds[0] + bounds[2]) / 2.0, (bounds[1] + bounds[3]) / 2.0
    lattice = np.array([[x, y], [x + 100.0, y], [x, y + 100.0]])
    u, v, _ = transform_back(lattice[:, 0], lattice[:, 1], mosaic.crs, crs, mosaic.bounds)
    column, row = ~t @ (u, v)
    across = math.hypot(column[1] - column[0], row[1] - row[0])
    up = math.hypot(column[2] - column[0], row[2] - row[0])
    wanted = 100.0 / max(across, up)
    return float(f"{wanted:.3g}") if math.isfinite(wanted) else math.inf


def _surface(mosaics: list[Mosaic], crs: Crs, bounds: Bounds) -> Surface:
    first = mosaics[0]
    cell = _cell_ft(first, crs, bounds)
    if not math.isfinite(cell):
        raise SurfaceError(f"{first.names[0]}: cannot be brought into the CRS of the map")
    square = _is_square(first, crs)
    corner = (first.transform.c, first.transform.f) if square else (0.0, 0.0)
    times = max(1, math.ceil(math.sqrt(_area(bounds) / cell**2 / MOST_CELLS)))
    grid, shape = _grid(bounds, cell, corner, times)
    z = np.full((shape[0] // times, shape[1] // times), np.nan)
    operations, used = [], []
    for mosaic in mosaics:
        before = int(np.isnan(z).sum())
        operations.append(_fill(z, mosaic, crs, grid, times))
        if int(np.isnan(z).sum()) < before:
            used.append(mosaic)
    if not used:
        names = ", ".join(name for m in mosaics for name in m.names)
        raise SurfaceError(f"{names}: no cell with a height lies on the map and around it")
    covered = float(np.isfinite(z).mean() * 100.0)
    notes = [note for m in used for note in (*m.vertical.notes, *m.fills)]
    if times > 1:
        notes.append(f"the window is large: {times} by {times} cells are averaged to one")
    coarse = Affine(cell * times, 0.0, grid.c, 0.0, -cell * times, grid.f)
    z, coarse = _trimmed(z, coarse)
    datums = {m.vertical.datum for m in used}
    if len(datums) > 1:
        notes.append(f"the rasters differ in datum: {', '.join(sorted(map(str, datums)))}")
    v = used[0].vertical
    return Surface(
        z,
        coarse,
        crs,
        "elevation raster " + ", ".join(name for m in used for name in m.names),
        v.unit.symbol,
        v.how,
        v.datum,
        v.error_ft,
        v.error_how,
        "; ".join(dict.fromkeys(operations)),
        covered,
        tuple(dict.fromkeys(notes)),
    )


def _area(bounds: Bounds) -> float:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])


def _grid(
    bounds: Bounds, cell: float, corner: tuple[float, float], times: int
) -> tuple[Affine, tuple[int, int]]:
    """Cells on whole steps from `corner` that cover the bounds, so that a place has one cell."""
    step = cell * times
    left = math.floor((bounds[0] - corner[0]) / step + SAME_PLACE)
    right = math.ceil((bounds[2] - corner[0]) / step - SAME_PLACE)
    top = math.ceil((bounds[3] - corner[1]) / step - SAME_PLACE)
    bottom = math.floor((bounds[1] - corner[1]) / step + SAME_PLACE)
    grid = Affine(cell, 0.0, corner[0] + left * step, 0.0, -cell, corner[1] + top * step)
    return grid, (max(1, top - bottom) * times, max(1, right - left) * times)


def _fill(z: np.ndarray, mosaic: Mosaic, crs: Crs, grid: Affine, times: int) -> str:
    """Put heights of a mosaic into the voids of z; the operation that brought them, in words.

    grid is that of single cells, `times` of which along a side are averaged to one of z; one with
    a void among them is void.
    """
    whole = _whole_offset(mosaic, crs, grid)
    operation = "none"
    step = max(1, BLOCK_CELLS // times)
    for top in range(0, z.shape[0], step):
        for left in range(0, z.shape[1], step):
            part = z[top : top + step, left : left + step]
            gaps = np.isnan(part)
            if not gaps.any():
                continue
            rows, columns = part.shape[0] * times, part.shape[1] * times
            r0, c0 = top * times, left * times
            if whole is not None:
                block = mosaic.read_ft(r0 + whole[0], c0 + whole[1], rows, columns)
            else:
                place = grid @ Affine.translation(c0, r0)
                block, operation = _sampled(mosaic, crs, place, rows, columns)
            if times > 1:
                block = block.reshape(part.shape[0], times, part.shape[1], times).mean(axis=(1, 3))
            np.copyto(part, block, where=gaps)
    return operation


def _whole_offset(mosaic: Mosaic, crs: Crs, grid: Affine) -> tuple[int, int] | None:
    """Rows and columns from the mosaic's first cell to the grid's; None where they do not meet."""
    cell = mosaic.transform.a
    if not _is_square(mosaic, crs) or not math.isclose(cell, grid.a, rel_tol=1e-6):
        return None
    column, row = ~mosaic.transform @ (grid.c, grid.f)
    if max(abs(column - round(column)), abs(row - round(row))) > SAME_PLACE:
        return None
    return round(row), round(column)


def _sampled(
    mosaic: Mosaic, crs: Crs, place: Affine, rows: int, columns: int
) -> tuple[np.ndarray, str]:
    """A block of the surface by bilinear sampling, and the operation in words."""
    places = places_of(mosaic.transform, mosaic.crs, mosaic.bounds, crs, place, rows, columns)
    moved = places.account.operation != "none"
    operation = str(places.account) if moved else "none: cells moved only"
    r0, c0, r1, c1 = mosaic.extent
    found = np.full((rows, columns), np.nan)
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a block of which no place is known
        lowest, highest = np.nanmin(places.row), np.nanmax(places.row)
        first, last = np.nanmin(places.column), np.nanmax(places.column)
    if not math.isfinite(lowest + first):
        return found, operation
    top, bottom = max(r0, math.floor(lowest)), min(r1, math.ceil(highest) + 2)
    left, right = max(c0, math.floor(first)), min(c1, math.ceil(last) + 2)
    if bottom <= top or right <= left:
        return found, operation
    block = mosaic.read_ft(top, left, bottom - top, right - left)
    known = is_known(block)
    for start in range(0, rows, BAND_ROWS):
        end = min(start + BAND_ROWS, rows)
        row, column = places.band(start, end)
        found[start:end] = bilinear(block, row - top, column - left, known=known)
    return found, operation


def _trimmed(z: np.ndarray, grid: Affine) -> tuple[np.ndarray, Affine]:
    """Without the outer rows and columns that are void throughout."""
    known = np.isfinite(z)
    rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    kept = z[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
    return kept, grid @ Affine.translation(int(columns[0]), int(rows[0]))
