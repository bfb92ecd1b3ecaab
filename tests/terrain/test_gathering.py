"""How much drains through each place, and over which low points of the rim."""

from __future__ import annotations

import numpy as np
import pytest
from affine import Affine
from shapely.geometry import LineString, box

from sitemap.crs import parse_crs
from sitemap.terrain.gathering import Gathering, gathered, low_points
from sitemap.terrain.surface import Surface
from tests.terrain.flow_grounds import Height, ground, plane

SITE = box(200.0, 200.0, 800.0, 800.0)


def surface(height: Height) -> Surface:
    hill = ground(height)
    grid = Affine(5.0, 0.0, 0.0, 0.0, -5.0, 1000.0)
    return Surface(hill.z_ft, grid, parse_crs("EPSG:6609"), "made up", "ft", "", None, 0.1, "")


def gather(height: Height, taken: list[object] | None = None) -> Gathering:
    found = gathered(surface(height), SITE, taken)  # type: ignore[arg-type]
    assert found is not None
    return found


def valley(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(0.05 * np.abs(x - 502.5) + 0.02 * y)


GROUNDS: dict[str, Height] = {
    "plane": plane(-70.0),
    "valley": valley,
    "kettle": lambda x, y: 0.01 * ((x - 450) ** 2 + (y - 510) ** 2) ** 0.5,
    "dome": lambda x, y: -0.02 * np.hypot(x - 500, y - 500),
    "level": lambda x, y: 0.0 * x,
}


@pytest.mark.parametrize("name", GROUNDS)
def test_all_that_falls_on_the_site_leaves_over_its_rim(name: str) -> None:
    found = gather(GROUNDS[name])
    assert found.sqft[found.ring].sum() == pytest.approx(SITE.area, rel=1e-9)


def test_a_valley_leaves_at_one_low_point_with_nearly_all() -> None:
    ((xy, sqft),) = low_points(gather(valley), 0.5 * SITE.area)
    assert xy == pytest.approx((502.5, 197.5))
    assert sqft > 0.8 * SITE.area


def test_a_plane_and_a_dome_shed_as_a_sheet() -> None:
    """No place of their rim drains more than a strip."""
    acre = 43560.0
    for name in ("plane", "dome"):
        found = gather(GROUNDS[name])
        assert found.sqft[found.ring].max() < acre


def test_a_kettle_spills_over_its_lowest_rim() -> None:
    """Round about (450, 510): the nearest rim is the west one."""
    ((xy, _),) = low_points(gather(GROUNDS["kettle"]), 0.9 * SITE.area)
    assert xy[0] == pytest.approx(197.5)


def test_what_a_basin_takes_goes_no_farther() -> None:
    across = LineString([(450.0, 400.0), (550.0, 400.0)])
    below = LineString([(450.0, 300.0), (550.0, 300.0)])
    free = gather(valley).along(below)[0]
    taken = gather(valley, [across.buffer(10.0)]).along(below)[0]
    assert taken < 0.4 * free


def test_a_site_off_the_known_ground_gathers_nothing() -> None:
    assert gathered(surface(valley), box(5000, 5000, 6000, 6000)) is None
