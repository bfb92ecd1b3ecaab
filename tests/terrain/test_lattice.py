"""Where the cells of a grid lie in a raster, in bands of rows and at once."""

from __future__ import annotations

import numpy as np
import pytest
from affine import Affine

from sitemap.crs import parse_crs
from sitemap.terrain.lattice import places_of

CRS = parse_crs("EPSG:6609")
RASTER = Affine(2.0, 0.0, 100.0, 0.0, -2.0, 900.0)
GRID = Affine(3.0, 0.0, 130.0, 0.0, -3.0, 840.0)
BOUNDS = (100.0, 100.0, 900.0, 900.0)


@pytest.mark.parametrize("step", [1, 7, 16, 50])
def test_bands_of_rows_are_parts_of_the_whole(step: int) -> None:
    """In one CRS the place of a cell is known by hand: 3 ft cells on cells of 2 ft."""
    rows, columns = 50, 37
    places = places_of(RASTER, CRS, BOUNDS, CRS, GRID, rows, columns)
    bands = [places.band(first, min(first + step, rows)) for first in range(0, rows, step)]
    row, column = (np.concatenate(of) for of in zip(*bands, strict=True))
    by_hand = (900.0 - (840.0 - 3.0 * (np.arange(rows) + 0.5))) / 2.0 - 0.5
    assert np.allclose(row, by_hand[:, None], atol=1e-9)
    across = (130.0 + 3.0 * (np.arange(columns) + 0.5) - 100.0) / 2.0 - 0.5
    assert np.allclose(column, across[None, :], atol=1e-9)
    whole = places.band(0, rows)
    assert np.array_equal(row, whole[0])
    assert np.array_equal(column, whole[1])
