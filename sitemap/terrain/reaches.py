"""Reaches as submitted, edges of a network made of them, and the steps of a way down it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from shapely.geometry import LineString

from sitemap.measures.flow_direction import GUESSED, Known
from sitemap.measures.flow_evidence import NOTHING_SAID, Routing


class Leaf(Enum):
    """Why a branch ends."""

    DISTANCE = "the distance is reached"
    EDGE = "the network ends"
    HEAD_ON = "reaches meet and none leads on"


@dataclass(frozen=True, eq=False)
class Reach:
    """One line as submitted. stated: +1 as drawn, -1 against it, 0 not known.

    underground: water neither comes in nor goes out between its ends. z_first and z_last are the
    heights of its own end vertices, in any one unit, where they have any.
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
    z_first: float = np.nan
    z_last: float = np.nan
    routing: Routing = NOTHING_SAID


@dataclass(frozen=True, eq=False)
class Edge:
    """A reach, or a piece of one, drawn in the direction of its flow.

    number is that of the reach; doubted where something speaks against the direction taken.
    """

    line: LineString
    reach: Reach
    tail: int
    head: int
    known: Known
    against: bool = False  # flows against its own drawing
    number: int = 0
    doubted: bool = False

    @property
    def length_ft(self) -> float:
        """Length along the line."""
        return float(self.line.length)

    @property
    def certain(self) -> bool:
        """Whether its direction is known, and nothing speaks against it."""
        return self.known not in GUESSED and not self.doubted


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
