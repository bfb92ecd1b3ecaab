"""The reasons of a letter: the facts of each fault under the words of its clauses, with maps.

Facts are findings that count, or what a person entered; nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import shapely

from sitemap.decisions import Decision, Decisions, Redline
from sitemap.review.letter_map import Around, draw_map
from sitemap.review.saved_check import (
    SavedCheck,
    SavedFinding,
    SavedOutlines,
    SavedPlace,
    SavedSource,
)

MOST_MAPS = 60  # one beside each fact; the report in HTML has all


@dataclass(frozen=True)
class Words:
    """A clause: citation and text."""

    citation: str
    text: str


@dataclass(frozen=True, eq=False)
class Fact:
    """One fault as found, or one entry of a person. map_png is a picture, or None."""

    found: str
    measured: str = ""
    where: str = ""
    source: str = ""
    cure: str = ""
    comment: str = ""
    reference: str = ""  # finding number and fingerprint
    map_png: bytes | None = None


@dataclass(frozen=True, eq=False)
class Reason:
    """The facts of one fault under its clauses."""

    number: int
    heading: str
    clauses: tuple[Words, ...]
    facts: tuple[Fact, ...]


def one_line(text: object) -> str:
    """Anybody's words as one line that XML, PDF and a terminal can hold."""
    return "".join(c if c.isprintable() else " " for c in str(text)).strip()


class Maps:
    """Small maps with the reviewer's redlines, up to a number."""

    def __init__(self, said: Decisions, outlines: SavedOutlines) -> None:
        self._left = MOST_MAPS
        self._around = Around(outlines)
        self._common = said.redlines.features if said.redlines is not None else ()

    def of(self, finding: SavedFinding, decision: Decision | None) -> bytes | None:
        """The picture of one finding; None without a place, or when there are many already."""
        ground = finding.ground
        if ground is None or ground.is_empty or self._left == 0:
            return None
        self._left -= 1
        own: tuple[Redline, ...] = ()
        if decision is not None and decision.redlines is not None:
            own = decision.redlines.features
        cell = finding.place.cell if finding.place is not None else None
        return draw_map(ground, (*own, *self._common), one_line(cell or ""), self._around)

    def of_entry(self, decision: Decision) -> bytes | None:
        """The picture of what a person drew to an entry; None where nothing was drawn."""
        own = decision.redlines.features if decision.redlines is not None else ()
        if not own or self._left == 0:
            return None
        self._left -= 1
        drawn = shapely.union_all([line.ground for line in own])
        return draw_map(drawn, (*own, *self._common), "", self._around)


def reasons_of(
    check: SavedCheck, errors: list[SavedFinding], said: Decisions, drawn: Maps
) -> Iterator[Reason]:
    """The errors that count, those of one rule under the same clauses together."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[SavedFinding]] = {}
    for finding in errors:
        groups.setdefault((finding.rule, _clauses_of(check, finding)), []).append(finding)
    for (rule, clauses), members in groups.items():
        facts = tuple(_fact(f, said, drawn) for f in members)
        name = members[0].rule_name.replace("_", " ").capitalize()
        yield Reason(0, f"{name} ({rule})", _words(check, clauses), facts)


def _clauses_of(check: SavedCheck, finding: SavedFinding) -> tuple[tuple[str, str], ...]:
    """(pack, clause) of each clause that the finding breaks and no waiver lets stand."""
    pairs = [(b.ordinance, c) for b in finding.breaches if b.waiver is None for c in b.clauses]
    own = [(check.ordinances[0].id, c) for c in finding.clauses] if check.ordinances else []
    return tuple(dict.fromkeys(pairs or own))


def _words(check: SavedCheck, pairs: tuple[tuple[str, str], ...]) -> tuple[Words, ...]:
    found: dict[str, Words] = {}
    for pair in pairs:
        clause = check.clause(*pair)
        if clause is not None:
            text = " ".join(clause.text.split())
            note = "" if clause.text_seen else " [wording not compared with the law itself]"
            found.setdefault(clause.citation + text, Words(clause.citation, f"{text}{note}"))
    return tuple(found.values())


def _fact(finding: SavedFinding, said: Decisions, drawn: Maps) -> Fact:
    decision = entry_about(said, finding)
    measured = ""
    if finding.measured is not None:
        allowed = f"; allowed: {finding.limit}" if finding.limit is not None else ""
        measured = f"{finding.measured}{allowed}"
    return Fact(
        found=one_line(finding.message),
        measured=one_line(measured),
        where=_where(finding.place),
        source=_source(finding.source),
        cure=one_line(finding.how_to_fix),
        comment=comment_words(decision),
        reference=f"finding {finding.number}, {finding.fingerprint}",
        map_png=drawn.of(finding, decision),
    )


def entry_about(said: Decisions, finding: SavedFinding) -> Decision | None:
    """The entry about a finding, under whichever law."""
    return next((d for d in said.decisions if d.finding == finding.fingerprint), None)


def comment_words(decision: Decision | None) -> str:
    """The reviewer's comment with who wrote it and when; empty without one."""
    if decision is None or not decision.comment:
        return ""
    return f"{one_line(decision.comment)} ({one_line(decision.reviewer)}, {decision.date})"


def _where(place: SavedPlace | None) -> str:
    if place is None:
        return "the plan as a whole"
    parts = [f"sheet {place.sheet}" if place.sheet else "", f"cell {place.cell}"]
    parts = [part for part in parts if part and part != "cell None"]
    return one_line(", ".join([*parts, f"E {place.x_ft:,.1f} N {place.y_ft:,.1f} ft"]))


def _source(source: SavedSource) -> str:
    parts = [source.file or "", f"layer {source.layer}" if source.layer else ""]
    parts.append(f"id {source.user_id}" if source.user_id else "")
    parts.append("" if source.feature is None else f"record {source.feature}")
    return one_line(", ".join(part for part in parts if part))


def denials_of(check: SavedCheck, denied: list[Decision], drawn: Maps) -> Iterator[Reason]:
    """Clauses that a person found not fulfilled, in that person's words."""
    for decision in denied:
        rows = [
            c
            for c in check.clauses
            if c.id == decision.clause and decision.holds_under(c.ordinance)
        ]
        pairs = tuple((c.ordinance, c.id) for c in rows)
        fact = Fact(
            found=one_line(decision.comment),
            comment=f"decided by {one_line(decision.by)}",
            reference=f"entry of {one_line(decision.reviewer)} on clause {decision.clause}",
            map_png=drawn.of_entry(decision),
        )
        title = rows[0].title if rows else f"Clause {decision.clause}"
        yield Reason(0, one_line(title), _words(check, pairs), (fact,))
