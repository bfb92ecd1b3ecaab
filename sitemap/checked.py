"""CheckedSite: what a check says, clause by clause. check.py makes it, report writes it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sitemap.finding import Confirmation, Finding, Outcome, Status, Verdict
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Clause, Ordinance
from sitemap.site import Site


@dataclass(frozen=True, eq=False)
class ClauseLine:
    """One row of the clause matrix: the clause, what became of it, and by what evidence."""

    clause: Clause
    status: Status
    evidence: tuple[str, ...]
    findings: tuple[Finding, ...]
    confirmations: tuple[Confirmation, ...]


@dataclass(frozen=True, eq=False)
class CheckedSite:
    """Site and ordinance with every rule's outcome and the verdict. now is the day of the run."""

    site: Site
    ordinance: Ordinance
    outcomes: tuple[Outcome, ...]
    clauses: tuple[ClauseLine, ...]
    verdict: Verdict
    now: dt.date
    plate: MeasuredPlate | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in clause order."""
        return tuple(f for outcome in self.outcomes for f in outcome.findings)

    @property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """All questions for a person, clauses' own first."""
        seen: dict[tuple[str, str], Confirmation] = {}
        for line in self.clauses:
            for item in line.confirmations:
                seen.setdefault((item.clause, item.question), item)
        return tuple(seen.values())
