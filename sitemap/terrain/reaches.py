"""Reaches as submitted, edges of a network made of them, and the steps of a way down it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from shapely.geometry import LineString


class Known(Enum):
    """By what the direction of a reach is known."""

    INVERTS = "inverts"
    FIELD = "flow direction field"
    GROUND = "heights of its ends"
    TURNED = "turned: it meets the next reach head on"
    ASSUMED = "assumed"


class Leaf(Enum):
    """Why a branch ends."""

    DISTANCE = "the distance is reached"
    EDGE = "the network ends"
    HEAD_ON = "reaches meet and none leads on"


@dataclass(frozen=True, eq=False)
class Reach:
    """One line as submitted. stated: +1 as drawn, -1 against it, 0 not known.

    underground: water neither comes in nor goes out between its ends.
    """

    line: LineString
    role: str
    record: int
    name: str | None = None
    kind: str | None = None
    stated: int = 0
    invert_first_ft: float = np.nan
    invert_last_ft: float = np.nan
    underground: bool = False


@dataclass(frozen=True, eq=False)
class Edge:
    """A reach, or a piece of one, drawn in the direction of its flow."""

    line: LineString
    reach: Reach
    tail: int
    head: int
    known: Known
    against: bool = False  # flows against its own drawing

    @property
    def length_ft(self) -> float:
        """Length along the line."""
        return float(self.line.length)


@dataclass(frozen=True, eq=False)
class Step:
    """A stretch of an edge on the way down: from `start_ft` of the whole way on.

    before is the step that leads here (None at the start); leaf says why it is the last one.
    """

    edge: int
    line: LineString
    start_ft: float
    before: Step | None
    certain: bool
    leaf: Leaf | None = None

    @property
    def end_ft(self) -> float:
        """Distance of its lower end from the start of the way."""
        return self.start_ft + float(self.line.length)
