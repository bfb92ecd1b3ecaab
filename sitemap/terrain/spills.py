"""Hollows joined over their lowest passes, from the outside inward."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from sitemap.terrain.ways_down import WAYS


@dataclass(frozen=True, eq=False)
class Passes:
    """The lowest way between each two basins, both ways round; basin `count` is the outside.

    The way leads from cell `here` of basin `own` to cell `there` of basin `other`.
    """

    own: np.ndarray
    other: np.ndarray
    height_ft: np.ndarray
    here: np.ndarray
    there: np.ndarray
    count: int


def passes_of(
    z_ft: np.ndarray, basin: np.ndarray, count: int, out: np.ndarray, out_ft: np.ndarray
) -> Passes:
    """Passes between the basins of all cells (flat, -1 for voids) and to the outside.

    `out` are the cells from which water leaves, out_ft the heights from which on it does.
    """
    rows, columns = z_ft.shape
    of = basin.reshape(rows, columns)
    index = np.arange(rows * columns).reshape(rows, columns)
    here, there = [], []
    for down, right in WAYS[:4]:
        a = (slice(0, rows - down), slice(max(0, -right), columns - max(0, right)))
        b = (slice(down, rows), slice(max(0, right), columns - max(0, -right)))
        meet = (of[a] != of[b]) & (of[a] >= 0) & (of[b] >= 0)
        here.append(index[a][meet])
        there.append(index[b][meet])
    first, second = np.concatenate(here), np.concatenate(there)
    flat = z_ft.ravel()
    height = np.maximum(flat[first], flat[second])
    own = np.concatenate([basin[first], basin[second], basin[out]])
    other = np.concatenate([basin[second], basin[first], np.full(len(out), count)])
    height = np.concatenate([height, height, out_ft])
    start = np.concatenate([first, second, out])
    end = np.concatenate([second, first, np.full(len(out), rows * columns)])
    order = np.lexsort([start, height, other, own])
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(own[order]) != 0) | (np.diff(other[order]) != 0)
    low = order[new]
    low = low[np.argsort(other[low] != count, kind="stable")]  # of equal ways straight out first
    return Passes(own[low], other[low], height[low], start[low], end[low], count)


def spill_over(passes: Passes, receiver: np.ndarray) -> np.ndarray:
    """Turn the way out of each basin over its pass to the outside; the level of each basin.

    Basins are taken from the outside inward, always over the lowest pass that is left. Receivers
    from the pass down to the pit are turned round.
    """
    by_other = np.argsort(passes.other, kind="stable")
    start = np.searchsorted(passes.other[by_other], np.arange(passes.count + 2))
    starts, places = start.tolist(), by_other.tolist()
    own, height = passes.own.tolist(), passes.height_ft.tolist()
    here, there = passes.here.tolist(), passes.there.tolist()
    level = [float("-inf")] * (passes.count + 1)
    reached = [False] * (passes.count + 1)
    reached[passes.count] = True
    heap: list[tuple[float, int]] = []

    def open_ways(basin: int) -> None:
        for k in range(starts[basin], starts[basin + 1]):
            place = places[k]
            if not reached[own[place]]:
                heapq.heappush(heap, (height[place], place))

    other = passes.other.tolist()
    open_ways(passes.count)
    while heap:
        at_ft, place = heapq.heappop(heap)
        basin = own[place]
        if reached[basin]:
            continue
        reached[basin] = True
        level[basin] = max(at_ft, level[other[place]])
        _turn(receiver, here[place], there[place])
        open_ways(basin)
    return np.array(level)


def _turn(receiver: np.ndarray, cell: int, to: int) -> None:
    """Let the way from a cell lead to another, and all below it back up to the cell."""
    while True:
        below = int(receiver[cell])
        receiver[cell] = to
        if below == cell:
            return
        cell, to = below, cell
