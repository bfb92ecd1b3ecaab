"""The companions of a shapefile: linked where they are sound, mended on the copy, or left out.

A web page saved as .prj, a .shx that does not fit and a table whose header is wrong never reach
the driver as they are.
"""

from __future__ import annotations

import codecs
from pathlib import Path

import numpy as np

from sitemap.errors import DatasetError
from sitemap.intake.dbf import (
    TableHeader,
    pad_table,
    read_table_header,
    rewrite_header,
    where_records_lie,
)
from sitemap.intake.discover import Found
from sitemap.intake.files import DAMAGED, Entry, suffix_of
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.shapefile import ShapeIndex, indexed_types, write_shx
from sitemap.intake.sniff import sniff
from sitemap.layer import Oddity


def settle_shx(found: Found, folder: Path, shapes: ShapeIndex, notes: list[Oddity]) -> np.ndarray:
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


def settle_dbf(
    found: Found, folder: Path, shape_count: int, notes: list[Oddity]
) -> TableHeader | None:
    """Link the .dbf, with blank records where it holds fewer than the .shp; None if it is none."""
    table = folder / "layer.dbf"
    found.companions[".dbf"].stage(table)
    header = table_header(table, found.name, notes, fatal=False)
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


def table_header(
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


def settle_prj(found: Found, folder: Path, notes: list[Oddity]) -> str | None:
    """Write the usable text of the .prj (else .qpj) beside the staged .shp, without a BOM."""
    for end in (".prj", ".qpj"):
        entry = found.companions.get(end)
        if entry is None:
            continue
        text = companion_text(entry, notes)
        if text is None:
            continue
        (folder / "layer.prj").write_text(text, encoding="utf-8")
        if end == ".qpj":
            notes.append(odd("crs_from_qpj", "no .prj; the CRS was read from the .qpj of QGIS"))
        return text
    return None


def companion_text(entry: Entry, notes: list[Oddity]) -> str | None:
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
