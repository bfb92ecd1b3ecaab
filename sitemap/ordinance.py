"""ordinances/*.toml -> Ordinance, Clause. A town overrides a base pack without code.

A pack with `based_on` is merged into its base by clause id, limit name and rule code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from sitemap.config_faults import explained
from sitemap.config_words import StrictTable
from sitemap.finding import Severity
from sitemap.pack_tables import PACKS, find_pack, merged_tables, ordinance_names
from sitemap.units import Area, AreaUnit, Length, LengthUnit, MapScale

__all__ = [
    "INJECTED", "PACKS", "Clause", "LimitSpec", "Ordinance", "RuleSetting", "TypedLimit", "Verb",
    "known_limits", "lint_ordinance", "load_ordinance", "ordinance_names",
]  # fmt: skip

Verb = Literal["shall", "where identified", "should", "practice"]
TypedLimit = Length | Area | MapScale | float


class LimitSpec(StrictTable):
    """One number of the law (or a documented reading of it), with its unit.

    unit: ft, ftUS, m, in, mi | acres, sq ft, sq m | ft/in | pct, deg, years, days, ratio, count.
    """

    value: float
    unit: str
    operator: Literal["<=", ">=", "<", ">", "=="] = "<="
    reading: str = ""  # how the words are taken, when the text itself gives no number
    confirmed: bool = True  # False: could not be confirmed in a retrieved text

    @property
    def typed(self) -> TypedLimit:
        """The limit as Length, Area or MapScale; a plain number for pct, deg, days and so on."""
        if self.unit == "ft/in":
            return MapScale(self.value)
        with suppress(ValueError):
            return Length(self.value, LengthUnit.parse(self.unit))
        with suppress(ValueError):
            return Area(self.value, AreaUnit.parse(self.unit))
        return self.value


class Clause(StrictTable):
    """One clause: exact words, verb, limits, and the rules behind it or a person.

    on_map tells the items of the site map from the clauses beside it (narrative, practices).
    person_always asks the person even where all rules pass. decided_by are the rules without
    which the clause has not been judged. text_seen is False where the words could not be read in
    the law's own text: they follow a town's copy, a sister law or a summary. stands_for are the
    clauses of the base pack, by which rules call this one, where a town numbers otherwise.
    """

    id: str  # "a" ... "j", "scale", "contours", "map", "3a", "5b", "6", "9c1a", "9c4"
    title: str  # short, for the matrix: "Existing topography, cover, drainage, waters"
    citation: str
    text: str
    verb: Verb = "shall"
    limits: dict[str, LimitSpec] = Field(default_factory=dict)
    roles: tuple[str, ...] = ()  # layer roles that show the clause
    rules: tuple[str, ...] = ()
    person: str = ""  # what a person decides; shown as "a person decides"
    person_always: bool = False
    decided_by: tuple[str, ...] = ()
    on_map: bool = True
    text_seen: bool = True
    added: bool = False  # a clause that only the town has, not its base pack
    stands_for: tuple[str, ...] = ()

    @field_validator("text", "person")
    @classmethod
    def _in_one_line(cls, words: str) -> str:
        return " ".join(words.split())

    @property
    def label(self) -> str:
        """As cited in print: (a) for the items of the map, else the id."""
        return f"({self.id})" if len(self.id) == 1 and self.id.isalpha() else self.id


class RuleSetting(StrictTable):
    """What a pack says of one rule, against the severity that its clause's verb gives."""

    severity: Literal["info", "warning", "error"] | None = None
    enabled: bool = True
    reason: str = ""


class Ordinance(StrictTable):
    """A pack, base and overrides merged."""

    id: str
    title: str
    jurisdiction: str
    source: str
    version: str
    edition: date | None = None
    based_on: str | None = None
    omit: dict[str, str] = Field(default_factory=dict)  # clauses of the base that it has not: why
    left_out: dict[str, str] = Field(default_factory=dict)  # rules without a clause here: why
    default_crs: str | None = None
    clauses: tuple[Clause, ...]
    tolerances: dict[str, LimitSpec]
    readings: tuple[str, ...] = ()
    rules: dict[str, RuleSetting] = Field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Clause]:
        """Clauses by id, in the pack's order."""
        return {clause.id: clause for clause in self.clauses}

    @cached_property
    def limits(self) -> dict[str, LimitSpec]:
        """All limits and tolerances by name; names are unique over the pack."""
        found = dict(self.tolerances)
        for clause in self.clauses:
            found.update(clause.limits)
        return found

    def clauses_of(self, rule: str) -> tuple[Clause, ...]:
        """The clauses that name a rule, in the pack's order."""
        return tuple(clause for clause in self.clauses if rule in clause.rules)

    def ids_of(self, named: Iterable[str], role: str | None = None) -> tuple[str, ...]:
        """The pack's own clauses for those that a rule names by the base pack's ids.

        A clause that stands for one of them counts only if it is about the role, when it names
        roles at all.
        """
        found: list[str] = []
        for name in named:
            own = self.by_id.get(name)
            if own is not None and not own.stands_for:
                found.append(name)
            found += [
                c.id
                for c in self.clauses
                if name in c.stands_for and (role is None or not c.roles or role in c.roles)
            ]
        return tuple(dict.fromkeys(found))

    def severity_of(self, rule: str, default: Severity) -> Severity:
        """The pack's own severity for the rule, else the given one."""
        setting = self.rules.get(rule)
        if setting is None or setting.severity is None:
            return default
        return Severity.parse(setting.severity)

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits over everything the pack says, so that a verdict names its law."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]


