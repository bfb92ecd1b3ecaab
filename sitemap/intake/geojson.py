"""What the text of a GeoJSON file says that no driver passes on: its CRS, and that it is a part.

Members beside the features stand before or after them, so only both ends of a file are looked at.
"""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path

from sitemap.intake.oddities import odd
from sitemap.layer import Oddity

_END_BYTES = 1 << 16
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NAMED = re.compile(
    rb'"crs"\s*:\s*\{[^{}]*"properties"\s*:\s*\{[^{}]*"(?:name|href|code)"\s*:\s*'
    rb'(?:"([^"]*)"|(\d+))'
)
_PART = re.compile(rb'"exceededTransferLimit"\s*:\s*true')
_SERVICE = re.compile(rb'^\s*\{\s*"error"\s*:\s*\{')


def as_utf8(path: Path) -> list[Oddity]:
    """Replace a staged text in UTF-16 by a copy in UTF-8, with a word; `path` may be a link."""
    with path.open("rb") as stream:
        if stream.read(2) not in _UTF16:
            return []
    text = path.read_bytes().decode("utf-16", errors="replace")
    path.unlink()
    path.write_text(text, encoding="utf-8")
    return [odd("encoding_doubtful", "the text is in UTF-16, not in UTF-8 as GeoJSON must be")]


def stated_crs(path: Path) -> str | None:
    """The CRS that the file names, as it stands there; None where it names none."""
    found = next((hit for end in _ends(path) if (hit := _NAMED.search(end))), None)
    if found is None:
        return None
    name, code = found.groups()
    return name.decode("utf-8", "replace") if name is not None else f"EPSG:{code.decode()}"


def part_oddities(path: Path) -> list[Oddity]:
    """A word where the server that wrote the file says that it held back the rest."""
    if not any(_PART.search(end) for end in _ends(path)):
        return []
    return [
        odd(
            "download_incomplete",
            "the map service sent only a part and says so (exceededTransferLimit); download the "
            "rest too, or ask for a file of the whole",
        )
    ]


def why_refused(path: Path, reason: str) -> str:
    """Why text that looks like GeoJSON holds no features, in the terms of the user's file."""
    raw = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        json.loads(raw)
    except ValueError as error:
        return f"the text is not valid JSON ({error or reason})"
    return f"the JSON is valid, but holds no GeoJSON features ({reason})"


def service_words(head: bytes) -> str | None:
    """The message of a map service that was saved in place of the data; None for all else."""
    if not _SERVICE.search(head.removeprefix(codecs.BOM_UTF8)):
        return None
    found = re.search(rb'"message"\s*:\s*"([^"]{1,120})', head)
    said = f" ({found.group(1).decode('utf-8', 'replace')})" if found else ""
    return (
        f"this is the error message of a map service{said}, not data: the download did not work; "
        "download it again"
    )


def _ends(path: Path) -> tuple[bytes, ...]:
    """The beginning of a file up to its features, and its end behind them."""
    with path.open("rb") as stream:
        head = stream.read(_END_BYTES)
        stream.seek(max(0, path.stat().st_size - _END_BYTES))
        tail = stream.read()
    before = head.split(b'"features"', 1)[0]
    return before, tail.rsplit(b"]", 1)[-1]
