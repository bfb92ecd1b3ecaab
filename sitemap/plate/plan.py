"""How a site goes on paper: one sheet where it fits, else the fewest sheets with match lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.errors import PlateError, UsageError
from sitemap.measures.grid import RegularGrid, round_cell_ft
from sitemap.measures.map_extent import CORE_ROLES, margin_ft
from sitemap.measures.sheets import ENGINEERS_SCALES, SheetLayout, fit_scale, fits
from sitemap.measures.tiling import Tiling, fewest_sheets, turned
from sitemap.ordinance import Ordinance
from sitemap.plate.map_frame import (
    adjacent_distance,
    core_of,
    ground_frame,
    max_scale,
    site_grid,
    submitted_grid,
    turned_bounds,
    wanted_scale,
)
from sitemap.plate.marks import GroundFrame
from sitemap.site import Site
from sitemap.units import MapScale

NORTH_UP, NORTH_LEFT = 0, 90
TILED_ROLES = (*CORE_ROLES, "discharges")  # what SCL005 looks for on the sheets
OVERLAP_IN = 0.5  # shown beyond a match line, at least
MOST_SHEETS = 60
COARSE_FT = 1.0  # to which the outline of the ground is simplified before sheets are laid


@dataclass(frozen=True)
class SinglePlan:
    """One sheet holds the site, at the scale asked for or at the one that compose finds."""

    rotation_deg: int


@dataclass(frozen=True, eq=False)
class SetPlan:
    """Several sheets: a frame for each tile, one grid over all of them.

    grid_note says why the grid is not the one that was handed in, "" when it is.
    """

    scale: MapScale
    rotation_deg: int
    tiling: Tiling
    frames: tuple[GroundFrame, ...]
    grid: RegularGrid
    grid_note: str = ""

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


def parse_rotation(text: str | None) -> int | None:
    """0 for "up", 90 for "left", None for "auto": whichever takes fewer sheets.

    UsageError for other turns, which would set grid and lettering askew.
    """
    words = (text or "auto").strip().lower().removesuffix("°")
    known = {"auto": None, "up": NORTH_UP, "0": NORTH_UP, "left": NORTH_LEFT, "90": NORTH_LEFT}
    if words not in known:
        raise UsageError(
            f"--rotation {text!r}: north can lie up (0) or left (90), or auto for whichever takes "
            "fewer sheets. Other turns would set the grid askew to the sheet, and are not drawn"
        )
    return known[words]


def plan_sheets(
    site: Site,
    ordinance: Ordinance,
    layout: SheetLayout,
    scale: float | str | None,
    rotation_deg: int | None = None,
) -> SinglePlan | SetPlan:
    """One sheet if the site fits it with north up or as asked, else a set.

    scale is feet per inch or "auto": then the largest that fits one sheet, and for a set the
    smallest engineer's scale that the ordinance allows. PlateError when nothing can be drawn, or
    only on more sheets than anyone would turn over.
    """
    most = max_scale(ordinance)
    adjacent = adjacent_distance(ordinance)
    core = core_of(site, adjacent)
    rotations = (NORTH_UP, NORTH_LEFT) if rotation_deg is None else (rotation_deg,)
    asked = None if scale is None or isinstance(scale, str) else wanted_scale(float(scale), most)
    for rotation in rotations:
        left, bottom, right, top = turned_bounds(core, rotation)
        size = right - left, top - bottom
        if (
            fit_scale(*size, layout.name, max_scale=most) is not None
            if asked is None
            else fits(*size, layout.name, asked)
        ):
            return SinglePlan(rotation)
    chosen = asked or MapScale(float(max(s for s in ENGINEERS_SCALES if s <= most.feet_per_inch)))
    ground = ground_to_show(site, margin_ft(site, adjacent))
    plans = [_set(site, layout, ground, chosen, rotation) for rotation in rotations]
    return min(plans, key=lambda plan: len(plan.frames))


def ground_to_show(site: Site, margin: float) -> BaseGeometry:
    """Boundary, disturbance, controls and discharges with the margin around each of them."""
    layers = [layer for role in TILED_ROLES if (layer := site.role(role)) is not None]
    shapes = np.concatenate([layer.usable.geometry.to_numpy() for layer in layers])
    joined = shapely.union_all(shapely.make_valid(shapely.force_2d(shapes)))
    grown: BaseGeometry = shapely.buffer(joined, max(margin, COARSE_FT), quad_segs=4)
    return shapely.simplify(grown, COARSE_FT)


def _set(
    site: Site, layout: SheetLayout, ground: BaseGeometry, scale: MapScale, rotation_deg: int
) -> SetPlan:
    left, bottom, right, top = layout.frame
    size = scale.ground_ft(right - left), scale.ground_ft(top - bottom)
    submitted = submitted_grid(site)
    cell = round_cell_ft(max(size), scale) if submitted is None else submitted.cell_ft
    # lines of the grid lie on whole cells from here
    zero = np.zeros(2) if submitted is None else np.array([submitted.x0_ft, submitted.y0_ft])
    moved = shapely.transform(ground, lambda xy: turned(xy - zero, rotation_deg))
    least = int(ground.area / (size[0] * size[1])) + 1  # told before time is spent on laying them
    tiling = (
        fewest_sheets(moved, size, scale.ground_ft(OVERLAP_IN), cell)
        if least <= MOST_SHEETS
        else None
    )
    if tiling is None or len(tiling.tiles) > MOST_SHEETS:
        count = f"at least {least}" if tiling is None else str(len(tiling.tiles))
        raise PlateError(
            f"at {scale} the site takes {count} sheets of {layout.name}, more than "
            f"{MOST_SHEETS}; ask for more feet per inch or a larger sheet"
        )
    shift = turned(zero[None, :], rotation_deg)[0]
    frames = tuple(
        ground_frame(
            site,
            layout,
            (tile.frame_ft[0] + shift[0], tile.frame_ft[1] + shift[1]),
            scale,
            rotation_deg,
        )
        for tile in tiling.tiles
    )
    grid = site_grid(*frames, submitted=submitted)
    other = site.role("grid") is not None and grid is not submitted
    return SetPlan(
        scale, rotation_deg, tiling.moved(float(shift[0]), float(shift[1])), frames, grid,
        GRID_NOTE if other else "",
    )  # fmt: skip


GRID_NOTE = (
    "The submitted grid is not regular, or does not cover the ground of all sheets: another one is "
    "drawn, the same on all of them."
)


def frame_grounds(frames: Sequence[GroundFrame]) -> tuple[BaseGeometry, ...]:
    """What each frame shows, as a polygon in ground feet."""
    return tuple(shapely.Polygon(frame.corners_ft) for frame in frames)
