"""Each role with its conventional symbol, put on the map. What a symbol is stands in layers/*.toml.

Areas, lines and points are here; contours are in contour_lines.py, letters along lines in
letters.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import shapely

from sitemap.catalogue import Hatch, LayerSpec
from sitemap.plate.clip import (
    GeometryArray,
    clip_areas,
    clip_lines,
    clip_points,
    paths_of,
    rings_of,
)
from sitemap.plate.contour_lines import draw_contours
from sitemap.plate.drawing import MAP_CAP_IN, Label, LabelKind, LineLetters, LineWork, MapDrawing
from sitemap.plate.fonts import text_width_in
from sitemap.plate.hatches import hatch_paths
from sitemap.plate.lines import Chain, even_stations, heads, scallops, teeth
from sitemap.plate.marks import Areas, Lines, Mark, Path, Text
from sitemap.plate.occupancy import HATCH_INK, Box
from sitemap.plate.points import is_closed, marker_outline, marker_size
from sitemap.plate.styles import Style, label_lines, styles_of
from sitemap.units import Area, AreaUnit

if TYPE_CHECKING:
    import geopandas

    from sitemap.site import RoleLayer

SAME_EDGE_IN = 0.012
HATCH_ALPHA = 0.6  # patterns stay behind lines and letters
TREE_WORDS = ("wood", "tree", "forest", "shrub", "hedge")
ITALIC_ROLES = ("streams", "waterbodies", "wetlands", "floodplain", "discharges")


def draw_role(drawing: MapDrawing, spec: LayerSpec, layer: RoleLayer) -> None:
    """Put everything of one role on the map."""
    frame = layer.usable
    if frame.empty:
        return
    if spec.role in ("contours_existing", "contours_proposed"):
        draw_contours(drawing, spec, frame)
        return
    for style, rows in styles_of(spec, frame):
        _draw_style(drawing, style, frame.iloc[rows])


def _draw_style(drawing: MapDrawing, style: Style, frame: geopandas.GeoDataFrame) -> None:
    parts, owner = shapely.get_parts(frame.geometry.to_numpy(), return_index=True)
    inner, at = shapely.get_parts(parts, return_index=True)  # collections hold multi-parts
    owner = owner[at]
    dimension = shapely.get_dimensions(inner)
    for size, draw in ((2, _draw_areas), (1, _draw_lines), (0, _draw_points)):
        rows = np.flatnonzero(dimension == size)
        if len(rows):
            draw(drawing, style, frame, inner[rows], owner[rows])


def _values(drawing: MapDrawing, frame: geopandas.GeoDataFrame, row: int) -> dict[str, object]:
    """The fields of one feature for its label; acres are measured where the data give none."""
    values = dict(frame.iloc[row].drop(labels=[frame.geometry.name]))
    shape = frame.geometry.iloc[row]
    if shapely.get_dimensions(shape) == 2 and pd.isna(values.get("acres")):
        values["acres"] = Area(float(shapely.area(shape)), AreaUnit.SQUARE_FOOT).acres
    return {str(k): v for k, v in values.items()}


def _label(
    drawing: MapDrawing, style: Style, frame: geopandas.GeoDataFrame, row: int
) -> tuple[str, ...]:
    return label_lines(style.label, _values(drawing, frame, row)) if style.label else ()


# ------------------------------------------------------------------------------------- areas


def _draw_areas(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
) -> None:
    polygons, part = clip_areas(shapes, drawing.frame)
    if not len(polygons):
        return
    outlines, _ = clip_lines(shapes, drawing.frame)
    if not len(outlines) and style.symbol.fill is None and style.symbol.hatch is None:
        return  # an area that holds the whole map shows nothing of itself
    scalloped = style.role == "vegetation" and _is_wooded(style, frame)
    drawing.note(style, 2, scalloped=scalloped)
    filled = polygons
    if style.role == "vegetation" and drawing.cleared is not None:
        # what grows where the ground is opened keeps its outline and loses its pattern
        filled = shapely.difference(polygons, drawing.cleared)
    for mark in area_marks(style, filled, _hatch_turned(drawing, style, polygons)):
        drawing.items.append(mark)
        if isinstance(mark, Lines):
            drawing.occupancy.add_ink(mark.paths, HATCH_INK)
    _outline(drawing, style, shapes, outlines, frame)
    _area_labels(drawing, style, frame, polygons, owner[part])


def area_marks(style: Style, polygons: GeometryArray, hatch: Hatch | None) -> list[Mark]:
    """Fill and hatch of polygons in inches, without their outline."""
    symbol = style.symbol
    marks: list[Mark] = []
    if symbol.fill:
        rings = tuple(rings_of(p) for p in shapely.get_parts(polygons) if not p.is_empty)
        marks.append(Areas(style.title, rings, symbol.fill, symbol.fill_alpha))
    if hatch is not None:
        paths = hatch_paths(polygons, hatch)
        if paths:
            dots = hatch.kind == "dots"
            marks.append(
                Lines(
                    style.title,
                    paths,
                    max(hatch.weight_pt, 0.9) if dots else hatch.weight_pt,
                    hatch.ink or symbol.ink,
                    alpha=HATCH_ALPHA,
                    cap="round" if dots else "butt",
                )
            )
    return marks


def _hatch_turned(drawing: MapDrawing, style: Style, polygons: GeometryArray) -> Hatch | None:
    """The style's hatch; on steep ground its lines run down the slope."""
    hatch = style.symbol.hatch
    if hatch is None or style.role != "steep_slopes" or drawing.fall is None:
        return hatch
    middle = shapely.point_on_surface(polygons[int(np.argmax(shapely.area(polygons)))])
    down = drawing.fall.at(middle.x, middle.y)
    if down is None:
        return hatch
    return hatch.model_copy(update={"angle_deg": float(np.degrees(np.arctan2(down[1], down[0])))})


