"""What the title block states: scale, interval, coordinate and height systems, dates, names."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sitemap.crs import Crs, crs_code, datum_name
from sitemap.plate.north_scale import scale_words
from sitemap.site import Site
from sitemap.units import LengthUnit, MapScale, plain_number

NOT_STATED = "not stated"


@dataclass(frozen=True)
class TitleFacts:
    """What the title block has to know of the sheet besides the site.

    number and title are those of site.toml unless given; scale_said takes the place of the scale
    on a sheet that is not drawn to one.
    """

    scale: MapScale
    interval_ft: float | None
    now: dt.date
    sheet: int = 1
    sheets: int = 1
    number: str = ""
    title: str = ""
    scale_said: str = ""


def _both(first: str | None, second: str | None, between: str) -> str:
    """Two facts in one value; what neither states is said once."""
    if not first and not second:
        return NOT_STATED
    return f"{first or NOT_STATED}{between}{second or NOT_STATED}"


def fact_rows(site: Site, facts: TitleFacts) -> list[tuple[str, str]]:
    """Label and value, in reading order."""
    project, wishes = site.project, site.project.plate
    start, end = (
        d.isoformat() if d else None for d in (project.project.start, project.project.end)
    )
    interval = f"{plain_number(facts.interval_ft)} ft" if facts.interval_ft else NOT_STATED
    return [
        ("Scale", facts.scale_said or scale_words(facts.scale)),
        ("Contour interval", interval),
        ("Horizontal", _horizontal(site.crs)),
        ("Vertical", _vertical_words(site)),
        ("Construction", _both(start, end, " to ")),
        ("Receiving water", project.project.receiving_water or NOT_STATED),
        ("Date", (wishes.date or facts.now).isoformat()),
        ("Drawn / checked", _both(wishes.drawn_by, wishes.checked_by, " / ")),
    ]


def _horizontal(crs: Crs | None) -> str:
    if crs is None:
        return NOT_STATED
    unit = crs.axis_info[0].unit_conversion_factor if crs.axis_info else 1.0
    foot = LengthUnit.from_metres(unit)
    words = {LengthUnit.US_SURVEY_FOOT: "U.S. survey foot", LengthUnit.FOOT: "international foot"}
    code = crs_code(crs)
    return ", ".join(
        part
        for part in (
            crs.name,
            code or "",
            f"datum {_short_datum(datum_name(crs))}",
            words.get(foot, "") if foot else "",
        )
        if part
    )


def _short_datum(name: str) -> str:
    return {
        "NAD83 (National Spatial Reference System 2011)": "NAD83(2011)",
        "North American Datum 1983": "NAD83",
        "North American Datum 1927": "NAD27",
    }.get(name, name)


def _vertical_words(site: Site) -> str:
    wishes = site.project.map
    if wishes.vertical_datum is None:
        return NOT_STATED
    return f"{wishes.vertical_datum}, {wishes.vertical_unit or 'unit not stated'}"
