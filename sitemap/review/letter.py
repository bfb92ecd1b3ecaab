"""The decision letter: a check as saved and a reviewer's entries -> what the letter says.

Every sentence comes from a finding, from the law's own words, or from a person's entry. Whether
something is approved comes from the reviewer's decision alone. letter_*.py write it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sitemap.decisions import Decision, Decisions, Redline
from sitemap.errors import UsageError
from sitemap.review.clock import Clock, ReviewCalendar
from sitemap.review.letter_map import draw_map
from sitemap.review.saved_check import SavedCheck, SavedFinding, SavedPlace, SavedSource
from sitemap.version import VERSION

Answer = Literal["approve", "conditions", "disapprove"]
ANSWERS: tuple[Answer, ...] = ("approve", "conditions", "disapprove")
MOST_MAPS = 60  # one beside each fact; the report in HTML has all
MOST_NAMED = 12  # findings named in a refusal
_SENTENCES: dict[Answer, str] = {
    "approve": "The application and the erosion and sediment control plan are approved.",
    "conditions": "The application and the erosion and sediment control plan are approved on the "
    "conditions stated below.",
    "disapprove": "The application and the erosion and sediment control plan are disapproved "
    "for the reasons stated below{by}.",
}
_HEADINGS: dict[Answer, str] = {
    "approve": "Reasons",
    "conditions": "Conditions",
    "disapprove": "Reasons for disapproval",
}


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


@dataclass(frozen=True, eq=False)
class Letter:
    """Everything that a writer puts down, in order. Lines are plain text."""

    answer: Answer
    office: str
    date: dt.date
    site: str
    submission: str
    laws: tuple[str, ...]
    decision: str
    heading: str
    reasons: tuple[Reason, ...]
    conditions: tuple[str, ...]
    remarks: tuple[str, ...]  # warnings, which are no reasons
    decided: tuple[str, ...]  # findings that do not count, and who said so
    confirmed: tuple[str, ...]
    unanswered: tuple[str, ...]
    clock: tuple[str, ...]
    assumptions: tuple[str, ...]
    evidence: tuple[str, ...]
    signature: str
    authority: str


def write_letter(
    check: SavedCheck,
    answer: Answer,
    *,
    decisions: Decisions | None = None,
    reviewer: str | None = None,
    calendar: ReviewCalendar | None = None,
    clock: Clock | None = None,
    now: dt.date,
) -> Letter:
    """What the letter says. Without decisions those count that the check was given.

    UsageError where the answer does not follow from findings and entries: approval with open
    errors, disapproval or conditions without anything to state.
    """
    said = decisions or check.own_decisions or Decisions.model_validate({"schema": "1.0"})
    _same_ground(said, check)
    findings = [_decided(finding, said) for finding in check.findings]
    errors = [f for f in findings if f.severity == "error" and f.waiver is None]
    denied = [d for d in said.decisions if d.verdict == "not fulfilled"]
    _refuse(answer, errors, denied, said)
    drawn = _Maps(said)
    reasons = [*_reasons(check, errors, said, drawn), *_denials(check, denied)]
    by = f" ({calendar.reasons_citation})" if calendar is not None else ""
    return Letter(
        answer=answer,
        office=calendar.office if calendar is not None else "",
        date=now,
        site=one_line(check.site.name),
        submission=one_line(check.site.submission),
        laws=tuple(f"{p.title}, {p.jurisdiction}" for p in check.ordinances),
        decision=_SENTENCES[answer].format(by=by),
        heading=_HEADINGS[answer],
        reasons=tuple(replace(r, number=n) for n, r in enumerate(reasons, start=1)),
        conditions=tuple(
            f"{one_line(c.text)} ({one_line(c.reviewer)}, {c.date})" for c in said.conditions
        )
        if answer == "conditions"
        else (),
        remarks=tuple(_remarks(findings, said)),
        decided=tuple(_closed(findings)),
        confirmed=tuple(_confirmed(check, said)),
        unanswered=tuple(_unanswered(check, said)),
        clock=clock.lines if clock is not None else (),
        assumptions=clock.assumptions if clock is not None else (),
        evidence=tuple(_evidence(check, said)),
        signature=one_line(reviewer or ""),
        authority=calendar.authority if calendar is not None else "",
    )


def one_line(text: object) -> str:
    """Anybody's words as one line that XML, PDF and a terminal can hold."""
    return "".join(c if c.isprintable() else " " for c in str(text)).strip()


def _same_ground(said: Decisions, check: SavedCheck) -> None:
    drawn = said.redlines is not None or any(d.redlines is not None for d in said.decisions)
    code = check.site.crs.code
    if drawn and said.crs is not None and code is not None and said.crs != code:
        raise UsageError(
            f"the redlines of {said.file or 'the decisions'} are in {said.crs}, the check is in "
            f"{code}; they cannot be drawn together. Save them from the desk of this check"
        )