def _outline(
    drawing: MapDrawing,
    style: Style,
    shapes: GeometryArray,
    outlines: GeometryArray,
    frame: geopandas.GeoDataFrame,
) -> None:
    if style.symbol.weight_pt <= 0.0 or not len(outlines):
        return
    if style.role == "vegetation" and _is_wooded(style, frame):
        side = 1.0 if _runs_left(outlines, shapes, drawing) else -1.0
        drawing.add_lines(
            LineWork(
                style.title,
                [Chain.of(scallops(Chain.of(p), 0.11, side)) for p in paths_of(outlines)],
                style.symbol.weight_pt,
                style.symbol.ink,
            )
        )
        return
    # an edge that two areas share is drawn once, else its dashes would fill each other
    shared = shapely.union_all(outlines)
    before = drawing.edges.get(style.role)
    if before is not None:  # flood fringe and floodway: the edge between them is the floodway's
        shared = shapely.difference(shared, shapely.buffer(before, SAME_EDGE_IN))
    drawing.edges[style.role] = shared if before is None else shapely.union(before, shared)
    merged = shapely.line_merge(shared)
    _line_work(drawing, style, list(paths_of(np.array([merged]))))


def _is_wooded(style: Style, frame: geopandas.GeoDataFrame) -> bool:
    said = f"{style.key} " + " ".join(str(v) for v in frame.get("cover", ()) if v is not None)
    return any(word in said.lower() for word in TREE_WORDS)


def _runs_left(outlines: GeometryArray, shapes: GeometryArray, drawing: MapDrawing) -> bool:
    """True when the outline has the area on its right, so that scallops bulge outward."""
    paper = shapely.union_all(clip_areas(shapes, drawing.frame)[0])
    chain = Chain.of(paths_of(outlines)[0])
    middle = chain.length / 2
    place, along = chain.point(middle)[0], chain.direction(middle)[0]
    left = shapely.Point(place + np.array([-along[1], along[0]]) * 0.02)
    return not bool(shapely.contains(paper, left))


