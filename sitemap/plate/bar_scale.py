"""The graphic bar of a page: the length that is drawn against the feet that its labels say.

A bar is a row of numbers that grow evenly from a zero, with strokes or blocks beside them whose
edges stand under the numbers, and a word for the unit. It shrinks with the sheet, so it tells the
scale of a print as words cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sitemap.plate.lettering import Word
from sitemap.plate.page_view import Box
from sitemap.units import LengthUnit

ONE_LINE_IN = 0.06  # middles of the labels of one bar differ by less
BESIDE_IN = 0.45  # from the middle of the labels to the bar
HIGHEST_IN = 0.5  # bars and ticks
SHORTEST_IN = 0.5
LABEL_OFF_IN = 0.3  # of a label's middle from its edge; a unit may stand in the same word
EDGE_IN = 0.015  # how near an edge lies to where it should be
UNIT_NEAR_IN = 1.5
COVERED = 0.9  # of the bar's length, by what is drawn
_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?('|ft\.?|m)?", re.IGNORECASE)
_UNITS = {
    "ft": 1.0, "ft.": 1.0, "feet": 1.0, "foot": 1.0, "'": 1.0, "mi": 5280.0, "mile": 5280.0,
    "miles": 5280.0, "yd": 3.0, "yards": 3.0,
    **dict.fromkeys(
        ("m", "meter", "meters", "metre", "metres"),
        float(LengthUnit.METRE.metres / LengthUnit.FOOT.metres),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class GraphicBar:
    """A bar as drawn: from its first to its last label.

    unit is the word that says what the numbers are, "" where none was found: feet are then taken.
    """

    feet_per_inch: float
    length_in: float
    length_ft: float
    box_in: Box
    unit: str = ""

    @property
    def words(self) -> str:
        """What it says, for a person."""
        return f"{self.length_ft:g} ft drawn {self.length_in:.3f} in long"


@dataclass(frozen=True)
class _Label:
    value: float
    x_in: float
    y_in: float
    unit: str


def graphic_bars(words: Sequence[Word], paths_in: Sequence[np.ndarray]) -> tuple[GraphicBar, ...]:
    """The bars of a page, from its words and everything that it draws, in inches as shown."""
    labels = [label for word in words if (label := _label(word)) is not None]
    rows = list(_rows(labels))
    if not rows:
        return ()
    boxes = np.array([[*p.min(axis=0), *p.max(axis=0)] for p in paths_in]).reshape(-1, 4)
    found: dict[Box, GraphicBar] = {}
    for row in rows:
        bar = _bar(row, words, paths_in, boxes)
        if bar is not None:
            found.setdefault(bar.box_in, bar)
    return tuple(found.values())


def label_scales(words: Sequence[Word]) -> tuple[float, ...]:
    """The scales that rows of labels would have by where they stand alone, in feet per inch: a
    first look that needs nothing of what is drawn, within about a tenth.
    """
    labels = [label for word in words if (label := _label(word)) is not None]
    found = []
    for row in _rows(labels):
        away = row[-1].x_in - row[0].x_in
        if away >= SHORTEST_IN:
            feet = (row[-1].value - row[0].value) * _UNITS.get(_unit(row, words), 1.0)
            found.append(feet / away)
    return tuple(found)


def _label(word: Word) -> _Label | None:
    match = _NUMBER.fullmatch(word.text)
    if match is None:
        return None
    value = float(match[1].replace(",", "") + (match[2] or ""))
    return _Label(value, *word.middle_in, (match[3] or "").lower())


def _rows(labels: Iterable[_Label]) -> Iterator[list[_Label]]:
    """Numbers in a line that grow evenly to the right from a zero, or on both sides of it."""
    rest = sorted(labels, key=lambda one: (one.y_in, one.x_in))
    for zero in (one for one in rest if one.value == 0.0):
        line = [one for one in rest if abs(one.y_in - zero.y_in) <= ONE_LINE_IN]
        line.sort(key=lambda one: one.x_in)
        right = _growing(zero, [one for one in line if one.x_in > zero.x_in])
        left = _growing(zero, [one for one in reversed(line) if one.x_in < zero.x_in])
        if right:
            yield [
                *(_Label(-one.value, one.x_in, one.y_in, one.unit) for one in reversed(left)),
                zero,
                *right,
            ]
            if left:
                yield [zero, *right]


def _growing(zero: _Label, line: Sequence[_Label]) -> list[_Label]:
    """Labels away from the zero, as long as distance and number grow at one rate."""
    found: list[_Label] = []
    for one in line:
        away = abs(one.x_in - zero.x_in)
        if one.value <= (found[-1].value if found else 0.0):
            break
        if found:
            rate = found[-1].value / abs(found[-1].x_in - zero.x_in)
            if abs(one.value / rate - away) > LABEL_OFF_IN:
                break
        found.append(one)
    return found


def _bar(
    row: Sequence[_Label], words: Sequence[Word], paths_in: Sequence[np.ndarray], boxes: np.ndarray
) -> GraphicBar | None:
    """The bar beside a row of labels; None where nothing is drawn that fits them."""
    low, high = row[0].x_in - LABEL_OFF_IN, row[-1].x_in + LABEL_OFF_IN
    y = row[0].y_in
    near = np.flatnonzero(
        (boxes[:, 0] >= low) & (boxes[:, 2] <= high)
        & (boxes[:, 1] >= y - BESIDE_IN) & (boxes[:, 3] <= y + BESIDE_IN)
        & (boxes[:, 3] - boxes[:, 1] <= HIGHEST_IN)
    )  # fmt: skip
    if not len(near):
        return None
    edges = np.unique(np.round(np.concatenate([paths_in[i][:, 0] for i in near.tolist()]), 6))
    ends = _best_ends(row, edges)
    if ends is None or not _is_covered(boxes[near], *ends):
        return None
    first, last = ends
    unit = _unit(row, words)
    feet = (row[-1].value - row[0].value) * _UNITS.get(unit, 1.0)
    box = (first, float(boxes[near, 1].min()), last, float(boxes[near, 3].max()))
    return GraphicBar(feet / (last - first), last - first, feet, box, unit)


def _best_ends(row: Sequence[_Label], edges: np.ndarray) -> tuple[float, float] | None:
    """The two edges that the first and the last label stand at, so that the others fit too."""
    values = np.array([one.value for one in row])
    places = np.array([one.x_in for one in row])
    share = (values - values[0]) / (values[-1] - values[0])
    best: tuple[float, float, float] | None = None
    for first in edges[np.abs(edges - places[0]) <= LABEL_OFF_IN]:
        for last in edges[np.abs(edges - places[-1]) <= LABEL_OFF_IN]:
            if last - first < SHORTEST_IN:
                continue
            wanted = first + share * (last - first)
            misses = np.abs(edges[:, None] - wanted[None, :]).min(axis=0)
            unmet = int((misses > EDGE_IN).sum())
            cost = float(np.abs(places - wanted).mean()) + 0.2 * unmet
            if unmet <= len(row) - 2 and (best is None or cost < best[0] - 1e-9):
                best = (cost, float(first), float(last))
    return None if best is None else (best[1], best[2])


def _is_covered(boxes: np.ndarray, first: float, last: float) -> bool:
    """True when strokes and blocks lie along the whole bar, one after the other."""
    covered, reach = 0.0, first
    for left, right in sorted((float(a), float(b)) for a, b in boxes[:, [0, 2]]):
        start, end = max(left, reach), min(right, last)
        if end > start:
            covered += end - start
            reach = end
    return covered >= COVERED * (last - first)


def _unit(row: Sequence[_Label], words: Sequence[Word]) -> str:
    """The word for the unit in the labels, or the nearest one beside, under or over them."""
    own = next((one.unit for one in row if one.unit), "")
    if own:
        return own
    y, low, high = row[0].y_in, row[0].x_in, row[-1].x_in
    near: list[tuple[float, str]] = []
    for word in words:
        text = word.text.lower().strip("()")
        x, height = word.middle_in
        if text in _UNITS and low - UNIT_NEAR_IN <= x <= high + UNIT_NEAR_IN:
            away = abs(height - y) + max(0.0, x - high, low - x)
            if away <= UNIT_NEAR_IN and abs(height - y) <= BESIDE_IN * 2.0:
                near.append((away, text))
    return min(near)[1] if near else ""


def agree(bars: Sequence[GraphicBar], within: float = 0.005) -> bool:
    """True when all bars have one scale, to half a percent."""
    scales = sorted(bar.feet_per_inch for bar in bars)
    return all(b / a - 1.0 <= within for a, b in pairwise(scales))
