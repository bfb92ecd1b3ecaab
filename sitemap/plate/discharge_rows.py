"""The table of discharges: what the site shows, what the trace found of it, and what else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.layer import USER_ID
from sitemap.measures.grid import RegularGrid
from sitemap.plate.schedules import NONE, Row, cell_text, natural_key, unknown, where
from sitemap.plate.sheet_finder import SheetFinder, on_sheet
from sitemap.plate.tables import Column, least_width_in
from sitemap.plate.traced_ways import Reached, TracedWays
from sitemap.site import Site

TRACED = ("Kind", "Traced by", "Confidence")
WIDE_IN = 5.0  # at which each of these has a column of its own
NOT_SHOWN = "not shown"  # in place of an id: a water that the trace reaches and no point stands for


def discharge_columns(ways: TracedWays | None) -> tuple[Column, ...]:
    """Columns before those of the place; without a trace only what the site itself says."""
    own = (
        Column("Id"), Column("Outfall"), Column("Receiving water", wraps=True),
        Column("Flow, ft", "right"),
    )  # fmt: skip
    if ways is None:
        return own
    return (*own, *(Column(head, wraps=True) for head in TRACED))


def fitted_discharges(
    columns: Sequence[Column], rows: Sequence[Row], width_in: float
) -> tuple[tuple[Column, ...], list[Row]]:
    """The table for a width: where it is narrow, what was traced stands in one column, and where
    words would be cut in two, so do sheet and cell.
    """
    fitted, told = tuple(columns), list(rows)
    if width_in < WIDE_IN:
        fitted, told = _joined(fitted, told, TRACED, "Traced", ", ")
    if least_width_in(fitted, told) > width_in:
        fitted, told = _joined(fitted, told, ("Sheet", "Cell"), "Sheet, cell", " ")
    return fitted, told


def _joined(
    columns: tuple[Column, ...], rows: list[Row], heads: tuple[str, ...], head: str, between: str
) -> tuple[tuple[Column, ...], list[Row]]:
    """Neighbouring columns as one; as they are where the table does not have them."""
    known = [column.head for column in columns]
    if not set(heads) <= set(known):
        return columns, rows
    first = known.index(heads[0])
    last = first + len(heads)
    return (*columns[:first], Column(head, wraps=True), *columns[last:]), [
        (*row[:first], between.join(w for w in row[first:last] if w != NONE) or NONE, *row[last:])
        for row in rows
    ]


def discharge_rows(
    site: Site,
    grid: RegularGrid,
    ground: BaseGeometry | None = None,
    finder: SheetFinder | None = None,
    ways: TracedWays | None = None,
) -> list[Row]:
    """Id, outfall, receiving water, distance along flow in feet, [kind, method, confidence,]
    (sheet,) grid cell.

    The distance is what the site states, else what was traced. Waters that an outlet's flow
    enters first, and that no discharge of the site stands for, follow under "not shown".
    """
    rows = sorted(_shown(site, grid, ground, finder, ways), key=lambda row: natural_key(row[0]))
    if ways is None:
        return rows
    for one in ways.to_show:
        if on_sheet(shapely.points([[one.point.x, one.point.y]]), ground)[0]:
            told = NOT_SHOWN, one.trace.outlet, ways.flow.water(one.water).name
            place = where(one.point, grid, finder)
            rows.append((*told, f"{one.distance_ft:,.0f}", *_traced(ways, one), *place))
    return rows


def _shown(
    site: Site,
    grid: RegularGrid,
    ground: BaseGeometry | None,
    finder: SheetFinder | None,
    ways: TracedWays | None,
) -> list[Row]:
    layer = site.role("discharges")
    if layer is None or layer.usable.empty:
        return []
    frame = layer.usable
    frame = frame[on_sheet(frame.geometry.to_numpy(), ground)]
    rows = []
    for number, shape in enumerate(frame.geometry):
        own = frame[USER_ID].iloc[number]
        found = ways.reached_by(str(own)) if ways is not None and own is not None else None
        stated: Any = frame["distance_ft"].iloc[number] if "distance_ft" in frame.columns else None
        far = found.distance_ft if unknown(stated) and found is not None else stated
        rows.append(
            (
                cell_text(frame, "id", number),
                cell_text(frame, "outfall", number),
                cell_text(frame, "receiving_water", number),
                NONE if unknown(far) else f"{float(far):,.0f}",
                *(() if ways is None else _traced(ways, found)),
                *where(shape, grid, finder),
            )
        )
    return rows


def _traced(ways: TracedWays, one: Reached | None) -> Row:
    """Kind of the water, over what the trace went, and how sure it is; dashes without a trace."""
    if one is None:
        return NONE, NONE, "not traced"
    return ways.kind_of(one.water), one.method, _confidence(ways, one)


def _confidence(ways: TracedWays, one: Reached) -> str:
    if not one.is_certain:
        return "direction assumed: confirm"
    if not one.trace.runs:
        return "mapped"
    share = one.any_pct if one.discharges else one.first_pct
    runs = one.trace.runs
    words = f"{round(share * runs / 100.0)} of {runs} runs"
    return f"{words}: confirm" if share < ways.flow.limits.upper_pct else words
