"""The laws of a check as the forms name them: one or several packs in one run."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.checked import CheckedSite, Judgement
from sitemap.finding import Finding


def judgements_of(checked: CheckedSite) -> tuple[Judgement, ...]:
    """One judgement per law; a check without any is one under its only law."""
    whole = Judgement(checked.ordinance, checked.outcomes, checked.clauses, checked.verdict)
    return checked.judgements or (whole,)


def law_names(checked: CheckedSite) -> str:
    """'muskego, wi-nr216'."""
    return ", ".join(pack.id for pack in checked.ordinances)


def broken_clauses(checked: CheckedSite, finding: Finding) -> Iterator[tuple[str, str]]:
    """(pack, clause id) of every clause that a finding breaks, law by law."""
    if not finding.breaches:
        yield from ((checked.ordinance.id, clause) for clause in finding.clauses)
    for breach in finding.breaches:
        yield from ((breach.ordinance, clause) for clause in breach.clauses)


def clause_words(checked: CheckedSite, finding: Finding) -> str:
    """'d, 3d'; with the pack before each where several laws were judged."""
    several = len(checked.ordinances) > 1
    pairs = broken_clauses(checked, finding)
    return ", ".join(f"{pack} {clause}" if several else clause for pack, clause in pairs)


def cause_words(checked: CheckedSite) -> dict[int, str]:
    """What each finding follows from, by id() of the finding, where one cause explains several."""
    return {
        id(finding): cause.words
        for cause in checked.causes
        if cause.number > 1
        for finding in (*cause.findings, *cause.explains)
    }
