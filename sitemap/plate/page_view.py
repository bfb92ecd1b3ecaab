"""A page as it is shown: its size in inches and where a point of the file comes to lie.

CropBox, Rotate and UserUnit are taken into account here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pikepdf

POINTS = 72.0  # per inch
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PageView:
    """box is left, bottom, right, top in the file's units, media the same of the whole paper;
    turn is clockwise degrees.
    """

    box: Box
    turn: int = 0
    user_unit: float = 1.0
    media: Box = (0.0, 0.0, 0.0, 0.0)

    @classmethod
    def of(cls, page: pikepdf.Page) -> PageView:
        """The view of a page; ValueError when its boxes are no boxes."""
        media = _box(page.mediabox)
        crop = _box(page.cropbox)
        box = (
            max(media[0], crop[0]),
            max(media[1], crop[1]),
            min(media[2], crop[2]),
            min(media[3], crop[3]),
        )
        if box[0] >= box[2] or box[1] >= box[3]:
            box = media
        if box[0] >= box[2] or box[1] >= box[3]:
            raise ValueError(f"the page box {list(media)} has no area")
        turn = int(inherited(page.obj, "/Rotate", 0)) % 360
        return cls(box, turn, float(page.obj.get("/UserUnit", 1)), media)

    @property
    def units_per_inch(self) -> float:
        """Units of the file in an inch."""
        return POINTS / self.user_unit

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height in inches as shown."""
        width = (self.box[2] - self.box[0]) / self.units_per_inch
        height = (self.box[3] - self.box[1]) / self.units_per_inch
        return (height, width) if self.turn in (90, 270) else (width, height)

    def shown_in(self, xy: np.ndarray) -> np.ndarray:
        """Points of the file, shape (n, 2), to inches from the lower left as shown."""
        x = (xy[:, 0] - self.box[0]) / self.units_per_inch
        y = (xy[:, 1] - self.box[1]) / self.units_per_inch
        width = (self.box[2] - self.box[0]) / self.units_per_inch
        height = (self.box[3] - self.box[1]) / self.units_per_inch
        placed = {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}
        return np.column_stack(placed.get(self.turn, (x, y)))

    def shown_box(self, corners: np.ndarray) -> Box:
        """The box around points of the file, in inches as shown."""
        shown = self.shown_in(corners)
        left, bottom = (round(float(v), 6) for v in shown.min(axis=0))
        right, top = (round(float(v), 6) for v in shown.max(axis=0))
        return left, bottom, right, top


def viewport_names(page: pikepdf.Page) -> tuple[str, ...]:
    """The names of the viewports that a page declares."""
    listed = page.obj.get("/VP")
    if not isinstance(listed, pikepdf.Array):
        return ()
    found = (v.get("/Name", "") for v in listed if isinstance(v, pikepdf.Dictionary))
    return tuple(str(name) for name in found)


def inherited(node: Any, key: str, default: Any) -> Any:
    """A page attribute that may stand in a parent of the page."""
    for _ in range(32):  # a page tree that deep is a loop
        if key in node:
            return node[key]
        if "/Parent" not in node:
            break
        node = node["/Parent"]
    return default


def _box(array: Any) -> Box:
    a, b, c, d = (float(v) for v in array)
    return min(a, c), min(b, d), max(a, c), max(b, d)