def _area_labels(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    polygons: GeometryArray,
    row_of: np.ndarray,
) -> None:
    """One label for each feature, in its largest piece."""
    for row in np.unique(row_of):
        lines = _label(drawing, style, frame, int(row))
        if not lines:
            continue
        pieces = polygons[row_of == row]
        largest = pieces[int(np.argmax(shapely.area(pieces)))]
        drawing.labels.append(
            Label(
                style.role,
                style.title,
                lines,
                style.symbol.label_priority,
                "area",
                largest,
                ink=style.symbol.ink,
                italic=style.role in ITALIC_ROLES,
            )
        )


# ------------------------------------------------------------------------------------- lines


def _draw_lines(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
) -> None:
    lines, part = clip_lines(_in_flow(style, frame, shapes, owner), drawing.frame)
    if not len(lines):
        return
    drawing.note(style, 1)
    work = _line_work(drawing, style, list(paths_of(lines)))
    rows = owner[part]
    for row in np.unique(rows):
        text = _label(drawing, style, frame, int(row))
        if not text:
            continue
        mine = np.flatnonzero(rows == row)
        longest = int(mine[np.argmax(shapely.length(lines[mine]))])
        drawing.labels.append(
            Label(
                style.role,
                style.title,
                text,
                style.symbol.label_priority,
                _line_label_kind(style),
                lines[longest],
                ink=style.symbol.ink,
                italic=style.role in ITALIC_ROLES,
                work=work,
                chain=longest,
            )
        )


def _line_label_kind(style: Style) -> LabelKind:
    if style.role in ("roads", "streams"):
        return "along"
    if style.role in ("flow_arrows", "storm_sewers", "culverts"):
        return "beside"
    return "point"


def _in_flow(
    style: Style, frame: geopandas.GeoDataFrame, shapes: GeometryArray, owner: np.ndarray
) -> GeometryArray:
    """Lines turned so that they run with the water, where the data say that they do not."""
    if "flow_direction" not in frame.columns:
        return shapes
    against = np.array(
        [str(v).lower().startswith(("against", "reverse", "up")) for v in frame["flow_direction"]]
    )[owner]
    return np.where(against, shapely.reverse(shapes), shapes)


def _line_work(drawing: MapDrawing, style: Style, paths: list[Path]) -> LineWork:
    """The line with its arrows; letters and ticks are set when all symbols stand."""
    symbol = style.symbol
    work = LineWork(
        style.title, [Chain.of(p) for p in paths], symbol.weight_pt, symbol.ink, symbol.dash_pt
    )
    if symbol.arrows:
        work.extras.extend(arrow_heads(style, work.chains))
    if style.role == "drainage_areas":
        work.extras.extend(_uphill_teeth(drawing, work.chains))
        work.extra_weight_pt = max(0.5, symbol.weight_pt * 0.6)
    drawing.add_lines(work)
    if symbol.text or (symbol.ticks and style.role != "drainage_areas"):
        drawing.letters.append(LineLetters(work, style))
    return work


def arrow_heads(style: Style, chains: list[Chain]) -> list[Path]:
    """At the end of a flow arrow, at the middle of a pipe, every few inches of a stream."""
    found: list[Path] = []
    for chain in chains:
        if style.role == "flow_arrows":
            s, size = np.array([chain.length]), min(0.14, chain.length * 0.4)
        elif style.role in ("storm_sewers", "culverts"):
            s, size = np.array([chain.length / 2.0 + 0.05]), 0.10
        else:
            s, size = even_stations(chain.length, 3.0), 0.11
        if chain.length < 0.2 or not len(s):
            continue
        back = chain.direction(np.maximum(s - 0.05, 0.0), 0.05)
        found.extend(heads(chain.point(s), back, size))
    return found


def _uphill_teeth(drawing: MapDrawing, chains: list[Chain]) -> list[Path]:
    found: list[Path] = []
    for chain in chains:
        if drawing.fall is not None and chain.length > 0.5:
            found.extend(teeth(chain, 0.8, 0.06, -drawing.fall.side_of(chain)))
    return found


