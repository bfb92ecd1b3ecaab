"""A ground path is not a fact: many realisations of the surface within its stated error.

The error is a field of standard normal values on a lattice whose spacing is the correlation length,
joined by cubic B-splines of unit variance, times the standard error. The values come from a hash
of lattice place and number of the realisation, so that the same site always gives the same
corridor, whatever part of the surface is looked at. The lattice hangs on the start of the path:
moving the site changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise

import numpy as np

from sitemap.terrain.trace import End, GroundPath, Relief

ROOM_FT = 60.0  # beside the nominal path; more where a realisation comes to the rim of it
WORTH_COMPILED = 200_000  # cells looked at in all runs, from which loading the kernel pays
_SEED = 162


@dataclass(frozen=True)
class Noise:
    """The stated error of a surface: standard error and correlation length in feet."""

    error_ft: float
    correlation_ft: float


def realisations(
    relief: Relief,
    nominal: GroundPath,
    length_ft: float,
    noise: Noise,
    runs: int,
    spent: frozenset[int] = frozenset(),
) -> list[GroundPath]:
    """Paths from the same start over `runs` surfaces, each within the error of the one given.

    A run whose path leaves the part of the surface that is looked at is repeated on a larger one.
    """
    start = (float(nominal.xy[0][0]), float(nominal.xy[0][1]))
    low, high = nominal.xy.min(axis=0), nominal.xy.max(axis=0)
    room = max(ROOM_FT, 6.0 * relief.cell_ft)
    fast = nominal.looked_at * runs >= WORTH_COMPILED and _is_compiled()
    waiting = list(range(runs))
    found: dict[int, GroundPath] = {}
    while waiting:
        part = relief.window((low[0] - room, low[1] - room, high[0] + room, high[1] + room))
        again = []
        for run, z in zip(waiting, _noisy(part, start, noise, waiting), strict=True):
            path = part.with_heights(z).trace(start, length_ft, spent, compiled=fast)
            if path.end is End.EDGE and not _at_rim(relief, path):
                again.append(run)
            else:
                found[run] = path
        waiting, room = again, 2.0 * room + max(high - low)
    return [found[run] for run in range(runs)]


def _is_compiled() -> bool:
    """Whether the extra `fast` is installed."""
    return find_spec("numba") is not None


def _at_rim(relief: Relief, path: GroundPath) -> bool:
    """Whether a path ends at the rim of the whole surface, not only of a part of it."""
    at = relief.cell_of((float(path.xy[-1][0]), float(path.xy[-1][1])))
    rows, columns = relief.z_ft.shape
    return at is None or at[0] in (0, rows - 1) or at[1] in (0, columns - 1)


def _noisy(
    relief: Relief, start: tuple[float, float], noise: Noise, runs: list[int]
) -> Iterator[np.ndarray]:
    """The heights of each realisation, in turn."""
    rows, columns = relief.z_ft.shape
    x = relief.left + (np.arange(columns) + 0.5) * relief.cell_ft - start[0]
    y = relief.top - (np.arange(rows) + 0.5) * relief.cell_ft - start[1]
    across, node_x = _splines(x / noise.correlation_ft)
    up, node_y = _splines(y / noise.correlation_ft)
    low_x, low_y = int(node_x.min()), int(node_y.min())
    size = int(node_y.max()) + 4 - low_y, int(node_x.max()) + 4 - low_x
    bands = [0, *(np.flatnonzero(np.diff(node_y)) + 1).tolist(), rows]
    for nodes in noise.error_ft * _normal(low_y, size[0], low_x, size[1], runs):
        wide = sum(across[k] * nodes[:, node_x - low_x + k] for k in range(4))
        z = np.empty(relief.z_ft.shape)
        for first, last in pairwise(bands):  # small products: a large one would wake every core
            low = int(node_y[first]) - low_y
            np.dot(up[:, first:last].T, wide[low : low + 4], out=z[first:last])
        z += relief.z_ft
        yield z


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
