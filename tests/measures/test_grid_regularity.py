"""Cells in columns and rows; letters and numbers in order."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, box

from sitemap.measures.grid import column_letters, grid_over
from sitemap.measures.grid_regularity import (
    arrange,
    cells_from,
    label_order,
    label_troubles,
    series_trouble,
    unequal_cells,
    usual_size,
)

sides = st.integers(min_value=1, max_value=8)
feet = st.floats(min_value=-3e6, max_value=3e6)
turns = st.floats(min_value=-0.7, max_value=0.7)


def cells(columns: int, rows: int, side: float = 100.0) -> np.ndarray:
    """Row by row from the top left, as our own labels go."""
    return np.array(
        [
            box(c * side, -(r + 1) * side, (c + 1) * side, -r * side)
            for r in range(rows)
            for c in range(columns)
        ]
    )


def moved(shapes: np.ndarray, x: float, y: float, turn: float) -> np.ndarray:
    cos, sin = np.cos(turn), np.sin(turn)
    return shapely.transform(shapes, lambda xy: xy @ [[cos, sin], [-sin, cos]] + [x, y])


@given(sides, sides, feet, feet, turns)
def test_shift_and_turn_change_no_column_row_or_size(
    columns: int, rows: int, x: float, y: float, turn: float
) -> None:
    place = arrange(moved(cells(columns, rows), x, y, turn), 0.5)
    assert place.column.tolist() == list(range(columns)) * rows
    assert place.row.tolist() == [r for r in range(rows) for _ in range(columns)]
    assert place.width_ft == pytest.approx(100.0, abs=1e-6)
    assert not unequal_cells(place, 0.5).any()


@given(sides, sides)
def test_our_own_grid_has_no_trouble(columns: int, rows: int) -> None:
    grid = grid_over((0.0, 0.0, columns * 100.0, rows * 100.0), 100.0)
    shapes = np.array([box(*grid.bounds_of(label)) for label in grid.labels])
    place = arrange(shapes, 0.5)
    assert (place.columns, place.rows) == (columns, rows)
    assert label_troubles(grid.labels, place) == []


@given(st.permutations(list(range(12))))
def test_the_order_of_the_features_does_not_matter(order: list[int]) -> None:
    shapes = cells(4, 3)[order]
    labels = np.array([f"{'ABCD'[i % 4]}{i // 4 + 1}" for i in range(12)])[order]
    assert label_troubles(labels.tolist(), arrange(shapes, 0.5)) == []


@given(st.integers(min_value=2, max_value=60))
def test_letters_without_i_and_o_are_a_series(count: int) -> None:
    assert series_trouble([column_letters(i) for i in range(count)]) == ""


@pytest.mark.parametrize(
    ("marks", "trouble"),
    [
        (["A", "B", "C"], ""),
        (["C", "B", "A"], ""),
        (["H", "J", "K"], ""),
        (["H", "I", "J"], ""),
        (["Z", "AA", "AB"], ""),
        (["8", "9", "10"], ""),
        (["A", "C", "D"], "A is followed by C"),
        (["A", "B", "B"], "B repeated"),
        (["1", "3", "2"], "1 is followed by 3"),
        (["A", "2"], "A is followed by 2"),
    ],
)
def test_what_is_a_series(marks: list[str], trouble: str) -> None:
    assert series_trouble(marks) == trouble


def test_cells_at_the_rim_may_be_cut_but_not_larger() -> None:
    shapes = cells(4, 3)
    shapes[0] = box(60, -100, 100, 0)  # cut at the left
    assert not unequal_cells(arrange(shapes, 0.5), 0.5).any()
    shapes[0] = box(-20, -100, 100, 0)
    assert np.flatnonzero(unequal_cells(arrange(shapes, 0.5), 0.5)).tolist() == [0]


def test_an_inner_cell_may_not_be_smaller() -> None:
    shapes = cells(3, 3)
    shapes[4] = box(110, -190, 190, -110)
    assert np.flatnonzero(unequal_cells(arrange(shapes, 0.5), 0.5)).tolist() == [4]


def test_the_usual_size_is_the_one_of_most() -> None:
    assert usual_size(np.array([40.0, 100.0, 100.2, 99.9, 130.0]), 0.5) == 100.2


def test_lines_enclose_cells() -> None:
    lines = [LineString([(x, -10), (x, 310)]) for x in (0, 100, 200, 300)]
    lines += [LineString([(-10, y), (310, y)]) for y in (0, 100, 200, 300)]
    assert sorted(cell.area for cell in cells_from(np.array(lines))) == [10_000.0] * 9


def test_labels_are_sorted_as_a_reader_looks_for_them() -> None:
    told = ["A1", "A2", "A10", "b-3", "B 12", "H1", "J1", "Z9", "AA1", "AA2", "AB1", "7", "north"]
    backwards = told[::-1]
    assert sorted(backwards, key=label_order) == told
    assert sorted(["2B", "10A", "1B", "2A"], key=label_order) == ["2A", "10A", "1B", "2B"]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]])
def test_of_two_letters_in_one_column_the_first_is_meant(order: list[int]) -> None:
    """One wrong label in a column of two: which one it is may not hang on the records' order."""
    square = cells(2, 2)[order]
    labels = np.array(["G1", "H1", "H2", "H3"])[order]
    told = [trouble.words for trouble in label_troubles(labels.tolist(), arrange(square, 0.5))]
    assert "column G holds labels with H" in told
    assert "row 2 holds labels with 3" in told
