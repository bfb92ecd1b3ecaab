"""Ways of water held against a plain priority flood, and against grounds whose ways are known."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.terrain.flow_field import FlowField, Jump, flow_field
from sitemap.terrain.ways_down import WAYS
from tests.terrain.grounds import bowl, cone, of_cells, plane, saddle, surface, valley


def flooded(z: np.ndarray) -> np.ndarray:
    """The textbook priority flood: every cell raised to the level at which it spills."""
    rows, columns = z.shape
    level, seen, heap = z.copy(), np.isnan(z), []
    for row in range(rows):
        for column in range(columns):
            around = [(row + a, column + b) for a, b in WAYS]
            open_side = any(
                not (0 <= r < rows and 0 <= c < columns) or np.isnan(z[r, c]) for r, c in around
            )
            if open_side and not seen[row, column]:
                heapq.heappush(heap, (z[row, column], row, column))
                seen[row, column] = True
    while heap:
        height, row, column = heapq.heappop(heap)
        for a, b in WAYS:
            r, c = row + a, column + b
            if 0 <= r < rows and 0 <= c < columns and not seen[r, c]:
                seen[r, c] = True
                level[r, c] = max(height, z[r, c])
                heapq.heappush(heap, (level[r, c], r, c))
    return level


def check_every_way(field: FlowField, z: np.ndarray) -> None:
    """All water leaves, and no cell on the way lies over the level at which it spilled."""
    known = np.isfinite(z).ravel()
    assert (field.depth[:-1][known] > 0).all()
    assert (field.receiver[~known] == field.outside).all()
    level = np.append(field.spill_ft.ravel(), -np.inf)
    receiver = field.receiver[known]
    assert (level[receiver] <= level[:-1][known]).all(), "a way climbs over its spill"
    leaving = known & (field.receiver == field.outside)
    assert field.upstream[leaving].sum() == known.sum(), "water is lost or made"


heights = st.integers(0, 10_000)


@settings(max_examples=60)
@given(heights, st.integers(2, 24), st.integers(2, 24), st.sampled_from([0, 1, 3]), st.booleans())
def test_spill_levels_are_those_of_a_priority_flood(
    seed: int, rows: int, columns: int, digits: int, holes: bool
) -> None:
    """Rough ground, with flats where heights are rounded, and with voids."""
    rng = np.random.default_rng(seed)
    z = np.round(rng.normal(800.0, 2.0, (rows, columns)), digits)
    if holes:
        z[rng.random(z.shape) < 0.1] = np.nan
    field = flow_field(of_cells(z))
    assert np.array_equal(field.spill_ft, flooded(z), equal_nan=True)
    check_every_way(field, z)


@settings(max_examples=20)
@given(heights, st.integers(1, 3))
def test_turning_the_ground_changes_no_spill_level(seed: int, turns: int) -> None:
    z = np.random.default_rng(seed).normal(800.0, 2.0, (15, 20))
    turned = flow_field(of_cells(np.rot90(z, turns))).spill_ft
    assert np.array_equal(turned, np.rot90(flow_field(of_cells(z)).spill_ft, turns))


def test_a_plane_drains_to_its_low_sides_and_stores_nothing() -> None:
    ground = surface(plane)
    field = flow_field(ground)
    assert (field.spill_ft == ground.z_ft).all()
    leaving = np.flatnonzero(field.receiver == field.outside)
    rows, columns = leaving // 80, leaving % 80
    assert ((rows == 79) | (columns == 0)).all(), "down to the west and the south"


def test_a_cone_drains_to_its_four_corners_alike() -> None:
    field = flow_field(surface(cone))
    leaving = np.flatnonzero(field.receiver == field.outside)
    assert set(leaving) == {0, 79, 79 * 80, 6399}
    assert set(field.upstream[leaving]) == {1600.0}


def test_a_bowl_fills_to_its_lowest_rim_and_spills_there() -> None:
    ground = surface(bowl)
    field = flow_field(ground)
    z = ground.z_ft
    rim = min(z[0].min(), z[-1].min(), z[:, 0].min(), z[:, -1].min())
    assert field.spill_ft[40, 40] == rim
    spill = int(np.argmax(np.where(field.receiver == field.outside, field.upstream, 0)))
    assert spill % 80 == 79, "over the east side"
    assert 38 <= spill // 80 <= 41
    assert field.upstream[spill] > 0.7 * 6400


def test_a_valley_carries_the_water_of_both_sides() -> None:
    field = flow_field(surface(valley))
    foot = field.upstream.reshape(80, 80)[79]
    assert set(np.argsort(foot)[-2:]) == {39, 40}
    assert foot[39] + foot[40] > 0.9 * 6400


def test_a_saddle_parts_the_water() -> None:
    field = flow_field(surface(saddle))
    leaving = np.flatnonzero(field.receiver == field.outside)
    water = field.upstream[leaving]
    north, south = water[leaving < 80].sum(), water[leaving >= 79 * 80].sum()
    assert north == pytest.approx(south, rel=0.05)
    assert north + south == pytest.approx(6400, rel=0.02)


def test_nested_hollows_spill_into_each_other() -> None:
    """Profile 9 1 5 2 7 3 9 in a trench: pits at 1, 2, 3; spills at 5, 7 and 9."""
    z = np.full((3, 7), 20.0)
    z[1] = [9.0, 1.0, 5.0, 2.0, 7.0, 3.0, 10.0]
    spill = flow_field(of_cells(z)).spill_ft[1]
    assert list(spill) == [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 10.0]


def test_a_flat_lake_drains_and_holds_no_water_back() -> None:
    z = np.full((20, 20), 805.0)
    z[5:15, 5:15] = 800.0
    z[10, 15:] = 800.0  # its outlet, as level as the lake
    field = flow_field(of_cells(z))
    assert (field.spill_ft[5:15, 5:15] == 800.0).all()
    outlet = 10 * 20 + 19
    assert field.receiver[outlet] == field.outside
    assert field.upstream[outlet] >= 100


def test_labels_stop_at_the_first_point_that_water_meets() -> None:
    field = flow_field(surface(lambda x, y: 800.0 + 0.1 * x + 0.0 * y))
    west, middle = 40 * 80, 40 * 80 + 30
    label = field.labelled(np.array([west, middle]), np.array([1, 2]))
    assert (label[40, 30:] == 2).all()
    assert (label[40, :30] == 1).all()
    assert (label[10] == 0).all()


def test_an_inlet_takes_its_water_underground() -> None:
    """A hollow with an inlet at its bottom does not fill; its water comes out at the pipe's end."""
    z = surface(bowl).z_ft.copy()
    bottom = int(np.argmin(z))
    z[:, 79] = 780.0  # a creek along the east side
    end = 30 * 80 + 79
    field = flow_field(of_cells(z), {bottom: Jump(end)})
    assert field.spill_ft.ravel()[bottom] == z.ravel()[bottom]
    assert field.receiver[bottom] == end
    assert field.upstream[end] > 0.7 * 6400


