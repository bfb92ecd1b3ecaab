"""What a reviewer decided, as a JSON file: of a finding by its fingerprint, of a clause by its id.

The published schema is review/decisions.schema.json. A decision never hides anything: a finding
that it closes stays in every report with that status and does not count, like a waived one.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import shapely
from pydantic import ConfigDict, Field, ValidationError, field_validator, model_validator
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from sitemap.config_faults import explained
from sitemap.config_words import StrictTable
from sitemap.errors import ConfigurationError
from sitemap.finding import Finding, Waiver, fingerprint

FileStatus = Literal["open", "resolved", "exception", "not a problem"]
ClauseVerdict = Literal["fulfilled", "not fulfilled"]
HIDDEN = frozenset(["file", "sha256", "bytes", "schema_"])  # of Decisions, but not of the file
REDLINE_SHAPES = (
    "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
)  # fmt: skip


class _Table(StrictTable):
    model_config = ConfigDict(str_strip_whitespace=True)


class Redline(_Table):
    """One drawing of the reviewer: a GeoJSON feature in the site CRS, with its text."""

    type: Literal["Feature"] = "Feature"
    geometry: dict[str, Any]
    properties: dict[str, Any] | None = None
    id: str | int | None = None

    @field_validator("geometry")
    @classmethod
    def _can_be_drawn(cls, value: dict[str, Any]) -> dict[str, Any]:
        accepted = f"a geometry of {', '.join(REDLINE_SHAPES)} with finite coordinates"
        if value.get("type") not in REDLINE_SHAPES:
            raise ValueError(f"is a {value.get('type')!r}; accepted: {accepted}")
        try:
            xy = shapely.get_coordinates(shape(value))
        except Exception:  # shapely raises many kinds for coordinates that are none
            raise ValueError(f"has coordinates that cannot be read; accepted: {accepted}") from None
        if not xy.size or not bool((abs(xy) < math.inf).all()):
            raise ValueError(f"is empty or not finite; accepted: {accepted}")
        return value

    @property
    def ground(self) -> BaseGeometry:
        """What was drawn, in the site CRS (feet)."""
        drawn: BaseGeometry = shape(self.geometry)
        return drawn

    @property
    def text(self) -> str:
        """The words beside it, or ""."""
        return str((self.properties or {}).get("text") or "")


class Redlines(_Table):
    """A GeoJSON feature collection."""

    type: Literal["FeatureCollection"] = "FeatureCollection"
    features: tuple[Redline, ...] = ()


class Decision(_Table):
    """What one person said of one finding or of one clause.

    A clause is decided by its verdict, a finding by its status. ordinance is the id of a pack;
    None speaks under every law of the run.
    """

    finding: str | None = Field(default=None, pattern="^[0-9a-f]{16}$")
    clause: str | None = Field(default=None, min_length=1)
    ordinance: str | None = None
    verdict: ClauseVerdict | None = None
    status: FileStatus = "open"
    comment: str = ""
    reviewer: str = Field(min_length=1)
    date: dt.date
    redlines: Redlines | None = None

    @model_validator(mode="after")
    def _is_about_one_thing(self) -> Decision:
        if (self.finding is None) == (self.clause is None):
            raise ValueError("names a finding (its fingerprint) or a clause (its id), one of both")
        if self.finding is not None and self.verdict is not None:
            raise ValueError("a finding is decided by its status; verdict is for clauses")
        if self.clause is not None and self.status != "open":
            raise ValueError("a clause is decided by its verdict; status is for findings")
        if self.status in ("exception", "not a problem") and not self.comment:
            raise ValueError(f"the status {self.status!r} needs its reason as comment")
        if self.verdict == "not fulfilled" and not self.comment:
            raise ValueError("'not fulfilled' needs its reason as comment")
        return self

    @property
    def by(self) -> str:
        """'A. Walker on 2026-05-04'."""
        return f"{self.reviewer} on {self.date}"

    @property
    def words(self) -> str:
        """As evidence: 'confirmed by A. Walker on 2026-05-04: seen in the field'."""
        what = {"fulfilled": "confirmed by", "not fulfilled": "not fulfilled, by"}
        lead = what.get(self.verdict or "", f"{self.status}, by")
        return f"{lead} {self.by}" + (f": {self.comment}" if self.comment else "")

    def holds_under(self, ordinance: str) -> bool:
        """Whether it speaks under a pack."""
        return self.ordinance is None or self.ordinance == ordinance


class Condition(_Table):
    """A condition of approval in the reviewer's own words."""

    text: str = Field(min_length=1)
    reviewer: str = Field(min_length=1)
    date: dt.date


