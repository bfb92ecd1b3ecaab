"""Pieces of contours that may come near a line of another level: few do, and few are looked at."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from sitemap.measures.contour_pieces import PART_SEGMENTS, PARTS, Pieces
from sitemap.measures.contours import Contours

MOST_PAIRS = 20_000  # whose boxes are compared at once
SURELY_FT = 0.6  # looked for once, for all that ask for this or less


def near_another_level(contours: Contours, reach_ft: float) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of pieces of different level, each pair once, the lower number first.

    All that come within reach_ft of each other are among them; the others come near it.
    """
    return _near(contours, max(reach_ft, SURELY_FT))


@lru_cache(maxsize=2)
def _near(contours: Contours, reach_ft: float) -> tuple[np.ndarray, np.ndarray]:
    pieces = contours.pieces
    a, b = pieces.near(pieces.boxes, reach_ft)  # most of it are the next pieces of a line
    level = np.searchsorted(contours.levels, np.round(contours.levels_ft, 3))[pieces.owner]
    other = (a < b) & (level[a] != level[b])
    a, b = a[other], b[other]
    close = [np.zeros(0, dtype=bool)]
    for i in range(0, len(a), MOST_PAIRS):
        close.append(
            _any_segments_near(pieces, a[i : i + MOST_PAIRS], b[i : i + MOST_PAIRS], reach_ft)
        )
    kept = np.concatenate(close)
    return a[kept], b[kept]


def _any_segments_near(pieces: Pieces, a: np.ndarray, b: np.ndarray, reach_ft: float) -> np.ndarray:
    """True for each pair of pieces of which two segments have boxes within reach of each other.

    Only those of two parts are looked at whose boxes come within reach.
    """
    one, other = _grown(pieces.parts.take(a, axis=2), reach_ft), pieces.parts.take(b, axis=2)
    near = np.zeros(len(a), dtype=bool)
    for i, j in product(range(PARTS), repeat=2):
        maybe = np.flatnonzero(_meet(one[:, i], other[:, j]) & ~near)
        mine = _grown(_segments(pieces, a[maybe], i), reach_ft)
        theirs = _segments(pieces, b[maybe], j)
        for k, m in product(range(PART_SEGMENTS), repeat=2):
            near[maybe[_meet(mine[:, k], theirs[:, m])]] = True
    return near


def _segments(pieces: Pieces, piece: np.ndarray, part: int) -> np.ndarray:
    """The boxes of the segments of one part of each piece, shape (4, PART_SEGMENTS, n).

    A part that ends early has its last vertex again.
    """
    vertex = PART_SEGMENTS * part + np.arange(PART_SEGMENTS + 1)[:, None]
    vertex = np.minimum(vertex, pieces.size[piece] - 1) + pieces.begin[piece]
    x, y = (pieces.xy[:, k][vertex] for k in (0, 1))
    return np.stack([pick(v[:-1], v[1:]) for pick in (np.minimum, np.maximum) for v in (x, y)])


def _grown(boxes: np.ndarray, reach_ft: float) -> np.ndarray:
    """Boxes (4, ...) with the reach on all sides."""
    return np.concatenate([boxes[:2] - reach_ft, boxes[2:] + reach_ft])


def _meet(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which boxes (4, n) meet those at the same place in the other."""
    meet: np.ndarray = (one[0] <= other[2]) & (other[0] <= one[2])
    meet &= (one[1] <= other[3]) & (other[1] <= one[3])
    return meet
