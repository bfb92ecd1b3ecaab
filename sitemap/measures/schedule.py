"""Dates of the work on the ground: phases in order, and ground that lies idle before its cover."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import polygons_of, uncovered
from sitemap.site import RoleLayer

_NUMBER = re.compile(r"\d+")


def day_of(value: object) -> dt.date | None:
    """A date as intake writes it (2026-05-01); None for anything else."""
    try:
        return dt.date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def days_of(layer: RoleLayer, field: str) -> list[dt.date | None]:
    """A date field of the usable features, in order."""
    frame = layer.usable
    if field not in frame:
        return [None] * len(frame)
    return [day_of(value) for value in frame[field].tolist()]


def phase_number(value: object) -> int | None:
    """2 of "2", "Phase 2" or "B"; None where a phase has neither number nor single letter."""
    if not isinstance(value, str):
        return None
    number = _NUMBER.search(value)
    if number:
        return int(number[0])
    last = value.strip().split(" ")[-1].upper()
    return ord(last) - ord("A") + 1 if len(last) == 1 and "A" <= last <= "Z" else None


@dataclass(frozen=True, eq=False)
class Work:
    """Ground that is worked on from start to end."""

    ground: BaseGeometry
    start: dt.date | None
    end: dt.date | None


@dataclass(frozen=True, eq=False)
class DatedCover:
    """Ground that is covered on a day; None for what needs no date (a finished surface)."""

    ground: BaseGeometry
    day: dt.date | None


@dataclass(frozen=True, eq=False)
class Idle:
    """Ground that lies bare after the work of one area, and the longest wait in days."""

    ground: BaseGeometry
    days: int
    until: dt.date


def idle_ground(
    number: int,
    works: Sequence[Work],
    covers: Sequence[DatedCover],
    idle_days: float,
    sliver_width: float,
) -> Idle | None:
    """What waits longer than allowed after one area's work for its next work or cover.

    Ground that no later work and no dated cover takes up is not judged here: when it would be
    covered is not known.
    """
    work = works[number]
    if work.end is None:
        return None
    begin, latest = work.start or work.end, work.end + dt.timedelta(days=idle_days)
    in_time: list[BaseGeometry] = []
    late: list[tuple[BaseGeometry, dt.date]] = []
    for other in _later(works, number):
        assert other.start is not None
        if other.start <= latest:
            in_time.append(other.ground)
        else:
            late.append((other.ground, other.start))
    for cover in covers:
        if cover.day is None or begin <= cover.day <= latest:
            in_time.append(cover.ground)
        elif cover.day > latest:
            late.append((cover.ground, cover.day))
    if not late:
        return None
    left = _minus(work.ground, in_time)
    parts: list[BaseGeometry] = []
    longest: dt.date | None = None
    for ground, day in sorted(late, key=lambda pair: pair[1]):  # the first to come ends the wait
        waits = uncovered(shapely.intersection(left, ground), shapely.Polygon(), sliver_width).parts
        if len(waits):
            parts.extend(waits)
            longest = day
            left = shapely.difference(left, ground)
    if longest is None:
        return None
    return Idle(shapely.union_all(np.array(parts)), (longest - work.end).days, longest)


def _later(works: Sequence[Work], number: int) -> Iterator[Work]:
    """The dated works that go on after one of them; of those that end with it only earlier ones.

    So ground that two areas share, and that nobody works on after both, is told once.
    """
    end = works[number].end
    for i, other in enumerate(works):
        if i == number or end is None or other.start is None or other.end is None:
            continue
        if other.end > end or (other.end == end and i < number):
            yield other


def _minus(ground: BaseGeometry, taken: Sequence[BaseGeometry]) -> BaseGeometry:
    """The areas of a ground outside others."""
    others = np.array([*taken, shapely.Polygon()])
    shapely.prepare(ground)
    meeting = others[shapely.intersects(ground, others)]  # the rest would only be joined in vain
    rest = shapely.difference(ground, shapely.union_all(meeting))
    # its areas share no ground, and need not be joined
    return shapely.MultiPolygon(polygons_of(rest).tolist())
