"""One site under one pack: gatekeepers, injection by name, severity, place, fingerprint."""

from __future__ import annotations

import datetime as dt
import traceback
from dataclasses import dataclass, field
from typing import Any

from shapely.geometry.base import BaseGeometry

from sitemap.finding import (
    Breach,
    Confirmation,
    Finding,
    Outcome,
    Place,
    Severity,
    Status,
    fingerprint,
)
from sitemap.hearing import Heard, Hearing, Hearings, Key, program_fault, with_unique_fingerprints
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import INJECTED, LimitSpec, Ordinance, Verb, known_limits
from sitemap.places import Places, anchor
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Rule, Said, Skip
from sitemap.selection import Selection
from sitemap.site import Site
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.ground import SURFACES, Ground, ground_of
from sitemap.waivers import Waivers

SEVERITY_OF_VERB: dict[Verb, Severity] = {
    "shall": Severity.ERROR,
    "where identified": Severity.ERROR,
    "should": Severity.WARNING,
    "practice": Severity.WARNING,
}


@dataclass(frozen=True)
class Run:
    """What all packs of one check share."""

    site: Site
    plate: MeasuredPlate | None
    now: dt.date
    places: Places
    selection: Selection
    hearings: Hearings = field(default_factory=Hearings)
    placed: dict[int, Place | None] = field(default_factory=dict)

    @property
    def ground(self) -> Ground:
        """The existing and proposed surface of the site, each built where a rule asks for it."""
        return ground_of(self.site)

    def place(self, geometry: BaseGeometry | None) -> Place | None:
        """Where a geometry of a hearing lies; worked out once for all packs."""
        if id(geometry) not in self.placed:
            self.placed[id(geometry)] = self.places.place(geometry)
        return self.placed[id(geometry)]


