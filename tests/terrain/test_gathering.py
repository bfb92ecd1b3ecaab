"""How much drains through each place, and over which low points of the rim."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from affine import Affine
from shapely.geometry import box

from sitemap.crs import parse_crs
from sitemap.terrain.gathering import Gathering, gathered, low_points
from sitemap.terrain.surface import Surface
from tests.terrain.flow_grounds import Height, ground, plane

SITE = box(200.0, 200.0, 800.0, 800.0)


def surface(height: Height) -> Surface:
    hill = ground(height)
    grid = Affine(5.0, 0.0, 0.0, 0.0, -5.0, 1000.0)
    return Surface(hill.z_ft, grid, parse_crs("EPSG:6609"), "made up", "ft", "", None, 0.1, "")


def gather(height: Height) -> Gathering:
    found = gathered(surface(height), SITE)
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


def cut_to_the_site(height: Height, how: str) -> Gathering:
    """The ground handed in ends at the boundary: as voids around it, or as a smaller raster."""
    whole = surface(height)
    z = np.full(whole.z_ft.shape, np.nan)
    z[40:160, 40:160] = whole.z_ft[40:160, 40:160]
    if how == "cropped":
        grid = whole.transform @ Affine.translation(40, 40)
        found = gathered(replace(whole, z_ft=z[40:160, 40:160], transform=grid), SITE)
    else:
        found = gathered(replace(whole, z_ft=z), SITE)
    assert found is not None
    return found


@pytest.mark.parametrize("how", ["void", "cropped"])
@pytest.mark.parametrize("name", GROUNDS)
def test_elevation_that_ends_at_the_boundary_lets_all_its_water_out(name: str, how: str) -> None:
    found = cut_to_the_site(GROUNDS[name], how)
    assert found.beyond[found.ring].all()
    assert found.sqft[found.ring].sum() == pytest.approx(SITE.area, rel=1e-9)


@pytest.mark.parametrize("how", ["void", "cropped"])
def test_a_low_point_where_the_elevation_ends_lies_on_the_last_known_cell(how: str) -> None:
    ((xy, sqft),) = low_points(cut_to_the_site(valley, how), 0.5 * SITE.area)
    assert xy == pytest.approx((502.5, 202.5))
    assert sqft > 0.8 * SITE.area


def test_water_goes_around_a_hole_inside_the_site() -> None:
    whole = surface(valley)
    z = whole.z_ft.copy()
    z[100:103, 99:102] = np.nan
    found = gathered(replace(whole, z_ft=z), SITE)
    assert found is not None
    ((xy, _),) = low_points(found, 0.5 * SITE.area)
    assert xy == pytest.approx((502.5, 197.5))
    assert not found.beyond.any()


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


def test_a_site_off_the_known_ground_gathers_nothing() -> None:
    assert gathered(surface(valley), box(5000, 5000, 6000, 6000)) is None
