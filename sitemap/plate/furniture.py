"""What stands around the map: border, right column, strip, title block.

It is laid out once; the numbers of the sheets behind it are known only then, and are said last.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitemap.measures.sheets import SheetLayout
from sitemap.measures.turn import turned_bounds
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import CLAUSE_INK, TABLE_CAP_IN, frame_lines, shortened
from sitemap.plate.bottom_strip import strip_marks
from sitemap.plate.boxes import Box
from sitemap.plate.compose import ComposedMap
from sitemap.plate.fonts import text_width_in
from sitemap.plate.inset import Inset, inset_in, leaves_map
from sitemap.plate.margin_tables import MarginTables
from sitemap.plate.marks import GroundFrame, Mark, Text
from sitemap.plate.right_column import WORDS_ROOM_IN, signed_column
from sitemap.plate.sheet_finder import sheets_said
from sitemap.plate.signing_box import SIGNING_IN
from sitemap.plate.title_block import title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.plate.vicinity import vicinity_map
from sitemap.site import Site
from sitemap.units import MapScale
from sitemap.version import VERSION

BORDER_PT = 1.4
INSET_NAME = "downstream inset"
BANNER_CAP_IN, LEAST_BANNER_IN = 0.18, 0.10
FINE_CAP_IN = 0.06  # the program's line in the border, the only lettering below 0.08 in


@dataclass(frozen=True, eq=False)
class Furniture:
    """All outside the map frame but the title block, with the inset and the frames among it.

    tables are the names of the blocks that found no room, no_inset says that the inset found none.
    """

    site: Site
    ordinance: Ordinance
    composed: ComposedMap
    blocks: MarginTables
    facts: TitleFacts
    laid: tuple[Mark, ...]
    inset: Inset | None
    frames: tuple[GroundFrame, ...]
    tables: tuple[str, ...]
    no_inset: bool

    def marks(self, notes: tuple[str, ...] = (), sheet: int = 1, sheets: int = 0) -> list[Mark]:
        """All marks; what found no room stands on the sheets `notes`.

        It is the `sheet`th of so many sheets, else the one before its notes.
        """
        layout = self.composed.layout
        facts = replace(self.facts, sheet=sheet, sheets=sheets or 1 + len(notes))
        marks: list[Mark] = [frame_lines(*layout.border, BORDER_PT)]
        marks += title_marks(self.site, self.ordinance, facts, layout.title_block)
        marks += self.laid
        if self.left_out:
            marks += _left_out_line(layout, self.left_out, notes)
        marks.append(program_line(self.site, layout, facts.now))
        return marks

    @property
    def left_out(self) -> list[str]:
        """The names of all that found no room."""
        return [*self.tables, *([INSET_NAME] if self.no_inset else [])]

    def unplaced(self, notes: tuple[str, ...]) -> list[str]:
        """In words what has no place, on this sheet or on those behind it."""
        found = [] if self.inset is None else list(self.inset.unplaced)
        if not notes:
            found += [f"table left out: {name}" for name in self.tables]
            found += [f"inset left out: {INSET_NAME}"] if self.no_inset else []
        return found


def furniture_of(
    site: Site, ordinance: Ordinance, composed: ComposedMap, now: dt.date
) -> Furniture:
    """Lay out what stands around the map of a single sheet."""
    layout, frame = composed.layout, composed.drawing.frame
    facts = TitleFacts(MapScale(frame.feet_per_inch), composed.drawing.interval_ft, now)
    blocks = MarginTables(site, ordinance, composed)
    title = title_marks(site, ordinance, facts, layout.title_block)
    column, signing = signed_column(blocks.column, layout, site, facts, title)
    strip, left_out = strip_marks(blocks, column.rest)
    marks: list[Mark] = [*signing, *column.marks, *strip]
    left, bottom, right, _ = layout.right_column
    bottom += WORDS_ROOM_IN + SIGNING_IN + layout.gap_in if signing else 0.0
    room = (left, bottom, right, column.free_top_in)
    inset, leaves = None, leaves_map(composed.ways, [frame])
    frames: tuple[GroundFrame, ...] = ()
    if composed.ways is not None and leaves:
        inset = inset_in(site, composed.ways, composed.drawing, room)
        if inset is not None:
            marks += inset.marks
            frames = (inset.frame,)
    else:
        shown_ft = turned_bounds(frame.corners_ft, frame.rotation_deg)
        vicinity = vicinity_map(site, shown_ft, frame, room)
        if vicinity is not None:
            marks += vicinity[0]
            frames = (vicinity[1],)
    return Furniture(
        site, ordinance, composed, blocks, facts, tuple(marks), inset, frames, tuple(left_out),
        leaves and inset is None,
    )  # fmt: skip


def _left_out_line(layout: SheetLayout, names: Sequence[str], notes: Sequence[str]) -> list[Mark]:
    """What this sheet is too small for and where it is, in one line under the column."""
    where = f"On {sheets_said(notes)}" if notes else "Not on this sheet for want of room"
    return line_over_title(
        layout, f"{where}: {', '.join(names)}.", f"{where}: {len(names)} more blocks."
    )


def line_over_title(layout: SheetLayout, *forms: str) -> list[Mark]:
    """One line in the middle of the gap between the column's blocks and the title block: the
    first form that fits, the last one cut where none does.
    """
    left, bottom, right, _ = layout.right_column
    y = bottom + (WORDS_ROOM_IN - layout.gap_in) / 2.0 - TABLE_CAP_IN / 2.0
    fitting = (one for one in forms if text_width_in(one, TABLE_CAP_IN) <= right - left)
    words = next(fitting, None) or shortened(forms[-1], right - left, TABLE_CAP_IN)
    return [Text("", left, y, words, TABLE_CAP_IN, italic=True, ink=CLAUSE_INK)]


def program_line(site: Site, layout: SheetLayout, now: dt.date) -> Text:
    """Program, date of the run and hash of the inputs, in the border."""
    digest = hashlib.sha256()
    hashes = [d.provenance.sha256 for d in site.datasets]
    hashes += [r.provenance.sha256 for r in site.rasters]
    for one in sorted(hashes):
        digest.update(one.encode())
    words = f"sitemap {VERSION}, run {now.isoformat()}, inputs sha256 {digest.hexdigest()[:16]}"
    return Text(
        "", layout.border[2], layout.border[1] - 0.05 - FINE_CAP_IN, words, FINE_CAP_IN,
        ink=CLAUSE_INK, ha="right",
    )  # fmt: skip


def banner_box(frame: GroundFrame, words: str) -> Box:
    """Along the top of a frame: what this sheet is not."""
    left, _, right, top = frame.box_in
    cap = BANNER_CAP_IN
    while cap > LEAST_BANNER_IN and text_width_in(words, cap, bold=True) > right - left - 0.4:
        cap -= 0.01
    width = text_width_in(words, cap, bold=True)
    return Box((left + right) / 2.0, top - 0.15 - cap / 2.0, width, cap)
