"""The check as JSON by a published schema (check.schema.json); the same bytes each time.

Geometries are GeoJSON objects in the site CRS (feet, so not RFC 7946); place has degrees too.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from sitemap.checked import Cause, CheckedSite, ClauseLine, exit_code
from sitemap.crs import Transformation, crs_code
from sitemap.finding import Confirmation, JsonDict, Outcome, Severity
from sitemap.layer import Layer, Raster
from sitemap.manifest import manifest_of
from sitemap.ordinance import LimitSpec, Ordinance
from sitemap.report.json_finding import finding_dict, geometry_dict, place_dict, waiver_dict
from sitemap.report.outlines import outlines_of
from sitemap.site import Site
from sitemap.version import VERSION
from sitemap.waivers import WaiverUse

__all__ = ["exit_code", "finding_dict", "json_schema", "to_dict", "to_json"]

SCHEMA_VERSION = "1.3"


def to_json(checked: CheckedSite) -> str:
    """The check as indented UTF-8 JSON text, ending in a newline."""
    return json.dumps(to_dict(checked), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@cache
def _schema_text() -> str:
    return files("sitemap.report").joinpath("check.schema.json").read_text(encoding="utf-8")


def json_schema() -> JsonDict:
    """The published schema (JSON Schema 2020-12) that to_dict keeps to."""
    schema: JsonDict = json.loads(_schema_text())
    return schema


def to_dict(checked: CheckedSite) -> JsonDict:
    """The whole check as plain dictionaries, lists, strings and finite numbers."""
    numbers = {id(f): number for number, f in enumerate(checked.findings, start=1)}
    return {
        "schema": SCHEMA_VERSION,
        "program": {"name": "sitemap", "version": VERSION},
        "now": checked.now.isoformat(),
        "site": _site(checked.site),
        "ordinance": _ordinance(checked.ordinance),
        "ordinances": [
            {**_ordinance(j.ordinance), "verdict": j.verdict.value} for j in checked.judgements
        ],
        "plate": None if checked.plate is None else checked.plate.path,
        "verdict": checked.verdict.value,
        "counts": {
            **{
                str(level): sum(f.severity is level and f.counts for f in checked.findings)
                for level in (Severity.ERROR, Severity.WARNING, Severity.INFO)
            },
            "waived": len(checked.waived),
            "confirmations": len(checked.confirmations),
        },
        "clauses": [_clause(line, numbers) for line in checked.clauses],
        "findings": [finding_dict(n, f) for n, f in enumerate(checked.findings, start=1)],
        "causes": [_cause(cause, numbers) for cause in checked.causes],
        "confirmations": [_confirmation(c) for c in checked.confirmations],
        "rules": [_outcome(outcome, numbers) for outcome in checked.outcomes],
        "ignored": [
            {"by": outcomes[0].ignored_by, "rules": [o.rule for o in outcomes]}
            for outcomes in checked.ignored.values()
        ],
        "waivers": [_waiver_use(use, checked) for use in checked.waivers],
        "decisions": _decisions(checked),
        "outlines": outlines_of(checked),
        "manifest": manifest_of(checked),
    }


def _decisions(checked: CheckedSite) -> JsonDict | None:
    """What the reviewer decided before this run, and the findings that each word is about."""
    if checked.decisions is None:
        return None
    numbers: dict[str, list[int]] = {}
    for number, finding in enumerate(checked.findings, start=1):
        numbers.setdefault(finding.fingerprint, []).append(number)
    said = checked.decisions.model_dump(mode="json", by_alias=True)
    entries = [
        {**entry, "findings": numbers.get(entry["finding"] or "", [])}
        for entry in said.pop("decisions")
    ]
    return {"file": checked.decisions.file, **said, "decisions": entries}


def _site(site: Site) -> JsonDict:
    datasets: tuple[Layer | Raster, ...] = (*site.datasets, *site.rasters)
    return {
        "name": site.name,
        "submission": site.submission,
        "crs": {
            "name": site.crs_name,
            "code": crs_code(site.crs) if site.crs is not None else None,
            "reason": site.crs_reason,
            "unit": site.foot.symbol if site.crs is not None else None,
        },
        "transformations": [
            {"dataset": name, **_transformation(account)}
            for name, account in sorted(site.transformations.items())
        ],
        "datasets": [
            {
                "file": dataset.provenance.file,
                "layer": dataset.provenance.layer,
                "role": dataset.role,
                "sha256": dataset.provenance.sha256,
            }
            for dataset in datasets
        ],
    }


def _transformation(account: Transformation) -> JsonDict:
    return {
        "source": account.source,
        "target": account.target,
        "operation": account.operation,
        "accuracy_m": account.accuracy_m,
        "ballpark": account.ballpark,
        "missing_grids": list(account.missing_grids),
    }


def _ordinance(pack: Ordinance) -> JsonDict:
    return {
        "id": pack.id,
        "title": pack.title,
        "jurisdiction": pack.jurisdiction,
        "source": pack.source,
        "version": pack.version,
        "edition": pack.edition.isoformat() if pack.edition else None,
        "based_on": pack.based_on,
        "digest": pack.digest,
        "tolerances": {name: _limit_spec(limit) for name, limit in pack.tolerances.items()},
    }


def _limit_spec(limit: LimitSpec) -> JsonDict:
    return {
        "value": limit.value,
        "unit": limit.unit,
        "operator": limit.operator,
        "reading": limit.reading or None,
        "confirmed": limit.confirmed,
    }


def _clause(line: ClauseLine, numbers: dict[int, int]) -> JsonDict:
    clause = line.clause
    return {
        "ordinance": line.ordinance,
        "id": clause.id,
        "title": clause.title,
        "citation": clause.citation,
        "text": clause.text,
        "text_seen": clause.text_seen,
        "verb": clause.verb,
        "on_map": clause.on_map,
        "limits": {name: _limit_spec(limit) for name, limit in clause.limits.items()},
        "rules": list(clause.rules),
        "status": line.status.value,
        "evidence": list(line.evidence),
        "findings": [numbers[id(f)] for f in line.findings],
        "person": clause.person or None,
        "confirmations": [c.question for c in line.confirmations],
    }


def _cause(cause: Cause, numbers: dict[int, int]) -> JsonDict:
    return {
        "rule": cause.rule,
        "rule_name": cause.rule_name,
        "where": cause.where or None,
        "severity": str(cause.severity),
        "findings": sorted(numbers[id(f)] for f in cause.findings),
        "explains": sorted(numbers[id(f)] for f in cause.explains),
        "waiting": list(cause.waiting),
    }


def _waiver_use(use: WaiverUse, checked: CheckedSite) -> JsonDict:
    entry = use.entry
    return {
        "number": use.number,
        "about": entry.about,
        "rule": entry.rule,
        "fingerprint": entry.fingerprint,
        "area": geometry_dict(use.area),
        "ordinance": entry.ordinance,
        "waiver": waiver_dict(use.waiver),
        "state": use.state(checked.now),
        "judged": use.judged,
        "findings": [
            number
            for number, finding in enumerate(checked.findings, start=1)
            if use.is_about_some_breach_of(finding)
        ],
    }


def _confirmation(item: Confirmation) -> JsonDict:
    return {
        "clause": item.clause,
        "question": item.question,
        "rule": item.rule,
        "place": place_dict(item.place),
        "geometry": geometry_dict(item.geometry),
        "ordinance": item.ordinance,
        "also": list(item.also),
    }


def _outcome(outcome: Outcome, numbers: dict[int, int]) -> JsonDict:
    return {
        "rule": outcome.rule,
        "rule_name": outcome.rule_name,
        "clauses": list(outcome.clauses),
        "status": outcome.status.value,
        "why": outcome.why or None,
        "evidence": list(outcome.evidence),
        "findings": [numbers[id(f)] for f in outcome.findings],
        "ignored_by": outcome.ignored_by or None,
    }
