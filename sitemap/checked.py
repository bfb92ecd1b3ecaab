"""CheckedSite: what a check says, clause by clause. check.py makes it, report writes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sitemap.finding import Confirmation, Finding, Outcome, Severity, Status, Verdict
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Clause, Ordinance
from sitemap.site import Site

EXIT_COMPLIES, EXIT_FINDINGS, EXIT_NOT_JUDGED, EXIT_CONFIRM = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class ClauseLine:
    """One row of the clause matrix: the clause, what became of it, and by what evidence.

    findings are all that cite the clause; status is FOUND only when one of them is an error.
    """

    clause: Clause
    status: Status
    evidence: tuple[str, ...]
    findings: tuple[Finding, ...]
    confirmations: tuple[Confirmation, ...]

    @property
    def words(self) -> str:
        """The outcome as printed: "passed, 1 warning", "2 errors", "needs a person"."""
        counts = count_words(self.findings)
        if self.status is Status.FOUND:
            return counts
        plain = {
            Status.SKIPPED: "not judged",
            Status.FAILED: "could not be run",
            Status.NEEDS_PERSON: "needs a person" if self.clause.on_map else "a person decides",
        }
        words = plain.get(self.status, self.status.value)
        return f"{words}, {counts}" if counts else words


@dataclass(frozen=True, eq=False)
class CheckedSite:
    """Site and ordinance with every rule's outcome and the verdict. now is the day of the run.

    clauses holds the items of the map first, in the pack's order, then those beside it.
    """

    site: Site
    ordinance: Ordinance
    outcomes: tuple[Outcome, ...]
    clauses: tuple[ClauseLine, ...]
    verdict: Verdict
    now: dt.date
    plate: MeasuredPlate | None = None

    @cached_property
    def by_clause(self) -> tuple[tuple[ClauseLine | None, tuple[Finding, ...]], ...]:
        """Each finding once, under the first clause it cites; worst first within a clause.

        None stands for findings whose clauses the pack does not have.
        """
        groups: list[tuple[ClauseLine | None, tuple[Finding, ...]]] = []
        left = [f for outcome in self.outcomes for f in outcome.findings]
        for line in self.clauses:
            own = [f for f in left if line.clause.id in f.clauses]
            if own:
                groups.append((line, tuple(sorted(own, key=lambda f: -f.severity))))
                left = [f for f in left if line.clause.id not in f.clauses]
        if left:
            groups.append((None, tuple(left)))
        return tuple(groups)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in clause order; the place in this order, from 1, is a finding's number."""
        return tuple(f for _, group in self.by_clause for f in group)

    @cached_property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """All questions for a person, each once, in clause order."""
        seen: dict[tuple[str, str], Confirmation] = {}
        for line in self.clauses:
            for item in line.confirmations:
                seen.setdefault((item.clause, item.question), item)
        return tuple(seen.values())

    @property
    def verdict_words(self) -> str:
        """The verdict as printed, with the number of items that a person confirms."""
        words = str(self.verdict.value)
        if self.verdict is Verdict.COMPLIES_IF_CONFIRMED:
            words += f" {plural(len(self.confirmations), 'item')}"
        return words

    def with_status(self, *statuses: Status) -> tuple[Outcome, ...]:
        """The outcomes of these statuses, in ordinance order."""
        return tuple(outcome for outcome in self.outcomes if outcome.status in statuses)


def exit_code(checked: CheckedSite, fail_on: Severity | None) -> int:
    """0 complies, 1 findings at or above `fail_on` (None: never), 2 not judged, 3 to confirm."""
    if fail_on is not None and any(f.severity >= fail_on for f in checked.findings):
        return EXIT_FINDINGS
    codes = {
        Verdict.NOT_JUDGED: EXIT_NOT_JUDGED,
        Verdict.COMPLIES_IF_CONFIRMED: EXIT_CONFIRM,
    }
    return codes.get(checked.verdict, EXIT_COMPLIES)


def count_words(findings: Iterable[Finding]) -> str:
    """'2 errors, 1 warning, 3 notes'; empty where there is none."""
    levels = [f.severity for f in findings]
    names = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note"))
    return ", ".join(plural(levels.count(s), name) for s, name in names if s in levels)


def plural(number: int, thing: str) -> str:
    """'1 feature', '3 features'."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
