"""Which way the ground falls on paper, read off the contours: for ticks, teeth and hatches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.plate.clip import GeometryArray
from sitemap.plate.lines import Chain, even_stations

if TYPE_CHECKING:
    from sitemap.site import Site

Contours = tuple[GeometryArray, np.ndarray]  # lines in inches, the elevation of each in feet
OnPaper = tuple[GeometryArray, np.ndarray]  # lines in inches, the number of the feature of each

STEP_IN = 0.08
REACH_IN = (0.6, 1.5, 4.0)  # widened until two levels are near


class Fall:
    """The contours of one ground on paper, lines in inches, asked for the direction of its fall."""

    def __init__(self, lines: GeometryArray, elevation_ft: np.ndarray) -> None:
        self._contours: Callable[[], Contours] = lambda: (lines, elevation_ft)

    @classmethod
    def when_asked(cls, contours: Callable[[], Contours]) -> Fall:
        """The fall of contours that are only made when someone asks: most maps need none."""
        made = cls(np.empty(0, dtype=object), np.empty(0))
        made._contours = contours
        return made

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray, shapely.STRtree]:
        """Places along the contours, shape (n, 2), their elevations, and where they are found."""
        lines, elevation_ft = self._contours()
        known = np.isfinite(elevation_ft)
        dense = shapely.segmentize(lines[known], STEP_IN)
        xy, owner = shapely.get_coordinates(dense, return_index=True)
        z = elevation_ft[known][owner] if len(owner) else np.empty(0)
        return xy, z, shapely.STRtree(np.asarray(shapely.points(xy)))

    @property
    def is_empty(self) -> bool:
        """Whether no contour with an elevation is on this map."""
        return not len(self._points[0])

    def at(self, x_in: float, y_in: float) -> np.ndarray | None:
        """Unit vector downhill at a place; None where fewer than two levels are near."""
        place = shapely.Point(x_in, y_in)
        _, elevation_ft, tree = self._points
        for reach in REACH_IN:
            near = tree.query(place, predicate="dwithin", distance=reach)
            if len(near) < 3:
                continue
            z = elevation_ft[near]
            if z.min() == z.max():
                continue
            return self._plane(np.array([x_in, y_in]), near, z)
        return None

    def _plane(self, place: np.ndarray, near: np.ndarray, z: np.ndarray) -> np.ndarray | None:
        """Downhill of the plane through the contours around, the near ones counting most."""
        off = self._points[0][near] - place
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


def fall_of(site: Site, on_paper: Callable[[GeometryArray], OnPaper]) -> Fall | None:
    """The existing ground by its contours, else the proposed; None where neither was submitted.

    on_paper gives the lines in inches that are on the map, and which of the contours each is of.
    """
    roles = ("contours_existing", "contours_proposed")
    layers = [layer for role in roles if (layer := site.role(role)) and not layer.usable.empty]

    def contours() -> Contours:
        for layer in layers:
            lines, owner = on_paper(layer.shapes)
            elevation_ft = layer.usable["elevation"].to_numpy(dtype=float)[owner]
            if np.isfinite(elevation_ft).any():
                return lines, elevation_ft
        return np.empty(0, dtype=object), np.empty(0)

    return Fall.when_asked(contours) if layers else None
