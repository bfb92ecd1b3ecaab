"""Where numbers come to lie when they are read in one CRS or another.

For layers without a CRS (which systems could it be?) and layers far from the boundary (which
mistake would explain it?). All places in the site CRS, in feet. Nothing is chosen here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from sitemap.crs import (
    Bounds,
    Crs,
    crs_code,
    crs_label,
    datum_name,
    linear_unit,
    lonlat,
    parse_crs,
    rough_lonlat,
    same_crs,
    transform_points,
)
from sitemap.crs.registered import DEGREE_SYSTEMS, systems_around
from sitemap.errors import CrsError

FEET_PER_DEGREE = 364_000.0  # of latitude, about; only to leave out what is very far
ALIKE_FT = 10.0  # nearer than this, extent cannot tell two systems apart
REACH_FT = 60 * 5280.0  # candidates that put the numbers farther away are not worth a word
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


@dataclass(frozen=True, eq=False)
class Landing:
    """Where numbers lie when read in one CRS.

    gap_ft is the distance from them to the reference (0 where they meet); east_ft and north_ft
    lead from the reference's middle to theirs.
    """

    crs: Crs
    gap_ft: float
    east_ft: float
    north_ft: float
    factor: float = 1.0  # what the numbers were multiplied by first
    swapped: bool = False  # x and y were exchanged first
    residual_ft: float | None = None  # from places that the dataset's own attributes state

    @property
    def name(self) -> str:
        """The CRS with its code, and what was done to the numbers first."""
        return crs_label(self.crs) + (" with x and y exchanged" if self.swapped else "")

    @property
    def code(self) -> str | None:
        """The CRS's registered code, if it has one."""
        return crs_code(self.crs)

    @property
    def off_ft(self) -> float:
        """Distance between the middles."""
        return math.hypot(self.east_ft, self.north_ft)

    @property
    def direction(self) -> str:
        """Compass word from the reference to the numbers."""
        turn = round(math.degrees(math.atan2(self.north_ft, self.east_ft)) / 45.0) % 8
        return COMPASS[turn]


def finite_bounds(geometries: np.ndarray) -> Bounds | None:
    """The box of all features with finite coordinates; None when there is none."""
    boxes = shapely.bounds(geometries)
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if not len(boxes):
        return None
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def extent(bounds: Bounds) -> BaseGeometry:
    """The box of some bounds; a line or a point where it has no area, which a union keeps."""
    low, high = bounds[:2], bounds[2:]
    if low == high:
        return Point(low)
    if low[0] == high[0] or low[1] == high[1]:
        return LineString([low, high])
    return box(*bounds)


def looks_like_degrees(bounds: Bounds) -> bool:
    """True when every number could be a longitude or a latitude."""
    return bounds[0] >= -180 and bounds[2] <= 180 and bounds[1] >= -90 and bounds[3] <= 90


def exchanged(bounds: Bounds) -> Bounds:
    """The box with x and y exchanged."""
    return bounds[1], bounds[0], bounds[3], bounds[2]


def landing(
    bounds: Bounds,
    crs: Crs,
    site_crs: Crs,
    reference: BaseGeometry,
    factor: float = 1.0,
    *,
    swapped: bool = False,
) -> Landing | None:
    """Where a box of numbers lies when read in `crs`; None where they cannot be read in it.

    They are first multiplied by a factor, or their x and y exchanged.
    """
    xmin, ymin, xmax, ymax = (v * factor for v in (exchanged(bounds) if swapped else bounds))
    across, up = np.linspace(xmin, xmax, 5), np.linspace(ymin, ymax, 5)
    x, y = np.meshgrid(across, up)
    # by way of the datum's own degrees: hundreds of systems share a few datum shifts
    lon, lat = lonlat(x.ravel(), y.ravel(), crs) if crs.is_projected else (x.ravel(), y.ravel())
    datum = crs.geodetic_crs
    if datum is None:
        return None
    try:
        east, north = transform_points(lon, lat, datum, site_crs, _around(reference, site_crs))
    except CrsError:
        return None
    if not (np.isfinite(east).all() and np.isfinite(north).all()):
        return None
    there = box(east.min(), north.min(), east.max(), north.max())
    middle = shapely.box(*reference.bounds).centroid
    return Landing(
        crs,
        float(there.distance(reference)),
        float(there.centroid.x - middle.x),
        float(there.centroid.y - middle.y),
        factor,
        swapped,
    )


