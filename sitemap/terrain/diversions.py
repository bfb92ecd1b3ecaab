"""Water led along diversions and waterways, which are narrower than contours and cells show."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import LineString

from sitemap.measures.practices import CHANNELS, of_types
from sitemap.site import Site
from sitemap.terrain.cell_outlines import cells_touched
from sitemap.terrain.flow_field import FlowField, Jump, flow_field
from sitemap.terrain.surface import Surface


def led_along(site: Site, surface: Surface) -> tuple[dict[int, Jump], int]:
    """From each cell under a diversion or waterway to the next one down it; and how many lines.

    Water runs to the lower end of a line, as drawn where neither end is lower, and from there on
    as the ground alone leads it. Where two cross, the first drawn takes the water.
    """
    drawn = of_types(site.role("controls"), CHANNELS)
    if drawn is None or drawn.empty:
        return {}, 0
    parts = shapely.get_parts(shapely.force_2d(drawn.geometry.to_numpy()))
    lines = [_cells_down(line, surface) for line in parts[shapely.get_type_id(parts) == 1]]
    lines = [cells for cells in lines if len(cells) > 1]
    if not lines:
        return {}, 0
    plain = flow_field(surface)
    found: dict[int, Jump] = {}
    for cells in lines:
        chain = [*cells.tolist(), _onward(plain, cells)]
        for cell, following in pairwise(chain):
            if following != plain.outside:
                found.setdefault(cell, Jump(following))
    return found, len(lines)


def _onward(plain: FlowField, cells: np.ndarray) -> int:
    """The first cell on the way down from the end of a line whose water lies under all of it.

    Else the water of a hollow beside the line would come back to it, round and round.
    """
    lowest = float(plain.surface.z_ft.ravel()[cells].min())
    level = np.append(plain.spill_ft.ravel(), -np.inf)
    at = int(plain.receiver[cells[-1]])
    while level[at] >= lowest:
        at = int(plain.receiver[at])
    return at


def _cells_down(line: LineString, surface: Surface) -> np.ndarray:
    """The known cells (flat) that a line touches, from its upper end to its lower."""
    under = cells_touched([line], surface.z_ft.shape, surface.transform)
    cells = np.flatnonzero(under & np.isfinite(surface.z_ft))
    columns = surface.z_ft.shape[1]
    middles = shapely.points(surface.xy(cells // columns, cells % columns))
    along = shapely.line_locate_point(line, middles)
    off = shapely.distance(line, middles)
    cells = cells[np.lexsort([off, along])]
    if not len(cells):
        return cells
    first, last = surface.z_ft.ravel()[cells[[0, -1]]]
    return cells[::-1] if last > first else cells
