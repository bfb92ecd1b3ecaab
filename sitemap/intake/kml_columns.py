"""Columns of placemarks: their data, the table that a GIS writes into a description, name, folder.

KML keeps numbers as text; a column in which every text is a number becomes one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser

import numpy as np

from sitemap.intake.kml_stream import Placemark

_NOTHING = frozenset(("", "<null>", "null", "&lt;null&gt;"))
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_CODE = re.compile(r"[-+]?0\d")  # 0123 is a code, no count
_NUMBER_TYPES = frozenset(("int", "uint", "short", "ushort", "float", "double"))
_TAG = re.compile(r"<[^>]+>")
ELEVATION = "elevation_m"
_HEIGHT_WORDS = ("elev", "contour", "height", "altitude")


def columns_of(
    marks: Sequence[Placemark],
    below: Sequence[str],
    types: Mapping[str, str],
    kinds: Sequence[str],
) -> dict[str, np.ndarray]:
    """One row for each placemark. below: the folders between its dataset and it, as one text;
    kinds: the type of control that its name says.

    The columns of data, then what of name, description, day and folder is said; the altitude
    above the sea, in metres, where no column of data speaks of heights.
    """
    tables = [_table_of(mark.description) for mark in marks]
    rows = [{**table, **mark.values} for mark, table in zip(marks, tables, strict=True)]
    named = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _typed([row.get(name, "") for row in rows], types.get(name)) for name in named}
    words = [
        "" if table else _plain(mark.description) for mark, table in zip(marks, tables, strict=True)
    ]
    own = {
        "name": [mark.name for mark in marks],
        "description": words,
        "when": [mark.when for mark in marks],
        "folder": list(below),
        "type": list(kinds) if not {"type", "kind"} & {name.lower() for name in named} else [],
    }
    taken = {name.lower() for name in named}
    for name, texts in own.items():
        if any(texts):
            columns[f"kml_{name}" if name in taken else name] = _texts(texts)
    heights = [mark.height_m for mark in marks]
    speaks = any(word in name for name in taken for word in _HEIGHT_WORDS)
    if any(heights) and not speaks:  # an altitude of 0 everywhere is one that nobody gave
        columns[ELEVATION] = np.array(heights, dtype=float)
    return columns


def _texts(values: Sequence[str]) -> np.ndarray:
    return np.array([None if one.lower() in _NOTHING else one for one in values], dtype=object)


def _typed(values: Sequence[str], kind: str | None) -> np.ndarray:
    """Numbers where the schema says so or every text is one; texts otherwise."""
    texts = _texts(values)
    known = [one for one in texts.tolist() if one is not None]
    all_numbers = bool(known) and all(_NUMBER.fullmatch(one) for one in known)
    may_be_code = kind not in _NUMBER_TYPES and any(_CODE.match(one) for one in known)
    if not all_numbers or may_be_code or kind == "string":
        return texts
    numbers = np.array([np.nan if one is None else float(one) for one in texts.tolist()])
    whole = len(known) == len(texts) and not any(set(one) & set(".eE") for one in known)
    return numbers.astype(np.int64) if whole and np.abs(numbers).max() < 2**53 else numbers


def _plain(description: str) -> str:
    """The words of a description without its tags."""
    return " ".join(_TAG.sub(" ", description).split())


def _table_of(description: str) -> dict[str, str]:
    """Field and value of each row of two cells; empty where the description is no table."""
    if "<table" not in description.lower():
        return {}
    reader = _Table()
    reader.feed(description)
    reader.close()
    return {name: value for name, value in reader.rows if name}


class _Table(HTMLParser):
    """The rows of two cells of all tables, also of tables in tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[tuple[str, str]] = []
        self._open: list[list[list[str]]] = []  # rows that are open: cells of pieces of text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._open.append([])
        elif tag in ("td", "th") and self._open:
            self._open[-1].append([])

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1]:
            self._open[-1][-1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self._open:
            cells = [" ".join("".join(cell).split()) for cell in self._open.pop()]
            if len(cells) == 2:
                self.rows.append((cells[0], cells[1]))
