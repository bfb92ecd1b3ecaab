"""DOC002: dates of the work that cannot all be true, and ground that lies idle."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.cover import acres
from sitemap.measures.records import sources
from sitemap.measures.schedule import (
    DatedCover,
    Work,
    day_of,
    days_of,
    idle_ground,
    phase_number,
)
from sitemap.project import Facts
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

DATED_COVERS, UNDATED_COVERS = (
    ("stabilization", "revegetation"),
    ("finished_surfaces", "infiltration"),
)
NEAR_FT = 25.0  # a perimeter control stands along the area that it serves
BEFORE_THE_WORK = ("SF", "SBB", "MPC", "TP")  # perimeter and entrance: nothing is dug before them


@rule(
    "DOC002",
    clauses=("3a", "3c"),
    needs=("disturbance",),
    uses=("controls", "stabilization", "revegetation", "finished_surfaces", "infiltration"),
)
def schedule_inconsistent(
    site: Site,
    disturbance: RoleLayer,
    controls: RoleLayer | None,
    idle_days: float,
    sliver_width: Length,
    acres_tolerance: Area,
) -> Iterator[Said]:
    """The map has dates of the work that contradict each other, or ground that lies idle.

    Why
        The sequence says when ground is opened, how long it lies bare and when it is covered; a
        fence that is set after the grading catches nothing.

    How it is measured
        Start and end of each disturbed area: the end not before the start, both between start
        and end of construction in site.toml. Phases by their number or letter: none begins before
        the one that comes before it. Idle: from the end of an area's work, the days until the next
        work on that ground (another disturbed area over it), or until stabilization, temporary or
        permanent, or revegetation dated there; more than 14 days is a fault, with the ground.
        Finished surfaces and infiltration areas count as covered when the work ends. Ground that
        nothing dated takes up is not judged: DST006 looks at it. Silt fence, bale barriers, other
        perimeter controls and tracking pads with a date: not after the start of a disturbed area
        of their phase (of any where they name none) within 25 ft of them.

        Text in a date field of a disturbed area that is no date is a fault of its own.

    When it does not apply
        Where no disturbed area has a date.

    How to fix
        Correct the dates; seed or mulch idle ground within 14 days; set perimeter controls first.

    References
        § 162-11B(3)(a), start and end dates; § 162-11B(3)(c), sequence, durations of exposure,
        installation of temporary measures.
    """
    areas = _areas(disturbance)
    dated = [area for area in areas if area.start or area.end]
    unread = list(_unread(disturbance))
    yield from unread
    if not dated:
        if not unread:
            yield NotApplicable("no disturbed area has a start or an end")
        return
    facts = site.project.project
    yield Checked(f"{len(dated)} of {len(areas)} disturbed areas have dates", len(dated))
    for area in dated:
        yield from _own_dates(area, facts)
    yield from _phases(dated)
    yield from _idle(site, areas, idle_days, sliver_width, acres_tolerance)
    if controls is not None:
        yield from _late_controls(controls, dated)


@dataclass(frozen=True, eq=False)
class _Area:
    name: str
    ground: BaseGeometry
    start: dt.date | None
    end: dt.date | None
    phase: int | None
    source: Source


def _areas(disturbance: RoleLayer) -> list[_Area]:
    frame = disturbance.usable
    shapes = shapely.make_valid(shapely.force_2d(frame.geometry.to_numpy()))
    rows = zip(
        sources(frame),
        shapes,
        days_of(disturbance, "start"),
        days_of(disturbance, "end"),
        frame["phase"].tolist(),
        strict=True,
    )
    return [
        _Area(
            source.user_id or f"record {source.feature}",
            shape,
            start,
            end,
            phase_number(phase),
            source,
        )
        for source, shape, start, end, phase in rows
    ]


def _unread(disturbance: RoleLayer) -> Iterator[Fault]:
    """Text in a date field that is no date: without it nothing of the area's work is judged."""
    frame = disturbance.usable
    for field_name in ("start", "end"):
        for source, shape, text in zip(
            sources(frame), frame.geometry, frame[field_name].tolist(), strict=True
        ):
            if isinstance(text, str) and text.strip() and day_of(text) is None:
                name = source.user_id or f"record {source.feature}"
                yield Fault(
                    f"the {field_name} of the work on {name}, {text!r}, is no date that can be "
                    "read",
                    f"write {field_name} as 2027-05-31",
                    geometry=shape,
                    role="disturbance",
                    source=source,
                    field_name=field_name,
                    distinct=f"{field_name} unread",
                )


def _own_dates(area: _Area, facts: Facts) -> Iterator[Fault]:
    if area.start and area.end and area.end < area.start:
        days = (area.end - area.start).days
        words = f"the work on {area.name} ends on {area.end}, before its start on {area.start}"
        yield _fault(area, words, "correct start and end", "end", days, ">=", 0, ("3c",))
    if area.start and facts.start and area.start < facts.start:
        days = (facts.start - area.start).days
        words = (
            f"the work on {area.name} starts on {area.start}, {plural(days, 'day')} before "
            f"construction starts ({facts.start})"
        )
        yield _fault(
            area, words, "correct the start, or [project] start in site.toml", "start", days
        )
    if area.end and facts.end and area.end > facts.end:
        days = (area.end - facts.end).days
        words = (
            f"the work on {area.name} ends on {area.end}, {plural(days, 'day')} after "
            f"construction ends ({facts.end})"
        )
        yield _fault(area, words, "correct the end, or [project] end in site.toml", "end", days)


