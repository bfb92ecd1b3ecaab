"""Which paper is taken: a bitmap of texts and symbols, and one of the ink of lines.

One cell is one point (1/72 in). A text may never lie on taken cells; ink only costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.plate.marks import Path

CELL_IN = 1.0 / 72.0
COLLAR_CELLS = 2
INK_COST = 0.06  # of one cell of ink under a label, against 1.2 for the next ring out
HATCH_INK = 0.3  # how much a hatch repels a label, against 1 for a thin line


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
        u = np.linspace(-0.5, 0.5, max(2, int(np.ceil(self.width_in / CELL_IN / 0.7)) + 1))
        v = np.linspace(-0.5, 0.5, max(2, int(np.ceil(self.height_in / CELL_IN / 0.7)) + 1))
        gu, gv = np.meshgrid(u * self.width_in, v * self.height_in)
        return self._turned(np.column_stack([gu.ravel(), gv.ravel()]))

    def _turned(self, xy: np.ndarray) -> np.ndarray:
        angle = np.deg2rad(self.turn_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.column_stack(
            [
                self.x_in + xy[:, 0] * cos - xy[:, 1] * sin,
                self.y_in + xy[:, 0] * sin + xy[:, 1] * cos,
            ]
        )


class Occupancy:
    """The bitmaps over one map frame (left, bottom, right, top in inches)."""

    def __init__(self, frame_in: tuple[float, float, float, float]) -> None:
        left, bottom, right, top = frame_in
        self.frame_in = frame_in
        self._left, self._bottom = left - 4 * CELL_IN, bottom - 4 * CELL_IN
        self._origin = np.array([self._left, self._bottom])
        self._shape = (
            int(np.ceil((top - bottom) / CELL_IN)) + 8,
            int(np.ceil((right - left) / CELL_IN)) + 8,
        )
        self.taken = np.zeros(self._shape, dtype=bool)
        self.ink = np.zeros(self._shape, dtype=np.float32)

    def copy(self) -> Occupancy:
        """Another one with the same paper taken: what is placed on it moves nothing here."""
        other = Occupancy(self.frame_in)
        other.taken, other.ink = self.taken.copy(), self.ink.copy()
        return other

    def cells(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of places, held inside the bitmap."""
        at = ((xy - self._origin) / CELL_IN).astype(int)
        rows = np.clip(at[..., 1], 0, self._shape[0] - 1)
        columns = np.clip(at[..., 0], 0, self._shape[1] - 1)
        return rows, columns

    def add_ink(self, paths: Iterable[Path], weight: float) -> None:
        """Mark lines: the larger weight of several wins."""
        known = [p for p in paths if len(p) > 1]
        if not known:
            return
        owner = np.repeat(np.arange(len(known)), [len(p) for p in known])
        lines = shapely.linestrings(np.concatenate(known), indices=owner)
        dense = shapely.segmentize(lines, CELL_IN)
        rows, columns = self.cells(shapely.get_coordinates(dense))
        self.ink[rows, columns] = np.maximum(self.ink[rows, columns], weight)

    def inside(self, box: Box, clear_in: float = 0.05) -> bool:
        """True when the rectangle lies in the frame with some paper to spare."""
        left, bottom, right, top = self.frame_in
        half_x, half_y = box.reach_in
        return (
            box.x_in - half_x >= left + clear_in
            and box.x_in + half_x <= right - clear_in
            and box.y_in - half_y >= bottom + clear_in
            and box.y_in + half_y <= top - clear_in
        )

    def _level(self, box: Box) -> tuple[slice, slice]:
        """The cells under a box that is not turned; plain floats, since most boxes are asked."""
        x, y = box.x_in - self._left, box.y_in - self._bottom
        half_x, half_y = box.width_in / 2.0, box.height_in / 2.0
        rows, columns = self._shape
        first_row = min(max(int((y - half_y) / CELL_IN), 0), rows - 1)
        last_row = min(max(int((y + half_y) / CELL_IN), 0), rows - 1)
        first = min(max(int((x - half_x) / CELL_IN), 0), columns - 1)
        last = min(max(int((x + half_x) / CELL_IN), 0), columns - 1)
        return slice(first_row, last_row + 1), slice(first, last + 1)

    def free(self, box: Box) -> bool:
        """True when the rectangle lies in the frame and on nothing taken."""
        if not self.inside(box):
            return False
        under = self._level(box) if box.turn_deg == 0.0 else self.cells(box.samples())
        return not self.taken[under].any()

    def ink_under(self, box: Box) -> float:
        """The ink that the rectangle would cover, in cells times weight."""
        if box.turn_deg == 0.0:
            return float(self.ink[self._level(box)].sum())
        rows, columns = self.cells(box.samples())
        return float(self.ink[rows, columns].sum()) * 0.49  # samples are 0.7 cells apart

    def take(self, box: Box) -> None:
        """Take the rectangle and a collar of two points around it."""
        self.taken[self.cells(box.grown(COLLAR_CELLS * CELL_IN).samples())] = True
