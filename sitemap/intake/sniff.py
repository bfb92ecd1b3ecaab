"""What a file really is, by its first bytes, in the words of a person at a counter."""

from __future__ import annotations

import codecs
import re

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x00\x00\x27\x0a", "shapefile"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"fgb\x03", "flatgeobuf"),
    (b"EHFA_HEADER_TAG", "erdas"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"%PDF", "pdf"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"\x1f\x8b", "gzip"),
    (b"Rar!", "rar"),
    (b"7z\xbc\xaf", "7z"),
    (b"PAR1", "parquet"),
    (b"version https://git-lfs", "lfs"),
)
_PATTERNS: tuple[tuple[re.Pattern[bytes], str], ...] = (
    (re.compile(rb"II[*+]\x00|MM\x00[*+]"), "tiff"),
    (re.compile(rb"\s*(0\s*\r?\n\s*SECTION|999\s*\r?\n)|AutoCAD Binary DXF"), "dxf"),
    (re.compile(rb"AC10\d\d|AC1\.\d|AC2\.\d"), "dwg"),
    # dBASE III: version, then a date of last change that a calendar knows
    (re.compile(rb"[\x03\x30\x83\x8b].[\x01-\x0c][\x01-\x1f]", re.S), "table"),
)
_HTML = re.compile(rb"^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)", re.I)
_GEOJSON = re.compile(
    rb'"type"\s*:\s*"(FeatureCollection|Feature|GeometryCollection|'
    rb'(Multi)?(Point|LineString|Polygon))"|"features"\s*:\s*\['
)

_BEFORE_TEXT = b" \t\r\n\x0b\x0c\x1e"  # blanks, and the mark of a record in a JSON text sequence

WORDS: dict[str, str] = {
    "empty": "the file is empty (0 bytes); copy or export it again",
    "web page": "this is a web page, not data: the download did not work; download it again",
    "xml": "this is an XML text, not data of this kind",
    "dwg": "this is an AutoCAD drawing (DWG), which no open reader can open; save as DXF (2013) "
    "or export shapefiles",
    "table": "this is an attribute table (.dbf) under another name; send the real file",
    "pdf": "this is a PDF, not data; send the layers it was made from",
    "zip": "this is a zip archive under another name; name it .zip",
    "gzip": "this is a compressed archive (gzip); send a .zip or the files themselves",
    "rar": "this is a RAR archive; send a .zip or the files themselves",
    "7z": "this is a 7-Zip archive; send a .zip or the files themselves",
    "png": "this is a picture (PNG), not data",
    "jpeg": "this is a picture (JPEG), not data",
    "gif": "this is a picture (GIF), not data",
    "lfs": "this is only a pointer to a file in a Git LFS store; fetch the file itself",
    "parquet": "this is a Parquet table; export it as a GeoPackage",
    "topojson": "this is TopoJSON, which is not read; export it as GeoJSON or a GeoPackage",
}


def sniff(head: bytes) -> str:
    """The kind of content: a key of WORDS, a magic's name, 'geojson', 'json', 'text', 'binary'."""
    if not head:
        return "empty"
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return _text_kind(head.decode("utf-16", "ignore").encode())
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    for pattern, kind in _PATTERNS:
        if pattern.match(head):
            return kind
    return _text_kind(head)


def _text_kind(head: bytes) -> str:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(_BEFORE_TEXT)
    if _HTML.match(text):
        return "web page"
    if text.startswith(b"<"):
        return "xml"
    if text[:1] not in (b"{", b"["):
        return "text" if b"\x00" not in head else "binary"
    if re.search(rb'"type"\s*:\s*"Topology"', text):
        return "topojson"
    esri = b'"geometryType"' in text and b"esriGeometry" in text
    return "geojson" if esri or _GEOJSON.search(text) else "json"


def wrong_content(expected: str, head: bytes) -> tuple[str, str] | None:
    """(kind, reason) when the content is not of the `expected` kind, else None."""
    found = sniff(head)
    if found == expected or (expected, found) == ("geojson", "json"):
        return None
    if found in WORDS:
        return found.replace(" ", "_"), WORDS[found]
    if not any(head):
        return "zeroes", "the file holds only zero bytes: it was never completely written"
    first = " ".join(f"{byte:02x}" for byte in head[:8])
    return (
        "damaged",
        f"the content is not a {NAMES[expected]} (it begins with the bytes {first}); "
        "it may have been damaged when it was copied or sent as text; send it again in a zip",
    )


NAMES: dict[str, str] = {
    "shapefile": "shapefile",
    "sqlite": "GeoPackage",
    "flatgeobuf": "FlatGeobuf",
    "geojson": "GeoJSON",
    "tiff": "GeoTIFF",
    "erdas": "ERDAS Imagine raster",
    "dxf": "CAD drawing (DXF)",
    "xml": "Google Earth file (KML)",
    "zip": "packed Google Earth file (KMZ)",
}
