"""Runs the body of a rule, in its own isolation, once for each set of arguments.

Several packs that set a rule the same limits share one hearing; Heard sorts it for one of them.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field, replace
from typing import Any

from sitemap.finding import Confirmation, Finding, Source, Status, fingerprint
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Rule, Said, Skip

Key = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Hearing:
    """What a rule said, in order, up to the error that stopped it, if one did."""

    said: tuple[Said, ...] = ()
    error: str = ""
    trace: str | None = None


@dataclass
class Hearings:
    """The hearings of one run, kept by rule and arguments."""

    kept: dict[Key, Hearing] = field(default_factory=dict)

    def hear(self, rule: Rule, arguments: dict[str, Any], key: Key) -> Hearing:
        """What the rule says; key stands for those arguments that differ between packs."""
        full = (rule.code, rule.name, *key)
        if full not in self.kept:
            self.kept[full] = _hear(rule, arguments)
        return self.kept[full]


def _hear(rule: Rule, arguments: dict[str, Any]) -> Hearing:
    said: list[Said] = []
    try:
        for thing in rule.body(**arguments):
            if not isinstance(thing, Fault | Ask | Checked | NotApplicable | Skip):
                raise TypeError(f"a rule yielded {thing!r}, which is none of {Said}")
            said.append(thing)
    except Exception as error:  # one broken rule must not cost the others their say
        return Hearing(tuple(said), program_fault(error), traceback.format_exc())
    return Hearing(tuple(said))


def program_fault(error: Exception) -> str:
    """An error inside a rule in one line."""
    words = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"a fault of the program: {words}"


@dataclass
class Heard:
    """What one rule said, sorted and worded for one pack."""

    findings: list[Finding] = field(default_factory=list)
    asks: list[Confirmation] = field(default_factory=list)
    checked: list[Checked] = field(default_factory=list)
    silent: list[NotApplicable | Skip] = field(default_factory=list)
    error: str = ""
    trace: str | None = None

    def hear(self, said: Finding | Confirmation | Checked | NotApplicable | Skip | None) -> None:
        """Put one thing in its place; None is a fault that the pack does not ask about."""
        match said:
            case Finding():
                self.findings.append(said)
            case Confirmation():
                self.asks.append(said)
            case Checked():
                self.checked.append(said)
            case NotApplicable() | Skip():
                self.silent.append(said)

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


def with_unique_fingerprints(findings: list[Finding]) -> tuple[Finding, ...]:
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
