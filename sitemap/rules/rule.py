"""What a rule is: the decorator, and what a rule may yield. Rules compare and word; they never
open a file, never know a town, never see a severity.

A rule is a generator. It yields
  Checked   what was looked at, with the number found (without one the rule has not passed),
  Fault     one fault, with measured, limit, place and remedy,
  Ask       something that a person must look at,
  NotApplicable or Skip   why the rule says nothing here (and then returns).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity, Severity, Source


@dataclass(frozen=True, eq=False)
class Fault:
    """One fault as the rule words it; the engine adds severity, citation, cell, fingerprint."""

    message: str
    how_to_fix: str
    geometry: BaseGeometry | None = None
    measured: Quantity | None = None
    limit: Limit | None = None
    role: str | None = None
    source: Source = field(default_factory=Source)
    related: tuple[Source, ...] = ()
    field_name: str | None = None
    clauses: tuple[str, ...] = ()  # narrower than the rule's own, when the fault concerns fewer
    severity: Severity | None = None  # only where the measure decides (rules.md section 5.2)
    distinct: str = ""  # tells apart several faults on one feature in the fingerprint


@dataclass(frozen=True, eq=False)
class Ask:
    """A question for a person, with what to look at. clause: the clause id it belongs to."""

    question: str
    clause: str = ""
    geometry: BaseGeometry | None = None


@dataclass(frozen=True)
class Checked:
    """Evidence: `words` say what was looked at and found; `count` how many things (> 0 to pass)."""

    words: str
    count: int


@dataclass(frozen=True)
class NotApplicable:
    """The rule does not apply here, and why."""

    why: str


@dataclass(frozen=True)
class Skip:
    """The rule could not look, and why."""

    why: str


Said = Fault | Ask | Checked | NotApplicable | Skip
Body = Callable[..., Iterator[Said]]

PAGE_HEADINGS = (
    "Why",
    "How it is measured",
    "When it does not apply",
    "How to fix",
    "References",
)


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule: code, name (after "the map has ..."), what it needs, and its body.

    clauses are the base pack's ids; needs are roles without which it is skipped, uses are roles
    it takes when present (None otherwise), after are rules that must not have found or failed;
    refers are classes of reference, without any of which it is skipped.
    """

    code: str
    name: str
    clauses: tuple[str, ...]
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    after: tuple[str, ...]
    default_severity: Severity
    body: Body
    refers: tuple[str, ...] = ()

    @property
    def page(self) -> str:
        """The docstring: the rule's published page."""
        return inspect.getdoc(self.body) or ""

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """What the engine injects by name: roles, site, plate, ordinance, limits, surfaces.

        A rule that names surface or proposed_surface is skipped, with the reason, where that one
        cannot be had; one that names ground takes what there is.
        """
        return tuple(inspect.signature(self.body).parameters)


def rule(
    code: str,
    *,
    clauses: tuple[str, ...],
    needs: tuple[str, ...] = (),
    uses: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
    refers: tuple[str, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Callable[[Body], Rule]:
    """Make a Rule of a generator function named for the fault.

    `severity` is the rule's own where the clause's verb does not settle it (house style: info).
    """

    def wrap(body: Body) -> Rule:
        return Rule(code, body.__name__, clauses, needs, uses, after, severity, body, refers)

    return wrap
