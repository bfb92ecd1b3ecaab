"""Bulk reading of vector datasets with pyogrio; one bad geometry or byte never kills a layer.

A dataset that bulk reading refuses goes to salvage.py. Drivers are chosen by the first bytes
of a file, never by GDAL's own guess, so that no virtual or network dataset can be opened.
"""

from __future__ import annotations

import logging
import sqlite3
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field

import geopandas
import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from sitemap.errors import DatasetError
from sitemap.intake.bulk import LayerHead, plain_reason, read_bulk
from sitemap.intake.columns import date_oddities, frame_of
from sitemap.intake.crs_detective import settle_crs, understood
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace, sha256_of, stem_of
from sitemap.intake.geometry_detective import (
    extent_oddities,
    finite_bounds,
    geometry_oddities,
    shape_type_oddities,
)
from sitemap.intake.oddities import count_of, numbered, odd
from sitemap.intake.staging import Staged, stage
from sitemap.layer import Oddity, Provenance, RoleChoice, Unreadable

for _name in ("fiona", "rasterio", "pyogrio"):  # their remarks come back as oddities instead
    logging.getLogger(_name).addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Given:
    """What the user says of a dataset that its file does not: from site.toml, else an option."""

    crs: str | None = None  # site.toml: replaces the file's CRS
    encoding: str | None = None
    fallback_crs: str | None = None  # --crs: for datasets without one


GivenFor = Callable[[str, str], Given]


@dataclass(frozen=True, eq=False)
class Read:
    """One layer as read: frame with the user's columns and the record numbers, no role yet."""

    frame: geopandas.GeoDataFrame
    provenance: Provenance
    is_table: bool = False
    unbuilt: Mapping[int, bytes] = field(default_factory=dict)  # record -> WKB that GEOS refused
    said: RoleChoice | None = None  # what the file itself says that the dataset shows


def read_vector(
    found: Found, work: Workspace, given_for: GivenFor
) -> tuple[list[Read], list[Unreadable]]:
    """Every layer of a dataset, and a reason for each that cannot be read."""
    good: list[Read] = []
    bad: list[Unreadable] = []
    try:
        staged = stage(found, work, given_for(found.name, stem_of(found.name)).encoding)
        layers = _layers(staged, found)
    except DatasetError as error:
        return [], [Unreadable(found.name, error.kind, error.reason)]
    sha256 = sha256_of(found.entries)
    for layer in layers:
        try:
            good.append(_read_layer(found, staged, layer, given_for, sha256))
        except DatasetError as error:
            bad.append(Unreadable(found.name, error.kind, error.reason, layer.name))
    return good, bad


def _layers(staged: Staged, found: Found) -> list[LayerHead]:
    if found.kind not in ("gpkg", "filegdb"):
        return [LayerHead(stem_of(found.name) or found.name, None, found.kind == "table")]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            listed = pyogrio.list_layers(staged.path)
            heads = _gpkg_heads(staged.path) if found.kind == "gpkg" else {}
            miscounted = _miscounted(staged.path) if heads else {}
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError) as error:
        if found.kind == "gpkg" and holds_tiles(staged.path):
            raise DatasetError(
                found.name, "only_tiles", "it holds map tiles (pictures) only, no features"
            ) from None
        raise DatasetError(found.name, "damaged", _why_no_layers(found, staged, error)) from None
    if not len(listed):
        raise DatasetError(found.name, "no_layers", "it holds no layers with features")
    layers = []
    for name, kind in listed:
        declared, extent = heads.get(name, ("", None))
        count = miscounted.get(name)
        layers.append(LayerHead(name, name, kind is None, declared, extent, count))
    return layers


def _why_no_layers(found: Found, staged: Staged, error: Exception) -> str:
    """Why a container does not even list its layers, without the driver's own query."""
    plain = (
        "the GeoPackage is damaged or cut off, or lacks a table that it must have"
        if found.kind == "gpkg"
        else "the geodatabase is damaged or not complete: tables that it must have are missing"
    )
    said = plain_reason(error, staged).rsplit("; ", 1)[-1].rstrip(".")
    return plain if "not recognized" in said else f"{plain} ({said})"


def _gpkg_heads(path: str) -> dict[str, tuple[str, tuple[float, float, float, float] | None]]:
    """Declared geometry type and extent of each layer of a GeoPackage."""
    sql = (
        "SELECT c.table_name, g.geometry_type_name, c.min_x, c.min_y, c.max_x, c.max_y "
        "FROM gpkg_contents c LEFT JOIN gpkg_geometry_columns g ON c.table_name = g.table_name"
    )
    try:
        columns = raw.read(path, sql=sql, read_geometry=False)[3]
    except Exception:  # a GeoPackage without these tables is still read layer by layer
        return {}
    heads = {}
    for name, kind, *box in zip(*columns, strict=True):
        known = all(isinstance(v, float) and np.isfinite(v) for v in box)
        heads[name] = (kind or "", tuple(float(v) for v in box) if known else None)
    return heads  # type: ignore[return-value]


