"""The evidence of a check: hashes of every input, packs, program versions, options, result.

Whoever holds the same files and versions can repeat the run; review/verify.py compares.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from sitemap.checked import CheckedSite
from sitemap.crs.installed import proj_state
from sitemap.finding import JsonDict
from sitemap.hashes import sha256_of_file
from sitemap.reference import ReferenceSource
from sitemap.version import VERSION

SCHEMA_VERSION = "1.0"
PACKAGES = (
    "fiona", "geopandas", "numpy", "pandas", "pikepdf", "pydantic", "pyogrio", "pypdfium2",
    "pyproj", "rasterio", "shapely",
)  # fmt: skip

_made: WeakKeyDictionary[CheckedSite, JsonDict] = WeakKeyDictionary()


def manifest_of(checked: CheckedSite) -> JsonDict:
    """The manifest of a check, by the published schema; worked out once for each check.

    Files that are gone since they were read have null as their hash.
    """
    if checked not in _made:
        body: JsonDict = {
            "schema": SCHEMA_VERSION,
            "program": {"name": "sitemap", "version": VERSION},
            "versions": versions(salvaged=_salvaged(checked)),
            "config": _config(checked),
            "inputs": _inputs(checked),
            "ordinances": [
                {"id": pack.id, "version": pack.version, "digest": pack.digest}
                for pack in checked.ordinances
            ],
            "references": [_reference(source) for source in checked.site.reference.sources],
            "result": _result(checked),
        }
        _made[checked] = {**body, "digest": digest_of(body)}
    return _made[checked]


def digest_of(content: object) -> str:
    """sha256 of something as canonical JSON: keys in order, no blanks."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _salvaged(checked: CheckedSite) -> bool:
    """True when a dataset had to be read record by record, which is what fiona's GDAL does."""
    notes = (note for layer in checked.site.datasets for note in layer.provenance.oddities)
    return any(note.kind == "read_record_by_record" for note in notes)


@cache
def versions(*, salvaged: bool) -> dict[str, str]:
    """What the program ran on: Python, libraries, GEOS, PROJ and its grids, its GDALs.

    fiona's GDAL is there only where it had anything to do with the result.
    """
    import pyogrio
    import rasterio
    import shapely

    return {
        "Python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in PACKAGES},
        "GEOS": shapely.geos_version_string,
        "GDAL in pyogrio": ".".join(map(str, pyogrio.__gdal_version__)),
        "GDAL in rasterio": rasterio.__gdal_version__,
        **(_gdal_in_fiona() if salvaged else {}),
        **{name: found for name, found, _ in proj_state()},
    }


def _gdal_in_fiona() -> dict[str, str]:
    import fiona

    return {"GDAL in fiona": fiona.__gdal_version__}


def _config(checked: CheckedSite) -> JsonDict:
    asked = checked.asked
    return {
        "submission": checked.site.submission,
        "now": checked.now.isoformat(),
        **{name: _plain(value) for name, value in asdict(asked).items()},
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _inputs(checked: CheckedSite) -> list[JsonDict]:
    """Every file that was opened; named as seen from the folder that holds them all."""
    paths = list(checked.site.input_files)
    rows = [_input(path, name) for path, name in zip(paths, _names(paths), strict=True)]
    if checked.plate is not None:
        rows.append({**_input(Path(checked.plate.path), Path(checked.plate.path).name)})
    if checked.decisions is not None:
        known = {"file": checked.decisions.file, "sha256": checked.decisions.sha256 or None}
        rows.append({**known, "bytes": checked.decisions.bytes})
    return rows


def _reference(source: ReferenceSource) -> JsonDict:
    """Which dataset a reference is; without hash it is known by size, rows and date of change."""
    return {
        "name": source.name,
        "layer": source.layer,
        "role": source.role,
        "given": source.given,
        "driver": source.driver,
        "schema": source.schema or None,
        "crs": source.crs,
        "edition": source.edition or None,
        "effective": source.effective or None,
        "dated_by": source.dated_by or None,
        "sha256": source.sha256,
        "bytes": source.bytes,
        "modified": source.modified,
        "rows": source.rows,
    }


def _names(paths: Iterable[Path]) -> list[str]:
    some = [str(path) for path in paths]
    if not some:
        return []
    root = os.path.commonpath([os.path.dirname(path) for path in some])
    return [Path(path).relative_to(root).as_posix() for path in some]


def _input(path: Path, name: str) -> JsonDict:
    try:
        digest, size = sha256_of_file(path), path.stat().st_size
    except OSError:
        return {"file": name, "sha256": None, "bytes": None}
    return {"file": name, "sha256": digest, "bytes": size}


def _result(checked: CheckedSite) -> JsonDict:
    """What came out: enough to say by rule and clause where a second run differs."""
    return {
        "verdict": checked.verdict.value,
        "clauses": {f"{c.ordinance}:{c.clause.id}": c.status.value for c in checked.clauses},
        "rules": {
            o.rule: {"status": o.status.value, "findings": len(o.findings)}
            for o in checked.outcomes
        },
        "digest": digest_of(
            [
                [f.rule, f.fingerprint, str(f.severity), f.message, str(f.measured), str(f.waiver)]
                for f in checked.findings
            ]
        ),
    }
