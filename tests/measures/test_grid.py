"""The alphanumeric grid: letters, cells, sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.measures.grid import (
    RegularGrid,
    column_index,
    column_letters,
    grid_over,
    round_cell_ft,
)
from sitemap.measures.sheets import ENGINEERS_SCALES
from sitemap.units import MapScale

eastings = st.floats(2_300_000, 2_600_000)
northings = st.floats(280_000, 380_000)
sides = st.floats(10, 8_000)


def test_letters_leave_out_i_and_o():
    letters = [column_letters(i) for i in range(24)]
    assert letters == list("ABCDEFGHJKLMNPQRSTUVWXYZ")
    assert column_letters(24) == "AA"
    assert column_letters(24 + 24) == "BA"
    assert column_letters(24 + 24 * 24) == "AAA"


@given(st.integers(0, 20_000))
def test_letters_are_read_back(index):
    assert column_index(column_letters(index)) == index


@pytest.mark.parametrize("letters", ["", "I", "AO", "7"])
def test_letters_of_no_column(letters):
    with pytest.raises(ValueError, match="column"):
        column_index(letters)


def test_numbers_go_down_and_letters_across():
    grid = RegularGrid(0, 0, 100, columns=3, rows=2)
    assert grid.labels == ("A1", "B1", "C1", "A2", "B2", "C2")
    assert grid.cell_of(50, 150) == "A1"  # upper left
    assert grid.cell_of(250, 50) == "C2"  # lower right
    assert grid.row_edges.tolist() == [200, 100, 0]
    assert grid.bounds_of("C1") == (200, 100, 300, 200)


def test_lines_belong_right_and_below_outer_edges_inside():
    grid = RegularGrid(0, 0, 100, columns=2, rows=2)
    assert grid.cell_of(100, 150) == "B1"
    assert grid.cell_of(50, 100) == "A2"
    assert grid.cell_of(200, 0) == "B2"
    assert grid.cell_of(0, 200) == "A1"
    assert grid.cell_of(200.001, 100) is None
    assert grid.cell_of(float("nan"), 100) is None


@given(x=eastings, y=northings, width=sides, height=sides, u=st.floats(0, 1), v=st.floats(0, 1))
def test_every_point_of_the_bounds_is_in_exactly_one_cell(x, y, width, height, u, v):
    grid = grid_over((x, y, x + width, y + height))
    px, py = min(x + u * width, x + width), min(y + v * height, y + height)
    label = grid.cell_of(px, py)
    assert label is not None
    left, bottom, right, top = grid.bounds_of(label)
    assert left <= px <= right
    assert bottom <= py <= top
    strictly_inside = [
        c for c in grid.labels for b in [grid.bounds_of(c)] if b[0] < px < b[2] and b[1] < py < b[3]
    ]
    assert strictly_inside in ([label], [])  # empty only on a line
    assert len(set(grid.labels)) == grid.columns * grid.rows


@given(x=eastings, y=northings, width=sides, height=sides)
def test_grid_covers_the_bounds_without_an_empty_row(x, y, width, height):
    grid = grid_over((x, y, x + width, y + height))
    left, bottom, right, top = grid.bounds_ft
    assert left <= x < left + grid.cell_ft
    assert right - grid.cell_ft < x + width <= right
    assert bottom <= y < bottom + grid.cell_ft
    assert top - grid.cell_ft < y + height <= top
    assert max(grid.columns, grid.rows) <= 17  # 16, and one more for where it starts


@pytest.mark.parametrize("feet_per_inch", ENGINEERS_SCALES)
def test_cells_are_readable_on_paper(feet_per_inch):
    cell = round_cell_ft(0, MapScale(feet_per_inch))
    assert 1.5 <= cell / feet_per_inch <= 6
    assert cell in (20, 50, 100, 200)


def test_a_street_of_lots_gets_hundred_foot_cells():
    assert grid_over((2_400_010, 300_020, 2_401_310, 300_980)).cell_ft == 100
    grid = grid_over((2_400_010, 300_020, 2_401_310, 300_980), 250)
    assert grid.x0_ft == 2_400_000
    assert grid.cell_ft == 250


def test_many_points_at_once_agree_with_one_by_one():
    grid = grid_over((0, 0, 950, 430), 50)
    rng = np.random.default_rng(5)
    x, y = rng.uniform(-50, 1000, 500), rng.uniform(-50, 500, 500)
    one_by_one = [grid.cell_of(a, b) for a, b in zip(x, y, strict=True)]
    assert grid.cells_of(x, y) == one_by_one
    assert None in one_by_one


@pytest.mark.parametrize("bounds", [(0, 0, float("inf"), 1), (5, 0, 1, 1)])
def test_bounds_that_are_none(bounds):
    with pytest.raises(ValueError, match="bounds"):
        grid_over(bounds)


@pytest.mark.parametrize("label", ["D1", "A3", "I1", "A0", "11"])
def test_no_such_cell(label):
    with pytest.raises(ValueError, match=r"cell|column"):
        RegularGrid(0, 0, 100, columns=3, rows=2).bounds_of(label)
