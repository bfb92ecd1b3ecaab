"""Pieces of contours that may come near a line of another level: few do, and few are looked at."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from sitemap.measures.contours import PIECE_SEGMENTS, Contours

PART_SEGMENTS = 4  # boxes of so few segments overlap where lines come near, and hardly elsewhere
PARTS = PIECE_SEGMENTS // PART_SEGMENTS
MOST_PAIRS = 200_000  # whose boxes are compared at once
SURELY_FT = 0.6  # looked for once, for all that ask for this or less


def near_another_level(contours: Contours, reach_ft: float) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of pieces of different level, each pair once, the lower number first.

    All that come within reach_ft of each other are among them; the others come near it.
    """
    return _near(contours, max(reach_ft, SURELY_FT))


@lru_cache(maxsize=2)
def _near(contours: Contours, reach_ft: float) -> tuple[np.ndarray, np.ndarray]:
    pieces = contours.pieces
    around = shapely.bounds(pieces.lines) + reach_ft * np.array([-1.0, -1.0, 1.0, 1.0])
    # a line from corner to corner has the box, and is made in less time
    looking = shapely.linestrings(around.reshape(-1, 2, 2))
    a, b = pieces.tree.query(looking)  # most of it are the next pieces of a line
    level = np.round(contours.levels_ft, 3)[pieces.owner]
    other = (a < b) & (level[a] != level[b])
    a, b = a[other], b[other]
    if not len(a):
        return a, b
    low, high = _part_boxes(contours.lines)
    close = []
    for i in range(0, len(a), MOST_PAIRS):
        one, two = a[i : i + MOST_PAIRS], b[i : i + MOST_PAIRS]
        corners = low[one] - reach_ft, high[one] + reach_ft
        close.append(_any_parts_meet(corners, (low[two], high[two])))
    kept = np.concatenate(close)
    return a[kept], b[kept]


def _any_parts_meet(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """True for each pair of pieces of which a part of one has a box that meets one of the other.

    Lower left and upper right corners have shape (n, PARTS, 2).
    """
    (low, high), (other_low, other_high) = one, other
    meet = np.ones((len(low), PARTS, PARTS), dtype=bool)
    for k in (0, 1):
        meet &= low[:, :, None, k] <= other_high[:, None, :, k]
        meet &= other_low[:, None, :, k] <= high[:, :, None, k]
    return np.asarray(meet.any(axis=(1, 2)))


def _part_boxes(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower left and upper right corners of the parts of all pieces, shape (n, PARTS, 2).

    In the order in which lines are cut into pieces; a part that a short piece lacks meets nothing.
    """
    xy, owner = shapely.get_coordinates(lines, return_index=True)
    count = np.bincount(owner, minlength=len(lines)) - 1  # segments
    first = np.cumsum(count + 1) - count - 1
    parts = -(-np.maximum(count, 0) // PART_SEGMENTS)
    order = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    begin = np.repeat(first, parts) + PART_SEGMENTS * order
    pieces = -(-np.maximum(count, 0) // PIECE_SEGMENTS)
    piece = np.repeat(np.cumsum(pieces) - pieces, parts) + order // PARTS
    joint = np.flatnonzero(owner[1:] != owner[:-1])  # from one line to the next
    corners = []
    for pick, nowhere in ((np.minimum, np.inf), (np.maximum, -np.inf)):
        of_segment = pick(xy[:-1], xy[1:])
        of_segment[joint] = nowhere
        corner = np.full((int(pieces.sum()), PARTS, 2), nowhere)
        corner[piece, order % PARTS] = pick.reduceat(of_segment, begin, axis=0)
        corners.append(corner)
    return corners[0], corners[1]