@dataclass(frozen=True)
class UnderPack:
    """One pack's view of a run. done holds every rule's outcome, also of those left out."""

    run: Run
    ordinance: Ordinance
    done: dict[str, Outcome] = field(default_factory=dict)
    kept_back: set[str] = field(default_factory=set)  # rules that wait for one with errors

    def judge(self, rule: Rule, waivers: Waivers | None = None, *, needed: bool = True) -> None:
        """Run one rule, or say why it does not run; the outcome is put into done.

        needed is False for a rule that was left out and for which no other one waits.
        """
        heard = Heard()
        gate = self._gate(rule) if needed else self._gate_of_pack(rule) or Skip("left out")
        if gate is not None:
            heard.hear(gate)
        else:
            self._hear(rule, heard, waivers)
        status, why = heard.status
        self.done[rule.code] = Outcome(
            rule.code,
            rule.name,
            self._clauses_of(rule),
            status,
            with_unique_fingerprints(heard.findings),
            tuple(heard.asks),
            tuple(checked.words for checked in heard.checked if checked.count > 0),
            why,
            heard.trace,
        )

    def outcome(self, rule: Rule) -> Outcome:
        """The outcome as reported: a rule that was left out has judged nothing.

        Where it is asked for by a rule that comes after it, it ran all the same. Left out, a rule
        that gives notes at most does not keep a clause open.
        """
        judged = self.done[rule.code]
        by = self.run.selection.left_out_by(rule.code)
        if not by or judged.status is Status.NOT_APPLICABLE:
            return judged
        word = "left out by" if by.startswith(self.run.selection.select_given_by) else "ignored by"
        gravest = self.ordinance.severity_of(rule.code, rule.default_severity)
        return Outcome(
            rule.code,
            rule.name,
            judged.clauses,
            Status.NOT_APPLICABLE if gravest is Severity.INFO else Status.SKIPPED,
            why=f"{word} {by}",
            ignored_by=by,
        )

    def _hear(self, rule: Rule, heard: Heard, waivers: Waivers | None) -> None:
        try:
            arguments, key = self._arguments(rule, waivers)
            hearing = self.run.hearings.hear(rule, arguments, key)
            heard.error, heard.trace = hearing.error, hearing.trace
            self._word(rule, hearing, heard)
        except Exception as error:  # a wild geometry must not stop a run while it is worded
            heard.error, heard.trace = program_fault(error), traceback.format_exc()

    def _word(self, rule: Rule, hearing: Hearing, heard: Heard) -> None:
        for said in hearing.said:
            heard.hear(self._worded(rule, said))

    def _worded(
        self, rule: Rule, said: Said
    ) -> Finding | Confirmation | Checked | NotApplicable | Skip | None:
        if isinstance(said, Fault):
            return self._finding(rule, said)
        return self._confirmation(rule, said) if isinstance(said, Ask) else said

    def _clauses_of(self, rule: Rule, role: str | None = None) -> tuple[str, ...]:
        """The pack's clauses behind a rule, those that the rule itself names first."""
        own = self.ordinance.ids_of(rule.clauses, role)
        named = [clause.id for clause in self.ordinance.clauses_of(rule.code)]
        return tuple(dict.fromkeys([*own, *named]))

    def _gate(self, rule: Rule) -> NotApplicable | Skip | None:
        """Why a rule does not run: the pack, a missing role, or a rule that must pass first."""
        closed: NotApplicable | Skip | None = self._gate_of_pack(rule)
        for role in () if closed is not None else rule.needs:
            closed = closed or self._gate_of_role(role)
        closed = closed or self._gate_of_ground(rule) or self._gate_of_reference(rule)
        if closed is not None:
            return closed
        for code in rule.after:
            if code in self.kept_back or (code in self.done and _blocks(self.done[code], rule)):
                self.kept_back.add(rule.code)
                what = {Status.FOUND: "found errors", Status.FAILED: "failed to run"}
                why = what.get(self.done[code].status, "could not judge")
                name = self.done[code].rule_name.replace("_", " ")
                return Skip(f"waits for {code} ({name}), which {why}")
        return None

    def _gate_of_pack(self, rule: Rule) -> NotApplicable | None:
        pack = self.ordinance
        setting = pack.rules.get(rule.code)
        if setting and not setting.enabled and not self.run.selection.insists_on(rule.code):
            reason = setting.reason or "no reason given"
            return NotApplicable(f"switched off by the pack {pack.id}: {reason}")
        if not self._clauses_of(rule):
            why = pack.left_out.get(rule.code, "")
            words = f": {why}" if why else ""
            return NotApplicable(f"no clause of the pack {pack.id} asks for it{words}")
        given = {*rule.needs, *rule.uses, *pack.limits}
        asked = (*rule.arguments, *(FlowLimits.NAMES if "flow" in rule.arguments else ()))
        given.update(INJECTED)
        lacking = [n for n in asked if n not in given and n in known_limits()]
        if lacking:
            names = " and no ".join(name.replace("_", " ") for name in lacking)
            return NotApplicable(f"the pack {pack.id} sets no {names}")
        return None

    def _gate_of_role(self, role: str) -> NotApplicable | Skip | None:
        site = self.run.site
        layer = site.role(role)
        if (layer is not None and len(layer.usable)) or self._raster(role) is not None:
            return None
        declared = site.declared_none(role)
        if declared is not None and (layer is None or len(layer) == 0):
            who = f"{declared.by}, {declared.source}, {declared.date}"
            return NotApplicable(f"{role} declared none by {who}")
        if layer is not None and len(layer):
            return Skip(f"the {role} layer has no usable geometry: see GEO002")
        if layer is not None:
            return Skip(f"the {role} layer is empty: see SUB004")
        if any(dataset.role == role for dataset in site.datasets):
            return Skip(f"the {role} layer has no usable CRS: see CRS001")
        return Skip(f"no {role} layer: see SUB001")

    def _gate_of_ground(self, rule: Rule) -> Skip | None:
        """Why a surface that a rule asks for cannot be had; each is built when first asked for."""
        asked = [name for name in SURFACES if name in rule.arguments]
        lacking = [name for name in asked if self.run.ground.surface(name) is None]
        return Skip(self.run.ground.why_not(lacking[0])) if lacking else None

    def _gate_of_reference(self, rule: Rule) -> Skip | None:
        """Why a rule that compares with a reference cannot; None for others, and where it can."""
        reference = self.run.site.reference
        if not rule.refers or any(reference.of(role) for role in rule.refers):
            return None
        return Skip(reference.why_none(" or ".join(rule.refers)))

    def _arguments(self, rule: Rule, waivers: Waivers | None) -> tuple[dict[str, Any], Key]:
        """Roles, site, plate, ordinance, now, waivers, surfaces and typed limits, each by its name.

        With them the key of those that may differ from pack to pack.
        """
        run, limits = self.run, self.ordinance.limits
        own = rule.arguments  # reading a limit's unit costs more than some rules
        given: dict[str, Any] = {name: limits[name].typed for name in own if name in limits}
        for role in (*rule.needs, *rule.uses):
            given[role] = run.site.role(role) or self._raster(role)
        given.update(
            site=run.site, plate=run.plate, ordinance=self.ordinance, now=run.now, waivers=waivers
        )
        asked = [name for name in SURFACES if name in rule.arguments]
        given.update({name: run.ground.surface(name) for name in asked}, ground=run.ground)
        if "flow" in rule.arguments:
            given["flow"] = flow_of(run.site, FlowLimits.of(limits, run.site))
        strange = [name for name in rule.arguments if name not in given]
        if strange:
            words = ", ".join(strange)
            raise TypeError(f"asks for {words}: no role it needs or uses, no limit of the pack")
        return {name: given[name] for name in rule.arguments}, self._key(rule, limits)

    def _key(self, rule: Rule, limits: dict[str, LimitSpec]) -> Key:
        flow = FlowLimits.NAMES if "flow" in rule.arguments else ()
        asked = [name for name in (*rule.arguments, *flow) if name in limits]
        numbers = [(name, limits[name].value, limits[name].unit) for name in asked]
        return (*numbers, self.ordinance.digest if "ordinance" in rule.arguments else "")

    def _raster(self, role: str) -> object | None:
        return next((raster for raster in self.run.site.rasters if raster.role == role), None)

    def _finding(self, rule: Rule, fault: Fault) -> Finding | None:
        """A fault as a finding; None where it is about clauses that the pack does not have."""
        pack = self.ordinance
        known = pack.ids_of(fault.clauses, fault.role)
        if fault.clauses and not known and pack.ids_of(rule.clauses):
            return None
        own = pack.ids_of(rule.clauses, fault.role) or pack.ids_of(rule.clauses)
        clauses = known or own or self._clauses_of(rule)
        citations = tuple(dict.fromkeys(pack.by_id[i].citation for i in clauses))
        severity = self._severity(rule, fault, clauses)
        return Finding(
            rule=rule.code,
            rule_name=rule.name,
            clauses=clauses,
            citations=citations,
            severity=severity,
            message=fault.message,
            how_to_fix=fault.how_to_fix,
            measured=fault.measured,
            limit=fault.limit,
            role=fault.role,
            source=fault.source,
            related=fault.related,
            field_name=fault.field_name,
            geometry=fault.geometry,
            place=self.run.place(fault.geometry),
            fingerprint=fingerprint(
                rule.code,
                fault.clauses or rule.clauses or clauses,  # the same whatever the pack
                fault.role,
                fault.source.user_id,
                anchor(fault.geometry),
                fault.distinct,
            ),
            breaches=(Breach(pack.id, clauses, citations, severity, fault.limit),),
        )

    def _severity(self, rule: Rule, fault: Fault, clauses: tuple[str, ...]) -> Severity:
        """The fault's own, else the pack's, else the verb's; never above the rule's own."""
        if fault.severity is not None:
            return fault.severity
        verbs = [SEVERITY_OF_VERB[self.ordinance.by_id[i].verb] for i in clauses]
        by_verb = min(rule.default_severity, max(verbs, default=Severity.ERROR))
        return self.ordinance.severity_of(rule.code, by_verb)

    def _confirmation(self, rule: Rule, ask: Ask) -> Confirmation | None:
        """A question for a person; None where it is about a clause that the pack does not have."""
        pack = self.ordinance
        known = pack.ids_of([ask.clause]) if ask.clause else ()
        if ask.clause and not known and pack.ids_of(rule.clauses):
            return None
        clause = (known or self._clauses_of(rule))[0]
        place = self.run.place(ask.geometry)
        return Confirmation(rule.code, clause, ask.question, place, ask.geometry, pack.id)


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
