"""Waivers of site.toml matched with findings: what each of them lets stand on the day of the run.

A waiver never hides a finding. It only keeps it from counting, under the law that it names or
under all, as long as it is in force.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Finding, Waiver
from sitemap.project import WaiverEntry
from sitemap.site import Site
from sitemap.waived_area import area_of


@dataclass(frozen=True, eq=False)
class WaiverUse:
    """One waiver of site.toml and the findings that it is about, in force or not.

    number is its place in site.toml, from 1. judged is False where what it is about was left out
    of the run, so that nothing can be said of its use.
    """

    number: int
    entry: WaiverEntry
    area: BaseGeometry | None
    findings: tuple[Finding, ...] = ()
    judged: bool = True

    def state(self, now: dt.date) -> str:
        """What it is on a day: in force, expired, not yet in force; both its days count."""
        if now < self.entry.date:
            return "not yet in force"
        ends = self.entry.expires
        return "expired" if ends is not None and now > ends else "in force"

    @property
    def words(self) -> str:
        """As named in findings: 'waiver 2 of site.toml (CON001, City Engineer, 2026-01-05)'."""
        entry = self.entry
        return f"waiver {self.number} of site.toml ({entry.about}, {entry.authority}, {entry.date})"

    @property
    def waiver(self) -> Waiver:
        """What it says, as findings carry it."""
        entry = self.entry
        return Waiver(entry.reason, entry.authority, entry.date, entry.expires, entry.condition)

    def is_about_some_breach_of(self, finding: Finding) -> bool:
        """Whether it is about a finding under any of the laws that it breaks."""
        return any(self.is_about(finding, breach.ordinance) for breach in finding.breaches)

    def is_about(self, finding: Finding, ordinance: str) -> bool:
        """Whether a finding under a pack is one that the waiver names, whatever the day."""
        entry = self.entry
        if entry.ordinance is not None and entry.ordinance != ordinance:
            return False
        if entry.rule is not None and not finding.rule.startswith(entry.rule.upper()):
            return False
        if entry.fingerprint is not None and entry.fingerprint.lower() != finding.fingerprint:
            return False
        return self.area is None or _within(finding.geometry, self.area)


@dataclass(frozen=True, eq=False)
class Waivers:
    """All waivers of a site; those earlier in site.toml go first."""

    uses: tuple[WaiverUse, ...] = ()
    waived: Mapping[int, Waiver] = field(default_factory=dict)  # by id() of the finding

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings with the waiver that lets each stand; others unchanged."""
        return tuple(
            replace(f, waiver=self.waived[id(f)]) if id(f) in self.waived else f for f in findings
        )


def waivers_of(site: Site) -> tuple[WaiverUse, ...]:
    """The waivers of site.toml with their areas in the site CRS, before any finding is known."""
    return tuple(
        WaiverUse(number, entry, _area(site, number, entry))
        for number, entry in enumerate(site.project.waivers, start=1)
    )


def matched(
    uses: Iterable[WaiverUse],
    findings: Iterable[tuple[str, Finding]],
    unjudged: Iterable[str],
    now: dt.date,
) -> Waivers:
    """What the waivers do on a day to findings, each given with the pack that it breaks.

    unjudged are the codes of rules that said nothing in this run.
    """
    rows = list(findings)
    silent = tuple(unjudged)
    waived: dict[int, Waiver] = {}
    result = []
    for use in uses:
        own = [(pack, f) for pack, f in rows if use.is_about(f, pack)]
        if use.state(now) == "in force":
            for _, finding in own:
                waived.setdefault(id(finding), use.waiver)
        one_per_fault = {f.fingerprint: f for _, f in own}
        about = use.entry.rule.upper() if use.entry.rule else ""
        judged = bool(own) or not any(code.startswith(about) for code in silent)
        result.append(replace(use, findings=tuple(one_per_fault.values()), judged=judged))
    return Waivers(tuple(result), waived)


def _area(site: Site, number: int, entry: WaiverEntry) -> BaseGeometry | None:
    if entry.area is None:
        return None
    if entry.area_file is None:
        return area_of(entry.area)
    return site.waiver_areas.get(number, shapely.Polygon())  # no CRS, no place: about nothing


def _within(geometry: BaseGeometry | None, area: BaseGeometry) -> bool:
    """Whether the whole of a fault lies in the area; a site-wide one without a place does not."""
    if geometry is None or geometry.is_empty:
        return False
    try:
        return bool(shapely.covers(area, geometry))
    except shapely.errors.GEOSException:  # a wild geometry: its vertices decide
        xy = shapely.get_coordinates(geometry)
        return bool(shapely.intersects_xy(area, xy[:, 0], xy[:, 1]).all())
