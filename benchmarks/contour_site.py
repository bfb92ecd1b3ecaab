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


def surface(cells: int, roughness_ft: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hills of 60 ft with noise from cell to cell, as raw lidar has it; seeded."""
    rng = np.random.default_rng(20261130)
    x, y = np.linspace(0, WIDTH_FT, cells), np.linspace(0, HEIGHT_FT, round(cells * 0.73))
    gx, gy = np.meshgrid(x, y)
    z = 830 + 22 * np.sin(gx / 210) * np.cos(gy / 160) + 8 * np.sin(gx / 61 + gy / 83)
    return x + X_FT, y + Y_FT, z + rng.normal(0.0, roughness_ft, z.shape)


def contours(cells: int, roughness_ft: float) -> gpd.GeoDataFrame:
    """Lines of a surface with so many cells across."""
    x, y, z = surface(cells, roughness_ft)
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
        frame = contours(cells, 0.25)
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
