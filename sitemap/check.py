"""Site + Ordinance -> CheckedSite: runs every rule, each in its own isolation.

Order by `after`, injection by name, gatekeepers, severity, place, fingerprint are here; the
clause matrix and the verdict are matrix.py, the cell of a finding is places.py.
"""

from __future__ import annotations

import datetime as dt
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from sitemap.checked import CheckedSite
from sitemap.finding import (
    Confirmation,
    Finding,
    Outcome,
    Severity,
    Source,
    Status,
    fingerprint,
)
from sitemap.matrix import clause_lines, verdict_of
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Ordinance, Verb
from sitemap.places import Places, anchor
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Rule, Said, Skip
from sitemap.site import Site

SEVERITY_OF_VERB: dict[Verb, Severity] = {
    "shall": Severity.ERROR,
    "where identified": Severity.ERROR,
    "should": Severity.WARNING,
    "practice": Severity.WARNING,
}


def check_site(
    site: Site,
    ordinance: Ordinance,
    *,
    plate: MeasuredPlate | None = None,
    now: dt.date | None = None,
    rules: tuple[Rule, ...] | None = None,
) -> CheckedSite:
    """Judge a site by an ordinance, with its finished plate when there is one.

    Never raises for what is wrong with a site or a rule; now defaults to today, rules to all.
    """
    if rules is None:
        from sitemap.rules import RULES

        rules = RULES
    run = _Run(site, ordinance, plate, now or dt.date.today(), Places(site, plate))
    done: dict[str, Outcome] = {}
    for rule in in_running_order(rules):
        done[rule.code] = run.outcome(rule, done)
    outcomes = tuple(done[rule.code] for rule in rules)
    lines = clause_lines(site, ordinance, outcomes)
    verdict = verdict_of(lines, outcomes)
    return CheckedSite(site, ordinance, outcomes, lines, verdict, run.now, plate)


