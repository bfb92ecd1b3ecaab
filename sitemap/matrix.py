"""The clause matrix and the verdict: outcomes of rules -> what became of each clause.

Precedence in a clause: an error that counts > a rule that failed to run > a rule that was left out
of the run or a deciding one that was skipped > a question for a person > declared none > passed >
not applicable > not judged. Waived findings stay in the line and do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sitemap.checked import ClauseLine, plural
from sitemap.finding import Confirmation, Finding, Outcome, Severity, Status, Verdict
from sitemap.ordinance import Clause, Ordinance
from sitemap.site import Site

if TYPE_CHECKING:
    from sitemap.decisions import Decisions

MANY_CLAUSES = 2  # the words of a rule that serves more clauses say little about each of them


def clause_lines(
    site: Site,
    ordinance: Ordinance,
    outcomes: Iterable[Outcome],
    decisions: Decisions | None = None,
) -> tuple[ClauseLine, ...]:
    """One line per clause: the items of the map first, then those beside it.

    A clause that the reviewer decided asks no longer.
    """
    by_rule = {outcome.rule: outcome for outcome in outcomes}
    clauses = sorted(ordinance.clauses, key=lambda clause: not clause.on_map)
    return tuple(
        _decided(_line(clause, site, by_rule, ordinance.id), decisions) for clause in clauses
    )


def verdict_of(lines: Iterable[ClauseLine], outcomes: Iterable[Outcome]) -> Verdict:
    """The verdict of a whole check; the clauses beside the map add only errors and questions."""
    rules = list(outcomes)
    rows = list(lines)
    if any(_is_fatal(f) for outcome in rules for f in outcome.findings) or any(
        row.is_denied for row in rows
    ):
        return Verdict.DOES_NOT_COMPLY
    unjudged = (Status.FAILED, Status.SKIPPED)
    if any(outcome.status is Status.FAILED or _is_open(outcome) for outcome in rules) or any(
        row.clause.on_map and row.status in unjudged for row in rows
    ):
        return Verdict.NOT_JUDGED
    if any(row.confirmations for row in rows):
        return Verdict.COMPLIES_IF_CONFIRMED
    return Verdict.COMPLIES


def _is_fatal(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.counts


def _is_open(outcome: Outcome) -> bool:
    """A rule that was left out of the run, so that it could have found an error and did not."""
    return bool(outcome.ignored_by) and outcome.status is Status.SKIPPED


def _line(clause: Clause, site: Site, by_rule: Mapping[str, Outcome], ordinance: str) -> ClauseLine:
    findings = tuple(
        f for outcome in by_rule.values() for f in outcome.findings if clause.id in f.clauses
    )
    asked = tuple(
        c for outcome in by_rule.values() for c in outcome.confirmations if c.clause == clause.id
    )
    rules = [by_rule[code] for code in clause.rules if code in by_rule]
    status = _status(clause, site, findings, asked, rules)
    asks_person = clause.person_always or (clause.on_map and status is Status.NEEDS_PERSON)
    if clause.person and asks_person and (clause.person_always or not asked):
        asked = (Confirmation(None, clause.id, clause.person, ordinance=ordinance), *asked)
    evidence = (
        *_waiver_evidence(findings),
        *_rule_evidence(clause, rules),
        *_role_evidence(clause, site),
    )
    if clause.person and not clause.on_map and status is Status.PASSED:
        evidence = (*evidence, f"a person decides the rest: {clause.person}")
    return ClauseLine(clause, status, evidence, findings, asked, ordinance)


def _decided(line: ClauseLine, decisions: Decisions | None) -> ClauseLine:
    """The line with what a person decided of it; a rule's own error or gap stays."""
    decision = decisions.about_clause(line.ordinance, line.clause.id) if decisions else None
    if decision is None or decision.verdict is None:
        return line
    status = line.status
    if decision.verdict == "not fulfilled":
        status = Status.FOUND
    elif status is Status.NEEDS_PERSON:
        status = Status.PASSED
    evidence = (decision.words, *line.evidence)
    return replace(line, status=status, evidence=evidence, confirmations=(), decision=decision)


