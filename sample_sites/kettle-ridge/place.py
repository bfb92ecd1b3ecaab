"""Where the site lies: a local frame in feet on EPSG:6609, the mapped extent, and its cells.

Everything in this folder is worked out in local feet (x east, y north, grid north up) and moved
to State Plane only when it is written.
"""

from __future__ import annotations

import numpy as np
import shapely

CRS = "EPSG:6609"  # NAD83(2011) / Wisconsin South, US survey foot
EAST0_FT, NORTH0_FT = 2_468_900.0, 335_000.0  # State Plane of local (0, 0)
SEED = 162  # the chapter of the municipal code

# The mapped extent: whole hundreds of feet, so that it is also the outline of the reference grid.
XMIN, YMIN, XMAX, YMAX = -200.0, -200.0, 1500.0, 1100.0
GRID_CELL_FT = 100.0
CELL_FT = 2.5  # working cells; the elevation raster is written at twice this


def cell_centres() -> tuple[np.ndarray, np.ndarray]:
    """Local x and y of the working cells' centres, as two 2-D arrays (south row first)."""
    x = np.arange(XMIN + CELL_FT / 2, XMAX, CELL_FT)
    y = np.arange(YMIN + CELL_FT / 2, YMAX, CELL_FT)
    grid: tuple[np.ndarray, np.ndarray] = tuple(np.meshgrid(x, y))  # type: ignore[assignment]
    return grid


def sample(surface: np.ndarray, xy: np.ndarray) -> np.ndarray:
    """Bilinear heights of a working surface at local points (n, 2)."""
    from scipy.ndimage import map_coordinates

    column = (np.asarray(xy)[:, 0] - XMIN) / CELL_FT - 0.5
    row = (np.asarray(xy)[:, 1] - YMIN) / CELL_FT - 0.5
    heights: np.ndarray = map_coordinates(surface, [row, column], order=1, mode="nearest")
    return heights


def without_tails(shape: shapely.Geometry, width_ft: float) -> shapely.Geometry:
    """The shape less what is thinner than the width: ends and slivers of fillets and overlays."""
    half = width_ft / 2.0
    return shape.buffer(-half, join_style="mitre").buffer(half, join_style="mitre") & shape
