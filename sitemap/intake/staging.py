"""A found dataset -> a readable place under plain names, with what its companions say.

Only sound companions are linked: a web page saved as .prj, a .cpg of unknown words and a .shx
that does not fit never reach the driver.
"""

from __future__ import annotations

import codecs
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sitemap.errors import DatasetError
from sitemap.intake.dbf import (
    TableHeader,
    pad_table,
    read_table_header,
    rewrite_header,
    text_bytes,
    where_records_lie,
)
from sitemap.intake.discover import Found
from sitemap.intake.encoding import TextEncoding, choose_encoding, given_codec
from sitemap.intake.files import (
    DAMAGED,
    HEAD_BYTES,
    Entry,
    Workspace,
    read_head,
    suffix_of,
)
from sitemap.intake.geojson import as_utf8, part_oddities, stated_crs
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.shapefile import (
    SHAPE_NAMES,
    ShapeIndex,
    indexed_types,
    read_shapes,
    write_shx,
)
from sitemap.intake.sniff import sniff
from sitemap.layer import Oddity

_WRITES_AHEAD = b"\x02\x02"  # in the header of a SQLite file that keeps its changes in a log
DRIVERS = {
    "shapefile": "ESRI Shapefile",
    "table": "ESRI Shapefile",
    "gpkg": "GPKG",
    "filegdb": "OpenFileGDB",
    "geojson": "GeoJSON",
    "flatgeobuf": "FlatGeobuf",
}


@dataclass(frozen=True, eq=False)
class Staged:
    """Where to read a dataset, by which driver, and what its own bytes say.

    shape_types: the type of each shapefile record, by record number; None for other kinds.
    wkt: the text of the .prj, cleaned; None where there is none. named_crs: what the text of a
    GeoJSON names; its driver falls back to WGS 84 without a word where it does not know that.
    """

    path: str
    driver: str
    encoding: TextEncoding | None
    oddities: tuple[Oddity, ...]
    shapes: ShapeIndex | None = None
    table: TableHeader | None = None
    shape_types: np.ndarray | None = None
    wkt: str | None = None
    named_crs: str | None = None


def stage(found: Found, work: Workspace, encoding: str | None) -> Staged:
    """Make a dataset readable; DatasetError when its bytes rule that out."""
    folder = work.new_folder()
    if found.kind == "shapefile":
        return _stage_shapefile(found, folder, encoding)
    if found.kind == "table":
        table = folder / "layer.dbf"
        found.main.stage(table)
        notes = list(found.oddities)
        header = _table_header(table, found.name, notes)
        text = _text_encoding(found, table, header, encoding, notes)
        return Staged(str(table), DRIVERS["table"], text, tuple(notes), table=header)
    if found.kind == "gpkg":
        return _stage_gpkg(found, folder / "layer.gpkg", encoding)
    ending = ".gdb" if found.kind == "filegdb" else suffix_of(found.name)
    target = folder / f"layer{ending}"
    found.main.stage(target)
    given = _given(encoding)
    if found.kind == "geojson":
        return _stage_geojson(found, target, given)
    return Staged(str(target), DRIVERS[found.kind], given, found.oddities)


def _stage_geojson(found: Found, path: Path, given: TextEncoding | None) -> Staged:
    notes = (*found.oddities, *as_utf8(path), *part_oddities(path))
    with path.open("rb") as stream:
        is_esri = b"esriGeometry" in stream.read(HEAD_BYTES)
    driver = "ESRIJSON" if is_esri else "GeoJSON"
    named = None if is_esri else stated_crs(path)
    return Staged(f"{driver}:{path}", driver, given, notes, named_crs=named)


def _given(encoding: str | None) -> TextEncoding | None:
    """These kinds state their encoding; an option given by the user still wins."""
    return TextEncoding(given_codec(encoding), "option") if encoding else None


def _stage_gpkg(found: Found, target: Path, encoding: str | None) -> Staged:
    """Linked where it is at rest; else copied with its log, which SQLite would write back."""
    at_rest = read_head(found.main, 20)[18:20] != _WRITES_AHEAD
    if at_rest and not found.companions:
        found.main.stage(target)
    else:
        _copy(found.main, target)
        for ending, log in found.companions.items():
            _copy(log, target.with_name(target.name + ending))
        with suppress(sqlite3.Error), closing(sqlite3.connect(target)) as tables:
            tables.execute("SELECT name FROM sqlite_master").fetchone()  # takes the log in
    return Staged(str(target), DRIVERS["gpkg"], _given(encoding), found.oddities)


def _copy(entry: Entry, target: Path) -> None:
    """The file itself, where a link would lead SQLite to the user's folder."""
    entry.stage(target)
    if target.is_symlink():
        original = target.resolve()
        target.unlink()
        shutil.copyfile(original, target)


def _stage_shapefile(found: Found, folder: Path, encoding: str | None) -> Staged:
    shp = folder / "layer.shp"
    found.main.stage(shp)
    notes = list(found.oddities)
    shapes = read_shapes(shp)
    if shapes.cut_off:
        notes.append(
            odd(
                "shp_cut_off",
                "the .shp ends before its header says; "
                f"{count_of(len(shapes), 'whole record')} can be read",
            )
        )
    kind = SHAPE_NAMES.get(shapes.shape_type)
    if kind is None:
        raise DatasetError(
            found.name, "damaged", f"the .shp states shape type {shapes.shape_type}, which is none"
        )
    shape_types = _settle_shx(found, folder, shapes, notes)
    header = None
    if ".dbf" in found.companions:
        header = _settle_dbf(found, folder, len(shape_types), notes)
    else:
        notes.append(odd("dbf_missing", "no .dbf: the features have no attributes; send it too"))
    wkt = _settle_prj(found, folder, notes)
    table = folder / "layer.dbf"
    text = _text_encoding(found, table, header, encoding, notes) if header else None
    return Staged(
        str(shp), DRIVERS["shapefile"], text, tuple(notes), shapes, header, shape_types, wkt
    )


