"""The blocks of the margin, each made for a width: legend, schedules, items (a) to (j), notes.

What they say comes from schedules.py and sources.py; where they stand is decided in furniture.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sitemap.checked import CheckedSite
from sitemap.ordinance import Ordinance
from sitemap.plate.blocks import Block, joined, text_block
from sitemap.plate.drawing import Drawn
from sitemap.plate.legend import legend_block, legend_columns
from sitemap.plate.schedules import (
    Row,
    area_rows,
    checklist_rows,
    control_rows,
    discharge_rows,
    grouped_controls,
    soil_rows,
)
from sitemap.plate.sources import source_rows
from sitemap.plate.tables import Column, panel_block, table_block
from sitemap.site import Site

if TYPE_CHECKING:
    from sitemap.plate.compose import ComposedMap

Maker = Callable[[float], Block | None]  # from a width to a block; None without content
Forms = tuple[str, tuple[Maker, ...]]  # a block's name, and its forms from roomy to tight

ALL_IN_CRS = "all in the map's CRS; none was transformed"
GENERAL_NOTES = (
    "Areas and lengths are measured in the map's coordinate system. Grid references such as C4 "
    "name a column and a row; I and O are not used.",
    "Controls are installed before the land above them is disturbed, and kept until it is stable.",
)
SCHEDULE_TITLE = "Schedule of controls (BMPs)"


@dataclass(frozen=True, eq=False)
class MarginTables:
    """All blocks of one sheet; rows are made once, blocks as often as a width is tried."""

    site: Site
    ordinance: Ordinance
    composed: ComposedMap
    checked: CheckedSite | None = None

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
            key=lambda d: (-self.site.catalogue[d.style.role].draw_order, d.order),
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
        return legend_block(self._entries, width, legend_columns(width))

    def narrow_legend(self, width: float) -> Block:
        """With one column more."""
        return legend_block(self._entries, width, legend_columns(width) + 1)

    # ---------------------------------------------------------------------------- schedules

    @cached_property
    def _controls(self) -> list[Row]:
        return control_rows(self.site, self.composed.grid)

    def schedule(self, width: float) -> Block | None:
        """One row for each control, with its type and standard."""
        columns = (
            Column("Id"),
            Column("Control", wraps=True),
            Column("Standard"),
            Column("Size", "right"),
            Column("Cell", "center"),
        )
        return self._table("schedule", SCHEDULE_TITLE, "e", columns, self._controls, width)

    def short_schedule(self, width: float) -> Block | None:
        """In panels, under heads of type and standard."""
        columns = (Column("Id"), Column("Size", "right"), Column("Cell", "center"))
        rows, panels = grouped_controls(self._controls), 2 if width < 5.0 else 3
        if not rows:
            return None
        return panel_block("schedule", SCHEDULE_TITLE, self.cite("e"), columns, rows, width, panels)

    def discharges(self, width: float) -> Block | None:
        """Where stormwater reaches a water or wetland."""
        columns = (
            Column("Id"),
            Column("Outfall"),
            Column("Receiving water", wraps=True),
            Column("Flow, ft", "right"),
            Column("Cell", "center"),
        )
        rows = discharge_rows(self.site, self.composed.grid)
        title = "Discharges to surface water or wetland"
        return self._table("discharges", title, "h", columns, rows, width)

    @cached_property
    def _areas(self) -> list[Row]:
        return area_rows(self.site)

    def areas(self, width: float) -> Block | None:
        """Acres measured on the map against acres stated."""
        columns = (
            Column("Area", wraps=True),
            Column("Measured, ac", "right"),
            Column("Stated, ac", "right"),
        )
        return self._table("areas", "Areas", "3d", columns, self._areas, width)

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
    def _soils(self) -> list[Row]:
        return soil_rows(self.site)

    def soils(self, width: float) -> Block | None:
        """Map units with what erosion depends on."""
        columns = (
            Column("Unit"),
            Column("Soil", wraps=True),
            Column("K", "right"),
            Column("Group", "center"),
            Column("Acres", "right"),
        )
        return self._table("soils", "Soils", "3f", columns, self._soils, width)

    def checklist(self, width: float) -> Block | None:
        """Items (a) to (j): shown, declared none, or not shown."""
        columns = [Column("Item"), Column("Asked for", wraps=True), Column("Here", wraps=True)]
        if self.checked is not None:
            columns.append(Column("Check"))
        rows = checklist_rows(self.site, self.ordinance, self._roles | {"grid"}, self.checked)
        title = "Items of the site map"
        return self._table("items (a) to (j)", title, "map", tuple(columns), rows, width)

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

    def notes(self, width: float) -> Block | None:
        """The project's notes, then those that every sheet carries."""
        said = (*self.site.project.plate.notes, *GENERAL_NOTES)
        return text_block("notes", "General notes", "", said, width, numbered=True)

    @cached_property
    def _sources(self) -> list[Row]:
        return source_rows(self.site, self._roles)

    def sources(self, width: float, panels: int = 1) -> Block | None:
        """Each layer's source, date, file and operation into the map's CRS."""
        if not self._sources:
            return None
        rows, operations = self._sources, {row[4] for row in self._sources}
        columns = [Column(head, wraps=True) for head in ("Layers", "Source", "Date", "File")]
        if len(operations) == 1:  # said once, in the head
            rows = [row[:4] for row in rows]
            operation = operations.pop()
            moved = f"into the map's CRS: {operation}" if operation != "none" else ALL_IN_CRS
        else:
            columns.append(Column("Into the map's CRS", wraps=True))
            moved = ""
        return panel_block("sources", "Sources", moved, columns, rows, width, panels)

    def sources_in_two(self, width: float) -> Block | None:
        """The same in two panels."""
        return self.sources(width, panels=2)
