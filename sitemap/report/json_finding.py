"""One finding as JSON: its quantities, sources, place, geometry, waiver, and the laws it breaks.

Geometries are GeoJSON objects in the site CRS; the schema is check.schema.json.
"""

from __future__ import annotations

import math
from typing import Any

import shapely
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Breach, Finding, JsonDict, Limit, Place, Quantity, Source, Waiver

COORDINATE_DIGITS = 3  # a thousandth of a foot


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
        "limit": limit_dict(finding.limit),
        "role": finding.role,
        "field": finding.field_name,
        "source": _source(finding.source),
        "related": [_source(source) for source in finding.related],
        "place": place_dict(finding.place),
        "geometry": geometry_dict(finding.geometry),
        "geometry_kind": finding.geometry_kind if finding.geometry is not None else None,
        "waiver": waiver_dict(finding.waiver),
        "breaches": [_breach(breach) for breach in finding.breaches],
    }


def _breach(breach: Breach) -> JsonDict:
    return {
        "ordinance": breach.ordinance,
        "clauses": list(breach.clauses),
        "citations": list(breach.citations),
        "severity": str(breach.severity),
        "limit": limit_dict(breach.limit),
        "waiver": waiver_dict(breach.waiver),
    }


def _quantity(quantity: Quantity | None) -> JsonDict | None:
    if quantity is None or not math.isfinite(quantity.value):
        return None
    return {
        "value": round(float(quantity.value), 6),
        "unit": quantity.unit,
        "tolerance": None if quantity.tolerance is None else float(quantity.tolerance),
    }


def limit_dict(limit: Limit | None) -> JsonDict | None:
    """What is allowed, by the schema."""
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


def place_dict(place: Place | None) -> JsonDict | None:
    """Where it is, by the schema."""
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


def geometry_dict(geometry: BaseGeometry | None) -> JsonDict | None:
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


def waiver_dict(waiver: Waiver | None) -> JsonDict | None:
    """A waiver by the schema."""
    if waiver is None:
        return None
    return {
        "reason": waiver.reason,
        "authority": waiver.authority,
        "date": waiver.date.isoformat(),
        "expires": waiver.expires.isoformat() if waiver.expires else None,
        "condition": waiver.condition,
        "status": waiver.status,
    }
