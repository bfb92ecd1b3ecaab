"""Areas on the map: fill, pattern and outline of their symbol, and the label they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.catalogue import Hatch
from sitemap.plate.clip import (
    GeometryArray,
    clip_areas,
    clip_lines,
    paths_of,
    rings_of,
)
from sitemap.plate.drawing import Label, LineWork, MapDrawing
from sitemap.plate.hatches import hatch_paths
from sitemap.plate.lines import Chain, Chains, scallops
from sitemap.plate.marks import Areas, Lines, Mark
from sitemap.plate.occupancy import HATCH_INK
from sitemap.plate.styles import Style

if TYPE_CHECKING:
    import geopandas


from sitemap.plate.feature_labels import ITALIC_ROLES, feature_label
from sitemap.plate.line_symbols import line_work

SAME_EDGE_IN = 0.012
HATCH_ALPHA = 0.6  # patterns stay behind lines and letters
TREE_WORDS = ("wood", "tree", "forest", "shrub", "hedge")


def draw_areas(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
    *,
    scalloped: bool = False,
) -> None:
    """Put areas of one style on the map; owner gives the row of the frame that each belongs to.

    A scalloped outline is that of trees.
    """
    polygons, part = clip_areas(shapes, drawing.frame)
    if not len(polygons):
        return
    outlines, _ = clip_lines(shapes, drawing.frame)
    if not len(outlines) and style.symbol.fill is None and style.symbol.hatch is None:
        return  # an area that holds the whole map shows nothing of itself
    drawing.note(style, 2, scalloped=scalloped)
    filled = polygons
    if style.role == "vegetation" and drawing.cleared is not None:
        # what grows where the ground is opened keeps its outline and loses its pattern
        filled = shapely.difference(polygons, drawing.cleared)
    for some, hatch in _hatched(drawing, style, filled):
        for mark in area_marks(style, some, hatch):
            drawing.items.append(mark)
            if isinstance(mark, Lines):
                drawing.occupancy.add_ink(mark.paths, HATCH_INK)
    _outline(drawing, style, polygons, outlines, scalloped)
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


def _hatched(
    drawing: MapDrawing, style: Style, polygons: GeometryArray
) -> Iterator[tuple[GeometryArray, Hatch | None]]:
    """Polygons with the style's hatch; of steep ground each with lines down its own slope."""
    hatch = style.symbol.hatch
    if hatch is None or style.role != "steep_slopes" or drawing.fall is None:
        yield polygons, hatch
        return
    for number in range(len(polygons)):
        one = polygons[number : number + 1]
        middle = shapely.point_on_surface(one[0])
        down = None if middle.is_empty else drawing.fall.at(middle.x, middle.y)
        if down is None:
            yield one, hatch
            continue
        turn = float(np.degrees(np.arctan2(down[1], down[0])))
        yield one, hatch.model_copy(update={"angle_deg": turn})


def _outline(
    drawing: MapDrawing,
    style: Style,
    polygons: GeometryArray,
    outlines: GeometryArray,
    scalloped: bool,
) -> None:
    if style.symbol.weight_pt <= 0.0 or not len(outlines):
        return
    if scalloped:
        side = 1.0 if _runs_left(outlines, polygons) else -1.0
        drawing.add_lines(
            LineWork(
                style.title,
                Chains([scallops(Chain.of(p), 0.11, side) for p in paths_of(outlines)]),
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
    line_work(drawing, style, paths_of(np.array([merged])))


def is_wooded(style: Style, frame: geopandas.GeoDataFrame, rows: np.ndarray) -> bool:
    """Whether a style of vegetation, or the cover of one of these rows, is trees or shrubs."""
    cover = frame["cover"].to_numpy()[rows] if "cover" in frame.columns else ()
    said = f"{style.key} " + " ".join(str(v) for v in cover if v is not None)
    return any(word in said.lower() for word in TREE_WORDS)


def _runs_left(outlines: GeometryArray, polygons: GeometryArray) -> bool:
    """True when the outline has the area on its right, so that scallops bulge outward."""
    chain = Chain.of(paths_of(outlines)[0])
    middle = chain.length / 2
    place, along = chain.point(middle)[0], chain.direction(middle)[0]
    left = place + np.array([-along[1], along[0]]) * 0.02
    return not bool(shapely.contains_xy(polygons, *left).any())


def _area_labels(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    polygons: GeometryArray,
    row_of: np.ndarray,
) -> None:
    """One label for each feature, in its largest piece."""
    for row in np.unique(row_of):
        lines = feature_label(style, frame, int(row))
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
