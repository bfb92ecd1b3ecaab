"""Drainage areas whose acres are known, snapping that is told, pipes, low points, arrows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.site import Site
from sitemap.terrain.arrows import flow_arrows
from sitemap.terrain.drainage import drainage
from sitemap.terrain.ground import ground_of
from sitemap.terrain.pipes import pipe_ways
from sitemap.terrain.surface import Surface
from tests.clean_ground import EAST_FT, NORTH_FT
from tests.clean_site import clean_site, line, point, rectangle, with_layer, without
from tests.terrain.grounds import Height, plane, surface, valley
from tests.terrain.test_ground import with_raster

ACRE = 43_560.0
BARE = ("storm_sewers", "culverts", "inlets", "streams", "wetlands", "waterbodies")


def trough(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A V along a row of cells at x = 402.5; it falls 2 % to the south, its sides 8 % to it."""
    return 800.0 + 0.02 * (y + 300.0) + 0.08 * np.abs(x - 402.5)


def on_trough(tmp_path: Path, outfalls: list, **layers: dict) -> tuple[Site, Surface]:
    site = without(clean_site(), *BARE)
    site = with_raster(site, tmp_path / "dem.tif", trough)
    features = {
        "geometry": outfalls,
        "id": [f"OF-{i + 1}" for i in range(len(outfalls))],
    }
    site = with_layer(site, "outfalls", features)
    for role, frame in layers.items():
        site = with_layer(site, role, frame)
    found = ground_of(site).existing
    assert found is not None
    return site, found


def test_the_outfall_of_a_valley_drains_all_above_it(tmp_path: Path) -> None:
    """At y = 100: a ground of 1400 ft by 800 ft above it, less what leaves over the sides."""
    site, ground = on_trough(tmp_path, [point(400.0, 100.0)])
    made = drainage(site, ground, after_grading=True)
    first = made.areas[0]
    assert first.point.name == "OF-1"
    assert first.acres == pytest.approx(first.shape.area / ACRE, abs=0.01)
    assert first.shape.is_valid
    assert first.at_edge, "the valley goes on beyond the data"
    assert first.shape.contains(point(300.0, 400.0))
    assert first.shape.contains(point(500.0, 400.0))
    assert not first.shape.contains(point(400.0, 50.0))
    sideways = 0.08 / np.hypot(0.08, 0.02)
    assert first.slope_pct == pytest.approx(100 * 0.08 / sideways, abs=0.5)


def test_an_outfall_beside_the_flow_is_moved_to_it_and_the_move_is_told(tmp_path: Path) -> None:
    site, ground = on_trough(tmp_path, [point(420.0, 100.0)])
    made = drainage(site, ground, after_grading=True)
    moved = made.areas[0].point.moved_ft
    assert 15.0 < moved <= 30.0
    assert f"OF-1 moved {moved:.0f} ft to the strong flow beside it" in made.notes
    assert made.areas[0].acres > 5.0


def test_an_outfall_too_far_from_the_flow_keeps_its_own_little_area(tmp_path: Path) -> None:
    site, ground = on_trough(tmp_path, [point(460.0, 100.0)])
    (outfall, *_) = drainage(site, ground, after_grading=True).areas
    assert outfall.acres < 3.0


def test_areas_of_two_outfalls_do_not_overlap_and_join(tmp_path: Path) -> None:
    site, ground = on_trough(tmp_path, [point(400.0, 100.0), point(400.0, 350.0)])
    lower, upper = drainage(site, ground, after_grading=True).areas[:2]
    assert shapely.intersection(lower.shape, upper.shape).area < 1.0
    assert shapely.distance(lower.shape, upper.shape) == 0.0
    alone, _ = on_trough(tmp_path, [point(400.0, 100.0)])
    whole = drainage(alone, ground, after_grading=True).areas[0]
    assert lower.acres + upper.acres == pytest.approx(whole.acres, abs=0.05)


def test_water_leaves_over_the_boundary_at_the_low_point(tmp_path: Path) -> None:
    """The valley crosses the south side of the site at x = 400."""
    site, ground = on_trough(tmp_path, [])
    low = drainage(site, ground, after_grading=True).areas
    first = low[0]
    assert first.point.kind == "boundary low point"
    assert first.point.name == "LP-1"
    x, y = first.point.xy[0] - EAST_FT, first.point.xy[1] - NORTH_FT
    assert x == pytest.approx(400.0, abs=10.0)
    assert y == pytest.approx(0.0, abs=10.0)


