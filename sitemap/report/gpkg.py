"""findings.gpkg: points, lines and areas of the faults in the site CRS, styled for QGIS.

A finding of several kinds of geometry stands in several layers under one number; one without a
place stands in a table of its own. The same check gives the same bytes: --now dates the file.
"""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pyogrio

from sitemap.checked import CheckedSite
from sitemap.crs import for_files
from sitemap.finding import Finding
from sitemap.report.faults import AREAS, LINES, POINTS, by_dimension
from sitemap.report.laws import cause_words, clause_words
from sitemap.report.styles import Kind, layer_style
from sitemap.report.words import plain, rule_words, waiver_words
from sitemap.version import VERSION

LAYERS: dict[int, tuple[str, str, Kind]] = {
    POINTS: ("findings_points", "MultiPoint", "marker"),
    LINES: ("findings_lines", "MultiLineString", "line"),
    AREAS: ("findings_areas", "MultiPolygon", "fill"),
}
UNPLACED = "findings_without_place"
GEOMETRY = "geom"

# column -> (how pandas holds it, what a person reads above it)
COLUMNS: dict[str, tuple[str, str]] = {
    "number": ("int64", "Number"),
    "severity": ("object", "Severity"),
    "rule": ("object", "Rule"),
    "rule_name": ("object", "Fault"),
    "clause": ("object", "Clause"),
    "citation": ("object", "Citation"),
    "message": ("object", "What is wrong"),
    "measured": ("object", "Measured"),
    "measured_value": ("float64", "Measured, number"),
    "measured_unit": ("object", "Measured, unit"),
    "limit": ("object", "Allowed"),
    "limit_value": ("float64", "Allowed, number"),
    "limit_unit": ("object", "Allowed, unit"),
    "role": ("object", "Layer role"),
    "field": ("object", "Field"),
    "source_file": ("object", "File"),
    "source_layer": ("object", "Layer"),
    "record": ("Int64", "Record"),
    "user_id": ("object", "Your id"),
    "related": ("object", "Together with"),
    "cell": ("object", "Grid cell"),
    "sheet": ("object", "Sheet"),
    "how_to_fix": ("object", "To fix"),
    "cause": ("object", "Follows from"),
    "waiver": ("object", "Waived"),
    "geometry_kind": ("object", "What is drawn"),
    "fingerprint": ("object", "Fingerprint"),
    "x_ft": ("float64", "E (ft)"),
    "y_ft": ("float64", "N (ft)"),
    "lon": ("float64", "Longitude"),
    "lat": ("float64", "Latitude"),
}


