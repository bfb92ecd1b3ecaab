"""Fewest sheets for a ground: equal frames in bricks, and the match lines where two of them meet.

Arithmetic only. All boxes are in feet along the axes of the paper, x to the right and y up
(measures/turn.py brings ground there and back). What has no ground gets no sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.bricks import EPS_FT, Bounds, Brick, layings, overlap, pruned

MOST_PRUNED = 12  # layings that are looked at closely: those with the fewest sheets


@dataclass(frozen=True)
class Tile:
    """One sheet: the ground its frame shows, and the part of it that is its own.

    own_ft ends at match lines; where there is no neighbour it reaches to the frame's edge.
    """

    frame_ft: Bounds
    own_ft: Bounds

    @property
    def centre_ft(self) -> tuple[float, float]:
        """The middle of the frame."""
        left, bottom, right, top = self.frame_ft
        return (left + right) / 2.0, (bottom + top) / 2.0


@dataclass(frozen=True)
class MatchLine:
    """Where two tiles meet: `one` lies left of or below `other`. Level or upright."""

    one: int
    other: int
    start_ft: tuple[float, float]
    end_ft: tuple[float, float]

    @property
    def upright(self) -> bool:
        """True for a line that runs up the sheet."""
        return self.start_ft[0] == self.end_ft[0]


@dataclass(frozen=True)
class Tiling:
    """Tiles in reading order, and the match lines between them."""

    tiles: tuple[Tile, ...]
    match_lines: tuple[MatchLine, ...]

    def owner_of(self, x_ft: float, y_ft: float) -> int | None:
        """The tile that a point belongs to, else the first that shows it; None off all sheets."""
        for boxes in ([t.own_ft for t in self.tiles], [t.frame_ft for t in self.tiles]):
            for number, (left, bottom, right, top) in enumerate(boxes):
                if left <= x_ft <= right and bottom <= y_ft <= top:
                    return number
        return None

    def neighbours(self, tile: int) -> dict[str, tuple[int, ...]]:
        """The tiles beyond the "left", "right", "top" and "bottom" match lines of one tile."""
        found: dict[str, list[int]] = {"left": [], "right": [], "top": [], "bottom": []}
        for line in self.match_lines:
            ahead, behind = ("right", "left") if line.upright else ("top", "bottom")
            if line.one == tile:
                found[ahead].append(line.other)
            elif line.other == tile:
                found[behind].append(line.one)
        return {side: tuple(sorted(set(tiles))) for side, tiles in found.items()}

    def moved(self, x_ft: float, y_ft: float) -> Tiling:
        """The same tiles at another place."""

        def box(bounds: Bounds) -> Bounds:
            left, bottom, right, top = bounds
            return left + x_ft, bottom + y_ft, right + x_ft, top + y_ft

        def point(at: tuple[float, float]) -> tuple[float, float]:
            return at[0] + x_ft, at[1] + y_ft

        return Tiling(
            tuple(Tile(box(tile.frame_ft), box(tile.own_ft)) for tile in self.tiles),
            tuple(
                MatchLine(line.one, line.other, point(line.start_ft), point(line.end_ft))
                for line in self.match_lines
            ),
        )

    @property
    def bounds_ft(self) -> Bounds:
        """Around all frames."""
        boxes = np.array([tile.frame_ft for tile in self.tiles])
        low, high = boxes.min(axis=0), boxes.max(axis=0)
        return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def fewest_sheets(
    ground: BaseGeometry,
    frame_ft: tuple[float, float],
    overlap_ft: float,
    cell_ft: float | None = None,
) -> Tiling:
    """Cover `ground` with frames of frame_ft (width, height); each shows overlap_ft or more
    beyond its match lines.

    Bands are laid level or upright, each band moved along by itself (bricks). With cell_ft match
    lines lie on whole multiples of it where that costs no sheet. ValueError when the ground is
    empty, or a frame is not larger than its overlaps.
    """
    laid = _laid(ground, frame_ft, overlap_ft, cell_ft)
    found: list[tuple[tuple[int, int, int, int], list[Brick], bool]] = []
    for bricks, lying, upright, off_grid in laid[:MOST_PRUNED]:
        kept = pruned(lying, bricks)
        cost = (len(kept), len(_lines(kept)), off_grid, len(found))
        found.append((cost, kept, upright))
    _, kept, upright = min(found, key=lambda one: one[0])
    return _tiling(kept, upright, ground)


def rough_count(ground: BaseGeometry, frame_ft: tuple[float, float], overlap_ft: float) -> int:
    """How many sheets it takes before those are left out whose ground their neighbours show."""
    return len(_laid(ground, frame_ft, overlap_ft, None)[0][0])


def _laid(
    ground: BaseGeometry,
    frame_ft: tuple[float, float],
    overlap_ft: float,
    cell_ft: float | None,
) -> list[tuple[list[Brick], BaseGeometry, bool, int]]:
    """Layings with the fewest bricks first: bricks, the ground they lie on, are the bands upright,
    is it 1 that match lines lie off the grid.
    """
    if ground.is_empty:
        raise ValueError("there is no ground to put on sheets")
    if min(frame_ft) <= 2.0 * overlap_ft:
        raise ValueError(f"frames of {frame_ft} ft leave nothing between overlaps of {overlap_ft}")
    laid: list[tuple[list[Brick], BaseGeometry, bool, int]] = []
    for upright, whole_cells in product((False, True), (cell_ft is not None, False)):
        lying = shapely.transform(ground, _swapped) if upright else ground
        size = frame_ft[::-1] if upright else frame_ft
        pitch_of = cell_ft if whole_cells else None
        laid += [
            (bricks, lying, upright, int(not whole_cells))
            for bricks in layings(lying, size, overlap_ft, pitch_of, cell_ft)
        ]
    laid.sort(key=lambda laying: (len(laying[0]), laying[3]))
    return laid


def _swapped(xy: np.ndarray) -> np.ndarray:
    return xy[:, ::-1]


def _lines(bricks: Sequence[Brick]) -> list[MatchLine]:
    """Where the own ground of two bricks touches along a length."""
    lines: list[MatchLine] = []
    for (i, a), (j, b) in combinations(enumerate(bricks), 2):
        for axis in (0, 1):
            for (first, one), (second, other) in (((i, a), (j, b)), ((j, b), (i, a))):
                line = _line(first, one.own, second, other.own, axis)
                lines += [line] if line else []
    return lines


def _line(first: int, a: Bounds, second: int, b: Bounds, axis: int) -> MatchLine | None:
    """The line on which b begins where a ends, along an axis; None where they do not touch."""
    along = 1 - axis
    if abs(a[axis + 2] - b[axis]) > EPS_FT or overlap(a, b, along) <= EPS_FT:
        return None
    low, high = max(a[along], b[along]), min(a[along + 2], b[along + 2])
    at = a[axis + 2]
    if axis == 0:
        return MatchLine(first, second, (at, low), (at, high))
    return MatchLine(first, second, (low, at), (high, at))


def _tiling(bricks: Sequence[Brick], upright: bool, ground: BaseGeometry) -> Tiling:
    """In reading order: level bands from the top, upright ones from the left.

    Where two tiles meet without ground there is no match line.
    """
    order = sorted(
        bricks,
        key=lambda b: (b.band, -b.cell[0]) if upright else (-b.band, b.cell[0]),
    )
    tiles = tuple(
        Tile(_upright(b.frame), _upright(b.own)) if upright else Tile(b.frame, b.own) for b in order
    )
    lines = _lines(order)
    if upright:
        lines = [
            MatchLine(line.one, line.other, line.start_ft[::-1], line.end_ft[::-1])
            for line in lines
        ]
    lines = [
        line
        for line in lines
        if shapely.intersects(ground, shapely.LineString([line.start_ft, line.end_ft]))
    ]
    return Tiling(tiles, tuple(sorted(lines, key=lambda line: (line.one, line.other))))


def _upright(box: Bounds) -> Bounds:
    left, bottom, right, top = box
    return bottom, left, top, right
