"""Ways over ground and network in turn: culverts, pipes, lakes, ends of data."""

from __future__ import annotations

import numpy as np
import pytest
from affine import Affine
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from sitemap.crs import parse_crs
from sitemap.finding import Source
from sitemap.terrain.courses import GROUND, IN_WATER, NETWORK, Course, Follower
from sitemap.terrain.network import build_network
from sitemap.terrain.reaches import Leaf, Reach
from sitemap.terrain.stops import relief_of
from sitemap.terrain.surface import Surface
from sitemap.terrain.trace import End
from sitemap.terrain.waters import Water, Waters
from tests.terrain.flow_grounds import Height, ground

SNAP = 5.0


def surface(height: Height) -> Surface:
    grid = Affine(5.0, 0.0, 0.0, 0.0, -5.0, 1000.0)
    z = ground(height).z_ft
    return Surface(z, grid, parse_crs("EPSG:6609"), "made up", "ft", "", None, 0.1, "")


def follower(
    height: Height | None,
    reaches: list[Reach],
    areas: dict[str, BaseGeometry] | None = None,
    inlets: tuple[Point, ...] = (),
) -> Follower:
    """Reaches of role streams are waters of the name that they have, if they have one."""
    waters: list[Water] = []
    of_stream: dict[int, int] = {}
    for reach in reaches:
        if reach.role == "streams" and reach.name:
            of_stream[reach.record] = len(waters)
            waters.append(Water("streams", reach.name, reach.name, "stream", reach.line, Source()))
    for name, shape in (areas or {}).items():
        role = "wetlands" if name.startswith("W") else "waterbodies"
        waters.append(Water(role, name, name, None, shape, Source()))
    all_waters = Waters(tuple(waters), of_stream)
    network = build_network(reaches, SNAP, inlets=inlets)
    relief = None
    if height is not None:
        relief = relief_of(surface(height), network, all_waters, SNAP)
    return Follower(network, all_waters, relief, SNAP)


def stream(record: int, name: str | None, *xy: tuple[float, float]) -> Reach:
    return Reach(LineString(xy), "streams", record, name, "stream", 1)


def culvert(*xy: tuple[float, float], up: float, down: float) -> Reach:
    return Reach(LineString(xy), "culverts", 0, "CU-1", None, 0, up, down, underground=True)


def met(found: Follower, course: Course) -> dict[str, float]:
    names = found.waters.waters
    return {names[m.water].name: round(m.distance_ft, 1) for m in course.meetings}


