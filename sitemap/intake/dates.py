"""Dates kept as text -> 2027-05-01; in which order a column writes day and month, and what is none.

A four-digit year first, a month by its name, and dots (day.month.year) leave no choice. 04/12/2027
does: it is read as the column's other dates tell, else month first as in the United States, and
said to have been.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = r"(?:[T ].*)?$"
_YEAR_FIRST = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_TIME}")
_RUN_TOGETHER = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_DOTTED = re.compile(rf"(\d{{1,2}})\. ?(\d{{1,2}})\. ?(\d{{4}}){_TIME}")
_SLASHED = re.compile(rf"(\d{{1,2}})[-/](\d{{1,2}})[-/](\d{{4}}){_TIME}")
_DAY_NAMED = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th)?[-. ]+([a-z]+)\.?[-, ]+(\d{{4}}){_TIME}", re.I
)
_MONTH_NAMED = re.compile(rf"([a-z]+)\.? (\d{{1,2}})(?:st|nd|rd|th)?,? +(\d{{4}}){_TIME}", re.I)
_SHOWN = 3


def iso_date(text: str | None, *, day_first: bool = False) -> str | None:
    """A date as 2026-05-01; text that is no date of the calendar stays as it is."""
    parts = _parts(text, day_first) if text is not None else None
    if parts is not None:
        with suppress(ValueError):
            return dt.date(*parts).isoformat()
    return text


def _parts(text: str, day_first: bool) -> tuple[int, int, int] | None:
    """Year, month and day as written; None where the text has no form of a date."""
    for form in (_YEAR_FIRST, _RUN_TOGETHER):
        if match := form.match(text):
            return int(match[1]), int(match[2]), int(match[3])
    if match := _DOTTED.match(text):
        return int(match[3]), int(match[2]), int(match[1])
    if match := _SLASHED.match(text):
        month, day = (match[2], match[1]) if day_first else (match[1], match[2])
        return int(match[3]), int(month), int(day)
    if match := _DAY_NAMED.match(text):
        return int(match[3]), _month(match[2]), int(match[1])
    if match := _MONTH_NAMED.match(text):
        return int(match[3]), _month(match[1]), int(match[2])
    return None


def _month(name: str) -> int:
    """1 to 12; 0, which no date takes, for another word."""
    short = name[:3].lower()
    return MONTHS.index(short) + 1 if short in MONTHS else 0


def read_dates(texts: Sequence[str], column: str) -> tuple[dict[str, str], list[Oddity]]:
    """The date that each distinct text of a column means, and what must be said of the reading."""
    either, day_first = _order(texts)
    dates = {text: iso_date(text, day_first=day_first) or text for text in texts}
    notes = []
    if either:
        order = "day/month/year, as others in the column" if day_first else "month/day/year"
        words = f"field {column}: {_shown(either)} taken as {order}"
        notes.append(odd("date_order_taken", f"{words}; write it as 2027-05-31"))
    none = [text for text, date in dates.items() if not _is_iso(date)]
    if none:
        words = f"field {column}: {_shown(none)} no date that can be read"
        notes.append(odd("date_unreadable", f"{words}; write it as 2027-05-31"))
    return dates, notes


def _order(texts: Iterable[str]) -> tuple[list[str], bool]:
    """Dates that can be read in two ways, and whether the others show that the day comes first.

    None can where the others show that the month does.
    """
    pairs = [(text, int(m[1]), int(m[2])) for text in texts if (m := _SLASHED.match(text))]
    day_first = any(one > 12 >= other for _, one, other in pairs)
    month_first = any(other > 12 >= one for _, one, other in pairs)
    if month_first and not day_first:
        return [], False
    either = [text for text, one, other in pairs if one != other and max(one, other) <= 12]
    return either, day_first and not month_first


def _shown(texts: Sequence[str]) -> str:
    """'2 values ('x', 'y') are'."""
    some = ", ".join(repr(text) for text in dict.fromkeys(texts[:_SHOWN]))
    more = " ..." if len(texts) > _SHOWN else ""
    return f"{count_of(len(texts), 'value')} ({some}{more}) {'is' if len(texts) == 1 else 'are'}"


def _is_iso(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True
