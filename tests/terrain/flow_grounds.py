"""Grounds whose heights, slopes and ways are known by formula, as surfaces and as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import rasterio
from affine import Affine

from sitemap.crs import Crs, parse_crs
from sitemap.layer import Provenance, Raster, RoleChoice
from sitemap.terrain.surface import Surface

CRS = parse_crs("EPSG:6609")
EAST, NORTH = 2_469_000.0, 335_000.0
Height = Callable[[np.ndarray, np.ndarray], np.ndarray]


def plane(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rises 10 % to the east and 5 % to the north."""
    return 800.0 + 0.10 * x + 0.05 * y


def cone(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A hill of 25 % slope round the middle of 400 ft by 400 ft."""
    return 900.0 - 0.25 * np.hypot(x - 200.0, y - 200.0)


def bowl(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A hollow of 25 % slope; the lowest way out is over the middle of the east side."""
    return 800.0 + 0.25 * np.hypot(x - 200.0, y - 200.0) - 0.001 * x


def saddle(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A pass in the middle: hills east and west, valleys north and south."""
    return 850.0 + ((x - 200.0) ** 2 - (y - 200.0) ** 2) / 1000.0


def valley(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A V that falls 2 % to the south along x = 200; its sides fall 10 % to it."""
    return 800.0 + 0.02 * y + 0.10 * np.abs(x - 200.0)


def surface(height: Height, *, side_ft: float = 400.0, cell_ft: float = 5.0) -> Surface:
    """A square of ground from the origin, heights at cell centres."""
    count = round(side_ft / cell_ft)
    centre = (np.arange(count) + 0.5) * cell_ft
    x, y = np.meshgrid(centre, centre[::-1])
    return of_cells(height(x, y), cell_ft)


def of_cells(z: np.ndarray, cell_ft: float = 5.0) -> Surface:
    """A surface of given cells, its lower left corner at the origin."""
    grid = Affine(cell_ft, 0.0, 0.0, 0.0, -cell_ft, z.shape[0] * cell_ft)
    return Surface(np.asarray(z, dtype=float), grid, CRS, "made", "ft", "made", None, 0.1, "made")


def write_raster(
    path: Path,
    z: np.ndarray,
    transform: Affine,
    *,
    crs: str = "EPSG:6609",
    dtype: str = "float32",
    nodata: float | None = None,
    unit: str | None = None,
    tags: dict[str, str] | None = None,
    band_tags: dict[str, str] | None = None,
    **more: object,
) -> Path:
    """A GeoTIFF with what it states of its heights."""
    options = {"driver": "GTiff", "count": 1, "dtype": dtype, "nodata": nodata, **more}
    with rasterio.open(
        path, "w", height=z.shape[0], width=z.shape[1], crs=crs, transform=transform, **options
    ) as file:
        file.write(z.astype(dtype), 1)
        if unit is not None:
            file.set_band_unit(1, unit)
        file.update_tags(**(tags or {}))
        file.update_tags(1, **(band_tags or {}))
    return path


def raster(path: Path, *, crs: Crs | None = None, role: str = "elevation") -> Raster:
    """What intake says of a raster, for builders that need no submission."""
    with rasterio.open(path) as file:
        provenance = Provenance(
            path.name, path.stem, file.driver, None, "none", "file", 0, 0, 0, "0" * 64
        )
        return Raster(
            path=str(path),
            provenance=provenance,
            choice=RoleChoice(role, "made"),
            crs=crs or parse_crs(file.crs.to_wkt()),
            width=file.width,
            height=file.height,
            bounds=tuple(file.bounds),
            cell_size=file.res,
            dtype=file.dtypes[0],
            nodata=file.nodata,
            vertical_unit=None,
            vertical_datum=None,
        )