def _miscounted(path: str) -> dict[str, int]:
    """Layer -> features that a GeoPackage says it has, of each that has more.

    A program that adds rows behind the back of GDAL leaves its count of them as it was.
    """
    found: dict[str, int] = {}
    try:
        with closing(_read_only(path)) as tables:
            stated = tables.execute("SELECT table_name, feature_count FROM gpkg_ogr_contents")
            for name, count in stated.fetchall():
                quoted = '"' + str(name).replace('"', '""') + '"'
                last = tables.execute(f"SELECT MAX(rowid) FROM {quoted}").fetchone()[0]
                if count is not None and last is not None and last > count:
                    real = tables.execute(f"SELECT COUNT(*) FROM {quoted}").fetchone()[0]
                    found.update({name: int(count)} if real > count else {})
    except sqlite3.Error:  # without these tables, or damaged: reading says what is the matter
        return {}
    return found


def _read_only(path: str) -> sqlite3.Connection:
    """A GeoPackage opened so that SQLite cannot write beside it."""
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def holds_tiles(path: str) -> bool:
    """True for a GeoPackage of pictures."""
    try:
        with closing(_read_only(path)) as tables:
            kinds = tables.execute("SELECT DISTINCT data_type FROM gpkg_contents").fetchall()
    except sqlite3.Error:
        return False
    return ("tiles",) in kinds and ("features",) not in kinds


def _read_layer(
    found: Found, staged: Staged, head: LayerHead, given_for: GivenFor, sha256: str
) -> Read:
    given = given_for(found.name, head.name)
    bulk = read_bulk(found, staged, head)
    geometries = bulk.geometries
    is_table = head.is_table or geometries is None
    if geometries is None:
        geometries = np.full(len(bulk.records), None, dtype=object)
    notes = [*staged.oddities, *bulk.notes, *date_oddities(bulk.columns, bulk.date_columns)]
    bounds = finite_bounds(geometries)
    if is_table:
        crs, how = None, "none"
        notes.append(odd("no_geometry", "an attribute table without geometry"))
    else:
        notes.extend(
            geometry_oddities(geometries, bulk.records, bulk.wkb_types, staged.shape_types)
        )
        if staged.shapes is not None and staged.shape_types is not None:
            shapes = staged.shapes
            notes.extend(_deleted(len(staged.shape_types), bulk.records, bulk.lost))
            notes.extend(
                shape_type_oddities(shapes.shape_type, staged.shape_types, shapes.bounds, bounds)
            )
        elif head.extent is not None:
            notes.extend(extent_oddities(head.extent, bounds))
        stated = bulk.crs
        if staged.named_crs and understood(staged.named_crs)[0] is None:
            stated = staged.named_crs
        crs, how, words = settle_crs(stated, given.crs, given.fallback_crs, bounds, staged.wkt)
        notes.extend(words)
    if head.miscounted is not None:
        said = f"it says that it has {count_of(head.miscounted, 'feature')}"
        notes.append(odd("count_wrong", f"{said}; {len(geometries):,} were read"))
    if not len(geometries):
        notes.append(odd("no_features", "the dataset is empty: 0 features"))
    if not bulk.columns and ".dbf" in (*found.companions, ".dbf" * (found.kind != "shapefile")):
        notes.append(odd("no_fields", "no attribute fields"))
    frame = frame_of(bulk.columns, geometries, bulk.records, crs)
    has_no_text = found.kind == "shapefile" and staged.table is None
    provenance = Provenance(
        file=found.name,
        layer=head.name,
        driver=staged.driver,
        encoding=None if has_no_text else bulk.encoding,
        encoding_how="a shapefile without a table has no text"
        if has_no_text
        else bulk.encoding_how,
        crs_how=how,
        features_read=len(frame),
        features_null=0 if is_table else int(shapely.is_missing(geometries).sum()),
        features_lost=bulk.lost,
        sha256=sha256,
        companions=tuple(sorted(found.companions)),
        oddities=tuple(notes),
    )
    return Read(frame, provenance, is_table, bulk.unbuilt)


def _deleted(count: int, records: np.ndarray, lost: int) -> list[Oddity]:
    """Records of a shapefile that its table marks as deleted: drivers leave them out silently."""
    missing = np.setdiff1d(np.arange(count), records).tolist()
    if not missing or lost:
        return []
    return [
        odd(
            "records_deleted",
            f"{count_of(len(missing), 'record')} of {count:,} marked as deleted in the .dbf and "
            f"left out: record {numbered(missing)}; pack the table to be rid of them",
        )
    ]
