"""What covers the ground: soils and vegetation before, finished surfaces and seeding after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
import street
from areas import below, coverage, eased, polygons
from controls import APRONS, apron
from drainage import _slope_pct
from grading import BASINS, Limits
from place import XMIN, YMAX, YMIN, cell_centres
from scipy.ndimage import gaussian_filter
from shapely import Polygon
from shapely.geometry import LineString, box
from terrain import bank_ft, valley_axis
from water import Water

# Map unit: name, K of the surface layer, hydrologic group.
SOILS = {
    1: ("HmC2", "Hochheim loam, 6 to 12 percent slopes, eroded", 0.32, "C"),
    2: ("HmB", "Hochheim loam, 2 to 6 percent slopes", 0.32, "C"),
    3: ("ThB", "Theresa silt loam, 2 to 6 percent slopes", 0.37, "C"),
    4: ("HmD2", "Hochheim loam, 12 to 20 percent slopes, eroded", 0.32, "C"),
    5: ("FoB", "Fox silt loam, 2 to 6 percent slopes", 0.37, "B"),
    6: ("Ph", "Pella silt loam", 0.28, "C/D"),
    7: ("Ht", "Houghton muck", None, "A/D"),
}


def soils(ground: np.ndarray) -> list[tuple[tuple[str, str, float | None, str], Polygon]]:
    """Soil map units by landform, as the survey would draw them at 1:15,840."""
    x, y = cell_centres()
    eased_ground = gaussian_filter(ground, 16.0)
    slope = gaussian_filter(_slope_pct(ground, 30.0), 10.0)
    above = eased_ground - bank_ft(x)
    unit = np.full(x.shape, 2)
    unit[(y > 590) & (eased_ground > 849.0 + 0.012 * np.maximum(x - 380.0, 0.0))] = 1
    theresa = x > 610 + 0.22 * (y - 500) + 34 * np.sin(y / 66)
    unit[theresa & (y > 300) & (eased_ground < 846.0)] = 3
    unit[(slope > 12.0) & (y < 520)] = 4
    unit[(x > 1010) & (y < 420) & (above > 10.0) & (above < 20.0)] = 5
    unit[(above < 4.5) & (np.abs(y - valley_axis(x)) < 240)] = 6
    unit[np.hypot((x - 1050) / 1.15, y - 668) < 78] = 7
    return [(SOILS[code], piece) for code, piece in coverage(unit, 24.0)]


def vegetation(ground: np.ndarray, water: Water) -> list[tuple[str, shapely.Geometry]]:
    """Cover before construction, without overlaps."""
    x, y = cell_centres()
    line = 706.0 + 26.0 * np.sin(x / 150.0 + 0.6) + 9.0 * np.sin(x / 41.0) - 0.02 * x
    ridge = below(np.where(y > 560, line - y, 50.0), 0.0)
    hollow = np.hypot((x - 1062) / 1.18, y - 664) + 9.0 * np.sin(np.arctan2(y - 664, x - 1062) * 5)
    kettle = below(hollow, 152.0)
    oaks = below(
        np.where(
            (x > 330 + 18 * np.sin(y / 22)) & (x < 1035 + 14 * np.sin(y / 17)),
            -_slope_pct(ground, 14.0),
            0.0,
        )
        + (y > 420) * 99.0,
        -13.0,
    )
    woods = eased(ridge | kettle, 14.0) - water.pond
    slope_woods = eased(oaks, 9.0)
    hedge = LineString([(1213, 120), (1216, 300), (1211, 520), (1209, 660)]).buffer(11.0)
    road = box(XMIN, YMIN, 46.0, YMAX) & street.county_road().buffer(47.0, cap_style="flat")
    meadow = eased(
        below(np.where(np.abs(y - valley_axis(x)) < 260, ground - bank_ft(x), 99.0), 2.2), 10.0
    )
    field = street.extent() - meadow
    taken: shapely.Geometry = road | water.pond
    made = []
    for cover, shape in (
        ("woods", woods),
        ("woods", slope_woods),
        ("brush", hedge),
        ("wet meadow", meadow),
        ("crops", field),
    ):
        free = shape - taken
        taken = taken | shape
        made += [(cover, p) for p in polygons(eased(free, 2.0), 2500.0)]
    return made


@dataclass(frozen=True)
class FinalCover:
    """How the disturbed ground ends."""

    surfaces: list[tuple[str, str, Polygon]]  # id, kind
    steep: shapely.Geometry  # graded slopes of 20 percent and more that get mat
    riprap: shapely.Geometry
    prairie: shapely.Geometry
    lawn: shapely.Geometry
    basins: shapely.Geometry


def final_cover(proposed: np.ndarray, found: Limits) -> FinalCover:
    """Pavement, roofs, drives; mat, riprap, prairie and lawn on everything else disturbed."""
    surfaces: list[tuple[str, str, Polygon]] = [("ST-1", "pavement", street.pavement())]
    for lot in street.lots():
        surfaces.append((f"H-{lot.number}", "building", lot.house))
        surfaces.append((f"DR-{lot.number}", "driveway", lot.drive))
    hard = shapely.union_all([s[2] for s in surfaces])
    basins = shapely.union_all([b.rim for b in BASINS])
    riprap = shapely.union_all([apron(*where) for where in APRONS.values()]) - basins
    x, y = cell_centres()
    graded = np.where(shapely.contains_xy(found.shape, x, y), -_slope_pct(proposed, 5.0), 0.0)
    steep = eased(below(graded, -18.5, 900.0), 4.0) & found.shape
    steep = steep - hard.buffer(2.0) - basins - riprap
    steep = shapely.union_all(polygons(eased(steep, 2.0), 700.0))
    infiltrates = BASINS[2].rim
    soft = found.shape - hard - infiltrates - riprap - steep  # SB-1 and SB-2 stay, planted
    outlots = shapely.union_all([b.rim.buffer(46.0) for b in BASINS]) | box(38, 240, 250, 430)
    outlots = outlots | box(1000, 180, 1240, 395)
    outlots = eased(outlots, 18.0)
    return FinalCover(surfaces, steep, riprap, soft & outlots, soft - outlots, basins)
