"""On which sheet of a set a feature lies, for schedules; and what of the site one sheet shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.tiling import Tiling
from sitemap.measures.turn import turned

OFF_SHEETS = "–"


@dataclass(frozen=True, eq=False)
class SheetFinder:
    """Numbers of the map sheets, in the order of the tiles."""

    tiling: Tiling
    rotation_deg: float
    numbers: tuple[str, ...]

    def sheets_of(self, shape: BaseGeometry) -> str:
        """The sheet of a feature; for a line from the sheet of its start to that of its end."""
        if shape.geom_type == "LineString":
            ends = [shape.coords[0][:2], shape.coords[-1][:2]]
        else:
            middle = shape.representative_point()
            ends = [(middle.x, middle.y)]
        on_paper = turned(np.array(ends), self.rotation_deg)
        owners = [self.tiling.owner_of(float(x), float(y)) for x, y in on_paper]
        found = [self.numbers[owner] for owner in owners if owner is not None]
        return " to ".join(dict.fromkeys(found)) or OFF_SHEETS


def on_sheet(shapes: np.ndarray, ground: BaseGeometry | None) -> np.ndarray:
    """True for the features that a sheet with this ground shows; all of them without one."""
    if ground is None:
        return np.ones(len(shapes), dtype=bool)
    return np.asarray(shapely.intersects(shapes, ground), dtype=bool)
