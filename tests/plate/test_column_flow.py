"""Blocks that go on in the next column: every row once, nothing below the foot of a column."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.errors import PlateError
from sitemap.plate.blocks import Block
from sitemap.plate.column_flow import FlowColumn, Flowing, Placed, flow

HEAD_IN, ROW_IN, GAP_IN = 0.3, 0.2, 0.2
COLUMNS = [FlowColumn(1.0, 10.0, 1.0, 5.0), FlowColumn(7.0, 10.0, 4.0, 5.0)]


def rows_of(name: str, count: int, row_in: float = ROW_IN) -> Flowing:
    def build(width: float, start: int, stop: int) -> Block:
        words = f"{name} {start} {stop}"
        return Block(words, width, HEAD_IN + row_in * (stop - start), ())

    return Flowing(name, count, build)


def spans(placed: list[Placed], name: str) -> list[tuple[int, int]]:
    split = [one.block.name.rsplit(" ", 2) for one in placed]
    return [(int(start), int(stop)) for words, start, stop in split if words == name]


@given(st.lists(st.integers(1, 120), min_size=1, max_size=6))
def test_every_row_stands_once_and_in_its_column(counts: list[int]) -> None:
    blocks = [rows_of(f"block {i}", count) for i, count in enumerate(counts)]
    placed = flow(blocks, COLUMNS, GAP_IN)
    for i, count in enumerate(counts):
        pieces = spans(placed, f"block {i}")
        assert pieces[0][0] == 0
        assert pieces[-1][1] == count
        assert all(a[1] == b[0] for a, b in pairwise(pieces))
    for one in placed:
        column = next(c for c in COLUMNS if c.left_in == one.left_in)
        assert one.top_in - one.block.height_in >= column.bottom_in - 1e-9
        assert one.top_in <= column.top_in


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_blocks_of_a_column_stand_apart(counts: list[int]) -> None:
    placed = flow([rows_of(f"b{i}", n) for i, n in enumerate(counts)], COLUMNS, GAP_IN)
    for a, b in pairwise(placed):
        if (a.page, a.left_in) == (b.page, b.left_in):
            assert a.top_in - a.block.height_in - b.top_in == pytest.approx(GAP_IN)


def test_columns_are_about_equally_long() -> None:
    placed = flow([rows_of("a", 5), rows_of("b", 5)], COLUMNS, GAP_IN)
    assert [one.left_in for one in placed] == [1.0, 7.0]


def test_block_is_not_divided_where_the_next_column_holds_it() -> None:
    placed = flow([rows_of("a", 30), rows_of("b", 25)], COLUMNS, GAP_IN)
    assert spans(placed, "b") == [(0, 25)]


def test_row_higher_than_a_column_is_refused() -> None:
    with pytest.raises(PlateError, match="row 1 of “tall” is higher than the sheet"):
        flow([rows_of("tall", 2, row_in=9.5)], COLUMNS, GAP_IN)
