"""Tables in inches: column widths from the words, wrapped cells, heights known before drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sitemap.plate.blocks import (
    CLAUSE_INK,
    HAIR_INK,
    HAIR_PT,
    PAD_IN,
    TABLE_CAP_IN,
    Block,
    heading,
    moved,
    parted,
    pitch_in,
    rule,
    wrap,
)
from sitemap.plate.fonts import descent_in, text_width_in
from sitemap.plate.marks import Mark, Text

ABOVE_IN, BELOW_IN = 0.04, 0.045  # clear paper over capitals and under baselines
Align = Literal["left", "right", "center"]
PANEL_GAP_IN = 0.2  # between panels of one table


@dataclass(frozen=True)
class Column:
    """A column: its head, how its cells stand, and whether its words may wrap."""

    head: str
    align: Align = "left"
    wraps: bool = False


def table_block(
    name: str,
    title: str,
    clause: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    width_in: float,
    *,
    bold_last: bool = False,
    most_height_in: float | None = None,
) -> Block:
    """A table with its head, no wider than the width.

    With most_height_in, rows that do not fit are counted in a last line that says so.
    """
    marks, y = heading(title, clause, width_in)
    widths = column_widths(columns, rows, width_in)
    body, used = _rows(columns, rows, widths, bold_last=bold_last)
    head, head_height = _row([c.head for c in columns], columns, widths, bold=True)
    marks += [moved(m, 0.0, -y) for m in head]
    y += head_height
    marks.append(rule(0.0, width_in, -y, HAIR_PT * 2))
    shown = 0
    limit = np.inf if most_height_in is None else most_height_in
    reserve = pitch_in(TABLE_CAP_IN)
    for row_marks, height in zip(body, used, strict=True):
        last = shown == len(body) - 1
        if y + height + (0.0 if last else reserve) > limit:
            break
        marks += [moved(m, 0.0, -y) for m in row_marks]
        y += height
        shown += 1
        if not last:
            marks.append(rule(0.0, width_in, -y, HAIR_PT, HAIR_INK))
    if shown < len(body):
        y += reserve
        more = f"{len(body) - shown} more rows: see the report"
        marks.append(Text("", PAD_IN / 2, -y, more, TABLE_CAP_IN, italic=True, ink=CLAUSE_INK))
        y += descent_in(TABLE_CAP_IN)
    marks.append(rule(0.0, width_in, -y, HAIR_PT * 2))
    return Block(name, width_in, y, tuple(marks))


def panel_block(
    name: str,
    title: str,
    clause: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    width_in: float,
    panels: int,
) -> Block:
    """A long table in panels side by side under one head, read down and then across.

    There are fewer panels than asked for where their words would not fit. A row of one cell is a
    head over the rows that follow it.
    """
    marks, y = heading(title, clause, width_in)
    while panels > 1 and _panel_width(width_in, panels) < sum(_natural(columns, rows)):
        panels -= 1  # rather a higher block than words cut in two
    width = _panel_width(width_in, panels)
    widths = column_widths(columns, rows, width)
    body, heights = _rows(columns, rows, widths, bold_last=False)
    head, head_height = _row([c.head for c in columns], columns, widths, bold=True)
    lowest = 0.0
    for panel, rows_here in enumerate(_shared_out(heights, [len(r) == 1 for r in rows], panels)):
        x, down = panel * (width + PANEL_GAP_IN), y + head_height
        marks += [moved(m, x, -y) for m in head]
        marks.append(rule(x, x + width, -down, HAIR_PT * 2))
        for row in rows_here:
            marks += [moved(m, x, -down) for m in body[row]]
            down += heights[row]
            marks.append(rule(x, x + width, -down, HAIR_PT, HAIR_INK))
        lowest = max(lowest, down)
    return Block(name, width_in, lowest, tuple(marks))


def _panel_width(width_in: float, panels: int) -> float:
    return (width_in - PANEL_GAP_IN * (panels - 1)) / panels


def _shared_out(heights: list[float], heads: list[bool], panels: int) -> list[list[int]]:
    """Which rows stand in which panel: about as high each, no head alone at a foot."""
    share = sum(heights) / panels
    shared: list[list[int]] = [[]]
    used = 0.0
    for row, height in enumerate(heights):
        full = used > 0.0 and used + height / 2.0 > share
        lonely = heads[row] and used + 2.0 * height > share
        if len(shared) < panels and used > 0.0 and (full or lonely):
            shared.append([])
            used = 0.0
        shared[-1].append(row)
        used += height
    return shared


def column_widths(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width_in: float
) -> list[float]:
    """Widths that fill the table: the words' own, spare paper shared, wrapping columns yielding."""
    natural = _natural(columns, rows)
    spare = width_in - sum(natural)
    soft = [i for i, c in enumerate(columns) if c.wraps]
    if spare >= 0.0 or not soft:
        share = spare / len(columns)
        return [w + share for w in natural] if spare >= 0 else _squeezed(natural, width_in)
    tried = [_yielding(columns, rows, natural, width_in, power) for power in (0.0, 0.25, 0.5, 1.0)]
    return min(tried, key=lambda widths: _lines_in(rows, widths))


