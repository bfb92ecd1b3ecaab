"""A layer on the wrong datum that still lies on the site: UTM on NAD27 read as NAD83, 700 ft off.

No distance shows it. What can: corners that fit the other layers only after the shift, or work
that lies outside the site as stated and inside it after the shift.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import (
    Crs,
    crs_label,
    datum_name,
    linear_unit,
    lonlat,
    parse_crs,
    rough_lonlat,
    transform_points,
)
from sitemap.crs.registered import DEGREE_SYSTEMS, registered_nad27, systems_around

CORNERS = 4  # that must fit; fewer do by chance
FIT_FT = 0.5
SHARE = 0.3  # of the layer's vertices
ROUGH_FT = 60.0  # the shift is known to 12 m where no grid is installed
LARGEST_FT = 5280.0  # a larger slip is a far layer
FT_PER_DEG = 364_000.0  # of latitude
MOST_VERTICES = 20_000
INSIDE, OUTSIDE = 0.99, 0.5  # shares of the work that lie in the site


@dataclass(frozen=True)
class Slip:
    """The sibling system, how far it moves the layer, and what speaks for it in words.

    evidence is empty where nothing tells the two apart.
    """

    name: str
    crs: Crs
    east_ft: float
    north_ft: float
    evidence: str

    @property
    def size_ft(self) -> float:
        """Length of the shift."""
        return math.hypot(self.east_ft, self.north_ft)


def sibling(stated: Crs, x: float, y: float) -> Crs | None:
    """The same system on the other North American datum (1927 or 1983); None where there is none.

    x, y: a place of the layer in its own numbers.
    """
    ours = _family(stated)
    if ours is None:
        return None
    lon, lat = (float(v) for v in (lonlat(x, y, stated) if stated.is_projected else (x, y)))
    if not (math.isfinite(lon) and math.isfinite(lat)):
        return None
    if stated.is_geographic:
        return parse_crs(DEGREE_SYSTEMS[3] if ours == 1983 else DEGREE_SYSTEMS[0])
    return _alike(stated, ours, round(lon, 1), round(lat, 1))


@lru_cache(maxsize=64)
def _alike(stated: Crs, ours: int, lon: float, lat: float) -> Crs | None:
    """The system of the same zone and unit on the other datum around a place in degrees."""
    if ours == 1983 and _is_old_zone(stated):
        first = registered_nad27(_zone(stated), lon, lat)  # no name on NAD27 is shorter
        if first is not None and linear_unit(first) is linear_unit(stated):
            return first
    alike = [
        crs
        for crs in systems_around(lon, lat)
        if _zone(crs) == _zone(stated)
        and _family(crs) not in (None, ours)
        and linear_unit(crs) is linear_unit(stated)
    ]
    return min(alike, key=lambda crs: len(crs.name), default=None)


def _is_old_zone(crs: Crs) -> bool:
    """True for State Plane and UTM, which nearly always had the same zone on NAD27."""
    operation = crs.coordinate_operation
    return operation is not None and operation.name.startswith(("SPCS83", "UTM zone"))


def _family(crs: Crs) -> int | None:
    """1927 or 1983 by the datum's name."""
    datum = datum_name(crs)
    if "1927" in datum:
        return 1927
    return 1983 if "1983" in datum or "NAD83" in datum or "1984" in datum else None


def _zone(crs: Crs) -> str:
    name: str = crs.name
    return name.rpartition(" / ")[2].partition(" (")[0].strip()


