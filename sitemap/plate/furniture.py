"""What stands around the map: border, right column, strip, title block.

Blocks are measured before they are placed; what finds no room on a small sheet is named in one
line instead of being squeezed or cut.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap.measures.sheets import SheetLayout
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import CLAUSE_INK, TABLE_CAP_IN, Block, frame_lines, shortened
from sitemap.plate.fonts import text_width_in
from sitemap.plate.inset import inset_in, leaves_map
from sitemap.plate.margin_tables import Forms, Maker, MarginTables
from sitemap.plate.marks import GroundFrame, Mark, Text
from sitemap.plate.north_scale import check_block, north_block, scale_block
from sitemap.plate.title_block import SIGNING_IN, has_seal, signing_marks, title_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site
from sitemap.units import MapScale
from sitemap.version import VERSION

if TYPE_CHECKING:
    from sitemap.plate.compose import ComposedMap

BORDER_PT = 1.4
TABLE_LEFT_OUT, INSET_LEFT_OUT = "table left out: ", "inset left out: "
INSET_NAME = "downstream inset"
WORDS_ROOM_IN = 0.08
FINE_CAP_IN = 0.06  # the program's line in the border, the only lettering below 0.08 in


@dataclass(frozen=True, eq=False)
class Furniture:
    """All marks outside the map frame, and the frame of the inset where one stands among them."""

    marks: list[Mark]
    inset: GroundFrame | None


def furniture_marks(
    site: Site,
    ordinance: Ordinance,
    composed: ComposedMap,
    *,
    now: dt.date,
    notes: tuple[str, ...] = (),
    sheet: int = 1,
    sheets: int = 0,
) -> Furniture:
    """All marks outside the map frame; what has no room there is told in unplaced, or stands on
    the sheets `notes` behind it. It is the `sheet`th of so many, else the one before its notes.
    """
    layout, frame = composed.layout, composed.drawing.frame
    facts = TitleFacts(
        MapScale(frame.feet_per_inch),
        composed.drawing.interval_ft,
        now,
        sheet,
        sheets or 1 + len(notes),
    )
    tables = MarginTables(site, ordinance, composed)
    marks: list[Mark] = [frame_lines(*layout.border, BORDER_PT)]
    title = title_marks(site, ordinance, facts, layout.title_block)
    column, signing = signed_column(tables.column, layout, site, facts, title)
    marks += [*title, *signing]
    strip, left_out = _strip(tables, column.rest)
    marks += column.marks + strip
    inset = None
    if composed.ways is not None and leaves_map(composed.ways, [frame]):
        left, bottom, right, _ = layout.right_column
        bottom += WORDS_ROOM_IN + SIGNING_IN + layout.gap_in if signing else 0.0
        room = (left, bottom, right, column.free_top_in)
        inset = inset_in(site, composed.ways, composed.drawing, room)
        if inset is None:
            left_out.append(INSET_NAME)
        else:
            marks += inset.marks
            composed.drawing.unplaced.extend(inset.unplaced)
    if left_out:
        if not notes:
            composed.drawing.unplaced.extend(
                f"{INSET_LEFT_OUT if name == INSET_NAME else TABLE_LEFT_OUT}{name}"
                for name in left_out
            )
        marks += _left_out_line(layout, left_out, notes)
    marks.append(program_line(site, layout, now))
    return Furniture(marks, None if inset is None else inset.frame)


@dataclass(frozen=True, eq=False)
class Stacked:
    """Blocks under each other: their marks, what found no room, and where free paper begins."""

    marks: list[Mark]
    rest: list[Forms]
    free_top_in: float


def stack_blocks(
    waiting: Sequence[Forms], box: tuple[float, float, float, float], gap: float
) -> Stacked:
    """Blocks under each other, as roomy as they fit; those that do not are handed back.

    By rank each block first gets its tightest form, then rank by rank a roomier one.
    """
    left, bottom, right, top = box
    width, room = right - left, top - bottom
    built: dict[str, list[Block]] = {}
    for name, forms in waiting:
        blocks = [block for form in forms if (block := form(width)) is not None]
        if blocks:
            built[name] = blocks
    ranked = sorted(built, key=RANK.index)
    chosen: dict[str, Block] = {}

    def height(blocks: dict[str, Block]) -> float:
        return sum(block.height_in + gap for block in blocks.values()) - gap

    for name in ranked:
        tight = min(built[name], key=lambda block: block.height_in)
        if height({**chosen, name: tight}) <= room + 1e-9:
            chosen[name] = tight
    for name in [n for n in ranked if n in chosen]:
        for block in built[name]:
            if height({**chosen, name: block}) <= room + 1e-9:
                chosen[name] = block
                break
    marks: list[Mark] = []
    y = top
    for name, _ in waiting:
        if name in chosen:
            marks += chosen[name].at(left, y)
            y -= chosen[name].height_in + gap
    return Stacked(marks, [(n, f) for n, f in waiting if n in built and n not in chosen], y)


def signed_column(
    waiting: Sequence[Forms],
    layout: SheetLayout,
    site: Site,
    facts: TitleFacts,
    title: Sequence[Mark],
) -> tuple[Stacked, list[Mark]]:
    """The blocks of the right column; under them room for the seal where the title block has none.

    Tables may stand on other sheets, the seal of a map may not; but the legend goes before it.
    """
    left, bottom, right, top = layout.right_column
    whole = stack_blocks(waiting, layout.right_column, layout.gap_in)
    if has_seal(title):
        return whole, []
    bottom += WORDS_ROOM_IN  # for the line that says what stands on other sheets
    box = (left, bottom, right, bottom + SIGNING_IN)
    column = stack_blocks(waiting, (left, box[3] + layout.gap_in, right, top), layout.gap_in)
    if "legend" in (name for name, _ in column.rest):
        return whole, []
    return column, signing_marks(site, facts, box)


# which block of the column goes before which when there is not room for all
RANK = (
    "legend", "items (a) to (j)", "schedule of controls", "discharges and areas", "soils",
    "sources", "sequence of construction", "general notes",
)  # fmt: skip


def _strip(
    tables: MarginTables,
    rest: Sequence[Forms],
) -> tuple[list[Mark], list[str]]:
    """North, scale and print check on the left, then notes, sources and what the column left."""
    layout = tables.composed.layout
    _, bottom, right, top = layout.bottom_strip
    marks, x = north_and_scale(tables.composed.drawing.frame, layout)
    makers = [(n, forms) for n, forms in (*tables.strip, *rest) if forms[0](WIDEST_IN) is not None]
    blocks: dict[str, Block] = {}
    room = right - x
    for name, forms in makers:  # in the order of their rank
        block = fitting_form(forms, room, top - bottom)
        if block is not None:
            blocks[name] = block
            room -= block.width_in + STRIP_GAP_IN
    spare = max(0.0, room + STRIP_GAP_IN)
    for name, forms in makers:  # words in wider lines rather than empty paper between
        if name in blocks:
            more = min(spare / len(blocks), MOST_WIDENED * blocks[name].width_in)
            blocks[name] = _widened(blocks[name], forms, more, top - bottom)
    used = sum(block.width_in + STRIP_GAP_IN for block in blocks.values())
    spare = max(0.0, right - x - used + STRIP_GAP_IN) / max(1, len(blocks) - 1)
    for name in (n for n in STRIP_ORDER if n in blocks):  # edge to edge with the map
        marks += blocks[name].at(x, top)
        x += blocks[name].width_in + STRIP_GAP_IN + spare
    return marks, [name for name, _ in makers if name not in blocks]


def _widened(block: Block, forms: Sequence[Maker], more_in: float, height: float) -> Block:
    """The roomiest form at a greater width that is still no higher than the strip."""
    made = (form(block.width_in + more_in) for form in forms)
    return next((b for b in made if b is not None and b.height_in <= height + 1e-9), block)


def north_and_scale(frame: GroundFrame, layout: SheetLayout) -> tuple[list[Mark], float]:
    """North, scale and print check at the left of the strip; and where the rest of it begins."""
    left, bottom, right, top = layout.bottom_strip
    north_width = 1.15
    north = north_block(frame, north_width, top - bottom)
    marks = north.at(left, top)
    scale_width = min(6.1, right - left - north_width - layout.gap_in)
    check, scale = check_block(scale_width), scale_block(frame, scale_width)
    x = left + north_width + layout.gap_in
    marks += scale.at(x, top)
    marks += check.at(x, bottom + check.height_in)
    return marks, x + scale_width + layout.gap_in * 1.5


STRIP_ORDER = (
    "sequence of construction",
    "general notes",
    "soils",
    "discharges and areas",
    "schedule of controls",
    "items (a) to (j)",
    "legend",
    "sources",
)
NARROWEST_IN, WIDTH_STEP_IN = 2.8, 0.1
STRIP_GAP_IN = 0.22
MOST_WIDENED = 1.0  # of its own width, by which a block takes up free paper
WIDEST_IN = 20.0  # at which every block with content can be made


def fitting_form(forms: Sequence[Maker], room: float, height: float) -> Block | None:
    """About the narrowest block that is not higher than the strip; None where there is none."""
    best: Block | None = None
    for form in forms:
        low, high = 0, int((room + 1e-9 - NARROWEST_IN) / WIDTH_STEP_IN)
        while low <= high:  # wider blocks are lower: halve the widths
            middle = (low + high) // 2
            block = form(NARROWEST_IN + WIDTH_STEP_IN * middle)
            if block is not None and block.height_in <= height + 1e-9:
                high = middle - 1
                if best is None or block.width_in < best.width_in:
                    best = block
            else:
                low = middle + 1
    return best


def _left_out_line(layout: SheetLayout, names: Sequence[str], notes: Sequence[str]) -> list[Mark]:
    """What this sheet is too small for and where it is, in one line under the column."""
    left, bottom, right, _ = layout.right_column
    where = f"On sheet {' and '.join(notes)}" if notes else "Not on this sheet for want of room"
    words = f"{where}: {', '.join(names)}."
    if text_width_in(words, TABLE_CAP_IN) > right - left:
        words = f"{where}: {len(names)} more blocks."
    words = shortened(words, right - left, TABLE_CAP_IN)
    y = bottom - layout.gap_in / 2.0 - TABLE_CAP_IN / 2.0  # in the gap over the title block
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
