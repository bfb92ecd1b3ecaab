"""Is a site grid regular: cells in columns and rows, equal, lettered in order.

Cells are polygons, or what lines enclose; a grid may be turned against the axes. The arithmetic
of our own grid is grid.py.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import MultiLineString

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WITHOUT_I_O = "ABCDEFGHJKLMNPQRSTUVWXYZ"
LABEL = re.compile(r"([A-Z]+)[\s.\-/]*(\d+)|(\d+)[\s.\-/]*([A-Z]+)")


def label_order(label: str) -> tuple[int, str, int, str]:
    """A key that sorts labels as a reader looks for them: A1, A2, A10, B1 ... Z9, AA1.

    By letters, then by number, whichever of them stands first; what is no such label comes last.
    """
    text = label.strip().upper()
    match = LABEL.fullmatch(text)
    if match is None:
        return sys.maxsize, "", 0, text
    letters, number = match[1] or match[4], int(match[2] or match[3])
    return len(letters), letters, number, text


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Where each cell stands: column from the left, row from the top, both from 0; sizes in feet.

    at_rim is true for cells without a neighbour on some side, which may be cut by the map's edge.
    """

    column: np.ndarray
    row: np.ndarray
    width_ft: np.ndarray
    height_ft: np.ndarray
    at_rim: np.ndarray

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return int(self.column.max()) + 1 if len(self.column) else 0

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.row.max()) + 1 if len(self.row) else 0


def cells_from(geometry: np.ndarray) -> np.ndarray:
    """The polygons of a grid layer; where it has lines only, the areas that they enclose."""
    shapes = shapely.force_2d(geometry)
    areal = shapely.get_dimensions(shapes) == 2
    if areal.any():
        return np.asarray(shapes[areal])
    lines = shapely.get_parts(shapes[shapely.get_dimensions(shapes) == 1])
    noded = shapely.node(MultiLineString(list(lines)))
    return np.asarray(shapely.get_parts(shapely.polygonize([noded])))


def grid_turn_rad(cells: np.ndarray) -> float:
    """How far the cells' sides are turned from the axes, -45 to 45 degrees in radians.

    The mean direction of all sides, weighted by length, opposite and crossing sides alike.
    """
    xy, owner = shapely.get_coordinates(shapely.get_exterior_ring(cells), return_index=True)
    step = np.diff(xy, axis=0)[np.diff(owner) == 0]
    angle = np.arctan2(step[:, 1], step[:, 0]) * 4.0
    weight = np.hypot(step[:, 0], step[:, 1])
    return float(np.arctan2((weight * np.sin(angle)).sum(), (weight * np.cos(angle)).sum()) / 4.0)


def arrange(cells: np.ndarray, tolerance_ft: float) -> Arrangement:
    """Columns and rows of cells; a cell begins a column where it overlaps none of the last one."""
    turn = grid_turn_rad(cells)
    cos, sin = np.cos(-turn), np.sin(-turn)
    middle = shapely.total_bounds(cells).reshape(2, 2).mean(axis=0)

    def level(xy: np.ndarray) -> np.ndarray:
        x, y = (xy - middle).T
        return np.column_stack([x * cos - y * sin, x * sin + y * cos])

    bounds = shapely.bounds(shapely.transform(cells, level))
    column = _slots(bounds[:, 0], bounds[:, 2], tolerance_ft)
    row = _slots(-bounds[:, 3], -bounds[:, 1], tolerance_ft)
    filled = set(zip(column.tolist(), row.tolist(), strict=True))
    at_rim = [
        not {(c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)} <= filled
        for c, r in zip(column.tolist(), row.tolist(), strict=True)
    ]
    width, height = bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1]
    return Arrangement(column, row, width, height, np.array(at_rim, dtype=bool))


