"""Lines as arrays: parts, pieces, samples."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiLineString, Point

from sitemap.measures.contour_pieces import cut_into_pieces
from sitemap.measures.contours import contours_of, sample
from sitemap.measures.sight_lines import blocked
from tests.measures.grounds import hills

lengths = st.integers(min_value=2, max_value=70)


def zigzag(vertices: int, y: float = 0.0) -> LineString:
    x = np.arange(vertices, dtype=float)
    return LineString(np.column_stack([x, y + (x % 2)]))


def test_parts_keep_the_level_and_the_row_of_their_feature() -> None:
    two = MultiLineString([[(0, 0), (1, 0)], [(2, 0), (3, 0)]])
    shapes = np.array([None, two, LineString(), Point(1, 1), LineString([(0, 0), (0, 1)])])
    found = contours_of(shapes, np.array([1.0, 2.0, 3.0, 4.0, np.nan]))
    assert found.levels_ft.tolist() == [2.0, 2.0]
    assert found.rows.tolist() == [1, 1]


def test_coordinates_that_are_not_finite_are_left_out() -> None:
    with np.errstate(invalid="ignore"):
        bad = shapely.from_wkt("LINESTRING (0 0, inf 1)")
        found = contours_of(np.array([bad, zigzag(3)]), np.array([1.0, 2.0]))
    assert found.levels_ft.tolist() == [2.0]


@given(st.lists(lengths, min_size=1, max_size=6))
def test_pieces_together_are_the_lines(sizes: list[int]) -> None:
    lines = np.array([zigzag(n, 10.0 * i) for i, n in enumerate(sizes)], dtype=object)
    pieces = cut_into_pieces(lines)
    assert (shapely.get_num_coordinates(pieces.lines) <= 17).all()
    for i, line in enumerate(lines):
        again = shapely.line_merge(MultiLineString(list(pieces.lines[pieces.owner == i])))
        assert again.equals(line)


@given(st.lists(lengths, min_size=1, max_size=6), st.floats(min_value=0.3, max_value=50.0))
def test_samples_lie_on_their_line_evenly_with_both_ends(sizes: list[int], spacing: float) -> None:
    lines = np.array([zigzag(n, 10.0 * i) for i, n in enumerate(sizes)], dtype=object)
    found = sample(lines, spacing)
    for i, line in enumerate(lines):
        mine = found.xy[found.line == i]
        assert mine[0] == pytest.approx(line.coords[0])
        assert mine[-1] == pytest.approx(line.coords[-1])
        assert shapely.distance(shapely.points(mine), line).max() < 1e-9
        count = max(1, int(np.ceil(line.length / spacing - 1e-9)))
        assert len(mine) == count + 1


@settings(max_examples=5)
@given(st.integers(min_value=0, max_value=1000))
def test_samples_are_the_same_whichever_way_a_line_was_drawn(seed: int) -> None:
    lines = hills(seed).lines
    one, other = sample(lines, 25.0), sample(shapely.reverse(lines), 25.0)
    for i in range(len(lines)):
        assert one.xy[one.line == i] == pytest.approx(other.xy[other.line == i][::-1], abs=1e-6)


def test_a_sight_line_is_stopped_by_another_level_only() -> None:
    wall = contours_of(np.array([LineString([(5, -9), (5, 9)])]), np.array([822.0]))
    start, end = np.array([[0.0, 0.0]]), np.array([[10.0, 0.0]])
    low, high = np.array([820.0]), np.array([824.0])
    assert blocked(start, end, (low, high), wall).tolist() == [True]
    assert blocked(start, end, (np.array([822.0]), high), wall).tolist() == [False]
    assert blocked(start, end - [6.0, 0.0], (low, high), wall).tolist() == [False]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
def test_the_hull_is_that_of_all_lines(seed: int, count: int, whole_feet: bool) -> None:
    """On whole feet many points lie on the hull's edges, and all of them may lie on one line."""
    chance = np.random.default_rng(seed)
    xy = chance.normal(0, 3 if whole_feet else 100, (count, 2, 2)) * chance.integers(0, 2, 2)
    lines = shapely.linestrings(np.round(xy) if whole_feet else xy)
    lines = np.asarray(lines)[shapely.length(lines) > 0]
    if len(lines):
        found = contours_of(lines, np.full(len(lines), 820.0)).hull
        assert found.equals_exact(MultiLineString(list(lines)).convex_hull, 0.0)
