"""A found dataset -> a readable place under plain names, with what its companions say.

Only sound companions are linked: a web page saved as .prj, a .cpg of unknown words and a .shx
that does not fit never reach the driver.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sitemap.errors import DatasetError
from sitemap.intake.companions import (
    companion_text,
    settle_dbf,
    settle_prj,
    settle_shx,
    table_header,
)
from sitemap.intake.dbf import TableHeader, text_bytes
from sitemap.intake.discover import Found
from sitemap.intake.encoding import TextEncoding, choose_encoding, given_codec
from sitemap.intake.files import HEAD_BYTES, Entry, Workspace, read_head, suffix_of
from sitemap.intake.geojson import as_utf8, part_oddities, stated_crs
from sitemap.intake.geojson_lines import as_collection
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.shapefile import SHAPE_NAMES, ShapeIndex, read_shapes
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
        header = table_header(table, found.name, notes)
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
    notes = (*found.oddities, *as_utf8(path), *as_collection(path), *part_oddities(path))
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
    elif shapes.behind_end:
        notes.append(
            odd(
                "shp_longer",
                f"the .shp goes on after the end that its header gives: {shapes.behind_end:,} of "
                f"{count_of(len(shapes), 'record')} lie behind it, and programs that go by the "
                "header do not see them. Export it again",
            )
        )
    kind = SHAPE_NAMES.get(shapes.shape_type)
    if kind is None:
        raise DatasetError(
            found.name, "damaged", f"the .shp states shape type {shapes.shape_type}, which is none"
        )
    shape_types = settle_shx(found, folder, shapes, notes)
    header = None
    if ".dbf" in found.companions:
        header = settle_dbf(found, folder, len(shape_types), notes)
    else:
        notes.append(odd("dbf_missing", "no .dbf: the features have no attributes; send it too"))
    wkt = settle_prj(found, folder, notes)
    table = folder / "layer.dbf"
    text = _text_encoding(found, table, header, encoding, notes) if header else None
    return Staged(
        str(shp), DRIVERS["shapefile"], text, tuple(notes), shapes, header, shape_types, wkt
    )


def _text_encoding(
    found: Found,
    table: Path,
    header: TableHeader | None,
    given: str | None,
    notes: list[Oddity],
) -> TextEncoding:
    entry = found.companions.get(".cpg") or found.companions.get(".cst")
    cpg = companion_text(entry, notes) if entry is not None else None
    text = text_bytes(table, header) if header is not None else b""
    chosen = choose_encoding(
        text, given=given, cpg=cpg, language=header.language if header is not None else 0
    )
    notes.extend(chosen.oddities)
    return chosen
