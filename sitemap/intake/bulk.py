"""Reading one layer in bulk with pyogrio; what that refuses goes record by record to salvage.py.

Text of tables is read byte for byte and decoded here, and geometries are decoded one by one, so
that neither a codec nor a broken ring can refuse a layer.
"""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from pyogrio import raw

from sitemap.errors import DatasetError
from sitemap.intake.columns import decode_columns
from sitemap.intake.discover import Found
from sitemap.intake.geojson import why_refused
from sitemap.intake.oddities import count_of, numbered, odd
from sitemap.intake.staging import Staged
from sitemap.layer import Oddity

REFUSALS = (
    pyogrio.errors.DataSourceError,
    pyogrio.errors.DataLayerError,
    pyogrio.errors.FeatureError,
    pyogrio.errors.GeometryError,
    pyogrio.errors.FieldError,
    pyogrio.errors.CRSError,
    ValueError,
    OverflowError,
)
BUILT_TOGETHER = 5_000  # geometries
_RAW_WORDS = re.compile(r"Could not decode error message to UTF-8\. Raw error: b['\"](.*)['\"]")


@dataclass(frozen=True)
class LayerHead:
    """A layer before it is read; `select` is its name for the driver, None for the only one.

    miscounted: the features that a GeoPackage says it has, where it has more; drivers stop there.
    """

    name: str
    select: str | None
    is_table: bool = False
    declared_type: str = ""
    extent: tuple[float, float, float, float] | None = None
    miscounted: int | None = None

    @property
    def query(self) -> str | None:
        """How to ask for every feature of a layer that is miscounted."""
        quoted = (self.select or "").replace('"', '""')
        return None if self.miscounted is None else f'SELECT * FROM "{quoted}"'


@dataclass(eq=False)
class Bulk:
    """The raw result of one reading, by whichever reader."""

    columns: dict[str, Any]
    geometries: np.ndarray | None
    records: np.ndarray
    crs: str | None
    wkb_types: np.ndarray | None  # of records whose geometry could not be built; else 0
    notes: list[Oddity]
    encoding: str | None
    encoding_how: str
    date_columns: tuple[str, ...] = ()
    lost: int = 0
    unbuilt: dict[int, bytes] = field(default_factory=dict)  # record -> WKB that GEOS refused


def read_bulk(found: Found, staged: Staged, head: LayerHead) -> Bulk:
    """Bulk reading, with a second try for broken text, else record by record."""
    wanted = staged.encoding.name if staged.encoding else None
    # Text is read byte for byte and decoded here: no codec of GDAL's can refuse a layer.
    encoding = "ISO-8859-1" if wanted else None
    try:
        return _bulk_or_utf8(staged, head, encoding, wanted)
    except pyogrio.errors.CRSError as error:
        return _without_prj(found, staged, head, (encoding, wanted), plain_reason(error, staged))
    except REFUSALS as error:
        lists = _list_columns(staged, head) if isinstance(error, ValueError) else None
        if lists:
            return _without(staged, head, lists)
        return _salvage(found, staged, head, plain_reason(error, staged))


def _without_prj(
    found: Found, staged: Staged, head: LayerHead, text: tuple[str | None, str | None], reason: str
) -> Bulk:
    """A .prj that GDAL cannot even begin to read costs the layer its CRS, not its features."""
    prj = Path(staged.path).with_suffix(".prj")
    if staged.wkt is None or not prj.is_file():
        return _salvage(found, staged, head, reason)
    prj.unlink()
    try:
        return _bulk_or_utf8(staged, head, *text)
    except REFUSALS as error:
        return _salvage(found, staged, head, plain_reason(error, staged))


def _bulk_or_utf8(
    staged: Staged, head: LayerHead, encoding: str | None, wanted: str | None
) -> Bulk:
    try:
        return _bulk(staged, head, encoding, wanted)
    except UnicodeDecodeError:
        return _bulk(staged, head, "ISO-8859-1", "utf-8")


def _list_columns(staged: Staged, head: LayerHead) -> tuple[list[str], list[str]] | None:
    """(columns that a table can hold, columns of lists), when lists are what refused reading."""
    try:
        info = pyogrio.read_info(staged.path, layer=head.select)
    except Exception:  # what cannot even be described has other faults than lists
        return None
    named = list(zip(map(str, info["fields"]), info["ogr_types"], strict=True))
    lists = [name for name, kind in named if kind.endswith("List")]
    return ([name for name, kind in named if not kind.endswith("List")], lists) if lists else None


def _without(staged: Staged, head: LayerHead, columns: tuple[list[str], list[str]]) -> Bulk:
    keep, lists = columns
    bulk = _bulk(staged, head, None, None, keep)
    bulk.notes.append(
        odd("attributes_lost", f"fields that hold lists are left out: {', '.join(lists[:8])}")
    )
    return bulk


