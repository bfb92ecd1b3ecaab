"""A site of rough lidar-like contours with about so many vertices, for measuring plates.

Arguments: a folder and the number of vertices. Writes site.gpkg (contours_existing, boundary).
"""

from __future__ import annotations

import sys
from pathlib import Path

import contourpy
import geopandas as gpd
import numpy as np
import shapely

CRS = "EPSG:6609"
WIDTH_FT, HEIGHT_FT = 1300.0, 950.0
X_FT, Y_FT = 2_469_000.0, 335_000.0
INTERVAL_FT = 2.0
ROUGH_FT = 0.5


def surface(cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hills of 60 ft under a fractal of half a foot, rough as unsmoothed lidar is; seeded."""
    rows = round(cells * HEIGHT_FT / WIDTH_FT)
    x, y = np.linspace(0, WIDTH_FT, cells), np.linspace(0, HEIGHT_FT, rows)
    gx, gy = np.meshgrid(x, y)
    z = 830 + 22 * np.sin(gx / 210) * np.cos(gy / 160) + 8 * np.sin(gx / 61 + gy / 83)
    k = np.hypot(np.fft.rfftfreq(cells)[None, :], np.fft.fftfreq(rows)[:, None])
    k[0, 0] = 1.0
    phase = np.exp(2j * np.pi * np.random.default_rng(20261130).random(k.shape)) * k**-1.1
    phase[0, 0] = 0.0
    rough = np.fft.irfft2(phase, s=z.shape)
    return x + X_FT, y + Y_FT, z + rough * (ROUGH_FT / rough.std())


def contours(cells: int) -> gpd.GeoDataFrame:
    """Lines of a surface with so many cells across."""
    x, y, z = surface(cells)
    lines, levels = [], []
    generator = contourpy.contour_generator(x, y, z)
    for level in np.arange(np.ceil(z.min() / 2) * 2, z.max(), INTERVAL_FT):
        for line in generator.lines(float(level) + 1e-6):
            if len(line) > 3:
                lines.append(line)
                levels.append(float(level))
    return gpd.GeoDataFrame(
        {"elevation": levels}, geometry=[shapely.LineString(line) for line in lines], crs=CRS
    )


def write_site(folder: Path, vertices: int) -> Path:
    """The GeoPackage; cells are doubled and halved until the count is met within 3 %."""
    low, high = 20, 6000
    while True:
        cells = (low + high) // 2
        frame = contours(cells)
        count = int(frame.geometry.count_coordinates().sum())
        if abs(count / vertices - 1) < 0.03 or high - low < 2:
            break
        low, high = (cells, high) if count < vertices else (low, cells)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "site.gpkg"
    frame.to_file(path, layer="contours_existing", driver="GPKG")
    box = shapely.box(X_FT + 60, Y_FT + 60, X_FT + WIDTH_FT - 60, Y_FT + HEIGHT_FT - 60)
    gpd.GeoDataFrame({"name": ["made"]}, geometry=[box], crs=CRS).to_file(
        path, layer="boundary", driver="GPKG"
    )
    print(f"{path}: {count:,} vertices in {len(frame):,} contours of {cells} cells")
    return path


if __name__ == "__main__":
    write_site(Path(sys.argv[1]), int(sys.argv[2]))
