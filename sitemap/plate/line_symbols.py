"""Lines on the map: dashes, arrow heads, teeth; letters and ticks are set later by letters.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.plate.clip import (
    GeometryArray,
    clip_lines,
    paths_of,
)
from sitemap.plate.drawing import Label, LabelKind, LineLetters, LineWork, MapDrawing
from sitemap.plate.lines import Chain, Chains, even_stations, heads, teeth
from sitemap.plate.marks import Path
from sitemap.plate.styles import Style

if TYPE_CHECKING:
    import geopandas


from sitemap.plate.feature_labels import ITALIC_ROLES, feature_label


def draw_lines(
    drawing: MapDrawing,
    style: Style,
    frame: geopandas.GeoDataFrame,
    shapes: GeometryArray,
    owner: np.ndarray,
) -> None:
    """Put lines of one style on the map; owner gives the row of the frame that each belongs to."""
    lines, part = clip_lines(_in_flow(style, frame, shapes, owner), drawing.frame)
    if not len(lines):
        return
    drawing.note(style, 1)
    work = line_work(drawing, style, paths_of(lines))
    rows = owner[part]
    for row in np.unique(rows):
        text = feature_label(style, frame, int(row))
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


def line_work(drawing: MapDrawing, style: Style, paths: Sequence[Path]) -> LineWork:
    """The line with its arrows; letters and ticks are set when all symbols stand."""
    symbol = style.symbol
    work = LineWork(style.title, Chains(paths), symbol.weight_pt, symbol.ink, symbol.dash_pt)
    if symbol.arrows:
        work.extras.extend(arrow_heads(style, work.chains))
    if style.role == "drainage_areas":
        work.extras.extend(_uphill_teeth(drawing, work.chains))
        work.extra_weight_pt = max(0.5, symbol.weight_pt * 0.6)
    drawing.add_lines(work)
    if symbol.text or (symbol.ticks and style.role != "drainage_areas"):
        drawing.letters.append(LineLetters(work, style))
    return work


def arrow_heads(style: Style, chains: Sequence[Chain]) -> list[Path]:
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


def _uphill_teeth(drawing: MapDrawing, chains: Sequence[Chain]) -> list[Path]:
    found: list[Path] = []
    for chain in chains:
        if drawing.fall is not None and chain.length > 0.5 and not drawing.fall.is_empty:
            found.extend(teeth(chain, 0.8, 0.06, -drawing.fall.side_of(chain)))
    return found