PLAIN_UNITS = ("pct", "deg", "years", "days", "ratio", "count", "sq ft/acre", "tons/acre/year")
INJECTED = (
    "site",
    "plate",
    "ordinance",
    "now",
    "waivers",
    "surface",
    "proposed_surface",
    "flow",
    "ground",
)  # what a rule gets that is no limit and no role


def load_ordinance(name_or_path: str) -> Ordinance:
    """The pack of this name, or of this TOML file, merged with its base.

    Raises ConfigurationError, naming file and key, when a pack breaks the schema.
    """
    path = find_pack(name_or_path, Path())
    return _validated(path, merged_tables(path))


@cache
def known_limits() -> frozenset[str]:
    """The names of all limits that some pack of the program has; rules may ask for these."""
    return frozenset(n for name in ordinance_names() for n in load_ordinance(name).limits)


def _validated(path: Path, tables: dict[str, Any]) -> Ordinance:
    try:
        return Ordinance.model_validate(tables)
    except ValidationError as error:
        raise explained(error, path, Ordinance, tables) from None


def lint_ordinance(
    ordinance: Ordinance,
    rule_codes: Collection[str],
    roles: Collection[str] | None = None,
) -> list[str]:
    """What is wrong with a pack that its schema cannot see; empty when all is well.

    rule_codes are the codes of the program, roles the catalogue's; without roles they are not
    checked.
    """
    found = [*_lint_limits(ordinance)]
    for clause in ordinance.clauses:
        found += [f"clause {clause.id}: {words}" for words in _lint_clause(clause, rule_codes)]
        if roles is not None:
            strange = [role for role in clause.roles if role not in roles]
            found += [f"clause {clause.id}: unknown role {role!r}" for role in strange]
    ids = [clause.id for clause in ordinance.clauses]
    found += [f"clause {i}: stands twice" for i in dict.fromkeys(ids) if ids.count(i) > 1]
    found += [f"rules: unknown rule {code!r}" for code in ordinance.rules if code not in rule_codes]
    unnamed = [
        code
        for code in rule_codes
        if not ordinance.clauses_of(code) and code not in ordinance.left_out
    ]
    found += [f"rule {code}: no clause names it" for code in unnamed]
    return [f"{ordinance.id}: {words}" for words in found]


def _lint_clause(clause: Clause, rule_codes: Collection[str]) -> Iterator[str]:
    for code in clause.rules:
        if code not in rule_codes:
            yield f"unknown rule {code!r}"
    for code in clause.decided_by:
        if code not in clause.rules:
            yield f"decided_by names {code!r}, which is not among its rules"
    if not clause.rules and not clause.person:
        yield "neither a rule nor words for a person who decides"
    if clause.person_always and not clause.person:
        yield "person_always without words for the person"
    if not clause.text.strip() or not clause.citation.strip():
        yield "text or citation is empty"


def _lint_limits(ordinance: Ordinance) -> Iterator[str]:
    named = [("tolerances", n, s) for n, s in ordinance.tolerances.items()]
    named += [(f"clause {c.id}", n, s) for c in ordinance.clauses for n, s in c.limits.items()]
    where: dict[str, str] = {}
    for place, name, limit in named:
        if name in where:
            yield f"{place}: limit {name} stands already in {where[name]}; names are unique"
        where.setdefault(name, place)
        if not name.isidentifier() or name in INJECTED:
            yield f"{place}: limit name {name!r} cannot be the argument of a rule"
        if not limit.unit.strip():
            yield f"{place}: limit {name} has no unit"
        elif isinstance(limit.typed, float) and limit.unit not in PLAIN_UNITS:
            plain = ", ".join(PLAIN_UNITS)
            yield (
                f"{place}: limit {name} has the unknown unit {limit.unit!r}; accepted: a unit of "
                f"length or area, ft/in, {plain}"
            )
