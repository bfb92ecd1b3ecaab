"""Two submissions compared, as JSON; geometries are GeoJSON in the new site's CRS (feet).

The published schema is comparison.schema.json, beside that of a check.
"""

from __future__ import annotations

import json

from sitemap.comparison import STATES, Comparison, FeatureChange, FindingChange, Measure
from sitemap.crs import crs_code
from sitemap.finding import JsonDict, Source
from sitemap.manifest import manifest_of
from sitemap.report.json_finding import finding_dict, geometry_dict
from sitemap.version import VERSION

SCHEMA_VERSION = "1.1"


def to_json(comparison: Comparison) -> str:
    """Indented UTF-8 JSON text, ending in a newline."""
    return json.dumps(to_dict(comparison), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(comparison: Comparison) -> JsonDict:
    """The whole comparison as plain dictionaries, lists, strings and finite numbers."""
    numbers = {id(change): n for n, change in enumerate(comparison.changes, start=1)}
    new = comparison.new.site
    return {
        "schema": SCHEMA_VERSION,
        "program": {"name": "sitemap", "version": VERSION},
        "crs": crs_code(new.crs) if new.crs is not None else None,
        "crs_words": comparison.crs_words,
        "tolerance_ft": comparison.tolerance_ft,
        "old": {"verdict": comparison.old.verdict.value, "manifest": manifest_of(comparison.old)},
        "new": {"verdict": comparison.new.verdict.value, "manifest": manifest_of(comparison.new)},
        "counts": {state: len(comparison.with_state(state)) for state in STATES},
        "findings": [_finding(change) for change in comparison.findings],
        "layers": [
            {
                "role": layer.role,
                "old_count": layer.old_count,
                "new_count": layer.new_count,
                "unchanged": layer.unchanged,
                "old_total": _measure(layer.old_total),
                "new_total": _measure(layer.new_total),
                "shift_ft": _way(layer.shift_ft),
                "columns": list(layer.columns),
                "changes": [_change(numbers[id(change)], change) for change in layer.changes],
            }
            for layer in comparison.layers
        ],
        "facts": [{"name": f.name, "old": f.old, "new": f.new} for f in comparison.facts],
        "files": list(comparison.files),
    }


def _finding(change: FindingChange) -> JsonDict:
    return {
        "state": change.state,
        "old_number": change.old_number,
        "new_number": change.new_number,
        "distance_ft": None if change.distance_ft is None else round(change.distance_ft, 3),
        "note": change.note or None,
        "finding": _in_new_crs(change),
    }


def _in_new_crs(change: FindingChange) -> JsonDict:
    """The finding; one that is gone with its place carried into the CRS of the new site."""
    said = finding_dict(change.new_number or change.old_number or 1, change.finding)
    if change.new is None:
        said["geometry"] = geometry_dict(change.place)
        if said["place"] is not None and change.place is not None:
            spot = change.place.representative_point()
            said["place"] |= {"x_ft": round(spot.x, 3), "y_ft": round(spot.y, 3)}
    return said


def _change(number: int, change: FeatureChange) -> JsonDict:
    return {
        "number": number,
        "kind": change.kind,
        "identity": change.identity or None,
        "old_source": _source(change.old_source),
        "new_source": _source(change.new_source),
        "old_measure": _measure(change.old_measure),
        "new_measure": _measure(change.new_measure),
        "distance_ft": round(change.distance_ft, 3),
        "shift_ft": _way(change.shift_ft),
        "together": list(change.together) if any(change.together) else None,
        "reversed_ft": round(change.reversed_ft, 3),
        "gained": round(change.gained, 3),
        "lost": round(change.lost, 3),
        "fields": [{"name": f.name, "old": f.old, "new": f.new} for f in change.fields],
        "asked": list(change.asked),
        "old_geometry": geometry_dict(change.old),
        "new_geometry": geometry_dict(change.new),
    }


def _source(source: Source | None) -> JsonDict | None:
    if source is None:
        return None
    return {
        "file": source.file,
        "layer": source.layer,
        "feature": source.feature,
        "user_id": source.user_id,
    }


def _measure(measure: Measure | None) -> JsonDict | None:
    if measure is None or not measure.unit:
        return None
    return {"value": round(measure.value, 3), "unit": measure.unit}


def _way(shift_ft: tuple[float, float] | None) -> list[float] | None:
    return None if shift_ft is None else [round(value, 3) for value in shift_ft]
