"""Each role with its conventional symbol, put on the map. What a symbol is stands in layers/*.toml.

How areas, lines and points are drawn is in area_symbols.py, line_symbols.py, point_symbols.py.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.plate.clip import reaches
from sitemap.plate.contour_lines import draw_contours
from sitemap.plate.drawing import MapDrawing
from sitemap.plate.marks import PhasedLayer
from sitemap.plate.styles import Style, styles_of

if TYPE_CHECKING:
    import geopandas

    from sitemap.measures.phases import Phases
    from sitemap.site import RoleLayer


from sitemap.plate.area_symbols import draw_areas, is_wooded
from sitemap.plate.line_symbols import draw_lines
from sitemap.plate.point_symbols import draw_points


def draw_role(
    drawing: MapDrawing, spec: LayerSpec, layer: RoleLayer, phases: Phases | None = None
) -> None:
    """Put everything of one role on the map; what stands in some phases only so that it can be
    switched with them.
    """
    frame = layer.usable
    if frame.empty:
        return
    if spec.role in ("contours_existing", "contours_proposed"):
        draw_contours(drawing, spec, frame)
        return
    for style, rows in styles_of(spec, frame):
        for one, some in _by_phase(style, rows, phases):
            _draw_style(drawing, one, frame, some)


def _by_phase(
    style: Style, rows: np.ndarray, phases: Phases | None
) -> list[tuple[Style, np.ndarray]]:
    """The style for each set of phases in which some of its rows stand."""
    standing = phases.stands.get(style.role) if phases is not None else None
    if phases is None or standing is None or standing[rows].all():
        return [(style, rows)]
    sets, which = np.unique(standing[rows], axis=0, return_inverse=True)
    found = []
    for number, stands in enumerate(sets):
        some = rows[which.ravel() == number]
        if stands.all():
            found.append((style, some))
            continue
        names = tuple(name for name, there in zip(phases.names, stands, strict=True) if there)
        title = PhasedLayer(style.title, names, phases.names)
        found.append((replace(style, title=title), some))
    return found


def _draw_style(
    drawing: MapDrawing, style: Style, frame: geopandas.GeoDataFrame, rows: np.ndarray
) -> None:
    """Put the features of these rows on the map, as far as they lie about it."""
    shapes = frame.geometry.to_numpy()[rows]
    near = reaches(shapes, drawing.frame.ground_box_ft)
    parts, owner = shapely.get_parts(shapes[near], return_index=True)
    inner, at = shapely.get_parts(parts, return_index=True)  # collections hold multi-parts
    owner = rows[near][owner[at]]
    dimension = shapely.get_dimensions(inner)
    scalloped = style.role == "vegetation" and is_wooded(style, frame, rows)  # on every sheet
    areas = partial(draw_areas, scalloped=scalloped)
    for size, draw in ((2, areas), (1, draw_lines), (0, draw_points)):
        here = np.flatnonzero(dimension == size)
        if len(here):
            draw(drawing, style, frame, inner[here], owner[here])