def _around(reference: BaseGeometry, site_crs: Crs) -> Bounds:
    """The degrees around a place, outwards to whole ones, by which a datum shift is chosen."""
    xmin, ymin, xmax, ymax = reference.bounds
    lon, lat = lonlat(np.array([xmin, xmax]), np.array([ymin, ymax]), site_crs)
    low, high = np.floor([lon.min(), lat.min()]), np.ceil([lon.max(), lat.max()])
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def candidates(
    bounds: Bounds, site_crs: Crs, reference: BaseGeometry, margin_deg: float = 0.0
) -> list[Crs]:
    """Systems that could hold the numbers: degrees, or all registered around the reference.

    With a margin the neighbours' zones and counties come with them.
    """
    if looks_like_degrees(bounds):
        return [parse_crs(code) for code in DEGREE_SYSTEMS]
    middle = shapely.box(*reference.bounds).centroid
    lon, lat = (float(v) for v in lonlat(middle.x, middle.y, site_crs))
    xmin, ymin, xmax, ymax = reference.bounds
    corners = lonlat(np.array([xmin, xmax]), np.array([ymin, ymax]), site_crs)
    half_deg = math.hypot(float(np.ptp(corners[0])), float(np.ptp(corners[1]))) / 2.0
    x, y = bounds[0] / 2.0 + bounds[2] / 2.0, bounds[1] / 2.0 + bounds[3] / 2.0
    reach_deg = REACH_FT / FEET_PER_DEGREE
    near = []
    for crs in systems_around(round(lon, 3), round(lat, 3), margin_deg):
        there = rough_lonlat(x, y, crs)
        aside = (there[0] - lon) * math.cos(math.radians(lat))
        if math.hypot(aside, there[1] - lat) <= reach_deg + half_deg:
            near.append(crs)
    return near


def ranked(
    bounds: Bounds,
    systems: Iterable[Crs],
    site_crs: Crs,
    reference: BaseGeometry,
    in_use: Iterable[Crs] = (),
    reach_ft: float = REACH_FT,
    *,
    swapped: bool = False,
    jurisdiction: BaseGeometry | None = None,
    same_datum: bool = True,
) -> list[tuple[Landing, ...]]:
    """Landings nearest first; those that extent cannot tell apart share one tuple.

    Within a tuple a system in use stands first, then (with same_datum) one on a datum in use,
    then the plain name: data of states and counties say NAD83, whatever the survey uses.
    Of tuples equally near those stand first that put the numbers inside the jurisdiction.
    """
    used = list(in_use)
    landings = [landing(bounds, crs, site_crs, reference, swapped=swapped) for crs in systems]
    ordered = sorted(
        (there for there in landings if there is not None and there.gap_ft <= reach_ft),
        key=lambda there: (
            not any(same_crs(there.crs, crs) for crs in used),
            same_datum and not any(datum_name(there.crs) == datum_name(crs) for crs in used),
            _is_nad27(there.crs),
            len(there.crs.name),
            crs_code(there.crs) or "",
        ),
    )
    groups: list[list[Landing]] = []
    for there in ordered:
        for group in groups:
            if _alike(group[0], there):
                group.append(there)
                break
        else:
            groups.append([there])
    xmin, ymin, xmax, ymax = reference.bounds
    coarse_ft = max(math.hypot(xmax - xmin, ymax - ymin) / 4.0, ALIKE_FT)  # no nearer by chance
    groups.sort(
        key=lambda group: (
            round(group[0].gap_ft / coarse_ft),
            not _within(group[0], reference, jurisdiction),
            round(group[0].off_ft / coarse_ft),
            _is_nad27(group[0].crs),
        )
    )
    return [tuple(group) for group in groups]


