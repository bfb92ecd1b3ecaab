"""A sheet of its own for the quarter mile downstream, where the map's margin has no room for it.

Tables that found no room on the map either stand in its column.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitemap.plate.blocks import Block, fitting_text, frame_lines
from sitemap.plate.bottom_strip import north_and_scale
from sitemap.plate.discharge_rows import discharge_rows, fitted_discharges
from sitemap.plate.drawing import MapDrawing, turned_text
from sitemap.plate.furniture import BORDER_PT, banner_box, program_line
from sitemap.plate.inset import draw_inset, inset_frame, on_layer
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.map_grid import neatline
from sitemap.plate.margin_tables import DISCHARGES_TITLE, Forms, Maker, MarginTables
from sitemap.plate.marks import GroundFrame, Mark, SheetMarks
from sitemap.plate.notes_sheet import spelled
from sitemap.plate.right_column import WARNING, Stacked, stack_blocks
from sitemap.plate.tables import table_block
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.plate.traced_ways import TracedWays
from sitemap.units import MapScale

DOWNSTREAM_TITLE = "Downstream of the site"
BANNER = "DOWNSTREAM INSET – NOT THE SITE MAP"
SYMBOLS = "Symbols of this sheet"


@dataclass(frozen=True, eq=False)
class DownstreamSheet:
    """The inset on a frame as large as the map's, and what stands in the column beside it.

    words are those of the strip; None where they stand in the column.
    """

    tables: MarginTables
    ways: TracedWays
    frame: GroundFrame
    drawing: MapDrawing
    column: Stacked
    words: Block | None

    @property
    def left_out(self) -> list[str]:
        """Names of the tables that found no room here either."""
        return [name for name, _ in self.column.rest]

    def finished(self, facts: TitleFacts, now: dt.date) -> SheetMarks:
        """The sheet with its margin."""
        site, layout = self.tables.site, self.tables.composed.layout
        scale = MapScale(self.frame.feet_per_inch)
        facts = replace(facts, title=DOWNSTREAM_TITLE, scale_said=f"{scale}, inset only")
        banner = banner_box(self.frame, BANNER)
        marks: list[Mark] = [*self.drawing.marks(), neatline(self.frame)]
        marks.append(
            turned_text("", banner, BANNER, cap_in=banner.height_in, bold=True, halo_pt=2.5)
        )
        strip, x = north_and_scale(self.frame, layout)
        marks += strip
        if self.words is not None:
            marks += self.words.at(x, layout.bottom_strip[3])
        marks = on_layer(marks)
        marks.append(frame_lines(*layout.border, BORDER_PT))
        marks += title_marks(site, self.tables.ordinance, facts, layout.title_block)
        marks += [*self.column.marks, program_line(site, layout, now)]
        return SheetMarks(
            number=facts.number,
            title=DOWNSTREAM_TITLE,
            width_in=layout.width_in,
            height_in=layout.height_in,
            frames=(self.frame,),
            layers=tuple(dict.fromkeys(mark.layer for mark in marks if mark.layer)),
            marks=tuple(marks),
            unplaced=tuple(self.drawing.unplaced),
            kind="downstream",
        )


def downstream_sheet(
    tables: MarginTables, ways: TracedWays, left_out: Sequence[str], maps: tuple[str, ...]
) -> DownstreamSheet:
    """The inset drawn, with the tables named in left_out beside it as far as they fit."""
    main, layout = tables.composed.drawing.frame, tables.composed.layout
    frame = inset_frame(tables.site, ways, main, layout.frame)
    drawing = draw_inset(tables.site, ways, frame, [banner_box(frame, BANNER).grown(0.1)])
    own = dict((*tables.column, *tables.strip))

    def symbols(width: float) -> Block:
        shown = sorted(drawing.drawn.values(), key=lambda d: (-d.style.draw_order, d.order))
        return legend_block(shown, width, legend_columns(width), SYMBOLS)

    def discharges(width: float) -> Block | None:
        """Of the whole site, whatever part of it the map sheet shows."""
        rows = discharge_rows(tables.site, tables.composed.grid, None, tables.finder, ways)
        cite = tables.cite("h")
        columns, rows = fitted_discharges(tables.discharge_columns, rows, width)
        return (
            table_block("discharges", DISCHARGES_TITLE, cite, columns, rows, width)
            if rows
            else None
        )

    own_discharges: tuple[Maker, ...] = (discharges,)
    if "discharges and areas" in left_out:
        own_discharges = (tables.stacked, discharges)
    waiting: list[Forms] = [("legend", (symbols,)), ("discharges and areas", own_discharges)]
    words = _words_in_strip(tables, ways, frame, maps)
    if words is None:
        waiting.insert(0, (WARNING, (lambda width: _words(tables, ways, frame, maps, width, 0.0),)))
    taken = {"legend", "discharges and areas"}
    waiting += [(name, own[name]) for name in left_out if name in own and name not in taken]
    column = stack_blocks(waiting, layout.right_column, layout.gap_in)
    legend = [(name, own[name]) for name in left_out if name == "legend"]
    column = replace(column, rest=[*legend, *column.rest])  # that of the map is another one
    return DownstreamSheet(tables, ways, frame, drawing, column, words)


def _words_in_strip(
    tables: MarginTables, ways: TracedWays, frame: GroundFrame, maps: tuple[str, ...]
) -> Block | None:
    """The words beside north and scale; None where the strip is too low for them."""
    layout = tables.composed.layout
    _, bottom, right, top = layout.bottom_strip
    _, x = north_and_scale(frame, layout)
    words = _words(tables, ways, frame, maps, right - x, top - bottom)
    return words if words.height_in <= top - bottom + 1e-9 else None


def _words(
    tables: MarginTables,
    ways: TracedWays,
    frame: GroundFrame,
    maps: tuple[str, ...],
    width_in: float,
    most_height_in: float,
) -> Block:
    """What must not be overlooked, and how the ways were found."""
    flow = ways.flow
    sheets = f"sheet {maps[0]}" if len(maps) == 1 else f"sheets {spelled(maps)}"
    told = [
        f"It shows at {frame.feet_per_inch:g} feet per inch where water from the site goes within "
        f"{ways.distance_ft:,.0f} ft along flow. The site map is on {sheets}; do not review this "
        "one in its place."
    ]
    if flow.surface is not None:
        told.append(
            f"Ways over the ground are traced on {flow.surface.source}, in {flow.limits.runs} runs "
            "of it within its stated error; a way over the ground is no fact, and where the runs "
            "differ a person confirms."
        )
    title, cite = "This inset is not the site map", tables.cite("h")
    return fitting_text(WARNING, title, cite, told, width_in, most_height_in)