def _status(
    clause: Clause,
    site: Site,
    findings: tuple[Finding, ...],
    asked: tuple[Confirmation, ...],
    rules: list[Outcome],
) -> Status:
    if any(_is_fatal(f) for f in findings):
        return Status.FOUND
    said = {outcome.status for outcome in rules}
    judged = {outcome.rule for outcome in rules if outcome.status is not Status.SKIPPED}
    looked = any(_looked(outcome) for outcome in rules)
    nobody = bool(clause.person) and not looked and Status.NOT_APPLICABLE not in said
    order = (
        (Status.FAILED, Status.FAILED in said),
        (Status.SKIPPED, any(_is_open(outcome) for outcome in rules)),
        (Status.SKIPPED, not judged.issuperset(clause.decided_by)),
        (Status.NEEDS_PERSON, bool(asked) or clause.person_always),
        (Status.NOT_APPLICABLE, bool(clause.rules) and _none_by_declaration(clause, site)),
        (Status.PASSED, looked),
        (Status.NEEDS_PERSON, nobody),
        (Status.NOT_APPLICABLE, Status.NOT_APPLICABLE in said),
    )
    return next((status for status, holds in order if holds), Status.SKIPPED)


def _looked(outcome: Outcome) -> bool:
    """True when a rule looked at something; one that only asks, of another clause, did not."""
    asked_only = outcome.status is Status.NEEDS_PERSON and not outcome.evidence
    return not asked_only and outcome.status in (Status.PASSED, Status.FOUND, Status.NEEDS_PERSON)


def _none_by_declaration(clause: Clause, site: Site) -> bool:
    """True when nothing that shows the clause is drawn, and some of it was declared none."""
    drawn = any(_is_drawn(role, site) for role in clause.roles)
    return not drawn and any(site.declared_none(role) for role in clause.roles)


def _is_drawn(role: str, site: Site) -> bool:
    layer = site.role(role)
    return (layer is not None and len(layer) > 0) or any(r.role == role for r in site.rasters)


def _waiver_evidence(findings: Iterable[Finding]) -> list[str]:
    """By whom and until when the findings of a clause are waived or closed; each once."""
    return list(
        dict.fromkeys(f"{f.waiver.status}: {f.waiver}" for f in findings if f.waiver is not None)
    )


def _rule_evidence(clause: Clause, rules: list[Outcome]) -> list[str]:
    """What the rules looked at, and why those that could not look did not."""
    words: list[str] = []
    for outcome in rules:
        if len(outcome.clauses) <= MANY_CLAUSES or not clause.roles:
            words += outcome.evidence
        if outcome.status is Status.FAILED or (
            outcome.status is Status.SKIPPED
            and (outcome.rule in clause.decided_by or _is_open(outcome))
        ):
            words.append(f"{outcome.rule} did not judge: {outcome.why}")
    absent = set(clause.decided_by) - {outcome.rule for outcome in rules}
    words += [f"{code} was not run" for code in sorted(absent)]
    return list(dict.fromkeys(words))


def _role_evidence(clause: Clause, site: Site) -> list[str]:
    """How the roles of a clause are shown, by file; those declared none by one person together."""
    drawn: dict[str, list[tuple[str, int]]] = {}
    words: list[str] = []
    declared: dict[str, list[str]] = {}
    undrawn: list[str] = []
    for role in clause.roles:
        name = role.replace("_", " ")
        layer = site.role(role)
        declaration = site.declared_none(role)
        otherwise = _undrawn_words(role, site)
        if layer is not None and len(layer) > 0:
            files = dict.fromkeys(member.provenance.file for member in layer.members)
            drawn.setdefault(", ".join(files), []).append((name, len(layer)))
        elif otherwise:
            words.append(f"{name}: {otherwise}")
        elif declaration is not None:
            who = f"{declaration.by}, {declaration.source}, {declaration.date}"
            declared.setdefault(who, []).append(name)
        elif _is_wanted(role, site):
            undrawn.append(name)
    words = [_drawn_words(files, roles) for files, roles in drawn.items()] + words
    words += [f"declared none by {who}: {', '.join(names)}" for who, names in declared.items()]
    return [*words, f"not drawn: {', '.join(undrawn)}"] if undrawn else words


def _drawn_words(files: str, roles: list[tuple[str, int]]) -> str:
    """'wetlands: 3 features from wetlands.shp', or several roles behind their one file."""
    if len(roles) == 1:
        name, count = roles[0]
        return f"{name}: {plural(count, 'feature')} from {files}"
    return f"from {files}: {', '.join(f'{name} ({count})' for name, count in roles)}"


def _undrawn_words(role: str, site: Site) -> str:
    """How a role is there without features on the map; empty where nothing was handed in."""
    rasters = [raster.provenance.file for raster in site.rasters if raster.role == role]
    if rasters:
        return f"raster {', '.join(rasters)}"
    unplaced = [d.provenance.file for d in site.datasets if d.role == role]
    if site.role(role) is None and unplaced:
        return f"{', '.join(unplaced)} could not be brought into the map's CRS"
    return ""


def _is_wanted(role: str, site: Site) -> bool:
    """False for a role that need not be shown."""
    spec = site.catalogue.by_role.get(role)
    return spec is None or spec.presence != "optional"
