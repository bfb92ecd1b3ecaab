"""Nodes at which the directions of reaches contradict each other, and the reach to turn.

Water that meets at a place leads on, and what leaves a place has come from somewhere. Found are
reaches that meet head on, reaches that part where nothing arrives, and branches that leave a
stream and end. The reach to turn is the one that alone, when turned, heals more than any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from sitemap.measures.flow_direction import Known
from sitemap.measures.joints import Noded


class Oddity(Enum):
    """What is odd about a node."""

    HEAD_ON = "meet and none leads on"
    PARTING = "part and none arrives"
    BRANCH_ENDS = "leaves a stream and ends"


@dataclass(frozen=True)
class Odd:
    """An odd node with all lines that meet there, and the one to turn where one is the likeliest.

    certain where turning it mends both a place where reaches meet and one where they part, or where
    something else, by, says that it flows the other way. The first and the last reach of a stream
    have one such place only.
    """

    kind: Oddity
    node: int
    lines: tuple[int, ...]
    turn: int | None
    certain: bool
    by: Known | None = None


@dataclass(frozen=True, eq=False)
class Balance:
    """Pieces of lines with a direction each.

    sign is +1 or -1 for each line, known False where that is only assumed. excused are nodes
    where water may come and go without a reach (inlets, outfalls); lake is the number of the water
    that each node lies in, -1 for none: in a water that no line leaves, they may meet, in one that
    none enters, part. made are lines of ditches and pipes, which
    may begin side by side at a crest, and end where they please.
    """

    noded: Noded
    sign: np.ndarray
    known: np.ndarray
    excused: np.ndarray
    lake: np.ndarray
    made: np.ndarray

    @cached_property
    def _unsure(self) -> np.ndarray:
        """Nodes at which a line of unknown direction ends."""
        unknown = ~self.known[self.noded.of]
        unsure = np.zeros(self.noded.size, dtype=bool)
        unsure[self.noded.first[unknown]] = unsure[self.noded.last[unknown]] = True
        return unsure

    def flow(self, sign: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nodes from and to which each piece flows."""
        ahead = sign[self.noded.of] > 0
        tail = np.where(ahead, self.noded.first, self.noded.last)
        head = np.where(ahead, self.noded.last, self.noded.first)
        return tail, head

    def _odd_nodes(self, sign: np.ndarray) -> dict[Oddity, np.ndarray]:
        """The nodes of each kind of oddity."""
        tail, head = self.flow(sign)
        sure = self.known[self.noded.of] & (tail != head)
        size = self.noded.size
        into = np.bincount(head[sure], minlength=size)
        out = np.bincount(tail[sure], minlength=size)
        plain = ~self._unsure & ~self.excused
        stub = sure & (into[tail] >= 1) & (out[tail] >= 2) & ~self.made[self.noded.of]
        stub &= (into[head] == 1) & (out[head] == 0) & plain[head] & (self.lake[head] < 0)
        closed, sourceless = self._shut(tail[sure], head[sure]), self._shut(head[sure], tail[sure])
        return {
            Oddity.HEAD_ON: np.flatnonzero((into >= 2) & (out == 0) & plain & ~closed),
            Oddity.PARTING: np.flatnonzero((into == 0) & (out >= 2) & plain & ~sourceless),
            Oddity.BRANCH_ENDS: np.unique(tail[stub]),
        }

    def _shut(self, tail: np.ndarray, head: np.ndarray) -> np.ndarray:
        """Nodes in waters that no line leaves."""
        inside = self.lake >= 0
        leaves = np.unique(self.lake[tail][self.lake[tail] != self.lake[head]])
        return np.asarray(inside & ~np.isin(self.lake, leaves))

    def _counts(self, sign: np.ndarray) -> np.ndarray:
        """How many odd nodes of each kind there are, in the order of Oddity."""
        return np.array([len(nodes) for nodes in self._odd_nodes(sign).values()])

    def odd(self) -> Iterator[Odd]:
        """All odd nodes; one that is healed along with another is told once."""
        here = self._odd_nodes(self.sign)
        before = np.array([len(nodes) for nodes in here.values()])
        told: set[int] = set()
        for kind, nodes in here.items():
            for node in nodes.tolist():
                stubs = self._stubs(node) if kind is Oddity.BRANCH_ENDS else ()
                turn, certain = self._to_turn(self._at(node), before, stubs)
                if turn in told or (not certain and self._means_nothing(kind, node)):
                    continue
                if turn is not None:
                    told.add(turn)
                yield Odd(kind, node, stubs or self._at(node), turn, certain)

    def _means_nothing(self, kind: Oddity, node: int) -> bool:
        if kind is Oddity.BRANCH_ENDS:
            return not self._ends_twice(node)
        return kind is Oddity.PARTING and bool(self.made[list(self._at(node))].any())

    def _stubs(self, node: int) -> tuple[int, ...]:
        """The lines that leave a node and end."""
        tail, head = self.flow(self.sign)
        degree = self.noded.degree()
        return tuple(np.unique(self.noded.of[(tail == node) & (degree[head] == 1)]).tolist())

    def _ends_twice(self, node: int) -> bool:
        """Whether what leaves a node comes to an end in more than one place."""
        tail, head = self.flow(self.sign)
        below: dict[int, list[int]] = {}
        for a, b in zip(tail.tolist(), head.tolist(), strict=True):
            below.setdefault(a, []).append(b)
        queue, seen, ends = [node], {node}, 0
        while queue and ends < 2:
            following = below.get(queue.pop(), [])
            ends += not following
            queue += [n for n in following if n not in seen]
            seen.update(following)
        return ends > 1

    def _at(self, node: int) -> tuple[int, ...]:
        here = (self.noded.first == node) | (self.noded.last == node)
        return tuple(np.unique(self.noded.of[here]).tolist())

    def _to_turn(
        self, lines: tuple[int, ...], before: np.ndarray, stubs: tuple[int, ...]
    ) -> tuple[int | None, bool]:
        """The one line that heals most when it is turned, None where two do; and how surely.

        Of lines that heal as much, the one that leaves and ends is the likeliest.
        """
        healed = {}
        for line in lines:
            sign = self.sign.copy()
            sign[line] = -sign[line]
            healed[line] = before - self._counts(sign)
        most = max(int(each.sum()) for each in healed.values())
        best = [line for line in lines if healed[line].sum() == most]
        if len(best) > 1:
            best = [line for line in best if line in stubs]
        if most < 1 or len(best) != 1:
            return None, False
        return best[0], bool((healed[best[0]][:2] >= 1).all())