def in_running_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules so that each comes after those it names; otherwise in the given order.

    ValueError when rules wait for each other in a circle.
    """
    waiting = list(rules)
    codes = {rule.code for rule in waiting}
    ordered: list[Rule] = []
    while waiting:
        ready = {rule.code for rule in ordered}
        free = (r for r in waiting if all(a in ready for a in r.after if a in codes))
        following = next(free, None)
        if following is None:
            names = ", ".join(rule.code for rule in waiting)
            raise ValueError(f"these rules wait for each other in a circle: {names}")
        ordered.append(following)
        waiting.remove(following)
    return tuple(ordered)


@dataclass
class _Heard:
    """What one rule said, sorted."""

    findings: list[Finding] = field(default_factory=list)
    asks: list[Confirmation] = field(default_factory=list)
    checked: list[Checked] = field(default_factory=list)
    silent: list[NotApplicable | Skip] = field(default_factory=list)
    error: str = ""
    trace: str | None = None

    def hear(self, said: Said | Finding | Confirmation) -> None:
        """Put one thing in its place; TypeError for what a rule may not yield."""
        match said:
            case Finding():
                self.findings.append(said)
            case Confirmation():
                self.asks.append(said)
            case Checked():
                self.checked.append(said)
            case NotApplicable() | Skip():
                self.silent.append(said)
            case _:
                raise TypeError(f"a rule yielded {said!r}, which is none of {Said}")

    @property
    def status(self) -> tuple[Status, str]:
        """The outcome and its reason. What was not looked at never passes."""
        skips = [s.why for s in self.silent if isinstance(s, Skip)]
        reasons = [s.why for s in self.silent if isinstance(s, NotApplicable)]
        looked = sum(c.count for c in self.checked) > 0
        words = "; ".join(c.words for c in self.checked)
        order = (
            (bool(self.trace), Status.FAILED, self.error),
            (bool(self.findings), Status.FOUND, "; ".join(skips)),
            (bool(self.asks), Status.NEEDS_PERSON, "; ".join([a.question for a in self.asks])),
            (bool(skips), Status.SKIPPED, "; ".join(skips)),
            (looked, Status.PASSED, ""),
            (bool(reasons), Status.NOT_APPLICABLE, "; ".join(reasons)),
        )
        nothing = (Status.SKIPPED, "checked nothing" + (f": {words}" if words else ""))
        return next(((status, why) for holds, status, why in order if holds), nothing)


@dataclass(frozen=True)
class _Run:
    """One check: what rules get, and what becomes of what they say."""

    site: Site
    ordinance: Ordinance
    plate: MeasuredPlate | None
    now: dt.date
    places: Places
    kept_back: set[str] = field(default_factory=set)  # rules that wait for one with errors

    def outcome(self, rule: Rule, done: dict[str, Outcome]) -> Outcome:
        """Run one rule, or say why it does not run."""
        heard = _Heard()
        gate = self._gate(rule, done)
        if gate is not None:
            heard.hear(gate)
        else:
            try:
                for said in rule.body(**self._arguments(rule)):
                    heard.hear(self._worked_out(rule, said))
            except Exception as error:  # one broken rule must not cost the others their say
                words = f"{type(error).__name__}: {error}".splitlines()[0]
                heard.error = f"a fault of the program: {words}"
                heard.trace = traceback.format_exc()
        status, why = heard.status
        return Outcome(
            rule.code,
            rule.name,
            self._clauses_of(rule),
            status,
            _with_unique_fingerprints(heard.findings),
            tuple(heard.asks),
            tuple(checked.words for checked in heard.checked if checked.count > 0),
            why,
            heard.trace,
        )

    def _clauses_of(self, rule: Rule) -> tuple[str, ...]:
        """The pack's clauses behind a rule, those that the rule itself names first."""
        own = [i for i in rule.clauses if i in self.ordinance.by_id]
        named = [clause.id for clause in self.ordinance.clauses_of(rule.code)]
        return tuple(dict.fromkeys([*own, *named]))

    def _gate(self, rule: Rule, done: dict[str, Outcome]) -> NotApplicable | Skip | None:
        """Why a rule does not run: the pack, a missing role, or a rule that must pass first."""
        setting = self.ordinance.rules.get(rule.code)
        if setting is not None and not setting.enabled:
            reason = setting.reason or "no reason given"
            return NotApplicable(f"switched off by the pack {self.ordinance.id}: {reason}")
        if not self._clauses_of(rule):
            return NotApplicable(f"no clause of the pack {self.ordinance.id} asks for it")
        for role in rule.needs:
            closed = self._gate_of_role(role)
            if closed is not None:
                return closed
        for code in rule.after:
            if code in self.kept_back or (code in done and _blocks(done[code], rule)):
                self.kept_back.add(rule.code)
                what = {Status.FOUND: "found errors", Status.FAILED: "failed to run"}
                why = what.get(done[code].status, "could not judge")
                name = done[code].rule_name.replace("_", " ")
                return Skip(f"waits for {code} ({name}), which {why}")
        return None

    def _gate_of_role(self, role: str) -> NotApplicable | Skip | None:
        layer = self.site.role(role)
        if (layer is not None and len(layer.usable)) or self._raster(role) is not None:
            return None
        declared = self.site.declared_none(role)
        if declared is not None and (layer is None or len(layer) == 0):
            who = f"{declared.by}, {declared.source}, {declared.date}"
            return NotApplicable(f"{role} declared none by {who}")
        if layer is not None and len(layer):
            return Skip(f"the {role} layer has no usable geometry: see GEO002")
        if layer is not None:
            return Skip(f"the {role} layer is empty: see SUB004")
        if any(dataset.role == role for dataset in self.site.datasets):
            return Skip(f"the {role} layer has no usable CRS: see CRS001")
        return Skip(f"no {role} layer: see SUB001")

    def _arguments(self, rule: Rule) -> dict[str, Any]:
        """Roles, site, plate, ordinance, now and typed limits, each by its name."""
        given: dict[str, Any] = {name: limit.typed for name, limit in self.ordinance.limits.items()}
        for role in (*rule.needs, *rule.uses):
            given[role] = self.site.role(role) or self._raster(role)
        given.update(site=self.site, plate=self.plate, ordinance=self.ordinance, now=self.now)
        strange = [name for name in rule.arguments if name not in given]
        if strange:
            words = ", ".join(strange)
            raise TypeError(f"asks for {words}: no role it needs or uses, no limit of the pack")
        return {name: given[name] for name in rule.arguments}

    def _raster(self, role: str) -> object | None:
        return next((raster for raster in self.site.rasters if raster.role == role), None)

    def _worked_out(self, rule: Rule, said: Said) -> Said | Finding | Confirmation:
        """A fault as a finding, a question as a confirmation; the rest as it was said."""
        if isinstance(said, Fault):
            return self._finding(rule, said)
        return self._confirmation(rule, said) if isinstance(said, Ask) else said

    def _finding(self, rule: Rule, fault: Fault) -> Finding:
        known = tuple(i for i in fault.clauses if i in self.ordinance.by_id)
        own = tuple(i for i in rule.clauses if i in self.ordinance.by_id)
        clauses = known or own or self._clauses_of(rule)
        citations = tuple(dict.fromkeys(self.ordinance.by_id[i].citation for i in clauses))
        return Finding(
            rule=rule.code,
            rule_name=rule.name,
            clauses=clauses,
            citations=citations,
            severity=self._severity(rule, fault, clauses),
            message=fault.message,
            how_to_fix=fault.how_to_fix,
            measured=fault.measured,
            limit=fault.limit,
            role=fault.role,
            source=fault.source,
            related=fault.related,
            field_name=fault.field_name,
            geometry=fault.geometry,
            place=self.places.place(fault.geometry),
            fingerprint=fingerprint(
                rule.code,
                clauses,
                fault.role,
                fault.source.user_id,
                anchor(fault.geometry),
                fault.distinct,
            ),
        )

    def _severity(self, rule: Rule, fault: Fault, clauses: tuple[str, ...]) -> Severity:
        """The fault's own, else the pack's, else the verb's; never above the rule's own."""
        if fault.severity is not None:
            return fault.severity
        verbs = [SEVERITY_OF_VERB[self.ordinance.by_id[i].verb] for i in clauses]
        by_verb = min(rule.default_severity, max(verbs, default=Severity.ERROR))
        return self.ordinance.severity_of(rule.code, by_verb)

    def _confirmation(self, rule: Rule, ask: Ask) -> Confirmation:
        clauses = self._clauses_of(rule)
        clause = ask.clause if ask.clause in self.ordinance.by_id else clauses[0]
        place = self.places.place(ask.geometry)
        return Confirmation(rule.code, clause, ask.question, place, ask.geometry)


def _blocks(first: Outcome, rule: Rule) -> bool:
    """Whether a rule that comes first keeps this one from judging.

    It does when it failed to run, or found an error in a role that this rule looks at, or in
    none in particular.
    """
    if first.status is Status.FAILED:
        return True
    roles = {*rule.needs, *rule.uses}
    return any(
        f.severity is Severity.ERROR and (f.role is None or not roles or f.role in roles)
        for f in first.findings
    )


def _with_unique_fingerprints(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings of one rule; those with one fingerprint are told apart by place, then order."""
    groups: dict[str, list[int]] = {}
    for i, finding in enumerate(findings):
        groups.setdefault(finding.fingerprint, []).append(i)
    result = list(findings)
    for digits, members in groups.items():
        ranked = sorted(members, key=lambda i: _rank(findings[i]))
        for number, i in enumerate(ranked[1:], start=2):
            again = fingerprint(digits, (), None, f"{number}", None)
            result[i] = replace(findings[i], fingerprint=again)
    return tuple(result)


def _rank(finding: Finding) -> tuple[float, float, str, Source | str]:
    place = finding.place
    x, y = (round(place.x_ft), round(place.y_ft)) if place else (0, 0)
    return x, y, finding.message, str(finding.source)
