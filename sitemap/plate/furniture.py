"""What stands around the map: border, legend, tables, notes, scale and north, title block.

Blocks are measured before they are placed; what finds no room on a small sheet is named in one
line instead of being squeezed or cut.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import SheetLayout
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import (
    CLAUSE_INK,
    TABLE_CAP_IN,
    Block,
    frame_lines,
    joined,
    shortened,
    text_block,
)
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.marks import Mark, Text
from sitemap.plate.north_scale import check_block, north_block, scale_block
from sitemap.plate.schedules import (
    area_rows,
    checklist_rows,
    control_rows,
    discharge_rows,
    grouped_controls,
    soil_rows,
    source_rows,
)
from sitemap.plate.tables import Column, panel_block, table_block
from sitemap.plate.title_block import TitleFacts, title_marks
from sitemap.site import Site
from sitemap.units import MapScale

if TYPE_CHECKING:
    from sitemap.plate.compose import ComposedMap

Maker = Callable[[float], Block | None]  # from a width to a block; None without content
BORDER_PT = 1.4
ALL_IN_CRS = "all in the map's CRS; none was transformed"
FINE_CAP_IN = 0.06  # the program's line in the border, the only lettering below 0.08 in

GENERAL_NOTES = (
    "Areas and lengths are measured in the map's coordinate system. Grid references such as C4 "
    "name a column and a row; I and O are not used.",
    "Controls are installed before the land above them is disturbed, and kept until it is stable.",
)


def furniture_marks(
    site: Site,
    ordinance: Ordinance,
    composed: ComposedMap,
    *,
    now: dt.date,
    checked: CheckedSite | None = None,
) -> list[Mark]:
    """All marks outside the map frame, and the names of what was left out for want of room."""
    layout, frame = composed.layout, composed.drawing.frame
    facts = TitleFacts(MapScale(frame.feet_per_inch), composed.drawing.interval_ft, now)
    marks: list[Mark] = [frame_lines(*layout.border, BORDER_PT)]
    marks += title_marks(site, ordinance, facts, layout.title_block)
    left_out: list[str] = []
    waiting = _column_blocks(site, ordinance, composed, checked)
    placed, rest = _stack(waiting, layout.right_column, layout.gap_in)
    marks += placed
    strip, out = _strip(site, composed, rest)
    marks += strip
    left_out += out
    if left_out:
        composed.drawing.unplaced.extend(f"table left out: {name}" for name in left_out)
        marks += _left_out_line(layout, left_out)
    marks.append(_program_line(site, layout, now))
    return marks


# --------------------------------------------------------------------------- the right column


def _column_blocks(
    site: Site, ordinance: Ordinance, composed: ComposedMap, checked: CheckedSite | None
) -> list[tuple[str, list[Maker]]]:
    """Blocks in order from the top, each in its forms from roomy to tight."""
    drawn = sorted(
        composed.drawing.drawn.values(),
        key=lambda d: (-site.catalogue[d.style.role].draw_order, d.order),
    )
    drawn_roles = {d.style.role for d in drawn} | {"grid"}
    drawn = list({(d.style.legend, d.dimension): d for d in reversed(drawn)}.values())[::-1]

    def cite(item: str) -> str:
        clause = ordinance.by_id.get(item)
        return clause.citation if clause else ""

    def legend(more: int) -> Maker:
        return lambda width: legend_block(drawn, width, max(1, legend_columns(width) + more))

    controls = control_rows(site, composed.grid)
    schedule_columns = (
        Column("Id"),
        Column("Control", wraps=True),
        Column("Standard"),
        Column("Size", "right"),
        Column("Cell", "center"),
    )

    def schedule(width: float) -> Block | None:
        title = "Schedule of controls (BMPs)"
        return table_block("schedule", title, cite("e"), schedule_columns, controls, width)

    short = grouped_controls(controls)
    short_columns = (Column("Id"), Column("Size", "right"), Column("Cell", "center"))

    def short_schedule(width: float) -> Block | None:
        panels = 2 if width < 5 else 3
        title = "Schedule of controls (BMPs)"
        return panel_block("schedule", title, cite("e"), short_columns, short, width, panels)

    def discharges(width: float) -> Block | None:
        columns = (
            Column("Id"),
            Column("Outfall"),
            Column("Receiving water", wraps=True),
            Column("Flow, ft", "right"),
            Column("Cell", "center"),
        )
        rows = discharge_rows(site, composed.grid)
        title = "Discharges to surface water or wetland"
        return table_block("discharges", title, cite("h"), columns, rows, width) if rows else None

    def areas(width: float) -> Block | None:
        columns = (
            Column("Area", wraps=True),
            Column("Measured, ac", "right"),
            Column("Stated, ac", "right"),
        )
        rows = area_rows(site)
        return table_block("areas", "Areas", cite("3d"), columns, rows, width) if rows else None

    def soils(width: float) -> Block | None:
        columns = (
            Column("Unit"),
            Column("Soil", wraps=True),
            Column("K", "right"),
            Column("Group", "center"),
            Column("Acres", "right"),
        )
        rows = soil_rows(site)
        return table_block("soils", "Soils", cite("3f"), columns, rows, width) if rows else None

    def checklist(width: float) -> Block | None:
        columns: tuple[Column, ...] = (
            Column("Item"),
            Column("Asked for", wraps=True),
            Column("Here", wraps=True),
        )
        rows = checklist_rows(site, ordinance, drawn_roles, checked)
        if checked is not None:
            columns = (*columns, Column("Check"))
        title = "Items of the site map"
        return table_block("items (a) to (j)", title, cite("map"), columns, rows, width)

    gap = composed.layout.gap_in

    def stacked(width: float) -> Block | None:
        both = [b for b in (discharges(width), areas(width)) if b is not None]
        return joined("discharges and areas", both, gap, across=False) if both else None

    def paired(width: float) -> Block | None:
        wide = (width - 2 * gap) * 0.56
        both = [b for b in (discharges(wide), areas(width - 2 * gap - wide)) if b is not None]
        return joined("discharges and areas", both, 2 * gap, across=True) if both else None

    forms: list[tuple[str, list[Maker]]] = [
        ("legend", [legend(0), legend(1)]),
        ("schedule of controls", [schedule, short_schedule] if controls else []),
        ("discharges and areas", [stacked, paired]),
        ("soils", [soils]),
        ("items (a) to (j)", [checklist]),
    ]
    return forms


def _stack(
    waiting: Sequence[tuple[str, list[Maker]]], box: tuple[float, float, float, float], gap: float
) -> tuple[list[Mark], list[tuple[str, list[Maker]]]]:
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
    return marks, [(n, f) for n, f in waiting if n in built and n not in chosen]


# which block of the column goes before which when there is not room for all
RANK = ("legend", "items (a) to (j)", "schedule of controls", "discharges and areas", "soils")


# --------------------------------------------------------------------------- the bottom strip


def _strip(
    site: Site,
    composed: ComposedMap,
    rest: Sequence[tuple[str, list[Maker]]],
) -> tuple[list[Mark], list[str]]:
    """North, scale and print check on the left, then notes, sources and what the column left."""
    layout = composed.layout
    left, bottom, right, top = layout.bottom_strip
    marks: list[Mark] = []
    frame = composed.drawing.frame
    north_width = 1.15
    north = north_block(frame, north_width, top - bottom)
    marks += north.at(left, top)
    scale_width = min(6.1, right - left - north_width - layout.gap_in)
    check, scale = check_block(scale_width), scale_block(frame, scale_width)
    x = left + north_width + layout.gap_in
    marks += scale.at(x, top)
    marks += check.at(x, bottom + check.height_in)
    x += scale_width + layout.gap_in * 1.5
    makers = [*_text_makers(site, composed), *rest]
    blocks: dict[str, Block] = {}
    room = right - x
    for name, forms in makers:  # in the order of their rank
        block = _fitting_form(forms, room, top - bottom)
        if block is not None:
            blocks[name] = block
            room -= block.width_in + STRIP_GAP_IN
    spare = max(0.0, room + STRIP_GAP_IN) / max(1, len(blocks) - 1)
    for name in (n for n in STRIP_ORDER if n in blocks):  # edge to edge with the map
        marks += blocks[name].at(x, top)
        x += blocks[name].width_in + STRIP_GAP_IN + spare
    return marks, [name for name, _ in makers if name not in blocks]


def _text_makers(site: Site, composed: ComposedMap) -> list[tuple[str, list[Maker]]]:
    sequence = site.project.sequence
    notes = (*site.project.plate.notes, *GENERAL_NOTES)
    drawn_roles = {d.style.role for d in composed.drawing.drawn.values()}
    rows = source_rows(site, drawn_roles)
    operations = {row[4] for row in rows}
    columns = [
        Column("Layers", wraps=True),
        Column("Source", wraps=True),
        Column("Date", wraps=True),
        Column("File", wraps=True),
    ]
    if len(operations) == 1:  # said once, in the head
        rows = [row[:4] for row in rows]
        operation = operations.pop()
        moved = f"into the map's CRS: {operation}" if operation != "none" else ALL_IN_CRS
    else:
        columns.append(Column("Into the map's CRS", wraps=True))
        moved = ""
    makers: list[tuple[str, list[Maker]]] = []
    if rows:
        makers.append(
            (
                "sources",
                [
                    lambda width: panel_block("sources", "Sources", moved, columns, rows, width, 1),
                    lambda width: panel_block("sources", "Sources", moved, columns, rows, width, 2),
                ],
            )
        )
    if sequence:
        makers.append(
            (
                "sequence of construction",
                [
                    lambda width: text_block(
                        "sequence", "Sequence of construction", "", sequence, width, numbered=True
                    )
                ],
            )
        )
    makers.append(
        ("general notes", [lambda width: text_block("notes", "General notes", "", notes, width,
                                                    numbered=True)])
    )  # fmt: skip
    return makers


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


def _fitting_form(forms: Sequence[Maker], room: float, height: float) -> Block | None:
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


# ------------------------------------------------------------------------------ the last lines


def _left_out_line(layout: SheetLayout, names: Sequence[str]) -> list[Mark]:
    """What this sheet is too small for, in one line under the column."""
    left, bottom, right, _ = layout.right_column
    words = f"Not on this sheet for want of room: {', '.join(names)}."
    words = shortened(words, right - left, TABLE_CAP_IN)
    y = bottom - layout.gap_in / 2.0 - TABLE_CAP_IN / 2.0  # in the gap over the title block
    return [Text("", left, y, words, TABLE_CAP_IN, italic=True, ink=CLAUSE_INK)]


def _version() -> str:
    """The installed version; a plain checkout has none."""
    try:
        return version("sitemap")
    except PackageNotFoundError:
        return "(not installed)"


def _program_line(site: Site, layout: SheetLayout, now: dt.date) -> Text:
    """Program, date of the run and hash of the inputs, in the border."""
    digest = hashlib.sha256()
    hashes = [d.provenance.sha256 for d in site.datasets]
    hashes += [r.provenance.sha256 for r in site.rasters]
    for one in sorted(hashes):
        digest.update(one.encode())
    words = f"sitemap {_version()}, run {now.isoformat()}, inputs sha256 {digest.hexdigest()[:16]}"
    return Text(
        "", layout.border[2], layout.border[1] - 0.05 - FINE_CAP_IN, words, FINE_CAP_IN,
        ink=CLAUSE_INK, ha="right",
    )  # fmt: skip