def test_a_pipe_takes_water_from_its_invert_on() -> None:
    """A hollow fills to the lower of its rim and the pipe's invert."""
    z = surface(bowl).z_ft.copy()
    bottom = int(np.argmin(z))
    z[:, 79] = 780.0
    rim = flow_field(of_cells(z)).spill_ft.ravel()[bottom]
    end = 30 * 80 + 79
    low = flow_field(of_cells(z), {bottom: Jump(end, 820.0)})
    assert low.spill_ft.ravel()[bottom] == 820.0
    assert low.receiver[bottom] == end
    high = flow_field(of_cells(z), {bottom: Jump(end, rim + 5.0)})
    assert high.spill_ft.ravel()[bottom] == rim


def test_pipes_that_lead_in_a_circle_let_the_water_out() -> None:
    ground = surface(lambda x, y: 800.0 + 0.1 * x + 0.0 * y)
    low, high = 40 * 80 + 10, 40 * 80 + 70
    field = flow_field(ground, {low: Jump(high)})
    assert field.receiver[low] == field.outside
    assert (field.depth[:-1] > 0).all()


def test_a_level_valley_floor_gathers_in_its_middle() -> None:
    """A floor of nine cells in steps of 0.2 ft: most of what comes in runs in the middle three."""
    x = np.abs(np.arange(41) - 20.0)
    floor = 0.2 * np.arange(12)[::-1].repeat(5)
    z = 800.0 + np.maximum(x - 4.0, 0.0) * 0.25 + floor[:, None]
    water = flow_field(of_cells(z)).upstream.reshape(z.shape)
    assert (np.abs(water[20:, 16:25].argmax(axis=1) - 4) <= 1).all()
    assert (water[20:, 19:22].sum(axis=1) > 0.65 * water[20:, 16:25].sum(axis=1)).all()


def test_level_ground_without_a_way_down_is_one_hollow() -> None:
    """A pond of 10 by 10 cells in a bank: all its water leaves at the one notch of the bank."""
    z = np.full((14, 14), 810.0)
    z[2:12, 2:12] = 800.0
    z[7, 12:] = 805.0
    field = flow_field(of_cells(z))
    assert (field.spill_ft[2:12, 2:12] == 805.0).all()
    assert field.upstream[7 * 14 + 13] >= 100
