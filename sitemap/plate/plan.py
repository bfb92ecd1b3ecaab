"""How a site goes on paper: one sheet where it fits, else the fewest sheets with match lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.errors import PlateError
from sitemap.measures.grid import RegularGrid
from sitemap.measures.map_extent import CORE_ROLES, grown, margin_ft
from sitemap.measures.rotation import (
    AUTO,
    NORTH_LEFT,
    NORTH_UP,
    Wish,
    turns_for_one,
    turns_for_set,
)
from sitemap.measures.sheets import ENGINEERS_SCALES, SheetLayout, fit_scale, fits
from sitemap.measures.tiling import Tiling, fewest_sheets, rough_count
from sitemap.measures.turn import turned, turned_bounds
from sitemap.ordinance import Ordinance
from sitemap.plate.map_frame import (
    adjacent_distance,
    core_of,
    grid_lines_of,
    ground_frame,
    max_scale,
    wanted_scale,
)
from sitemap.plate.marks import GroundFrame
from sitemap.plate.site_grid import site_grid, submitted_grid
from sitemap.site import Site
from sitemap.units import MapScale

TILED_ROLES = (*CORE_ROLES, "discharges")  # what SCL005 looks for on the sheets
OVERLAP_IN = 0.5  # shown beyond a match line, at least
MOST_SHEETS = 60
MOST_ASKEW = 3  # turns other than north up and left that are laid in full
ONLY_TURNED = "one sheet holds the site only when it is turned"
COARSE_FT = 1.0  # to which the outline of the ground is simplified before sheets are laid


@dataclass(frozen=True)
class SinglePlan:
    """One sheet holds the site, at the scale asked for or at the one that compose finds.

    why_turned says what made auto turn the site, "" when it did not.
    """

    rotation_deg: float
    why_turned: str = ""


@dataclass(frozen=True, eq=False)
class SetPlan:
    """Several sheets: a frame for each tile, one grid over all of them.

    grid_note says why the grid is not the one that was handed in, "" when it is; why_turned what
    made auto turn the site.
    """

    scale: MapScale
    rotation_deg: float
    tiling: Tiling
    frames: tuple[GroundFrame, ...]
    grid: RegularGrid
    grid_note: str = ""
    why_turned: str = ""

    @property
    def centres_ft(self) -> list[tuple[float, float]]:
        """The middles of the frames on the ground, in the order of the tiles."""
        middles = [frame.corners_ft.mean(axis=0) for frame in self.frames]
        return [(float(x), float(y)) for x, y in middles]

    @property
    def reach_ft(self) -> float:
        """How far a sheet may move and still be the same: half the shorter side of its ground."""
        left, bottom, right, top = self.tiling.tiles[0].frame_ft
        return min(right - left, top - bottom) / 2.0


def plan_sheets(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    scale: float | str | None,
    rotation: Wish = AUTO,
) -> SinglePlan | SetPlan:
    """One sheet if the site fits it with north up or as asked, else a set.

    scale is feet per inch or "auto": then the largest that fits one sheet, and for a set the
    smallest engineer's scale that the ordinance allows. PlateError when nothing can be drawn, or
    only on more sheets than anyone would turn over.
    """
    most = max_scale(ordinance)
    margin = margin_ft(site, adjacent_distance(ordinance))
    core = core_of(site)
    asked = None if scale is None or isinstance(scale, str) else wanted_scale(float(scale), most)
    for turn in turns_for_one(rotation, core):
        left, bottom, right, top = grown(turned_bounds(core, turn), margin)
        size = right - left, top - bottom
        if (
            fit_scale(*size, layout.name, max_scale=most) is not None
            if asked is None
            else fits(*size, layout.name, asked)
        ):
            return SinglePlan(turn, ONLY_TURNED if rotation == AUTO and turn else "")
    chosen = asked or MapScale(float(max(s for s in ENGINEERS_SCALES if s <= most.feet_per_inch)))
    ground = ground_to_show(site, margin)
    turns = _promising(turns_for_set(rotation, core), ground, _ground_size(layout, chosen), chosen)
    laid = {turn: _laid(site, layout, ground, chosen, turn) for turn in turns}
    found = {turn: tiling for turn, tiling in laid.items() if not isinstance(tiling, int)}
    best = min(found, key=lambda turn: len(found[turn].tiles), default=None)
    if best is None or len(found[best].tiles) > MOST_SHEETS:
        raise PlateError(_too_many(layout, chosen, laid))
    why = _why_turned(found, best) if rotation == AUTO else ""
    return _set(site, layout, chosen, best, found[best], why)


def _promising(
    turns: tuple[float, ...], ground: BaseGeometry, size: tuple[float, float], scale: MapScale
) -> tuple[float, ...]:
    """The turns that are laid in full: north up and left, and of the others those that take the
    fewest sheets by a quick count.
    """
    if len(turns) <= 2 or ground.area > MOST_SHEETS * size[0] * size[1]:
        return turns[:2]
    plain, others = turns[:2], turns[2:]
    overlap = scale.ground_ft(OVERLAP_IN)

    def sheets(turn: float) -> int:
        return rough_count(shapely.transform(ground, lambda xy: turned(xy, turn)), size, overlap)

    return (*plain, *sorted(others, key=sheets)[:MOST_ASKEW])


def _why_turned(found: Mapping[float, Tiling], best: float) -> str:
    """What the turn that auto chose saves, in words; "" where north is up."""
    if best == NORTH_UP:
        return ""
    others = {"north up": found.get(NORTH_UP), "north left": found.get(NORTH_LEFT)}
    told = [
        f"{len(tiling.tiles)} with {words}"
        for words, tiling in others.items()
        if tiling is not None and tiling is not found[best]
    ]
    return f"{len(found[best].tiles)} map sheets, instead of {' or '.join(told)}" if told else ""


def _too_many(layout: SheetLayout, scale: MapScale, laid: Mapping[float, Tiling | int]) -> str:
    """That no turn brings the site on few enough sheets; a number in `laid` is the least of one."""
    least = min(len(one.tiles) if isinstance(one, Tiling) else one for one in laid.values())
    said = "at least " if all(isinstance(one, int) for one in laid.values()) else ""
    return (
        f"at {scale} the site takes {said}{least} sheets of {layout.name}, more than "
        f"{MOST_SHEETS}; ask for more feet per inch or a larger sheet"
    )


def ground_to_show(site: Site, margin: float) -> BaseGeometry:
    """Boundary, disturbance, controls and discharges with the margin around each of them."""
    layers = [layer for role in TILED_ROLES if (layer := site.role(role)) is not None]
    shapes = np.concatenate([layer.shapes for layer in layers])
    joined = shapely.union_all(shapely.make_valid(shapely.force_2d(shapes)))
    grown: BaseGeometry = shapely.buffer(joined, max(margin, COARSE_FT), quad_segs=4)
    return shapely.simplify(grown, COARSE_FT)


def _laid(
    site: Site, layout: SheetLayout, ground: BaseGeometry, scale: MapScale, rotation_deg: float
) -> Tiling | int:
    """Sheets over the ground, along the axes of the paper; how many it takes at least, where that
    is more than can be.
    """
    size = _ground_size(layout, scale)
    least = int(ground.area / (size[0] * size[1])) + 1  # told before time is spent on laying them
    if least > MOST_SHEETS:
        return least
    lines = grid_lines_of(site, max(size), scale, rotation_deg)
    # lines of the grid lie on whole cells from here
    zero = np.array(lines.through_ft)
    moved = shapely.transform(ground, lambda xy: turned(xy, rotation_deg) - zero)
    tiling = fewest_sheets(moved, size, scale.ground_ft(OVERLAP_IN), lines.cell_ft)
    return tiling.moved(*lines.through_ft)


def _ground_size(layout: SheetLayout, scale: MapScale) -> tuple[float, float]:
    left, bottom, right, top = layout.frame
    return scale.ground_ft(right - left), scale.ground_ft(top - bottom)


def _set(
    site: Site,
    layout: SheetLayout,
    scale: MapScale,
    rotation_deg: float,
    tiling: Tiling,
    why: str,
) -> SetPlan:
    frames = tuple(
        ground_frame(site, layout, tile.frame_ft[:2], scale, rotation_deg) for tile in tiling.tiles
    )
    submitted = submitted_grid(site)
    grid = site_grid(*frames, submitted=submitted)
    other = site.role("grid") is not None and grid is not submitted
    return SetPlan(scale, rotation_deg, tiling, frames, grid, GRID_NOTE if other else "", why)


GRID_NOTE = (
    "The submitted grid is not regular, lies askew to the sheets, or does not cover the ground of "
    "all of them: another one is drawn, the same on all sheets."
)


def frame_grounds(frames: Sequence[GroundFrame]) -> tuple[BaseGeometry, ...]:
    """What each frame shows, as a polygon in ground feet."""
    return tuple(shapely.Polygon(frame.corners_ft) for frame in frames)
