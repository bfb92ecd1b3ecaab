"""Columns of placemarks: their data, the table that a GIS writes into a description, name, folder.

KML keeps numbers as text; a column in which every text is a number becomes one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

import numpy as np

from sitemap.intake.kml_stream import Placemark
from sitemap.intake.oddities import odd
from sitemap.layer import Oddity

_NOTHING = frozenset(("", "<null>", "null", "&lt;null&gt;"))
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_CODE = re.compile(r"[-+]?0\d")  # 0123 is a code, no count
_NUMBER_TYPES = frozenset(("int", "uint", "short", "ushort", "float", "double"))
_TAG = re.compile(r"<[^<>]+>")
_CELL_OR_TAG = re.compile(r"<(/?)(tr|td|th)\b[^<>]*>|<[^<>]+>", re.IGNORECASE)
_LONGEST = 1 << 16  # characters of a description that are searched for fields
_HEADING = re.compile(r"<h([1-6])\b.{0,500}?</h\1>", re.DOTALL | re.IGNORECASE)
_LINE_ENDS = re.compile(r"<br\s*/?>|</(?:li|p|div|tr)\s*>|[\r\n]+", re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z_][\w .#()/-]{0,40}?)\s*[:=](?!//)(?!\d\d\b)\s*(.*)")
_BOLD_NAME = re.compile(r"<(?:b|strong)\b", re.IGNORECASE)
_HEIGHT = re.compile(r"\d{2,5}(\.\d+)?\s*('|ft|feet|m)?\.?", re.IGNORECASE)
_SHOWN = 8  # names of columns in a message
ELEVATION = "elevation_m"
_HEIGHT_WORDS = ("elev", "contour", "height", "altitude")


def columns_of(
    marks: Sequence[Placemark],
    below: Sequence[str],
    types: Mapping[str, str],
    kinds: Sequence[str],
    are_contours: bool = False,
) -> tuple[dict[str, np.ndarray], list[Oddity]]:
    """One row for each placemark. below: the folders between its dataset and it, as one text;
    kinds: the type of control that its name says.

    The columns of data, then what of name, description, day and folder is said; the altitude
    above the sea, in metres, where no column of data speaks of heights. Of contours that have
    neither, the elevation is what their names say, as Google Earth labels them.
    """
    tables = [fields_in(mark.description) for mark in marks]
    rows = [{**table, **mark.values} for mark, table in zip(marks, tables, strict=True)]
    named = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _typed([row.get(name, "") for row in rows], types.get(name)) for name in named}
    words = ["" if t else _plain(mark.description) for mark, t in zip(marks, tables, strict=True)]
    names = [mark.name for mark in marks]
    own = {
        "name": names,
        "description": words,
        "when": [mark.when for mark in marks],
        "begin": [mark.begin for mark in marks],
        "end": [mark.end for mark in marks],
        "folder": list(below),
        "type": list(kinds) if not {"type", "kind"} & {name.lower() for name in named} else [],
    }
    taken = {name.lower() for name in named}
    for name, texts in own.items():
        if any(texts):  # a description beside a type that was read out of it is prose
            apart = name in taken or (name == "description" and any(own["type"]))
            columns[f"kml_{name}" if apart else name] = _texts(texts)
    notes: list[Oddity] = []
    out_of_words = list(dict.fromkeys(name for table in tables for name in table))
    if out_of_words:
        told = ", ".join(out_of_words[:_SHOWN]) + (" ..." if len(out_of_words) > _SHOWN else "")
        notes.append(odd("kml_table", f"fields read out of the descriptions: {told}"))
    heights = [mark.height_m for mark in marks]
    speaks = any(word in name for name in taken for word in _HEIGHT_WORDS)
    if any(heights) and not speaks:  # an altitude of 0 everywhere is one that nobody gave
        columns[ELEVATION] = np.array(heights, dtype=float)
    elif are_contours and not speaks and names and all(map(_HEIGHT.fullmatch, names)):
        columns["elevation"] = _typed(names, None)
        words_ = "the elevation of each contour is taken from its name, the only number there is"
        notes.append(odd("kml_elevation_named", words_))
    return columns, notes


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


def fields_in(description: str) -> dict[str, str]:
    """The fields that a program wrote into a description: rows of two cells of its tables, else
    a list that holds nothing but names with values (GeoServer, Global Mapper); empty otherwise.
    """
    if len(description) > _LONGEST:
        return {}
    if "<table" in description.lower():
        return {name: value for name, value in _pairs_of_cells(description) if name}
    if ":" not in description and "=" not in description:
        return {}
    lines = _LINE_ENDS.split(_HEADING.sub("", description))
    texts = [" ".join(html.unescape(_TAG.sub(" ", line)).split()) for line in lines]
    pairs = [_PAIR.fullmatch(text) for text in texts if text]
    found = {pair[1].strip(): pair[2].strip() for pair in pairs if pair is not None}
    written = len(pairs) > 1 or _BOLD_NAME.search(description) is not None
    return found if written and all(pairs) else {}


def _pairs_of_cells(table: str) -> list[tuple[str, str]]:
    """The rows of two cells of all tables, also of tables in tables.

    By one pass over the tags, not by html.parser, which a page of "<a <a <a" holds for minutes.
    """
    rows: list[tuple[str, str]] = []
    open_rows: list[list[list[str]]] = []  # of cells, of pieces of text
    behind = 0
    for tag in _CELL_OR_TAG.finditer(table):
        if open_rows and open_rows[-1]:
            open_rows[-1][-1].append(table[behind : tag.start()])
        behind = tag.end()
        ends, kind = tag[1] == "/", (tag[2] or "").lower()
        if kind == "tr" and not ends:
            open_rows.append([])
        elif kind == "tr" and open_rows:
            cells = [" ".join(html.unescape("".join(cell)).split()) for cell in open_rows.pop()]
            if len(cells) == 2:
                rows.append((cells[0], cells[1]))
        elif kind in ("td", "th") and open_rows and not ends:
            open_rows[-1].append([])
    return rows
