"""WET003: a wetland without source or date of its delineation, or with an old one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, rule
from sitemap.site import RoleLayer

DAYS_OF_YEAR = 365.25


@rule("WET003", clauses=("h",), needs=("wetlands",), severity=Severity.WARNING)
def delineation_source_or_date_missing(
    wetlands: RoleLayer, delineation_years: float, now: dt.date
) -> Iterator[Said]:
    """The map has a wetland whose delineation has no source, no date, or an old one.

    Why
        Wetlands move. A line from an old inventory is a hint where to look, not the edge.

    How it is measured
        Each wetland needs a delineator or a source, and a date of the delineation that is a day
        of the calendar, not later than the day of the run, and not more than the pack's years
        before it (exactly so many years pass). A warning: the paragraph gives no age, the pack's
        number is a reading.

    When it does not apply
        Where wetlands are declared none.

    How to fix
        Fill delineator, source and date from the report, or have the wetland delineated again.

    References
        § 162-11B(4)(h), areas and locations of wetland; the number of years is the pack's
        delineation_years.
    """
    frame = wetlands.usable
    yield Checked(f"{plural(len(frame), 'wetland')}: source and date of delineation", len(frame))
    where = sources(frame)
    shapes = np.asarray(shapely.force_2d(frame.geometry.to_numpy()))
    known = frame["delineator"].notna() | frame["source"].notna()
    for index in range(len(frame)):
        name = where[index].user_id or f"record {where[index].feature}"
        faults = [] if known.iloc[index] else ["delineator and source are missing"]
        words, age = _age(frame["delineation_date"].iloc[index], delineation_years, now)
        faults += [words] if words else []
        if faults:
            yield Fault(
                f"wetland {name}: {' and '.join(faults)}",
                "fill delineator, source and date from the report, or delineate the wetland again",
                geometry=shapes[index],
                measured=None if age is None else Quantity(round(age, 1), "years"),
                limit=None if age is None else Limit(delineation_years, "years"),
                role="wetlands",
                source=where[index],
                field_name="delineation_date" if words else "source",
            )


def _age(text: object, most_years: float, now: dt.date) -> tuple[str, float | None]:
    """What is wrong with a date, in words (empty when nothing), and its age where too old."""
    if not isinstance(text, str) or not text.strip():
        return "the date of the delineation is missing", None
    try:
        date = dt.date.fromisoformat(text[:10])
    except ValueError:
        return f"the date of the delineation, {text!r}, is no day of the calendar", None
    if date > now:
        return f"the date of the delineation, {date}, lies in the future", None
    if _years_later(date, most_years) < now:
        age = (now - date).days / DAYS_OF_YEAR
        return f"the delineation of {date} is {age:.1f} years old", age
    return "", None


def _years_later(date: dt.date, years: float) -> dt.date:
    """The anniversary; of a leap day the last of February."""
    whole = int(years)
    try:
        later = date.replace(year=date.year + whole)
    except ValueError:
        later = date.replace(year=date.year + whole, day=28)
    return later + dt.timedelta(days=round((years - whole) * DAYS_OF_YEAR))
