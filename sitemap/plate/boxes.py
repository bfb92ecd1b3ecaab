"""Boxes of lettering on paper, level or turned, and the places that cover them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

CELLS_PER_IN = 72.0  # of the bitmaps that boxes are laid on
CELL_IN = 1.0 / CELLS_PER_IN
SAMPLE_STEP = 0.7  # of a cell


@dataclass(frozen=True)
class Box:
    """A rectangle by its middle, turned counter-clockwise. Inches and degrees."""

    x_in: float
    y_in: float
    width_in: float
    height_in: float
    turn_deg: float = 0.0

    @property
    def corners(self) -> np.ndarray:
        """Shape (4, 2), counter-clockwise from the lower left."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2.0
        return self._turned(half * (self.width_in, self.height_in))

    @property
    def reach_in(self) -> tuple[float, float]:
        """How far it extends from its middle to the right and upwards."""
        half_x, half_y = self.width_in / 2.0, self.height_in / 2.0
        if self.turn_deg == 0.0:
            return half_x, half_y
        turn = math.radians(self.turn_deg)
        cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
        return half_x * cos + half_y * sin, half_x * sin + half_y * cos

    @property
    def polygon(self) -> shapely.Polygon:
        """As a polygon in inches."""
        return shapely.Polygon(self.corners)

    def grown(self, by_in: float) -> Box:
        """With a collar on all sides."""
        return Box(
            self.x_in,
            self.y_in,
            self.width_in + 2 * by_in,
            self.height_in + 2 * by_in,
            self.turn_deg,
        )

    def samples(self) -> np.ndarray:
        """Places at most one cell apart that cover the rectangle, edges included."""
        return self._turned(np.column_stack(unit_samples((self.width_in, self.height_in))))

    def _turned(self, xy: np.ndarray) -> np.ndarray:
        angle = np.deg2rad(self.turn_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.column_stack(
            [
                self.x_in + xy[:, 0] * cos - xy[:, 1] * sin,
                self.y_in + xy[:, 0] * sin + xy[:, 1] * cos,
            ]
        )


@lru_cache(maxsize=64)
def unit_samples(size_in: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Places across and up from the middle of a rectangle that cover it, less than a cell apart."""
    u, v = (
        np.linspace(-0.5, 0.5, max(2, int(np.ceil(size / CELL_IN / SAMPLE_STEP)) + 1)) * size
        for size in size_in
    )
    gu, gv = np.meshgrid(u, v)
    return gu.ravel(), gv.ravel()