def _fault(
    area: _Area,
    words: str,
    remedy: str,
    field_name: str,
    days: int,
    operator: str = "<=",
    limit: float = 0,
    clauses: tuple[str, ...] = (),
) -> Fault:
    return Fault(
        words,
        remedy,
        geometry=area.ground,
        measured=Quantity(days, "days"),
        limit=Limit(limit, "days", operator),  # type: ignore[arg-type]
        role="disturbance",
        source=area.source,
        field_name=field_name,
        clauses=clauses,
        distinct=f"{field_name} {operator}",
    )


def _phases(areas: list[_Area]) -> Iterator[Said]:
    """A phase begins with the first of its areas."""
    first: dict[int, _Area] = {}
    for area in areas:
        if area.phase is None or area.start is None:
            continue
        known = first.get(area.phase)
        if known is None or known.start is None or area.start < known.start:
            first[area.phase] = area
    ordered = [first[phase] for phase in sorted(first)]
    if len(ordered) > 1:
        yield Checked(f"{len(ordered)} phases in sequence", len(ordered))
    for before, after in pairwise(ordered):
        assert before.start is not None
        assert after.start is not None
        if after.start < before.start:
            days = (before.start - after.start).days
            yield Fault(
                f"phase {after.phase} ({after.name}) starts on {after.start}, "
                f"{plural(days, 'day')} before phase {before.phase} "
                f"({before.name}, {before.start})",
                "correct the dates or the numbers of the phases",
                geometry=after.ground,
                measured=Quantity(days, "days"),
                limit=Limit(0, "days"),
                role="disturbance",
                source=after.source,
                related=(before.source,),
                field_name="phase",
                clauses=("3c",),
                severity=Severity.WARNING,
                distinct="phase",
            )


def _idle(
    site: Site,
    areas: list[_Area],
    idle_days: float,
    sliver_width: Length,
    acres_tolerance: Area,
) -> Iterator[Said]:
    covers = list(_covers(site))
    if any(cover.day for cover in covers):
        ended = sum(area.end is not None for area in areas)
        yield Checked(f"idle ground after the work on {ended} disturbed areas", ended)
    works = [Work(area.ground, area.start, area.end) for area in areas]
    beside = shapely.STRtree([work.ground for work in works])
    above = shapely.STRtree([cover.ground for cover in covers])
    for number, area in enumerate(areas):
        near = np.sort(beside.query(area.ground)).tolist()
        if number not in near:  # it holds no ground
            continue
        over = np.sort(above.query(area.ground)).tolist()
        idle = idle_ground(
            near.index(number),
            [works[i] for i in near],
            [covers[i] for i in over],
            idle_days,
            sliver_width.to(site.foot),
        )
        if idle is None or acres(idle.ground.area, site.foot) <= acres_tolerance.acres:
            continue
        yield Fault(
            f"{acres(idle.ground.area, site.foot):.2f} acres of {area.name} lie idle from "
            f"{area.end} to {idle.until}, {plural(idle.days, 'day')}, without temporary "
            f"stabilization; at most {idle_days:g} days are allowed",
            f"seed or mulch this ground within {idle_days:g} days, or correct the dates",
            geometry=idle.ground,
            measured=Quantity(idle.days, "days"),
            limit=Limit(idle_days, "days"),
            role="disturbance",
            source=area.source,
            field_name="end",
            clauses=("3c",),
            severity=Severity.WARNING,
            distinct="idle",
        )


def _covers(site: Site) -> Iterator[DatedCover]:
    """Areas that cover the ground: with the day where one is given, finished ones without."""
    for role in (*DATED_COVERS, *UNDATED_COVERS):
        layer = site.role(role)
        if layer is None or layer.usable.empty:
            continue
        shapes = shapely.make_valid(shapely.force_2d(layer.shapes))
        for shape, day in zip(shapes, days_of(layer, "date"), strict=True):
            if shapely.get_dimensions(shape) == 2 and (day or role in UNDATED_COVERS):
                yield DatedCover(shape, day)


def _late_controls(controls: RoleLayer, areas: list[_Area]) -> Iterator[Fault | Checked]:
    frame = controls.usable
    days = days_of(controls, "date")
    kinds = frame["type"].tolist()
    first = [i for i, day in enumerate(days) if day and str(kinds[i]) in BEFORE_THE_WORK]
    if not first:
        return
    yield Checked(f"{len(first)} perimeter controls and tracking pads with dates", len(first))
    where, phases = sources(frame), frame["phase"].tolist()
    shapes = shapely.force_2d(frame.geometry.to_numpy())
    grounds = np.array([area.ground for area in areas])
    for i in first:
        day, phase = days[i], phase_number(phases[i])
        touched = shapely.dwithin(grounds, shapes[i], NEAR_FT)
        late = [
            area
            for area, near in zip(areas, touched, strict=True)
            if near and area.start and day and day > area.start and phase in (None, area.phase)
        ]
        if not late:
            continue
        area = min(late, key=lambda a: a.start or dt.date.max)
        assert day is not None
        assert area.start is not None
        name = where[i].user_id or f"record {where[i].feature}"
        yield Fault(
            f"{name} is installed on {day}, {plural((day - area.start).days, 'day')} after the "
            f"disturbance of {area.name} starts ({area.start})",
            "install it before the disturbance, or correct the dates",
            geometry=shapes[i],
            measured=Quantity((day - area.start).days, "days"),
            limit=Limit(0, "days"),
            role="controls",
            source=where[i],
            related=(area.source,),
            field_name="date",
            clauses=("3c",),
            severity=Severity.WARNING,
        )
