"""Phases of construction as a sheet each: the map with the controls of one phase alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from sitemap.checked import CheckedSite
from sitemap.measures.phases import Phases, site_phases
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.plate.compose import ComposedMap, compose_map, draw_map
from sitemap.plate.finished_sheet import finished_sheet
from sitemap.plate.furniture import furniture_of
from sitemap.plate.marks import SheetMarks
from sitemap.plate.numbering import following
from sitemap.plate.one_map import compose_one_map, sheets_behind
from sitemap.plate.phase_groups import phase_title
from sitemap.site import Site


@dataclass(frozen=True, eq=False)
class SitePhase:
    """A site as it is in one phase; name is "" where phases have no sheets of their own."""

    name: str
    site: Site

    def titled(self, title: str) -> str:
        """The title of a sheet with its phase."""
        said = phase_title(self.name)
        return f"{title}, {said[0].lower()}{said[1:]}" if self.name else title


def drawn_phases(site: Site) -> tuple[SitePhase, ...]:
    """The phases that get sheets of their own, in their order; one without a name where site.toml
    does not wish that, or the controls name no phases.
    """
    phases = site_phases(site) if site.project.plate.phases == "sheets" else None
    if phases is None:
        return (SitePhase("", site),)
    return tuple(
        SitePhase(name, _in_phase(site, phases, place)) for place, name in enumerate(phases.names)
    )


def _in_phase(site: Site, phases: Phases, place: int) -> Site:
    """The site without what does not stand in a phase."""
    layers = dict(site.layers)
    for role, stands in phases.stands.items():
        layer = layers[role]
        here = layer.usable[stands[:, place]]
        if here.empty:
            del layers[role]
        else:
            layers[role] = replace(layer, frame=here)
    return replace(site, layers=layers)


def compose_single(
    site: Site,
    ordinance: Ordinance,
    *,
    sheet: str,
    scale: float | str | None,
    now: dt.date,
    checked: CheckedSite | None = None,
    rotation_deg: float = 0.0,
) -> tuple[SheetMarks, ...]:
    """The whole site on one map sheet, or on one for each phase where they are wished: all on one
    frame, and behind them what their margins have no room for, of all phases.
    """
    drawn = drawn_phases(site)
    if len(drawn) == 1:
        return compose_one_map(
            site, ordinance, sheet=sheet, scale=scale, now=now, checked=checked,
            rotation_deg=rotation_deg,
        )  # fmt: skip
    composed = compose_map(site, ordinance, sheet_layout(sheet), scale, rotation_deg)
    first, title = site.project.plate.sheet_number, site.project.plate.sheet_title
    numbers = tuple(islice(following(first), len(drawn)))
    whole = furniture_of(_numbered(site, first, title), ordinance, composed, now)
    behind = sheets_behind(whole, numbers)
    of = len(numbers) + len(behind)
    rest = tuple(sheet.number for sheet in behind)
    return (*_maps(drawn, numbers, ordinance, composed, rest, of, now, checked), *behind)


def _maps(
    drawn: tuple[SitePhase, ...],
    numbers: tuple[str, ...],
    ordinance: Ordinance,
    composed: ComposedMap,
    behind: tuple[str, ...],
    of: int,
    now: dt.date,
    checked: CheckedSite | None,
) -> Iterator[SheetMarks]:
    for place, (phase, number) in enumerate(zip(drawn, numbers, strict=True), start=1):
        title = phase.titled(phase.site.project.plate.sheet_title)
        site = _numbered(phase.site, number, title)
        drawing = draw_map(site, composed.drawing.frame, ways=composed.ways)
        furniture = furniture_of(site, ordinance, replace(composed, drawing=drawing), now)
        sheet = finished_sheet(furniture, checked=checked, notes=behind, sheet=place, sheets=of)
        yield replace(sheet, phase=phase.name)


def _numbered(site: Site, number: str, title: str) -> Site:
    wishes = {"sheet_number": number, "sheet_title": title}
    plate = site.project.plate.model_copy(update=wishes)
    return replace(site, project=site.project.model_copy(update={"plate": plate}))
