"""Bulk reading of vector datasets with pyogrio; one bad geometry or byte never kills a layer.

A dataset that bulk reading refuses goes to salvage.py. Drivers are chosen by the first bytes
of a file, never by GDAL's own guess, so that no virtual or network dataset can be opened.
"""

from __future__ import annotations

import logging
import sqlite3
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import geopandas
import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from sitemap.errors import DatasetError
from sitemap.intake.columns import date_oddities, decode_columns, frame_of
from sitemap.intake.crs_detective import settle_crs
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace, sha256_of, stem_of
from sitemap.intake.geometry_detective import (
    extent_oddities,
    finite_bounds,
    geometry_oddities,
    shape_type_oddities,
)
from sitemap.intake.oddities import count_of, numbered, odd
from sitemap.intake.salvage import read_record_by_record
from sitemap.intake.staging import Staged, stage
from sitemap.layer import Oddity, Provenance, Unreadable

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


@dataclass(eq=False)
class _Bulk:
    """The raw result of one reading, by whichever reader."""

    columns: dict[str, Any]
    geometries: np.ndarray | None
    records: np.ndarray
    crs: str | None
    wkb_types: np.ndarray | None
    notes: list[Oddity]
    encoding: str | None
    encoding_how: str
    date_columns: tuple[str, ...] = ()
    lost: int = 0


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


@dataclass(frozen=True)
class _LayerHead:
    """A layer before it is read; `select` is its name for the driver, None for the only one."""

    name: str
    select: str | None
    is_table: bool = False
    declared_type: str = ""
    extent: tuple[float, float, float, float] | None = None


def _layers(staged: Staged, found: Found) -> list[_LayerHead]:
    if found.kind not in ("gpkg", "filegdb"):
        return [_LayerHead(stem_of(found.name) or found.name, None, found.kind == "table")]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            listed = pyogrio.list_layers(staged.path)
            heads = _gpkg_heads(staged.path) if found.kind == "gpkg" else {}
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError) as error:
        if found.kind == "gpkg" and _holds_tiles(staged.path):
            raise DatasetError(
                found.name, "only_tiles", "it holds map tiles (pictures) only, no features"
            ) from None
        raise DatasetError(found.name, "damaged", _plain_reason(error, staged)) from None
    if not len(listed):
        raise DatasetError(found.name, "no_layers", "it holds no layers with features")
    layers = []
    for name, kind in listed:
        declared, extent = heads.get(name, ("", None))
        layers.append(_LayerHead(name, name, kind is None, declared, extent))
    return layers


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


