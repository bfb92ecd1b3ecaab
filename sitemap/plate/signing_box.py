"""Where a plate is signed: the seal of the engineer, the agency's stamp, the rows of revisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sitemap.plate.blocks import TABLE_CAP_IN, frame_lines, rule, shortened, wrap
from sitemap.plate.marks import Lines, Mark, Path, Text
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site

Box = tuple[float, float, float, float]
PAD = 0.07
CAPTION_INK = "#6b6b6b"
SEAL_IN, LEAST_SEAL_IN = 3.0, 1.75  # a seal of Wisconsin is 1 5/8 to 2 in across
LEAST_BESIDE_IN = 1.6  # for revisions and stamp
NARROW_IN = 2.4  # below it the words of a revision stand under its date
SIGNING_IN = 2.2  # height of a box of its own for seal, stamp and revisions
SEAL_CAPTION = "Seal of the engineer"


def has_seal(title: Sequence[Mark]) -> bool:
    """True when a title block has room for a seal."""
    return any(isinstance(mark, Text) and mark.text == SEAL_CAPTION for mark in title)


def signing_marks(site: Site, facts: TitleFacts, box: Box) -> list[Mark]:
    """A box for seal, stamp and revisions over a title block that is too low for them."""
    return [frame_lines(*box, 1.0), *signing_rows(site, facts, box)]


def signing_rows(site: Site, facts: TitleFacts, box: Box) -> list[Mark]:
    """Revisions and, where there is room, space for a seal and for the agency's stamp."""
    left, bottom, right, top = box
    height = top - bottom
    if height >= LEAST_SEAL_IN and right - left >= LEAST_SEAL_IN + LEAST_BESIDE_IN:
        split = left + min(SEAL_IN + 0.1, height, (right - left) / 2.0)
        stamp = bottom + height * 0.5
        marks: list[Mark] = [
            Lines("", (upright(split, bottom, top),), 0.35),
            rule(split, right, stamp, 0.35),
            _caption(left, top, SEAL_CAPTION),
            _caption(split, stamp, "Stamp of the reviewing agency"),
        ]
        return marks + _revisions(site, facts, (split, stamp, right, top))
    if right - left >= 4.5:
        split = (left + right) / 2.0
        return [
            Lines("", (upright(split, bottom, top),), 0.35),
            _caption(left, top, "Stamp of the reviewing agency"),
            *_revisions(site, facts, (split, bottom, right, top)),
        ]
    return _revisions(site, facts, box)


def _caption(left: float, top: float, words: str) -> Text:
    return Text("", left + PAD, top - 0.05 - TABLE_CAP_IN, words, TABLE_CAP_IN, ink=CAPTION_INK)


def _revisions(site: Site, facts: TitleFacts, box: Box) -> list[Mark]:
    """The newest rows that fit; the first issue when there is no revision yet."""
    left, bottom, right, top = box
    wishes = site.project.plate
    rows = [(r.mark, r.date.isoformat(), r.words) for r in wishes.revisions]
    if not rows:
        rows = [("0", (wishes.date or facts.now).isoformat(), "First issue")]
    marks: list[Mark] = [
        _caption(left, top, "Rev."),
        _caption(left + 0.4, top, "Date"),
    ]
    narrow = right - left < NARROW_IN
    words_left = 0.4 if narrow else 1.2
    if not narrow:
        marks.append(_caption(left + words_left, top, "Revision"))
    pitch = 0.175
    y = top - 0.05 - TABLE_CAP_IN - 0.06
    fits = int((y - bottom - 0.02) / pitch)
    room = right - left - words_left - 2 * PAD
    told = [(mark, date, wrap(words, room, TABLE_CAP_IN)) for mark, date, words in rows]
    if narrow:
        told = [(mark, date, ["", *lines]) for mark, date, lines in told]
    while told and sum(len(lines) for _, _, lines in told) > fits:
        told = told[1:]
    if not told and fits > 0:  # the newest, as far as there is room
        mark, date, words = rows[-1]
        told = [(mark, date, [shortened(words, room, TABLE_CAP_IN)])]
    for mark, date, lines in told:
        marks.append(rule(left, right, y, 0.25, "#a0a0a0"))
        for x, text in ((PAD, mark), (0.4 + PAD, date)):
            marks.append(Text("", left + x, y - pitch + 0.05, text, TABLE_CAP_IN))
        for line in lines:
            y -= pitch
            if line:
                marks.append(Text("", left + words_left + PAD, y + 0.05, line, TABLE_CAP_IN))
    return marks


def upright(x: float, bottom: float, top: float) -> Path:
    """A line up the sheet."""
    return np.array([[x, bottom], [x, top]])
