"""What the bytes of a shapefile's own files say: record index, shape types, table header.

The .shx is rebuilt here from the .shp, since GDAL would write it beside the user's file.
Layouts: ESRI Shapefile Technical Description (1998); dBASE III+ table header.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_HEADER_BYTES = 100
NULL_SHAPE = 0
SHAPE_NAMES: dict[int, str] = {
    0: "null shape",
    1: "Point",
    3: "PolyLine",
    5: "Polygon",
    8: "MultiPoint",
    11: "PointZ",
    13: "PolyLineZ",
    15: "PolygonZ",
    18: "MultiPointZ",
    21: "PointM",
    23: "PolyLineM",
    25: "PolygonM",
    28: "MultiPointM",
    31: "MultiPatch",
}


@dataclass(frozen=True, eq=False)
class ShapeIndex:
    """Where the records of a .shp lie and of which type each is.

    offsets and sizes in bytes (content without the 8-byte record header); cut_off is True when
    the file ends before its header's length or in the middle of a record.
    """

    shape_type: int
    bounds: tuple[float, float, float, float]
    offsets: np.ndarray
    sizes: np.ndarray
    types: np.ndarray
    cut_off: bool

    def __len__(self) -> int:
        return len(self.offsets)


def read_shapes(path: Path) -> ShapeIndex:
    """Walk the records of a .shp; stops at the first record that cannot be one."""
    data = path.read_bytes()
    if len(data) < _HEADER_BYTES:
        data = data.ljust(_HEADER_BYTES, b"\0")
        truncated = True
    else:
        truncated = False
    stated = struct.unpack(">i", data[24:28])[0] * 2
    shape_type = struct.unpack("<i", data[32:36])[0]
    bounds = struct.unpack("<4d", data[36:68])
    offsets: list[int] = []
    sizes: list[int] = []
    at, end = _HEADER_BYTES, len(data)
    unpack = struct.Struct(">ii").unpack_from
    while at + 8 <= end:
        number, words = unpack(data, at)
        size = words * 2
        if size < 4 or number < 0:
            break
        if at + 8 + size > end:
            truncated = True
            break
        offsets.append(at)
        sizes.append(size)
        at += 8 + size
    where = np.asarray(offsets, dtype=np.int64)
    types = np.array([data[o + 8] for o in offsets], dtype=np.int32)
    cut_off = truncated or (len(data) < stated)
    return ShapeIndex(shape_type, bounds, where, np.asarray(sizes, np.int64), types, cut_off)


def write_shx(shapes: ShapeIndex, shp: Path, target: Path) -> None:
    """The .shx that belongs to a walked .shp."""
    with shp.open("rb") as stream:
        header = bytearray(stream.read(_HEADER_BYTES).ljust(_HEADER_BYTES, b"\0"))
    header[24:28] = struct.pack(">i", (_HEADER_BYTES + 8 * len(shapes)) // 2)
    rows = np.column_stack([shapes.offsets // 2, shapes.sizes // 2]).astype(">i4")
    target.write_bytes(bytes(header) + rows.tobytes())


def indexed_types(shp: Path, shx: Path) -> np.ndarray | None:
    """The shape type of each record that a .shx points at; None when it does not fit the .shp.

    It fits when every entry points at a record header with the same content length. Editors
    leave dead records between the live ones, so the .shp alone may not be walked to its end.
    """
    raw = shx.read_bytes()[_HEADER_BYTES:]
    rows = np.frombuffer(raw[: len(raw) // 8 * 8], dtype=">i4").reshape(-1, 2).astype(np.int64)
    data = np.fromfile(shp, dtype=np.uint8)
    starts = rows[:, 0] * 2
    if not len(rows) or starts.min() < _HEADER_BYTES or starts.max() + 12 > len(data):
        return np.empty(0, dtype=np.int32) if not len(rows) else None
    lengths = _ints_at(data, starts + 4, ">i4")
    if (lengths != rows[:, 1]).any():
        return None
    return _ints_at(data, starts + 8, "<i4")


def _ints_at(data: np.ndarray, starts: np.ndarray, dtype: str) -> np.ndarray:
    return np.ascontiguousarray(data[starts[:, None] + np.arange(4)]).view(dtype)[:, 0]


@dataclass(frozen=True)
class TableHeader:
    """The header of a .dbf: stated records, and how many the file's size really holds."""

    records: int
    records_held: int
    language: int  # language driver id, byte 29
    header_bytes: int
    record_bytes: int
    text_columns: tuple[tuple[int, int], ...]  # offset and width of character fields in a record

    @property
    def cut_off(self) -> bool:
        """True when the file ends before the last stated record."""
        return self.records_held < self.records


def read_table_header(path: Path) -> TableHeader | None:
    """The header of a .dbf, or None when the bytes cannot be one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(32)
        if len(head) < 32:
            return None
        records, header_bytes, record_bytes = struct.unpack("<IHH", head[4:12])
        if header_bytes < 33 or record_bytes < 1 or header_bytes > size:
            return None
        fields = stream.read(header_bytes - 32)
    text: list[tuple[int, int]] = []
    at = 1
    for start in range(0, len(fields) - 31, 32):
        if fields[start] in (0x0D, 0x00):
            break
        kind, width = fields[start + 11 : start + 12], fields[start + 16]
        if kind == b"C":
            width += 256 * fields[start + 17]  # long text fields borrow the decimals byte
            text.append((at, width))
        at += width
    held = (size - header_bytes) // record_bytes
    return TableHeader(records, int(held), head[29], header_bytes, record_bytes, tuple(text))


def pad_table(path: Path, header: TableHeader, records: int) -> None:
    """Replace a staged .dbf by a copy with blank records up to a count; `path` may be a link."""
    held = min(header.records, header.records_held)
    with path.open("rb") as stream:
        raw = bytearray(stream.read(header.header_bytes + held * header.record_bytes))
    raw[4:8] = struct.pack("<I", records)
    path.unlink()
    path.write_bytes(bytes(raw) + b" " * ((records - held) * header.record_bytes) + b"\x1a")


def text_bytes(path: Path, header: TableHeader, limit_bytes: int = 1 << 24) -> bytes:
    """The character fields of the records, one per line: what an encoding is judged by."""
    count = min(header.records, header.records_held, max(1, limit_bytes // header.record_bytes))
    if not header.text_columns or count <= 0:
        return b""
    with path.open("rb") as stream:
        stream.seek(header.header_bytes)
        raw = stream.read(count * header.record_bytes)
    count = len(raw) // header.record_bytes
    table = np.frombuffer(raw[: count * header.record_bytes], dtype=np.uint8)
    table = table.reshape(count, header.record_bytes)
    pieces: list[bytes] = []
    for at, width in header.text_columns:
        column = table[:, at : at + width]
        kept = column[(column >= 0x80).any(axis=1)]  # only text that an encoding matters for
        pieces.extend(row.tobytes().rstrip(b" \0") for row in kept)
    return b"\n".join(pieces)
