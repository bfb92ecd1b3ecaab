"""ordinances/*.toml -> Ordinance, Clause. A town overrides a base pack without code."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sitemap.finding import Severity
from sitemap.units import Area, AreaUnit, Length, LengthUnit, MapScale

Verb = Literal["shall", "where identified", "should", "practice"]
TypedLimit = Length | Area | MapScale | float


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LimitSpec(_Strict):
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


class Clause(_Strict):
    """One clause: exact words, verb, limits, and the rules behind it or a person."""

    id: str  # "a" ... "j", "scale", "contours", "map", "3a", "5b", "6", "9c1a", "9c4"
    title: str  # short, for the matrix: "Existing topography, cover, drainage, waters"
    citation: str
    text: str
    verb: Verb = "shall"
    limits: dict[str, LimitSpec] = Field(default_factory=dict)
    roles: tuple[str, ...] = ()  # layer roles that show the clause
    rules: tuple[str, ...] = ()
    person: str = ""  # what a person decides; shown as "a person decides"


class RuleSetting(_Strict):
    """What a pack says of one rule, against the severity that its clause's verb gives."""

    severity: Literal["info", "warning", "error"] | None = None
    enabled: bool = True
    reason: str = ""


class Ordinance(_Strict):
    """A pack, base and overrides merged."""

    id: str
    title: str
    jurisdiction: str
    source: str
    edition: date | None = None
    based_on: str | None = None
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

    def severity_of(self, rule: str, default: Severity) -> Severity:
        """The pack's own severity for the rule, else the given one."""
        setting = self.rules.get(rule)
        if setting is None or setting.severity is None:
            return default
        return Severity.parse(setting.severity)
