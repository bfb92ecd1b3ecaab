"""The decision letter: a check as saved and a reviewer's entries -> what the letter says.

Every sentence comes from a finding, from the law's own words, or from a person's entry. Whether
something is approved comes from the reviewer's decision alone. letter_*.py write it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sitemap.decisions import Decision, Decisions
from sitemap.errors import UsageError
from sitemap.review.clock import Clock, ReviewCalendar
from sitemap.review.letter_reasons import (
    Fact,
    Maps,
    Reason,
    Words,
    comment_words,
    denials_of,
    entry_about,
    one_line,
    reasons_of,
)
from sitemap.review.saved_check import SavedCheck, SavedFinding
from sitemap.version import VERSION

Answer = Literal["approve", "conditions", "disapprove"]
__all__ = ["ANSWERS", "Answer", "Fact", "Letter", "Reason", "Words", "one_line", "write_letter"]

ANSWERS: tuple[Answer, ...] = ("approve", "conditions", "disapprove")
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
    drawn = Maps(said, check.outlines)
    reasons = [*reasons_of(check, errors, said, drawn), *denials_of(check, denied, drawn)]
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


def _remarks(findings: list[SavedFinding], said: Decisions) -> Iterator[str]:
    """Warnings: named, and not reasons."""
    for finding in findings:
        if finding.severity == "warning" and finding.waiver is None:
            cited = "; ".join(finding.citations)
            comment = comment_words(entry_about(said, finding))
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
    for reference in check.manifest.references:
        yield f"Reference {one_line(reference.words)}."
    if said.sha256:
        yield f"Decisions {said.file}, sha256 {said.sha256}."
    yield f"Coordinates in {one_line(check.site.crs.name)}."
    yield f"Letter composed by sitemap {VERSION}."
