"""What the tables of the margin say: areas, controls, soils, items (a) to (j).

Rows of words only; how they are set is in tables.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.grid import RegularGrid
from sitemap.measures.phases import Phases
from sitemap.ordinance import Clause, Ordinance
from sitemap.plate.sheet_finder import SheetFinder, on_sheet
from sitemap.plate.styles import type_keys
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, AreaUnit

if TYPE_CHECKING:
    import geopandas

Row = tuple[str, ...]
SMALL_ACRES = 0.1  # below it an area is told in square feet
ITEMS = "abcdefghij"
NONE = "–"


def unknown(value: object) -> bool:
    """True for what is missing: None, or not a number."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _text(value: object) -> str:
    """A cell: a dash for what is missing, whole numbers without a point."""
    if unknown(value):
        return NONE
    if isinstance(value, float) and value.is_integer():
        return f"{int(value):,}"
    return str(value)


def _acres(square_feet: float) -> float:
    return Area(square_feet, AreaUnit.SQUARE_FOOT).acres


def natural_key(text: str) -> tuple[object, ...]:
    """Sorts SF-2 before SF-10."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p.lower()) for p in parts)


# -------------------------------------------------------------------------------------- areas


def area_rows(site: Site) -> list[Row]:
    """What, acres measured on the map, acres as stated; only what the site has."""
    boundary = site.boundary
    facts = site.project.project
    rows: list[Row] = []
    if boundary is not None:
        rows.append(_area_row("Construction site", boundary, facts.site_acres))
    for role, words, stated, inside in (
        ("disturbance", "Disturbed", facts.disturbed_acres, False),
        ("wetlands", "Wetland on the site", None, True),
        ("stabilization", "Stabilization BMPs", None, False),
        ("revegetation", "Vegetated after construction", None, False),
        ("infiltration", "Infiltration after construction", None, False),
    ):
        area = _union(site.role(role))
        if area is None:
            continue
        if inside and boundary is not None:
            area = shapely.intersection(area, boundary)
        if area.area > 0.0:
            rows.append(_area_row(words, area, stated))
    return rows


def _union(layer: RoleLayer | None) -> BaseGeometry | None:
    if layer is None or layer.usable.empty:
        return None
    shapes = layer.shapes
    areas = shapes[shapely.get_dimensions(shapes) == 2]
    return shapely.union_all(shapely.make_valid(areas)) if len(areas) else None


def _area_row(words: str, area: BaseGeometry, stated: float | None) -> Row:
    return words, f"{_acres(area.area):.2f}", NONE if stated is None else f"{stated:.2f}"


# ----------------------------------------------------------------------------------- controls


def control_rows(
    site: Site,
    grid: RegularGrid,
    ground: BaseGeometry | None = None,
    finder: SheetFinder | None = None,
    phases: Phases | None = None,
) -> list[Row]:
    """Id, type, standard, size, (phase,) grid cell of every control, then of every activity.

    Only those that touch the ground of a sheet, where one is given; with a finder the sheet
    stands before the cell.
    """
    rows: list[Row] = []
    for role in ("controls", "activities"):
        layer = site.role(role)
        if layer is None or layer.usable.empty:
            continue
        spec, frame = site.catalogue[role], layer.usable
        rows_here = np.flatnonzero(on_sheet(frame.geometry.to_numpy(), ground))
        frame = frame.iloc[rows_here]
        keys = type_keys(spec, frame)
        own = []
        for number, (key, shape) in enumerate(zip(keys, frame.geometry, strict=True)):
            entry = spec.types.get(key)
            said = cell_text(frame, "type", number)
            name = entry.name if entry is not None else said
            standard = cell_text(frame, "standard", number)
            if standard == NONE and entry is not None and entry.standard:
                standard = entry.standard
            told = cell_text(frame, "id", number), name, standard, _extent(shape)
            row = int(rows_here[number])
            phase = () if phases is None else (phases.words(role, row),)
            standing = phases.stands[role][row] if phases and role in phases.stands else None
            own.append((*told, *phase, *where(shape, grid, finder, standing)))
        rows += sorted(own, key=lambda row: natural_key(row[0]))
    return list(dict.fromkeys(rows))  # a washout may be handed in as control and as activity


def grouped_controls(rows: Sequence[Row]) -> list[Row]:
    """The same schedule under heads of type and standard: id, size, (phase, sheet,) cell."""
    found: list[Row] = []
    head: Row = ()
    for row in by_group(rows):
        name, standard = row[1], row[2]
        own = (name if standard == NONE else f"{name}, {standard}",)
        if own != head:
            head = own
            found.append(head)
        found.append((row[0], *row[3:]))
    return found


def by_group(rows: Sequence[Row]) -> list[Row]:
    """Rows of the schedule of controls, those of one type and standard together."""
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        first.setdefault((row[1], row[2]), len(first))
    return sorted(rows, key=lambda row: first[row[1], row[2]])


def cell_text(frame: geopandas.GeoDataFrame, column: str, row: int) -> str:
    """One value of a frame in words; a dash where it, or the column, is missing."""
    return _text(frame[column].iloc[row]) if column in frame.columns else NONE


def _extent(shape: BaseGeometry) -> str:
    """Length of a line, area of a polygon; a dash for a point."""
    if shapely.get_dimensions(shape) == 1:
        return f"{shape.length:,.0f} ft"
    if shapely.get_dimensions(shape) == 2:
        acres = _acres(shape.area)
        return f"{acres:.2f} ac" if acres >= SMALL_ACRES else f"{shape.area:,.0f} sq ft"
    return NONE


def cells(shape: BaseGeometry, grid: RegularGrid) -> str:
    """The grid cell of a feature; for a line from the cell of its start to that of its end."""
    if shape.geom_type == "LineString":
        (x0, y0), (x1, y1) = shape.coords[0][:2], shape.coords[-1][:2]
        ends = [c for c in (grid.cell_of(x0, y0), grid.cell_of(x1, y1)) if c]
        return "–".join(dict.fromkeys(ends)) or "off sheet"
    middle = shape.representative_point()
    return grid.cell_of(middle.x, middle.y) or "off sheet"


def where(
    shape: BaseGeometry,
    grid: RegularGrid,
    finder: SheetFinder | None,
    standing: np.ndarray | None = None,
) -> Row:
    """Sheet, where there are several, and grid cell."""
    cell = cells(shape, grid)
    return (cell,) if finder is None else (finder.sheets_of(shape, standing), cell)


# -------------------------------------------------------------------------------------- soils


def soil_rows(site: Site) -> list[Row]:
    """Map unit, name, K factor, hydrologic group, acres on the site."""
    layer = site.role("soils")
    if layer is None or layer.usable.empty:
        return []
    frame, boundary = layer.usable, site.boundary
    shapes = shapely.make_valid(frame.geometry.to_numpy())
    if boundary is not None:
        shapes = shapely.intersection(shapes, boundary)
    found: dict[Row, float] = {}
    for number, area in enumerate(shapely.area(shapes)):
        k: Any = frame["k_factor"].iloc[number] if "k_factor" in frame.columns else None
        row = (
            cell_text(frame, "map_unit", number),
            cell_text(frame, "name", number),
            NONE if unknown(k) else f"{float(k):.2f}",
            cell_text(frame, "hydrologic_group", number),
        )
        found[row] = found.get(row, 0.0) + float(area)
    kept = {row: area for row, area in found.items() if _acres(area) >= 0.005}
    return [(*row, f"{_acres(area):.2f}") for row, area in sorted(kept.items())]


# ------------------------------------------------------------------------------ items (a)-(j)


def checklist_rows(site: Site, ordinance: Ordinance, drawn_roles: set[str]) -> list[Row]:
    """Item, what it asks for, what became of it on this sheet."""
    rows: list[Row] = []
    for item in ITEMS:
        clause = ordinance.by_id.get(item)
        if clause is None:
            continue
        rows.append((f"({item})", clause.title, _became(site, clause, item, drawn_roles)))
    return rows


def _became(site: Site, clause: Clause, item: str, drawn_roles: set[str]) -> str:
    roles = clause.roles or tuple(s.role for s in site.catalogue.specs if item in s.items)
    shown: list[str] = []
    missing: list[str] = []
    none: dict[str, list[str]] = {}
    for role in roles:
        if role not in site.catalogue or role == "elevation":
            continue
        title = site.catalogue[role].title
        declared = site.declared_none(role)
        if role in drawn_roles:
            shown.append(title)
        elif declared is not None:
            who = f"{declared.by}, {declared.source}, {declared.date.isoformat()}"
            none.setdefault(who, []).append(title)
        elif site.role(role) is not None:
            missing.append(f"{title} (outside this sheet)")
        else:
            missing.append(title)
    if len(shown) == 1 and not none and not missing:
        return "Shown"
    said = [f"Shown: {_listed(shown)}."] if shown else []
    said += [f"None exist: {_listed(names)} ({who})." for who, names in none.items()]
    said += [f"Not shown: {_listed(missing)}."] if missing else []
    return " ".join(said) or "Not shown"


def _listed(names: Sequence[str]) -> str:
    lowered = [n if n[:2].isupper() else n[0].lower() + n[1:] for n in names]
    return ", ".join(lowered)
