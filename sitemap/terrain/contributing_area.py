"""Ground whose water comes to a line, place by place along it: how much runs together there.

Around the site the water is followed on larger cells, and where it comes onto the ground around
the lines it is handed over to the finer ones there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.lines import points_of
from sitemap.terrain.sheet_flow import SheetFlow, sheet_flow_of
from sitemap.terrain.surface import Surface

PLACE_FT = 20.0  # along a line is one place,
LEAST_CELLS = 2.0  # and so many cells at least: a hollow may lie on the side between two
AROUND_CELLS = 50_000  # of all the surface; a finer one is coarsened
ROOM_CELLS = 3.0  # of those, between a line and the edge of the ground of finer cells
OPEN_SHARE = 0.5  # of the water of one cell where the elevation ends: it comes here
ROUNDING_FT = 1e-6
AT_ONCE = 8  # lines: each takes three numbers a cell


@dataclass(frozen=True)
class ContributingArea:
    """Square feet that drain to the place of a line to which most does; its middle and length.

    run_on_sqft of them lie off the site. is_open where water may come to the line from ground
    whose elevation is not known.
    """

    sqft: float
    run_on_sqft: float
    xy: tuple[float, float]
    place_ft: float
    is_open: bool


@dataclass(frozen=True, eq=False)
class ContributingAreas:
    """The ways of water around a site, on which lines are laid. weights are what each cell adds.

    They are, in this order: square feet, those off the site, and places where elevation ends.
    """

    sheet: SheetFlow
    weights: np.ndarray
    taken: np.ndarray

    @property
    def place_ft(self) -> float:
        """How much of a line is one place."""
        return max(PLACE_FT, LEAST_CELLS * self.sheet.cell_ft)

    def at(self, lines: Sequence[BaseGeometry]) -> list[ContributingArea | None]:
        """What drains to each line, each water where it first meets it; None off known ground."""
        found: list[ContributingArea | None] = []
        for first in range(0, len(lines), AT_ONCE):
            some = [_outline(line) for line in lines[first : first + AT_ONCE]]
            under = [self.sheet.under([line]) & self.sheet.is_known for line in some]
            weights = np.concatenate([self.weights] * len(some))
            keeps = np.repeat([self.taken | each for each in under], len(self.weights), axis=0)
            summed = self.sheet.added_up(weights, keeps).reshape(len(some), *self.weights.shape)
            found += [self._most(*each) for each in zip(some, under, summed, strict=True)]
        return found

    def _most(
        self, line: BaseGeometry, under: np.ndarray, summed: np.ndarray
    ) -> ContributingArea | None:
        """The place of a line to which most drains. summed is what comes to each cell."""
        if not under.any():
            return None
        coming = summed[:, under]
        xy = self.sheet.xy[under[self.sheet.is_known]]
        along = _along(line, shapely.points(xy), self.place_ft)
        order = np.argsort(along, kind="stable")
        ends = np.searchsorted(along[order], along[order] + self.place_ft - ROUNDING_FT)
        upto = np.concatenate([np.zeros((3, 1)), np.cumsum(coming[:, order], axis=1)], axis=1)
        places = upto[:, ends] - upto[:, : len(order)]
        most = int(places[0].argmax())
        own = order[most : int(ends[most])]
        x, y = xy[own[coming[0, own].argmax()]].tolist()
        is_open = bool((places[2] >= OPEN_SHARE).any())
        sqft, outside = places[:2, most].tolist()
        return ContributingArea(sqft, outside, (x, y), self.place_ft, is_open)


def _outline(line: BaseGeometry) -> BaseGeometry:
    return shapely.boundary(line) if shapely.get_dimensions(line) == 2 else line


def _along(line: BaseGeometry, points: np.ndarray, apart: float) -> np.ndarray:
    """How far along a line each point lies; several parts one behind the other, apart."""
    parts = shapely.get_parts(line)
    starts = np.cumsum([0.0, *(shapely.length(parts[:-1]) + apart)])
    nearest = np.argmin([shapely.distance(part, points) for part in parts], axis=0)
    found: np.ndarray = starts[nearest] + shapely.line_locate_point(parts[nearest], points)
    return found


def contributing_areas(
    surface: Surface,
    boundary: BaseGeometry,
    lines: Sequence[BaseGeometry],
    taken: Sequence[BaseGeometry],
    before: Surface | None = None,
) -> ContributingAreas | None:
    """The ways of water over a site and the lines on it; None where the surface does not show it.

    taken are shapes that keep what comes to them: basins, diversions. before is the ground before
    grading; where only the site was graded, what comes to it is followed once for both.
    """
    whole = shapely.box(*surface.bounds)
    around = sheet_flow_of(before or surface, whole, AROUND_CELLS)
    if around is None:
        return None
    near = [line for line in lines if line.intersects(whole)]
    room = ROOM_CELLS * around.cell_ft  # so that what comes in meets a line at the edge, too
    ground = shapely.convex_hull(shapely.union_all([boundary, *near])).buffer(room)
    sheet = sheet_flow_of(surface, ground)
    if before is not None and not _same_around(surface, before, ground):
        around = sheet_flow_of(surface, whole, AROUND_CELLS)
    if sheet is None or around is None:
        return None
    off_site = np.where(sheet.under([boundary]), 0.0, sheet.own_sqft)
    weights = np.stack([sheet.own_sqft, off_site, sheet.at_end.astype(float)])
    _run_on(weights, sheet, surface, around, _coming_in(around, ground, tuple(taken)))
    return ContributingAreas(sheet, weights, sheet.under(taken))


def _same_around(one: Surface, other: Surface, ground: BaseGeometry) -> bool:
    """Whether two surfaces have the same cells and off some ground the same heights."""
    if one.z_ft.shape != other.z_ft.shape or one.transform != other.transform:
        return False
    differ = ~((one.z_ft == other.z_ft) | (np.isnan(one.z_ft) & np.isnan(other.z_ft)))
    xy = one.xy(*np.nonzero(differ))
    return bool(shapely.contains_xy(ground, xy).all())


@lru_cache(maxsize=2)
def _coming_in(
    around: SheetFlow, ground: BaseGeometry, taken: tuple[BaseGeometry, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Square feet, and places where elevation ends, that drain to each cell around from off it.

    (2, rows, columns), and which cells are on the ground.
    """
    here = np.zeros(around.is_known.shape, dtype=bool)
    here[around.is_known] = shapely.contains_xy(ground, around.xy)
    own = np.stack([around.own_sqft, around.at_end.astype(float)])
    return around.added_up(np.where(here, 0.0, own), here | around.under(taken)), here


