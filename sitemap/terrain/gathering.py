"""How much of a site drains through each place, and over which low points of its boundary.

Only ground inside the site counts: its water leaves over the ring of cells around it, every hollow
spills over its lowest rim, and the area is added up downstream.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.lines import points_of
from sitemap.terrain.sheet_flow import AROUND, sheet_flow_of
from sitemap.terrain.surface import Surface

TOGETHER_CELLS = 2.5  # cells of the rim so near are one low point


@dataclass(frozen=True, eq=False)
class Gathering:
    """Square feet that drain through each cell, 0 outside the site, and the cells of the ring.

    beyond are those of the ring whose ground is not known: the elevation ends there.
    """

    sqft: np.ndarray
    ring: np.ndarray
    beyond: np.ndarray
    transform: Affine

    @property
    def cell_ft(self) -> float:
        """The side of a cell in feet."""
        return float(self.transform.a)

    def known_beside(self, row: int, column: int) -> tuple[int, int]:
        """The cell, or where its ground is not known the one beside it that drains the most."""
        if not self.beyond[row, column]:
            return row, column
        beside = [(row + down, column + right) for right, down in AROUND]
        return max(beside, key=lambda at: (not self.ring[at], self.sqft[at]))


def gathered(surface: Surface, ground: BaseGeometry) -> Gathering | None:
    """Drained area inside `ground`; None where the surface does not show it."""
    sheet = sheet_flow_of(surface, ground)
    if sheet is None:
        return None
    nothing = np.zeros(sheet.ring.shape, dtype=bool)
    sqft = sheet.added_up(sheet.own_sqft[None], nothing)[0]
    return Gathering(sqft, sheet.ring, sheet.beyond, sheet.transform)


def low_points(gathering: Gathering, least_sqft: float) -> list[tuple[tuple[float, float], float]]:
    """Places on the ring over which at least so much of the site drains, largest first.

    Cells of the ring that lie together and each carry a tenth of the least are one low point.
    """
    cells = np.argwhere(gathering.ring & (gathering.sqft >= 0.1 * least_sqft))
    if not len(cells):
        return []
    sqft = gathering.sqft[cells[:, 0], cells[:, 1]]
    points = points_of(cells.astype(float))
    a, b = shapely.STRtree(points).query(points, predicate="dwithin", distance=TOGETHER_CELLS)
    label = np.arange(len(cells))
    while True:
        lower = label.copy()
        np.minimum.at(lower, a, label[b])
        if (lower == label).all():
            break
        label = lower
    found = []
    for each in np.unique(label):
        own = label == each
        total = float(sqft[own].sum())
        if total >= least_sqft:
            row, column = gathering.known_beside(*cells[own][int(sqft[own].argmax())].tolist())
            x, y = gathering.transform @ (float(column) + 0.5, float(row) + 0.5)
            found.append(((float(x), float(y)), total))
    return sorted(found, key=lambda place: (-place[1], place[0]))
