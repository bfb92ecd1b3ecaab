"""Level bands of equal frames over a ground: each band as few frames as it takes, like bricks.

Arithmetic only, in feet along the axes of the paper; tiling.py chooses among the layings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

Bounds = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax
Interval = tuple[float, float]

OFFSETS = 9  # of the bands that are tried, for each way of laying them
EPS_FT = 1e-6
SLIVER_SHARE = 0.25  # of a cell
SPECK_SQFT = 1e-3  # ground below this needs no sheet: the rounding of a clip


@dataclass(frozen=True)
class Brick:
    """One frame in a band: between its match lines is its cell, on both sides of it a margin.

    frames of one run stand at whole steps beside each other.
    """

    band: int
    run: int
    place: int
    cell: Bounds
    margin: tuple[float, float]  # across, up
    left: bool = False  # a neighbour is there
    right: bool = False
    below: bool = False
    above: bool = False

    @property
    def frame(self) -> Bounds:
        """The ground shown, cell and margins."""
        x, y = self.margin
        left, bottom, right, top = self.cell
        return left - x, bottom - y, right + x, top + y

    @property
    def own(self) -> Bounds:
        """The cell, and the margin on sides without a neighbour."""
        x, y = self.margin
        left, bottom, right, top = self.cell
        return (
            left if self.left else left - x,
            bottom if self.below else bottom - y,
            right if self.right else right + x,
            top if self.above else top + y,
        )


def layings(
    ground: BaseGeometry,
    frame: tuple[float, float],
    overlap: float,
    whole: float | None,
    cell: float | None,
) -> Iterable[list[Brick]]:
    """Level bands at several offsets, each as few bricks as it takes.

    From match line to match line is a multiple of `whole`; match lines, or the far edge of frames
    without any, lie on multiples of `cell` where there is room for it.
    """
    across, up = (_pitch(extent, overlap, whole) for extent in frame)
    margin = (frame[0] - across) / 2.0, (frame[1] - up) / 2.0
    _, low, _, high = ground.bounds
    bands = _count(high - low, up, margin[1])
    for start in _offsets(low, high, bands, up, margin[1], cell):
        bricks: list[Brick] = []
        phase: float | None = None
        for band in range(bands):
            bottom, top = start + band * up, start + (band + 1) * up
            reach = (
                bottom - (margin[1] if band == 0 else 0.0),
                top + (margin[1] if band == bands - 1 else 0.0),
            )
            runs = _runs(_along(ground, reach), across, margin[0])
            for number, (run_low, run_high, count) in enumerate(runs):
                room = run_high - count * across - margin[0], run_low + margin[0]
                if number:  # clear of the run before
                    room = max(room[0], bricks[-1].frame[2] + margin[0]), room[1]
                at = _start(room, across, cell, phase)
                phase = at if phase is None else phase
                bricks += [
                    Brick(
                        band,
                        number,
                        place,
                        (at + place * across, bottom, at + (place + 1) * across, top),
                        margin,
                    )
                    for place in range(count)
                ]
        yield bricks


def _pitch(extent: float, overlap: float, cell: float | None) -> float:
    """From match line to match line: whole cells where one fits."""
    room = extent - 2.0 * overlap
    return room if cell is None or room < cell else math.floor(room / cell + 1e-9) * cell


def _count(length: float, pitch: float, margin: float) -> int:
    return max(1, math.ceil((length - 2.0 * margin) / pitch - 1e-9))


def _offsets(
    low: float, high: float, count: int, pitch: float, margin: float, cell: float | None
) -> list[float]:
    """Starts of the first cell at which so many bands hold the ground, the middle one first."""
    least, most = high - count * pitch - margin, low + margin
    middle = (least + most) / 2.0
    tried = [middle, *np.linspace(least, most, OFFSETS).tolist()]
    if cell is not None and count == 1:  # no match line: the frame's far edge lies on a line
        shift = _edge_shift(pitch + 2.0 * margin, cell) - pitch - margin
        on_lines = [round((value - shift) / cell) * cell + shift for value in tried]
        tried = [value for value in on_lines if least - EPS_FT <= value <= most + EPS_FT] or tried
    elif cell is not None:
        on_lines = [round(value / cell) * cell for value in tried]
        tried = [value for value in on_lines if least - EPS_FT <= value <= most + EPS_FT] or tried
    return list(dict.fromkeys(tried))


def _edge_shift(extent: float, cell: float) -> float:
    """How far beyond a line of the grid a frame ends, so that no sliver of a cell is left."""
    rest = extent % cell
    return 0.0 if rest > SLIVER_SHARE * cell else rest / 2.0


def _along(ground: BaseGeometry, reach: Interval) -> list[Interval]:
    """The stretches across which a band has ground, from the left, apart from each other."""
    left, _, right, _ = ground.bounds
    slice_ = shapely.clip_by_rect(ground, left - 1.0, reach[0], right + 1.0, reach[1])
    parts = shapely.get_parts(slice_)
    parts = parts[shapely.area(parts) > SPECK_SQFT]
    merged: list[Interval] = []
    for low, _, high, _ in sorted(shapely.bounds(parts).tolist()):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _runs(
    stretches: Sequence[Interval], pitch: float, margin: float
) -> list[tuple[float, float, int]]:
    """Fewest frames from the left: runs of neighbours as (ground from, to, frames)."""
    runs: list[tuple[float, float, int]] = []
    for low, high in stretches:
        if runs:
            start, _, count = runs[-1]
            covered = start + count * pitch + 2.0 * margin
            if low <= covered + EPS_FT:  # the run before reaches in, and goes on if it must
                more = max(count, _count(high - start, pitch, margin))
                runs[-1] = (start, max(high, runs[-1][1]), more)
                continue
        runs.append((low, high, _count(high - low, pitch, margin)))
    return runs


def _start(room: Interval, pitch: float, cell: float | None, phase: float | None) -> float:
    """Left end of a run's first cell: in step with the other bands, else on the grid, else amid."""
    least, most = room
    middle = (least + most) / 2.0
    wishes: list[float] = []
    if phase is not None:
        wishes.append(phase + round((middle - phase) / pitch) * pitch)
    if cell is not None:
        wishes.append(round(middle / cell) * cell)
    for wish in wishes:
        if least - EPS_FT <= wish <= most + EPS_FT:
            return wish
    return middle


