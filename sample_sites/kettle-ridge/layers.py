"""The site as named frames: every layer, in the order in which it is written."""

from __future__ import annotations

from dataclasses import dataclass

import existing
import geopandas
import numpy as np
import runoff
import street
import works
from ground import Frames, acres, frame, survey
from place import GRID_CELL_FT, XMAX, XMIN, YMAX, YMIN
from shapely.geometry import box
from terrain import existing_ft


@dataclass(frozen=True)
class Drawn:
    """Everything that is written."""

    design: Frames
    county: Frames
    elevation_ft: np.ndarray
    elevation_cell_ft: float


def draw() -> Drawn:
    """All layers."""
    ground = survey()
    design: Frames = {
        "boundary": frame(
            [("Kettle Ridge, plat limits", acres(street.boundary()), street.boundary())],
            "name",
            "acres",
        ),
        **existing.topography(ground),
        **existing.surroundings(ground),
        **runoff.sewers(ground),
        **runoff.runoff(ground),
        **works.works(ground),
        "reference_grid": reference_grid(),
    }
    x, y = (np.arange(a + 2.5, b, 5.0) for a, b in ((XMIN, XMAX), (YMIN, YMAX)))
    heights = existing_ft(*np.meshgrid(x, y))
    return Drawn(design, existing.county(ground), heights, 5.0)


def reference_grid() -> geopandas.GeoDataFrame:
    """100-ft cells: letters across from the west without I and O, numbers down from the north."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    rows: list[tuple[object, ...]] = []
    for row in range(int((YMAX - YMIN) / GRID_CELL_FT)):
        top = YMAX - row * GRID_CELL_FT
        for column in range(int((XMAX - XMIN) / GRID_CELL_FT)):
            left = XMIN + column * GRID_CELL_FT
            cell = box(left, top - GRID_CELL_FT, left + GRID_CELL_FT, top)
            rows.append((f"{letters[column]}{row + 1}", cell))
    return frame(rows, "label")
