"""What several packs say of one site, as one: a fault that breaks three laws is one finding.

Findings are joined by fingerprint with the same measure; the strictest law words the finding and
gives its limit, each breach keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sitemap.checked import joined_confirmations
from sitemap.finding import Finding, Limit, Outcome, Status, Verdict, fingerprint

WORST_FIRST = (
    Status.FAILED,
    Status.FOUND,
    Status.NEEDS_PERSON,
    Status.SKIPPED,
    Status.PASSED,
    Status.NOT_APPLICABLE,
)
GRAVEST_FIRST = (
    Verdict.DOES_NOT_COMPLY,
    Verdict.NOT_JUDGED,
    Verdict.COMPLIES_IF_CONFIRMED,
    Verdict.COMPLIES,
)

Joined = Mapping[int, Finding]  # by id() of the finding under one pack


def joined_findings(outcomes: Sequence[Outcome]) -> dict[int, Finding]:
    """The joined finding of each finding of one rule under several packs."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            measured = finding.measured
            measure = None if measured is None else (round(measured.value, 6), measured.unit)
            groups.setdefault((finding.fingerprint, measure), []).append(finding)
    taken: set[str] = set()
    result: dict[int, Finding] = {}
    for members in groups.values():
        one = _joined(members)
        if one.fingerprint in taken:  # the same fault, measured otherwise under another law
            other = fingerprint(one.fingerprint, (), None, one.breaches[0].ordinance, None)
            one = replace(one, fingerprint=other)
        taken.add(one.fingerprint)
        result.update({id(member): one for member in members})
    return result


def _joined(members: list[Finding]) -> Finding:
    """One finding of several that are the same fault; one by itself stays as it is."""
    waivers = [f.waiver for f in members]
    breaches = tuple(replace(breach, waiver=f.waiver) for f in members for breach in f.breaches)
    counting = [f for f in members if f.counts] or members
    strictest = counting[0]
    for other in counting[1:]:
        if _stricter(other.limit, strictest.limit):
            strictest = other
    return replace(
        strictest,
        clauses=members[0].clauses,
        citations=tuple(dict.fromkeys(c for f in members for c in f.citations)),
        severity=max(f.severity for f in counting),
        waiver=waivers[0] if all(waivers) else None,
        breaches=breaches,
    )


def _stricter(one: Limit | None, other: Limit | None) -> bool:
    """Whether the first of two limits in the same unit allows less."""
    if one is None or other is None or one.unit != other.unit or one.operator != other.operator:
        return False
    if one.operator in ("<=", "<"):
        return one.value < other.value
    return one.operator in (">=", ">") and one.value > other.value


def joined_outcome(under: Sequence[tuple[str, Outcome]], findings: Joined) -> Outcome:
    """What one rule says under several packs, each given by its id: the worst of it."""
    outcomes = [outcome for _, outcome in under]
    status = min((o.status for o in outcomes), key=WORST_FIRST.index)
    found = {id(findings[id(f)]): findings[id(f)] for o in outcomes for f in o.findings}
    first = outcomes[0]
    return Outcome(
        first.rule,
        first.rule_name,
        _union(o.clauses for o in outcomes),
        status,
        tuple(found.values()),
        joined_confirmations(c for o in outcomes for c in o.confirmations),
        _union(o.evidence for o in outcomes),
        _reasons(under, status),
        next((o.trace for o in outcomes if o.trace), None),
        next((o.ignored_by for o in outcomes if o.ignored_by), ""),
    )


def _reasons(under: Sequence[tuple[str, Outcome]], status: Status) -> str:
    """Why, in the words of the packs under which it is so; told apart where they differ."""
    why = {pack: o.why for pack, o in under if o.status is status and o.why}
    if len(set(why.values())) <= 1:
        return next(iter(why.values()), "")
    return "; ".join(words if pack in words else f"{pack}: {words}" for pack, words in why.items())


def joined_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """The gravest: a map complies when it complies with every law."""
    return min(verdicts, key=GRAVEST_FIRST.index)


def _union(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for one in lists for item in one))
