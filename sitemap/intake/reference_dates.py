"""The version and the effective date of a reference: from its columns, else its metadata file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pandas

from sitemap.intake.canonical import text_of
from sitemap.intake.dates import iso_date
from sitemap.intake.fields import find_column

EDITION_COLUMNS = ("VERSION_ID", "EDITION", "VERSION", "SPATIALVER", "NHDPLUSVERSION")
EFFECTIVE_COLUMNS = (
    "EFF_DATE", "EFFECTIVE_DATE", "FDATE", "SAVEREST", "LOADDATE", "PARCELDATE", "IMAGE_DATE",
    "SRC_DATE", "LAST_UPDATE", "UPDATED",
)  # fmt: skip
LARGEST_METADATA = 5_000_000
_EDITION_TAGS = ("edition",)  # FGDC idinfo/citation, ISO 19115 CI_Citation
_DATE_TAGS = ("pubdate", "editionDate", "dateStamp", "procdate")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True)
class Dated:
    """Version and effective date as stated, and where; empty where nothing states them."""

    edition: str = ""
    effective: str = ""
    by: str = ""


def date_columns(columns: Sequence[str]) -> list[str]:
    """The columns of a dataset that can hold its version or date."""
    found = [find_column(columns, name) for name in (*EDITION_COLUMNS, *EFFECTIVE_COLUMNS)]
    return list(dict.fromkeys(name for name in found if name is not None))


def dated_by_columns(raw: Mapping[str, Any]) -> Dated:
    """What the rows in the window say: one version or several, the span of their dates."""
    edition, where = _first(raw, EDITION_COLUMNS)
    dates, dated = _first(raw, EFFECTIVE_COLUMNS)
    days = sorted({iso_date(d) or "" for d in dates})
    days = [day for day in days if _DAY.match(day) and not day.startswith("9999")]
    span = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else ""
    by = [name for name, said in ((where, edition), (dated, span)) if name and said]
    words = f"column {' and '.join(dict.fromkeys(by))}" if by else ""
    return Dated(", ".join(sorted(set(edition))[:3]), span, words)


def _first(raw: Mapping[str, Any], names: Iterable[str]) -> tuple[list[str], str]:
    for name in names:
        column = find_column(list(raw), name)
        if column is None:
            continue
        held = [text for text in map(text_of, pandas.unique(pandas.Series(raw[column]))) if text]
        if held:
            return held, column
    return [], ""


def dated_by_metadata(files: Iterable[Path]) -> Dated:
    """What a metadata file beside the dataset says (FGDC, ISO 19139), or nothing."""
    for file in files:
        said = _tags(file)
        edition = next((said[t] for t in _EDITION_TAGS if said.get(t)), "")
        day = next((said[t] for t in _DATE_TAGS if said.get(t)), "")
        if edition or day:
            return Dated(edition, iso_date(day) or "", f"metadata {file.name}")
    return Dated()


def _tags(file: Path) -> dict[str, str]:
    """The first text of each wanted element; entities are refused, other files never opened."""
    if file.stat().st_size > LARGEST_METADATA:
        return {}
    said: dict[str, str] = {}
    path: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")

    def start(name: str, _: dict[str, str]) -> None:
        path.append(name.rsplit(" ", 1)[-1])

    def text(words: str) -> None:
        wanted = next((t for t in reversed(path) if t in (*_EDITION_TAGS, *_DATE_TAGS)), None)
        if wanted and words.strip():
            said.setdefault(wanted, words.strip())

    def refuse(*_: object) -> None:
        raise ValueError("entities are not followed")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(file.read_bytes(), True)
    except (expat.ExpatError, ValueError):
        return {}
    return said
