"""Files that are read for no layer: impostors, and map data in a form that is not read.

Reports, pictures and projects of programs are no business of a check; a point cloud, a drawing or
a table of coordinates is, and is named so that nobody takes it for checked.
"""

from __future__ import annotations

import re
import zipfile

from sitemap.errors import DatasetError
from sitemap.intake.files import (
    DAMAGED,
    GDB_CATALOGUE,
    HEAD_BYTES,
    Entry,
    GdbFolder,
    folder_of,
    stem_of,
    suffix_of,
)
from sitemap.intake.formats import (
    ARCHIVES,
    CONTENT,
    IDLE_COMPANIONS,
    KINDS,
    REFUSED,
    USED_COMPANIONS,
    Kind,
)
from sitemap.intake.geojson import service_words
from sitemap.intake.sniff import WORDS, sniff, wrong_content
from sitemap.layer import Unreadable

_TABLES = (".csv", ".txt", ".tsv")
_WORKBOOKS = (".xlsx", ".xlsm")
_SHEET_TEXTS = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")
_WORKBOOK_BYTES = 1 << 16  # headings stand at the beginning
_PLACES = (
    {"x", "y"}, {"lon", "lat"}, {"long", "lat"}, {"longitude", "latitude"}, {"e", "n"},
    {"easting", "northing"}, {"east", "north"}, {"point_x", "point_y"}, {"pointx", "pointy"},
)  # fmt: skip
_SHAPES = ("wkt", "the_geom", "geometry", "geom", "shape_wkt")
_OTHER_NAME = {
    "shapefile": ("a shapefile", ".shp"),
    "tiff": ("a TIFF raster", ".tif"),
    "flatgeobuf": ("a FlatGeobuf", ".fgb"),
    "erdas": ("an ERDAS Imagine raster", ".img"),
    "gpkg": ("a GeoPackage", ".gpkg"),
    "zip": ("a zip archive", ".zip"),
}
_GPKG_AT, _GPKG_IDS = 68, (b"GPKG", b"GP10", b"GP11")


def bystander(entry: Entry, family: frozenset[str]) -> Unreadable | None:
    """A reason for a file that holds map data and is not read; None for the rest.

    family: the endings of all files of its name in its folder.
    """
    suffix = suffix_of(entry.name)
    if suffix in ARCHIVES:
        reason = "a zip inside a zip is not opened; unpack it and send its files"
        return Unreadable(entry.name, "zip_in_zip", reason)
    if suffix == ".adf":
        return _grid(entry)
    if suffix in REFUSED:
        kind = "dwg" if suffix == ".dwg" else "format_not_read"
        return Unreadable(entry.name, kind, REFUSED[suffix])
    if suffix == ".shx" and not family & {".shp", ".dbf"}:
        reason = "the record index of a shapefile whose .shp is missing; send all its files"
        return Unreadable(entry.name, "shp_missing", reason)
    if suffix in USED_COMPANIONS or suffix in IDLE_COMPANIONS:
        return None
    return _by_content(entry, suffix)


def _grid(entry: Entry) -> Unreadable | None:
    """An Esri grid is a folder of .adf files: named once, by its header."""
    if stem_of(entry.name).lower() != "hdr":
        return None
    name = folder_of(entry.name) or entry.name
    reason = "an Esri grid (a folder of .adf files), which is not read; export it as GeoTIFF"
    return Unreadable(name, "format_not_read", reason)


def _by_content(entry: Entry, suffix: str) -> Unreadable | None:
    """What the first bytes say of a file whose name says nothing."""
    try:
        with entry.open() as stream:
            head = stream.read(HEAD_BYTES)
    except (DatasetError, *DAMAGED, OSError):
        return None
    if suffix in _TABLES:
        return _table_of_places(entry, head)
    if suffix in _WORKBOOKS:
        return _workbook_of_places(entry)
    kind = sniff(head)
    if kind == "sqlite" and head[_GPKG_AT : _GPKG_AT + 4] in _GPKG_IDS:
        kind = "gpkg"
    if kind not in _OTHER_NAME or (kind == "zip" and suffix):  # office files are zip archives
        return None
    what, ending = _OTHER_NAME[kind]
    reason = f"this is {what} under another name; give it the ending {ending}"
    return Unreadable(entry.name, "other_name", reason)