def _settle_shx(found: Found, folder: Path, shapes: ShapeIndex, notes: list[Oddity]) -> np.ndarray:
    """Link the .shx if it fits, else write one; gives the shape types in its order."""
    shx = folder / "layer.shx"
    entry = found.companions.get(".shx")
    if entry is not None:
        entry.stage(shx)
        types = indexed_types(folder / "layer.shp", shx)
        if types is not None and (len(types) or not len(shapes)):
            return types
        shx.unlink()
        why = "the .shx does not fit the .shp"
    else:
        why = "the .shx is missing"
    write_shx(shapes, folder / "layer.shp", shx)
    notes.append(
        odd(
            "shx_rebuilt",
            f"{why}; it was rebuilt from the {count_of(len(shapes), 'record')} of the .shp "
            "on a copy (your files are untouched); send it too",
        )
    )
    return shapes.types


def _settle_dbf(
    found: Found, folder: Path, shape_count: int, notes: list[Oddity]
) -> TableHeader | None:
    table = folder / "layer.dbf"
    found.companions[".dbf"].stage(table)
    header = _table_header(table, found.name, notes, fatal=False)
    if header is None:
        table.unlink()
        return None
    held = min(header.records, header.records_held)
    if held < shape_count:
        pad_table(table, header, shape_count)  # GDAL would leave out the shapes without a record
        notes.append(
            odd(
                "dbf_ends_early",
                f"attributes end at record {held:,} of {shape_count:,}: the .dbf holds fewer "
                "records than the .shp; the features after that have none",
            )
        )
    elif held > shape_count:
        notes.append(
            odd(
                "dbf_too_long",
                f"the .dbf holds {held:,} records, the .shp {shape_count:,}; they may not belong "
                "together",
            )
        )
    return header


def _table_header(
    table: Path, name: str, notes: list[Oddity], *, fatal: bool = True
) -> TableHeader | None:
    """The header of a staged .dbf, mended on the copy where it is wrong; None when it is none."""
    header = read_table_header(table)
    place = where_records_lie(table, header) if header is not None else None
    if header is None or place is None:
        kind, reason = "dbf_missing", "the .dbf is empty or has no readable header"
        if header is not None:
            kind = "dbf_misaligned"
            reason = "the records of the .dbf do not lie where its header says, nor where its "
            reason += "fields would put them"
        if fatal:
            raise DatasetError(name, "damaged", reason)
        notes.append(odd(kind, f"{reason}: the features have no attributes"))
        return None
    if place != (header.header_bytes, header.record_bytes):
        notes.append(
            odd(
                "dbf_misaligned",
                f"the header of the .dbf says that records of {header.record_bytes} bytes begin at "
                f"byte {header.header_bytes}; they are of {place[1]} bytes and begin at byte "
                f"{place[0]}, and were read from there",
            )
        )
        rewrite_header(table, place)
        header = read_table_header(table)
        assert header is not None
    if header.cut_off:
        notes.append(
            odd(
                "dbf_cut_off",
                f"the .dbf says {header.records:,} records but holds {header.records_held:,}: "
                f"attributes end at record {header.records_held:,}",
            )
        )
    if header.memo_fields:
        names = ", ".join(header.memo_fields[:8])
        words = f"memo fields keep their text in a file of its own, which is not read: {names}"
        notes.append(odd("attributes_lost", words))
    return header


def _settle_prj(found: Found, folder: Path, notes: list[Oddity]) -> str | None:
    """Write the usable text of the .prj (else .qpj) beside the staged .shp, without a BOM."""
    for end in (".prj", ".qpj"):
        entry = found.companions.get(end)
        if entry is None:
            continue
        text = _companion_text(entry, notes)
        if text is None:
            continue
        (folder / "layer.prj").write_text(text, encoding="utf-8")
        if end == ".qpj":
            notes.append(odd("crs_from_qpj", "no .prj; the CRS was read from the .qpj of QGIS"))
        return text
    return None


def _companion_text(entry: Entry, notes: list[Oddity]) -> str | None:
    """The text of a small companion file; None, with a note, where it cannot be used."""
    shown = entry.name.rsplit("/", 1)[-1]
    try:
        with entry.open() as stream:
            raw = stream.read(1 << 16)
    except (DatasetError, *DAMAGED, OSError) as error:
        reason = error.reason if isinstance(error, DatasetError) else str(error)
        notes.append(odd("companion_unreadable", f"{shown} cannot be read ({reason}); not used"))
        return None
    if sniff(raw) == "web page":
        notes.append(
            odd(
                "companion_web_page",
                f"{shown} is a saved web page, not a {suffix_of(shown)} file: its download did "
                "not work; it is not used",
            )
        )
        return None
    codec = "utf-16" if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    text = raw.decode(codec, errors="replace").strip().strip("\0")
    return text or None


def _text_encoding(
    found: Found,
    table: Path,
    header: TableHeader | None,
    given: str | None,
    notes: list[Oddity],
) -> TextEncoding:
    entry = found.companions.get(".cpg") or found.companions.get(".cst")
    cpg = _companion_text(entry, notes) if entry is not None else None
    text = text_bytes(table, header) if header is not None else b""
    chosen = choose_encoding(
        text, given=given, cpg=cpg, language=header.language if header is not None else 0
    )
    notes.extend(chosen.oddities)
    return chosen
