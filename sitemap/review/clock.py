"""The clock of a permit review: business days from a complete application, less the closures.

The periods and the closed days stand in a TOML file (calendars/); what they assume is printed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal

import holidays
import numpy as np
import tomli
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sitemap.checked import plural
from sitemap.config_faults import explained
from sitemap.errors import ConfigurationError, UsageError
from sitemap.finding import JsonDict

WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
YEARS_AHEAD = 3  # holidays are looked up for a review that begins in one year and ends in another


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Holidays(_Strict):
    """A set of public holidays that the holidays library knows, less those that are left out."""

    country: str
    subdivision: str | None = None
    leave_out: tuple[str, ...] = ()


class Closed(_Strict):
    """One further day."""

    date: dt.date
    name: str


class ReviewCalendar(_Strict):
    """How long a review may take, by which clause, and on which days the office is closed."""

    id: str
    office: str
    authority: str
    reasons_citation: str
    days: int = Field(gt=0)
    days_citation: str
    information_days: int = Field(gt=0)
    information_citation: str
    weekend: tuple[Literal[WEEK], ...] = ("Saturday", "Sunday")  # type: ignore[valid-type]
    assumptions: tuple[str, ...] = ()
    holidays: Holidays | None = None
    closed: tuple[Closed, ...] = ()
    file: str = Field(default="", exclude=True)

    def closures(self, first: dt.date, last: dt.date) -> dict[dt.date, str]:
        """The closed days between two days, both included, with their names; no weekends."""
        found: dict[dt.date, str] = {}
        if self.holidays is not None:
            years = range(first.year, last.year + 1)
            country, subdivision = self.holidays.country, self.holidays.subdivision
            known = holidays.country_holidays(country, subdiv=subdivision, years=years)
            found = {d: n for d, n in known.items() if n not in self.holidays.leave_out}
        found |= {day.date: day.name for day in self.closed}
        open_days = {d: n for d, n in found.items() if WEEK[d.weekday()] not in self.weekend}
        return {d: n for d, n in sorted(open_days.items()) if first <= d <= last}

    @property
    def weekmask(self) -> list[bool]:
        """Monday to Sunday: whether the office works on it."""
        return [day not in self.weekend for day in WEEK]


@dataclass(frozen=True)
class Period:
    """Business days from one day to another. start is the day of receipt, which is not counted."""

    citation: str
    days: int
    start: dt.date
    due: dt.date
    what: str


@dataclass(frozen=True)
class Clock:
    """Where a review stands on a day; without a complete application there is no due date."""

    calendar: ReviewCalendar
    now: dt.date
    received: dt.date | None = None
    complete: dt.date | None = None
    information: dt.date | None = None

    def __post_init__(self) -> None:
        """UsageError for days in an impossible order."""
        days = [d for d in (self.received, self.complete, self.information) if d is not None]
        if days != sorted(days):
            raise UsageError(
                "an application is received, then complete, then added to: the days "
                f"{', '.join(map(str, days))} are not in that order"
            )
        if self.information is not None and self.complete is None:
            raise UsageError("additional information needs the day of the complete application")

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        """The periods that run, the one that governs last."""
        calendar, found = self.calendar, []
        if self.complete is not None:
            due = self.after(self.complete, calendar.days)
            what = "complete application received"
            found.append(Period(calendar.days_citation, calendar.days, self.complete, due, what))
        if self.information is not None:
            days = calendar.information_days
            due = self.after(self.information, days)
            what = "additional information received"
            found.append(Period(calendar.information_citation, days, self.information, due, what))
        return tuple(found)

    @property
    def due(self) -> dt.date | None:
        """The last day for the answer, or None while the application is not complete."""
        return self.periods[-1].due if self.periods else None

    @property
    def days_left(self) -> int | None:
        """Business days from now to the due day; negative when it is over."""
        if self.due is None:
            return None
        first, last = sorted((self.now, self.due))
        closed = list(self.calendar.closures(first, last))
        mask = self.calendar.weekmask
        # a day that is over does not count, the last one does
        count = int(np.busday_count(first + _DAY, last + _DAY, weekmask=mask, holidays=closed))
        return count if self.now <= self.due else -count

    def after(self, start: dt.date, days: int) -> dt.date:
        """The day so many business days after another, which itself is not counted."""
        closed = list(self.calendar.closures(start - 31 * _DAY, start + _AHEAD))
        mask = self.calendar.weekmask
        found = np.busday_offset(start, days, roll="backward", weekmask=mask, holidays=closed)
        day: dt.date = found.astype("datetime64[D]").item()
        return day

    @cached_property
    def closures(self) -> dict[dt.date, str]:
        """The closed days within the periods."""
        if self.due is None:
            return {}
        return self.calendar.closures(self.periods[0].start, max(p.due for p in self.periods))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the dates rest on."""
        said = [f"Periods and closed days by the file {self.calendar.file}."]
        said += self.calendar.assumptions
        if self.information is not None:
            first, last = self.periods
            said.append(
                f"Read so that the {last.days} business days of {last.citation} govern once "
                f"additional information is there; by {first.citation} alone it would be "
                f"{first.due}."
            )
        closed = ", ".join(f"{name} {day}" for day, name in self.closures.items())
        return (*said, f"Closed days in the period: {closed or 'none'}.")

    @property
    def lines(self) -> tuple[str, ...]:
        """The clock in words, line by line."""
        said = [] if self.received is None else [f"Application received {self.received}."]
        for period in self.periods:
            said.append(
                f"{period.what.capitalize()} {period.start}; {period.days} business days by "
                f"{period.citation} end on {period.due}."
            )
        if self.due is None:
            said.append("The application is not recorded as complete: no period runs.")
        else:
            left = self.days_left or 0
            days = plural(abs(left), "business day")
            words = f"{days} left" if left >= 0 else f"{days} over"
            said.append(f"Due {self.due}: {words} on {self.now}.")
        return tuple(said)