def _bulk(
    staged: Staged,
    head: LayerHead,
    encoding: str | None,
    decode: str | None,
    only: list[str] | None = None,
) -> Bulk:
    # a layer of features in a database is numbered by its order; numbers cost a fifth of reading
    numbered = head.select is None or head.is_table
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        meta, fids, wkb, data = raw.read(
            staged.path,
            layer=None if head.query else head.select,
            sql=head.query,
            encoding=encoding,
            columns=only,
            return_fids=numbered,
            datetime_as_string=True,
        )
    notes = _remarks([str(one.message) for one in said], staged)
    columns = dict(zip((str(name) for name in meta["fields"]), data, strict=True))
    if decode is not None:
        columns = decode_columns(columns, decode, notes)
    geometries = wkb_types = None
    if wkb is not None and not head.is_table:
        geometries = _built(wkb)
        wkb_types = _types_of_lost(wkb, geometries)
        notes.extend(_curves(staged, head))
    count = len(wkb) if fids is None else len(fids)
    records = fids if staged.driver == "ESRI Shapefile" else np.arange(count)
    text = staged.encoding
    how = text.how if text else "format's own"
    return Bulk(
        columns,
        geometries,
        np.asarray(records, dtype=np.int64),
        meta["crs"],
        wkb_types,
        notes,
        (text.name if text else decode or meta["encoding"]),
        how,
        date_columns=_date_columns(meta),
        unbuilt=_unbuilt(wkb, geometries, records),
    )


def _built(wkb: np.ndarray) -> np.ndarray:
    """The geometries of WKB, which is given up as it goes, so that both are never there as a whole;
    what no geometry could be built of stays in it.
    """
    geometries = np.empty(len(wkb), dtype=object)
    for start in range(0, len(wkb), BUILT_TOGETHER):
        some = slice(start, start + BUILT_TOGETHER)
        geometries[some] = shapely.from_wkb(wkb[some], on_invalid="ignore")
        wkb[some][~shapely.is_missing(geometries[some])] = None
    return geometries


def _unbuilt(
    wkb: np.ndarray | None, geometries: np.ndarray | None, records: np.ndarray
) -> dict[int, bytes]:
    """The WKB of records that are there and that GEOS would not build; repair may close a ring."""
    if geometries is None or wkb is None:
        return {}
    missing = np.flatnonzero(shapely.is_missing(geometries)).tolist()
    return {int(records[i]): bytes(wkb[i]) for i in missing if wkb[i] is not None}


def _salvage(found: Found, staged: Staged, head: LayerHead, reason: str) -> Bulk:
    if found.kind == "geojson" and not _is_whole(staged.path.split(":", 1)[1]):
        raise DatasetError(
            found.name,
            "truncated",
            f"the file ends in the middle: it was not completely copied or downloaded ({reason})",
        )
    if found.kind == "geojson" and reason.startswith("Failed to read GeoJSON"):
        # such text is refused as a whole, by every reader
        words = why_refused(Path(staged.path.split(":", 1)[1]), reason)
        raise DatasetError(found.name, "damaged", words)
    from sitemap.intake.salvage import read_record_by_record  # brings a third GDAL: seldom needed

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
    return Bulk(
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


def _is_whole(path: str) -> bool:
    """True when a JSON file ends as one."""
    with open(path, "rb") as stream:
        stream.seek(max(0, os.path.getsize(path) - 64))
        return stream.read().rstrip(b" \t\r\n\0").endswith((b"}", b"]"))


def _date_columns(meta: dict[str, Any]) -> tuple[str, ...]:
    kinds = ("OFTDate", "OFTDateTime")
    return tuple(
        str(name)
        for name, kind in zip(meta["fields"], meta["ogr_types"], strict=True)
        if kind in kinds
    )


def _types_of_lost(wkb: np.ndarray, geometries: np.ndarray) -> np.ndarray:
    """The types of the records of which no geometry could be built; 0 for all others."""
    types = np.zeros(len(wkb), dtype=np.int64)
    for at in np.flatnonzero(shapely.is_missing(geometries)).tolist():
        types[at] = _wkb_type(wkb[at])
    return types


def _wkb_type(wkb: bytes | None) -> int:
    """The geometry type in a WKB header without its Z and M flags; 0 for no geometry."""
    if wkb is None or len(wkb) < 5:
        return 0
    code = int.from_bytes(wkb[1:5], "little" if wkb[0] == 1 else "big")
    return (code & 0x0FFFFFFF) % 1000


def _curves(staged: Staged, head: LayerHead) -> list[Oddity]:
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


def plain_reason(error: Exception, staged: Staged) -> str:
    """What a reader says, without its advice to programmers."""
    text = _RAW_WORDS.sub(r"\1", _tidy(str(error) or type(error).__name__, staged))
    return text.split("; It might help")[0]


def _tidy(message: str, staged: Staged) -> str:
    plain = staged.path.removeprefix("GeoJSON:").removeprefix("ESRIJSON:")
    return message.replace(plain, "the file").splitlines()[0].split(". To avoid accepting it")[0]
