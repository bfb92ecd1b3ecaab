"""The strip under the map: north, scale and print check, then blocks side by side, edge to edge."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap.measures.sheets import SheetLayout
from sitemap.plate.blocks import Block
from sitemap.plate.margin_tables import Forms, Maker, MarginTables
from sitemap.plate.marks import GroundFrame, Mark
from sitemap.plate.north_scale import check_block, north_block, scale_block

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


def strip_marks(
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
