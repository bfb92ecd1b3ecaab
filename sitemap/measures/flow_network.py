"""Reaches of streams and sewers as one network: ends that miss each other, and circles.

Coordinates, distances and results are in one unit. Directions that contradict each other are
found in flow_balance.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.joints import Snap, join

PEELINGS = 50  # cheap passes that leave little for the search of circles


@dataclass(frozen=True, eq=False)
class Miss:
    """An end that comes near another line without meeting it. Numbers are those of lines."""

    line: int
    other: int
    distance: float
    beyond: bool  # it crosses the other and ends behind it
    place: BaseGeometry  # from the end to the nearest point of the other


def misses(lines: np.ndarray, joined: float, snapping: float, stops: np.ndarray) -> Iterator[Miss]:
    """Free ends farther than `joined` from another line, but not than `snapping`.

    An end beside a stop (within `snapping`) is where it should be, and so is one that does not
    reach a line which its own line meets elsewhere (a culvert beside its ditch).
    """
    noded = join(lines, joined, snapping, np.zeros(len(lines), dtype=bool))
    tree = shapely.STRtree(stops)
    for snap in noded.snaps:
        own, its = lines[snap.line], lines[snap.other]
        stopped = len(tree.query(snap.place, predicate="dwithin", distance=snapping)) > 0
        if not stopped and not _beside(own, its, snap, joined):
            yield Miss(
                snap.line,
                snap.other,
                snap.distance,
                bool(own.intersects(its)),
                shapely.shortest_line(snap.place, its),
            )


def _beside(own: BaseGeometry, its: BaseGeometry, snap: Snap, joined: float) -> bool:
    return not own.intersects(its) and own.distance(its) <= joined < snap.distance


def circles(tail: np.ndarray, head: np.ndarray) -> list[np.ndarray]:
    """Numbers of the edges of each set in which water would run in a circle.

    tail and head are the nodes from and to which each edge flows.
    """
    number = np.arange(len(tail))
    alive = tail != -1
    size = int(max(tail.max(initial=0), head.max(initial=0))) + 1
    for _ in range(PEELINGS):  # edges that nothing feeds, or that lead to nothing, go
        into = np.bincount(head[alive], minlength=size)
        out = np.bincount(tail[alive], minlength=size)
        dead = alive & ((into[tail] == 0) | (out[head] == 0))
        if not dead.any():
            break
        alive &= ~dead
    left = number[alive]
    return [left[circle] for circle in _strong(tail[left], head[left])]


def _strong(tail: np.ndarray, head: np.ndarray) -> list[np.ndarray]:
    """Edges of each strongly connected set of nodes (Tarjan, without recursion)."""
    leads: dict[int, list[int]] = {}
    for start, end in zip(tail.tolist(), head.tolist(), strict=True):
        leads.setdefault(start, []).append(end)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    component: dict[int, int] = {}
    stack: list[int] = []
    for root, first in leads.items():
        if root in index:
            continue
        work = [(root, iter(first))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while node not in component:
                        component[stack.pop()] = node
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                work.append((following, iter(leads.get(following, ()))))
            elif following not in component:
                low[node] = min(low[node], index[following])
    name = np.array([component[node] for node in tail.tolist()], dtype=int)
    same = name == np.array([component[node] for node in head.tolist()], dtype=int)
    return [np.flatnonzero(same & (name == each)) for each in np.unique(name[same])]
