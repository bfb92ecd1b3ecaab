"""The check as JSON by a published schema (check.schema.json); the same bytes each time.

Geometries are GeoJSON objects in the site CRS (feet, so not RFC 7946); place has degrees too.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

import shapely
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite, ClauseLine, exit_code
from sitemap.crs import Transformation, crs_code
from sitemap.finding import (
    Confirmation,
    Finding,
    JsonDict,
    Limit,
    Outcome,
    Place,
    Quantity,
    Severity,
    Source,
    Waiver,
)
from sitemap.layer import Layer, Raster
from sitemap.ordinance import LimitSpec, Ordinance
from sitemap.site import Site
from sitemap.version import VERSION

__all__ = ["exit_code", "finding_dict", "json_schema", "to_dict", "to_json"]

SCHEMA_VERSION = "1.0"
COORDINATE_DIGITS = 3  # a thousandth of a foot


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
        "plate": None if checked.plate is None else checked.plate.path,
        "verdict": checked.verdict.value,
        "counts": {
            **{
                str(level): sum(f.severity is level for f in checked.findings)
                for level in (Severity.ERROR, Severity.WARNING, Severity.INFO)
            },
            "confirmations": len(checked.confirmations),
        },
        "clauses": [_clause(line, numbers) for line in checked.clauses],
        "findings": [finding_dict(n, f) for n, f in enumerate(checked.findings, start=1)],
        "confirmations": [_confirmation(c) for c in checked.confirmations],
        "rules": [_outcome(outcome, numbers) for outcome in checked.outcomes],
    }


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
    }


def _clause(line: ClauseLine, numbers: dict[int, int]) -> JsonDict:
    clause = line.clause
    return {
        "id": clause.id,
        "title": clause.title,
        "citation": clause.citation,
        "text": clause.text,
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


def finding_dict(number: int, finding: Finding) -> JsonDict:
    """One finding by the schema; number is its place among the findings, from 1."""
    return {
        "number": number,
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "rule_name": finding.rule_name,
        "severity": str(finding.severity),
        "clauses": list(finding.clauses),
        "citations": list(finding.citations),
        "message": finding.message,
        "how_to_fix": finding.how_to_fix,
        "measured": _quantity(finding.measured),
        "limit": _limit(finding.limit),
        "role": finding.role,
        "field": finding.field_name,
        "source": _source(finding.source),
        "related": [_source(source) for source in finding.related],
        "place": _place(finding.place),
        "geometry": _geometry(finding.geometry),
        "geometry_kind": finding.geometry_kind if finding.geometry is not None else None,
        "waiver": _waiver(finding.waiver),
    }


def _waiver(waiver: Waiver | None) -> JsonDict | None:
    if waiver is None:
        return None
    return {
        "reason": waiver.reason,
        "authority": waiver.authority,
        "date": waiver.date.isoformat(),
        "expires": waiver.expires.isoformat() if waiver.expires else None,
        "condition": waiver.condition,
    }


def _quantity(quantity: Quantity | None) -> JsonDict | None:
    if quantity is None or not math.isfinite(quantity.value):
        return None
    return {
        "value": round(float(quantity.value), 6),
        "unit": quantity.unit,
        "tolerance": None if quantity.tolerance is None else float(quantity.tolerance),
    }


def _limit(limit: Limit | None) -> JsonDict | None:
    if limit is None:
        return None
    return {"value": round(float(limit.value), 6), "unit": limit.unit, "operator": limit.operator}


def _source(source: Source) -> JsonDict:
    return {
        "file": source.file,
        "layer": source.layer,
        "feature": None if source.feature is None else int(source.feature),
        "user_id": source.user_id,
    }


def _place(place: Place | None) -> JsonDict | None:
    if place is None:
        return None
    return {
        "x_ft": place.x_ft,
        "y_ft": place.y_ft,
        "lon": place.lon,
        "lat": place.lat,
        "cell": place.cell,
        "sheet": place.sheet,
    }


def _geometry(geometry: BaseGeometry | None) -> JsonDict | None:
    """GeoJSON in two dimensions; None for a geometry that JSON could not hold."""
    if geometry is None or geometry.is_empty:
        return None
    flat = shapely.force_2d(geometry)
    if not bool(shapely.get_coordinates(flat).size) or not _all_finite(flat):
        return None
    rounded: JsonDict = _rounded(mapping(flat))
    return rounded


def _all_finite(geometry: BaseGeometry) -> bool:
    xy = shapely.get_coordinates(geometry)
    return bool((abs(xy) < math.inf).all())


def _rounded(value: Any) -> Any:
    """Tuples as lists and numbers rounded, all the way down."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return round(value, COORDINATE_DIGITS) if isinstance(value, float) else value


def _confirmation(item: Confirmation) -> JsonDict:
    return {
        "clause": item.clause,
        "question": item.question,
        "rule": item.rule,
        "place": _place(item.place),
        "geometry": _geometry(item.geometry),
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
    }