def _slots(low: np.ndarray, high: np.ndarray, tolerance: float) -> np.ndarray:
    """Number of the run of overlapping intervals that each interval belongs to, from the lowest."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    new = low[order][1:] >= reach[:-1] - tolerance
    slot = np.empty(len(low), dtype=int)
    slot[order] = np.concatenate([[0], np.cumsum(new)])
    return slot


def unequal_cells(arrangement: Arrangement, tolerance_ft: float) -> np.ndarray:
    """True for cells of another size than most; at the rim only for those that are larger."""
    odd = np.zeros(len(arrangement.column), dtype=bool)
    for size in (arrangement.width_ft, arrangement.height_ft):
        usual = usual_size(size, tolerance_ft)
        odd |= size > usual + tolerance_ft
        odd |= ~arrangement.at_rim & (size < usual - tolerance_ft)
    return odd


def usual_size(size: np.ndarray, tolerance: float) -> float:
    """The size with the most others within the tolerance; of several the largest."""
    ordered = np.sort(size)
    near = np.searchsorted(ordered, ordered + tolerance, side="right") - np.searchsorted(
        ordered, ordered - tolerance, side="left"
    )
    return float(ordered[near == near.max()].max())


@dataclass(frozen=True)
class LabelTrouble:
    """What is wrong with labels, and the numbers of the cells that it concerns."""

    words: str
    cells: tuple[int, ...]


def label_troubles(labels: Sequence[str | None], place: Arrangement) -> list[LabelTrouble]:
    """Missing, repeated, not alphanumeric, or out of order across or down.

    Letters may go across and numbers down, or the other way round, and either may rise or fall;
    the letters I and O may be left out.
    """
    clean = ["" if text is None else str(text).strip().upper() for text in labels]
    missing = tuple(i for i, text in enumerate(clean) if not text)
    if len(missing) == len(clean):
        return [LabelTrouble("no cell has a label", missing)]
    troubles = []
    if missing:
        words = "1 cell has" if len(missing) == 1 else f"{len(missing)} cells have"
        troubles.append(LabelTrouble(f"{words} no label", missing))
    for text, times in sorted(Counter(t for t in clean if t).items()):
        if times > 1:
            same = tuple(i for i, t in enumerate(clean) if t == text)
            troubles.append(LabelTrouble(f"{times} cells are called {text}", same))
    parsed = [LABEL.fullmatch(text) for text in clean]
    strange = tuple(i for i, (t, m) in enumerate(zip(clean, parsed, strict=True)) if t and not m)
    if strange:
        named = ", ".join(clean[i] for i in strange[:5])
        troubles.append(LabelTrouble(f"labels are not letters with a number: {named}", strange))
    letters = [(m[1] or m[4]) if m else "" for m in parsed]
    numbers = [(m[2] or m[3]) if m else "" for m in parsed]
    return troubles + _order_troubles(letters, numbers, place)


def _order_troubles(
    letters: list[str], numbers: list[str], place: Arrangement
) -> list[LabelTrouble]:
    usual = _axis(letters, place.column, "column") + _axis(numbers, place.row, "row")
    if not usual:
        return []
    turned = _axis(numbers, place.column, "column") + _axis(letters, place.row, "row")
    return usual if len(usual) <= len(turned) else turned


def _axis(marks: list[str], slot: np.ndarray, kind: str) -> list[LabelTrouble]:
    """Troubles of the one mark that all cells of a column (or row) must share, and of its order."""
    troubles, series = [], []
    for number in range(int(slot.max()) + 1):
        mine = [i for i in np.flatnonzero(slot == number).tolist() if marks[i]]
        if not mine:
            continue
        times_of = Counter(marks[i] for i in mine)
        # of two that are as frequent the first in order, whichever record comes first
        mark, times = min(times_of.items(), key=lambda m: (-m[1], len(m[0]), m[0]))
        series.append(mark)
        if times < len(mine):
            others = tuple(i for i in mine if marks[i] != mark)
            named = ", ".join(sorted({marks[i] for i in others})[:5])
            troubles.append(LabelTrouble(f"{kind} {mark} holds labels with {named}", others))
    trouble = series_trouble(series)
    if trouble:
        way = "across" if kind == "column" else "down"
        troubles.append(LabelTrouble(f"labels are not in order {way}: {trouble}", ()))
    return troubles


def series_trouble(marks: Sequence[str]) -> str:
    """Why marks along one edge are no series of letters or of numbers; empty when they are."""
    repeated = [mark for mark, times in Counter(marks).items() if times > 1]
    if repeated:
        return f"{', '.join(repeated[:5])} repeated"
    if len(marks) < 2:
        return ""
    rising = _first_break(marks)
    falling = _first_break(list(reversed(marks)))
    if rising is None or falling is None:
        return ""
    return f"{rising[0]} is followed by {rising[1]}"


def _first_break(marks: Sequence[str]) -> tuple[str, str] | None:
    """The first pair that does not follow one after the other."""
    pairs = pairwise(marks)
    return next((pair for pair in pairs if not _follows(*pair)), None)


def _follows(mark: str, following: str) -> bool:
    if mark.isdigit() and following.isdigit():
        return int(following) == int(mark) + 1
    if not (mark.isalpha() and following.isalpha()):
        return False
    pairs = [
        (_index(mark, letters), _index(following, letters)) for letters in (ALPHABET, WITHOUT_I_O)
    ]
    return any(a is not None and b is not None and b == a + 1 for a, b in pairs)


def _index(mark: str, letters: str) -> int | None:
    """Place of A, B ... Z, AA, AB ... among all marks of these letters; None for other letters."""
    place = 0
    for letter in mark.upper():
        digit = letters.find(letter)
        if digit < 0:
            return None
        place = place * len(letters) + digit + 1
    return place
