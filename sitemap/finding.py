"""Finding, Outcome, Verdict: what a check says. Severity and limits come from the ordinance.

A finding says something about the map; an error (errors.py) says the tool could not work.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Literal

from shapely.geometry.base import BaseGeometry


class Severity(IntEnum):
    """How grave a finding is; ordered, so that `>=` works for --fail-on."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @classmethod
    def parse(cls, text: str) -> Severity:
        """From 'info', 'warning' or 'error'; ValueError lists them."""
        try:
            return cls[text.strip().upper()]
        except KeyError:
            raise ValueError(f"unknown severity {text!r}; accepted: info, warning, error") from None

    def __str__(self) -> str:
        return self.name.lower()


class Status(Enum):
    """What became of one rule in one run."""

    PASSED = "passed"
    FOUND = "found"
    NOT_APPLICABLE = "not applicable"
    SKIPPED = "skipped"
    NEEDS_PERSON = "needs a person"
    FAILED = "failed to run"


class Verdict(Enum):
    """What the whole check says. "Approved" is the City Engineer's word, never ours."""

    COMPLIES = "complies"
    COMPLIES_IF_CONFIRMED = "complies if a person confirms"
    DOES_NOT_COMPLY = "does not comply"
    NOT_JUDGED = "could not be judged"


# what rules count and measure in whole words, and each of them alone
_ONE = {"acres": "acre", "companion files": "companion file", "contours": "contour",
        "controls": "control", "coordinates": "coordinate", "crossings": "crossing",
        "datasets": "dataset", "days": "day", "features": "feature", "reaches": "reach",
        "records": "record", "years": "year"}  # fmt: skip


def _in_unit(number: str, unit: str) -> str:
    """'1 feature twice' of 1 and "features twice"; units that are signs stay."""
    if number == "1":
        for many, one in _ONE.items():
            if unit == many or unit.startswith(f"{many} "):
                unit = one + unit[len(many) :]
                break
    return f"{number} {unit}".strip()


@dataclass(frozen=True)
class Quantity:
    """A measured value with unit and, where it carries one, its uncertainty (same unit)."""

    value: float
    unit: str
    tolerance: float | None = None

    def __str__(self) -> str:
        spread = "" if self.tolerance is None else f" ± {self.tolerance:g}"
        return _in_unit(f"{self.value:,.6g}{spread}", self.unit)


@dataclass(frozen=True)
class Limit:
    """What the ordinance allows: `<=` 100 ft/in."""

    value: float
    unit: str
    operator: Literal["<=", ">=", "<", ">", "=="] = "<="

    def __str__(self) -> str:
        words = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": ""}
        return f"{words[self.operator]} {_in_unit(f'{self.value:,.6g}', self.unit)}".strip()


@dataclass(frozen=True)
class Source:
    """Where a fault sits in the user's own files."""

    file: str | None = None
    layer: str | None = None
    feature: int | None = None  # 0-based number of the record in its file
    user_id: str | None = None

    def __str__(self) -> str:
        parts = [self.file or "", f"layer {self.layer}" if self.layer else ""]
        if self.user_id:
            parts.append(f"id {self.user_id}")
        if self.feature is not None:
            parts.append(f"record {self.feature}")
        return ", ".join(p for p in parts if p)


@dataclass(frozen=True)
class Place:
    """Where it is: site coordinates in feet, degrees, grid cell, sheet."""

    x_ft: float
    y_ft: float
    lon: float | None = None
    lat: float | None = None
    cell: str | None = None
    sheet: str | None = None

    def __str__(self) -> str:
        cell = f"cell {self.cell}, " if self.cell else ""
        return f"{cell}E {self.x_ft:,.1f} N {self.y_ft:,.1f}"


@dataclass(frozen=True)
class Waiver:
    """Who let a fault stand, why, since when and until when. A person grants it, never a rule.

    The finding that carries it keeps its former severity and stays in every report. status is
    "waived" for one of site.toml, else what the reviewer decided.
    """

    reason: str
    authority: str
    date: dt.date
    expires: dt.date | None = None
    condition: str | None = None
    status: Literal["waived", "resolved", "exception", "not a problem"] = "waived"

    def __str__(self) -> str:
        until = f", until {self.expires}" if self.expires else ""
        condition = f"; on condition: {self.condition}" if self.condition else ""
        return f"{self.reason} ({self.authority}, {self.date}{until}){condition}"


@dataclass(frozen=True)
class Breach:
    """One law that a fault breaks: its clauses, and its own severity, limit and waiver."""

    ordinance: str  # id of the pack
    clauses: tuple[str, ...]
    citations: tuple[str, ...]
    severity: Severity
    limit: Limit | None = None
    waiver: Waiver | None = None


@dataclass(frozen=True, eq=False)
class Finding:
    """One fault, ready to be printed, drawn and acted on, whatever number of laws it breaks.

    clauses are those of the first law, citations those of all; breaches tell them apart. limit
    and message are those of the strictest law. waiver is set only where every law is waived.
    geometry is in the site CRS (feet); geometry_kind says whether it is the fault itself,
    context, or a proposal. how_to_fix is the rule page's remedy, worded for this case.
    """

    rule: str
    rule_name: str
    clauses: tuple[str, ...]
    citations: tuple[str, ...]
    severity: Severity
    message: str
    how_to_fix: str
    measured: Quantity | None = None
    limit: Limit | None = None
    role: str | None = None
    source: Source = field(default_factory=Source)
    related: tuple[Source, ...] = ()
    field_name: str | None = None
    geometry: BaseGeometry | None = None
    geometry_kind: Literal["fault", "context", "proposal"] = "fault"
    place: Place | None = None
    fingerprint: str = ""
    waiver: Waiver | None = None
    breaches: tuple[Breach, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it counts for verdict and exit code: not where it is waived."""
        return self.waiver is None

    def under(self, ordinance: str) -> Breach | None:
        """What it breaks of one pack, or None."""
        return next((b for b in self.breaches if b.ordinance == ordinance), None)


@dataclass(frozen=True)
class Confirmation:
    """Something a person must look at before a clause can be called fulfilled."""

    rule: str | None
    clause: str
    question: str
    place: Place | None = None
    geometry: BaseGeometry | None = None
    ordinance: str = ""  # id of the pack whose clause it is
    also: tuple[str, ...] = ()  # ids of other packs that ask the same


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one rule said in one run; `why` is always filled unless it passed or found.

    ignored_by names the option that left the rule out: "--ignore CON".
    """

    rule: str
    rule_name: str
    clauses: tuple[str, ...]
    status: Status
    findings: tuple[Finding, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    evidence: tuple[str, ...] = ()
    why: str = ""
    trace: str | None = None  # kept apart from what users see
    ignored_by: str = ""


def fingerprint(
    rule: str,
    clauses: tuple[str, ...],
    role: str | None,
    user_id: str | None,
    geometry: BaseGeometry | None,
    distinct: str = "",
) -> str:
    """Sixteen hex digits that survive re-export: user's id, else place rounded to 1 ft and shape.

    `distinct` tells apart findings of one rule on one feature (a field name, a level).
    """
    if user_id:
        anchor = f"id:{user_id}"
    elif geometry is not None and not geometry.is_empty:
        point = geometry.representative_point()
        size = max(geometry.length, 0.0)
        anchor = f"at:{round(point.x)},{round(point.y)}:{geometry.geom_type}:{round(size)}"
    else:
        anchor = "site"
    text = "|".join((rule, ",".join(sorted(clauses)), role or "", anchor, distinct))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


JsonDict = dict[str, Any]
