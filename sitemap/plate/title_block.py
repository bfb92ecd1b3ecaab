"""The title block: who, where, what, at which scale, in which datum, which sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import (
    BODY_CAP_IN,
    CLAUSE_INK,
    TABLE_CAP_IN,
    frame_lines,
    pitch_in,
    rule,
    shortened,
    wrap,
)
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Lines, Mark, Text
from sitemap.plate.signing_box import CAPTION_INK, PAD, Box, signing_rows, upright
from sitemap.plate.title_facts import NOT_STATED, TitleFacts, fact_rows
from sitemap.site import Site

TITLE_CAP_IN, NUMBER_CAP_IN = 0.20, 0.40
LONG_NAME_CAP_IN = 0.14  # of a project name that takes several lines


def title_marks(site: Site, ordinance: Ordinance, facts: TitleFacts, box: Box) -> list[Mark]:
    """The title block in its box on the sheet; rows from the bottom up, the seal gets the rest."""
    left, bottom, right, top = box
    height, width = top - bottom, right - left
    large, small = height >= 6.0, height < 3.0
    marks: list[Mark] = [frame_lines(left, bottom, right, top, 1.0)]
    y = bottom
    number_height = 1.05 if height >= 5.0 else 0.62 if small else 0.8
    marks += _number_row(site, ordinance, facts, (left, y, right, y + number_height), small)
    y += number_height
    rows = fact_rows(site, facts)
    y = _facts(marks, rows, (left, y, right, top), two=width >= 4.5)
    name = _project_name(site, width - 2 * PAD, 1 if small else 3)
    project_height = (0.5 if small else 0.62) + (len(name[1]) - 1) * pitch_in(name[0])
    marks.append(rule(left, right, y, 0.7))
    marks += _project(site, name, (left, y, right, y + project_height))
    y += project_height
    if small:
        return marks
    marks.append(rule(left, right, y, 0.7))
    parties = min(max(_parties_height(site, width), 0.95 if large else 0.75), top - y)
    marks += _parties(site, (left, y, right, y + parties))
    y += parties
    if top - y < 0.5:
        return marks
    marks.append(rule(left, right, y, 0.7))
    marks += signing_rows(site, facts, (left, y, right, top))
    return marks


# ------------------------------------------------------------------------------ from the foot


def _number_row(
    site: Site, ordinance: Ordinance, facts: TitleFacts, box: Box, small: bool
) -> list[Mark]:
    """Sheet title with its clause on the left, sheet number on the right."""
    left, bottom, right, top = box
    wishes = site.project.plate
    sheet_number = facts.number or wishes.sheet_number
    cap = min(NUMBER_CAP_IN, top - bottom - 0.5)  # under it "Sheet 1 of 1", over it its caption
    number_width = max(
        1.1 if not small else 0.8, text_width_in(sheet_number, cap, bold=True) + 3 * PAD
    )
    split = right - min(number_width, (right - left) * 0.45)
    while text_width_in(sheet_number, cap, bold=True) > right - split - 2 * PAD:
        cap -= 0.01
    middle = (split + right) / 2.0
    marks: list[Mark] = [
        rule(left, right, top, 0.7),
        Lines("", (upright(split, bottom, top),), 0.7),
        Text("", middle, bottom + 0.30, sheet_number, cap, bold=True, ha="center"),
        Text("", middle, bottom + 0.09, f"Sheet {facts.sheet} of {facts.sheets}", TABLE_CAP_IN,
             ha="center"),
        Text("", split + PAD, top - 0.05 - TABLE_CAP_IN, "Sheet", TABLE_CAP_IN, ink=CAPTION_INK),
    ]  # fmt: skip
    room = split - left - 2 * PAD
    title_cap, lines = _fitting((facts.title or wishes.sheet_title).upper(), room, TITLE_CAP_IN, 2)
    pitch = title_cap * 1.6
    clause = _clause_words(ordinance, room)
    block = title_cap + pitch * (len(lines) - 1) + 0.06 + TABLE_CAP_IN
    y = (top + bottom) / 2.0 + block / 2.0 - title_cap
    for line in lines:
        marks.append(Text("", left + PAD, y, line, title_cap, bold=True))
        y -= pitch
    y += pitch - 0.08 - TABLE_CAP_IN
    marks.append(Text("", left + PAD, y, clause, TABLE_CAP_IN, ink=CLAUSE_INK))
    return marks


def _clause_words(ordinance: Ordinance, room: float) -> str:
    """Law and clause; the clause alone where there is no room for both."""
    clause = ordinance.by_id.get("map") or ordinance.by_id.get("scale")
    words = f"{ordinance.jurisdiction}, {clause.citation}" if clause else ordinance.title
    if clause and text_width_in(words, TABLE_CAP_IN) > room:
        words = clause.citation
    return shortened(words, room, TABLE_CAP_IN)


def _facts(marks: list[Mark], rows: Sequence[tuple[str, str]], box: Box, *, two: bool) -> float:
    """Facts in label and value, long ones over the whole width; the new bottom line."""
    left, y, right, _ = box
    label = max(text_width_in(name, TABLE_CAP_IN) for name, _ in rows) + 0.1
    pitch = pitch_in(TABLE_CAP_IN)
    width = right - left - 2 * PAD
    half = width / 2.0
    waiting: tuple[str, str] | None = None
    lines_of: list[list[tuple[float, str, list[str], float]]] = []
    for name, value in rows:
        short = two and text_width_in(value, TABLE_CAP_IN) <= half - label
        if short and waiting is not None:
            lines_of[-1].append((left + PAD + half, name, [value], label))
            waiting = None
            continue
        wrapped = wrap(value, (half if short else width) - label, TABLE_CAP_IN)
        lines_of.append([(left + PAD, name, wrapped, label)])
        waiting = (name, value) if short else None
    y += 0.06
    for group in reversed(lines_of):
        most = max(len(wrapped) for _, _, wrapped, _ in group)
        top_line = y + (most - 1) * pitch
        for x, name, wrapped, indent in group:
            marks.append(Text("", x, top_line, name, TABLE_CAP_IN, ink=CAPTION_INK))
            for row, line in enumerate(wrapped):
                marks.append(Text("", x + indent, top_line - row * pitch, line, TABLE_CAP_IN))
        y = top_line + pitch
    return y + 0.02


def _project_name(site: Site, room: float, most_lines: int) -> tuple[float, list[str]]:
    """Cap height and lines of the project's name: one line where letters of body size fit on it."""
    name = site.project.project.name or site.name
    one = len(wrap(name, room, BODY_CAP_IN, bold=True)) == 1
    if one or most_lines == 1:
        return _fitting(name, room, TITLE_CAP_IN, 1)
    return _fitting(name, room, LONG_NAME_CAP_IN, most_lines)


