"""What a page says: its words with their places, stated scales and intervals, grid letters.

Read from the finished file with PDFium, so what comes back is what was drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2

from sitemap.measured_plate import GridMark
from sitemap.plate.letter_heights import cap_heights_in, letter_boxes
from sitemap.plate.page_view import Box, PageView

UNKNOWN_CAP_IN = 0.1  # of lettering whose height cannot be read
GRID_OUTSIDE_IN = 0.6  # how far from the neatline its letters may stand
GRID_INSIDE_IN = 0.3
NEAR = 30  # characters around a scale that may say what it is for
ONE_LINE_IN = 0.06  # marks of one row differ by less across it
FEET_PER_METRE = 1 / 0.3048

_FEET = r"(?:'|ft\b\.?|feet\b|foot\b)"
_SCALE = re.compile(
    rf'(?<![\d/.,])1(?:\.0+)?[ ]?(?:"|in\b\.?|inch(?:es)?\b)[ ]?(?:[=:]|equals)[ ]?'
    rf"(?P<feet>\d[\d,]*(?:\.\d+)?)[ ]?-?{_FEET}"
    rf"|(?<![\d/.,])(?P<per>\d[\d,]*(?:\.\d+)?)[ ]?{_FEET}(?:[ ]?/[ ]?|[ ]per[ ])in(?:ch)?\b"
    r"|(?<![\d/.,:])1[ ]?:[ ]?(?P<ratio>\d{1,3}(?:,\d{3})+|\d{3,})(?![\d:.,]*\d)",
    re.IGNORECASE,
)
_HALF = re.compile(r"half[- ]?(?:size|scale)|reduced", re.IGNORECASE)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)[ ]?[\"']?[ ]?[x×][ ]?(\d+(?:\.\d+)?)", re.IGNORECASE)
_VERTICAL = re.compile(r"\bv(?:ert(?:ical)?)?\b", re.IGNORECASE)
_UNIT = r"(?P<unit{n}>'|ft\b\.?|feet\b|foot\b|m\b|met(?:er|re)s?\b)"
_INTERVAL = re.compile(
    r"contour[ ]interval[^\d\n]{0,20}(?P<after>\d+(?:\.\d+)?)[ ]?-?" + _UNIT.format(n=1) + "|"
    r"contours[^\d\n]{0,12}(?P<at>\d+(?:\.\d+)?)[ ]?-?"
    + _UNIT.format(n=2)
    + r"[^\n]{0,12}interval|"
    r"(?<![\d.])(?P<before>\d+(?:\.\d+)?)[ ]?-?"
    + _UNIT.format(n=3)
    + r"[ -](?:interval[ ])?contour",
    re.IGNORECASE,
)
_TYPED = str.maketrans({"”": '"', "“": '"', "″": '"', "’": "'", "′": "'", "‘": "'", "\u00a0": " "})


@dataclass(frozen=True)
class Word:
    """A run of characters without a blank, and the box around it in inches as shown.

    cap_in is the height of its capitals in inches, NaN where it is not known.
    """

    text: str
    box_in: Box
    cap_in: float = math.nan

    @property
    def middle_in(self) -> tuple[float, float]:
        """Its middle, inches from the lower left."""
        left, bottom, right, top = self.box_in
        return (left + right) / 2.0, (bottom + top) / 2.0


@dataclass(frozen=True)
class Lettering:
    """The text of a page, line by line, and its words."""

    text: str
    words: tuple[Word, ...]


def read_lettering(page: pypdfium2.PdfPage, view: PageView) -> Lettering:
    """All text of a page; also of layers that are switched off."""
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        text = textpage.get_text_range() if count else ""
        letters = list(text)
        if len(letters) != count:  # characters of two units, or of none
            letters = [textpage.get_text_range(i, 1) for i in range(count)]
        boxes = letter_boxes(textpage, count)
        caps = cap_heights_in(textpage, letters, view.units_per_inch)
    finally:
        textpage.close()
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TYPED)
    return Lettering(plain, _words(letters, boxes, caps, view))


def _words(
    letters: Sequence[str], boxes: np.ndarray, caps_in: np.ndarray, view: PageView
) -> tuple[Word, ...]:
    """Letters to words: a word ends at a blank, and where the next letter is far away."""
    seen = np.array([i for i, letter in enumerate(letters) if letter.strip()], dtype=int)
    if not len(seen):
        return ()
    after_blank = np.diff(seen) > 1
    starts = np.concatenate([[0], np.flatnonzero(after_blank | _far(boxes[seen])) + 1])
    corners = view.shown_in(boxes[seen].reshape(-1, 2)).reshape(-1, 2, 2)
    low = np.minimum.reduceat(corners.min(axis=1), starts).round(6).tolist()
    high = np.maximum.reduceat(corners.max(axis=1), starts).round(6).tolist()
    caps = np.maximum.reduceat(caps_in[seen], starts).tolist()
    runs = [seen[a:b].tolist() for a, b in zip(starts, [*starts[1:], len(seen)], strict=True)]
    return tuple(
        Word("".join(letters[i] for i in run), (left, bottom, right, top), cap)
        for run, (left, bottom), (right, top), cap in zip(runs, low, high, caps, strict=True)
    )


def _far(boxes: np.ndarray) -> np.ndarray:
    """True where a box and the next lie further apart than a letter is large, (n - 1,)."""
    size = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    a, b = boxes[:-1], boxes[1:]
    apart = np.max(
        [b[:, 0] - a[:, 2], a[:, 0] - b[:, 2], b[:, 1] - a[:, 3], a[:, 1] - b[:, 3]], axis=0
    )
    return np.asarray(apart > np.maximum(size[:-1], size[1:]))


def stated_scales(
    text: str, size_in: tuple[float, float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Feet per inch that the text states: for this page, and for a half-size print of it.

    A sheet size beside a scale says which of the two it is; vertical scales of profiles are
    left out. Where nothing is stated for this page, but something for a sheet twice as large,
    twice as many feet go to its inch: it is a half-size print.
    """
    found: dict[str, dict[float, None]] = {"full": {}, "half": {}, "twice": {}}
    matches = list(_SCALE.finditer(text))
    before = text[max(0, matches[0].start() - NEAR) : matches[0].start()] if matches else ""
    for i, match in enumerate(matches):
        last = i + 1 == len(matches)
        gap = text[match.end() : None if last else matches[i + 1].start()]
        after, leading = (gap.split("\n")[0][:NEAR], "") if last else _divided(gap)
        which = _which(f"{before} {after}", size_in)
        if which is not None:
            found[which][_feet_per_inch(match)] = None
        before = leading
    printed_half = tuple(2.0 * feet for feet in found["twice"])
    return tuple(found["full"]) or printed_half, tuple(found["half"])


