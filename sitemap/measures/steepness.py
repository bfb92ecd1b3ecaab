"""Where ground is as steep as a limit: slopes of a surface in cells over an area."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import polygons_of

CELL_FT = 10.0  # slope is taken over 20 ft: a cell and half of each neighbour
MOST_CELLS = 200_000
EXACT_PCT = 1e-6  # slopes are compared to a millionth of a percent: rounding is not steepness


@dataclass(frozen=True, eq=False)
class SteepGround:
    """Ground at or above a slope, and ground whose slope is not known, as polygons."""

    parts: np.ndarray
    steepest_pct: float
    unknown: np.ndarray


def slopes_pct(gradient: np.ndarray) -> np.ndarray:
    """Percent of each (east, north) gradient in feet per foot."""
    return np.asarray(100.0 * np.hypot(gradient[:, 0], gradient[:, 1]))


def cells_over(area: BaseGeometry) -> tuple[np.ndarray, float]:
    """Centres of square cells that meet an area, and the side of a cell in feet.

    The cells begin at the area's own corner, so that a shifted map gives the same cells.
    """
    xmin, ymin, xmax, ymax = area.bounds
    side = max(CELL_FT, ((xmax - xmin) * (ymax - ymin) / MOST_CELLS) ** 0.5)
    x = xmin + side * (np.arange(max(1, np.ceil((xmax - xmin) / side - 1e-9))) + 0.5)
    y = ymin + side * (np.arange(max(1, np.ceil((ymax - ymin) / side - 1e-9))) + 0.5)
    centres = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    shapely.prepare(area)
    half = side / 2.0
    meets = shapely.intersects(area, shapely.box(*(centres - half).T, *(centres + half).T))
    return centres[meets], side


def steep_ground(
    area: BaseGeometry, centres: np.ndarray, side: float, slope_pct: np.ndarray, limit_pct: float
) -> SteepGround:
    """The cells as steep as the limit, joined and cut at the area."""
    known = np.isfinite(slope_pct)
    steep = known & (np.nan_to_num(slope_pct) >= limit_pct - EXACT_PCT)
    top = float(np.nanmax(slope_pct)) if known.any() else float("nan")
    return SteepGround(
        _joined(area, centres[steep], side), top, _joined(area, centres[~known], side)
    )


def _joined(area: BaseGeometry, centres: np.ndarray, side: float) -> np.ndarray:
    """Cells of these centres, joined and cut at the area."""
    if len(centres) == 0:
        return np.empty(0, dtype=object)
    half = side / 2.0
    cells = shapely.box(*(centres - half).T, *(centres + half).T)
    return polygons_of(shapely.intersection(shapely.union_all(cells), area))
