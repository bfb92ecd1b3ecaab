"""Which way each reach flows, by what it is known, and whether something else speaks against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Known(Enum):
    """By what the direction of a reach is known; the words complete "known from ..."."""

    TABLE = "the flow table"
    NODES = "its from and to nodes"
    LEVELS = "its end elevations beside those of its neighbours"
    INVERTS = "its inverts"
    HEIGHTS = "the heights of its own vertices"
    FIELD = "its flow direction field"
    GROUND = "the fall of the ground"
    ORDER = "stream orders"
    TURNED = "the reaches that meet it head on"
    CONTINUITY = "the reaches that it joins"
    ASSUMED = "nothing"


TRUST = (
    Known.TABLE, Known.NODES, Known.LEVELS, Known.INVERTS, Known.HEIGHTS, Known.FIELD,
    Known.GROUND, Known.ORDER,
)  # fmt: skip
FIRM = TRUST[:5]  # measured or kept apart from the drawing: never overruled by continuity
GUESSED = (Known.ORDER, Known.TURNED, Known.CONTINUITY, Known.ASSUMED)  # followed, never certain


@dataclass(frozen=True, eq=False)
class Directions:
    """+1 with the drawing or -1 against it for each line, by what, and all that was heard.

    A line of which nothing is known has +1 and Known.ASSUMED.
    """

    sign: np.ndarray
    known: tuple[Known, ...]
    votes: Mapping[Known, np.ndarray]

    @property
    def is_known(self) -> np.ndarray:
        """Where something told the direction."""
        return np.array([how is not Known.ASSUMED for how in self.known], dtype=bool)

    def contradicted(self) -> np.ndarray:
        """Where something speaks against the direction that was taken."""
        against = np.zeros(len(self.sign), dtype=bool)
        for vote in self.votes.values():
            against |= vote == -self.sign
        return against

    def contradicting(self, line: int) -> tuple[Known, ...]:
        """What speaks against the direction that was taken."""
        sign = int(self.sign[line])
        return tuple(how for how in TRUST if int(self._vote(how)[line]) == -sign)

    def agreeing(self, line: int) -> tuple[Known, ...]:
        """What speaks for the direction that was taken."""
        sign = int(self.sign[line])
        return tuple(how for how in TRUST if int(self._vote(how)[line]) == sign)

    def _vote(self, how: Known) -> np.ndarray:
        found = self.votes.get(how)
        return np.zeros(len(self.sign), dtype=int) if found is None else found


def decided(votes: Mapping[Known, np.ndarray], count: int) -> Directions:
    """The direction of each of `count` lines by the most trusted vote that is not 0."""
    sign = np.zeros(count, dtype=int)
    known = [Known.ASSUMED] * count
    for how in TRUST:
        vote = votes.get(how)
        if vote is None:
            continue
        for line in np.flatnonzero((sign == 0) & (vote != 0)).tolist():
            sign[line], known[line] = int(vote[line]), how
    return Directions(np.where(sign == 0, 1, sign), tuple(known), votes)
