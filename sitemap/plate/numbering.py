"""Sheet numbers that stay: a lock file beside the plate ties each number to the ground it shows.

A site that changes keeps the numbers of the sheets that remain; what was added, removed or moved
is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sitemap.errors import UsageError
from sitemap.outputs import write_text_file

Point = tuple[float, float]
VERSION = 1
SAME_PLACE_FT = 1.0  # a sheet that shifts by less has not moved


@dataclass(frozen=True)
class SheetLock:
    """The numbers that were given: map sheets by the centre of their ground, index, notes.

    phases has the phase of construction of map sheets that show one alone.
    """

    maps: Mapping[str, Point] = field(default_factory=dict)
    index: str | None = None
    notes: tuple[str, ...] = ()
    phases: Mapping[str, str] = field(default_factory=dict)

    @property
    def taken(self) -> set[str]:
        """All numbers in use."""
        return {*self.maps, *self.notes, *([self.index] if self.index else [])}


@dataclass(frozen=True)
class SheetChanges:
    """What became of the sheets since the last time; moved with feet."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[tuple[str, float], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """A line for each kind of change; none when nothing changed."""
        lines = []
        if self.added:
            lines.append(f"sheets added: {', '.join(self.added)}")
        if self.removed:
            lines.append(f"sheets removed: {', '.join(self.removed)}")
        if self.moved:
            told = ", ".join(f"{number} by {feet:,.0f} ft" for number, feet in self.moved)
            lines.append(f"sheets moved: {told}")
        return tuple(lines)


def lock_path(plate: Path) -> Path:
    """Where the lock of a plate lies: beside it."""
    return plate.with_name(f"{plate.stem}.sheets.json")


def read_lock(path: Path) -> SheetLock | None:
    """The lock of an earlier run, None when there is none; UsageError when it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: the lock of sheet numbers cannot be read: {error}") from None
    try:
        return _parsed(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path}: this is no lock of sheet numbers ({error}). It keeps the numbers of the "
            "sheets from run to run: put it right, or delete it to number the sheets anew"
        ) from None


def _parsed(content: Any) -> SheetLock:
    if content["version"] != VERSION:
        raise ValueError(f"version {content['version']!r}, not {VERSION}")
    maps, phases = {}, {}
    for entry in content["maps"]:
        x, y = (float(v) for v in entry["centre_ft"])
        maps[str(entry["number"])] = (x, y)
        if "phase" in entry:
            phases[str(entry["number"])] = str(entry["phase"])
    index = content["index"]
    notes = tuple(str(n) for n in content["notes"])
    return SheetLock(maps, None if index is None else str(index), notes, phases)


def write_lock(path: Path, lock: SheetLock) -> None:
    """Write the lock, one sheet a line."""
    content = {
        "version": VERSION,
        "index": lock.index,
        "maps": [
            {"number": number, "centre_ft": [round(x, 2), round(y, 2)]}
            | ({"phase": lock.phases[number]} if lock.phases.get(number) else {})
            for number, (x, y) in lock.maps.items()
        ],
        "notes": list(lock.notes),
    }
    write_text_file(path, json.dumps(content, indent=1) + "\n")


def following(first: str) -> Iterator[str]:
    """Sheet numbers from the first on: C-501, C-502 ...; without digits a dash and a count."""
    match = re.fullmatch(r"(.*?)(\d+)(\D*)", first)
    if match is None:
        yield first
        before, start, width, after = f"{first}-", 2, 1, ""
    else:
        before, start, width, after = match[1], int(match[2]), len(match[2]), match[3]
    number = start
    while True:
        yield f"{before}{number:0{width}d}{after}"
        number += 1


def number_sheets(
    first: str,
    centres_ft: Sequence[Point],
    reach_ft: float,
    lock: SheetLock | None,
    phases: Sequence[str] = ("",),
) -> tuple[SheetLock, SheetChanges, Iterator[str]]:
    """Numbers for the index and for map sheets with these centres, in order; and those still free.

    Of several phases each has all sheets, one phase after the other. A sheet within reach_ft of a
    locked one of its phase keeps that number, nearest first.
    """
    known = lock or SheetLock()
    kept: dict[int, str] = {}
    for place, phase in enumerate(phases):
        old = {n: at for n, at in known.maps.items() if known.phases.get(n, "") == phase}
        found = _matched(centres_ft, old, reach_ft)
        kept |= {i + place * len(centres_ft): number for i, number in found.items()}
    centres_ft = [*centres_ft] * len(phases)
    free = (number for number in following(first) if number not in known.taken)
    index = known.index or next(free)
    numbers = [kept.get(i) or next(free) for i in range(len(centres_ft))]
    maps = dict(zip(numbers, centres_ft, strict=True))
    moves = [(n, float(np.hypot(*np.subtract(maps[n], known.maps[n])))) for n in kept.values()]
    changes = SheetChanges(
        added=tuple(n for n in numbers if n not in known.maps) if lock else (),
        removed=tuple(n for n in known.maps if n not in maps),
        moved=tuple(sorted((n, feet) for n, feet in moves if feet > SAME_PLACE_FT)),
    )
    of = [phase for phase in phases for _ in range(len(centres_ft) // len(phases))]
    named = {number: phase for number, phase in zip(numbers, of, strict=True) if phase}
    return SheetLock(maps, index, known.notes, named), changes, free


def _matched(
    centres_ft: Sequence[Point], known: Mapping[str, Point], reach_ft: float
) -> dict[int, str]:
    """Which locked number each sheet keeps, by its position: the nearest pairs first."""
    pairs = sorted(
        (float(np.hypot(x - u, y - v)), i, number)
        for i, (x, y) in enumerate(centres_ft)
        for number, (u, v) in known.items()
    )
    kept: dict[int, str] = {}
    for distance, i, number in pairs:
        if distance > reach_ft:
            break
        if i not in kept and number not in kept.values():
            kept[i] = number
    return kept
