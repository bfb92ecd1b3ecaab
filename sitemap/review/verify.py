"""A manifest read again, and what differs when its check is run a second time."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sitemap.checked import plural
from sitemap.config_faults import explained
from sitemap.errors import ConfigurationError, UsageError
from sitemap.intake.reference_places import bare
from sitemap.intake.reference_postgis import is_database
from sitemap.manifest import digest_of
from sitemap.review.saved_check import SavedReference


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Config(_Kept):
    """The options of the run, as they were given."""

    submission: str
    now: dt.date
    ordinance: list[str] | None = None
    plate: str | None = None
    decisions: str | None = None
    crs: str | None = None
    encoding: str | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    reference: list[str] = []


class _Input(_Kept):
    file: str
    sha256: str | None


class _Reference(SavedReference):
    layer: str

    @property
    def state(self) -> str:
        """The hash, else by what it is known; and its dates."""
        if self.sha256:
            known = f"sha256 {self.sha256}"
        else:
            known = f"{self.bytes} bytes, {self.rows} rows, changed {self.modified}"
        return f"{known}, version {self.edition}, effective {self.effective}"


class _Pack(_Kept):
    id: str
    version: str
    digest: str


class _Rule(_Kept):
    status: str
    findings: int


class _Result(_Kept):
    verdict: str
    clauses: dict[str, str]
    rules: dict[str, _Rule]
    digest: str


class Manifest(_Kept):
    """The manifest of a check. path is where it was read; intact says that its digest fits."""

    schema_: str = Field(alias="schema", pattern=r"^1\.")
    versions: dict[str, str]
    program: dict[str, str]
    config: Config
    inputs: list[_Input]
    ordinances: list[_Pack]
    references: list[_Reference] = []
    result: _Result
    path: Path = Path()
    intact: bool = True

    def found(self, submission: Path | None) -> Path:
        """Where the submission is now: as given, else as it was named, else beside the report."""
        if submission is not None:
            return submission
        found = self.beside(self.config.submission)
        assert found is not None
        return found

    @property
    def references_now(self) -> list[str]:
        """The references of the run as they are given again; UsageError for one that is gone."""
        return [
            name if is_database(name) else str(self.beside(bare(name)))
            for name in self.config.reference
        ]

    def beside(self, name: str | None) -> Path | None:
        """A file of the run, from here or from the folder of the report; UsageError if neither."""
        if name is None:
            return None
        places = (Path(name), self.path.parent / name, self.path.parent / Path(name).name)
        for place in places:
            if place.exists():
                return place
        raise UsageError(
            f"{self.path}: the check read {name}, which is neither here nor beside the report; "
            "run it from the folder of the first run, put it beside the report, or name the "
            "submission where that is what lies elsewhere"
        )


def read_manifest(path: Path) -> Manifest:
    """The manifest in a JSON report, or alone in a file; ConfigurationError for anything else."""
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(path, "", f"cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise ConfigurationError(path, "", f"is not JSON ({error})") from None
    body = content.get("manifest", content) if isinstance(content, dict) else None
    if not isinstance(body, dict) or "result" not in body or "config" not in body:
        accepted = "a JSON report of sitemap check (schema 1.2 or later), or its manifest alone"
        raise ConfigurationError(path, "manifest", f"is not there; accepted: {accepted}")
    signed = {key: value for key, value in body.items() if key != "digest"}
    intact = digest_of(signed) == body.get("digest")
    try:
        return Manifest.model_validate({**body, "path": path, "intact": intact})
    except ValidationError as error:
        raise explained(error, path, Manifest, body, inside="manifest") from None


def difference_words(before: Manifest, again: dict[str, Any]) -> list[str]:
    """One line for each thing that is not as it was: inputs, packs, versions, result."""
    after = Manifest.model_validate(again)
    lines = [] if before.intact else ["manifest: changed since it was written (digest differs)"]
    lines += _inputs(before, after)
    refs = {f"{r.name} as {r.role}": r.state for r in before.references}
    now_refs = {f"{r.name} as {r.role}": r.state for r in after.references}
    lines += _changed("reference", refs, now_refs)
    packs = {p.id: f"version {p.version} ({p.digest})" for p in before.ordinances}
    now_packs = {p.id: f"version {p.version} ({p.digest})" for p in after.ordinances}
    lines += _changed("ordinance", packs, now_packs)
    own = {"sitemap": before.program.get("version", "?"), **before.versions}
    now_own = {"sitemap": after.program.get("version", "?"), **after.versions}
    lines += _changed("version", own, now_own)
    return [*lines, *_results(before.result, after.result)]


def _inputs(before: Manifest, after: Manifest) -> Iterator[str]:
    old = {row.file: row.sha256 or "no hash" for row in before.inputs}
    new = {row.file: row.sha256 or "no hash" for row in after.inputs}
    yield from _changed("input", old, new)


def _results(old: _Result, new: _Result) -> Iterator[str]:
    if old.verdict != new.verdict:
        yield f"verdict: {old.verdict} -> {new.verdict}"
    yield from _changed("clause", old.clauses, new.clauses)
    rules = {code: f"{r.status}, {plural(r.findings, 'finding')}" for code, r in old.rules.items()}
    now_rules = {
        code: f"{r.status}, {plural(r.findings, 'finding')}" for code, r in new.rules.items()
    }
    told = list(_changed("rule", rules, now_rules))
    yield from told
    if old.digest != new.digest and not told:
        yield "findings: as many as before under each rule, but not the same ones"


def _changed(what: str, old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name, "not there"), new.get(name, "not there")
        if before != after:
            yield f"{what} {name}: {before} -> {after}"
