"""The whole site on one map sheet; tables that find no room on it go to a notes sheet behind it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import islice

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.plate.compose import ComposedMap, compose_map, finished_sheet
from sitemap.plate.margin_tables import MarginTables
from sitemap.plate.marks import SheetMarks
from sitemap.plate.notes_sheet import NotesContent, notes_flow, notes_sheet
from sitemap.plate.numbering import following
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site
from sitemap.units import MapScale


def compose_one_map(
    site: Site,
    ordinance: Ordinance,
    *,
    sheet: str,
    scale: float | str | None,
    now: dt.date,
    checked: CheckedSite | None = None,
    rotation_deg: float = 0.0,
) -> tuple[SheetMarks, ...]:
    """The map sheet, and as many notes sheets as its margin is too small for (none on ARCH D)."""
    composed = compose_map(site, ordinance, sheet_layout(sheet), scale, rotation_deg)
    crowded = tuple(composed.drawing.unplaced)
    alone = finished_sheet(site, ordinance, composed, now=now, checked=checked)
    if not any(words.startswith("table left out") for words in alone.unplaced):
        return (alone,)
    composed = replace(composed, drawing=replace(composed.drawing, unplaced=list(crowded)))
    return _with_notes(site, ordinance, composed, now, checked)


def _with_notes(
    site: Site,
    ordinance: Ordinance,
    composed: ComposedMap,
    now: dt.date,
    checked: CheckedSite | None,
) -> tuple[SheetMarks, ...]:
    number = site.project.plate.sheet_number
    drawing = composed.drawing
    scale = MapScale(drawing.frame.feet_per_inch)
    tables = MarginTables(site, ordinance, composed, checked)
    placed = notes_flow(tables, NotesContent((number,), None, scale))
    pages = max(one.page for one in placed) + 1
    behind = tuple(islice(following(number), 1, pages + 1))
    first = finished_sheet(site, ordinance, composed, now=now, checked=checked, notes=behind)
    facts = [
        TitleFacts(scale, drawing.interval_ft, now, i, pages + 1, each)
        for i, each in enumerate(behind, start=2)
    ]
    return (
        first,
        *(
            notes_sheet(tables, [p for p in placed if p.page == page], facts[page], now)
            for page in range(pages)
        ),
    )
