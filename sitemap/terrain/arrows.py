"""Flow arrows: lines down the smoothed ground, with their slope, some in each area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.surface import Surface

REACH_FT = 15.0  # the ground is taken over this on either side: D8 knows only eight bearings
STEP_FT = 5.0
LENGTH_FT = 100.0
SHORTEST_FT = 20.0
NODES_FT = 40.0
ACRES_EACH = 3.0
MOST_ARROWS = 5
LEVEL_PCT = 0.1  # ground flatter than this has no direction to show
_SQFT_PER_ACRE = 43_560.0


@dataclass(frozen=True, eq=False)
class FlowArrow:
    """A line from high to low inside an area, with rise over run along it in percent."""

    area: int  # the place of its area in the list given
    line: BaseGeometry
    slope_pct: float


def flow_arrows(surface: Surface, areas: Sequence[BaseGeometry]) -> list[FlowArrow]:
    """One arrow per area and about one more for each 3 acres, at most five, spread out.

    An area that is level, void or too small for an arrow of 20 ft has none.
    """
    found = []
    for number, area in enumerate(areas):
        nodes = _nodes(area)
        paths, length, fall = _descend(surface, area, nodes)
        good = (length >= SHORTEST_FT) & (fall > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(good, 100.0 * fall / length, 0.0)
        good &= slope >= LEVEL_PCT
        whole = good & (length >= LENGTH_FT - STEP_FT / 2.0)
        choice = np.flatnonzero(whole if whole.any() else good)
        count = min(MOST_ARROWS, 1 + int(area.area / _SQFT_PER_ACRE / ACRES_EACH))
        for k in _spread(nodes, choice, slope, count):
            steps = round(float(length[k]) / STEP_FT) + 1
            line = shapely.simplify(shapely.LineString(paths[k, :steps]), 0.5)
            found.append(FlowArrow(number, line, round(float(slope[k]), 1)))
    return found


def _nodes(area: BaseGeometry) -> np.ndarray:
    """Places on a regular grid inside an area; of a small one a place inside it."""
    xmin, ymin, xmax, ymax = area.bounds
    x = np.arange(np.ceil(xmin / NODES_FT), np.floor(xmax / NODES_FT) + 1) * NODES_FT
    y = np.arange(np.ceil(ymin / NODES_FT), np.floor(ymax / NODES_FT) + 1) * NODES_FT
    xy = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    shapely.prepare(area)
    inside = xy[shapely.contains_xy(area, xy[:, 0], xy[:, 1])] if len(xy) else xy
    if len(inside):
        return inside
    return np.array([area.representative_point().coords[0][:2]])


def _descend(
    surface: Surface, area: BaseGeometry, nodes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Paths down the smoothed gradient while they fall and stay in the area: length and fall."""
    count = round(LENGTH_FT / STEP_FT)
    paths = np.repeat(nodes[:, None, :], count + 1, axis=1)
    start = surface.heights_at(nodes)
    length, fall = np.zeros(len(nodes)), np.zeros(len(nodes))
    going = np.isfinite(start)
    reach = max(REACH_FT, surface.cell_ft)
    for step in range(1, count + 1):
        at = np.flatnonzero(going)
        if not len(at):
            break
        down = -surface.gradient(paths[at, step - 1], reach)
        steep = np.hypot(down[:, 0], down[:, 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            there = paths[at, step - 1] + STEP_FT * down / steep[:, None]
        height = surface.heights_at(there)
        with np.errstate(invalid="ignore"):
            good = (steep * 100.0 >= LEVEL_PCT) & (start[at] - height > fall[at])
        good[good] = shapely.contains_xy(area, there[good, 0], there[good, 1])
        going[at[~good]] = False
        moved = at[good]
        paths[moved, step:] = there[good][:, None, :]
        length[moved] += STEP_FT
        fall[moved] = start[moved] - height[good]
    return paths, length, fall


def _spread(nodes: np.ndarray, choice: np.ndarray, slope: np.ndarray, count: int) -> list[int]:
    """Nodes far from each other; the first is the one whose slope is the middle one."""
    if not len(choice):
        return []
    order = choice[np.argsort(slope[choice], kind="stable")]
    taken = [int(order[len(order) // 2])]
    away = np.hypot(*(nodes[choice] - nodes[taken[0]]).T)
    while len(taken) < count and away.max() > LENGTH_FT:
        following = int(choice[np.argmax(away)])
        taken.append(following)
        away = np.minimum(away, np.hypot(*(nodes[choice] - nodes[following]).T))
    return taken
