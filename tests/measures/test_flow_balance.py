"""Reaches whose directions contradict each other, in chains and trees of known answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures.flow_balance import Balance, Odd, Oddity, carried_on
from sitemap.measures.joints import join

Line = list[tuple[float, float]]


def balance(
    lines: list[Line], lake: tuple[float, float] | None = None, made: tuple[int, ...] = ()
) -> Balance:
    """All lines flow as drawn; nodes with x between the two numbers of lake lie in it."""
    shapes = np.array([LineString(line) for line in lines], dtype=object)
    count = len(lines)
    noded = join(shapes, 0.5, 5.0, np.zeros(count, dtype=bool))
    inside = np.full(noded.size, -1)
    for piece, a, b in zip(noded.lines, noded.first, noded.last, strict=True):
        for node, end in ((a, 0), (b, -1)):
            if lake and lake[0] <= piece.coords[end][0] <= lake[1]:
                inside[node] = 0
    none = np.zeros(noded.size, dtype=bool)
    known = np.ones(count, dtype=bool)
    return Balance(
        noded, np.ones(count, dtype=int), known, none, inside, np.isin(np.arange(count), made)
    )


def odd(lines: list[Line], **more: object) -> list[Odd]:
    return list(balance(lines, **more).odd())  # type: ignore[arg-type]


def chain(count: int) -> list[Line]:
    return [[(i * 100.0, 0.0), (i * 100.0 + 100, 0.0)] for i in range(count)]


@settings(max_examples=60)
@given(st.integers(3, 12), st.data())
def test_the_one_reach_of_a_chain_that_is_drawn_backwards_is_named(
    count: int, data: st.DataObject
) -> None:
    """Also the first and the last: turning a neighbour instead would only move the fault."""
    wrong = data.draw(st.integers(0, count - 1))
    lines = chain(count)
    lines[wrong].reverse()
    (found,) = odd(lines)
    assert found.turn == wrong
    assert found.certain == (0 < wrong < count - 1)
    assert found.kind is (Oddity.PARTING if wrong == 0 else Oddity.HEAD_ON)


def test_of_two_reaches_nobody_can_tell_which_one_is_wrong() -> None:
    lines = chain(2)
    lines[1].reverse()
    (found,) = odd(lines)
    assert (found.kind, found.turn, found.certain) == (Oddity.HEAD_ON, None, False)


def tree() -> list[Line]:
    """Two heads into a trunk of two reaches, and a third head into the second of them."""
    return [
        [(0, 100), (100, 0)], [(0, -100), (100, 0)], [(100, 0), (200, 0)],
        [(150, 200), (200, 0)], [(200, 0), (300, 0)],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "kind", "turn"),
    [
        (0, Oddity.BRANCH_ENDS, 0),
        (1, Oddity.BRANCH_ENDS, 1),
        (2, Oddity.HEAD_ON, 2),  # turning it also mends that the outlet alone leaves 3
        (3, Oddity.BRANCH_ENDS, None),  # the outlet beside it may as well be the head
        (4, Oddity.HEAD_ON, None),
    ],
)
def test_each_reach_of_a_tree_is_noticed_when_it_is_drawn_backwards(
    wrong: int, kind: Oddity, turn: int | None
) -> None:
    assert odd(tree()) == []
    lines = tree()
    lines[wrong].reverse()
    (found,) = odd(lines)
    assert (found.kind, found.turn, found.certain) == (kind, turn, False)
    assert wrong in found.lines


def test_a_trunk_drawn_backwards_below_two_confluences_leaves_no_doubt() -> None:
    lines = tree()
    del lines[3]
    lines[2].reverse()
    (found,) = odd(lines)
    assert (found.turn, found.certain) == (2, True)


def test_both_arms_around_an_island_are_branches_that_go_on() -> None:
    lines: list[Line] = [
        [(-100, 0), (0, 0)], [(0, 0), (50, 40), (100, 0)], [(0, 0), (50, -40), (100, 0)],
        [(100, 0), (200, 0)],
    ]  # fmt: skip
    assert odd(lines) == []


def test_a_fork_at_the_edge_of_the_data_is_a_doubt_about_no_single_reach() -> None:
    lines: list[Line] = [[(0, 0), (100, 0)], [(100, 0), (200, 50)], [(100, 0), (200, -50)]]
    assert not any(o.certain for o in odd(lines))


def test_streams_may_meet_in_a_lake_that_none_leaves_and_not_in_one_with_an_outlet() -> None:
    lines: list[Line] = [[(0, 0), (100, 0)], [(200, 0), (100, 0)]]
    assert odd(lines, lake=(90, 110)) == []
    assert len(odd([*lines, [(105, 10), (300, 300)]], lake=(90, 110))) == 1
    away: list[Line] = [[(100, 0), (0, 0)], [(100, 0), (200, 0)]]
    assert odd(away, lake=(90, 110)) == []
    assert len(odd(away)) == 1


def test_ditches_may_part_at_a_crest_and_end_where_they_please() -> None:
    away: list[Line] = [[(100, 0), (0, 0)], [(100, 0), (200, 0)]]
    assert odd(away, made=(0, 1)) == []
    lines = tree()
    lines[0].reverse()
    assert odd(lines, made=(0,)) == []


def test_what_is_not_known_follows_from_its_neighbours() -> None:
    lines = chain(4)
    lines[1].reverse()
    noded = balance(lines).noded
    sign = np.ones(4, dtype=int)
    assert carried_on(noded, sign, np.array([True, False, False, False])) == {1: -1, 2: 1, 3: 1}
    assert carried_on(noded, sign, np.array([False, False, False, True])) == {0: 1, 1: -1, 2: 1}
    assert carried_on(noded, sign, np.zeros(4, dtype=bool)) == {}
