"""The whole site on one map sheet; tables that find no room on it go to a notes sheet behind it."""

from __future__ import annotations

import datetime as dt
from itertools import islice

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.plate.compose import compose_map
from sitemap.plate.downstream_sheet import downstream_sheet
from sitemap.plate.finished_sheet import finished_sheet
from sitemap.plate.furniture import Furniture, furniture_of
from sitemap.plate.marks import SheetMarks
from sitemap.plate.notes_sheet import NotesContent, notes_flow, notes_sheet
from sitemap.plate.numbering import following
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site


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
    furniture = furniture_of(site, ordinance, composed, now)
    behind = sheets_behind(furniture, (site.project.plate.sheet_number,))
    notes = tuple(sheet.number for sheet in behind)
    return (finished_sheet(furniture, checked=checked, notes=notes), *behind)


def sheets_behind(furniture: Furniture, maps: tuple[str, ...]) -> tuple[SheetMarks, ...]:
    """What found no room around the map; maps are the numbers of the map sheets."""
    if not furniture.left_out:
        return ()
    composed, tables, now = furniture.composed, furniture.blocks, furniture.facts.now
    scale = furniture.facts.scale
    inset, placed = None, []
    if furniture.no_inset and composed.ways is not None:
        inset = downstream_sheet(tables, composed.ways, furniture.tables, maps)
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
