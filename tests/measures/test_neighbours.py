"""Overlaps by a coverage check against every pair; gaps against what was left out."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.cover import overlaps
from sitemap.measures.neighbours import gaps, near_box, overlapping

boxes = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 12), st.integers(1, 12)),
    min_size=2,
    max_size=12,
)


@settings(max_examples=150)
@given(boxes)
def test_it_finds_the_pairs_that_comparing_all_finds(corners: list[tuple[int, ...]]) -> None:
    """Nested, crossing, equal and touching areas alike."""
    shapes = np.array([shapely.box(x, y, x + w, y + h) for x, y, w, h in corners], dtype=object)
    slow = {(o.first, o.second): o.ground.area for o in overlaps(shapes, 0.5)}
    quick = {(o.first, o.second): o.ground.area for o in overlapping(shapes, 0.5)}
    assert quick == pytest.approx(slow)


# whole inches: a shift of 1e-192 ft is nowhere, and GEOS divides by it
PLACES = st.integers(-12_000_000, 12_000_000).map(lambda inches: inches / 12.0)


def test_it_mends_what_crosses_itself() -> None:
    bow = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    (found,) = overlapping(np.array([bow, shapely.box(0, 0, 10, 10)], dtype=object), 0.5)
    assert found.ground.area == pytest.approx(50)


@settings(max_examples=60)
@given(st.integers(0, 3), st.integers(0, 3), PLACES, st.floats(0, 3.1))
def test_the_missing_cell_of_a_checkerboard_is_the_hole(
    column: int, row: int, away: float, turn: float
) -> None:
    """Inside it is a hole; at the edge the areas simply end there."""
    cells = {(i, j): shapely.box(i * 10, j * 10, i * 10 + 10, j * 10 + 10)
             for i in range(4) for j in range(4)}  # fmt: skip

    def moved(shape: shapely.Polygon) -> shapely.Polygon:
        rotated = shapely.affinity.rotate(shape, turn, origin=(0, 0), use_radians=True)
        return shapely.affinity.translate(rotated, away, away)

    gone = moved(cells.pop((column, row)))
    found = gaps(np.array([moved(c) for c in cells.values()], dtype=object), 5.0, 0.5)
    inside = 0 < column < 3 and 0 < row < 3
    assert len(found) == int(inside)
    if inside:
        assert found[0].ground.symmetric_difference(gone).area < 0.01
        assert found[0].enclosed
        assert len(found[0].neighbours) >= 4


@settings(max_examples=60)
@given(st.floats(0.05, 9))
def test_a_slit_is_found_between_sliver_and_gap_width(width: float) -> None:
    pair = np.array([shapely.box(0, 0, 100, 100), shapely.box(100 + width, 0, 200, 100)])
    found = gaps(pair, 5.0, 0.5)
    if min(abs(width - 5), abs(width - 0.5)) > 0.01:
        assert len(found) == int(0.5 < width < 5)
    if found:
        assert found[0].ground.area == pytest.approx(100 * width, rel=1e-3)
        assert found[0].neighbours == (0, 1)


def test_a_notch_of_one_area_and_the_wedge_between_two_are_no_gaps() -> None:
    notched = shapely.Polygon(
        [(0, 0), (100, 0), (100, 100), (51, 100), (50, 60), (49, 100), (0, 100)]
    )
    left = shapely.Polygon([(0, 0), (50, 0), (40, 100), (0, 100)])
    right = shapely.Polygon([(50, 0), (100, 0), (100, 100), (60, 100)])
    assert gaps(np.array([notched]), 5.0, 0.5) == []
    assert gaps(np.array([left, right]), 5.0, 0.5) == []
    assert gaps(np.empty(0, dtype=object), 5.0, 0.5) == []


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_areas_near_a_box_come_in_one_order_whether_they_are_indexed_or_not(seed: int) -> None:
    """Bow-ties among them: what is mended reaches as far as before."""
    chance = np.random.default_rng(seed)
    rings = chance.uniform(0, 10, (60, 1, 2)) + chance.uniform(0, 2, (60, 5, 2))
    shapes = np.asarray(shapely.polygons(rings))
    box = shapely.box(2, 3, 7, 6)
    before = near_box(shapes, box).tolist()
    overlapping(shapes, 0.5)  # keeps an index of the mended areas
    assert near_box(shapes, box).tolist() == before
    left, bottom, right, top = shapely.bounds(shapes).T
    meet = (left <= 7) & (right >= 2) & (bottom <= 6) & (top >= 3)
    assert sorted(before) == np.flatnonzero(meet).tolist()
