"""A set of sheets composed: index, map sheets with match lines, notes; numbered in one row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import shapely

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import SheetLayout
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import frame_lines
from sitemap.plate.bottom_strip import WIDEST_IN, fitting_form, north_and_scale
from sitemap.plate.column_flow import Placed
from sitemap.plate.compose import GRID_MARKS, ComposedMap, draw_map, map_marks
from sitemap.plate.downstream_sheet import DOWNSTREAM_TITLE, downstream_sheet
from sitemap.plate.drawing import Drawn
from sitemap.plate.furniture import BORDER_PT, line_over_title, program_line
from sitemap.plate.index_sheet import INDEX_TITLE, index_sheet
from sitemap.plate.inset import leaves_map
from sitemap.plate.key_map import LEAST_IN, key_map
from sitemap.plate.map_grid import control_places
from sitemap.plate.margin_tables import Forms, MarginTables
from sitemap.plate.marks import Link, Mark, SheetMarks
from sitemap.plate.match_lines import Seam, match_marks, seams_of, taken_by
from sitemap.plate.notes_sheet import NOTES_TITLE, NotesContent, notes_flow, notes_sheet
from sitemap.plate.numbering import SheetLock
from sitemap.plate.overlays import OVERLAYS, overlay_marks
from sitemap.plate.phase_sheets import SitePhase, drawn_phases
from sitemap.plate.plan import SetPlan
from sitemap.plate.right_column import signed_column
from sitemap.plate.schedules import natural_key
from sitemap.plate.sheet_finder import SheetFinder, sheets_said
from sitemap.plate.sheet_table import SheetRow, controls_said
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.plate.traced_ways import TracedWays, traced_ways
from sitemap.site import Site

DOWNSTREAM_SHOWS = "ways of the water, waters, discharges"
KEY_MAP_IN = 5.2
LEAST_INSET_IN = 0.6  # of control crosses from the edges of the frame
CLEAR_OF_SEAM_IN = 0.4  # of control crosses, from match lines and their words


@dataclass(frozen=True, eq=False)
class _MapSheet:
    """One tile, drawn, before it has its margin."""

    phase: SitePhase
    numbers: tuple[str, ...]  # of all map sheets of the phase
    place: int
    composed: ComposedMap
    seams: tuple[Seam, ...]
    tables: MarginTables

    @property
    def number(self) -> str:
        """Of this sheet."""
        return self.numbers[self.place]


@dataclass(frozen=True, eq=False)
class ComposedSet:
    """All sheets in the order of their numbers, the numbers that were given, the schedule."""

    sheets: tuple[SheetMarks, ...]
    lock: SheetLock
    schedule: tuple[tuple[str, ...], ...]


def compose_set(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    plan: SetPlan,
    lock: SheetLock,
    free: Iterator[str],
    *,
    now: dt.date,
    checked: CheckedSite | None = None,
) -> ComposedSet:
    """Draw every sheet of a set; lock numbers index and maps, free are numbers for the notes."""
    numbers = tuple(lock.maps)
    ways = traced_ways(site, ordinance)
    count = len(plan.frames)
    maps = [
        _draw(phase, ordinance, layout, plan, numbers[of * count :][:count], place, ways)
        for of, phase in enumerate(drawn_phases(site))
        for place in range(count)
    ]
    finder = SheetFinder(plan.tiling, plan.rotation_deg, numbers)
    whole = _whole(site, ordinance, maps, finder)
    index = lock.index or next(free)
    without = [m for m in maps if not _legend_fits(m)]
    content = NotesContent(numbers, index, plan.scale, plan.grid_note, tuple(_legend_of(without)))
    placed = notes_flow(whole, content)
    inset = None
    if ways is not None and leaves_map(ways, plan.frames):
        inset = downstream_sheet(whole, ways, (), numbers)
    pages = max(one.page for one in placed) + 1 + (inset is not None)
    notes = (*lock.notes, *islice(free, max(0, pages - len(lock.notes))))[:pages]
    lock = replace(lock, index=index, notes=notes)
    ordered = sorted((index, *numbers, *notes), key=natural_key)
    facts = {
        number: TitleFacts(
            plan.scale, maps[0].composed.drawing.interval_ft, now, i, len(ordered), number
        )
        for i, number in enumerate(ordered, start=1)
    }
    titles = _titles(site, maps)
    sheets = [
        _finished(ordinance, plan, one, titles[one.number], facts[one.number], notes, now, checked)
        for one in maps
    ]
    rows = _rows(site, whole, maps, titles, notes, placed, index)
    if inset is not None:
        sheets.append(inset.finished(facts[notes[-1]], now))
        notes = notes[:-1]
    sheets.append(index_sheet(site, ordinance, layout, plan, numbers, rows, facts[index], now))
    for page, number in enumerate(notes):
        here = [one for one in placed if one.page == page]
        sheets.append(notes_sheet(whole, here, facts[number], now))
    head = tuple(column.head for column in whole.schedule_columns)
    return ComposedSet(
        tuple(sorted(sheets, key=lambda sheet: natural_key(sheet.number))),
        lock,
        (head, *whole.controls),
    )


def _draw(
    phase: SitePhase,
    ordinance: Ordinance,
    layout: SheetLayout,
    plan: SetPlan,
    numbers: tuple[str, ...],
    place: int,
    ways: TracedWays | None,
) -> _MapSheet:
    site, frame = phase.site, plan.frames[place]
    seams = seams_of(plan.tiling, place, frame, numbers)
    drawing = draw_map(site, frame, taken_by(seams), ways=ways)
    composed = ComposedMap(drawing, plan.grid, layout, ways)
    ground = shapely.Polygon(frame.corners_ft)
    tables = MarginTables(site, ordinance, composed, ground=ground)
    return _MapSheet(phase, numbers, place, composed, seams, tables)


def _whole(
    site: Site,
    ordinance: Ordinance,
    maps: Sequence[_MapSheet],
    finder: SheetFinder,
) -> MarginTables:
    """The tables of the whole site: what is drawn on any sheet, with sheet and cell."""
    drawn: dict[tuple[str, str], Drawn] = {}
    for one in maps:
        for key, style in one.composed.drawing.drawn.items():
            drawn.setdefault(key, style)
    first = maps[0].composed
    joined = replace(first, drawing=replace(first.drawing, drawn=drawn, unplaced=[]))
    return MarginTables(site, ordinance, joined, finder=finder)


def _legend_of(maps: Sequence[_MapSheet]) -> list[Drawn]:
    """Symbols of these sheets, each once."""
    return list({(d.style.legend, d.dimension): d for m in maps for d in m.tables.drawn}.values())


def _legend_fits(one: _MapSheet) -> bool:
    left, bottom, right, top = one.composed.layout.right_column
    forms = (one.tables.legend, one.tables.narrow_legend)
    return any(form(right - left).height_in <= top - bottom + 1e-9 for form in forms)


def _titles(site: Site, maps: Sequence[_MapSheet]) -> dict[str, str]:
    """Parts of each phase are counted in the order of the numbers, which is that of the pages."""
    title = site.project.plate.sheet_title
    titles = {}
    for one in maps:
        part = sorted(one.numbers, key=natural_key).index(one.number) + 1
        titles[one.number] = f"{one.phase.titled(title)}, part {part} of {len(one.numbers)}"
    return titles


def _rows(
    site: Site,
    whole: MarginTables,
    maps: Sequence[_MapSheet],
    titles: dict[str, str],
    notes: Sequence[str],
    placed: Sequence[Placed],
    index: str,
) -> list[SheetRow]:
    """The table of sheets: what stands on each."""
    rows = [SheetRow(index, INDEX_TITLE, "where each sheet lies")]
    for one in maps:
        ids = [row[0] for row in one.tables.controls if row[0] != "–"]
        rows.append(SheetRow(one.number, titles[one.number], controls_said(ids)))
    pages = max(one.page for one in placed) + 1
    rows += [SheetRow(number, DOWNSTREAM_TITLE, DOWNSTREAM_SHOWS) for number in notes[pages:]]
    for page, number in enumerate(notes[:pages]):
        names = dict.fromkeys(one.block.name for one in placed if one.page == page)
        words = ", ".join(name[:1].lower() + name[1:] for name in names)
        rows.append(SheetRow(number, NOTES_TITLE, words))
    return sorted(rows, key=lambda row: natural_key(row.number))


def _finished(
    ordinance: Ordinance,
    plan: SetPlan,
    one: _MapSheet,
    title: str,
    facts: TitleFacts,
    notes: Sequence[str],
    now: dt.date,
    checked: CheckedSite | None,
) -> SheetMarks:
    """A map sheet with match lines and margin."""
    site = one.phase.site
    layout, drawing = one.composed.layout, one.composed.drawing
    tile = plan.tiling.tiles[one.place]
    shared = max(abs(a - b) for a, b in zip(tile.frame_ft, tile.own_ft, strict=True))
    clear = max(LEAST_INSET_IN, plan.scale.paper_in(shared) + CLEAR_OF_SEAM_IN)
    control_ft = control_places(drawing.frame, clear)
    seams, links = match_marks(one.seams)
    over = overlay_marks(site, ordinance, drawing, checked)
    marks = map_marks(one.composed, control_ft, (*seams, *over))
    marks.append(frame_lines(*layout.border, BORDER_PT))
    facts = replace(facts, title=title)
    head = title_marks(site, ordinance, facts, layout.title_block)
    column, signing = signed_column(_column(one.tables), layout, site, facts, head)
    marks += [*head, *signing, *column.marks]
    strip, more = _strip(site, plan, one)
    marks += strip
    marks += _elsewhere(layout, [name for name, _ in column.rest], notes)
    marks.append(program_line(site, layout, now))
    used = dict.fromkeys(mark.layer for mark in marks if mark.layer)
    return SheetMarks(
        number=one.number,
        title=title,
        width_in=layout.width_in,
        height_in=layout.height_in,
        frames=(drawing.frame,),
        layers=tuple(used),
        marks=tuple(marks),
        layers_off=tuple(layer for layer in OVERLAYS if layer in used),
        control_ft=control_ft,
        unplaced=tuple(drawing.unplaced),
        map_span=drawing.span(GRID_MARKS),
        links=(*links, *more),
        phase=one.phase.name,
    )


def _column(tables: MarginTables) -> tuple[Forms, ...]:
    """What a map sheet says of itself; the rest is on the notes."""
    return (
        ("legend", (tables.legend, tables.narrow_legend)),
        ("schedule of controls", (tables.schedule, tables.short_schedule)),
        ("discharges and areas", (tables.discharges,)),
    )


def _strip(site: Site, plan: SetPlan, one: _MapSheet) -> tuple[list[Mark], list[Link]]:
    """North, scale, print check; the key map at the right end; notes between where they fit."""
    layout = one.composed.layout
    _, bottom, right, top = layout.bottom_strip
    marks, x = north_and_scale(one.composed.drawing.frame, layout)
    width = min(KEY_MAP_IN, max(LEAST_IN, right - x))
    key = key_map(site, plan, one.numbers, one.place, width, top - bottom)
    marks += key.block.at(right - width, top)
    room = right - width - x - 2.0 * layout.gap_in
    if one.tables.notes(WIDEST_IN) is not None:
        notes = fitting_form((one.tables.notes,), room, top - bottom)
        if notes is not None:
            marks += notes.at(x, top)
    return marks, key.links_at(right - width, top)


def _elsewhere(layout: SheetLayout, names: Sequence[str], notes: Sequence[str]) -> list[Mark]:
    """Where to find what is not on this sheet, in one line over the title block."""
    where, first = f"On {sheets_said(notes)}", "".join(f"{name}, " for name in names)
    return line_over_title(
        layout,
        f"{where}: {first}notes, items (a) to (j), all schedules, sources.",
        f"{where}: {first}notes and more." if "legend" in names else f"{where}: notes and more.",
        f"{where}: legend, notes and more." if "legend" in names else f"{where}: more.",
    )
