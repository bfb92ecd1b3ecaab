"""Ground that two map sheets of a plate both show: the strips along their match lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely

from sitemap.measured_plate import MapFrame, PlatePage

LEAST_IN = 0.1  # a strip thinner than this is the rounding of two frames that only touch


@dataclass(frozen=True, eq=False)
class SharedGround:
    """Two sheets and the ground in feet that both show."""

    one: PlatePage
    other: PlatePage
    frames: tuple[MapFrame, MapFrame]
    ground: shapely.Polygon

    @property
    def sheets(self) -> tuple[tuple[PlatePage, MapFrame], tuple[PlatePage, MapFrame]]:
        """Each page with its frame."""
        return (self.one, self.frames[0]), (self.other, self.frames[1])


def shared_grounds(sheets: Sequence[tuple[PlatePage, MapFrame]]) -> list[SharedGround]:
    """Every two sheets whose frames overlap on the ground by more than a hair.

    Sheets of different phases of construction show different controls, and have no match line.
    """
    found = []
    for (one, frame), (other, another) in combinations(sheets, 2):
        if frame.ground_ft is None or another.ground_ft is None or one.phase != other.phase:
            continue
        common = shapely.intersection(
            shapely.Polygon(frame.ground_ft), shapely.Polygon(another.ground_ft)
        )
        thick = LEAST_IN * max(frame.feet_per_inch, another.feet_per_inch)
        if isinstance(common, shapely.Polygon) and not common.buffer(-thick / 2.0).is_empty:
            found.append(SharedGround(one, other, (frame, another), common))
    return found


def on_page(frame: MapFrame, x_ft: float, y_ft: float) -> tuple[float, float]:
    """A place on the ground in inches on the page of a frame whose ground is known."""
    assert frame.ground_ft is not None
    lower_left, upper_left, _, lower_right = (np.array(corner) for corner in frame.ground_ft)
    axes = np.column_stack([lower_right - lower_left, upper_left - lower_left])
    across, up = np.linalg.solve(axes, np.array([x_ft, y_ft]) - lower_left)
    left, bottom, right, top = frame.box_in
    return left + float(across) * (right - left), bottom + float(up) * (top - bottom)
