"""A sheet of its own for the quarter mile downstream, where the map's margin has no room for it.

Tables that found no room on the map either stand in its column.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitemap.plate.blocks import BODY_CAP_IN, Block, frame_lines, heading, pitch_in, wrap
from sitemap.plate.bottom_strip import north_and_scale
from sitemap.plate.boxes import Box
from sitemap.plate.discharge_rows import discharge_rows, fitted_discharges
from sitemap.plate.drawing import MapDrawing, turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.furniture import BORDER_PT, program_line
from sitemap.plate.inset import draw_inset, inset_frame, on_layer
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.map_grid import neatline
from sitemap.plate.margin_tables import DISCHARGES_TITLE, Forms, MarginTables
from sitemap.plate.marks import GroundFrame, Mark, SheetMarks, Text
from sitemap.plate.right_column import Stacked, stack_blocks
from sitemap.plate.tables import table_block
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.plate.traced_ways import TracedWays
from sitemap.units import MapScale

DOWNSTREAM_TITLE = "Downstream of the site"
BANNER, BANNER_CAP_IN, LEAST_CAP_IN = "DOWNSTREAM INSET – NOT THE SITE MAP", 0.18, 0.10
SYMBOLS = "Symbols of this sheet"


@dataclass(frozen=True, eq=False)
class DownstreamSheet:
    """The inset on a frame as large as the map's, and what stands in the column beside it.

    maps are the numbers of the sheets with the site map.
    """

    tables: MarginTables
    ways: TracedWays
    frame: GroundFrame
    drawing: MapDrawing
    column: Stacked
    maps: tuple[str, ...]

    @property
    def left_out(self) -> list[str]:
        """Names of the tables that found no room here either."""
        return [name for name, _ in self.column.rest]

    def finished(self, facts: TitleFacts, now: dt.date) -> SheetMarks:
        """The sheet with its margin."""
        site, layout = self.tables.site, self.tables.composed.layout
        scale = MapScale(self.frame.feet_per_inch)
        facts = replace(facts, title=DOWNSTREAM_TITLE, scale_said=f"{scale}, inset only")
        banner = _banner(self.frame)
        marks: list[Mark] = [*self.drawing.marks(), neatline(self.frame)]
        marks.append(
            turned_text("", banner, BANNER, cap_in=banner.height_in, bold=True, halo_pt=2.5)
        )
        strip, x = north_and_scale(self.frame, layout)
        _, _, right, top = layout.bottom_strip
        marks += [*strip, *self._words(right - x).at(x, top)]
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

    def _words(self, width: float) -> Block:
        """What must not be overlooked, and how the ways were found."""
        flow = self.ways.flow
        told = [
            f"It shows at {self.frame.feet_per_inch:g} feet per inch where water from the site "
            f"goes within {self.ways.distance_ft:,.0f} ft along flow. The site map is on sheet "
            f"{', '.join(self.maps)}; do not review this one in its place."
        ]
        if flow.surface is not None:
            told.append(
                f"Ways over the ground are traced on {flow.surface.source}, in "
                f"{flow.limits.runs} runs of it within its stated error; a way over the ground is "
                "no fact, and where the runs differ a person confirms."
            )
        marks, y = heading("This inset is not the site map", self.tables.cite("h"), width)
        y += 0.06
        for paragraph in told:
            for line in wrap(paragraph, width, BODY_CAP_IN):
                y += pitch_in(BODY_CAP_IN)
                marks.append(Text("", 0.0, -y, line, BODY_CAP_IN))
            y += 0.06
        return Block("inset words", width, y, tuple(marks))


def downstream_sheet(
    tables: MarginTables, ways: TracedWays, left_out: Sequence[str], maps: tuple[str, ...]
) -> DownstreamSheet:
    """The inset drawn, with the tables named in left_out beside it as far as they fit."""
    main, layout = tables.composed.drawing.frame, tables.composed.layout
    frame = inset_frame(tables.site, ways, main, layout.frame)
    drawing = draw_inset(tables.site, ways, frame, [_banner(frame).grown(0.1)])
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

    waiting: list[Forms] = [("legend", (symbols,)), ("discharges and areas", (discharges,))]
    if "discharges and areas" in left_out:
        waiting[1] = ("discharges and areas", (tables.stacked, discharges))
    taken = {"legend", "discharges and areas"}
    waiting += [(name, own[name]) for name in left_out if name in own and name not in taken]
    column = stack_blocks(waiting, layout.right_column, layout.gap_in)
    legend = [(name, own[name]) for name in left_out if name == "legend"]
    column = replace(column, rest=[*legend, *column.rest])  # that of the map is another one
    return DownstreamSheet(tables, ways, frame, drawing, column, maps)


def _banner(frame: GroundFrame) -> Box:
    """Along the top of the frame: what this sheet is not."""
    left, _, right, top = frame.box_in
    cap = BANNER_CAP_IN
    while cap > LEAST_CAP_IN and text_width_in(BANNER, cap, bold=True) > right - left - 0.4:
        cap -= 0.01
    width = text_width_in(BANNER, cap, bold=True)
    return Box((left + right) / 2.0, top - 0.15 - cap / 2.0, width, cap)
