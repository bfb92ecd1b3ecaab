"""GeoJSON with one feature in each line (RFC 8142, ndjson) -> one FeatureCollection.

GDAL reads it by a driver of its own, which stays switched off: one more that a stranger's file
could reach, for what is the same text between two brackets.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity

_BETWEEN = b"\x1e \t\r\n"  # the mark of a record in a JSON text sequence, and blanks
_GEOMETRIES = frozenset(
    ("Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon")
)


def as_collection(path: Path) -> list[Oddity]:
    """Replace a staged text of lines by a collection, with a word on lines that hold no feature.

    `path` may be a link; text that is JSON as a whole stays as it is.
    """
    with path.open("rb") as stream:
        first = list(islice(_lines(stream), 2))
    if len(first) < 2 or any(_object(line) is None for line in first):
        return []
    made = path.with_name("collection.part")
    lost, comma = 0, b""
    with path.open("rb") as stream, made.open("wb") as out:
        out.write(b'{"type":"FeatureCollection","features":[')
        for line in _lines(stream):
            feature = _feature(line)
            if feature is None:
                lost += 1
                continue
            out.write(comma + feature)
            comma = b",\n"
        out.write(b"]}")
    path.unlink()
    made.rename(path)
    words = f"{count_of(lost, 'line')} without a feature"
    return [odd("features_lost", words)] if lost else []


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Every line with something in it; a byte order mark is nothing."""
    for line in stream:
        text = line.removeprefix(codecs.BOM_UTF8).strip(_BETWEEN)
        if text:
            yield text


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _feature(line: bytes) -> bytes | None:
    """The line as a feature; None where it is none."""
    found = _object(line)
    kind = found.get("type") if found is not None else None
    if kind == "Feature":
        return line
    if kind in _GEOMETRIES:
        return b'{"type":"Feature","properties":{},"geometry":' + line + b"}"
    return None
