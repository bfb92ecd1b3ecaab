"""The guard over legal quantities: boundary, disturbed and wetland acres may not drift by a repair.

What a change does to the area is held against the pack's acre tolerance and against 0.1 %, for
the feature and for its role in sum; every round of a repair spends from the same allowance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sitemap.finding import Source

LEGAL_ROLES = {
    "boundary": "site acres",
    "disturbance": "disturbed acres",
    "wetlands": "wetland acres",
}
LEGAL_SHARE = 0.001


@dataclass
class LegalQuantities:
    """The allowance of one whole repair. tolerance_acres is the pack's acres_tolerance."""

    tolerance_acres: float
    totals: dict[str, float] = field(default_factory=dict)  # role -> acres as handed in
    unmeasured: dict[str, str] = field(default_factory=dict)  # role -> why its acres are not known
    spent: dict[object, float] = field(default_factory=dict)  # role or feature -> acres, signed
    repeated: dict[str, list[str]] = field(default_factory=dict)  # role -> datasets that came twice

    def register(self, role: str, acres: float, repeated: Sequence[str] = ()) -> None:
        """The acres of a role as handed in; the first word counts.

        repeated: datasets that hold the features of another one again, whose acres are not in it.
        """
        if role not in self.totals:
            self.totals[role], self.repeated[role] = acres, list(repeated)

    def refusal(
        self, role: str | None, source: Source, before: float, after: float, *, in_sum: bool = True
    ) -> str:
        """Why a change from `before` to `after` acres is refused; empty when it may be made.

        in_sum is False for a feature of a dataset that came twice: it is in no sum.
        """
        if role not in LEGAL_ROLES:
            return ""
        name, change = LEGAL_ROLES[role], after - before
        limits: list[tuple[str, object, float]] = [
            ("of this feature", (role, source.file, source.layer, source.feature), before)
        ]
        if in_sum:
            limits.append(("of the site in sum", role, self.totals.get(role, before)))
        for what, key, whole in limits:
            drift = self.spent.get(key, 0.0) + change
            allowed = min(self.tolerance_acres, LEGAL_SHARE * whole)
            if not abs(drift) <= allowed:  # also where the area is not a number
                return (
                    f"{name} {what} would change by {drift:+.4f} acres (from {before:.4f} to "
                    f"{after:.4f}); at most {allowed:.4f} may change by a repair. Redraw it, or "
                    "confirm the acres in the file itself"
                )
        return ""

    def spend(
        self, role: str | None, source: Source, before: float, after: float, *, in_sum: bool = True
    ) -> None:
        """Book a change that is made."""
        if role in LEGAL_ROLES:
            feature = (role, source.file, source.layer, source.feature)
            for key in (feature, role) if in_sum else (feature,):
                self.spent[key] = self.spent.get(key, 0.0) + after - before
