"""Sight lines from place to place: which of them meet a contour of another level between.

Between two places on contours of different level the ground passes through all levels between, so
the contour that stops the sight is mostly one of the level midway: it is looked for first, and
only what it does not stop is held against all others. Whether a straight line meets a piece is
told by the sides on which the vertices lie; GEOS is asked where rounding could decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.contour_pieces import PIECE_SEGMENTS, Pieces, diagonals
from sitemap.measures.contours import SAME_LEVEL_FT, Contours

ROUNDING = 2e-14  # of the square of a length: three times what a difference of products is off by
MOST_SIGHTS = 4_000  # held against all contours together: on a cliff each has thousands about it
MOST_PAIRS = 8_000  # whose vertices are looked at together
SLACK = 1e-6  # of the width of all: a box moved aside is as good as another


@dataclass(frozen=True, eq=False)
class Sights:
    """Straight lines, by their ends in feet, shape (n, 2) each."""

    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        return len(self.start)

    @property
    def boxes(self) -> np.ndarray:
        """Left, bottom, right, top of each, shape (n, 4)."""
        low, high = np.minimum(self.start, self.end), np.maximum(self.start, self.end)
        return np.concatenate([low, high], axis=1)


def blocked(
    start_xy: np.ndarray, end_xy: np.ndarray, levels: tuple[np.ndarray, np.ndarray], by: Contours
) -> np.ndarray:
    """True for each sight line that meets a contour of another level than the two of its ends."""
    hit = np.zeros(len(start_xy), dtype=bool)
    if len(start_xy) == 0 or len(by) == 0:
        return hit
    sights = Sights(start_xy, end_xy)
    _stop_midway(sights, levels, by, hit)
    rest = np.flatnonzero(~hit)
    for i in range(0, len(rest), MOST_SIGHTS):
        some = rest[i : i + MOST_SIGHTS]
        asked, piece = by.pieces.near(sights.boxes[some])
        which = some[asked]
        level = by.levels_ft[by.pieces.owner[piece]]
        other = np.abs(level - levels[0][which]) > SAME_LEVEL_FT
        other &= np.abs(level - levels[1][which]) > SAME_LEVEL_FT
        stop(sights, which[other], piece[other], by.pieces, hit)
    return hit


def _stop_midway(
    sights: Sights, levels: tuple[np.ndarray, np.ndarray], by: Contours, hit: np.ndarray
) -> None:
    """Set hit for the sights that meet a contour of the level midway between those of their ends.

    Every level has its pieces moved aside to a place of its own, so that one query finds them.
    """
    low, high = np.minimum(*levels), np.maximum(*levels)
    midway = np.minimum(np.searchsorted(by.levels, (low + high) / 2.0), len(by.levels) - 1)
    level = by.levels[midway]
    between = np.flatnonzero((level > low + SAME_LEVEL_FT) & (level < high - SAME_LEVEL_FT))
    if not len(between):
        return
    boxes, own = by.pieces.boxes, sights.boxes[between]
    origin = np.minimum(boxes[:, :2].min(axis=0), own[:, :2].min(axis=0))
    width = max(boxes[:, 2].max(), own[:, 2].max()) - origin[0] + 1.0
    room = SLACK * width * np.array([-1.0, -1.0, 1.0, 1.0])
    rank = np.searchsorted(by.levels, np.round(by.levels_ft, 3))[by.pieces.owner]

    def aside(box: np.ndarray, place: np.ndarray) -> np.ndarray:
        moved = box - np.tile(origin, 2)
        moved[:, ::2] += (2.0 * width * place)[:, None]
        return diagonals(moved)

    tree = shapely.STRtree(aside(boxes, rank))
    asked, piece = tree.query(aside(own + room, midway[between]))
    stop(sights, between[asked], piece, by.pieces, hit)


def stop(
    sights: Sights, which: np.ndarray, piece: np.ndarray, pieces: Pieces, hit: np.ndarray
) -> None:
    """Set hit for the sights that meet a piece; pairs in the order of the sights, as queries give.

    One that stops it is enough: the first two that may are looked at, then as many again ...
    """
    begin = np.flatnonzero(np.append(True, which[1:] != which[:-1])[: len(which)])
    rank = np.arange(len(which)) - np.repeat(begin, np.diff(np.append(begin, len(which))))
    most = 2
    while len(which):
        now = rank < most
        turn = np.flatnonzero(now)
        for i in range(0, len(turn), MOST_PAIRS):
            pair = turn[i : i + MOST_PAIRS]
            hit[which[pair][_meet(sights, which[pair], pieces, piece[pair])]] = True
        left = ~now & ~hit[which]
        which, piece, rank = which[left], piece[left], rank[left]
        most *= 2


def _meet(sights: Sights, which: np.ndarray, pieces: Pieces, piece: np.ndarray) -> np.ndarray:
    """True for each pair of a sight and a piece that have a point in common."""
    vertex = np.minimum(np.arange(PIECE_SEGMENTS + 1), pieces.size[piece][:, None] - 1)
    vertex += pieces.begin[piece][:, None]
    start, way = sights.start[which], (sights.end - sights.start)[which]
    x, y = (pieces.xy[:, k][vertex] - start[:, k, None] for k in (0, 1))
    side = way[:, :1] * y - way[:, 1:] * x  # left of the sight or right of it
    sure = ROUNDING * max(float(np.abs(length).max()) for length in (way, x, y)) ** 2
    left, right = side > sure, side < -sure
    pair, at = np.nonzero((left[:, :-1] & right[:, 1:]) | (right[:, :-1] & left[:, 1:]))
    from_x, from_y = x[pair, at], y[pair, at]
    to_x, to_y = x[pair, at + 1] - from_x, y[pair, at + 1] - from_y
    begins = to_y * from_x - to_x * from_y  # where the sight begins, seen along the segment
    ends = to_x * (way[pair, 1] - from_y) - to_y * (way[pair, 0] - from_x)
    met = np.zeros(len(which), dtype=bool)
    met[pair[((begins > sure) & (ends < -sure)) | ((begins < -sure) & (ends > sure))]] = True
    unsure = ~(left | right).all(axis=1)
    unsure[pair[(np.abs(begins) <= sure) | (np.abs(ends) <= sure)]] = True
    ask = np.flatnonzero(unsure & ~met)
    if len(ask):
        ends = np.stack([sights.start[which[ask]], sights.end[which[ask]]], axis=1)
        met[ask] = shapely.intersects(shapely.linestrings(ends), pieces.some(piece[ask]))
    return met