def least_width_in(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> float:
    """The width below which words would be cut in two."""
    cells = [[row[i] for row in rows if len(row) > 1] for i in range(len(columns))]
    return sum(
        _longest_word(column.head, texts) if column.wraps else natural
        for column, texts, natural in zip(columns, cells, _natural(columns, rows), strict=True)
    )


def _natural(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[float]:
    """The width of each column at which nothing wraps."""
    return [
        max(
            text_width_in(c.head, TABLE_CAP_IN, bold=True),
            max((text_width_in(row[i], TABLE_CAP_IN) for row in rows if len(row) > 1), default=0.0),
        )
        + 2 * PAD_IN
        for i, c in enumerate(columns)
    ]


def _yielding(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    natural: list[float],
    width_in: float,
    power: float,
) -> list[float]:
    """Wrapping columns share what the others leave, by a power of the width that they want."""
    soft = [i for i, c in enumerate(columns) if c.wraps]
    room = width_in - sum(w for i, w in enumerate(natural) if i not in soft)
    widths = list(natural)
    wants = {i: natural[i] ** power for i in soft}
    for i in sorted(soft, key=lambda i: natural[i]):
        share = room * wants[i] / sum(wants.values())
        least = _longest_word(columns[i].head, [r[i] for r in rows if len(r) > 1])
        widths[i] = max(least, min(natural[i], share))
        room -= widths[i]
        del wants[i]
    if room > 0.0:
        widths[max(soft, key=lambda i: natural[i])] += room
    over = sum(widths) - width_in
    return _squeezed(widths, width_in) if over > 1e-9 else widths


def _lines_in(rows: Sequence[Sequence[str]], widths: list[float]) -> int:
    """How many lines of text the rows take at these widths."""
    return sum(
        max(
            len(wrap(cell, width - 2 * PAD_IN + 1e-6, TABLE_CAP_IN))
            for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
        if len(row) > 1
    )


def _squeezed(widths: list[float], width_in: float) -> list[float]:
    total = sum(widths)
    return [w * width_in / total for w in widths]


def _longest_word(head: str, cells: Sequence[str]) -> float:
    words = [w for cell in (head, *cells) for part in cell.split() for w in parted(part)]
    width = max((text_width_in(w, TABLE_CAP_IN, bold=True) for w in words), default=0.0)
    return min(width, 1.2) + 2 * PAD_IN


def _rows(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    widths: list[float],
    *,
    bold_last: bool,
) -> tuple[list[list[Mark]], list[float]]:
    body, heights = [], []
    for number, cells in enumerate(rows):
        if len(cells) == 1:
            marks, height = _row(cells, [Column("")], [sum(widths)], bold=True)
            body.append(marks)
            heights.append(height)
            continue
        bold = bold_last and number == len(rows) - 1
        marks, height = _row(cells, columns, widths, bold=bold)
        body.append(marks)
        heights.append(height)
    return body, heights


def _row(
    cells: Sequence[str], columns: Sequence[Column], widths: list[float], *, bold: bool
) -> tuple[list[Mark], float]:
    """One row from y = 0 down; and its height."""
    pitch, x, most = pitch_in(TABLE_CAP_IN), 0.0, 1
    marks: list[Mark] = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        lines = wrap(cell, width - 2 * PAD_IN + 1e-6, TABLE_CAP_IN, bold=bold)
        most = max(most, len(lines))
        place = {"left": x + PAD_IN, "right": x + width - PAD_IN, "center": x + width / 2.0}
        for row, line in enumerate(lines):
            if line:
                marks.append(
                    Text(
                        "",
                        place[column.align],
                        -(ABOVE_IN + TABLE_CAP_IN + row * pitch),
                        line,
                        TABLE_CAP_IN,
                        bold=bold,
                        ha=column.align,
                    )
                )
        x += width
    return marks, ABOVE_IN + TABLE_CAP_IN + (most - 1) * pitch + BELOW_IN