def _decided(finding: SavedFinding, said: Decisions) -> SavedFinding:
    """The finding with what was decided of it under every law that it breaks."""
    packs = [b.ordinance for b in finding.breaches if b.waiver is None] or [""]
    about = [said.about(finding.fingerprint, pack) for pack in packs]
    closing = [d for d in about if d is not None and d.status != "open"]
    if finding.waiver is not None or len(closing) < len(packs):
        return finding
    first = closing[0]
    waiver = {
        "reason": first.comment or first.status,
        "authority": first.reviewer,
        "date": first.date,
        "status": first.status,
    }
    return SavedFinding.model_validate({**finding.model_dump(), "waiver": waiver})


def _refuse(
    answer: Answer, errors: list[SavedFinding], denied: list[Decision], said: Decisions
) -> None:
    if answer == "approve" and (errors or denied):
        lines = [
            f"  finding {f.number} {f.rule} ({f.fingerprint}): {one_line(f.message)}"
            for f in errors[:MOST_NAMED]
        ]
        if len(errors) > MOST_NAMED:
            lines.append(f"  and {len(errors) - MOST_NAMED} more errors")
        lines += [f"  clause {d.clause}: {one_line(d.words)}" for d in denied]
        raise UsageError(
            "approval does not follow from this check; each of these needs a decision "
            "(resolved, exception or not a problem) in --decisions, or another answer:\n"
            + "\n".join(lines)
        )
    if answer == "disapprove" and not (errors or denied):
        raise UsageError(
            "disapproval needs its reasons in writing, and there is none: no error counts and no "
            "clause is marked 'not fulfilled' in --decisions"
        )
    if answer == "conditions" and not (errors or denied or said.conditions):
        raise UsageError(
            "there is no condition to state: no error counts, no clause is marked 'not "
            "fulfilled', and --decisions has no conditions"
        )


class _Maps:
    """Small maps with the reviewer's redlines, up to a number."""

    def __init__(self, said: Decisions) -> None:
        self._left = MOST_MAPS
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
        return draw_map(ground, (*own, *self._common), one_line(cell or ""))


def _reasons(
    check: SavedCheck, errors: list[SavedFinding], said: Decisions, drawn: _Maps
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


def _fact(finding: SavedFinding, said: Decisions, drawn: _Maps) -> Fact:
    decision = _entry(said, finding)
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
        comment=_comment(decision),
        reference=f"finding {finding.number}, {finding.fingerprint}",
        map_png=drawn.of(finding, decision),
    )


def _entry(said: Decisions, finding: SavedFinding) -> Decision | None:
    """The entry about a finding, under whichever law."""
    return next((d for d in said.decisions if d.finding == finding.fingerprint), None)


def _comment(decision: Decision | None) -> str:
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


def _denials(check: SavedCheck, denied: list[Decision]) -> Iterator[Reason]:
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
        )
        title = rows[0].title if rows else f"Clause {decision.clause}"
        yield Reason(0, one_line(title), _words(check, pairs), (fact,))


def _remarks(findings: list[SavedFinding], said: Decisions) -> Iterator[str]:
    """Warnings: named, and not reasons."""
    for finding in findings:
        if finding.severity == "warning" and finding.waiver is None:
            cited = "; ".join(finding.citations)
            comment = _comment(_entry(said, finding))
            words = f"{finding.message} ({cited}; finding {finding.number}) {comment}"
            yield one_line(words)


def _closed(findings: list[SavedFinding]) -> Iterator[str]:
    """Errors and warnings that do not count, with who let them stand."""
    for finding in findings:
        if finding.waiver is not None and finding.severity != "info":
            w = finding.waiver
            until = f", until {w.expires}" if w.expires else ""
            on = f"; on condition: {w.condition}" if w.condition else ""
            words = f"{finding.message} (finding {finding.number}): {w.status}, {w.reason}"
            yield one_line(f"{words} ({w.authority}, {w.date}{until}){on}")


def _confirmed(check: SavedCheck, said: Decisions) -> Iterator[str]:
    for decision in said.decisions:
        if decision.verdict != "fulfilled":
            continue
        rows = [c for c in check.clauses if c.id == decision.clause]
        for row in rows:
            if decision.holds_under(row.ordinance):
                yield one_line(f"{row.citation} {row.title}: {decision.words}")


def _unanswered(check: SavedCheck, said: Decisions) -> Iterator[str]:
    """What the check left to a person and nobody entered; what it could not judge."""
    for item in check.confirmations:
        decision = said.about_clause(item.ordinance, item.clause)
        if decision is None or decision.verdict is None:
            clause = check.clause(item.ordinance, item.clause)
            citation = clause.citation if clause is not None else item.clause
            yield one_line(f"{citation}: {item.question}")
    for row in check.clauses:
        if row.on_map and row.status in ("skipped", "failed to run"):
            yield one_line(f"{row.citation} {row.title}: could not be judged")


def _evidence(check: SavedCheck, said: Decisions) -> Iterator[str]:
    yield f"Check of {check.now} by sitemap {check.program.version}: {check.verdict}."
    yield f"Report {check.path.name}, sha256 {check.sha256}."
    for pack in check.ordinances:
        yield f"Pack {pack.id} version {pack.version}, digest {pack.digest}."
    if said.sha256:
        yield f"Decisions {said.file}, sha256 {said.sha256}."
    yield f"Coordinates in {one_line(check.site.crs.name)}."
    yield f"Letter composed by sitemap {VERSION}."
