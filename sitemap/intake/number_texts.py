"""Numbers that a file keeps as text: '842 ft MSL', 'EL. 842.00'', '842'-6"', '842,5'.

A word beside the number must be a unit, the name of the field, or a datum that layers/ knows;
a text with any other word is no number, and stays what it is.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas

from sitemap.catalogue import FieldSpec, LayerSpec
from sitemap.column_names import plain_name
from sitemap.intake.fields import canonical_value
from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity

PARSED_SHARE = 0.95  # with more text than this among the numbers, the column is none
DATUM = "datum"  # the field of layers/ that holds the words for the zero of heights
HIGHEST = 30_000.0  # no ground is higher, in feet or in metres
_FEET = r"f(?:ee|oo)?t\.?"
_UNITS = (
    rf"'|’|′|\"|(?:us|u\.s\.)[ -]?(?:survey[ -]?)?{_FEET}|survey[ -]?{_FEET}|ftus|"
    rf"int(?:ernationa)?l\.? ?{_FEET}|{_FEET}|m\.?|meters?|metres?|in\.?|inch(?:es)?|ac\.?|acres?|"
    r"sq\.? ?ft\.?|%|pct|percent|deg"
)
_TEXT = re.compile(
    r"\s*(?:(?P<before>[a-z][a-z .]*?)\s*[.:=]?\s*)?"
    r"(?P<number>[-+]?(?:\d[\d,]*)?(?:\.\d*)?(?:e[-+]?\d+)?)"
    rf"\s*(?P<unit>{_UNITS})?(?![a-z])"
    r"\s*[,;(]?\s*(?P<after>[a-z].*?)?\)?\s*",
    re.IGNORECASE,
)
_FEET_AND_INCHES = re.compile(
    rf"(?P<feet>\d[\d,]*)\s*(?:'|’|′|{_FEET})\s*-?\s*"
    r"(?:(?P<inches>\d{1,2}(?:\.\d+)?)|(?:(?P<whole>\d{1,2})[ -])?(?P<over>\d+)/(?P<under>\d+))"
    r"\s*(?:\"|”|″|''|in\.?|inch(?:es)?)(?![a-z])",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")
_SAME_UNIT = {"’": "'", "′": "'"}


@dataclass(eq=False)
class NumberTexts:
    """What a column of text holds: numbers (NaN where none), the unit and the datum of each.

    units and datums hold "" where the value names none.
    """

    numbers: np.ndarray
    units: np.ndarray
    datums: np.ndarray
    oddities: list[Oddity] = field(default_factory=list)
    refused: bool = False


@dataclass(frozen=True)
class _Read:
    """One text taken apart; digits as written, "" for what is no number."""

    digits: str = ""
    unit: str = ""
    datum: str = ""


_NOTHING = _Read()


def read_numbers(text: pandas.Series[Any], name: str, column: str, spec: LayerSpec) -> NumberTexts:
    """Numbers with their unit signs and datums out of text, "" where a cell is empty.

    A column in which too much is no number is refused: none of it is used, and that is said.
    """
    codes, distinct = pandas.factorize(text.to_numpy(dtype=object))
    read = [_taken_apart(str(value), name, spec) for value in distinct]
    values, comma = _numbers([one.digits for one in read], is_height=name == "elevation")
    made = NumberTexts(
        values[codes],
        np.array([one.unit for one in read], dtype=object)[codes],
        np.array([one.datum for one in read], dtype=object)[codes],
    )
    filled = (text != "").to_numpy()
    there, good = int(filled.sum()), int(np.isfinite(made.numbers).sum())
    bad = text[filled & ~np.isfinite(made.numbers)]
    if good < PARSED_SHARE * there:
        none = np.full(len(text), "", dtype=object)
        made = NumberTexts(np.full(len(text), np.nan), none, none, refused=True)
        words = (
            f"field {column} should be numbers, but only {good:,} of {there:,} values can be read "
            f"as such (for example not {bad.iloc[0]!r}); none are used"
        )
        made.oddities.append(odd("number_text_refused", words))
    elif there:
        more = f"; {count_of(len(bad), 'value')} not, such as {bad.iloc[0]!r}" if len(bad) else ""
        words = f"field {column} keeps numbers as text; {count_of(good, 'value')} parsed"
        made.oddities.append(odd("number_kept_as_text", words + more + comma))
    return made


def _taken_apart(text: str, name: str, spec: LayerSpec) -> _Read:
    """The number in a text and what stands beside it; nothing where a word is not known."""
    match = _TEXT.fullmatch(_FEET_AND_INCHES.sub(_in_feet, text, count=1))
    if match is None or not match["number"].strip("+-."):
        return _NOTHING
    before, after = match["before"], match["after"]
    if before and not _is_the_field(before, spec.fields[name], name):
        return _NOTHING
    datum = ""
    if after:
        datum = canonical_value(spec, DATUM, after) or "" if name == "elevation" else ""
        if not datum:
            return _NOTHING
    return _Read(match["number"], _unit(match["unit"] or ""), datum)


def _in_feet(match: re.Match[str]) -> str:
    """842'-6" as 842.5'; what stands there already where the inches are a foot and more."""
    inches = float(match["inches"] or match["whole"] or 0)
    if match["under"]:
        inches += int(match["over"]) / (int(match["under"]) or math.nan)
    feet = int(match["feet"].replace(",", "")) + inches / 12.0
    return f"{feet!r}'" if inches < 12.0 else match[0]


def _is_the_field(word: str, known: FieldSpec, name: str) -> bool:
    return plain_name(word) in {plain_name(one) for one in (name, *known.aliases)}


def _unit(sign: str) -> str:
    """The sign as units are named: both ways of writing a survey foot are one."""
    plain = _SAME_UNIT.get(sign, sign.lower().strip("."))
    if plain.startswith(("us", "u.s", "survey")) or plain == "ftus":
        return "ftus"
    return "ft" if plain.startswith("int") else plain


def _numbers(digits: list[str], *, is_height: bool) -> tuple[np.ndarray, str]:
    """The values, and what is said of the comma where it is a decimal mark.

    842,5 can be nothing else. 256,642 can be both, and is then what the other values of the column
    are; alone it is a count of thousands, but for heights that no ground has.
    """
    commas = [one for one in digits if "," in one]
    decimal = [one for one in commas if _DECIMAL_COMMA.fullmatch(one)]
    surely = [one for one in decimal if not _THOUSANDS.fullmatch(one)]
    if is_height and commas == decimal and not surely:
        high = all(abs(float(one.replace(",", ""))) > HIGHEST for one in decimal)
        surely = decimal if high else []
    is_decimal = bool(surely) and commas == decimal
    mark = "." if is_decimal else ""
    values = np.array(
        [
            float(one.replace(",", mark))
            if one and ("," not in one or is_decimal or _THOUSANDS.fullmatch(one))
            else np.nan
            for one in digits
        ],
        dtype=float,
    )
    example = surely[0] if is_decimal else ""
    said = f"; the comma is taken as the decimal mark ({example} is {example.replace(',', '.')})"
    return values, said if is_decimal else ""
