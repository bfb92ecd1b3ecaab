"""Which way the ground falls on paper, read off the contours: for ticks, teeth and hatches."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.plate.clip import GeometryArray
from sitemap.plate.lines import Chain, even_stations

STEP_IN = 0.08
REACH_IN = (0.6, 1.5, 4.0)  # widened until two levels are near


class Fall:
    """The contours of one ground on paper, ready to be asked for the direction of its fall."""

    def __init__(self, lines: GeometryArray, elevation_ft: np.ndarray) -> None:
        known = np.isfinite(elevation_ft)
        dense = shapely.segmentize(lines[known], STEP_IN)
        self._xy, owner = shapely.get_coordinates(dense, return_index=True)
        self._z = elevation_ft[known][owner] if len(owner) else np.empty(0)
        self._tree = shapely.STRtree([shapely.Point(xy) for xy in self._xy])

    def at(self, x_in: float, y_in: float) -> np.ndarray | None:
        """Unit vector downhill at a place; None where fewer than two levels are near."""
        place = shapely.Point(x_in, y_in)
        for reach in REACH_IN:
            near = self._tree.query(place, predicate="dwithin", distance=reach)
            if len(near) < 3:
                continue
            z = self._z[near]
            if z.min() == z.max():
                continue
            return self._plane(np.array([x_in, y_in]), near, z)
        return None

    def _plane(self, place: np.ndarray, near: np.ndarray, z: np.ndarray) -> np.ndarray | None:
        """Downhill of the plane through the contours around, the near ones counting most."""
        off = self._xy[near] - place
        weight = 1.0 / (np.hypot(off[:, 0], off[:, 1]) + 0.05)
        design = np.column_stack([off, np.ones(len(z))]) * weight[:, None]
        gradient = np.linalg.lstsq(design, z * weight, rcond=None)[0][:2]
        steep = float(np.hypot(*gradient))
        return None if steep < 1e-9 else -gradient / steep

    def side_of(self, chain: Chain) -> float:
        """+1 where the ground falls to the left of the line's direction, -1 to the right."""
        s = even_stations(chain.length, max(chain.length / 7.0, 0.3))
        total = 0.0
        for place, along in zip(chain.point(s), chain.direction(s), strict=True):
            down = self.at(float(place[0]), float(place[1]))
            if down is not None:
                total += float(-along[1] * down[0] + along[0] * down[1])
        return 1.0 if total >= 0.0 else -1.0
