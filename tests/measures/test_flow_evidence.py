"""What tells the direction of a reach, each kind alone, on a tree drawn any way round."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitemap.measures.flow_direction import Known, decided
from sitemap.measures.flow_evidence import (
    Routing,
    by_fall,
    by_leads,
    by_levels,
    by_nodes,
    by_order,
)

# heads 0 and 1 into 2, which meets head 3 and goes on as 4; node numbers from above to below
TREE = ((0, 2), (1, 2), (2, 4), (3, 4), (4, 5))
HEIGHT = (100.0, 96.0, 90.0, 99.0, 85.0, 80.0)  # of the nodes
ORDER = (1, 1, 2, 1, 2)
ROUTING = [
    Routing(f"r{i}", f"n{a}", f"n{b}", HEIGHT[a], HEIGHT[b], ORDER[i])
    for i, (a, b) in enumerate(TREE)
]
LEADS = frozenset({("r0", "r2"), ("r1", "r2"), ("r2", "r4"), ("r3", "r4"), ("r9", "r0")})
Vote = Callable[[np.ndarray, np.ndarray], np.ndarray]


def drawn(backwards: set[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First and last nodes of the tree with some reaches drawn backwards, and the answer."""
    flip = np.isin(np.arange(len(TREE)), list(backwards))
    tail, head = np.array(TREE).T
    return np.where(flip, head, tail), np.where(flip, tail, head), np.where(flip, -1, 1)


@given(st.sets(st.integers(0, 4)))
def test_tables_nodes_and_elevations_tell_every_reach_whichever_way_it_is_drawn(
    backwards: set[int],
) -> None:
    """Also when all are: none of them asks how a neighbour is drawn."""
    first, last, answer = drawn(backwards)
    names = [r.reach for r in ROUTING]
    assert by_leads(first, last, names, LEADS).tolist() == answer.tolist()
    assert by_nodes(first, last, ROUTING).tolist() == answer.tolist()
    assert by_levels(first, last, ROUTING).tolist() == answer.tolist()


def test_stream_orders_tell_where_a_small_reach_joins_larger_ones_only() -> None:
    first, last, _ = drawn({3})
    wide = [*ROUTING[:3], Routing(order=1), ROUTING[4]]
    assert by_order(first, last, wide).tolist() == [0, 0, 0, -1, 0]


def test_nothing_is_told_where_nothing_is_said_or_a_reach_is_alone() -> None:
    one = np.array([0]), np.array([1])
    assert by_leads(*one, ["r0"], LEADS).tolist() == [0]
    assert by_nodes(*one, ROUTING[:1]).tolist() == [0]
    assert by_levels(*one, ROUTING[:1]).tolist() == [0]
    assert by_order(*one, ROUTING[:1]).tolist() == [0]
    first, last, _ = drawn(set())
    silent = [Routing()] * 5
    for vote in (by_nodes, by_levels, by_order):
        assert not vote(first, last, silent).any()


def test_a_reach_as_high_at_both_ends_is_not_told_by_its_elevations() -> None:
    first, last, _ = drawn(set())
    flat = [*ROUTING[:2], Routing(high=90.0, low=90.0), *ROUTING[3:]]
    assert by_levels(first, last, flat)[2] == 0


def test_at_the_limit_a_fall_must_be_more_than_the_least() -> None:
    heights = np.array([1.0, 1.0, 0.0, np.nan]), np.array([0.0, 0.01, 1.0, 0.0])
    assert by_fall(*heights, 0.99).tolist() == [1, 0, -1, 0]


def test_the_most_trusted_vote_decides_and_the_others_are_heard() -> None:
    votes = {Known.FIELD: np.array([1, -1, 0]), Known.NODES: np.array([-1, 0, 0])}
    told = decided(votes, 3)
    assert told.sign.tolist() == [-1, -1, 1]
    assert told.known == (Known.NODES, Known.FIELD, Known.ASSUMED)
    assert told.contradicting(0) == (Known.FIELD,)
    assert told.agreeing(0) == (Known.NODES,)
    assert told.contradicted().tolist() == [True, False, False]
    assert told.is_known.tolist() == [True, True, False]
