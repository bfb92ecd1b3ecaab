"""The layers of a site as the desk draws them: styles, labels and attributes of each feature."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from string import Formatter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.desk.downhill_sides import fall_lines, ticked_downhill
from sitemap.desk.shapes import exploded
from sitemap.desk.symbols import symbol_dict
from sitemap.finding import JsonDict
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID
from sitemap.plate.contour_lines import contour_interval, contour_styles, is_index
from sitemap.plate.styles import Style, label_lines, styles_of
from sitemap.report.words import plain
from sitemap.site import Site

if TYPE_CHECKING:
    import geopandas

CONTOURS = ("contours_existing", "contours_proposed")
FALLING = "steep_slopes"
NO_LAYER = ("grid", "elevation", "aerial")  # drawn otherwise, or no vectors
SQFT_PER_ACRE = 43_560.0
MOST_WORDS = 160  # letters of one value

Columns = dict[str, list[Any]]


@dataclass(frozen=True, eq=False)
class DrawnLayer:
    """One layer of the page before it is packed.

    shapes, style, row and turn are parallel: what is drawn, by which style, of which feature, and
    the degrees counter-clockwise from east that its hatch runs (NaN: those of the style). rows has
    one entry per feature: [id, file number, record, label, measure, values]; measure is square
    feet of an area, feet of a line (both of the shape as handed in), else None.
    """

    role: str
    title: str
    order: int
    group: str  # submitted, or reference
    styles: tuple[JsonDict, ...]
    fields: tuple[tuple[str, str], ...]  # title, unit
    files: tuple[str, ...]
    rows: list[list[Any]]
    shapes: np.ndarray
    style: np.ndarray
    row: np.ndarray
    turn: np.ndarray
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)


def drawn_layers(site: Site) -> tuple[DrawnLayer, ...]:
    """The submitted layers that have something to draw, in the order of the plate."""
    found = [
        drawn_layer(spec, layer.usable, site, "submitted")
        for role, layer in site.layers.items()
        if role not in NO_LAYER
        and (spec := site.catalogue.by_role.get(role)) is not None
        and len(layer.usable)
    ]
    return tuple(sorted(found, key=lambda layer: layer.order))


def drawn_layer(
    spec: LayerSpec,
    frame: geopandas.GeoDataFrame,
    site: Site,
    group: str,
    notes: tuple[str, ...] = (),
) -> DrawnLayer:
    """One role's features with geometry, in the site CRS."""
    geometry = frame.geometry.to_numpy()
    shapes, owner = exploded(geometry)
    if spec.role == FALLING:  # each part has a slope of its own
        shapes, part = shapely.get_parts(shapes, return_index=True)
        owner = owner[part]
    columns = _columns(frame)
    measures = _measures(geometry)
    labels = [""] * len(frame)
    style_of = np.zeros(len(frame), dtype=int)
    styles: list[JsonDict] = []
    for style, rows in _styles(spec, frame):
        style_of[rows] = len(styles)
        styles.append(_style(style, int(shapely.get_dimensions(geometry[rows]).max()), len(rows)))
        for row in rows.tolist() if style.label else ():
            labels[row] = _label(style, columns, row, measures[row])
    fields = {n: f for n, f in spec.fields.items() if n in columns and _any_known(columns[n])}
    files, rows_out = _rows(columns, tuple(fields), labels, measures)
    named = tuple(
        (f.title, "" if f.unit in (None, "none") else f.unit or "") for f in fields.values()
    )
    layer = DrawnLayer(
        spec.role, spec.title, spec.draw_order, group, tuple(styles), named, files, rows_out,
        shapes, style_of[owner], owner, _turns(spec, shapes, site), notes,
    )  # fmt: skip
    return replace(layer, shapes=_turned(layer, site, frame))


def _style(style: Style, dimension: int, count: int) -> JsonDict:
    """A symbol with what the legend says of it; dimension is the largest that wears it."""
    said = {"legend": plain(style.legend), "dimension": dimension, "count": count}
    return {**symbol_dict(style), **said, "priority": style.symbol.label_priority}


def _columns(frame: geopandas.GeoDataFrame) -> Columns:
    """The values of every column but the geometry, row by row."""
    table = pd.DataFrame(frame)  # a GeoDataFrame looks for its geometry at each column
    geometry = frame.geometry.name
    return {n: table[n].tolist() for n in map(str, table.columns) if n != geometry}


