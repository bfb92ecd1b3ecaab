"""Blocks that are divided where a column ends and go on in the next: for sheets of notes.

Nothing is squeezed and nothing leaves the page; there are as many pages as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sitemap.errors import PlateError
from sitemap.plate.blocks import Block

CONTINUED = " (continued)"
BALANCING = 9  # halvings of the height that the columns share
LEAST_ROOM_IN = 1.5  # a block is not begun in less, unless it ends there


@dataclass(frozen=True, eq=False)
class Flowing:
    """A block of `count` rows; build makes it of the rows from one number up to another.

    A part that does not begin with the first row says in its head that it goes on.
    """

    name: str
    count: int
    build: Callable[[float, int, int], Block]


@dataclass(frozen=True)
class FlowColumn:
    """Where blocks may stand on a page, in inches on the sheet."""

    left_in: float
    top_in: float
    bottom_in: float
    width_in: float


@dataclass(frozen=True, eq=False)
class Placed:
    """A block with its upper left corner, on a page counted from 0."""

    page: int
    left_in: float
    top_in: float
    block: Block


def flow(blocks: Sequence[Flowing], columns: Sequence[FlowColumn], gap_in: float) -> list[Placed]:
    """Blocks in the columns of as few pages as it takes, the columns about equally long.

    PlateError for a row that is higher than a column.
    """
    blocks = [replace(one, build=lru_cache(maxsize=None)(one.build)) for one in blocks]
    best = _filled(blocks, columns, gap_in)
    pages = max((one.page for one in best), default=0)
    low, high = LEAST_ROOM_IN, max(c.top_in - c.bottom_in for c in columns)
    for _ in range(BALANCING):
        middle = (low + high) / 2.0
        shorter = [replace(c, bottom_in=max(c.bottom_in, c.top_in - middle)) for c in columns]
        try:
            trial = _filled(blocks, shorter, gap_in)
            fits = max((one.page for one in trial), default=0) == pages
        except PlateError:
            fits = False
        if fits:
            best, high = trial, middle
        else:
            low = middle
    return best


def _filled(
    blocks: Sequence[Flowing], columns: Sequence[FlowColumn], gap_in: float
) -> list[Placed]:
    """Each column filled to its end before the next."""
    placed: list[Placed] = []
    number, y = 0, columns[0].top_in
    for flowing in blocks:
        start = 0
        while start < flowing.count:
            column = columns[number % len(columns)]
            room = y - column.bottom_in
            stop = _fitting(flowing, column.width_in, start, room)
            fresh = y == column.top_in
            if stop < flowing.count and not fresh and start == 0:
                following = columns[(number + 1) % len(columns)]
                height = following.top_in - following.bottom_in
                whole = flowing.build(following.width_in, 0, flowing.count).height_in <= height
                if whole or room < LEAST_ROOM_IN:  # rather begin in the next column than divide
                    stop = start
            if stop == start:
                if fresh and room >= max(c.top_in - c.bottom_in for c in columns) - 1e-9:
                    raise PlateError(
                        f"row {start + 1} of “{flowing.name}” is higher than the sheet; shorten it"
                    )
                number += 1
                y = columns[number % len(columns)].top_in
                continue
            block = flowing.build(column.width_in, start, stop)
            placed.append(Placed(number // len(columns), column.left_in, y, block))
            y -= block.height_in + gap_in
            start = stop
    return placed


def _fitting(flowing: Flowing, width: float, start: int, room: float) -> int:
    """Up to which row the block fits the room; `start` when not even one row does."""
    low, high = start, flowing.count
    while low < high:
        middle = (low + high + 1) // 2
        if flowing.build(width, start, middle).height_in <= room + 1e-9:
            low = middle
        else:
            high = middle - 1
    return low