class Decisions(_Table):
    """The whole file. crs is the site CRS in which redlines are drawn."""

    schema_: str = Field(alias="schema", pattern=r"^1\.[0-9]+$")
    site: str | None = None
    crs: str | None = None
    decisions: tuple[Decision, ...] = ()
    conditions: tuple[Condition, ...] = ()
    redlines: Redlines | None = None
    file: str = Field(default="", exclude=True)
    sha256: str = Field(default="", exclude=True)
    bytes: int = Field(default=0, exclude=True)

    @model_validator(mode="after")
    def _each_once(self) -> Decisions:
        for name in ("finding", "clause"):
            seen: set[tuple[str, str | None]] = set()
            for decision in self.decisions:
                about = getattr(decision, name)
                key = (about, decision.ordinance)
                if about is not None and key in seen:
                    raise ValueError(f"two decisions about {name} {about}; keep the one that holds")
                seen.add(key)
        return self

    def about(self, finding: str, ordinance: str = "") -> Decision | None:
        """The decision about a fingerprint; one that names the pack goes before one for all."""
        return self._chosen((d for d in self.decisions if d.finding == finding), ordinance)

    def about_clause(self, ordinance: str, clause: str) -> Decision | None:
        """The decision about a clause of a pack; one that names the pack goes before others."""
        return self._chosen((d for d in self.decisions if d.clause == clause), ordinance)

    @staticmethod
    def _chosen(some: Iterable[Decision], ordinance: str) -> Decision | None:
        fitting = [d for d in some if d.ordinance is None or d.ordinance == ordinance]
        return min(fitting, key=lambda d: d.ordinance is None, default=None)

    def apply(self, findings: Iterable[Finding], ordinance: str) -> tuple[Finding, ...]:
        """The findings of one pack; those that are closed carry who closed them and as what.

        A waiver of site.toml that is in force stays, being the older word.
        """
        return tuple(self._decided(finding, ordinance) for finding in findings)

    def _decided(self, finding: Finding, ordinance: str) -> Finding:
        decision = next(
            (d for p in _prints(finding, ordinance) if (d := self.about(p, ordinance))), None
        )
        if decision is None or decision.status == "open" or finding.waiver is not None:
            return finding
        reason = decision.comment or decision.status
        waiver = Waiver(reason, decision.reviewer, decision.date, status=decision.status)
        return replace(finding, waiver=waiver)


def _prints(finding: Finding, ordinance: str) -> Iterator[str]:
    """The fingerprint, and that under which a joined report shows another law's measure."""
    yield finding.fingerprint
    yield fingerprint(finding.fingerprint, (), None, ordinance, None)


def load_decisions(path: Path) -> Decisions:
    """Read a decisions file; ConfigurationError names the file and the key that is wrong."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        words = f"cannot be read ({error.strerror}); give a file that the desk saved"
        raise ConfigurationError(path, "", words) from None
    try:
        content = json.loads(raw)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ConfigurationError(path, "", f"is not JSON ({error})") from None
    if not isinstance(content, dict):
        raise ConfigurationError(path, "", "holds no object; accepted: the decisions schema 1.0")
    for key in content.keys() & HIDDEN:
        raise ConfigurationError(path, key, "is no key of the schema; leave it out")
    digest = hashlib.sha256(raw).hexdigest()
    known = {"file": path.name, "sha256": digest, "bytes": len(raw)}
    try:
        return Decisions.model_validate({**content, **known})
    except ValidationError as error:
        raise explained(error, path, Decisions, content, HIDDEN) from None
