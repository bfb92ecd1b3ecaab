"""The existing ground of a site: from its elevation raster, else from its existing contours.

Only the window of a raster that the map needs is read, once per site, and at most MOST_CELLS.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import rasterio
import shapely
from rasterio.enums import Resampling
from rasterio.errors import RasterioError
from rasterio.windows import Window, from_bounds
from shapely.geometry import box

from sitemap.crs import Bounds, Crs, transform_points
from sitemap.layer import Raster
from sitemap.measures.contour_survey import usable_contours
from sitemap.measures.tin import tin_of
from sitemap.places import map_extent
from sitemap.site import Site
from sitemap.units import Length, LengthUnit

ROUND_ABOUT_FT = 300.0  # ground read beyond the map's extent
MOST_CELLS = 4_000_000  # a finer raster is averaged while it is read
TIN_SPACING_FT = 10.0


@dataclass(frozen=True, eq=False)
class Ground:
    """A surface in site coordinates. heights_at gives feet, NaN where the ground is not known."""

    words: str  # what it was read from, for the evidence
    heights_at: Callable[[np.ndarray], np.ndarray]

    def gradient(self, xy: np.ndarray, reach_ft: float) -> np.ndarray:
        """Rise per foot towards east and north, between places `reach_ft` on either side."""
        step = np.array([[reach_ft, 0.0], [-reach_ft, 0.0], [0.0, reach_ft], [0.0, -reach_ft]])
        around = self.heights_at((xy[:, None, :] + step).reshape(-1, 2)).reshape(-1, 4)
        return np.column_stack([around[:, 0] - around[:, 1], around[:, 2] - around[:, 3]]) / (
            2.0 * reach_ft
        )


@lru_cache(maxsize=4)
def existing_ground(site: Site) -> Ground | None:
    """The existing ground, or None where neither raster nor two levels of contours show it.

    A raster is taken when its CRS and its unit of heights are known; kept for the last few sites.
    """
    extent = map_extent(site)
    if extent is None or site.crs is None:
        return None
    wide = _grown(extent, ROUND_ABOUT_FT)
    for raster in site.rasters:
        if raster.role == "elevation":
            ground = _from_raster(raster, site.crs, wide)
            if ground is not None:
                return ground
    return _from_contours(site, wide)


def _grown(bounds: Bounds, by: float) -> Bounds:
    return bounds[0] - by, bounds[1] - by, bounds[2] + by, bounds[3] + by


def _from_contours(site: Site, bounds: Bounds) -> Ground | None:
    layer = site.role("contours_existing")
    if layer is None:
        return None
    contours = usable_contours(layer).within(bounds)
    tin = tin_of(contours.lines, contours.levels_ft, TIN_SPACING_FT)
    return None if tin is None else Ground("existing contours, triangulated", tin.heights_ft)


@dataclass(frozen=True, eq=False)
class _Grid:
    """Heights at cell centres; first centre and step in the raster's CRS, rows going down."""

    z_ft: np.ndarray
    x0: float
    y0: float
    dx: float
    dy: float

    def at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Bilinear; NaN outside the centres and beside cells without a height."""
        column, row = (x - self.x0) / self.dx, (self.y0 - y) / self.dy
        rows, columns = self.z_ft.shape
        with np.errstate(invalid="ignore"):
            inside = (column >= 0) & (row >= 0) & (column <= columns - 1) & (row <= rows - 1)
        found = np.full(len(x), np.nan)
        c = np.minimum(column[inside].astype(int), max(columns - 2, 0))
        r = np.minimum(row[inside].astype(int), max(rows - 2, 0))
        u, v = column[inside] - c, row[inside] - r
        z, right, down = self.z_ft, np.minimum(c + 1, columns - 1), np.minimum(r + 1, rows - 1)
        upper = z[r, c] * (1 - u) + z[r, right] * u
        lower = z[down, c] * (1 - u) + z[down, right] * u
        found[inside] = upper * (1 - v) + lower * v
        return found


def _from_raster(raster: Raster, crs: Crs, bounds: Bounds) -> Ground | None:
    """The raster around the map; None where it cannot be placed, read, or put into feet."""
    if raster.crs is None or raster.vertical_unit is None:
        return None
    try:
        foot = Length(1.0, LengthUnit.parse(raster.vertical_unit)).feet
    except ValueError:
        return None
    grid = _read(raster, _in(raster.crs, crs, bounds), foot)
    if grid is None:
        return None
    own = raster.crs

    def heights_at(xy: np.ndarray) -> np.ndarray:
        x, y = transform_points(xy[:, 0], xy[:, 1], crs, own)
        return grid.at(x, y)

    return Ground(f"elevation raster {raster.provenance.file}", heights_at)


def _in(own: Crs, crs: Crs, bounds: Bounds) -> Bounds:
    """The bounds of a box in another CRS; its edges are walked, since they may be curved."""
    edge = shapely.get_coordinates(shapely.segmentize(box(*bounds).exterior, 200.0))
    x, y = transform_points(edge[:, 0], edge[:, 1], crs, own)
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _read(raster: Raster, bounds: Bounds, foot: float) -> _Grid | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with rasterio.open(raster.path, driver=raster.provenance.driver) as source:
                whole = Window(0, 0, source.width, source.height)
                window = from_bounds(*bounds, source.transform).round_offsets().round_lengths()
                window = window.intersection(whole)
                shrink = max(1.0, (window.width * window.height / MOST_CELLS) ** 0.5)
                shape = (max(1, int(window.height / shrink)), max(1, int(window.width / shrink)))
                cells = source.read(
                    1, window=window, out_shape=shape, masked=True, resampling=Resampling.average
                )
                left, bottom, right, top = source.window_bounds(window)
    except (RasterioError, ValueError):  # WindowError too: the raster lies elsewhere
        return None
    z = np.ma.filled(cells.astype(float), np.nan) * foot
    z[np.abs(z) > 1e30] = np.nan  # near-max floats are fill values
    if not np.isfinite(z).any():
        return None
    dx, dy = (right - left) / shape[1], (top - bottom) / shape[0]
    return _Grid(z, left + dx / 2.0, top - dy / 2.0, dx, dy)
