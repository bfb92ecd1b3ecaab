"""From files to paths: tiles, units, a shift and a turn of the same ground change no path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from affine import Affine

from sitemap.crs import Bounds
from sitemap.layer import Raster
from sitemap.terrain.corridor import realisations
from sitemap.terrain.mosaic import surface_from_rasters
from sitemap.terrain.noise import Noise
from sitemap.terrain.trace import Relief
from tests.terrain.grounds import CRS, EAST, NORTH, raster, write_raster

CELLS, SIDE_FT = 80, 5.0
START, LENGTH_FT = (202.5, 252.5), 260.0


def rough(seed: int) -> np.ndarray:
    """Ground with hollows that falls to the east, in whole 1/1024 ft, exact as float32."""
    random = np.random.default_rng(seed)
    z = 800.0 + random.normal(0.0, 0.4, (CELLS, CELLS)) - 0.05 * np.arange(CELLS)
    return np.round(z * 1024.0) / 1024.0


def files(
    folder: Path, z: np.ndarray, corner: tuple[float, float], size: int, unit: str
) -> list[Raster]:
    """The ground in tiles of so many cells."""
    folder.mkdir()
    grid = Affine(SIDE_FT, 0.0, corner[0], 0.0, -SIDE_FT, corner[1])
    stated = z * 0.3048 if unit == "metre" else z
    made = []
    for row in range(0, CELLS, size):
        for column in range(0, CELLS, size):
            part = stated[row : row + size, column : column + size]
            place = grid @ Affine.translation(column, row)
            path = folder / f"{row}_{column}.tif"
            made.append(raster(write_raster(path, part, place, unit=unit, dtype="float64")))
    return made


def told(rasters: list[Raster], corner: tuple[float, float]) -> list[np.ndarray]:
    """The path and ten of its realisations, from the lower left corner of the ground."""
    low = np.array([corner[0], corner[1] - CELLS * SIDE_FT])
    window: Bounds = (low[0], low[1], low[0] + CELLS * SIDE_FT, corner[1])
    surface = surface_from_rasters(rasters, CRS, window)
    stop = np.zeros(surface.z_ft.shape, np.int32)
    relief = Relief(surface.z_ft, stop, surface.transform.c, surface.transform.f, surface.cell_ft)
    start = (float(low[0] + START[0]), float(low[1] + START[1]))
    nominal = relief.trace(start, LENGTH_FT)
    runs = realisations(relief, nominal, LENGTH_FT, Noise(0.3, 30.0), 10)
    return [path.xy - low for path in (nominal, *runs)]


@pytest.mark.parametrize("seed", range(3))
def test_tiles_units_and_a_shift_change_no_path(tmp_path: Path, seed: int) -> None:
    z = rough(seed)
    here = (EAST, NORTH + 400.0)
    one = told(files(tmp_path / "one", z, here, CELLS, "foot"), here)
    assert len(one[0]) > 20
    assert len({len(path) for path in one}) > 1, "the realisations differ"
    there = (EAST + 1_000.0, NORTH - 600.0)
    for name, corner, size, unit in (
        ("tiled", here, 27, "foot"),
        ("metres", here, CELLS, "metre"),
        ("moved", there, CELLS, "foot"),
        ("all three", there, 33, "metre"),
    ):
        other = told(files(tmp_path / name, z, corner, size, unit), corner)
        for a, b in zip(one, other, strict=True):
            assert a == pytest.approx(b, abs=1e-6), name