def test_where_water_enters_is_no_low_point(tmp_path: Path) -> None:
    site, ground = on_trough(tmp_path, [])
    for area in drainage(site, ground, after_grading=True).areas:
        assert area.point.xy[1] < NORTH_FT + 590.0, "nothing leaves over the north side"


def test_an_outfall_at_the_low_point_takes_its_water(tmp_path: Path) -> None:
    site, ground = on_trough(tmp_path, [point(400.0, 20.0)])
    outfall, *low = drainage(site, ground, after_grading=True).areas
    assert outfall.point.kind == "outfall"
    assert outfall.acres > 10.0
    for area in low:
        assert abs(area.point.xy[0] - EAST_FT - 402.5) > 50.0, "what is left is another way"


def test_an_inlet_leads_its_water_to_the_end_of_the_pipe(tmp_path: Path) -> None:
    """A sewer from the valley floor to an outfall on the eastern slope."""
    pipes = {
        "geometry": [line((400.0, 350.0), (520.0, 300.0)), line((520.0, 300.0), (640.0, 200.0))],
        "id": ["P-1", "P-2"],
        "invert_up_ft": [812.0, 811.0],
        "invert_down_ft": [811.0, 810.0],
    }
    inlets = {"geometry": [point(400.0, 350.0)], "id": ["IN-1"], "kind": ["inlet"]}
    site, ground = on_trough(tmp_path, [point(640.0, 200.0)], storm_sewers=pipes, inlets=inlets)
    piped = drainage(site, ground, after_grading=True)
    dry = drainage(site, ground, after_grading=False)
    assert piped.areas[0].acres > 5.0 > dry.areas[0].acres
    assert piped.areas[0].shape.contains(point(400.0, 500.0))
    assert piped.areas[0].point.moved_ft == 0.0, "an outfall at the end of a pipe stays there"
    assert piped.notes[0].startswith("1 inlets and pipe ends take in water")


