"""Water traced over the ground alone and along the drawn network agrees where both know."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from sitemap.intake.assemble import open_site
from sitemap.measures.flow_direction import Known
from sitemap.site import Site
from sitemap.terrain.conduits import network_of
from sitemap.terrain.courses import Course, Follower
from sitemap.terrain.ground import ground_of
from sitemap.terrain.network import build_network
from sitemap.terrain.reaches import Reach
from sitemap.terrain.stops import relief_of
from sitemap.terrain.surface import Surface
from sitemap.terrain.waters import Waters
from tests.clean_site import with_layer, with_map_wishes
from tests.terrain.test_courses import follower, met

NO_WATERS = Waters((), {})
STRAIGHTER = math.cos(math.pi / 8.0)  # a way over cells is longer by 1 / this at most
QUARTER_MILE_FT = 1320.0
DEM_ERROR_FT = 8.0  # 2.44 m, the root mean square error of the National Elevation Dataset


@settings(max_examples=40)
@given(st.floats(0, 360), st.floats(0.01, 0.05), st.floats(0.1, 0.4))
def test_along_a_straight_valley_of_any_bearing(angle: float, fall: float, side: float) -> None:
    """A valley through the middle of the ground; a pond lies across it 300 ft below the start."""
    east, north = math.cos(math.radians(angle)), math.sin(math.radians(angle))

    def place(along: float, across: float = 0.0) -> tuple[float, float]:
        return 502.5 + along * east - across * north, 502.5 + along * north + across * east

    def valley(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        along = (x - 502.5) * east + (y - 502.5) * north
        across = (y - 502.5) * east - (x - 502.5) * north
        return np.asarray(100.0 - fall * along + side * np.abs(across))

    pond = shapely.Polygon([place(150, -60), place(250, -60), place(250, 60), place(150, 60)])
    line = Reach(LineString([place(-300), place(400)]), "streams", 0, None, "ditch", 1)
    start = Point(place(-150))
    over = follower(valley, [], {"Pond": pond})
    along = follower(valley, [line], {"Pond": pond})
    by_ground = met(over, over.follow(start, QUARTER_MILE_FT))
    by_network = met(along, along.follow(start, QUARTER_MILE_FT))
    assert by_network == {"Pond": 300.0}
    assert list(by_ground) == ["Pond"]
    assert 300.0 - 15.0 <= by_ground["Pond"] <= 300.0 / STRAIGHTER + 15.0  # and three cells


@pytest.fixture(scope="module")
def nicolet(shared_data: Path) -> Site:
    """119 reaches of NHD with their flow directions, and a DEM of cells of 240 ft."""
    site = open_site(shared_data / "1-midwest/nicolet-wi")
    box = shapely.box(*shapely.total_bounds(site.layers["streams"].usable.geometry.to_numpy()))
    site = with_map_wishes(site, vertical_unit="m", vertical_datum="NAVD88")
    return with_layer(site, "boundary", {"geometry": [box]})


def surface_of(site: Site) -> Surface:
    surface = ground_of(site).existing
    assert surface is not None
    return replace(surface, stated_error_ft=DEM_ERROR_FT / (2.0 * math.sqrt(2.0)))


def end_of(course: Course) -> tuple[LineString, bool]:
    """The way of a course that does not part, and whether it goes the whole distance."""
    leaves = course.leaves
    way = leaves[0].way()
    return way, len(leaves) == 1 and way.length > QUARTER_MILE_FT - 1.0


@pytest.mark.real_data
@pytest.mark.filterwarnings("ignore")
def test_real_reaches_fall_the_way_that_they_are_said_to_flow(nicolet: Site) -> None:
    """Of 44 reaches whose ends differ by more than the error of the DEM, all 44."""
    votes = network_of(nicolet, 5.0, surface_of(nicolet)).continuity.told.votes
    both = (votes[Known.FIELD] != 0) & (votes[Known.GROUND] != 0)
    assert both.sum() >= 40
    assert (votes[Known.FIELD] == votes[Known.GROUND])[both].all()


@pytest.mark.real_data
@pytest.mark.filterwarnings("ignore")
def test_real_ways_over_the_ground_stay_by_the_reaches(nicolet: Site) -> None:
    """From the head of each reach on the DEM alone: half end within one cell of the drawn way.

    100 heads; on the flats of this ground cells of 240 ft cannot hold a creek, so not all do.
    """
    surface = surface_of(nicolet)
    network, none = network_of(nicolet, 5.0, None), build_network([], 5.0)
    over = Follower(none, NO_WATERS, relief_of(surface, none, NO_WATERS, 5.0), 5.0)
    along = Follower(network, NO_WATERS, None, 5.0)
    off = []
    for edge in network.edges:
        start = Point(edge.line.coords[0])
        drawn, whole = end_of(along.follow(start, QUARTER_MILE_FT))
        ground, too = end_of(over.follow(start, QUARTER_MILE_FT))
        if whole and too:
            off.append(shapely.get_point(ground, -1).distance(drawn) / surface.cell_ft)
    assert len(off) >= 90
    assert np.median(off) < 1.0
    assert np.mean(np.array(off) <= 2.0) > 0.7