def _table_of_places(entry: Entry, head: bytes) -> Unreadable | None:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("latin-1").lower()
    names = {name.strip(" \"'\r") for name in re.split(r"[,;\t|]", first)}
    shape = next((name for name in _SHAPES if name in names), None)
    if shape is not None:
        reason = (
            f"a table with geometries as text in its column {shape}, which is not read; load it "
            "in a GIS as delimited text, with its CRS, and save it as a shapefile or a GeoPackage"
        )
    elif any(pair <= names for pair in _PLACES):
        reason = (
            "a table with coordinates in its columns, which is not read; make points of it and "
            "save them as a shapefile or a GeoPackage"
        )
    else:
        return None
    return Unreadable(entry.name, "format_not_read", reason)


def _workbook_of_places(entry: Entry) -> Unreadable | None:
    """A workbook with the headings of coordinates among the texts of its first sheet."""
    texts = b""
    try:
        with entry.open() as stream, zipfile.ZipFile(stream) as book:
            for part in set(_SHEET_TEXTS) & set(book.namelist()):
                with book.open(part) as held:
                    texts += held.read(_WORKBOOK_BYTES)
    except (DatasetError, *DAMAGED, OSError, RuntimeError, ValueError):
        return None
    found = re.findall(r"<t\b[^>]*>\s*([^<]*?)\s*</t>", texts.decode("utf-8", "ignore"))
    names = {name.lower() for name in found}
    if not any(pair <= names for pair in _PLACES):
        return None
    reason = (
        "a workbook with coordinates in its columns, which is not read; make points of it and "
        "save them as a shapefile or a GeoPackage"
    )
    return Unreadable(entry.name, "format_not_read", reason)


def impostor(kind: Kind, main: Entry) -> Unreadable | None:
    """Why a file that is named like a dataset is none."""
    if isinstance(main, GdbFolder):
        names = {part.name.rsplit("/", 1)[-1].lower() for part in main.parts}
        reason = f"the folder is named .gdb but holds no catalogue table ({GDB_CATALOGUE})"
        holds = GDB_CATALOGUE in names
        return None if holds else Unreadable(main.name, "damaged", reason)
    if kind == "filegdb":
        reason = "a file geodatabase is a folder, this is a file; send the folder, best as a .zip"
        return Unreadable(main.name, "damaged", reason)
    suffix = suffix_of(main.name)
    try:
        with main.open() as stream:
            head = stream.read(HEAD_BYTES)
    except DatasetError as error:
        return Unreadable(main.name, error.kind, error.reason)
    except (*DAMAGED, OSError) as error:
        return Unreadable(main.name, "damaged", f"it cannot be read ({error})")
    wrong = None
    service = service_words(head) if KINDS.get(suffix) == "geojson" else None
    if service:
        wrong = "service_error", service
    elif suffix == ".json" and sniff(head) in ("json", "text"):
        wrong = "not_geographic", "a JSON file without features"
    elif suffix == ".asc" and not re.match(rb"\s*(ncols|nrows)\s", head, re.I):
        wrong = "not_geographic", "not an ASCII grid"
    elif suffix == ".dbf" and sniff(head) in WORDS and sniff(head) != "table":
        wrong = sniff(head).replace(" ", "_"), WORDS[sniff(head)]
    elif suffix in CONTENT and not (kind == "kml" and sniff(head) in ("xml", "zip")):
        wrong = wrong_content(CONTENT[suffix], head)
    return Unreadable(main.name, *wrong) if wrong else None
