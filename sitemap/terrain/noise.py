"""The error of a surface as a field: the same for a place and a run, whatever part is looked at.

Standard normal values on a lattice whose spacing is the correlation length, joined by cubic
B-splines of unit variance, times the standard error. The values come from a hash of lattice place
and number of the run. The lattice hangs on the start of a path: moving the site changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sitemap.terrain.trace import Relief

_SEED = 162


@dataclass(frozen=True)
class Noise:
    """The stated error of a surface: standard error and correlation length in feet."""

    error_ft: float
    correlation_ft: float


@dataclass(frozen=True, eq=False)
class ErrorField:
    """The errors of some runs: feet at lattice nodes (runs, n, m), and how they are joined.

    up and across are the weights (4, rows) and (4, columns) of four nodes in a row, of which the
    first are node_y and node_x.
    """

    nodes: np.ndarray
    up: np.ndarray
    node_y: np.ndarray
    across: np.ndarray
    node_x: np.ndarray

    def added_to(self, z_ft: np.ndarray) -> Iterator[np.ndarray]:
        """The heights of each run, in turn."""
        bands = [0, *(np.flatnonzero(np.diff(self.node_y)) + 1).tolist(), len(self.node_y)]
        for nodes in self.nodes:
            wide = sum(self.across[k] * nodes[:, self.node_x + k] for k in range(4))
            z = np.empty(z_ft.shape)
            for first, last in pairwise(bands):  # small products: large ones would wake every core
                low = int(self.node_y[first])
                np.dot(self.up[:, first:last].T, wide[low : low + 4], out=z[first:last])
            z += z_ft
            yield z


def error_field(
    relief: Relief, start: tuple[float, float], noise: Noise, runs: Sequence[int]
) -> ErrorField:
    """The errors of runs, by their numbers, over a relief."""
    rows, columns = relief.z_ft.shape
    x = relief.left + (np.arange(columns) + 0.5) * relief.cell_ft - start[0]
    y = relief.top - (np.arange(rows) + 0.5) * relief.cell_ft - start[1]
    across, node_x = _splines(x / noise.correlation_ft)
    up, node_y = _splines(y / noise.correlation_ft)
    low_x, low_y = int(node_x.min()), int(node_y.min())
    size = int(node_y.max()) + 4 - low_y, int(node_x.max()) + 4 - low_x
    nodes = noise.error_ft * _normal(low_y, size[0], low_x, size[1], runs)
    return ErrorField(nodes, up, node_y - low_y, across, node_x - low_x)


def _splines(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the four lattice nodes at each place, of unit length, and the first of them."""
    cell = np.floor(at).astype(int)
    t = at - cell
    weights = np.stack(
        [(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3]
    )
    return weights / np.linalg.norm(weights, axis=0), cell - 1


def _normal(row: int, rows: int, column: int, columns: int, runs: Sequence[int]) -> np.ndarray:
    """Standard normal values at lattice nodes, from a hash of their place and the run.

    Runs, rows and columns are the axes.
    """
    i = np.arange(row, row + rows, dtype=np.int64)[:, None].astype(np.uint64)
    j = np.arange(column, column + columns, dtype=np.int64)[None, :].astype(np.uint64)
    with np.errstate(over="ignore"):
        seeds = np.uint64(_SEED) + np.array(runs, dtype=np.uint64)[:, None, None]
        key = _mixed(_mixed(_mixed(seeds) ^ i) ^ j)
        one = (key >> np.uint64(11)).astype(float) * 2.0**-53
        two = (_mixed(key) >> np.uint64(11)).astype(float) * 2.0**-53
    values: np.ndarray = np.sqrt(-2.0 * np.log1p(-one)) * np.cos(2.0 * np.pi * two)
    return values


def _mixed(key: np.ndarray | np.uint64) -> np.ndarray:
    """SplitMix64: well mixed bits of a 64-bit number."""
    key = np.asarray(key, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = np.asarray(key ^ (key >> np.uint64(31)))
    return mixed