def _any_known(values: list[Any]) -> bool:
    return any(_value(value) is not None for value in values)


def _rows(
    columns: Columns,
    fields: tuple[str, ...],
    labels: list[str],
    measures: list[float | None],
) -> tuple[tuple[str, ...], list[list[Any]]]:
    """The files that the features came from, and one row for each feature."""
    nothing = [None] * len(labels)
    named = (columns.get(name, nothing) for name in (SOURCE_FILE, SOURCE_LAYER))
    files = [_file(file, layer) for file, layer in zip(*named, strict=True)]
    number = {file: n for n, file in enumerate(dict.fromkeys(files))}
    ids, fids = (map(_value, columns.get(name, nothing)) for name in (USER_ID, SOURCE_FID))
    values = [list(row) for row in zip(*(map(_value, columns[n]) for n in fields), strict=True)]
    places = [number[file] for file in files]
    each = (ids, places, fids, labels, measures, values or [[] for _ in labels])
    return tuple(number), [list(row) for row in zip(*each, strict=True)]


def _styles(spec: LayerSpec, frame: geopandas.GeoDataFrame) -> Iterator[tuple[Style, np.ndarray]]:
    """The plate's styles with the rows of each; contours by whether they are index contours."""
    if spec.role not in CONTOURS or "elevation" not in frame:
        yield from styles_of(spec, frame)
        return
    elevation = frame["elevation"].to_numpy(dtype=float)
    interval = contour_interval(elevation)
    index = is_index(elevation, interval)
    for style, chosen in zip(contour_styles(spec, interval), (~index, index), strict=True):
        if chosen.any():
            yield replace(style, label="{elevation:g}"), np.flatnonzero(chosen)


def _turned(layer: DrawnLayer, site: Site, frame: geopandas.GeoDataFrame) -> np.ndarray:
    """Shapes turned so that arrows run with the water, and ticks stand on the left."""
    shapes = layer.shapes.copy()
    if "flow_direction" in frame.columns:
        said = [
            str(v).lower().startswith(("against", "reverse", "up")) for v in frame["flow_direction"]
        ]
        against = np.array(said, dtype=bool)[layer.row]
        shapes[against] = shapely.reverse(shapes[against])
    ticked = np.array([s["ticks"] in ("left", "teeth") for s in layer.styles], dtype=bool)
    return ticked_downhill(site, shapes, ticked[layer.style], layer.role)


def _turns(spec: LayerSpec, shapes: np.ndarray, site: Site) -> np.ndarray:
    """As on the plate, the hatch of steep ground runs down its own slope."""
    turns = np.full(len(shapes), np.nan)
    areas = shapely.get_dimensions(shapes) == 2
    if spec.role == FALLING:
        turns[areas] = fall_lines(site, shapes[areas])
    return turns


def _measures(geometry: np.ndarray) -> list[float | None]:
    """Square feet of areas, feet of lines, nothing of points."""
    dimension = shapely.get_dimensions(geometry)
    size = np.where(dimension == 2, shapely.area(geometry), shapely.length(geometry))
    return [
        round(float(s), 2) if d > 0 and math.isfinite(s) else None
        for s, d in zip(size, dimension, strict=True)
    ]


def _label(style: Style, columns: Columns, row: int, measure: float | None) -> str:
    named = {name for _, name, _, _ in Formatter().parse(style.label) if name} | {"acres"}
    values: dict[str, Any] = {name: columns[name][row] for name in named if name in columns}
    if pd.isna(values.get("acres")) and measure is not None:
        values["acres"] = measure / SQFT_PER_ACRE
    return plain("\n".join(label_lines(style.label, values)).replace("\n", " · "), MOST_WORDS)


def _file(file: object, layer: object) -> str:
    said, inner = str(file or ""), str(layer or "")
    return plain(said if inner in ("", said) else f"{said}:{inner}", MOST_WORDS)


def _value(value: Any) -> Any:
    """A number that JSON has, or plain words; None for what is not known."""
    if not isinstance(value, list | dict | np.ndarray) and pd.isna(value):
        return None
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(f"{float(value):.10g}") if math.isfinite(value) else None
    if isinstance(value, dt.datetime):
        value = value.date()
    return plain(value, MOST_WORDS)
