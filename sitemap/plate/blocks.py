"""Blocks of the margin: marks about an upper left corner, with a width and a height in inches.

A block is built before it has a place, so that what fits is decided by measure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sitemap.plate.fonts import descent_in, em_in, text_width_in
from sitemap.plate.marks import Areas, Image, Lines, Mark, Text

HEAD_CAP_IN = 0.12
BODY_CAP_IN = 0.10
TABLE_CAP_IN = 0.08
LEADING = 1.35  # of the font's em
PAD_IN = 0.06
CLAUSE_INK = "#6b6b6b"
RULE_PT, HAIR_PT = 0.7, 0.25
HAIR_INK = "#a0a0a0"


@dataclass(frozen=True, eq=False)
class Block:
    """Marks whose upper left corner is at 0, 0; y runs down into the negative."""

    name: str
    width_in: float
    height_in: float
    marks: tuple[Mark, ...]

    def at(self, left_in: float, top_in: float) -> list[Mark]:
        """The marks moved to a place on the sheet."""
        return [moved(mark, left_in, top_in) for mark in self.marks]


def joined(name: str, blocks: Sequence[Block], gap_in: float, *, across: bool) -> Block:
    """Several blocks as one: side by side, or under each other."""
    marks: list[Mark] = []
    x = y = 0.0
    for block in blocks:
        marks += block.at(x, -y)
        if across:
            x += block.width_in + gap_in
        else:
            y += block.height_in + gap_in
    if across:
        return Block(name, x - gap_in, max(b.height_in for b in blocks), tuple(marks))
    return Block(name, max(b.width_in for b in blocks), y - gap_in, tuple(marks))


def moved(mark: Mark, dx: float, dy: float) -> Mark:
    """The mark at another place."""
    shift = np.array([dx, dy])
    if isinstance(mark, Lines):
        return replace(mark, paths=tuple(p + shift for p in mark.paths))
    if isinstance(mark, Areas):
        rings = tuple(tuple(ring + shift for ring in p) for p in mark.polygons)
        return replace(mark, polygons=rings)
    if isinstance(mark, Image):
        left, bottom, right, top = mark.box_in
        return replace(mark, box_in=(left + dx, bottom + dy, right + dx, top + dy))
    return _text_at(mark, mark.x_in + dx, mark.y_in + dy)


def _text_at(text: Text, x_in: float, y_in: float) -> Text:
    """The text at a place; replace() asks for the name of each of its fields, which takes longer
    than all else on a sheet of tables.
    """
    return Text(
        text.layer, x_in, y_in, text.text, text.cap_in, text.bold, text.italic, text.ink,
        text.rotation_deg, text.ha, text.va, text.halo_pt,
    )  # fmt: skip


def pitch_in(cap_in: float) -> float:
    """From baseline to baseline."""
    return em_in(cap_in) * LEADING


_JOINTS = "/_"  # after which a long word is cut rather than within its parts


def wrap(
    text: str, width_in: float, cap_in: float, *, bold: bool = False, italic: bool = False
) -> list[str]:
    """The text in lines that are not wider than the width; long words are cut, best at a joint."""
    return list(_wrapped(str(text), width_in, cap_in, bold, italic))


@lru_cache(maxsize=8192)  # tables are built again and again to see how many rows fit
def _wrapped(
    text: str, width_in: float, cap_in: float, bold: bool, italic: bool
) -> tuple[str, ...]:
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if text_width_in(longer, cap_in, bold, italic) <= width_in:
                line = longer
                continue
            if line:
                lines.append(line)
            line = word
            while text_width_in(line, cap_in, bold, italic) > width_in and len(line) > 1:
                kept = _longest(line, width_in, cap_in, bold, italic)
                lines.append(line[:kept])
                line = line[kept:]
        lines.append(line)
    return tuple(lines)


def _longest(text: str, width_in: float, cap_in: float, bold: bool, italic: bool) -> int:
    kept = len(text) - 1
    while kept > 1 and text_width_in(text[:kept], cap_in, bold, italic) > width_in:
        kept -= 1
    joints = (i for i in range(kept, kept // 3, -1) if text[i - 1] in _JOINTS or text[i] == ".")
    return next(joints, kept)  # county/roads.shp: after the folder, before the ending


def parted(word: str) -> list[str]:
    """The parts of a word between its joints: "county/", "road_", "centerline", ".shp"."""
    return [part for part in re.split(rf"(?<=[{_JOINTS}])|(?=\.)", word) if part]


def shortened(text: str, width_in: float, cap_in: float, *, bold: bool = False) -> str:
    """The text, cut with an ellipsis when it is wider than the width."""
    if text_width_in(text, cap_in, bold) <= width_in:
        return text
    kept = len(text)
    while kept > 1 and text_width_in(text[:kept].rstrip() + "…", cap_in, bold) > width_in:
        kept -= 1
    return text[:kept].rstrip() + "…"


def rule(x0: float, x1: float, y: float, weight_pt: float = RULE_PT, ink: str = "#000000") -> Lines:
    """A level line."""
    return Lines("", (np.array([[x0, y], [x1, y]]),), weight_pt, ink)


def frame_lines(
    left: float, bottom: float, right: float, top: float, weight_pt: float = RULE_PT
) -> Lines:
    """A box."""
    ring = np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])
    return Lines("", (ring,), weight_pt, join="miter")


def heading(title: str, clause: str, width_in: float) -> tuple[list[Mark], float]:
    """Block head with its clause, small and grey; and the height that it takes."""
    marks: list[Mark] = [Text("", 0.0, -HEAD_CAP_IN, title, HEAD_CAP_IN, bold=True)]
    used = text_width_in(title, HEAD_CAP_IN, bold=True)
    drop = HEAD_CAP_IN
    if clause:
        room = width_in - used - 0.15
        if text_width_in(clause, TABLE_CAP_IN) > room:
            drop += pitch_in(TABLE_CAP_IN)
            clause = shortened(clause, width_in, TABLE_CAP_IN)
        marks.append(Text("", width_in, -drop, clause, TABLE_CAP_IN, ink=CLAUSE_INK, ha="right"))
    bottom = drop + 0.055
    marks.append(rule(0.0, width_in, -bottom))
    return marks, bottom


def text_block(
    name: str,
    title: str,
    clause: str,
    paragraphs: Sequence[str],
    width_in: float,
    *,
    cap_in: float = TABLE_CAP_IN,
    numbered: bool = False,
    first: int = 1,
) -> Block:
    """A head and paragraphs, numbered from `first` if wished, wrapped to the width."""
    marks, y = heading(title, clause, width_in)
    indent = text_width_in("00. ", cap_in) if numbered else 0.0
    pitch = pitch_in(cap_in)
    y += 0.04
    for number, paragraph in enumerate(paragraphs, start=first):
        for row, line in enumerate(wrap(paragraph, width_in - indent, cap_in)):
            y += pitch
            if numbered and row == 0:
                marks.append(Text("", 0.0, -y, f"{number}.", cap_in))
            marks.append(Text("", indent, -y, line, cap_in))
        y += 0.02
    return Block(name, width_in, y + descent_in(cap_in), tuple(marks))


def fitting_text(
    name: str,
    title: str,
    clause: str,
    paragraphs: Sequence[str],
    width_in: float,
    most_height_in: float,
) -> Block:
    """Paragraphs in the size of body text; in that of tables where they would be too high."""
    large = text_block(name, title, clause, paragraphs, width_in, cap_in=BODY_CAP_IN)
    if large.height_in <= most_height_in + 1e-9:
        return large
    return text_block(name, title, clause, paragraphs, width_in)