def pruned(ground: BaseGeometry, bricks: list[Brick]) -> list[Brick]:
    """Without those whose ground their neighbours show anyway."""
    kept = _joined(bricks)
    boxes = shapely.box(*np.array([brick.own for brick in kept]).T)
    areas = shapely.area(shapely.intersection(boxes, ground))
    order = np.argsort(areas, kind="stable")
    for number in order[: max(4, len(order) // 4)]:
        less = [other for other in kept if _key(other) != _key(bricks[int(number)])]
        trial = _joined(less)
        if trial and _holds(ground, trial):
            kept = trial
    return kept


def _key(brick: Brick) -> tuple[int, int, int]:
    return brick.band, brick.run, brick.place


def _holds(ground: BaseGeometry, bricks: Sequence[Brick]) -> bool:
    owns = shapely.union_all(shapely.box(*np.array([brick.own for brick in bricks]).T))
    rest = shapely.difference(ground, owns)
    return bool(shapely.area(rest) <= SPECK_SQFT)


def _joined(bricks: Sequence[Brick]) -> list[Brick]:
    """The bricks with their neighbours known."""
    there = {_key(brick) for brick in bricks}
    bands: dict[int, list[Brick]] = {}
    for brick in bricks:
        bands.setdefault(brick.band, []).append(brick)
    joined = []
    for brick in bricks:
        band, run, place = _key(brick)
        beside = [
            step
            for step in (-1, 1)
            for other in bands.get(band + step, ())
            if overlap(brick.frame, other.frame, 0) > EPS_FT
        ]
        joined.append(
            replace(
                brick,
                left=(band, run, place - 1) in there,
                right=(band, run, place + 1) in there,
                below=-1 in beside,
                above=1 in beside,
            )
        )
    return joined


def overlap(a: Bounds, b: Bounds, axis: int) -> float:
    """By how much two boxes share an axis (0 across, 1 up); negative when they lie apart."""
    return min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis])
