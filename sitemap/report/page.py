"""A page of text in styled lines and tables: plain for files and logs, rich on a terminal.

Users' own words never reach a terminal as control characters or markup.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLAIN_WIDTH = 100
Words = tuple[str, str]  # text, style
Cell = tuple[Words, ...]  # one per line of the cell

_BLANKS = re.compile(r"[\t\n\r\v\f]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PLAINER = str.maketrans({"§": "Sec.", "±": "+/-", "·": "-", "–": "-", "’": "'", "°": " deg"})


def clean(text: object) -> str:
    """A user's words in one line, without what could steer a terminal."""
    return _CONTROL.sub("?", _BLANKS.sub(" ", str(text)))


@dataclass(frozen=True)
class Grid:
    """A table: heads, the width of every column but the last, and rows of cells."""

    heads: tuple[str, ...]
    widths: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass
class Page:
    """Lines and tables in order; width in characters."""

    width: int = PLAIN_WIDTH
    parts: list[tuple[Words, ...] | Grid] = field(default_factory=list)

    def line(self, *words: Words | str) -> None:
        """One line as it stands; a bare string has no style."""
        self.parts.append(tuple((w, "") if isinstance(w, str) else w for w in words))

    def heading(self, text: str) -> None:
        """A blank line, the heading, a rule under it."""
        if self.parts and self.parts[-1] != ():
            self.line()
        self.line((text, "bold"))
        self.line(("-" * self.width, "dim"))

    def paragraph(self, lead: Words | str, text: str, *, indent: int = 0, hang: int = 0) -> None:
        """Text that wraps: `lead` stands before it, further lines are indented by `hang` more."""
        lead_text, style = (lead, "") if isinstance(lead, str) else lead
        first = " " * indent + lead_text
        further = " " * (indent + hang)
        lines = wrap(clean(text), max(self.width, 40), first, further) or [first.rstrip()]
        self.line((" " * indent, ""), (lead_text, style), lines[0][len(first) :])
        for line in lines[1:]:
            self.line(line)

    def grid(self, heads: tuple[str, ...], widths: tuple[int, ...], rows: Iterable[object]) -> None:
        """A table; the last column takes what is left of the width."""
        self.parts.append(Grid(heads, widths, tuple(rows)))  # type: ignore[arg-type]

    def to_plain(self) -> str:
        """The page as text that a log or an e-mail can hold."""
        lines: list[str] = []
        for part in self.parts:
            if isinstance(part, Grid):
                lines += _plain_grid(part, self.width)
            else:
                lines.append("".join(text for text, _ in part).rstrip())
        return "\n".join(lines).strip("\n") + "\n"

    def show(self, console: Console) -> None:
        """Print the page on a terminal, tables as rich tables."""
        from rich.text import Text  # rich only where there is a terminal: no other form needs it

        for part in self.parts:
            if isinstance(part, Grid):
                console.print(_rich_grid(part))
            else:
                console.print(Text.assemble(*part), soft_wrap=True)


def wrap(text: str, width: int, first: str = "", further: str = "") -> list[str]:
    """Lines of at most `width`; § stays with its number, long words stay whole."""
    lines = textwrap.wrap(
        text.replace("§ ", "§\u00a0"),
        width,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("§\u00a0", "§ ") for line in lines]


def printable(text: str, out: IO[str]) -> str:
    """The text as this stream's encoding can hold it: § as Sec., the rest as question marks."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAINER).encode(encoding, "replace").decode(encoding)
    return text


def _plain_grid(grid: Grid, width: int) -> list[str]:
    last = max(width - sum(grid.widths) - 2 * len(grid.widths), 20)
    widths = (*grid.widths, last)
    rule = ("-" * width)[: sum(widths) + 2 * len(grid.widths)]
    lines = [_joined(grid.heads, widths), rule]
    for row in grid.rows:
        columns = [_wrapped(cell, w) for cell, w in zip(row, widths, strict=True)]
        for i in range(max(len(column) for column in columns)):
            lines.append(_joined([c[i] if i < len(c) else "" for c in columns], widths))
    return lines


def _joined(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "  ".join(f"{c:<{w}}" for c, w in zip(cells, widths, strict=True)).rstrip()


def _wrapped(cell: Cell, width: int) -> list[str]:
    return [
        line
        for text, _ in cell
        for part in wrap(text, width, further="  ")
        for line in textwrap.wrap(part, width, drop_whitespace=False) or [part]
    ]


def _rich_grid(grid: Grid) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=True)
    for i, head in enumerate(grid.heads):
        if i == 0:
            table.add_column(head, no_wrap=True, style="bold")
        else:
            fixed = grid.widths[i] if i < len(grid.widths) else None
            table.add_column(head, min_width=min(fixed, 12) if fixed else None, max_width=fixed)
    for row in grid.rows:
        cells = [Text("\n").join(Text(text, style=style) for text, style in cell) for cell in row]
        table.add_row(*cells)
    return table
