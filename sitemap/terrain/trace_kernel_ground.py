"""The heights of one run for trace_kernel.py, by tiles: the ground and its error as in noise.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

# A node of the lattice has 16 bytes: as float64 its error, as int32 the runs for which are made it
# and the errors of a row of four nodes from it on.
_NODE, _ROW = 2, 3

compiled = njit(nogil=True, error_model="numpy")


@compiled
def _mixed(key: Any) -> Any:
    """As noise._mixed."""
    key = key + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@compiled
def _four_sums(key: Any) -> Any:
    """The sum of the four numbers of 16 bits in one of 64."""
    low = np.uint64(0xFFFF)
    pairs = (key & low) + ((key >> np.uint64(16)) & low)
    return pairs + ((key >> np.uint64(32)) & low) + (key >> np.uint64(48))


@compiled
def _rows_of_nodes(
    seed: Any, lattice: Any, scale: float, middle: int, across: Any, node: Any, made: Any,
    wide: Any, y: int, x: int, low: int, high: int, now: int,
) -> None:  # fmt: skip
    """The errors at four rows of the lattice and the columns from low to high.

    As ErrorField._nodes, and the first step of its added_to.
    """
    run = _mixed(np.uint64(seed))
    for y_now in range(y, y + 4):
        n = y_now * lattice[3] + x
        if made[4 * n + _ROW] == now:
            continue
        made[4 * n + _ROW] = now
        row = _mixed(run ^ np.uint64(lattice[0] + y_now))
        for k in range(4):
            if made[4 * (n + k) + _NODE] != now:
                made[4 * (n + k) + _NODE] = now
                key = _mixed(row ^ np.uint64(lattice[2] + x + k))
                total = np.int64(_four_sums(key) + _four_sums(_mixed(key)))
                node[2 * (n + k)] = scale * (total - middle)
        for c in range(low, high):
            one = across[4 * c] * node[2 * n] + across[4 * c + 1] * node[2 * n + 2]
            two = one + across[4 * c + 2] * node[2 * n + 4]
            wide[c * lattice[1] + y_now] = two + across[4 * c + 3] * node[2 * n + 6]


@compiled
def tile(
    z: Any, kind: Any, columns: int, cells: int, seed: Any, lattice: Any, scale: float, middle: int,
    up: Any, node_y: Any, across: Any, node_x: Any, node: Any, made: Any, wide: Any, state: Any,
    cell: Any, i: int, known: int, now: int,
) -> None:  # fmt: skip
    """Make the heights of all cells between the same nodes as a cell: soon they will be asked.

    Their states tell where the path may end, so that `kind` need not be looked at again.
    """
    row = i // columns
    column = i - row * columns
    rows = cells // columns
    x, y = node_x[column], node_y[row]
    low, high, first, last = column, column + 1, row, row + 1
    while low > 0 and node_x[low - 1] == x:
        low -= 1
    while high < columns and node_x[high] == x:
        high += 1
    while first > 0 and node_y[first - 1] == y:
        first -= 1
    while last < rows and node_y[last] == y:
        last += 1
    if scale > 0.0:
        _rows_of_nodes(
            seed, lattice, scale, middle, across, node, made, wide, y, x, low, high, now
        )  # fmt: skip
    for r in range(first, last):
        for c in range(low, high):
            j = r * columns + c
            height = z[j]
            if scale > 0.0:
                n = c * lattice[1] + y
                error = up[4 * r] * wide[n] + up[4 * r + 1] * wide[n + 1]
                error = error + up[4 * r + 2] * wide[n + 2]
                height = (error + up[4 * r + 3] * wide[n + 3]) + height
            cell[3 * j] = height
            state[j] = known | (kind[j] != 0)
