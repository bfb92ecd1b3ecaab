"""On which sheet of a set a feature lies, for schedules; and what of the site one sheet shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.tiling import Tiling
from sitemap.measures.turn import turned

DIGITS = "0123456789"
OFF_SHEETS = "–"


@dataclass(frozen=True, eq=False)
class SheetFinder:
    """Numbers of the map sheets, in the order of the tiles; of several phases one after another."""

    tiling: Tiling
    rotation_deg: float
    numbers: tuple[str, ...]

    @property
    def phases(self) -> int:
        """How many times the ground is on sheets: once, or once for each phase."""
        return len(self.numbers) // len(self.tiling.tiles)

    def sheets_of(self, shape: BaseGeometry, standing: np.ndarray | None = None) -> str:
        """The sheet of a feature; for a line from the sheet of its start to that of its end.

        Of several phases the sheets of those in which it is `standing`, else of all.
        """
        if shape.geom_type == "LineString":
            ends = [shape.coords[0][:2], shape.coords[-1][:2]]
        else:
            middle = shape.representative_point()
            ends = [(middle.x, middle.y)]
        on_paper = turned(np.array(ends), self.rotation_deg)
        owners = [self.tiling.owner_of(float(x), float(y)) for x, y in on_paper]
        found = [owner for owner in owners if owner is not None]
        told = []
        for phase in range(self.phases):
            if standing is None or self.phases == 1 or standing[phase]:
                mine = [self.numbers[owner + phase * len(self.tiling.tiles)] for owner in found]
                told.append(" to ".join(dict.fromkeys(mine)))
        return ", ".join(told) if found else OFF_SHEETS


def sheets_said(numbers: Sequence[str]) -> str:
    """The numbers of sheets in words, those that follow each other by the first and the last."""
    if len(numbers) < 2:
        return f"sheet {''.join(numbers)}"
    stems = {number.rstrip(DIGITS) for number in numbers}
    ends = [number[len(number.rstrip(DIGITS)) :] for number in numbers]
    in_row = len(stems) == 1 and all(ends) and all(
        int(after) == int(before) + 1 for before, after in pairwise(ends)
    )  # fmt: skip
    if len(numbers) > 2 and in_row:
        return f"sheets {numbers[0]} to {numbers[-1]}"
    return f"sheets {', '.join(numbers[:-1])} and {numbers[-1]}"


def on_sheet(shapes: np.ndarray, ground: BaseGeometry | None) -> np.ndarray:
    """True for the features that a sheet with this ground shows; all of them without one."""
    if ground is None:
        return np.ones(len(shapes), dtype=bool)
    return np.asarray(shapely.intersects(shapes, ground), dtype=bool)