def _run_on(
    weights: np.ndarray,
    sheet: SheetFlow,
    surface: Surface,
    around: SheetFlow,
    coming_in: tuple[np.ndarray, np.ndarray],
) -> None:
    """Add what comes from all around to the lowest cell of the sheet where it comes in."""
    coming, here = coming_in
    rows, columns = np.nonzero(here & (coming > 0).any(axis=0))
    if not len(rows):
        return
    to = _lowest_in(sheet, surface, around, rows, columns)
    sqft, ends = coming[:, rows, columns]
    for weight, more in zip(weights, (sqft, sqft, ends), strict=True):
        np.add.at(weight.reshape(-1), to, more)


def _lowest_in(
    sheet: SheetFlow, surface: Surface, around: SheetFlow, rows: np.ndarray, columns: np.ndarray
) -> np.ndarray:
    """The lowest known cell (flat) of a sheet inside each of some larger cells, else the nearest.

    There is none inside where the cells are no larger, and at the edge of the ground.
    """
    width = around.ring.shape[1]
    column = np.floor((sheet.xy[:, 0] - around.transform.c) / around.cell_ft).astype(int)
    row = np.floor((around.transform.f - sheet.xy[:, 1]) / around.cell_ft).astype(int)
    within = row * width + column
    order = np.lexsort([surface.heights_at(sheet.xy), within])
    has, first = np.unique(within[order], return_index=True)
    asked = rows * width + columns
    place = np.minimum(np.searchsorted(has, asked), len(has) - 1)
    found = order[first[place]]
    lacks = has[place] != asked
    if lacks.any():
        tree = shapely.STRtree(points_of(sheet.xy))
        xy = around.middles(rows[lacks], columns[lacks])
        found[lacks] = tree.nearest(shapely.points(xy))
    to: np.ndarray = np.flatnonzero(sheet.is_known)[found]
    return to
