"""The JSON report of a check, read again: what the letter needs of it. Nothing is judged anew."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import shapely
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from sitemap.config_faults import explained
from sitemap.decisions import Decisions
from sitemap.errors import ConfigurationError
from sitemap.finding import Limit, Quantity
from sitemap.reference import ReferenceSource


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class SavedQuantity(_Kept):
    """A measure: value, unit, tolerance."""

    value: float
    unit: str
    tolerance: float | None = None

    def __str__(self) -> str:
        return str(Quantity(self.value, self.unit, self.tolerance))


class SavedLimit(_Kept):
    """What is allowed."""

    value: float
    unit: str
    operator: Literal["<=", ">=", "<", ">", "=="]

    def __str__(self) -> str:
        return str(Limit(self.value, self.unit, self.operator))


class SavedSource(_Kept):
    """Where it is in the applicant's files."""

    file: str | None = None
    layer: str | None = None
    feature: int | None = None
    user_id: str | None = None


class SavedPlace(_Kept):
    """Where it is on the ground (feet), in the grid and on which sheet."""

    x_ft: float
    y_ft: float
    cell: str | None = None
    sheet: str | None = None


class SavedWaiver(_Kept):
    """Who let it stand; status is "waived" in reports before schema 1.2."""

    reason: str
    authority: str
    date: dt.date
    expires: dt.date | None = None
    condition: str | None = None
    status: str = "waived"


class SavedBreach(_Kept):
    """One law that a finding breaks."""

    ordinance: str
    clauses: list[str]
    severity: str
    waiver: SavedWaiver | None = None


class SavedFinding(_Kept):
    """One fault of the report."""

    number: int
    fingerprint: str
    rule: str
    rule_name: str
    severity: Literal["error", "warning", "info"]
    clauses: list[str]
    citations: list[str]
    message: str
    how_to_fix: str
    measured: SavedQuantity | None = None
    limit: SavedLimit | None = None
    role: str | None = None
    source: SavedSource = SavedSource()
    place: SavedPlace | None = None
    geometry: dict[str, Any] | None = None
    waiver: SavedWaiver | None = None
    breaches: list[SavedBreach] = []

    @cached_property
    def ground(self) -> BaseGeometry | None:
        """The fault in the site CRS (feet); its place where the report has no geometry."""
        if self.geometry is not None:
            drawn: BaseGeometry = shape(self.geometry)
            return drawn
        return None if self.place is None else shapely.Point(self.place.x_ft, self.place.y_ft)


class SavedClause(_Kept):
    """One row of the clause matrix."""

    ordinance: str
    id: str
    title: str
    citation: str
    text: str
    text_seen: bool = True
    on_map: bool
    status: str
    findings: list[int]
    confirmations: list[str] = []


class SavedConfirmation(_Kept):
    """A question for a person."""

    clause: str
    question: str
    ordinance: str = ""
    place: SavedPlace | None = None


class SavedPack(_Kept):
    """A law of the run."""

    id: str
    title: str
    jurisdiction: str
    version: str
    digest: str


class _Crs(_Kept):
    name: str
    code: str | None = None


class _Site(_Kept):
    name: str
    submission: str
    crs: _Crs


class _Program(_Kept):
    name: str
    version: str


class SavedReference(_Kept):
    """A reference layer that the check was held against."""

    name: str
    role: str
    edition: str | None = None
    effective: str | None = None
    sha256: str | None = None
    bytes: int | None = None
    modified: str | None = None
    rows: int | None = None

    @property
    def words(self) -> str:
        """Name and class, version and date, and by what it is known."""
        known = ReferenceSource(
            self.name, "", "", "", self.role, "", edition=self.edition or "",
            effective=self.effective or "", sha256=self.sha256, bytes=self.bytes,
            modified=self.modified, rows=self.rows,
        )  # fmt: skip
        return f"{self.name} as {self.role}: {known.date_words}; {known.identity}"


class SavedCell(_Kept):
    """A grid cell in which a finding lies."""

    label: str
    geometry: dict[str, Any] | None = None


class SavedLayer(_Kept):
    """A layer near the findings, simplified."""

    role: str
    title: str
    ink: str = Field(pattern="^#[0-9a-fA-F]{6}$")
    geometry: dict[str, Any]


class SavedOutlines(_Kept):
    """What lies around the findings; empty in reports before schema 1.3."""

    boundary: dict[str, Any] | None = None
    cells: list[SavedCell] = []
    layers: list[SavedLayer] = []


class _Manifest(_Kept):
    references: list[SavedReference] = []


class SavedCheck(_Kept):
    """A report of schema 1.1 or later. path and sha256 are those of the file it was read from."""

    schema_: str = Field(alias="schema", pattern=r"^1\.")
    program: _Program
    now: dt.date
    site: _Site
    ordinances: list[SavedPack]
    verdict: str
    clauses: list[SavedClause]
    findings: list[SavedFinding]
    confirmations: list[SavedConfirmation]
    decisions: dict[str, Any] | None = None
    outlines: SavedOutlines = SavedOutlines()
    manifest: _Manifest = _Manifest()
    path: Path = Path()
    sha256: str = ""

    def clause(self, ordinance: str, clause: str) -> SavedClause | None:
        """A row of the matrix, or None."""
        return self._by_id.get((ordinance, clause))

    @cached_property
    def _by_id(self) -> dict[tuple[str, str], SavedClause]:
        return {(c.ordinance, c.id): c for c in self.clauses}

    @cached_property
    def own_decisions(self) -> Decisions | None:
        """The decisions that the check itself was given."""
        if self.decisions is None:
            return None
        said = {key: value for key, value in self.decisions.items() if key != "file"}
        entries = [
            {key: value for key, value in entry.items() if key != "findings"}
            for entry in said.get("decisions", [])
        ]
        return Decisions.model_validate({**said, "decisions": entries})


def load_check(path: Path) -> SavedCheck:
    """Read a JSON report; ConfigurationError says what is wrong with it and what is accepted."""
    accepted = "accepted: the JSON of sitemap check -f json:FILE, schema 1.1 or later"
    try:
        raw = path.read_bytes()
        content = json.loads(raw)
    except OSError as error:
        raise ConfigurationError(path, "", f"cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(path, "", f"is not JSON ({error}); {accepted}") from None
    if not isinstance(content, dict) or "findings" not in content:
        raise ConfigurationError(path, "findings", f"is not there; {accepted}")
    known = {"path": path, "sha256": hashlib.sha256(raw).hexdigest()}
    try:
        return SavedCheck.model_validate({**content, **known})
    except ValidationError as error:
        raise explained(error, path, SavedCheck, content, hint=accepted) from None