def write_gpkg(checked: CheckedSite, path: Path) -> None:
    """Write the findings of a check as a GeoPackage; path is written over."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name, _, _ in LAYERS.values()}
    unplaced: list[dict[str, Any]] = []
    causes = cause_words(checked)
    for number, finding in enumerate(checked.findings, start=1):
        row = {
            **_row(number, finding),
            "clause": clause_words(checked, finding),
            "cause": causes.get(id(finding)),
        }
        shapes = by_dimension(finding)
        for dimension, geometry in shapes.items():
            rows[LAYERS[dimension][0]].append({**row, GEOMETRY: geometry})
        if not shapes:
            unplaced.append(row)
    # made aside: SQLite keeps its journal beside the file it writes
    with tempfile.TemporaryDirectory(prefix="sitemap-gpkg-") as folder:
        file = Path(folder) / "findings.gpkg"
        with _dated(checked.now):
            for name, geometry_type, _ in LAYERS.values():
                _write_layer(file, name, geometry_type, rows[name], checked)
            _write_table(file, unplaced, checked)
        _add_styles(file, checked.now)
        shutil.copyfile(file, path)


def _row(number: int, finding: Finding) -> dict[str, Any]:
    source, place, measured, limit = finding.source, finding.place, finding.measured, finding.limit
    texts = {
        "severity": str(finding.severity),
        "rule": finding.rule,
        "rule_name": rule_words(finding.rule_name),
        "citation": "; ".join(finding.citations),
        "message": finding.message,
        "measured": measured,
        "measured_unit": measured.unit if measured else None,
        "limit": limit,
        "limit_unit": limit.unit if limit else None,
        "role": finding.role,
        "field": finding.field_name,
        "source_file": source.file,
        "source_layer": source.layer,
        "user_id": source.user_id,
        "related": "; ".join(str(other) for other in finding.related) or None,
        "cell": place.cell if place else None,
        "sheet": place.sheet if place else None,
        "how_to_fix": finding.how_to_fix,
        "waiver": waiver_words(finding) or None,
        "geometry_kind": finding.geometry_kind,
        "fingerprint": finding.fingerprint,
    }
    return {
        **{name: None if v is None else plain(v, 100_000) for name, v in texts.items()},
        "number": number,
        "measured_value": measured.value if measured else None,
        "limit_value": limit.value if limit else None,
        "record": source.feature,
        "x_ft": place.x_ft if place else None,
        "y_ft": place.y_ft if place else None,
        "lon": place.lon if place else None,
        "lat": place.lat if place else None,
    }


def _columns(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: pd.Series([row[name] for row in rows], dtype=kind)
            for name, (kind, _) in COLUMNS.items()
        }
    )


def _write_layer(
    file: Path, name: str, geometry_type: str, rows: list[dict[str, Any]], checked: CheckedSite
) -> None:
    frame = gpd.GeoDataFrame(
        _columns(rows), geometry=[row[GEOMETRY] for row in rows], crs=for_files(checked.site.crs)
    ).rename_geometry(GEOMETRY)
    with warnings.catch_warnings():
        # a site without a CRS is written as what it is: a plane of unknown place
        warnings.filterwarnings("ignore", message="'crs' was not provided")
        pyogrio.write_dataframe(
            frame,
            file,
            layer=name,
            driver="GPKG",
            geometry_type=geometry_type,
            layer_options=_layer_options(checked, GEOMETRY_NAME=GEOMETRY),
        )


def _write_table(file: Path, rows: list[dict[str, Any]], checked: CheckedSite) -> None:
    options = _layer_options(checked)
    pyogrio.write_dataframe(
        _columns(rows), file, layer=UNPLACED, driver="GPKG", layer_options=options
    )


def _layer_options(checked: CheckedSite, **more: str) -> dict[str, str]:
    packs = ", ".join(f"{p.id} {p.version} ({p.digest})" for p in checked.ordinances)
    words = (
        f"{checked.verdict_words}; {checked.site.name}, checked for {checked.now} by {packs}, "
        f"sitemap {VERSION}"
    )
    return {"FID": "fid", "DESCRIPTION": plain(words, 500), **more}


@contextmanager
def _dated(day: dt.date) -> Iterator[None]:
    """GDAL writes this day instead of the clock's while the block runs."""
    name = "OGR_CURRENT_DATE"
    before = pyogrio.get_gdal_config_option(name)
    pyogrio.set_gdal_config_options({name: _stamp(day)})
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options({name: before})


def _stamp(day: dt.date) -> str:
    return f"{day.isoformat()}T00:00:00.000Z"


def _add_styles(file: Path, day: dt.date) -> None:
    """The table from which QGIS takes the style of a layer when it opens one."""
    aliases = {name: title for name, (_, title) in COLUMNS.items()}
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "
            "f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256), "
            "f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, "
            "useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30), "
            "update_time DATETIME)"
        )
        database.executemany(
            "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
            "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, owner, "
            "ui, update_time) VALUES ('', '', ?, ?, ?, ?, '', 1, ?, 'sitemap', NULL, ?)",
            [
                (name, GEOMETRY, name, layer_style(kind, aliases), "by severity", _stamp(day))
                for name, _, kind in LAYERS.values()
            ],
        )
        database.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, "
            "last_change) VALUES ('layer_styles', 'attributes', 'layer_styles', '', ?)",
            [_stamp(day)],
        )
