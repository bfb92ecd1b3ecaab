"""Ground and wetlands made up for the benchmarks, like lidar and NWI in kind, always the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import geopandas
import numpy as np
import rasterio
import shapely
from rasterio.transform import from_origin

from sitemap import open_site
from sitemap.crs import parse_crs, transform_points
from sitemap.terrain.downstream import SQFT_PER_ACRE
from sitemap.terrain.gathering import gathered, low_points
from sitemap.terrain.ground import ground_of

CRS = "EPSG:26916"
WEST, NORTH = 400_000.0, 4_750_000.0  # Wisconsin


def heights_m(cells: int) -> np.ndarray:
    """A fractal with a tilt of 1 %, two road embankments, level ponds, 1.5 cm of noise, in cm."""
    random = np.random.default_rng(1)
    kx, ky = np.fft.rfftfreq(cells), np.fft.fftfreq(cells)
    k = np.hypot(kx[None, :], ky[:, None])
    k[0, 0] = 1.0
    phase = np.exp(2j * np.pi * random.random(k.shape)) * k**-2.0
    phase[0, 0] = 0.0
    z = np.fft.irfft2(phase, s=(cells, cells))
    z = (z - z.min()) / (z.max() - z.min()) * (0.016 * cells + 8.0)
    z += np.linspace(0.0, 0.01 * cells, cells)[:, None] + 150.0
    for share in (0.35, 0.7):
        road = z[int(cells * share) - 4 : int(cells * share) + 4]
        np.maximum(road, road.mean(axis=0) + 2.5, out=road)
    y, x = np.ogrid[:cells, :cells]
    for _ in range(max(3, cells // 250)):
        radius = int(random.integers(15, 60))
        row, column = random.integers(radius, cells - radius, 2)
        pond = (y - row) ** 2 + (x - column) ** 2 < radius**2
        z[pond] = z[pond].min()
    z += random.normal(0.0, 0.015, z.shape)
    made: np.ndarray = np.round(z, 2).astype("float32")
    return made


def write_dem(path: Path, z: np.ndarray) -> None:
    """Cells of 1 m in metres as a tiled, compressed GeoTIFF."""
    rows, columns = z.shape
    with rasterio.open(
        path, "w", driver="GTiff", height=rows, width=columns, count=1, dtype="float32", crs=CRS,
        transform=from_origin(WEST, NORTH, 1.0, 1.0), tiled=True, compress="deflate", predictor=3,
        nodata=-9999.0,
    ) as file:  # fmt: skip
        file.write(z, 1)
        file.set_band_unit(1, "metre")


def write_wetlands(path: Path, count: int) -> None:
    """So many ponds of 12 corners, 20 to 60 m wide, over 200 by 200 km, as FlatGeobuf."""
    random = np.random.default_rng(2)
    centre = random.uniform(-100_000.0, 100_000.0, (count, 1, 2))
    centre += np.array([WEST + 2500.0, NORTH - 2500.0])
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    shapes = shapely.polygons(centre + circle * random.uniform(10.0, 30.0, (count, 1, 1)))
    ids = {"id": [f"W-{i}" for i in range(count)]}
    frame = geopandas.GeoDataFrame(ids, geometry=shapes, crs=CRS)
    frame.to_file(path, driver="FlatGeobuf", engine="pyogrio")


def write_site(folder: Path, dem: Path) -> list[tuple[float, float]]:
    """A boundary of 400 by 300 m in the middle of a DEM, its five outfalls, and site.toml.

    The outfalls stand at the five places where most of the site drains over its boundary, so that
    five outlets are judged and no low point beside them.
    """
    folder.mkdir(exist_ok=True)
    shutil.copy(dem, folder / "dem.tif")
    with rasterio.open(dem) as file:
        x, y = file.xy(file.height / 2.0, file.width / 2.0, offset="ul")
    _write(folder, "boundary", {}, [shapely.box(x - 200, y - 150, x + 200, y + 150)])
    (folder / "site.toml").write_text('[map]\ncrs = "EPSG:6609"\n')
    site = open_site(folder)
    existing, edge = ground_of(site).existing, site.boundary
    assert existing is not None
    assert edge is not None
    assert site.crs is not None
    drained = gathered(existing, edge)
    assert drained is not None
    places = [xy for least in (1.0, 0.1) for xy, _ in low_points(drained, least * SQFT_PER_ACRE)]
    easting, northing = np.array(list(dict.fromkeys(places))[:5]).T
    easting, northing = transform_points(easting, northing, site.crs, parse_crs(CRS))
    outfalls = list(zip(easting.tolist(), northing.tolist(), strict=True))
    named = {"id": [f"OF-{i + 1}" for i in range(5)]}
    _write(folder, "outfalls", named, [shapely.Point(xy) for xy in outfalls])
    return outfalls


def _write(
    folder: Path, name: str, data: dict[str, list[str]], shapes: list[shapely.Geometry]
) -> None:
    frame = geopandas.GeoDataFrame(data, geometry=shapes, crs=CRS)
    frame.to_file(folder / f"{name}.gpkg", driver="GPKG", engine="pyogrio")