def _divided(gap: str) -> tuple[str, str]:
    """The words between two scales: those that go with the first, and with the second."""
    closed = re.match(r"[^()\n]{0,4}\([^()\n]*\)", gap)
    if closed:
        return closed[0], gap[closed.end() :][-NEAR:]
    first, broken, rest = gap.partition("\n")
    if broken:
        return first[:NEAR], rest[-NEAR:]
    if "(" in gap or gap.rstrip().endswith((":", "=")):
        return "", gap[-NEAR:]
    return gap[:NEAR], ""


def _feet_per_inch(match: re.Match[str]) -> float:
    if match["ratio"]:
        return float(match["ratio"].replace(",", "")) / 12.0
    return float((match["feet"] or match["per"]).replace(",", ""))


def _which(near: str, size_in: tuple[float, float]) -> str | None:
    """Whether a scale with these words is for the "full" page, its "half", "twice" it, or none."""
    if _VERTICAL.search(near):
        return None
    named = _SIZE.search(near)
    if named:
        long, short = sorted((float(named[1]), float(named[2])), reverse=True)
        page = sorted(size_in, reverse=True)
        for which, factor in (("full", 1.0), ("half", 2.0), ("twice", 0.5)):
            if abs(long * factor - page[0]) < 0.1 and abs(short * factor - page[1]) < 0.1:
                return which
        return None
    return "half" if _HALF.search(near) else "full"


