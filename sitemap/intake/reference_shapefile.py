"""The window of a shapefile with a .qix: its records, copied as they are into a small shapefile.

GDAL loads the .shx whole when it opens a shapefile, which grows with the state; walking the
quadtree and copying the few records that it names does not. Layout of the .qix: Shapelib,
shptree.c ("SQT", byte order, version; then nodes, depth first).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from sitemap.crs import Bounds

_HEADER_BYTES = 100
_RECORD = struct.Struct(">ii")


def small_shapefile(
    parts: dict[str, Path], folder: Path, bounds: Bounds | None
) -> tuple[Path, np.ndarray]:
    """A shapefile of the records whose quadtree nodes meet the bounds; none without bounds.

    parts are the files by ending (.shp, .shx, .dbf, .qix ...). Gives its path and the number that
    each of its records has in the whole file. ValueError or OSError where the bytes do not fit.
    """
    with parts[".qix"].open("rb") as tree:
        numbers = np.array(sorted(set(_walk(tree, bounds))) if bounds else [], dtype=np.int64)
    target = folder / "layer.shp"
    _copy_shapes(parts, target, numbers)
    if ".dbf" in parts:
        _copy_table(parts[".dbf"], target.with_suffix(".dbf"), numbers)
    for end in (".prj", ".cpg"):
        if end in parts:
            target.with_suffix(end).write_bytes(parts[end].read_bytes())
    return target, numbers


def record_count(shx: Path) -> int:
    """How many records a shapefile has, by the size of its .shx."""
    return max(0, (shx.stat().st_size - _HEADER_BYTES) // 8)


def _walk(tree: BinaryIO, bounds: Bounds) -> Iterator[int]:
    """Record numbers in all nodes that meet the bounds."""
    head = tree.read(16)
    if len(head) < 16 or head[:3] != b"SQT" or head[3] not in (1, 2):
        raise ValueError("the .qix is no quadtree")
    order = "<" if head[3] == 1 else ">"
    node = struct.Struct(f"{order}i4di")
    count = struct.Struct(f"{order}i")
    left = 1  # nodes still to read on the way through the file
    while left:
        left -= 1
        skip, xmin, ymin, xmax, ymax, held = node.unpack(tree.read(node.size))
        apart = xmin > bounds[2] or xmax < bounds[0] or ymin > bounds[3] or ymax < bounds[1]
        if apart:
            tree.seek(skip + 4 * held + 4, 1)
            continue
        yield from struct.unpack(f"{order}{held}i", tree.read(4 * held))
        left += count.unpack(tree.read(4))[0]


def _copy_shapes(parts: dict[str, Path], target: Path, numbers: np.ndarray) -> None:
    index: list[bytes] = []
    at = _HEADER_BYTES
    with (
        parts[".shp"].open("rb") as shapes,
        parts[".shx"].open("rb") as places,
        target.open("wb") as out,
    ):
        head = shapes.read(_HEADER_BYTES)
        out.write(head)
        for new, number in enumerate(numbers.tolist(), start=1):
            places.seek(_HEADER_BYTES + 8 * number)
            offset, words = _RECORD.unpack(places.read(8))
            shapes.seek(2 * offset + 8)
            body = shapes.read(2 * words)
            if len(body) < 2 * words:
                raise ValueError(f"the .shp ends before record {number}")
            out.write(_RECORD.pack(new, words) + body)
            index.append(_RECORD.pack(at // 2, words))
            at += 8 + 2 * words
        out.seek(24)
        out.write(struct.pack(">i", at // 2))
    size = struct.pack(">i", (_HEADER_BYTES + 8 * len(index)) // 2)
    target.with_suffix(".shx").write_bytes(head[:24] + size + head[28:] + b"".join(index))


def _copy_table(table: Path, target: Path, numbers: np.ndarray) -> None:
    with table.open("rb") as rows, target.open("wb") as out:
        head = rows.read(32)
        _, start, width = struct.unpack("<IHH", head[4:12])
        out.write(head[:4] + struct.pack("<I", len(numbers)) + head[8:])
        out.write(rows.read(start - 32))
        for number in numbers.tolist():
            rows.seek(start + width * number)
            row = rows.read(width)
            if len(row) < width:
                raise ValueError(f"the .dbf ends before record {number}")
            out.write(row)
        out.write(b"\x1a")