def datum_slip(
    shapes: np.ndarray,
    stated: Crs,
    site_crs: Crs,
    corners: np.ndarray,
    boundary: BaseGeometry | None,
) -> Slip | None:
    """Whether a layer on the site may be on the other datum; None where that is out of question.

    shapes in the stated CRS; corners (n, 2) of the other layers and the boundary in the site CRS.
    The boundary is given only for work that belongs inside it.
    """
    if shapely.get_num_coordinates(shapes).sum() > MOST_VERTICES:
        return None
    own = shapely.get_coordinates(shapes[~shapely.is_missing(shapes)])
    own = own[np.isfinite(own).all(axis=1)]
    if not len(own):
        return None
    middle = np.median(own, axis=0).tolist()
    other = sibling(stated, *middle)
    if other is None or _far_apart(stated, other, *middle):
        return None
    own = _distinct(own)
    now = np.column_stack(transform_points(own[:, 0], own[:, 1], stated, site_crs))
    then = np.column_stack(transform_points(own[:, 0], own[:, 1], other, site_crs))
    shift = np.median(then - now, axis=0)
    if not np.isfinite(shift).all() or not 2 * ROUGH_FT < math.hypot(*shift) <= LARGEST_FT:
        return None
    if _fitting(now, corners) >= CORNERS:
        return None
    evidence = _by_corners(then, corners)
    if not evidence and boundary is not None:
        evidence = _by_boundary(now, then, boundary)
    return Slip(crs_label(other), other, float(shift[0]), float(shift[1]), evidence)


def _far_apart(stated: Crs, other: Crs, x: float, y: float) -> bool:
    """True when one number stands for places so far apart that no datum shift is in question.

    By bare projections: State Plane was given other origins with NAD83, and a transformation
    between the datums takes PROJ a hundred times as long to make.
    """
    if stated.is_geographic:
        return False
    (lon, lat), (there, above) = (rough_lonlat(x, y, crs) for crs in (stated, other))
    east = (there - lon) * FT_PER_DEG * math.cos(math.radians(lat))
    return math.hypot(east, (above - lat) * FT_PER_DEG) > 2 * LARGEST_FT


def _distinct(xy: np.ndarray) -> np.ndarray:
    """Each place once; as complex numbers, which sort several times as fast as rows do."""
    once = np.unique(xy[:, 0] + 1j * xy[:, 1])
    return np.column_stack([once.real, once.imag])


def _fitting(xy: np.ndarray, corners: np.ndarray) -> int:
    """How many corners have a vertex on them."""
    tree = shapely.STRtree(_points(corners))
    hit = tree.query(shapely.points(xy), predicate="dwithin", distance=FIT_FT)[1]
    return int(np.unique(hit).size)


def _by_corners(then: np.ndarray, corners: np.ndarray) -> str:
    """One small further shift that puts several vertices on corners, where one stands out."""
    points = shapely.points(then)
    a, b = shapely.STRtree(_points(corners)).query(points, predicate="dwithin", distance=ROUGH_FT)
    if len(a) < CORNERS:
        return ""
    rest = corners[b] - then[a]
    near = shapely.STRtree(_points(rest))
    i, j = near.query(_points(rest), predicate="dwithin", distance=FIT_FT)
    pairs = pandas.DataFrame({"shift": i, "vertex": a[j], "corner": b[j]})
    # distinct vertices on distinct corners: copies of one corner must not count as several
    counted = pairs.groupby("shift")[["vertex", "corner"]].nunique().min(axis=1)
    shifts, votes = rest[counted.index.to_numpy()], counted.to_numpy()
    best, fitting = shifts[int(votes.argmax())], int(votes.max())
    second = int(votes[np.hypot(*(shifts - best).T) > 2 * FIT_FT].max(initial=0))
    if fitting < max(CORNERS, SHARE * len(then), 2 * second):
        return ""
    return (
        f"{fitting} corners of the other layers fit it then to {FIT_FT:g} ft (after a further "
        f"{math.hypot(*best):.0f} ft, within what the datum shift is known to), none as it is"
    )


def _points(xy: np.ndarray) -> np.ndarray:
    return np.asarray(shapely.points(xy), dtype=object)


def _by_boundary(now: np.ndarray, then: np.ndarray, boundary: BaseGeometry) -> str:
    """Work outside the site as stated, and inside it after the shift."""
    room = shapely.buffer(boundary, ROUGH_FT)
    shapely.prepare(room)
    inside_now = float(shapely.contains_xy(room, now[:, 0], now[:, 1]).mean())
    inside_then = float(shapely.contains_xy(room, then[:, 0], then[:, 1]).mean())
    if inside_now <= OUTSIDE and inside_then >= INSIDE:
        return f"{inside_then:.0%} of its vertices lie on the site then, {inside_now:.0%} as it is"
    return ""
