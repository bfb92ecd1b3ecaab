"""The error of a surface as a field: the same for a place and a run, whatever part is looked at.

Values of standard deviation 1 on a lattice whose spacing is the correlation length, joined by cubic
B-splines of unit variance, times the standard error. The values come from a hash of lattice place
and number of the run: sums of eight evenly spread numbers, which are whole, so that the same come
out everywhere. Joined they are normal but for the last tenth of a percent (excess kurtosis of a sum
-0.15, of the field at most -0.1). The lattice hangs on the start of a path: moving the site changes
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np

_SEED = 162
_AT_ONCE = 1 << 15  # cells of some runs: what stays in the cache
_EACH, _OF = 8, 1 << 16  # a sum of so many whole numbers below so much
_MIDDLE = _EACH * (_OF - 1) // 2
_SPREAD = math.sqrt(_EACH * (_OF**2 - 1) / 12.0)


class Grid(Protocol):
    """Heights (rows, columns) from north to south; left and top are the outer corner in feet."""

    @property
    def z_ft(self) -> np.ndarray:
        """Heights in feet."""

    @property
    def left(self) -> float:
        """The western edge."""

    @property
    def top(self) -> float:
        """The northern edge."""

    @property
    def cell_ft(self) -> float:
        """The side of a cell."""


@dataclass(frozen=True)
class Noise:
    """The stated error of a surface: standard error and correlation length in feet."""

    error_ft: float
    correlation_ft: float


@dataclass(frozen=True, eq=False)
class ErrorField:
    """The errors of some runs at lattice nodes, and how they are joined.

    lattice is the first row of nodes, their number, the first column, their number; scale feet per
    unit of a sum. up and across are the weights (4, rows) and (4, columns) of four nodes in a row,
    of which the first are node_y and node_x.
    """

    runs: Sequence[int]
    lattice: tuple[int, int, int, int]
    scale: float
    up: np.ndarray
    node_y: np.ndarray
    across: np.ndarray
    node_x: np.ndarray

    middle: ClassVar[int] = _MIDDLE

    @cached_property
    def in_lines(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Weights and nodes of rows, then of columns: the four of a cell side by side."""
        return (
            np.ascontiguousarray(self.up.T), self.node_y.astype(np.int32),
            np.ascontiguousarray(self.across.T), self.node_x.astype(np.int32),
        )  # fmt: skip

    @property
    def seeds(self) -> np.ndarray:
        """A number for each run."""
        return np.uint64(_SEED) + np.array(self.runs, dtype=np.uint64)

    def _nodes(self, seeds: np.ndarray) -> np.ndarray:
        """Feet at the nodes in some runs, (k, n, m)."""
        row, rows, column, columns = self.lattice
        i = np.arange(row, row + rows, dtype=np.int64)[:, None].astype(np.uint64)
        j = np.arange(column, column + columns, dtype=np.int64)[None, :].astype(np.uint64)
        with np.errstate(over="ignore"):
            key = _mixed(_mixed(_mixed(seeds[:, None, None]) ^ i) ^ j)
            total = _four_sums(key) + _four_sums(_mixed(key))
        feet: np.ndarray = self.scale * (total.astype(np.int64) - _MIDDLE)
        return feet

    def added_to(self, z_ft: np.ndarray) -> Iterator[np.ndarray]:
        """The heights of each run, in turn."""
        bands = [0, *(np.flatnonzero(np.diff(self.node_y)) + 1).tolist(), len(self.node_y)]
        many = max(1, _AT_ONCE // z_ft.size)
        for first in range(0, len(self.runs), many):
            nodes = self._nodes(self.seeds[first : first + many])
            wide = sum(self.across[k] * nodes[:, :, self.node_x + k] for k in range(4))
            z = np.empty((len(nodes), *z_ft.shape))
            for top, end in pairwise(bands):  # small products: large ones would wake every core
                low = int(self.node_y[top])
                np.matmul(self.up[:, top:end].T, wide[:, low : low + 4], out=z[:, top:end])
            z += z_ft
            yield from z


def error_field(
    grid: Grid, start: tuple[float, float], noise: Noise, runs: Sequence[int]
) -> ErrorField:
    """The errors of runs, by their numbers, over a grid of heights."""
    rows, columns = grid.z_ft.shape
    x = grid.left + (np.arange(columns) + 0.5) * grid.cell_ft - start[0]
    y = grid.top - (np.arange(rows) + 0.5) * grid.cell_ft - start[1]
    across, node_x = _splines(x / noise.correlation_ft)
    up, node_y = _splines(y / noise.correlation_ft)
    low_x, low_y = int(node_x.min()), int(node_y.min())
    size = int(node_y.max()) + 4 - low_y, int(node_x.max()) + 4 - low_x
    lattice = low_y, size[0], low_x, size[1]
    scale = noise.error_ft / _SPREAD
    return ErrorField(runs, lattice, scale, up, node_y - low_y, across, node_x - low_x)


def _splines(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the four lattice nodes at each place, of unit length, and the first of them."""
    cell = np.floor(at).astype(int)
    t = at - cell
    weights = np.stack(
        [(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3]
    )
    return weights / np.linalg.norm(weights, axis=0), cell - 1


def _four_sums(key: np.ndarray) -> np.ndarray:
    """The sum of the four numbers of 16 bits in one of 64."""
    parts = [(key >> np.uint64(16 * n)) & np.uint64(_OF - 1) for n in range(4)]
    total: np.ndarray = parts[0] + parts[1] + parts[2] + parts[3]
    return total


def _mixed(key: np.ndarray | np.uint64) -> np.ndarray:
    """SplitMix64: well mixed bits of a 64-bit number."""
    key = np.asarray(key, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = np.asarray(key ^ (key >> np.uint64(31)))
    return mixed