def _within(there: Landing, reference: BaseGeometry, jurisdiction: BaseGeometry | None) -> bool:
    """Whether the middle of the numbers lies in the jurisdiction; True where none is known."""
    if jurisdiction is None:
        return True
    middle = shapely.box(*reference.bounds).centroid
    place = Point(middle.x + there.east_ft, middle.y + there.north_ft)
    return bool(jurisdiction.intersects(place))


def _alike(a: Landing, b: Landing) -> bool:
    """True when extent cannot tell the two apart. NAD27 stands apart: its shift is rough here."""
    apart_ft = math.hypot(a.east_ft - b.east_ft, a.north_ft - b.north_ft)
    return apart_ft <= ALIKE_FT and _is_nad27(a.crs) == _is_nad27(b.crs)


def _is_nad27(crs: Crs) -> bool:
    return "1927" in datum_name(crs)


def between(first: Landing, second: Landing) -> Landing:
    """The second as seen from where the first puts the numbers: off_ft and direction lead there."""
    return Landing(
        second.crs,
        second.gap_ft,
        second.east_ft - first.east_ft,
        second.north_ft - first.north_ft,
    )


def compass_ft(east_ft: float, north_ft: float) -> str:
    """'65,594 ft east and 66,325 ft north'; parts below half a foot are left out."""
    parts = [
        f"{abs(value):,.0f} ft {ahead if value > 0 else behind}"
        for value, ahead, behind in ((east_ft, "east", "west"), (north_ft, "north", "south"))
        if abs(value) >= 0.5
    ]
    return " and ".join(parts) or "nowhere"


def spread_ft(group: tuple[Landing, ...]) -> float:
    """How far systems of one group may differ here, rounded up; 3 ft where PROJ knows no shift.

    PROJ sets NAD83 and its readjustments equal where their grids are not installed; in truth
    they differ by up to about a metre.
    """
    east = [there.east_ft for there in group]
    north = [there.north_ft for there in group]
    apart_ft = math.hypot(max(east) - min(east), max(north) - min(north))
    return float(max(3, math.ceil(apart_ft)))


def miles(distance_ft: float) -> str:
    """'640 ft', or '31,023 ft (5.9 mi)' from a mile on."""
    text = f"{distance_ft:,.0f} ft"
    return text if distance_ft < 5280 else f"{text} ({distance_ft / 5280:,.1f} mi)"


def how_they_differ(stated: Crs, other: Crs, factor: float = 1.0) -> str:
    """Plain words for what was mistaken: datum, foot and metre, zone, or the whole system."""
    if factor != 1.0:
        return "the numbers are in metres" if factor > 1 else "the numbers are in feet"
    said = []
    if datum_name(stated) != datum_name(other):
        said.append(f"the datum is {datum_name(other)}, not {datum_name(stated)}")
    mine, its = linear_unit(stated), linear_unit(other)
    if mine is not its and its is not None:
        unit = mine.symbol if mine is not None else "degrees"
        said.append(f"the unit is {its.symbol}, not {unit}")
    if _projection(stated) != _projection(other):
        said.append(f"the zone or system is {_projection(other)}")
    return "; ".join(said) or f"it is {crs_label(other)}"


def _projection(crs: Crs) -> str:
    """The zone without datum and unit: 'Wisconsin South', 'UTM zone 16N'."""
    name: str = crs.name
    return name.rpartition(" / ")[2].partition(" (")[0].strip()


def scale_error(crs: Crs, site_crs: Crs, at: Point) -> float:
    """Length in `crs` over length in the site CRS at a point of the site, both in metres."""
    step_ft = 100.0
    x, y = transform_points(np.array([at.x, at.x + step_ft]), np.array([at.y, at.y]), site_crs, crs)
    unit, foot = linear_unit(crs), linear_unit(site_crs)
    if unit is None or foot is None:
        return 1.0
    length_m = float(np.hypot(x[1] - x[0], y[1] - y[0])) * float(unit.metres)
    return length_m / (step_ft * float(foot.metres))
