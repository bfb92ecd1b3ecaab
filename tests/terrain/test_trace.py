"""The way of water over grounds with known answers, and against a flood of the whole ground."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.terrain.trace import End
from tests.terrain.flow_grounds import filled, ground, is_connected, plane, relief, violations


@pytest.mark.parametrize("bearing", range(0, 360, 13))
def test_on_a_plane_it_is_the_straight_line_of_fall_and_its_true_length(bearing: int) -> None:
    """A lattice path would turn aside up to 22.5 degrees and be up to 8 % too long."""
    path = ground(plane(bearing)).trace((502.5, 502.5), 300.0)
    end = path.line.interpolate(300.0)
    angle = math.radians(bearing)
    there = shapely.Point(502.5 + 300 * math.cos(angle), 502.5 + 300 * math.sin(angle))
    assert path.end is End.DISTANCE
    assert end.distance(there) < 5.0  # one cell


def test_a_diagonal_counts_its_diagonal() -> None:
    path = ground(plane(45.0)).trace((502.5, 502.5), 150.0)
    corner = shapely.Point(602.5, 602.5)
    assert path.line.project(corner) == pytest.approx(100 * math.sqrt(2), abs=1e-6)


def test_in_a_valley_it_runs_down_the_side_and_along_the_bottom() -> None:
    """Sides of 10 % towards x = 500, the bottom falls 1 % to the south."""
    path = ground(lambda x, y: 0.1 * np.abs(x - 502.5) + 0.01 * y).trace((302.5, 702.5), 600.0)
    end = path.line.interpolate(600.0)
    assert end.x == pytest.approx(502.5, abs=5.0)
    assert end.y < 502.5


def test_from_a_cone_it_runs_straight_away_from_the_top() -> None:
    path = ground(lambda x, y: -0.05 * np.hypot(x - 502.5, y - 502.5)).trace((562.5, 532.5), 350.0)
    away = np.hypot(path.xy[:, 0] - 502.5, path.xy[:, 1] - 502.5)
    assert (np.diff(away) > 0).all()
    end = path.line.interpolate(300.0)
    bearing = math.degrees(math.atan2(end.y - 502.5, end.x - 502.5))
    assert bearing == pytest.approx(math.degrees(math.atan2(30, 60)), abs=2.0)


def test_from_beside_a_saddle_it_takes_its_own_side() -> None:
    """z = x² - y²: water leaves along y, to the side where it started."""
    hill = ground(lambda x, y: ((x - 500) ** 2 - (y - 500) ** 2) / 1e3)
    assert hill.trace((517.5, 512.5), 300.0).xy[-1][1] > 700
    assert hill.trace((517.5, 487.5), 300.0).xy[-1][1] < 300


def test_a_hollow_fills_and_spills_over_its_lowest_rim() -> None:
    z = np.full((9, 15), 10.0)
    z[4, 2:12] = [9, 8, 7, 6, 5, 8, 7.5, 4, 3, 2]
    z[4, 12:] = [1, 0.5, 0]
    path = relief(z).trace((2.5, 4.5), 100.0)
    (fill,) = path.fills
    assert path.end is End.EDGE
    assert (fill.level_ft, fill.depth_ft) == (8.0, 3.0)
    assert fill.xy == (7.5, 4.5)
    assert path.line.length == pytest.approx(12.0)


def test_two_pits_in_one_pit_fill_together() -> None:
    """Each pit alone spills into the other; together they leave over 9 at the right."""
    z = np.full((7, 14), 20.0)
    z[3, 1:] = [9.5, 5, 7, 4, 7, 5, 8, 9, 6, 3, 2, 1, 0]
    path = relief(z).trace((2.5, 3.5), 100.0)
    assert path.end is End.EDGE
    assert [f.level_ft for f in path.fills] == [9.0]
    assert is_connected(path, 14)


def test_over_a_flat_lake_it_takes_the_shortest_way_to_the_outlet() -> None:
    z = np.full((21, 41), 12.0)
    z[5:16, 10:31] = 5.0  # the lake
    z[10, 1:10] = np.linspace(9, 6, 9)
    z[10, 31:] = np.linspace(4.9, 1, 10)
    path = relief(z).trace((1.5, 10.5), 200.0)
    assert path.end is End.EDGE
    assert path.line.length == pytest.approx(39.0)
    assert path.fills == []


def test_it_ends_at_a_hole_in_the_data_and_says_so() -> None:
    z = np.tile(np.arange(30, 0, -1.0), (9, 1))
    z[:, 20] = np.nan
    path = relief(z).trace((3.5, 4.5), 100.0)
    assert path.end is End.VOID
    assert path.line.length == pytest.approx(16.0)


def test_a_basin_that_fills_to_the_rim_of_the_data_ends_there() -> None:
    z = np.full((9, 9), 10.0)
    z[4, 4] = 1.0
    assert relief(z).trace((4.5, 4.5), 100.0).end is End.EDGE


def test_it_begins_nowhere_off_the_ground_or_in_a_hole() -> None:
    z = np.full((9, 9), 10.0)
    z[4, 4] = np.nan
    assert relief(z).trace((4.5, 4.5), 9.0).end is End.OUTSIDE
    assert relief(z).trace((40.0, 4.5), 9.0).end is End.OUTSIDE


def test_it_ends_on_a_stop_unless_that_one_is_spent() -> None:
    z = np.tile(np.arange(30, 0, -1.0), (9, 1))
    stop = np.zeros(z.shape, np.int32)
    stop[:, 10], stop[:, 20] = 7, 8
    path = relief(z, stop=stop).trace((3.5, 4.5), 100.0)
    assert (path.end, path.stop, path.xy[-1][0]) == (End.STOP, 7, 10.5)
    path = relief(z, stop=stop).trace((3.5, 4.5), 100.0, frozenset({7}))
    assert (path.end, path.stop, path.xy[-1][0]) == (End.STOP, 8, 20.5)


# ------------------------------------------------------------------------------- the oracle

heights = st.integers(0, 9)


@settings(max_examples=60)
@given(
    st.lists(st.lists(heights, min_size=12, max_size=12), min_size=12, max_size=12),
    st.integers(1, 10),
    st.integers(1, 10),
)
def test_no_cell_forces_a_rise_above_its_filled_level(
    rows: list[list[int]], row: int, column: int
) -> None:
    """Small whole numbers make many flats, pits in pits and ties."""
    z = np.array(rows, float)
    path = relief(z).trace((column + 0.5, 11.5 - row), 1e9)
    assert path.end is End.EDGE
    assert violations(path, filled(z)) == 0
    assert is_connected(path, 12)


def test_no_violation_in_ten_thousand_paths() -> None:
    random = np.random.default_rng(7)
    found = 0
    for number in range(100):
        rough = random.normal(size=(30, 30))
        z = rough.cumsum(axis=0).cumsum(axis=1) * 0.1 if number % 2 else np.round(rough, 1)
        level, hill = filled(z), relief(z)
        for row, column in random.integers(1, 29, (100, 2)):
            found += violations(hill.trace((column + 0.5, 29.5 - row), 1e9), level)
    assert found == 0


# ------------------------------------------------------------------------- nothing it may change


def rough(seed: int, cells: int = 60) -> np.ndarray:
    """A slope with hollows, no two heights alike."""
    random = np.random.default_rng(seed)
    slope = np.linspace(0, 6, cells)[:, None] + np.linspace(0, 3, cells)[None, :]
    return random.normal(0, 0.3, (cells, cells)) + slope


@pytest.mark.parametrize("seed", range(6))
def test_turning_the_map_by_right_angles_changes_no_length(seed: int) -> None:
    z = rough(seed)
    lengths = []
    for turns in range(4):
        where = np.zeros(z.shape)
        where[40, 40] = 1
        row, column = np.argwhere(np.rot90(where, turns))[0]
        path = relief(np.rot90(z, turns)).trace((column + 0.5, 59.5 - row), 1e9)
        lengths.append(path.line.length)
    assert lengths == pytest.approx([lengths[0]] * 4, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_neither_the_unit_of_height_nor_a_shift_changes_the_path(seed: int) -> None:
    z = rough(seed)
    plain = relief(z).trace((40.5, 19.5), 1e9)
    metric = relief(z * 0.3048).trace((40.5, 19.5), 1e9)
    raised = relief(z + 512.0).trace((40.5, 19.5), 1e9)
    assert plain.cells.tolist() == metric.cells.tolist() == raised.cells.tolist()


def test_a_part_of_the_surface_gives_the_same_path_while_it_holds_it() -> None:
    hill = relief(rough(3))
    whole = hill.trace((30.5, 30.5), 12.0)
    part = hill.window((10, 10, 50, 50)).trace((30.5, 30.5), 12.0)
    assert whole.end is part.end is End.DISTANCE
    assert whole.xy.tolist() == part.xy.tolist()


@pytest.mark.real_data
def test_on_lidar_no_cell_forces_a_rise_above_its_filled_level(shared_data: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    with rasterio.open(shared_data / "1-midwest/lidar-dem-1m-mn/dem.tif") as source:
        z = source.read(1).astype(float)
    assert np.isfinite(z).all()
    level, hill = filled(z), relief(z, 3.28084)
    random = np.random.default_rng(5)
    for row, column in random.integers(60, 340, (30, 2)):
        start = ((column + 0.5) * 3.28084, (399.5 - row) * 3.28084)
        path = hill.trace(start, 1320.0)
        needed = np.maximum.accumulate(path.z_ft[::-1])[::-1]
        assert (needed <= level.ravel()[path.cells] + 1e-6).all()
