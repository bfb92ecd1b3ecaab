"""Which paper is taken: a bitmap of texts and symbols, and one of the ink of lines.

One cell is one point (1/72 in). A text may never lie on taken cells; ink only costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from sitemap.plate.boxes import CELL_IN, CELLS_PER_IN, SAMPLE_STEP, Box, unit_samples
from sitemap.plate.marks import Path

COLLAR_CELLS = 2
INK_BLOCK = 10_000  # lines
EDGE_IN = 0.05  # of lettering from the edge of the frame
SAMPLE_SHARE = SAMPLE_STEP**2  # of a cell that each sample stands for
INK_COST = 0.06  # of one cell of ink under a label, against 1.2 for the next ring out
BOLD_INK = 2.0  # of pens wider than 0.75 pt, which no lettering may touch
CLEAR_OF_BOLD_IN = 0.04  # plate.md section 2: half of such a pen, and the halo that would cut it
HATCH_INK = 0.3  # how much a hatch repels a label, against 1 for a thin line


def _along(paths: Sequence[Path]) -> np.ndarray:
    """Places on paths less than a cell apart, their vertices included, shape (n, 2)."""
    xy = np.concatenate(paths)
    last = np.cumsum([len(path) for path in paths]) - 1
    step = xy[1:] - xy[:-1]
    pieces = np.ceil(np.hypot(step[:, 0], step[:, 1]) * CELLS_PER_IN).astype(np.intp)
    np.maximum(pieces, 1, out=pieces)
    pieces[last[:-1]] = 1  # from the end of a path to the next one nothing is drawn
    begins = np.repeat(np.arange(len(pieces)), pieces)
    share = np.arange(len(begins)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = share / pieces[begins]
    return np.vstack([xy[begins] + step[begins] * share[:, None], xy[-1:]])


class Occupancy:
    """The bitmaps over one map frame (left, bottom, right, top in inches)."""

    def __init__(self, frame_in: tuple[float, float, float, float]) -> None:
        left, bottom, right, top = frame_in
        self.frame_in = frame_in
        self._left, self._bottom = left - 4 * CELL_IN, bottom - 4 * CELL_IN
        self._shape = (
            int(np.ceil((top - bottom) / CELL_IN)) + 8,
            int(np.ceil((right - left) / CELL_IN)) + 8,
        )
        self.taken = np.zeros(self._shape, dtype=bool)
        self.ink = np.zeros(self._shape, dtype=np.float32)

    def cells(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of places, held inside the bitmap."""
        rows = ((xy[..., 1] - self._bottom) * CELLS_PER_IN).astype(np.intp)
        columns = ((xy[..., 0] - self._left) * CELLS_PER_IN).astype(np.intp)
        np.clip(rows, 0, self._shape[0] - 1, out=rows)
        np.clip(columns, 0, self._shape[1] - 1, out=columns)
        return rows, columns

    def _index(self, xy: np.ndarray) -> np.ndarray:
        """The cells of places as numbers into a flat bitmap."""
        rows, columns = self.cells(xy)
        rows *= self._shape[1]
        rows += columns
        return rows

    def add_ink(self, paths: Iterable[Path], weight: float) -> None:
        """Mark lines: the larger weight of several wins."""
        known = (path for path in paths if len(path) > 1)
        flat = self.ink.reshape(-1)
        while some := list(islice(known, INK_BLOCK)):
            at = self._index(_along(some))
            flat[at] = np.maximum(flat[at], weight)

    def inside(self, box: Box, clear_in: float = EDGE_IN) -> bool:
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
        """The ink that the rectangle would cover, in cells times weight; bold lines count again
        where they are under it or near it.
        """
        if box.turn_deg == 0.0:
            around = self.ink[self._level(box.grown(CLEAR_OF_BOLD_IN))]
            bold = around[around > BOLD_INK].sum()
            return float(self.ink[self._level(box)].sum() + bold)
        rows, columns = self.cells(box.samples())
        return float(self.ink[rows, columns].sum()) * SAMPLE_SHARE

    def take(self, box: Box) -> None:
        """Take the rectangle and a collar of two points around it."""
        wide = box.grown(COLLAR_CELLS * CELL_IN)
        under = self._level(wide) if box.turn_deg == 0.0 else self.cells(wide.samples())
        self.taken[under] = True

    def judge_level(
        self, middles: np.ndarray, size_in: tuple[float, float], clear_in: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Level boxes of one size about each of the middles, shape (n, 2): whether each is free
        with so much paper around it, and the ink that the free ones would cover, as ink_under.
        """
        half = np.array(size_in) / 2.0
        left, bottom, right, top = self.frame_in
        edge = half + clear_in + EDGE_IN
        fits = (
            (middles[:, 0] >= left + edge[0]) & (middles[:, 0] <= right - edge[0])
            & (middles[:, 1] >= bottom + edge[1]) & (middles[:, 1] <= top - edge[1])
        )  # fmt: skip
        free = fits.copy()
        free[fits] = ~self._under(self.taken, middles[fits], half + clear_in).any(axis=1)
        ink = np.zeros(len(middles))
        ink[free] = self._under(self.ink, middles[free], half).sum(axis=1)
        around = self._under(self.ink, middles[free], half + CLEAR_OF_BOLD_IN)
        ink[free] += np.where(around > BOLD_INK, around, 0.0).sum(axis=1)
        return free, ink

    def _under(self, bitmap: np.ndarray, middles: np.ndarray, half: np.ndarray) -> np.ndarray:
        """The cells under level boxes of one size in the frame, (n, cells): as many as the largest
        of them covers, 0 in the last row and column of those that cover one less.
        """
        row, column = self.cells(middles - half)
        last_row, last_column = self.cells(middles + half)
        high, wide = last_row - row, last_column - column
        rows = np.arange(int(high.max(initial=0)) + 1)
        columns = np.arange(int(wide.max(initial=0)) + 1)
        under = (rows[:, None] * self._shape[1] + columns).reshape(-1)
        at = (row * self._shape[1] + column)[:, None] + under  # four cells lie around the frame
        found = bitmap.reshape(-1)[at].reshape(len(middles), len(rows), len(columns))
        found[high < len(rows) - 1, -1, :] = 0
        found[wide < len(columns) - 1, :, -1] = 0
        return np.asarray(found.reshape(len(middles), len(under)))

    def judge_turned(
        self, middles: np.ndarray, size_in: tuple[float, float], turn: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Boxes of one size about the middles, shape (n, 2), turned by so many radians: whether
        each is free, and the ink that it would cover.
        """
        cos, sin = np.cos(turn), np.sin(turn)
        u, v = unit_samples(size_in)
        x = middles[:, :1] + u * cos[:, None] - v * sin[:, None]
        y = middles[:, 1:] + u * sin[:, None] + v * cos[:, None]
        left, bottom, right, top = self.frame_in
        low_x, high_x, low_y, high_y = x.min(axis=1), x.max(axis=1), y.min(axis=1), y.max(axis=1)
        fits = (
            (low_x >= left + EDGE_IN) & (high_x <= right - EDGE_IN)
            & (low_y >= bottom + EDGE_IN) & (high_y <= top - EDGE_IN)
        )  # fmt: skip
        at = self.cells(np.stack([x, y], axis=-1))
        free = fits & ~self.taken[at].any(axis=1)
        return free, self.ink[at].sum(axis=1) * SAMPLE_SHARE
