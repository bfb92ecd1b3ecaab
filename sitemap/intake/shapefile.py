"""What the bytes of a shapefile's own files say: record index and shape types.

The .shx is rebuilt here from the .shp, since GDAL would write it beside the user's file.
Layout: ESRI Shapefile Technical Description (1998).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_HEADER_BYTES = 100
_SHX_MAGIC = (b"\0\0\x27\x0a", b"\0\0\x27\x0d")
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
    the file ends before its header's length or in the middle of a record. behind_end: records
    that lie after the end that the header gives, which readers that go by it leave out.
    """

    shape_type: int
    bounds: tuple[float, float, float, float]
    offsets: np.ndarray
    sizes: np.ndarray
    types: np.ndarray
    cut_off: bool
    behind_end: int = 0

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
    sized = np.asarray(sizes, np.int64)
    behind = int((where + 8 + sized > stated).sum())
    return ShapeIndex(shape_type, bounds, where, sized, types, cut_off, behind)


def write_shx(shapes: ShapeIndex, shp: Path, target: Path) -> None:
    """The .shx that belongs to a walked .shp."""
    with shp.open("rb") as stream:
        header = bytearray(stream.read(_HEADER_BYTES).ljust(_HEADER_BYTES, b"\0"))
    header[24:28] = struct.pack(">i", (_HEADER_BYTES + 8 * len(shapes)) // 2)
    rows = np.column_stack([shapes.offsets // 2, shapes.sizes // 2]).astype(">i4")
    target.write_bytes(bytes(header) + rows.tobytes())


def indexed_types(shp: Path, shx: Path) -> np.ndarray | None:
    """The shape type of each record that a .shx points at; None when it does not fit the .shp.

    It fits when it is whole and every entry points at a record header with the same content
    length. Editors leave dead records between the live ones, so the .shp alone may not be walked
    to its end.
    """
    raw = shx.read_bytes()
    if len(raw) < _HEADER_BYTES or raw[:4] not in _SHX_MAGIC:
        return None
    stated = struct.unpack(">i", raw[24:28])[0] * 2
    if not _HEADER_BYTES <= stated <= len(raw):
        return None  # cut off: a driver refuses the whole dataset for it
    entries = raw[_HEADER_BYTES : _HEADER_BYTES + (stated - _HEADER_BYTES) // 8 * 8]
    rows = np.frombuffer(entries, dtype=">i4").reshape(-1, 2).astype(np.int64)
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
