"""Many polylines in one array, given out one by one.

A map of raw lidar has a hundred thousand contours, mostly specks: an array of its own for each
takes several times the memory of its places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import overload

import numpy as np

from sitemap.plate.marks import Path


class Paths(Sequence[Path]):
    """Polylines one after the other: xy has shape (n, 2) in inches, counts their vertices."""

    def __init__(self, xy: np.ndarray, counts: np.ndarray) -> None:
        self.xy = xy
        self.counts = np.asarray(counts, dtype=np.intp)
        self.first = np.append(0, np.cumsum(self.counts))  # path i: first[i] to first[i + 1]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> Paths:
        """The same paths in one array; those that are in one stay there."""
        if isinstance(paths, Paths):
            return paths
        xy = np.concatenate(paths) if len(paths) else np.empty((0, 2))
        return cls(xy, np.array([len(path) for path in paths], dtype=np.intp))

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, at: int) -> Path: ...
    @overload
    def __getitem__(self, at: slice) -> Paths: ...
    def __getitem__(self, at: int | slice) -> Path | Paths:
        if isinstance(at, slice):
            return self.taken(np.arange(len(self))[at])
        number = at + len(self) if at < 0 else at
        return self.xy[self.first[number] : self.first[number + 1]]

    def __iter__(self) -> Iterator[Path]:
        for start, end in pairwise(self.first.tolist()):
            yield self.xy[start:end]

    def rows(self, which: np.ndarray) -> np.ndarray:
        """Where in xy the vertices of some paths lie, path after path."""
        counts = self.counts[which]
        before = np.cumsum(counts) - counts
        return np.repeat(self.first[:-1][which] - before, counts) + np.arange(counts.sum())

    def taken(self, which: np.ndarray) -> Paths:
        """Some of the paths, by their numbers, in that order."""
        return Paths(self.xy[self.rows(which)], self.counts[which])

    def runs(self, most: int) -> Iterator[Paths]:
        """All of them, so many at a time at most; views of the same places."""
        for start in range(0, len(self), most):
            counts = self.counts[start : start + most]
            low, high = self.first[start], self.first[start + len(counts)]
            yield Paths(self.xy[low:high], counts)

    def with_pieces(self, pieces: Mapping[int, Sequence[Path]]) -> Paths:
        """With pieces in the place of some paths, by their numbers."""
        if not pieces:
            return self
        found: list[np.ndarray] = []
        counts: list[np.ndarray] = []
        start = 0
        for number in (*sorted(pieces), len(self)):
            found.append(self.xy[self.first[start] : self.first[number]])
            counts.append(self.counts[start:number])
            here = pieces.get(number, ())
            found.extend(here)
            counts.append(np.array([len(piece) for piece in here], dtype=np.intp))
            start = number + 1
        return Paths(np.concatenate(found), np.concatenate(counts))
