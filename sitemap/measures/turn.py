"""The ground turned as it lies on a sheet: feet along the axes of the paper, and back.

Angles are degrees counter-clockwise: 0 has grid north up, 90 has it to the left, -90 to the right.
"""

from __future__ import annotations

import numpy as np
import shapely

Bounds = tuple[float, float, float, float]

QUARTER_DEG = 90.0
SNAP_DEG = 1.0  # a side within this of a quarter turn counts as lying along the axes
STEP_DEG = 0.1  # a turn is stated, and drawn, in tenths of a degree
_EXACT = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


def cos_sin(turn_deg: float) -> tuple[float, float]:
    """Cosine and sine, without the rounding of quarter turns."""
    exact = _EXACT.get(turn_deg % 360.0)
    angle = np.deg2rad(turn_deg)
    return exact or (float(np.cos(angle)), float(np.sin(angle)))


def turned(xy_ft: np.ndarray, turn_deg: float) -> np.ndarray:
    """Ground feet, shape (n, 2), along the axes of a paper on which the ground is turned."""
    xy = np.asarray(xy_ft, dtype=float)
    if turn_deg % 360.0 == 0.0:
        return xy
    cos, sin = cos_sin(turn_deg)
    return np.column_stack([xy[:, 0] * cos - xy[:, 1] * sin, xy[:, 0] * sin + xy[:, 1] * cos])


def unturned(xy_ft: np.ndarray, turn_deg: float) -> np.ndarray:
    """The inverse of turned."""
    return turned(xy_ft, -turn_deg)


def turned_bounds(xy_ft: np.ndarray, turn_deg: float) -> Bounds:
    """Around points on the ground, along the axes of the paper."""
    on_paper = turned(xy_ft, turn_deg)
    (left, bottom), (right, top) = on_paper.min(axis=0), on_paper.max(axis=0)
    return float(left), float(bottom), float(right), float(top)


def by_quarters(turn_deg: float, other_deg: float = 0.0) -> bool:
    """True when two turns differ by whole quarters, so that axes lie along axes."""
    off = (turn_deg - other_deg) % QUARTER_DEG
    return min(off, QUARTER_DEG - off) < 1e-6


def half_turn(turn_deg: float) -> float:
    """The same lie of a line with north not below the middle: over -90, up to 90."""
    folded = turn_deg % 180.0
    return folded - 180.0 if folded > QUARTER_DEG else folded


def turn_to_longest_side(xy_ft: np.ndarray) -> float:
    """The turn that lays the longer side of what encloses the points along the sheet's width.

    To a tenth of a degree, in (-90, 90]; a side within a degree of an axis counts as on it.
    """
    rectangle = shapely.minimum_rotated_rectangle(shapely.multipoints(np.asarray(xy_ft)))
    if shapely.get_dimensions(rectangle) == 0:
        return 0.0
    corners = shapely.get_coordinates(rectangle)
    sides = np.diff(corners, axis=0)
    x, y = sides[int(np.hypot(*sides.T).argmax())].tolist()
    turn = -float(np.rad2deg(np.arctan2(y, x)))
    nearest = round(turn / QUARTER_DEG) * QUARTER_DEG
    if abs(turn - nearest) <= SNAP_DEG:
        return half_turn(nearest)
    return half_turn(round(turn / STEP_DEG) * STEP_DEG)
