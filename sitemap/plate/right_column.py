"""The right column of a sheet: blocks under each other, and room for the seal under them.

Blocks are measured before they are placed; those that find no room are handed back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sitemap.measures.sheets import SheetLayout
from sitemap.plate.blocks import Block
from sitemap.plate.margin_tables import Forms
from sitemap.plate.marks import Mark
from sitemap.plate.signing_box import SIGNING_IN, has_seal, signing_marks
from sitemap.plate.title_facts import TitleFacts
from sitemap.site import Site

WORDS_ROOM_IN = 0.08


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
    return _stacked(_built(waiting, box[2] - box[0]), box, gap)


def _built(waiting: Sequence[Forms], width: float) -> dict[str, tuple[Forms, list[Block]]]:
    """The blocks with content by name, in each of their forms."""
    built = {}
    for name, forms in waiting:
        blocks = [block for form in forms if (block := form(width)) is not None]
        if blocks:
            built[name] = ((name, forms), blocks)
    return built


def _stacked(
    made: dict[str, tuple[Forms, list[Block]]], box: tuple[float, float, float, float], gap: float
) -> Stacked:
    left, bottom, _, top = box
    room = top - bottom
    built = {name: blocks for name, (_, blocks) in made.items()}
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
    for name in built:
        if name in chosen:
            marks += chosen[name].at(left, y)
            y -= chosen[name].height_in + gap
    return Stacked(marks, [forms for name, (forms, _) in made.items() if name not in chosen], y)


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
    built = _built(waiting, right - left)
    whole = _stacked(built, layout.right_column, layout.gap_in)
    bottom += WORDS_ROOM_IN  # for the line that says what stands on other sheets
    if whole.rest:
        whole = _stacked(built, (left, bottom, right, top), layout.gap_in)
    if has_seal(title):
        return whole, []
    box = (left, bottom, right, bottom + SIGNING_IN)
    column = _stacked(built, (left, box[3] + layout.gap_in, right, top), layout.gap_in)
    if "legend" in (name for name, _ in column.rest):
        return whole, []
    return column, signing_marks(site, facts, box)


WARNING = "what the sheet is not"
# which block of the column goes before which when there is not room for all
RANK = (
    WARNING, "legend", "items (a) to (j)", "schedule of controls", "discharges and areas", "soils",
    "sources", "sequence of construction", "general notes",
)  # fmt: skip