def _project(site: Site, name: tuple[float, list[str]], box: Box) -> list[Mark]:
    """The project's name as wrapped, and where it lies under it."""
    left, bottom, right, top = box
    facts = site.project.project
    room = right - left - 2 * PAD
    cap, lines = name
    where = ", ".join(part for part in (facts.address, facts.municipality) if part) or NOT_STATED
    words = BODY_CAP_IN if top - bottom > 0.55 else TABLE_CAP_IN
    if text_width_in(where, words) > room:
        words = TABLE_CAP_IN
    middle = (top + bottom) / 2.0
    pitch = pitch_in(cap)
    block = cap + pitch * (len(lines) - 1) + 0.09 + words
    first = middle + block / 2.0 - cap
    return [
        *(
            Text("", left + PAD, first - row * pitch, line, cap, bold=True)
            for row, line in enumerate(lines)
        ),
        Text("", left + PAD, middle - block / 2.0, shortened(where, room, words), words),
    ]


def _parties(site: Site, box: Box) -> list[Mark]:
    """Owner on the left, consultant on the right."""
    left, bottom, right, top = box
    middle = (left + right) / 2.0
    marks: list[Mark] = [Lines("", (upright(middle, bottom, top),), 0.35)]
    for x0, x1, (caption, parts) in zip((left, middle), (middle, right), _who(site), strict=True):
        marks += _party((x0, bottom, x1, top), caption, parts)
    return marks


def _who(site: Site) -> tuple[tuple[str, list[str]], ...]:
    """Caption and what is said of the owner, then of the consultant."""
    facts = site.project.project
    contact = f"Contact: {facts.contact}" if facts.contact else None
    told = (
        ("Owner or developer", (facts.owner, facts.owner_address)),
        ("Consultant", (facts.consultant, facts.consultant_address, contact)),
    )
    return tuple((caption, [p for p in parts if p] or [NOT_STATED]) for caption, parts in told)


def _party_lines(parts: Sequence[str], room: float) -> list[tuple[str, bool]]:
    """The lines of a party; the name is bold."""
    return [
        (line, number == 0)
        for number, part in enumerate(parts)
        for line in wrap(part, room, TABLE_CAP_IN, bold=number == 0)
    ]


def _parties_height(site: Site, width: float) -> float:
    """What the parties need to be told in full."""
    most = max(len(_party_lines(parts, width / 2.0 - 2 * PAD)) for _, parts in _who(site))
    return 0.05 + TABLE_CAP_IN + most * pitch_in(TABLE_CAP_IN) + 0.06


def _party(box: Box, caption: str, parts: Sequence[str]) -> list[Mark]:
    left, bottom, right, top = box
    y = top - 0.05 - TABLE_CAP_IN
    marks: list[Mark] = [Text("", left + PAD, y, caption, TABLE_CAP_IN, ink=CAPTION_INK)]
    pitch = pitch_in(TABLE_CAP_IN)
    room = right - left - 2 * PAD
    lines = _party_lines(parts, room)
    most = max(0, int((y - bottom - 0.03) / pitch + 1e-9))
    if 0 < most < len(lines) and lines[most - 1][1] == lines[most][1]:  # a cut name shows it
        (last, bold), (more, _) = lines[most - 1 : most + 1]
        lines[most - 1] = (shortened(f"{last} {more}", room, TABLE_CAP_IN, bold=bold), bold)
    for line, bold in lines[:most]:
        y -= pitch
        marks.append(Text("", left + PAD, y, line, TABLE_CAP_IN, bold=bold))
    return marks


def _fitting(text: str, width: float, cap: float, most_lines: int) -> tuple[float, list[str]]:
    """The largest cap height, down to body size, at which the words fit in so many lines."""
    while cap > BODY_CAP_IN:
        lines = wrap(text, width, cap, bold=True)
        if len(lines) <= most_lines:
            return cap, lines
        cap -= 0.01
    lines = wrap(text, width, BODY_CAP_IN, bold=True)
    most_lines = most_lines if most_lines == 1 else most_lines + 1  # small letters leave room
    if len(lines) > most_lines:
        rest = " ".join(lines[most_lines - 1 :])
        lines = [*lines[: most_lines - 1], shortened(rest, width, BODY_CAP_IN, bold=True)]
    return BODY_CAP_IN, lines
