"""The whole site on one map sheet; tables that find no room on it go to a notes sheet behind it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import islice

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.plate.compose import ComposedMap, compose_map, finished_sheet
from sitemap.plate.downstream_sheet import downstream_sheet
from sitemap.plate.furniture import INSET_LEFT_OUT, TABLE_LEFT_OUT
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
    """The map sheet; behind it what its margin has no room for: a sheet downstream, notes."""
    composed = compose_map(site, ordinance, sheet_layout(sheet), scale, rotation_deg)
    crowded = tuple(composed.drawing.unplaced)
    alone = finished_sheet(site, ordinance, composed, now=now, checked=checked)
    behind = sheets_behind(site, ordinance, composed, alone, now, (alone.number,))
    if not behind:
        return (alone,)
    composed = replace(composed, drawing=replace(composed.drawing, unplaced=list(crowded)))
    notes = tuple(sheet.number for sheet in behind)
    first = finished_sheet(site, ordinance, composed, now=now, checked=checked, notes=notes)
    return (first, *behind)


def sheets_behind(
    site: Site,
    ordinance: Ordinance,
    composed: ComposedMap,
    alone: SheetMarks,
    now: dt.date,
    maps: tuple[str, ...],
) -> tuple[SheetMarks, ...]:
    """What the map has no room for when it is `alone`; maps are the numbers of the map sheets."""
    left_out = [
        w.removeprefix(TABLE_LEFT_OUT) for w in alone.unplaced if w.startswith(TABLE_LEFT_OUT)
    ]
    no_inset = any(words.startswith(INSET_LEFT_OUT) for words in alone.unplaced)
    if not left_out and not no_inset:
        return ()
    scale = MapScale(composed.drawing.frame.feet_per_inch)
    tables = MarginTables(site, ordinance, composed)
    inset, placed = None, []
    if no_inset and composed.ways is not None:
        inset = downstream_sheet(tables, composed.ways, left_out, maps)
    if inset is None or inset.left_out:
        placed = notes_flow(tables, NotesContent(maps, None, scale))
    pages = max((one.page for one in placed), default=-1) + 1
    count = pages + (inset is not None)
    behind = islice(following(maps[-1]), 1, count + 1)
    facts = [
        TitleFacts(scale, composed.drawing.interval_ft, now, i, count + len(maps), each)
        for i, each in enumerate(behind, start=len(maps) + 1)
    ]
    sheets: list[SheetMarks] = []
    if inset is not None:
        sheets.append(inset.finished(facts.pop(0), now))
    for page, each in enumerate(facts):
        here = [one for one in placed if one.page == page]
        sheets.append(notes_sheet(tables, here, each, now))
    return tuple(sheets)