_DAY = dt.timedelta(days=1)
_AHEAD = dt.timedelta(days=366 * YEARS_AHEAD)


def find_calendar(ordinances: list[str]) -> ReviewCalendar | None:
    """The calendar that comes with the program for the first of these packs that has one."""
    for name in ordinances:
        file = files("sitemap.review").joinpath("calendars", f"{name}.toml")
        if file.is_file():
            return _calendar(Path(f"{name}.toml"), file.read_text(encoding="utf-8"))
    return None


def load_calendar(path: Path) -> ReviewCalendar:
    """Read a calendar; ConfigurationError names file and key."""
    try:
        return _calendar(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(path, "", f"cannot be read ({error.strerror})") from None


def _calendar(path: Path, text: str) -> ReviewCalendar:
    try:
        table: JsonDict = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ConfigurationError(path, "", f"is not TOML: {error}") from None
    try:
        calendar = ReviewCalendar.model_validate({**table, "file": path.name})
    except ValidationError as error:
        raise explained(error, path, ReviewCalendar, table, hidden=["file"]) from None
    if calendar.holidays is not None:
        _check_holidays(path, calendar.holidays)
    if not any(calendar.weekmask):
        raise ConfigurationError(path, "weekend", "leaves no day on which the office works")
    return calendar


def _check_holidays(path: Path, asked: Holidays) -> None:
    try:
        known = holidays.country_holidays(asked.country, subdiv=asked.subdivision, years=2026)
    except NotImplementedError as error:
        raise ConfigurationError(path, "holidays", str(error)) from None
    names = set(known.values())
    for name in asked.leave_out:
        if name not in names:
            words = f"{name!r} is none of its holidays: {', '.join(sorted(names))}"
            raise ConfigurationError(path, "holidays.leave_out", words)


def to_ics(clock: Clock, site: str) -> str:
    """The due date as an all-day event (RFC 5545); UsageError while there is none."""
    if clock.due is None:
        raise UsageError("there is no due date to write: give the day of the complete application")
    stamp = clock.now.strftime("%Y%m%dT000000Z")
    period = clock.periods[-1]
    mark = hashlib.sha256(site.encode("utf-8", "replace")).hexdigest()[:12]
    summary = f"Decision due: {site} ({period.citation})"
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//sitemap//review clock//EN",
        "BEGIN:VEVENT",
        f"UID:{clock.due:%Y%m%d}-{period.start:%Y%m%d}-{mark}@sitemap",
        f"DTSTAMP:{stamp}",
        f"DTSTART;VALUE=DATE:{clock.due:%Y%m%d}",
        f"DTEND;VALUE=DATE:{clock.due + _DAY:%Y%m%d}",
        f"SUMMARY:{_escaped(summary)}",
        f"DESCRIPTION:{_escaped(' '.join((*clock.lines, *clock.assumptions)))}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "\r\n".join(_folded(line) for line in lines) + "\r\n"


def _escaped(text: str) -> str:
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Lines of at most 75 bytes, further ones begun with a blank."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode("utf-8")) > 74:
            parts.append(part)
            part = ""
        part += letter
    return "\r\n ".join([*parts, part])
