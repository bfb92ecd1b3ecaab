"""What a page's lettering says of the page itself: lines of its legend, heights of its letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby

from sitemap.measured_plate import LetterSize
from sitemap.plate.lettering import Word

SAME_LINE_IN = 0.03
COLUMN_IN = 0.12  # lines that begin within this stand under each other
WORDS_APART_CAPS = 2.5  # a wider blank parts two columns
AS_HIGH = 0.95  # of the heading, to be a heading too
MARGIN_IN = 0.5  # from the edge of the paper
EXAMPLE = 40  # characters


def legend_lines(words: Sequence[Word]) -> tuple[str, ...] | None:
    """The lines under the heading "Legend", column by column from the top; None without one.

    The legend ends where the next heading of its size begins below it or beside it; one that
    goes on under the same heading in another place is read on there.
    """
    named = [w for w in words if w.text.strip(" :.").lower() == "legend" and w.cap_in > 0.0]
    if not named:
        return None
    highest = max(word.cap_in for word in named)
    heads = [word for word in named if word.cap_in >= highest * AS_HIGH]
    return tuple(line for head in heads for line in _under(head, words))


def _under(head: Word, words: Sequence[Word]) -> Iterable[str]:
    """The lines of the legend under one heading."""
    left, bottom, _, top = head.box_in
    heads = [w for w in words if w.cap_in >= head.cap_in * AS_HIGH and w is not head]
    beside = [
        w.box_in[0]
        for w in heads
        if w.box_in[0] > left + 1.0 and abs(w.box_in[1] - bottom) < (top - bottom)
    ]
    right = min(beside, default=math.inf)
    below = [
        w.box_in[3] for w in heads if w.box_in[3] < bottom and left - 0.15 < w.box_in[0] < right
    ]
    floor = max(below, default=-math.inf)
    inside = [
        w
        for w in words
        if floor <= w.middle_in[1] < bottom and left - 0.1 <= w.box_in[0] < right - 0.05
    ]
    lines = list(_lines(inside))
    return (text for _, _, text in sorted(_in_columns(lines)))


def _lines(words: Iterable[Word]) -> Iterable[tuple[float, float, str]]:
    """Left edge, height and text of each run of words on one line."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda w: -w.middle_in[1]):
        if rows and abs(rows[-1][0].middle_in[1] - word.middle_in[1]) <= SAME_LINE_IN:
            rows[-1].append(word)
        else:
            rows.append([word])
    for row in rows:
        run: list[Word] = []
        for word in sorted(row, key=lambda w: w.box_in[0]):
            if run and word.box_in[0] - run[-1].box_in[2] > WORDS_APART_CAPS * _cap(word):
                yield _line(run)
                run = []
            run.append(word)
        yield _line(run)


def _cap(word: Word) -> float:
    return word.cap_in if word.cap_in > 0.0 else word.box_in[3] - word.box_in[1]


def _line(run: Sequence[Word]) -> tuple[float, float, str]:
    return run[0].box_in[0], run[0].middle_in[1], " ".join(word.text for word in run)


def _in_columns(
    lines: Sequence[tuple[float, float, str]],
) -> Iterable[tuple[int, float, str]]:
    """Number of the column, depth and text; lines that begin at one place are one column."""
    column, before = 0, -math.inf
    for left, y, text in sorted(lines):
        if left - before > COLUMN_IN:
            column += 1
        before = left
        yield column, -y, text


def letter_sizes(words: Sequence[Word], size_in: tuple[float, float]) -> tuple[LetterSize, ...]:
    """The heights of lettering on a page of this size, smallest first, to a thousandth of an inch.

    Lettering in the margin of the paper is counted apart.
    """
    known = [w for w in words if w.cap_in > 0.0]

    def kind(word: Word) -> tuple[float, bool]:
        return round(word.cap_in, 3), _in_margin(word, size_in)

    found = []
    for (cap, margin), group in groupby(sorted(known, key=kind), key=kind):
        alike = list(group)
        x, y = alike[0].middle_in
        example = " ".join(word.text for word in alike[:12])
        found.append(
            LetterSize(
                cap,
                sum(len(word.text) for word in alike),
                example if len(example) <= EXAMPLE else example[: EXAMPLE - 3] + "...",
                x,
                y,
                margin,
            )
        )
    return tuple(found)


def _in_margin(word: Word, size_in: tuple[float, float]) -> bool:
    left, bottom, right, top = word.box_in
    width, height = size_in
    return (
        right <= MARGIN_IN
        or top <= MARGIN_IN
        or left >= width - MARGIN_IN
        or bottom >= height - MARGIN_IN
    )
