"""The table of sheets on the index: each with its title and what it shows, as far as there is room.

A set of many sheets on small paper has one line for sheets that follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from sitemap.plate.blocks import Block
from sitemap.plate.marks import Link, Text
from sitemap.plate.tables import Column, table_block

MOST_IDS, MOST_KINDS = 3, 9  # that a line names
COLUMNS = (Column("Sheet"), Column("Title", wraps=True), Column("Shows", wraps=True))


@dataclass(frozen=True)
class SheetRow:
    """A line of the table of sheets."""

    number: str
    title: str
    shows: str


def sheet_table(rows: Sequence[SheetRow], width_in: float, height_in: float) -> Block:
    """The roomiest form that fits: full titles, what tells them apart, a line for many sheets."""
    forms = (list(rows), _short_titles(rows), _joined(rows))
    made = [
        table_block(
            "sheets", "Sheets of this set", "", COLUMNS,
            [(row.number, row.title, row.shows) for row in form], width_in,
        )
        for form in forms
    ]  # fmt: skip
    return next((block for block in made if block.height_in <= height_in), made[-1])


def controls_said(ids: Sequence[str]) -> str:
    """The controls on a sheet: each by its id, or how many there are of which letters."""
    if len(ids) <= MOST_IDS:
        return ", ".join(ids) or "no control"
    kinds = list(dict.fromkeys(re.split(r"[\W\d_]", one, maxsplit=1)[0] for one in ids))
    words = f"{len(ids)} controls"
    if len(kinds) > MOST_KINDS or not all(kinds):
        return words
    return f"{words}: {', '.join(kinds)}"


def _short_titles(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """Without what the titles of the map sheets have in common."""
    common = _common(rows)
    found = []
    for row in rows:
        rest = row.title.removeprefix(common).lstrip(", ") if common else row.title
        found.append(SheetRow(row.number, rest[:1].upper() + rest[1:], row.shows))
    return found


def _common(rows: Sequence[SheetRow]) -> str:
    """What the titles of parts begin with, up to a comma; "" where there are no parts."""
    parts = [row.title for row in rows if ", part " in row.title]
    if len(parts) < 2:
        return ""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(parts), max(parts), strict=False))
    return "".join(letter for letter, _ in alike).rpartition(",")[0]


def _joined(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """One row for the map sheets that follow each other."""
    found: list[SheetRow] = []
    for title, run in groupby(rows, key=lambda row: row.title.partition(", part ")[0]):
        members = list(run)
        if len(members) == 1:
            found += members
            continue
        number = f"{members[0].number} to {members[-1].number}"
        found.append(SheetRow(number, f"{title}, {len(members)} parts", "one part each"))
    return found


def row_links(
    rows: Sequence[SheetRow], left: float, top: float, right: float, table: Block
) -> list[Link]:
    """Over each line of the table that names a sheet."""
    at = {
        mark.text: mark.y_in for mark in table.marks if isinstance(mark, Text) and mark.ha == "left"
    }
    return [
        Link((left, top + at[row.number] - 0.04, right, top + at[row.number] + 0.12), row.number)
        for row in rows
        if row.number in at
    ]
