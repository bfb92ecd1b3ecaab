"""General notes and schedules of a set: sequence, items (a) to (j), certificate, tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sitemap.measures.sheets import SheetLayout
from sitemap.plate.blocks import BODY_CAP_IN, Block, frame_lines, text_block
from sitemap.plate.column_flow import CONTINUED, FlowColumn, Flowing, Placed, flow
from sitemap.plate.discharge_rows import fitted_discharges
from sitemap.plate.drawing import Drawn
from sitemap.plate.furniture import BORDER_PT, program_line
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.margin_tables import (
    AREA_COLUMNS,
    DISCHARGES_TITLE,
    GENERAL_NOTES,
    ITEMS_TITLE,
    SCHEDULE_TITLE,
    SOIL_COLUMNS,
    MarginTables,
)
from sitemap.plate.marks import Mark, SheetMarks
from sitemap.plate.numbering import following
from sitemap.plate.schedules import Row, by_group, grouped_controls
from sitemap.plate.signing_box import SIGNING_IN, has_seal, signing_marks
from sitemap.plate.tables import Column, least_width_in, table_block
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site
from sitemap.units import MapScale, plain_number

NOTES_TITLE = "General notes and schedules"
NO_SCALE = "no map on this sheet"


@dataclass(frozen=True, eq=False)
class NotesContent:
    """What the notes of a set say besides the tables: its map sheets, its scale, what of the
    grid there is to say, and the symbols whose legend found no room on their own sheets.
    """

    maps: tuple[str, ...]
    index: str | None  # the number of the index sheet; a single map has none
    scale: MapScale
    grid_note: str = ""
    legend: tuple[Drawn, ...] = ()

    @property
    def certificate(self) -> tuple[str, ...]:
        """The proof of the scale, as the program stands for it: without proof there is no file."""
        several = len(self.maps) > 1
        drawn = f"sheets {spelled(self.maps)} are" if several else f"sheet {self.maps[0]} is"
        index = (
            f"Sheet {self.index} is an index at a smaller scale, and not the site map that the "
            "ordinance asks for."
        )
        return (
            f"Map {drawn} drawn at {plain_number(self.scale.feet_per_inch)}"
            " feet per inch of paper.",
            "The scale was verified on writing: in the finished file the control crosses near the "
            "four corners of each map sheet were measured against their ground coordinates, and "
            "found within 1 part in a million of this scale and 0.0005 in of their places. A file "
            "that fails is not delivered.",
            *((index,) if self.index else ()),
            "Proof in print: the bar of 6 inches on each map sheet must measure 6 inches.",
        )


def spelled(numbers: Sequence[str]) -> str:
    """C-502 to C-505 for numbers that follow each other, else a list."""
    in_order = list(islice(following(numbers[0]), len(numbers))) if numbers else []
    if len(numbers) > 2 and list(numbers) == in_order:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(numbers)


def notes_flow(tables: MarginTables, content: NotesContent) -> list[Placed]:
    """All blocks in the columns of as many sheets as they take."""
    layout = tables.composed.layout
    columns = _columns(layout)
    return flow(_blocks(tables, content, columns[0].width_in), columns, 2.0 * layout.gap_in)


def notes_sheet(
    tables: MarginTables, placed: Sequence[Placed], facts: TitleFacts, now: dt.date
) -> SheetMarks:
    """One sheet with the blocks that stand on it."""
    layout = tables.composed.layout
    facts = replace(facts, title=NOTES_TITLE, scale_said=NO_SCALE)
    marks: list[Mark] = [frame_lines(*layout.border, BORDER_PT)]
    title = title_marks(tables.site, tables.ordinance, facts, layout.title_block)
    marks += title
    if not has_seal(title):
        marks += _signing(tables.site, facts, layout, placed)
    for one in placed:
        marks += one.block.at(one.left_in, one.top_in)
    marks.append(program_line(tables.site, layout, now))
    return SheetMarks(
        number=facts.number,
        title=NOTES_TITLE,
        width_in=layout.width_in,
        height_in=layout.height_in,
        frames=(),
        layers=(),
        marks=tuple(marks),
        kind="notes",
    )


def _signing(
    site: Site, facts: TitleFacts, layout: SheetLayout, placed: Sequence[Placed]
) -> list[Mark]:
    """Room for the seal at the foot of the last column that has it."""
    for column in reversed(_columns(layout)):
        ends = [
            one.top_in - one.block.height_in
            for one in placed
            if abs(one.left_in - column.left_in) < column.width_in / 2.0
        ]
        top = column.bottom_in + SIGNING_IN
        if min(ends, default=column.top_in) > top + layout.gap_in:
            box = column.left_in, column.bottom_in, column.left_in + column.width_in, top
            return signing_marks(site, facts, box)
    return []


def _columns(layout: SheetLayout) -> list[FlowColumn]:
    """As wide as the right column; the last one ends over the title block."""
    left, bottom = (edge + layout.gap_in for edge in layout.border[:2])
    right, top = (edge - layout.gap_in for edge in layout.border[2:])
    width = layout.right_column[2] - layout.right_column[0]
    count = int((right - left + 2 * layout.gap_in) / (width + 2 * layout.gap_in))
    step = (right - left - width) / max(1, count - 1)
    columns = [FlowColumn(left + step * i, top, bottom, width) for i in range(count)]
    columns[-1] = FlowColumn(right - width, top, layout.right_column[1], width)
    return columns


def _blocks(tables: MarginTables, content: NotesContent, width: float) -> list[Flowing]:
    """By importance, each only if it has something to say; width is that of a column."""
    project = tables.site.project
    notes = [*project.plate.notes, *GENERAL_NOTES]
    notes += [*tables.phases_note, *([content.grid_note] if content.grid_note else [])]
    sources, source_rows, moved = tables.source_table()
    found = [
        _legend(content.legend),
        _text("General notes", "", notes, numbered=True),
        _text("Sequence of construction", tables.cite("3c"), project.sequence or (), numbered=True),
        _text("Certificate of scale", tables.cite("scale"), content.certificate, numbered=False),
        _table(ITEMS_TITLE, tables.cite("map"), tables.item_columns, tables.items),
        _schedule(tables, width),
        _table(
            DISCHARGES_TITLE,
            tables.cite("h"),
            *fitted_discharges(tables.discharge_columns, tables.outlets, width),
        ),
        _table("Areas", tables.cite("3d"), AREA_COLUMNS, tables.acres),
        _table("Soils", tables.cite("3f"), SOIL_COLUMNS, tables.soil_units),
        _table("Sources", moved, sources, source_rows),
    ]
    return [one for one in found if one is not None]


def _text(title: str, clause: str, paragraphs: Sequence[str], *, numbered: bool) -> Flowing | None:
    def build(width: float, start: int, stop: int) -> Block:
        head = title + (CONTINUED if start else "")
        return text_block(
            title,
            head,
            clause,
            paragraphs[start:stop],
            width,
            cap_in=BODY_CAP_IN,
            numbered=numbered,
            first=start + 1,
        )

    return Flowing(title, len(paragraphs), build) if paragraphs else None


def _table(
    title: str, clause: str, columns: Sequence[Column], rows: Sequence[Row]
) -> Flowing | None:
    def build(width: float, start: int, stop: int) -> Block:
        head = title + (CONTINUED if start else "")
        return table_block(title, head, clause, columns, rows[start:stop], width)

    return Flowing(title, len(rows), build) if rows else None


def _schedule(tables: MarginTables, width: float) -> Flowing | None:
    """The controls; under heads of type and standard where their words would be cut in two."""
    rows, clause = tables.controls, tables.cite("e")
    if least_width_in(tables.schedule_columns, rows) <= width:
        return _table(SCHEDULE_TITLE, clause, tables.schedule_columns, rows)
    rows = by_group(rows)

    def build(width: float, start: int, stop: int) -> Block:
        head = SCHEDULE_TITLE + (CONTINUED if start else "")
        grouped = grouped_controls(rows[start:stop])
        return table_block(
            SCHEDULE_TITLE, head, clause, tables.short_schedule_columns, grouped, width
        )

    return Flowing(SCHEDULE_TITLE, len(rows), build) if rows else None


def _legend(drawn: Sequence[Drawn]) -> Flowing | None:
    """For sheets that are too small for their own."""

    def build(width: float, start: int, stop: int) -> Block:
        return legend_block(drawn[start:stop], width, legend_columns(width))

    return Flowing("Legend", len(drawn), build) if drawn else None
