"""The way down from each cell of a grid: to the lowest of eight neighbours by slope.

Where none is lower, over level ground to the nearest way down.
"""

from __future__ import annotations

import numpy as np

# east, south, south-east, south-west, and back
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))


def steepest(z_ft: np.ndarray) -> np.ndarray:
    """The neighbour down the steepest way; the cell itself where none is lower."""
    rows, columns = z_ft.shape
    wide = np.full((rows + 2, columns + 2), np.nan)
    wide[1:-1, 1:-1] = z_ft
    best = np.zeros((rows, columns))
    receiver = np.arange(rows * columns).reshape(rows, columns)
    own = receiver.copy()
    for down, right in WAYS:
        other = wide[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        fall = z_ft - other
        if down and right:
            fall = fall * np.sqrt(0.5)
        steeper = fall > best  # False beside NaN
        best[steeper] = fall[steeper]
        receiver[steeper] = own[steeper] + down * columns + right
    return receiver.ravel()


def lead_over_level_ground(z_ft: np.ndarray, receiver: np.ndarray, out: np.ndarray) -> None:
    """Lead cells without a lower neighbour over equally high ones to the nearest that has one.

    Of several ways on, the one that keeps farthest from higher ground (Garbrecht and Martz 1997),
    so that the water of a level valley floor runs together and that of a pad does not. Cells of
    out need no way. Where nothing round level ground is lower, its cells go to the first of them,
    so that it is one hollow and not as many as it has cells.
    """
    rows, columns = z_ft.shape
    z = np.pad(z_ft, 1, constant_values=np.nan).ravel()
    steps = np.array([down * (columns + 2) + right for down, right in WAYS])
    waits: np.ndarray = np.zeros((rows + 2, columns + 2), dtype=bool)
    waits[1:-1, 1:-1] = np.equal(receiver, np.arange(z_ft.size)).reshape(rows, columns)
    waits = waits.ravel() & np.isfinite(z)
    waits[(out // columns + 1) * (columns + 2) + out % columns + 1] = False
    cells = np.flatnonzero(waits)
    near = cells + steps[:, None]
    level = z[near] == z[cells]
    some = level.any(axis=0)
    cells, near, level = cells[some], near[:, some], level[:, some]
    place = np.full(z.size, -1)
    place[cells] = np.arange(len(cells))
    beside = np.where(level, place[near], -1)
    from_low = _rounds(beside, (level & ~waits[near]).any(axis=0))
    from_high = _rounds(beside, (z[near] > z[cells]).any(axis=0))
    round_of = np.where(waits[near], from_low[beside], 0)
    on = level & (round_of == from_low - 1) & (from_low > 0)
    on |= level & (from_low < 0) & (steps < 0)[:, None] & waits[near]
    way = np.where(on, np.where(waits[near], from_high[beside], len(cells)), -2).argmax(axis=0)
    goes = np.flatnonzero(on.any(axis=0))
    receiver[_narrow(cells[goes], columns)] = _narrow(near[way[goes], goes], columns)


def _rounds(beside: np.ndarray, first: np.ndarray) -> np.ndarray:
    """In which round each is reached from the first ones (round 1) by its neighbours; -1: never.

    beside are the numbers of the neighbours, (8, n), -1 for none.
    """
    found = np.full(len(first), -1)
    new = np.flatnonzero(first)
    number = 0
    while len(new):
        number += 1
        found[new] = number
        to = beside[:, new].ravel()
        new = np.unique(to[(to >= 0) & (found[to] < 0)])
    return found


def _narrow(cells: np.ndarray, columns: int) -> np.ndarray:
    """Flat numbers on a grid from those on the same grid with a frame of one cell."""
    narrow: np.ndarray = (cells // (columns + 2) - 1) * columns + cells % (columns + 2) - 1
    return narrow


def rim_of(z: np.ndarray) -> np.ndarray:
    """Known cells at the edge of the surface or beside a void."""
    wide = np.ones((z.shape[0] + 2, z.shape[1] + 2), dtype=bool)
    wide[1:-1, 1:-1] = np.isnan(z)
    beside = np.zeros(z.shape, dtype=bool)
    for down, right in WAYS:
        beside |= wide[1 + down : 1 + down + z.shape[0], 1 + right : 1 + right + z.shape[1]]
    rim: np.ndarray = beside & ~np.isnan(z)
    return rim
