"""The vertices of many shapes as one array, laid out once for all measures that go over them.

Taking a layer of a hundred thousand areas apart into rings costs more than what is then measured
on them; areas without holes and single lines are not taken apart at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

BLOCK_VERTICES = 200_000  # looked at together: memory stays small, and in the processor's reach
ROUNDING = 1e-14  # of the square of a radius: 20 times what a product of differences is off by
MOST_KEPT = 4
_ODD = tuple(np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9))


@dataclass(frozen=True, eq=False)
class Vertices:
    """Rings and lines of shapes, path after path; points and empty shapes have none.

    xy has shape (n, 2); path p has the vertices first[p] to first[p + 1]. shape is the number of
    the shape of each path, ring is True for one that bounds an area, hole for all but the outer
    ring of a polygon; whole is True for a path that is all there is of its shape.
    """

    shapes: np.ndarray
    xy: np.ndarray
    first: np.ndarray
    shape: np.ndarray
    ring: np.ndarray
    hole: np.ndarray
    whole: np.ndarray

    def __len__(self) -> int:
        return len(self.shape)

    @property
    def count(self) -> np.ndarray:
        """The number of vertices of each path; a ring has its first one twice."""
        return np.diff(self.first)

    @property
    def plain(self) -> bool:
        """Whether each shape is one line, or one area without a hole, in the order of the paths."""
        return len(self) == len(self.shapes) and bool(self.whole.all())

    @cached_property
    def every_xy(self) -> np.ndarray:
        """All coordinates of the shapes, those of points too, in no certain order; shape (n, 2)."""
        complete = int(shapely.get_num_coordinates(self.shapes).sum()) == len(self.xy)
        return self.xy if complete else np.asarray(shapely.get_coordinates(self.shapes))

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Runs of paths, from and to, that have about BLOCK_VERTICES together."""
        block = self.first[1:] // BLOCK_VERTICES
        cuts = np.flatnonzero(block[1:] != block[:-1]) + 1
        ends = [0, *cuts.tolist(), len(self)] if len(self) else [0]
        yield from pairwise(ends)

    @cached_property
    def valid(self) -> np.ndarray:
        """True for each shape that is valid as GEOS says it; null ones are not."""
        proven = np.zeros(len(self.shapes), dtype=bool)
        if self.ring.any():
            proven[self.shape[self.whole & self.ring & self._turning[1]]] = True
        rest = ~proven
        proven[rest] = shapely.is_valid(self.shapes[rest])
        return proven

    @cached_property
    def ccw(self) -> np.ndarray:
        """True for each ring that runs counter-clockwise, as GEOS says it."""
        area, around = self._turning
        found = self.ring & (area > 0)
        unsure = self.ring & ~around
        if unsure.any():
            number = np.repeat(np.arange(unsure.sum()), self.count[unsure])
            xy = self.xy[np.repeat(unsure, self.count)]
            found[unsure] = shapely.is_ccw(shapely.linearrings(xy, indices=number))
        return found

    @cached_property
    def _turning(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each path twice its area, and whether it goes once round the middle of its vertices,
        on and on in one direction: such a ring cannot meet itself.
        """
        found = [self._turning_of(start, end) for start, end in self.blocks()]
        if not found:
            return np.zeros(0), np.zeros(0, dtype=bool)
        area, around = (np.concatenate(part) for part in zip(*found, strict=True))
        return area, around

    def _turning_of(self, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        first = self.first[start : end + 1] - self.first[start]
        xy = self.xy[self.first[start] : self.first[end]]
        begin, count = first[:-1], np.diff(first)
        middle = np.add.reduceat(xy, begin, axis=0) / count[:, None]
        x, y = (xy[:, k] - np.repeat(middle[:, k], count) for k in (0, 1))
        cross = np.zeros(len(x))  # of each vertex and the next; nothing at the last of a path
        np.subtract(x[:-1] * y[1:], y[:-1] * x[1:], out=cross[:-1])
        cross[first[1:] - 1] = 0.0
        least = ROUNDING * float((x * x + y * y).max())
        up = np.zeros(len(x), dtype=bool)
        np.logical_and(y[:-1] < 0, y[1:] >= 0, out=up[:-1])
        up[first[1:] - 1] = False
        left, right = (np.add.reduceat(side, begin, dtype=np.int64)
                       for side in (cross > least, cross < -least))  # fmt: skip
        once = np.add.reduceat(up, begin, dtype=np.int64) == 1
        last = first[1:] - 1
        closed = (xy[begin] == xy[last]).all(axis=1)
        around = ((left == count - 1) | (right == count - 1)) & once & closed
        return np.add.reduceat(cross, begin), around


_KEPT: deque[Vertices] = deque(maxlen=MOST_KEPT)


def vertices_of(shapes: np.ndarray) -> Vertices:
    """The vertices of shapes; kept for the last few arrays, since every rule asks for them."""
    known = _known(shapes)
    if known is not None:
        return known
    made = _laid_out(np.asarray(shapes, dtype=object))
    _KEPT.append(made)
    return made


def _known(shapes: np.ndarray) -> Vertices | None:
    """The vertices of shapes where they were laid out already."""
    return next((known for known in tuple(_KEPT) if same_objects(known.shapes, shapes)), None)


def coordinates_of(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 2) of single lines, and where each begins and the last ends.

    Those that were laid out already are not taken out of the shapes again.
    """
    known = _known(lines)
    if known is not None and known.plain:
        return known.xy, known.first
    first = np.append(0, np.cumsum(shapely.get_num_coordinates(lines))).astype(np.int64)
    return shapely.get_coordinates(lines), first


def same_objects(some: np.ndarray, others: np.ndarray) -> bool:
    """Whether both hold the very same shapes in the same order; told by where those are kept."""
    return len(some) == len(others) and some.tobytes() == others.tobytes()


def parts_of(shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Single parts and the number of the shape of each; what is single already is not copied."""
    known = _known(shapes)
    if known is not None and known.plain:
        return shapes, np.arange(len(shapes))
    kind = shapely.get_type_id(shapes)
    rest = np.flatnonzero(~((kind >= 0) & (kind <= 3)) | shapely.is_empty(shapes))
    if not len(rest):
        return shapes, np.arange(len(shapes))
    taken, of = shapely.get_parts(shapes[rest], return_index=True)
    count = np.ones(len(shapes), dtype=np.int64)
    count[rest] = np.bincount(of, minlength=len(rest))
    owner = np.repeat(np.arange(len(shapes)), count)
    parts = shapes[owner]
    parts[np.isin(owner, rest)] = taken
    return parts, owner


def numbers_of(rows: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each row of numbers, shape (n, k), the same for the same row.

    Two different rows share one by chance once in ten million layers of a million rows.
    """
    bits = np.ascontiguousarray(rows + 0.0).view(np.uint64)  # 0 for -0, the same in other bits
    mixed = bits[:, 0] * _ODD[0]
    for column in bits[:, 1:].T:
        mixed ^= mixed >> np.uint64(31)
        mixed = (mixed ^ column) * _ODD[1]
    mixed ^= mixed >> np.uint64(29)
    return mixed


def _laid_out(shapes: np.ndarray) -> Vertices:
    """First the shapes of one path, as they are; then the rings and lines of the others."""
    kind = shapely.get_type_id(shapes)
    plain = np.isin(kind, (1, 2)) | ((kind == 3) & (shapely.get_num_interior_rings(shapes) == 0))
    plain &= shapely.get_num_coordinates(shapes) > 0
    mine = np.flatnonzero(plain)
    one = shapes[mine] if len(mine) < len(shapes) else shapes
    paths, shape, ring, hole = _taken_apart(shapes, np.flatnonzero(~plain & (kind > 0)))
    xy = shapely.get_coordinates(one)
    more = shapely.get_coordinates(paths)
    counts = [shapely.get_num_coordinates(one), shapely.get_num_coordinates(paths)]
    return Vertices(
        shapes.copy(),  # nobody can put others in place of those that were looked at
        np.concatenate([xy, more]) if len(more) else xy,
        np.append(0, np.cumsum(np.concatenate(counts))).astype(np.int64),
        np.concatenate([mine, shape]),
        np.concatenate([kind[mine] == 3, ring]),
        np.concatenate([np.zeros(len(mine), dtype=bool), hole]),
        np.arange(len(mine) + len(shape)) < len(mine),
    )


def _taken_apart(
    shapes: np.ndarray, which: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rings, then lines of some shapes: paths, shape of each, is it a ring, is it a hole."""
    parts, of = shapely.get_parts(shapes[which], return_index=True)
    areal, linear = (np.isin(shapely.get_type_id(parts), kinds) for kinds in ((3,), (1, 2)))
    rings, polygon = shapely.get_rings(parts[areal], return_index=True)
    hole = np.append(False, polygon[1:] == polygon[:-1])[: len(rings)]
    paths = np.concatenate([rings, parts[linear]])
    shape = which[np.concatenate([of[areal][polygon], of[linear]])]
    ring = np.arange(len(paths)) < len(rings)
    hole = np.append(hole, np.zeros(len(paths) - len(rings), dtype=bool))
    there = shapely.get_num_coordinates(paths) > 0
    return paths[there], shape[there], ring[there], hole[there]
