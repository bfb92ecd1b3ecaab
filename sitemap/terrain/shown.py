"""The existing ground that a rule measures on: the elevation layer, else the contours alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sitemap.measures.contour_survey import usable_contours
from sitemap.measures.tin import Tin, tin_of
from sitemap.places import map_extent
from sitemap.site import Site
from sitemap.terrain.ground import ground_of
from sitemap.terrain.surface import Surface

ROUND_ABOUT_FT = 300.0  # contours farther from the map say nothing about its ground
SPACING_FT = 10.0  # of points along a contour


@dataclass(frozen=True, eq=False)
class ContourGround:
    """Existing contours, triangulated as they are drawn; NaN where they do not reach."""

    tin: Tin
    source: str = "existing contours, triangulated"

    def heights_at(self, xy: np.ndarray) -> np.ndarray:
        """Height in feet at each place."""
        return self.tin.heights_ft(xy)

    def gradient(self, xy: np.ndarray, reach_ft: float) -> np.ndarray:
        """Rise per foot towards east and north, between places `reach_ft` on either side."""
        step = np.array([[reach_ft, 0.0], [-reach_ft, 0.0], [0.0, reach_ft], [0.0, -reach_ft]])
        z = self.heights_at((xy[:, None, :] + step).reshape(-1, 2)).reshape(-1, 4)
        return np.column_stack([z[:, 0] - z[:, 1], z[:, 2] - z[:, 3]]) / (2.0 * reach_ft)


ShownGround = Surface | ContourGround


def elevation_layer(site: Site) -> Surface | None:
    """The surface of the elevation layer; None where none was handed in, or none can be read."""
    if site.role("elevation") is None and all(r.role != "elevation" for r in site.rasters):
        return None
    return ground_of(site).existing


@lru_cache(maxsize=4)
def shown_ground(site: Site) -> ShownGround | None:
    """The existing ground, or None where neither a surface nor two levels of contours show it.

    An elevation layer is taken as it is; contours are triangulated here, only around the map, and
    are not put on cells first.
    """
    surface = elevation_layer(site)
    if surface is not None:
        return surface
    layer, extent = site.role("contours_existing"), map_extent(site)
    if layer is None or extent is None:
        return None
    by = ROUND_ABOUT_FT
    bounds = (extent[0] - by, extent[1] - by, extent[2] + by, extent[3] + by)
    contours = usable_contours(layer).within(bounds)
    tin = tin_of(contours.lines, contours.levels_ft, SPACING_FT)
    return None if tin is None else ContourGround(tin)
