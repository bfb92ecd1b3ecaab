"""Which mistake of CRS would explain where a dataset lies: datum, unit, zone, or the other foot.

The two feet differ by 2 parts in a million: a few feet on State Plane, told by fitting corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs, linear_unit, same_crs, transform_points
from sitemap.measures.crs_shifts import (
    Landing,
    candidates,
    compass_ft,
    finite_bounds,
    how_they_differ,
    landing,
    ranked,
)
from sitemap.measures.whereabouts import Whereabouts
from sitemap.units import LengthUnit

NEIGHBOURS_DEG = 3.5  # reaches the next State Plane zone and the next UTM zone
METRE_FACTORS = (3937 / 1200, 1200 / 3937)  # numbers divided, or multiplied, by feet per metre
UNKNOWN = "EPSG:..."
CORNERS = 3  # fewer could fit by chance
FIT_FT = 0.05
FOOT_RATIO = float(LengthUnit.US_SURVEY_FOOT.metres / LengthUnit.FOOT.metres)  # 1.000002


def what_brings_home(
    shapes: np.ndarray, stated: Crs, place: Whereabouts, allowed_ft: float
) -> tuple[str, str]:
    """What would bring a far dataset within allowed_ft of a place, in words; and the code to write.

    shapes are in the stated CRS and hold a finite coordinate. The code is a placeholder unless
    exactly one reading explains it.
    """
    box = finite_bounds(shapes)
    if box is None:
        return "It has no finite coordinate.", UNKNOWN
    systems = candidates(box, place.crs, place.geometry, NEIGHBOURS_DEG)
    others = [crs for crs in systems if not same_crs(crs, stated)]
    home = [
        group[0]
        for group in ranked(box, others, place.crs, place.geometry, [stated])
        if group[0].gap_ft <= allowed_ft
    ]
    now = landing(box, stated, place.crs, place.geometry)
    if home:
        said = "; or as ".join(
            f"{there.name} it {_meets(there, place)}{_moved(now, there)}: "
            f"{how_they_differ(stated, there.crs)}"
            for there in home[:3]
        )
        if len(home) > 1:
            said += f". Extent alone cannot tell these {len(home)} apart"
        return f"Read as {said}.", (home[0].code or UNKNOWN) if len(home) == 1 else UNKNOWN
    for factor in METRE_FACTORS:
        scaled = landing(box, stated, place.crs, place.geometry, factor)
        if scaled is not None and scaled.gap_ft <= allowed_ft:
            times = "multiplied" if factor > 1 else "divided"
            why = how_they_differ(stated, stated, factor)
            return f"With its numbers {times} by 3.2808 it {_meets(scaled, place)}: {why}.", UNKNOWN
    exchanged = landing(box, stated, place.crs, place.geometry, swapped=True)
    if exchanged is not None and exchanged.gap_ft <= allowed_ft:
        return f"With x and y exchanged it {_meets(exchanged, place)}.", UNKNOWN
    return "No other datum, unit or neighbouring zone brings it to the site.", UNKNOWN


def _meets(there: Landing, place: Whereabouts) -> str:
    if there.gap_ft == 0:
        return f"would meet {place.words}"
    return f"would lie {there.gap_ft:,.0f} ft from {place.words}"


def _moved(now: Landing | None, there: Landing) -> str:
    """Where to a dataset would move: the offset between two readings."""
    if now is None:
        return ""
    offset = compass_ft(there.east_ft - now.east_ft, there.north_ft - now.north_ft)
    return f" (moved {offset})"


@dataclass(frozen=True)
class FootMistaken:
    """How far off the layer lies, how many corners of the boundary say so, and its true foot."""

    off_ft: float
    direction: str
    corners: int
    foot: str


def foot_mistaken(
    shapes: np.ndarray, crs: Crs, site_crs: Crs, boundary: BaseGeometry
) -> FootMistaken | None:
    """The layer's true foot where only exchanging the feet makes it fit; else None.

    shapes are in `crs`, the boundary in the site CRS. Only for a `crs` in feet.
    """
    unit = linear_unit(crs)
    if unit is None or not unit.is_foot:
        return None
    own = shapely.get_coordinates(shapes[~shapely.is_missing(shapes)])
    own = own[np.isfinite(own).all(axis=1)]
    if len(own) < CORNERS or shapely.get_num_coordinates(boundary) < CORNERS:
        return None
    corners = _corners_of(boundary)
    if len(corners.xy) < CORNERS:
        return None
    if _fitting(own, crs, site_crs, corners):
        return None
    survey = unit is LengthUnit.US_SURVEY_FOOT
    factor = 1 / FOOT_RATIO if survey else FOOT_RATIO  # stated unit to the other one
    count = _fitting(own * factor, crs, site_crs, corners)
    if count < CORNERS:
        return None
    shift = own.mean(axis=0) * (1 - factor)
    return FootMistaken(
        math.hypot(*shift),
        f"{'east' if shift[0] > 0 else 'west'} and {'north' if shift[1] > 0 else 'south'}",
        count,
        "international foot" if survey else "US survey foot",
    )


@dataclass(frozen=True, eq=False)
class _Corners:
    """The corners of a boundary, shape (n, 2), and the square feet in and beside which they lie.

    cells are the numbers of those in order, counted from the lowest in rows of a width.
    """

    xy: np.ndarray
    low: np.ndarray
    high: np.ndarray
    cells: np.ndarray
    tree: shapely.STRtree

    def number(self, cell: np.ndarray) -> np.ndarray:
        """The numbers of square feet (n, 2) between the lowest and the highest."""
        width = self.high[0] - self.low[0] + 1.0
        numbers: np.ndarray = (cell[:, 0] - self.low[0]) + width * (cell[:, 1] - self.low[1])
        return numbers

    def beside(self, xy: np.ndarray) -> np.ndarray:
        """The vertices in the same foot as a corner, or in one beside it: a million at once.

        Vertices that are not finite are beside none.
        """
        with np.errstate(invalid="ignore"):
            own = np.floor(xy)
            inside = np.flatnonzero(((own >= self.low) & (own <= self.high)).all(axis=1))
        number = self.number(own[inside])
        place = np.minimum(np.searchsorted(self.cells, number), len(self.cells) - 1)
        beside: np.ndarray = inside[self.cells[place] == number]
        return beside


@lru_cache(maxsize=2)  # every layer of a site is held against the same boundary
def _corners_of(boundary: BaseGeometry) -> _Corners:
    xy = np.unique(shapely.get_coordinates(boundary), axis=0)
    around = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    cells = (np.floor(xy)[:, None, :] + around).reshape(-1, 2)
    tree = shapely.STRtree(np.asarray(shapely.points(xy), dtype=object))
    nothing = np.empty(0)
    found = _Corners(xy, cells.min(axis=0), cells.max(axis=0), nothing, tree)
    return replace(found, cells=np.unique(found.number(cells)))


def _fitting(xy: np.ndarray, crs: Crs, site_crs: Crs, corners: _Corners) -> int:
    """How many corners of the boundary have a vertex of the layer on them."""
    x, y = transform_points(xy[:, 0], xy[:, 1], crs, site_crs)
    placed = np.column_stack([x, y])
    beside = corners.beside(placed)
    if not len(beside):
        return 0
    vertices = shapely.points(placed[beside])
    hits = corners.tree.query(vertices, predicate="dwithin", distance=FIT_FT)[1]
    return int(np.unique(hits).size)