def tilted(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Falls 5 % to the south and 0.3 % to the east."""
    return 800.0 + 0.05 * (y + 300.0) - 0.003 * x


def diverted(
    tmp_path: Path, way: list[tuple[float, float]], height: Height = tilted
) -> tuple[Site, Surface]:
    """A diversion across the slope, with an outfall at its eastern end, (600, 300)."""
    site = without(clean_site(), *BARE)
    site = with_raster(site, tmp_path / "dem.tif", height)
    site = with_layer(site, "outfalls", {"geometry": [point(600.0, 300.0)], "id": ["OF-1"]})
    site = with_layer(site, "controls", {"geometry": [line(*way)], "type": ["DV"], "id": ["DV-1"]})
    found = ground_of(site).existing
    assert found is not None
    return site, found


@pytest.mark.parametrize("way", [[(100, 300), (600, 300)], [(600, 300), (100, 300)]])
def test_a_diversion_leads_all_above_it_to_its_lower_end(
    tmp_path: Path, way: list[tuple[float, float]]
) -> None:
    """500 ft of slope; which way it is drawn does not count, since its eastern end is lower."""
    site, ground = diverted(tmp_path, way)
    made = drainage(site, ground, after_grading=True)
    (outfall,) = [a for a in made.areas if a.point.name == "OF-1"]
    top = ground.bounds[3] - NORTH_FT
    assert outfall.acres == pytest.approx(500.0 * (top - 300.0) / ACRE, rel=0.1)
    assert outfall.shape.contains(point(150.0, 550.0))
    assert not outfall.shape.contains(point(150.0, 250.0))
    assert "1 diversions and waterways lead water to their lower ends" in made.notes
    before = drainage(site, ground, after_grading=False).areas
    assert not any(a.shape.contains(point(150.0, 550.0)) for a in before if a.point.name == "OF-1")


def test_a_hollow_at_the_end_of_a_diversion_does_not_send_its_water_round(tmp_path: Path) -> None:
    """Filled, it would spill back into the diversion 30 ft up, and so for ever."""

    def hollow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        dent = np.clip(1.0 - np.hypot(x - 610.0, y - 290.0) / 40.0, 0.0, None)
        return tilted(x, y) - 4.0 * dent

    site, ground = diverted(tmp_path, [(100.0, 300.0), (600.0, 300.0)], hollow)
    areas = drainage(site, ground, after_grading=True).areas
    (above,) = [a for a in areas if a.shape.contains(point(150.0, 550.0))]
    assert above.point.name == "OF-1"
    assert not [a for a in areas if abs(a.point.xy[1] - NORTH_FT - 300.0) < 20.0 and a is not above]


def test_pipes_are_followed_by_their_inverts() -> None:
    """P-1 is drawn against its fall; P-2 as it falls."""
    pipes = {
        "geometry": [line((100.0, 0.0), (0.0, 0.0)), line((100.0, 0.0), (200.0, 0.0))],
        "id": ["P-1", "P-2"],
        "invert_up_ft": [808.0, 808.0],
        "invert_down_ft": [810.0, 806.0],
    }
    ways = pipe_ways(with_layer(without(clean_site(), "inlets"), "storm_sewers", pipes))
    assert len(ways.names) == 1
    assert ways.entrances[0] == pytest.approx([EAST_FT, NORTH_FT])
    assert ways.exits[0] == pytest.approx([EAST_FT + 200.0, NORTH_FT])


def test_pipes_in_a_circle_and_no_pipes() -> None:
    ring = {
        "geometry": [
            line((0.0, 0.0), (50.0, 0.0)), line((50.0, 0.0), (50.0, 50.0)),
            line((50.0, 50.0), (0.0, 0.0)),
        ],
        "id": ["P-1", "P-2", "P-3"],
    }  # fmt: skip
    bare = without(clean_site(), "inlets")
    assert pipe_ways(with_layer(bare, "storm_sewers", ring)).names == ()
    assert pipe_ways(without(bare, "culverts")).names == ()


def test_arrows_point_down_the_slope_with_its_percent() -> None:
    areas = [shapely.box(50.0, 50.0, 350.0, 350.0)]
    arrows = flow_arrows(surface(plane), areas)
    assert arrows
    for arrow in arrows:
        assert arrow.slope_pct == pytest.approx(100 * np.hypot(0.10, 0.05), abs=0.1)
        (x0, y0), (x1, y1) = arrow.line.coords[0], arrow.line.coords[-1]
        assert np.arctan2(y1 - y0, x1 - x0) == pytest.approx(np.arctan2(-0.05, -0.10), abs=0.02)
        assert areas[0].contains(arrow.line)


def test_arrows_bend_into_the_valley() -> None:
    """Not one of eight bearings: across 10 % sides and along a 2 % floor."""
    (arrow, *_) = flow_arrows(surface(valley), [shapely.box(210.0, 100.0, 390.0, 390.0)])
    (x0, y0), (x1, y1) = arrow.line.coords[0], arrow.line.coords[-1]
    assert x1 < x0
    assert y1 < y0
    assert (x0 - x1) / (y0 - y1) == pytest.approx(5.0, rel=0.1)


def test_more_arrows_in_a_large_area_and_none_on_level_ground() -> None:
    wide = surface(plane, side_ft=900.0)
    assert len(flow_arrows(wide, [shapely.box(50.0, 50.0, 850.0, 850.0)])) == 5
    level = surface(lambda x, y: 800.0 + 0.0 * x + 0.0 * y)
    assert flow_arrows(level, [shapely.box(50.0, 50.0, 350.0, 350.0)]) == []
    assert flow_arrows(wide, [shapely.box(50.0, 50.0, 60.0, 60.0)]) == [], "no room for 20 ft"
    outside = rectangle(0.0, 0.0, 100.0, 100.0)
    assert flow_arrows(wide, [outside]) == [], "nothing is known there"


def test_an_area_beside_a_void_may_be_larger(tmp_path: Path) -> None:
    """The upper end of the valley is void: what lies behind it is not known."""
    site, ground = on_trough(tmp_path, [point(400.0, 100.0)])
    z = ground.z_ft.copy()
    z[:60] = np.nan
    area = drainage(site, replace(ground, z_ft=z), after_grading=True).areas[0]
    assert area.at_edge


def test_two_points_of_one_feature_are_two_outfalls(tmp_path: Path) -> None:
    """Pipe ends 300 ft apart in one MultiPoint: each drains its own ground of the valley."""
    ends = shapely.MultiPoint([point(400.0, 100.0), point(400.0, 400.0)])
    site, ground = on_trough(tmp_path, [ends])
    areas = {area.point.name: area for area in drainage(site, ground, after_grading=True).areas}
    first, second = areas["OF-1 (1)"], areas["OF-1 (2)"]
    assert first.shape.contains(point(300.0, 250.0)), "between the two, the lower one's"
    assert second.shape.contains(point(300.0, 500.0))
    assert not first.shape.contains(point(300.0, 500.0))
