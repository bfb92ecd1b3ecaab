"""CheckedSite: what a check says, law by law and clause by clause, with causes.

check.py makes it, report writes it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sitemap.finding import Confirmation, Finding, Outcome, Place, Severity, Status, Verdict
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Clause, Ordinance
from sitemap.site import Site
from sitemap.waivers import WaiverUse

if TYPE_CHECKING:
    from sitemap.decisions import Decision, Decisions

EXIT_COMPLIES, EXIT_FINDINGS, EXIT_NOT_JUDGED, EXIT_CONFIRM = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class ClauseLine:
    """One row of the clause matrix: the clause, what became of it, and by what evidence.

    findings are all that cite the clause, also waived ones; status is FOUND only when one of them
    is an error that counts under this pack. ordinance is the id of the pack.
    """

    clause: Clause
    status: Status
    evidence: tuple[str, ...]
    findings: tuple[Finding, ...]
    confirmations: tuple[Confirmation, ...]
    ordinance: str = ""
    decision: Decision | None = None

    @property
    def is_denied(self) -> bool:
        """Whether a person decided that the clause is not fulfilled."""
        return self.decision is not None and self.decision.verdict == "not fulfilled"

    @property
    def words(self) -> str:
        """The outcome as printed: "passed, 1 warning", "2 errors", "needs a person"."""
        counts = _counts(self._as_under_pack())
        if self.status is Status.FOUND:
            return counts or "not fulfilled"
        plain = {
            Status.SKIPPED: "not judged",
            Status.FAILED: "could not be run",
            Status.NEEDS_PERSON: "needs a person" if self.clause.on_map else "a person decides",
        }
        words = plain.get(self.status, self.status.value)
        return f"{words}, {counts}" if counts else words

    def _as_under_pack(self) -> Iterator[tuple[Severity, str]]:
        """Severity of each finding under this pack, and "waived" or such where it is so there."""
        for finding in self.findings:
            breach = finding.under(self.ordinance) or finding
            yield breach.severity, breach.waiver.status if breach.waiver else ""


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a check says under one law alone; its findings are those of the whole check."""

    ordinance: Ordinance
    outcomes: tuple[Outcome, ...]
    clauses: tuple[ClauseLine, ...]
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class Cause:
    """One thing to put right, and what goes away with it.

    findings are the cause's own, explains those that follow from them, waiting the codes of rules
    that could not judge because of it. where is a file, a role or "".
    """

    rule: str
    rule_name: str
    where: str
    findings: tuple[Finding, ...]
    explains: tuple[Finding, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The rule's name and where: 'layer far from boundary: wetlands.shp'."""
        name = self.rule_name.replace("_", " ")
        return f"{name}: {self.where}" if self.where else name

    @property
    def severity(self) -> Severity:
        """The gravest of all that it accounts for."""
        return max(f.severity for f in (*self.findings, *self.explains))

    @property
    def number(self) -> int:
        """How many findings it accounts for, its own and those that follow."""
        return len(self.findings) + len(self.explains)


@dataclass(frozen=True)
class Asked:
    """With which options a run was asked for, as they were given; for whoever repeats it."""

    ordinance: tuple[str, ...] = ()
    plate: str | None = None
    decisions: str | None = None
    crs: str | None = None
    encoding: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    reference: tuple[str, ...] = ()  # without passwords


@dataclass(frozen=True, eq=False)
class CheckedSite:
    """A site, judged: every rule's outcome and the verdict over all laws.

    now is the day of the run. judgements has one entry per law, ordinance is the first of them.
    clauses holds the lines of all laws in turn, of each the items of the map first, then those
    beside it. causes come in the shortest way to compliance.
    """

    site: Site
    ordinance: Ordinance
    outcomes: tuple[Outcome, ...]
    clauses: tuple[ClauseLine, ...]
    verdict: Verdict
    now: dt.date
    plate: MeasuredPlate | None = None
    judgements: tuple[Judgement, ...] = ()
    waivers: tuple[WaiverUse, ...] = ()
    causes: tuple[Cause, ...] = ()
    decisions: Decisions | None = None
    asked: Asked = Asked()

    @cached_property
    def ordinances(self) -> tuple[Ordinance, ...]:
        """The laws of the run, in the order in which they were given."""
        return tuple(j.ordinance for j in self.judgements) or (self.ordinance,)

    @cached_property
    def by_clause(self) -> tuple[tuple[ClauseLine | None, tuple[Finding, ...]], ...]:
        """Each finding once, under the first clause it cites; worst first within a clause.

        Waived ones come last. None stands for findings whose clauses the pack does not have.
        """
        groups: list[tuple[ClauseLine | None, tuple[Finding, ...]]] = []
        left = [f for outcome in self.outcomes for f in outcome.findings]
        for line in self.clauses:
            cited = {id(f) for f in line.findings}
            own = [f for f in left if id(f) in cited]
            if own:
                worst_first = sorted(own, key=lambda f: (not f.counts, -f.severity))
                groups.append((line, tuple(worst_first)))
                left = [f for f in left if id(f) not in cited]
        if left:
            groups.append((None, tuple(left)))
        return tuple(groups)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in clause order; the place in this order, from 1, is a finding's number."""
        return tuple(f for _, group in self.by_clause for f in group)

    @cached_property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """All questions for a person, in clause order; once where several laws ask the same."""
        return joined_confirmations(c for line in self.clauses for c in line.confirmations)

    @property
    def verdict_words(self) -> str:
        """The verdict as printed, with the number of items that a person confirms."""
        words = str(self.verdict.value)
        if self.verdict is Verdict.COMPLIES_IF_CONFIRMED:
            words += f" {plural(len(self.confirmations), 'item')}"
        return words

    @cached_property
    def waived(self) -> tuple[Finding, ...]:
        """The findings that do not count, because every law that they break is waived."""
        return tuple(f for f in self.findings if not f.counts)

    @cached_property
    def ignored(self) -> dict[str, tuple[Outcome, ...]]:
        """The rules that were left out of the run, by the option that did so."""
        groups: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            if outcome.ignored_by:
                groups.setdefault(outcome.why, []).append(outcome)
        return {why: tuple(outcomes) for why, outcomes in groups.items()}

    def with_status(self, *statuses: Status) -> tuple[Outcome, ...]:
        """The outcomes of these statuses, in ordinance order."""
        return tuple(outcome for outcome in self.outcomes if outcome.status in statuses)


def exit_code(checked: CheckedSite, fail_on: Severity | None) -> int:
    """0 complies, 1 findings at or above `fail_on` (None: never), 2 not judged, 3 to confirm."""
    if fail_on is not None and (
        any(f.severity >= fail_on for f in checked.findings if f.counts)
        or any(line.is_denied for line in checked.clauses)
    ):
        return EXIT_FINDINGS
    codes = {
        Verdict.NOT_JUDGED: EXIT_NOT_JUDGED,
        Verdict.COMPLIES_IF_CONFIRMED: EXIT_CONFIRM,
    }
    return codes.get(checked.verdict, EXIT_COMPLIES)


def count_words(findings: Iterable[Finding]) -> str:
    """'2 errors, 1 warning, 3 notes, 1 waived'; empty where there is none."""
    return _counts((f.severity, f.waiver.status if f.waiver else "") for f in findings)


def _counts(findings: Iterable[tuple[Severity, str]]) -> str:
    rows = list(findings)
    levels = [severity for severity, closed in rows if not closed]
    names = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note"))
    words = [plural(levels.count(s), name) for s, name in names if s in levels]
    closed = Counter(status for _, status in rows if status)
    return ", ".join([*words, *(f"{number} {status}" for status, number in closed.items())])


def joined_confirmations(items: Iterable[Confirmation]) -> tuple[Confirmation, ...]:
    """Questions that several packs ask in the same words about the same place, each once.

    Within one pack they stay apart: they belong to different clauses.
    """
    kept: list[Confirmation] = []
    places: dict[tuple[str, Place | None], list[int]] = {}  # of one question, in kept
    for item in items:
        known = places.setdefault((item.question, item.place), [])
        same = next((i for i in known if _same_question(item, kept[i])), None)
        if same is None:
            known.append(len(kept))
            kept.append(item)
        elif item.ordinance not in (kept[same].ordinance, *kept[same].also):
            kept[same] = replace(kept[same], also=(*kept[same].also, item.ordinance))
    return tuple(kept)


def _same_question(one: Confirmation, other: Confirmation) -> bool:
    return one.ordinance != other.ordinance or one.clause == other.clause


def plural(number: int, thing: str) -> str:
    """'1 feature', '3 features'."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