# ------------------------------------------------------------------------------------ points


def _draw_points(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
) -> None:
    places, part = clip_points(shapes, drawing.frame)
    if not len(places):
        return
    drawing.note(style, 0)
    size = marker_extent(style)
    if style.symbol.letters:
        places = _set_apart(drawing, style, places, size)
    for mark in marker_marks(style, places):
        (drawing.texts if isinstance(mark, Text) else drawing.items).append(mark)
    for x, y in places:
        drawing.occupancy.take(Box(float(x), float(y), size[0], size[1]))
    for (x, y), row in zip(places, owner[part], strict=True):
        text = _label(drawing, style, frame, int(row))
        if text:
            drawing.labels.append(
                Label(
                    style.role,
                    style.title,
                    text,
                    style.symbol.label_priority,
                    "point",
                    shapely.Point(float(x), float(y)),
                    ink=style.symbol.ink,
                    bold=style.role in ("discharges", "outfalls", "controls"),
                    reach_in=max(size) / 2.0,
                    flag=style.role == "discharges",
                )
            )


def _set_apart(drawing: MapDrawing, style: Style, places: Path, size: tuple[float, float]) -> Path:
    """Places moved off symbols that stand there already (an inlet under its protection).

    A short stroke ties the moved symbol to its place.
    """
    apart = places.copy()
    strokes = []
    for number, (x, y) in enumerate(places):
        here = Box(float(x), float(y), *size)
        if drawing.occupancy.free(here):
            drawing.occupancy.take(here)
            continue
        near = [
            Box(x + dx * (size[0] / 2.0 + reach), y + dy * (size[1] / 2.0 + reach), *size)
            for reach in (0.12, 0.2)
            for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1.2), (0, -1.2))
        ]
        free = [box for box in near if drawing.occupancy.free(box)]
        if not free:
            continue
        best = min(free, key=drawing.occupancy.ink_under)
        drawing.occupancy.take(best)
        apart[number] = best.x_in, best.y_in
        strokes.append(np.array([[x, y], [best.x_in, best.y_in]]))
    if strokes:
        drawing.items.append(Lines(style.title, tuple(strokes), 0.5, style.symbol.ink))
    return apart


def _marker(style: Style) -> tuple[str, str]:
    """Marker and letters; a line's or an area's symbol given as a point is letters in a circle."""
    symbol = style.symbol
    if symbol.marker:
        return symbol.marker, symbol.letters
    return "circle", symbol.letters or symbol.text or style.key[:3]


def marker_extent(style: Style) -> tuple[float, float]:
    """Width and height of a marker in inches."""
    marker, letters = _marker(style)
    letters_width = text_width_in(letters, MAP_CAP_IN, bold=True) if letters else 0.0
    return marker_size(marker, style.symbol.marker_size_in, letters_width)


def marker_marks(style: Style, places: Path) -> list[Mark]:
    """Marker, white under it, and its letters at places in inches."""
    symbol, size = style.symbol, marker_extent(style)
    marker, letters = _marker(style)
    outline = marker_outline(marker, *size)
    marks: list[Mark] = []
    if outline and is_closed(marker):
        filled = tuple((outline[0] + place,) for place in places)
        marks.append(Areas(style.title, filled, symbol.fill or "#ffffff", symbol.fill_alpha))
    if outline:
        strokes = tuple(stroke + place for place in places for stroke in outline)
        marks.append(Lines(style.title, strokes, symbol.weight_pt, symbol.ink, join="miter"))
    if letters:
        drop = 0.02 if marker == "triangle" else 0.0
        marks.extend(
            Text(
                style.title,
                float(x),
                float(y) - MAP_CAP_IN / 2.0 + drop,
                letters,
                MAP_CAP_IN,
                bold=True,
                ink=symbol.ink,
                ha="center",
            )
            for x, y in places
        )
    return marks
