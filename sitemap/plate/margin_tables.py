"""The blocks of the margin, each made for a width: legend, schedules, items (a) to (j), notes.

What they say comes from schedules.py and sources.py; where they stand is decided in
right_column.py and bottom_strip.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from shapely.geometry.base import BaseGeometry

from sitemap.measures.phases import Phases, site_phases
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import Block, joined, text_block
from sitemap.plate.compose import ComposedMap
from sitemap.plate.discharge_rows import (
    discharge_columns,
    discharge_rows,
    fitted_discharges,
)
from sitemap.plate.drawing import Drawn
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.schedules import (
    Row,
    area_rows,
    checklist_rows,
    control_rows,
    grouped_controls,
    soil_rows,
)
from sitemap.plate.sheet_finder import SheetFinder
from sitemap.plate.sources import source_rows
from sitemap.plate.tables import Column, least_width_in, panel_block, table_block
from sitemap.site import Site

Maker = Callable[[float], Block | None]  # from a width to a block; None without content
Forms = tuple[str, tuple[Maker, ...]]  # a block's name, and its forms from roomy to tight

ALL_IN_CRS = "all in the map's CRS; none was transformed"
GENERAL_NOTES = (
    "Areas and lengths are measured in the map's coordinate system. Grid references such as C4 "
    "name a column and a row; I and O are not used.",
    "Controls are installed before the land above them is disturbed, and kept until it is stable.",
)
PHASES_NOTE = "Phases of construction in the schedule of controls: {key}."
PHASES_SEEN = (
    "The map shows the controls of all phases; the layer panel of a PDF viewer shows one phase.",
    "Each phase has its own map sheet.",
)
SCHEDULE_TITLE = "Schedule of controls (BMPs)"
DISCHARGES_TITLE = "Discharges to surface water or wetland"
ITEMS_TITLE = "Items of the site map"
AREA_COLUMNS = (
    Column("Area", wraps=True),
    Column("Measured, ac", "right"),
    Column("Stated, ac", "right"),
)
SOIL_COLUMNS = (
    Column("Unit"),
    Column("Soil", wraps=True),
    Column("K", "right"),
    Column("Group", "center"),
    Column("Acres", "right"),
)


@dataclass(frozen=True, eq=False)
class MarginTables:
    """All blocks of one sheet; rows are made once, blocks as often as a width is tried.

    In a set, ground is what a map sheet shows: its schedules hold that alone; finder names the
    sheet in schedules of the whole site.
    """

    site: Site
    ordinance: Ordinance
    composed: ComposedMap
    ground: BaseGeometry | None = None
    finder: SheetFinder | None = None

    @property
    def column(self) -> tuple[Forms, ...]:
        """Blocks of the right column, from the top."""
        return (
            ("legend", (self.legend, self.narrow_legend)),
            ("schedule of controls", (self.schedule, self.short_schedule)),
            ("discharges and areas", (self.stacked, self.paired)),
            ("soils", (self.soils,)),
            ("items (a) to (j)", (self.checklist,)),
        )

    @property
    def strip(self) -> tuple[Forms, ...]:
        """Blocks of the strip under the map, by rank."""
        return (
            ("sources", (self.sources, self.sources_in_two)),
            ("sequence of construction", (self.sequence,)),
            ("general notes", (self.notes,)),
        )

    def cite(self, item: str) -> str:
        """The citation of a clause, printed beside the block that serves it."""
        clause = self.ordinance.by_id.get(item)
        return clause.citation if clause else ""

    # ------------------------------------------------------------------------------- legend

    @cached_property
    def drawn(self) -> list[Drawn]:
        """What is on the map, the topmost first."""
        return sorted(
            self.composed.drawing.drawn.values(),
            key=lambda d: (-d.style.draw_order, d.order),
        )

    @cached_property
    def _roles(self) -> set[str]:
        return {d.style.role for d in self.drawn}

    @cached_property
    def _entries(self) -> list[Drawn]:
        """Without those that look and read alike."""
        return list({(d.style.legend, d.dimension): d for d in self.drawn[::-1]}.values())[::-1]

    def legend(self, width: float) -> Block:
        """In columns of a comfortable width."""
        return self._legend(width, legend_columns(width))

    def narrow_legend(self, width: float) -> Block:
        """With one column more."""
        return self._legend(width, legend_columns(width) + 1)

    def _legend(self, width: float, columns: int) -> Block:
        """Its symbols are drawn once: whether it fits is asked before it is placed."""
        known = self._legends.get((width, columns))
        if known is None:
            known = legend_block(self._entries, width, columns)
            self._legends[width, columns] = known
        return known

    @cached_property
    def _legends(self) -> dict[tuple[float, int], Block]:
        return {}

    # ---------------------------------------------------------------------------- schedules

    @cached_property
    def controls(self) -> list[Row]:
        """Rows of the schedule of controls."""
        grid = self.composed.grid
        return control_rows(self.site, grid, self.ground, self.finder, self.phases)

    @cached_property
    def phases(self) -> Phases | None:
        """Phases of construction, where the controls name several."""
        return site_phases(self.site)

    @property
    def _when(self) -> tuple[Column, ...]:
        """The column of phases, where there are several."""
        return () if self.phases is None else (Column("Phase", "center"),)

    @property
    def _place(self) -> tuple[Column, ...]:
        """The columns that say where: the cell, and before it the sheet of a set."""
        cell = Column("Cell", "center")
        return (cell,) if self.finder is None else (Column("Sheet", wraps=True), cell)

    @property
    def schedule_columns(self) -> tuple[Column, ...]:
        """Columns of the schedule of controls."""
        kind = Column("Control", wraps=True)
        size = Column("Size", "right")
        return Column("Id"), kind, Column("Standard"), size, *self._when, *self._place

    @property
    def short_schedule_columns(self) -> tuple[Column, ...]:
        """Columns of the schedule under heads of type and standard."""
        when = () if self.phases is None else (Column("Ph.", "center"),)
        return Column("Id"), Column("Size", "right"), *when, *self._place

    def schedule(self, width: float) -> Block | None:
        """One row for each control, with its type and standard; None where words would be cut."""
        if least_width_in(self.schedule_columns, self.controls) > width:
            return None
        return self._table(
            "schedule", SCHEDULE_TITLE, "e", self.schedule_columns, self.controls, width
        )

    def short_schedule(self, width: float) -> Block | None:
        """In panels, under heads of type and standard."""
        columns = self.short_schedule_columns
        rows, panels = grouped_controls(self.controls), 2 if width < 5.0 else 3
        if not rows:
            return None
        return panel_block("schedule", SCHEDULE_TITLE, self.cite("e"), columns, rows, width, panels)

    def discharges(self, width: float) -> Block | None:
        """Where stormwater reaches a water or wetland."""
        columns, rows = fitted_discharges(self.discharge_columns, self.outlets, width)
        return self._table("discharges", DISCHARGES_TITLE, "h", columns, rows, width)

    @property
    def discharge_columns(self) -> tuple[Column, ...]:
        """Columns of the discharges."""
        return *discharge_columns(self.composed.ways), *self._place

    @cached_property
    def outlets(self) -> list[Row]:
        """Rows of the discharges."""
        ways = self.composed.ways
        return discharge_rows(self.site, self.composed.grid, self.ground, self.finder, ways)

    @cached_property
    def acres(self) -> list[Row]:
        """Rows of the areas."""
        return area_rows(self.site)

    def areas(self, width: float) -> Block | None:
        """Acres measured on the map against acres stated."""
        return self._table("areas", "Areas", "3d", AREA_COLUMNS, self.acres, width)

    def stacked(self, width: float) -> Block | None:
        """Discharges over areas."""
        both = [b for b in (self.discharges(width), self.areas(width)) if b is not None]
        gap = self.composed.layout.gap_in
        return joined("discharges and areas", both, gap, across=False) if both else None

    def paired(self, width: float) -> Block | None:
        """Discharges beside areas."""
        gap = 2 * self.composed.layout.gap_in
        wide = (width - gap) * 0.56
        both = [b for b in (self.discharges(wide), self.areas(width - gap - wide)) if b is not None]
        return joined("discharges and areas", both, gap, across=True) if both else None

    @cached_property
    def soil_units(self) -> list[Row]:
        """Rows of the soils."""
        return soil_rows(self.site)

    def soils(self, width: float) -> Block | None:
        """Map units with what erosion depends on."""
        return self._table("soils", "Soils", "3f", SOIL_COLUMNS, self.soil_units, width)

    @property
    def item_columns(self) -> tuple[Column, ...]:
        """Columns of the items (a) to (j)."""
        return Column("Item"), Column("Asked for", wraps=True), Column("Here", wraps=True)

    @cached_property
    def items(self) -> list[Row]:
        """Rows of the items (a) to (j)."""
        return checklist_rows(self.site, self.ordinance, self._roles | {"grid"})

    def checklist(self, width: float) -> Block | None:
        """Items (a) to (j): shown, declared none, or not shown."""
        return self._table(
            "items (a) to (j)", ITEMS_TITLE, "map", self.item_columns, self.items, width
        )

    def _table(
        self,
        name: str,
        title: str,
        item: str,
        columns: tuple[Column, ...],
        rows: list[Row],
        width: float,
    ) -> Block | None:
        return table_block(name, title, self.cite(item), columns, rows, width) if rows else None

    # ---------------------------------------------------------------------- notes, sources

    def sequence(self, width: float) -> Block | None:
        """The sequence of construction, as site.toml tells it."""
        said, title = self.site.project.sequence, "Sequence of construction"
        if not said:
            return None
        return text_block("sequence", title, self.cite("3c"), said, width, numbered=True)

    @property
    def phases_note(self) -> tuple[str, ...]:
        """What the numbers of phases mean, and where those of one phase are seen."""
        if self.phases is None:
            return ()
        separate = self.site.project.plate.phases == "sheets"
        return (f"{PHASES_NOTE.format(key=self.phases.key)} {PHASES_SEEN[separate]}",)

    def notes(self, width: float) -> Block | None:
        """The project's notes, then those that every sheet carries."""
        said = (*self.site.project.plate.notes, *GENERAL_NOTES, *self.phases_note)
        return text_block("notes", "General notes", "", said, width, numbered=True)

    @cached_property
    def _sources(self) -> list[Row]:
        return source_rows(self.site, self._roles)

    def sources(self, width: float, panels: int = 1) -> Block | None:
        """Each layer's source, date, file and operation into the map's CRS."""
        columns, rows, moved = self.source_table()
        if not rows:
            return None
        return panel_block("sources", "Sources", moved, columns, rows, width, panels)

    def source_table(self) -> tuple[list[Column], list[Row], str]:
        """Columns and rows of the sources, and what is said of all of them in the head."""
        rows, operations = self._sources, {row[4] for row in self._sources}
        columns = [Column(head, wraps=True) for head in ("Layers", "Source", "Date", "File")]
        if len(operations) == 1:  # said once, in the head
            rows = [row[:4] for row in rows]
            operation = operations.pop()
            moved = f"into the map's CRS: {operation}" if operation != "none" else ALL_IN_CRS
        else:
            columns.append(Column("Into the map's CRS", wraps=True))
            moved = ""
        return columns, rows, moved

    def sources_in_two(self, width: float) -> Block | None:
        """The same in two panels."""
        return self.sources(width, panels=2)
