"""Pieces that may come near another level: none that does is left out."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures import near_pieces
from sitemap.measures.contours import contours_of
from sitemap.measures.near_pieces import near_another_level


@settings(max_examples=60)
@given(
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(2, 70), st.integers(1, 3)), min_size=2, max_size=6),
    st.floats(0.0, 3.0),
)
def test_all_within_reach_are_among_them(
    seed: int, lines: list[tuple[int, int]], reach_ft: float
) -> None:
    """Against the distance of every pair of pieces."""
    chance = np.random.default_rng(seed)
    walks = [
        shapely.LineString(
            np.cumsum(chance.normal(0, 2, (n, 2)), axis=0) + chance.uniform(0, 20, 2)
        )
        for n, _ in lines
    ]
    contours = contours_of(np.array(walks), np.array([float(level) for _, level in lines]))
    pieces = contours.pieces
    a, b = np.triu_indices(len(pieces.lines), 1)
    other = contours.levels_ft[pieces.owner[a]] != contours.levels_ft[pieces.owner[b]]
    near = other & (shapely.distance(pieces.lines[a], pieces.lines[b]) <= reach_ft)
    found = set(zip(*near_another_level(contours, reach_ft), strict=True))
    assert set(zip(a[near], b[near], strict=True)) <= found
    assert found <= set(zip(a[other], b[other], strict=True))


def test_many_pairs_are_compared_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [shapely.LineString([(0, y), (9, y)]) for y in (0.0, 0.1, 0.2, 0.3, 50.0)]
    levels = np.arange(5.0)
    whole = near_another_level(contours_of(np.array(rows), levels), 0.5)
    monkeypatch.setattr(near_pieces, "MOST_PAIRS", 2)
    again = near_another_level(contours_of(np.array(rows), levels), 0.5)
    assert [x.tolist() for x in again] == [x.tolist() for x in whole]
    assert len(whole[0]) == 6


def test_steep_ground_drawn_aslant_is_not_near() -> None:
    """Two lines 5 ft apart at 45 degrees, a vertex each 2 ft: boxes of longer parts overlap."""
    at = np.linspace(0.0, 200.0, 142)
    lines = [shapely.LineString(np.c_[at, at + apart * 2**0.5]) for apart in (0.0, 5.0)]
    found = near_another_level(contours_of(np.array(lines), np.array([820.0, 822.0])), 0.5)
    assert [len(numbers) for numbers in found] == [0, 0]
