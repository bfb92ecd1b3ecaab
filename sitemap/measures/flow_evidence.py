"""What tells which way a reach flows, each by itself: +1 as drawn, -1 against it, 0 nothing.

Every function looks at lines and at the nodes of their first and last ends (joints.py). None of
them uses the drawn direction of a neighbour, so that each can speak against it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

NEAR_SHARE = 0.25  # of the fall of a reach: heights nearer than this fit
FAR_SHARE = 0.5  # heights farther than this do not


@dataclass(frozen=True)
class Routing:
    """What the fields and flow tables of a reach say, apart from its line. None: nothing.

    high and low are heights of its two ends in any one unit; order grows downstream (Strahler).
    """

    reach: str | None = None
    from_node: str | None = None
    to_node: str | None = None
    high: float = np.nan
    low: float = np.nan
    order: float = np.nan


NOTHING_SAID = Routing()


def _by_node(first: np.ndarray, last: np.ndarray) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for i, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        for node in dict.fromkeys((a, b)):
            found.setdefault(node, []).append(i)
    return found


def by_leads(
    first: np.ndarray, last: np.ndarray, names: Sequence[str | None], leads: Set[tuple[str, str]]
) -> np.ndarray:
    """From a flow table, pairs of reaches of which the first leads to the second.

    Where both share one node, it is the lower end of the one and the upper end of the other.
    """
    number: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if name is not None:
            number.setdefault(name, []).append(i)
    votes = np.zeros(len(first), dtype=int)
    for above, below in leads:
        for a in number.get(above, ()):
            for b in number.get(below, ()):
                shared = {int(first[a]), int(last[a])} & {int(first[b]), int(last[b])}
                if a == b or len(shared) != 1:
                    continue
                node = shared.pop()
                votes[a] += _side(first[a], last[a], node)
                votes[b] -= _side(first[b], last[b], node)
    return np.sign(votes)


def _side(first: int, last: int, node: int) -> int:
    """+1 where a node is the last end of a line, -1 where it is the first one, 0 for a ring."""
    return int(last == node) - int(first == node)


def by_nodes(first: np.ndarray, last: np.ndarray, routing: Sequence[Routing]) -> np.ndarray:
    """From the names of from and to nodes: all reaches that meet at a place name its node."""
    votes = np.zeros(len(first), dtype=int)
    if all(each.from_node is None for each in routing):
        return votes
    at = _by_node(first, last)
    for i, own in enumerate(routing):
        if own.from_node is None or own.to_node is None or own.from_node == own.to_node:
            continue
        for node, side in ((int(first[i]), -1), (int(last[i]), 1)):
            for j in at[node]:
                if j != i:
                    named = (routing[j].from_node, routing[j].to_node)
                    votes[i] += side * ((own.to_node in named) - (own.from_node in named))
    return np.sign(votes)


def by_levels(first: np.ndarray, last: np.ndarray, routing: Sequence[Routing]) -> np.ndarray:
    """From the heights of both ends that the fields give, held against those of the neighbours.

    All reaches that meet at a place have one of their heights there. An end is the high one where
    each neighbour fits its height to within a quarter of the fall, and not the low one to within
    half of it.
    """
    votes = np.zeros(len(first), dtype=int)
    if not np.isfinite([each.high for each in routing]).any():
        return votes
    at = _by_node(first, last)
    for i, own in enumerate(routing):
        fall = own.high - own.low
        if not fall > 0 or first[i] == last[i]:
            continue
        for node, side in ((int(first[i]), -1), (int(last[i]), 1)):
            theirs = [routing[j] for j in at[node] if j != i and np.isfinite(routing[j].high)]
            if theirs:
                off_high, off_low = (_off(level, theirs) / fall for level in (own.high, own.low))
                votes[i] += side * (off_low <= NEAR_SHARE and off_high > FAR_SHARE)
                votes[i] -= side * (off_high <= NEAR_SHARE and off_low > FAR_SHARE)
    return np.sign(votes)


def _off(level: float, others: Sequence[Routing]) -> float:
    """How far the worst of some reaches is from having this height at one of its ends."""
    return max(min(abs(each.high - level), abs(each.low - level)) for each in others)


def by_order(first: np.ndarray, last: np.ndarray, routing: Sequence[Routing]) -> np.ndarray:
    """From stream orders: a reach whose order is less than that of all it meets flows to them."""
    votes = np.zeros(len(first), dtype=int)
    if not np.isfinite([each.order for each in routing]).any():
        return votes
    at = _by_node(first, last)
    for i, own in enumerate(routing):
        for node, side in ((int(first[i]), -1), (int(last[i]), 1)):
            theirs = [routing[j].order for j in at[node] if j != i]
            if len(theirs) >= 2 and own.order < min(theirs):
                votes[i] += side
    return np.sign(votes)


def by_fall(first_height: np.ndarray, last_height: np.ndarray, least: float) -> np.ndarray:
    """From the heights of both ends: downhill, where they differ by more than `least`."""
    fall = np.nan_to_num(np.asarray(first_height, dtype=float) - last_height)
    return np.where(np.abs(fall) > least, np.sign(fall), 0).astype(int)