def carried_on(noded: Noded, sign: np.ndarray, known: np.ndarray) -> dict[int, int]:
    """Directions of unknown lines that follow from their neighbours: line -> +1 or -1.

    Where all the others at a node arrive, the one of unknown direction leaves, and the reverse.
    """
    sign, known = sign.copy(), known.copy()
    found: dict[int, int] = {}
    while True:
        new = dict(_next_on(noded, sign, known))
        if not new:
            return found
        for line, way in new.items():
            sign[line], known[line], found[line] = way, True, way


def _next_on(noded: Noded, sign: np.ndarray, known: np.ndarray) -> Iterator[tuple[int, int]]:
    sure = known[noded.of]
    ahead = sign[noded.of] > 0
    tail = np.where(ahead, noded.first, noded.last)
    head = np.where(ahead, noded.last, noded.first)
    into = np.bincount(head[sure], minlength=noded.size)
    out = np.bincount(tail[sure], minlength=noded.size)
    open_ends = np.bincount(
        np.concatenate([noded.first[~sure], noded.last[~sure]]), minlength=noded.size
    )
    for node in np.flatnonzero((open_ends == 1) & ((into == 0) != (out == 0))).tolist():
        piece = np.flatnonzero(~sure & ((noded.first == node) | (noded.last == node)))[0]
        leaves = out[node] == 0
        starts = noded.first[piece] == node
        yield int(noded.of[piece]), 1 if leaves == starts else -1
