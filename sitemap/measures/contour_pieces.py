"""Lines cut into short pieces, so that the boxes in which they are searched stay small.

A piece is a stretch of the vertices of its line. Only the few that lie near what is looked for are
made into geometries; most are told by their boxes and vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from sitemap.measures.vertices import coordinates_of

PIECE_SEGMENTS = 16
PART_SEGMENTS = 4  # boxes of so few segments overlap where lines come near, and hardly elsewhere
PARTS = PIECE_SEGMENTS // PART_SEGMENTS


@dataclass(frozen=True, eq=False)
class Pieces:
    """Short parts of lines with the index of the line that each is cut from.

    Piece p has the vertices xy[begin[p]] to xy[begin[p] + size[p] - 1], shape (n, 2); it ends where
    the next piece of its line begins.
    """

    xy: np.ndarray
    begin: np.ndarray
    size: np.ndarray
    owner: np.ndarray

    def __len__(self) -> int:
        return len(self.owner)

    @cached_property
    def lines(self) -> np.ndarray:
        """All pieces as LineStrings."""
        return self._made(np.arange(len(self)))

    def some(self, numbers: np.ndarray) -> np.ndarray:
        """The pieces of these numbers as LineStrings; one that is named again is made once."""
        once, place = np.unique(numbers, return_inverse=True)
        made: np.ndarray = self._made(once)[place]
        return made

    def _made(self, numbers: np.ndarray) -> np.ndarray:
        if not len(numbers):
            return np.empty(0, dtype=object)
        size = self.size[numbers]
        first = np.cumsum(size) - size
        vertex = np.arange(size.sum()) + np.repeat(self.begin[numbers] - first, size)
        piece = np.repeat(np.arange(len(numbers)), size)
        return np.asarray(shapely.linestrings(self.xy[vertex], indices=piece))

    @cached_property
    def parts(self) -> np.ndarray:
        """Left, bottom, right, top of the parts of all pieces, shape (4, PARTS, n).

        A part that a short piece lacks meets nothing.
        """
        box = np.full((4, PARTS, len(self)), np.inf)
        box[2:] = -np.inf
        last = self.begin + self.size - 1
        for k in (0, 1):
            value = np.ascontiguousarray(self.xy[:, k])
            for order in range(PARTS):
                there = np.flatnonzero(self.size > PART_SEGMENTS * order + 1)
                begin, end = self.begin[there] + PART_SEGMENTS * order, last[there]
                low, high = (value[begin] for _ in (0, 1))
                for step in range(1, PART_SEGMENTS + 1):
                    at = value[np.minimum(begin + step, end)]
                    np.minimum(low, at, out=low)
                    np.maximum(high, at, out=high)
                box[k, order, there], box[k + 2, order, there] = low, high
        return box

    @cached_property
    def boxes(self) -> np.ndarray:
        """Left, bottom, right, top of each piece, shape (n, 4)."""
        low, high = self.parts[:2].min(axis=1), self.parts[2:].max(axis=1)
        return np.concatenate([low, high]).T

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(diagonals(self.boxes))

    def near(self, boxes: np.ndarray, reach_ft: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of boxes (n, 4) in order, and of the pieces whose boxes come within reach."""
        around = boxes + reach_ft * np.array([-1.0, -1.0, 1.0, 1.0])
        box, piece = self._tree.query(diagonals(around))
        return box, piece

    def within(self, shapes: np.ndarray, reach_ft: float) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of shapes in order, and of the pieces that come within reach of each."""
        shape, piece = self.near(shapely.bounds(shapes), reach_ft)
        near = shapely.dwithin(shapes[shape], self.some(piece), reach_ft)
        return shape[near], piece[near]


def diagonals(boxes: np.ndarray) -> np.ndarray:
    """A line from corner to corner of each box (n, 4): it has the box, and is made in less time."""
    return np.asarray(shapely.linestrings(np.reshape(boxes, (-1, 2, 2))))


def cut_into_pieces(lines: np.ndarray, segments: int = PIECE_SEGMENTS) -> Pieces:
    """Cut every line into pieces of at most `segments` segments that share their end vertices."""
    xy, first = coordinates_of(lines)
    count = np.diff(first)
    number = -(-np.maximum(count - 1, 0) // segments)  # a single vertex is no piece
    line = np.repeat(np.arange(len(lines)), number)
    order = np.arange(len(line)) - np.repeat(np.cumsum(number) - number, number)
    size = np.minimum(segments + 1, count[line] - order * segments)
    return Pieces(xy, first[line] + order * segments, size, line)