def _holds_tiles(path: str) -> bool:
    """True for a GeoPackage of pictures; opened so that SQLite cannot write beside it."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as tables:
            kinds = tables.execute("SELECT DISTINCT data_type FROM gpkg_contents").fetchall()
    except sqlite3.Error:
        return False
    return ("tiles",) in kinds and ("features",) not in kinds


def _read_layer(
    found: Found, staged: Staged, head: _LayerHead, given_for: GivenFor, sha256: str
) -> Read:
    given = given_for(found.name, head.name)
    bulk = _read(found, staged, head)
    geometries = bulk.geometries
    is_table = head.is_table or geometries is None
    if geometries is None:
        geometries = np.full(len(bulk.records), None, dtype=object)
    frame = frame_of(bulk.columns, geometries, bulk.records)
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
            notes.extend(
                shape_type_oddities(shapes.shape_type, staged.shape_types, shapes.bounds, bounds)
            )
        elif head.extent is not None:
            notes.extend(extent_oddities(head.extent, bounds))
        crs, how, words = settle_crs(bulk.crs, given.crs, given.fallback_crs, bounds, staged.wkt)
        notes.extend(words)
    if not len(frame):
        notes.append(odd("no_features", "the dataset is empty: 0 features"))
    if not bulk.columns and ".dbf" in (*found.companions, ".dbf" * (found.kind != "shapefile")):
        notes.append(odd("no_fields", "no attribute fields"))
    if crs is not None:
        frame = frame.set_crs(crs)
    provenance = Provenance(
        file=found.name,
        layer=head.name,
        driver=staged.driver,
        encoding=bulk.encoding,
        encoding_how=bulk.encoding_how,
        crs_how=how,
        features_read=len(frame),
        features_null=0 if is_table else int(shapely.is_missing(geometries).sum()),
        features_lost=bulk.lost,
        sha256=sha256,
        companions=tuple(sorted(found.companions)),
        oddities=tuple(notes),
    )
    return Read(frame, provenance, is_table)


def _read(found: Found, staged: Staged, head: _LayerHead) -> _Bulk:
    """Bulk reading, with a second try for broken text, else record by record."""
    wanted = staged.encoding.name if staged.encoding else None
    # Text is read byte for byte and decoded here: no codec of GDAL's can refuse a layer.
    encoding = "ISO-8859-1" if wanted else None
    try:
        return _bulk(staged, head, encoding, wanted)
    except UnicodeDecodeError:
        return _bulk(staged, head, "ISO-8859-1", "utf-8")
    except (
        pyogrio.errors.DataSourceError,
        pyogrio.errors.DataLayerError,
        pyogrio.errors.FeatureError,
        pyogrio.errors.GeometryError,
        pyogrio.errors.FieldError,
        ValueError,
        OverflowError,
    ) as error:
        lists = _list_columns(staged, head)
        if lists:
            return _without(staged, head, lists)
        return _salvage(found, staged, head, _plain_reason(error, staged))


def _list_columns(staged: Staged, head: _LayerHead) -> tuple[list[str], list[str]] | None:
    """(columns that a table can hold, columns of lists), when lists are what refused reading."""
    try:
        meta = raw.read(staged.path, layer=head.select, read_geometry=False, max_features=0)[0]
    except Exception:
        return None
    named = list(zip(map(str, meta["fields"]), meta["ogr_types"], strict=True))
    lists = [name for name, kind in named if kind.endswith("List")]
    return ([name for name, kind in named if not kind.endswith("List")], lists) if lists else None


def _without(staged: Staged, head: _LayerHead, columns: tuple[list[str], list[str]]) -> _Bulk:
    keep, lists = columns
    bulk = _bulk(staged, head, None, None, keep)
    bulk.notes.append(
        odd("attributes_lost", f"fields that hold lists are left out: {', '.join(lists[:8])}")
    )
    return bulk


def _bulk(
    staged: Staged,
    head: _LayerHead,
    encoding: str | None,
    decode: str | None,
    only: list[str] | None = None,
) -> _Bulk:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        meta, fids, wkb, data = raw.read(
            staged.path,
            layer=head.select,
            encoding=encoding,
            columns=only,
            return_fids=True,
            datetime_as_string=True,
        )
    notes = _remarks([str(one.message) for one in said], staged)
    columns = dict(zip((str(name) for name in meta["fields"]), data, strict=True))
    if decode is not None:
        columns = decode_columns(columns, decode, notes)
    geometries = wkb_types = None
    if wkb is not None and not head.is_table:
        geometries = shapely.from_wkb(wkb, on_invalid="ignore")
        wkb_types = np.array([_wkb_type(one) for one in wkb], dtype=np.int64)
        notes.extend(_curves(staged, head))
    is_shapefile = staged.driver == "ESRI Shapefile"
    records = fids if is_shapefile else np.arange(len(fids))
    text = staged.encoding
    how = text.how if text else "format's own"
    return _Bulk(
        columns,
        geometries,
        np.asarray(records, dtype=np.int64),
        meta["crs"],
        wkb_types,
        notes,
        (text.name if text else decode or meta["encoding"]),
        how,
        date_columns=_date_columns(meta),
    )


def _salvage(found: Found, staged: Staged, head: _LayerHead, reason: str) -> _Bulk:
    text = staged.encoding
    saved = read_record_by_record(
        staged.path, head.select, staged.driver, text.name if text else None, found.name
    )
    read = len(saved.records)
    notes = [odd("read_record_by_record", f"bulk reading was refused ({reason}); read one by one")]
    if saved.bare:
        numbers = [number for number, _ in saved.bare]
        notes.append(
            odd(
                "attributes_lost",
                f"the attributes of {count_of(len(numbers), 'record')} cannot be read "
                f"(record {numbered(numbers)}): {saved.bare[0][1]}",
            )
        )
    if saved.lost:
        numbers = [number for number, _ in saved.lost]
        notes.append(
            odd(
                "features_lost",
                f"{count_of(len(numbers), 'feature')} lost, {read:,} read; lost: record "
                f"{numbered(numbers)} ({saved.lost[0][1]})",
                feature=numbers[0],
            )
        )
    geometries = np.empty(read, dtype=object)
    geometries[:] = saved.geometries
    return _Bulk(
        saved.columns,
        None if head.is_table else geometries,
        saved.records,
        saved.crs,
        None,
        notes,
        text.name if text else None,
        text.how if text else "format's own",
        lost=len(saved.lost),
    )


def _date_columns(meta: dict[str, Any]) -> tuple[str, ...]:
    kinds = ("OFTDate", "OFTDateTime")
    return tuple(
        str(name)
        for name, kind in zip(meta["fields"], meta["ogr_types"], strict=True)
        if kind in kinds
    )


def _wkb_type(wkb: bytes | None) -> int:
    """The geometry type in a WKB header without its Z and M flags; 0 for no geometry."""
    if wkb is None or len(wkb) < 5:
        return 0
    code = int.from_bytes(wkb[1:5], "little" if wkb[0] == 1 else "big")
    return (code & 0x0FFFFFFF) % 1000


def _curves(staged: Staged, head: _LayerHead) -> list[Oddity]:
    """A word where arcs were replaced: reading gives straight segments without saying so."""
    plain = ("", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON")
    if head.select is None or (staged.driver == "GPKG" and head.declared_type in plain[1:]):
        return []
    name = head.select.replace('"', '""')
    sql = f'SELECT DISTINCT OGR_GEOMETRY FROM "{name}"'
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kinds = raw.read(staged.path, sql=sql, sql_dialect="OGRSQL", read_geometry=False)[3][0]
    except Exception:  # a name that OGR SQL cannot quote costs only this word
        return []
    curved = sorted(
        str(kind)
        for kind in kinds
        if kind and any(word in str(kind) for word in ("CURVE", "CIRCULAR", "SURFACE"))
    )
    if not curved:
        return []
    return [
        odd(
            "curves_linearised",
            f"{', '.join(curved)}: curves are drawn as short straight lines; compare areas and "
            "holes with the original",
        )
    ]


def _remarks(messages: list[str], staged: Staged) -> list[Oddity]:
    """The reader's own warnings, once each, in terms of the user's file."""
    notes: list[Oddity] = []
    for message in dict.fromkeys(messages):
        if message.startswith("Measured (M)"):
            notes.append(odd("m_dropped", "measures (M) are left out; X, Y and Z are kept"))
        elif len(notes) < 8:
            notes.append(odd("reader_warning", _tidy(message, staged)[:200]))
    return notes


def _tidy(message: str, staged: Staged) -> str:
    plain = staged.path.removeprefix("GeoJSON:").removeprefix("ESRIJSON:")
    return message.replace(plain, "the file").splitlines()[0]


def _plain_reason(error: Exception, staged: Staged) -> str:
    text = _tidy(str(error) or type(error).__name__, staged)
    return text.split("; It might help")[0]