def swale(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A trough along x = 502.5 that falls 2 % to the south."""
    return np.asarray(0.05 * np.abs(x - 502.5) + 0.02 * y)


def dammed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The trough with a road bank of 6 ft across it at y = 500."""
    return np.asarray(np.where(np.abs(y - 500) < 15, swale(502.5 + 0 * x, y) + 6.0, swale(x, y)))


def test_over_the_ground_to_a_stream_and_along_it_to_the_exact_distance() -> None:
    found = follower(swale, [stream(0, "Creek", (0, 202), (1000, 198))])
    course = found.follow(Point(502.5, 702.5), 700.0)
    assert [leg.method for leg in course.legs] == [GROUND, NETWORK]
    assert met(found, course) == {"Creek": pytest.approx(502.5, abs=1.0)}
    assert course.legs[-1].leaf is Leaf.DISTANCE
    assert course.legs[-1].way().length == pytest.approx(700.0, abs=1e-6)


def test_through_a_culvert_and_not_over_the_bank() -> None:
    creek = stream(0, "Creek", (0, 202), (1000, 198))
    pipe = culvert((502.5, 522.5), (502.5, 477.5), up=10.4, down=9.6)
    found = follower(dammed, [creek, pipe])
    course = found.follow(Point(502.5, 702.5), 1320.0)
    methods = [leg.method for leg in course.legs]
    assert methods[:4] == [GROUND, NETWORK, GROUND, NETWORK]
    assert course.legs[1].underground
    assert met(found, course)["Creek"] == pytest.approx(502.5, abs=8.0)
    assert not course.legs[0].ground.fills


def test_an_inlet_between_two_pipes_takes_the_water_to_the_outfall() -> None:
    """The pipes cross the swale; over a closed manhole the water runs on, an inlet takes it."""
    pipes = [
        culvert((300, 600), (502.5, 600), up=20.0, down=18.0),
        culvert((502.5, 600), (700, 400), up=18.0, down=9.0),
    ]
    lakes: dict[str, BaseGeometry] = {
        "Lake below": box(400, 100, 600, 150), "Lake east": box(690, 350, 720, 405),
    }  # fmt: skip
    start = Point(502.5, 702.5)
    closed = follower(swale, pipes, lakes)
    assert met(closed, closed.follow(start, 1320.0)) == {"Lake below": 552.5}
    opened = follower(swale, pipes, lakes, inlets=(Point(503, 601),))
    course = opened.follow(start, 1320.0)
    assert [leg.underground for leg in course.legs] == [False, True]
    (feet,) = met(opened, course).values()
    assert feet == pytest.approx(102.5 + np.hypot(197.5, 200), abs=8.0)


def test_over_the_bank_where_no_culvert_is_drawn_and_the_hollow_is_told() -> None:
    found = follower(dammed, [stream(0, "Creek", (0, 202), (1000, 198))])
    course = found.follow(Point(502.5, 702.5), 1320.0)
    (fill,) = course.legs[0].ground.fills
    assert fill.depth_ft == pytest.approx(6.0, abs=0.6)
    assert abs(fill.xy[1] - 500) < 25
    assert "Creek" in met(found, course)


def test_a_wetland_over_a_pipe_gets_nothing_and_one_at_its_end_does() -> None:
    pipe = culvert((502.5, 702.5), (502.5, 402.5), up=14.0, down=8.0)
    areas = {"W-1": box(480, 550, 520, 600), "W-2": box(480, 390, 520, 410)}
    found = follower(swale, [pipe], areas)
    course = found.follow(Point(502.5, 702.5), 1320.0)
    assert met(found, course) == {"W-2": 300.0}


def test_wetlands_on_the_way_each_at_its_rim_and_only_the_first_is_first() -> None:
    areas: dict[str, BaseGeometry] = {
        "W-1": box(400, 550, 600, 600),
        "W-2": box(400, 300, 600, 350),
        "W-3": box(700, 300, 800, 350),
    }
    found = follower(swale, [], areas)
    course = found.follow(Point(502.5, 702.5), 1320.0)
    assert met(found, course) == {"W-1": 102.5, "W-2": 352.5}
    assert [m.first for m in course.meetings] == [True, False]


def test_inside_a_wetland_it_counts_from_zero() -> None:
    found = follower(swale, [], {"W-1": box(400, 650, 600, 750)})
    assert met(found, found.follow(Point(502.5, 702.5), 100.0)) == {"W-1": 0.0}


def test_it_ends_in_a_lake_without_an_outlet_and_walks_on_through_one_with_a_path() -> None:
    lake: dict[str, BaseGeometry] = {"Lake": box(400, 400, 600, 500)}
    closed = follower(swale, [], lake)
    course = closed.follow(Point(502.5, 702.5), 1320.0)
    assert [leg.leaf for leg in course.legs] == [IN_WATER]
    path = Reach(LineString([(450, 480), (500, 400)]), "streams", 0, None, "path through water", 1)
    below = stream(1, "Creek", (500, 400), (500, 50))
    open_ = follower(swale, [path, below], lake)
    course = open_.follow(Point(502.5, 702.5), 1320.0)
    assert list(met(open_, course)) == ["Lake", "Creek"]
    assert [m.first for m in course.meetings] == [True, False]


def test_where_a_reach_ends_the_ground_goes_on() -> None:
    """Reading 7: the ditch ends at y = 500, the creek is 300 ft below it."""
    ditch = Reach(LineString([(502.5, 702.5), (502.5, 500)]), "streams", 0, None, "ditch", 1)
    found = follower(swale, [ditch, stream(1, "Creek", (0, 202), (1000, 198))])
    course = found.follow(Point(502.5, 702.5), 1320.0)
    assert [leg.method for leg in course.legs][:3] == [NETWORK, GROUND, NETWORK]
    assert met(found, course)["Creek"] == pytest.approx(502.5, abs=3.0)


def test_without_ground_it_ends_where_the_reach_ends() -> None:
    found = follower(None, [stream(0, None, (0, 0), (840, 0))])
    course = found.follow(Point(0, 0), 1320.0)
    (leaf,) = course.leaves
    assert (leaf.leaf, leaf.end_ft) == (Leaf.EDGE, 840.0)
    assert course.dry_leaves() == [leaf]


def test_it_says_that_the_ground_ends() -> None:
    found = follower(swale, [])
    course = found.follow(Point(502.5, 702.5), 1320.0)
    (leaf,) = course.dry_leaves()
    assert leaf.leaf is End.EDGE
    assert leaf.end_ft == pytest.approx(700.0)


def test_ground_and_network_agree_where_both_know() -> None:
    """The same water traced over the trough, and along a line drawn in it."""
    lake: dict[str, BaseGeometry] = {
        "W-1": Polygon([(400, 100), (600, 100), (600, 150), (400, 150)])
    }
    over = follower(swale, [], lake)
    along = follower(swale, [stream(0, None, (502.5, 900), (502.5, 0))], lake)
    start = Point(502.5, 702.5)
    assert met(over, over.follow(start, 1320.0)) == met(along, along.follow(start, 1320.0))


def test_the_road_whose_bank_the_way_overtops_is_named() -> None:
    from sitemap.terrain.embankments import overtopped
    from tests.clean_site import layer_frame, role_layer, the_catalogue

    features = {"geometry": [LineString([(0, 500), (1000, 500)])], "name": ["Ransom Road"]}
    roads = role_layer("roads", layer_frame("roads", features), catalogue=the_catalogue())
    course = follower(dammed, []).follow(Point(502.5, 702.5), 600.0)
    (words,) = overtopped(course, roads)
    assert words.startswith("fills ")
    assert "and overtops Ransom Road after" in words
    (plain,) = overtopped(course, None)
    assert "and spills after" in plain


def test_a_stream_of_unknown_direction_is_water_both_ways() -> None:
    """Followed from its middle up and down; both ends are in the creek, neither branch is dry."""
    creek = Reach(LineString([(0, 500), (400, 500)]), "streams", 0, "Creek", "stream", 0)
    course = follower(None, [creek]).follow(Point(200, 500), 1320.0)
    assert len(course.leaves) == 2
    assert [m.distance_ft for m in course.meetings] == [0.0]
    assert course.dry_leaves() == []