def stated_intervals(text: str) -> tuple[float, ...]:
    """Contour intervals in feet that the text states with their unit; metres are converted."""
    found: dict[float, None] = {}
    for match in _INTERVAL.finditer(text):
        number = match["after"] or match["at"] or match["before"]
        unit = match["unit1"] or match["unit2"] or match["unit3"]
        metric = unit.lower().startswith("m")
        found[float(number) * (FEET_PER_METRE if metric else 1.0)] = None
    return tuple(found)


def grid_marks(
    words: Sequence[Word], frame_in: Box
) -> tuple[tuple[GridMark, ...], tuple[GridMark, ...]]:
    """The grid's marks along a frame: above and below it, and left and right of it.

    A mark is one or two letters, or a number of up to three digits; marks of one edge stand in
    a row, at least two of them. One axis has letters and the other numbers. Columns come from
    the left, rows from the top.
    """
    left, bottom, right, top = frame_in
    short = [w for w in words if re.fullmatch(r"[A-Z]{1,2}|\d{1,3}", w.text)]
    across = [w for w in short if left <= w.middle_in[0] <= right]
    up = [w for w in short if bottom <= w.middle_in[1] <= top]
    columns = [
        *_edge_row(across, axis=1, edge=top, outward=1.0),
        *_edge_row(across, axis=1, edge=bottom, outward=-1.0),
    ]
    rows = [
        *_edge_row(up, axis=0, edge=left, outward=-1.0),
        *_edge_row(up, axis=0, edge=right, outward=1.0),
    ]
    if any(not w.text.isdigit() for w in columns):
        columns, rows = _of_kind(columns, digits=False), _of_kind(rows, digits=True)
    elif any(not w.text.isdigit() for w in rows):
        columns, rows = _of_kind(columns, digits=True), _of_kind(rows, digits=False)
    else:  # numbers alone are a bar scale, stations or coordinates
        columns, rows = [], []
    return _marks(columns), _marks(rows)


def _edge_row(words: Iterable[Word], axis: int, edge: float, outward: float) -> list[Word]:
    """The largest row of words near one edge; axis 0 measures across, 1 up.

    High letters count for more: elevations of contours may stand in a row inside the edge.
    """
    near = [
        (offset, word)
        for word in words
        for offset in [(word.middle_in[axis] - edge) * outward]
        if -GRID_INSIDE_IN <= offset <= GRID_OUTSIDE_IN
    ]
    best: list[Word] = []
    for start, _ in near:
        row = [w for offset, w in near if abs(offset - start) <= ONE_LINE_IN]
        kinds = [w.text.isdigit() for w in row]
        kind = sum(kinds) * 2 >= len(kinds)
        row = [w for w, digit in zip(row, kinds, strict=True) if digit == kind]
        if len(row) > 1 and _weight(row) > _weight(best):
            best = row
    # from the left, and from the top down as numbers go
    return sorted(best, key=lambda w: w.middle_in[0] if axis else -w.middle_in[1])


def _weight(row: Sequence[Word]) -> float:
    """How much lettering a row is: the sum of its heights."""
    return sum(word.cap_in if word.cap_in > 0.0 else UNKNOWN_CAP_IN for word in row)


def _of_kind(words: Iterable[Word], digits: bool) -> list[Word]:
    return [w for w in words if w.text.isdigit() == digits]


def _marks(words: Iterable[Word]) -> tuple[GridMark, ...]:
    return tuple(GridMark(w.text, *w.middle_in) for w in words)
