"""Ends of contours: at the rim, at a label, or where ground is missing."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point

from sitemap.measures.contour_ends import ends_inside, label_gaps, open_ends
from sitemap.measures.contours import Contours, contours_of
from tests.measures.grounds import hills, moved, reversed_lines, split_lines

seeds = st.integers(min_value=0, max_value=10_000)
few = settings(max_examples=8)


def inside(contours: Contours) -> int:
    return int(ends_inside(contours, open_ends(contours), 0.5).sum())


@few
@given(seeds)
def test_contours_that_end_at_the_edge_of_the_map_do_not_end_inside(seed: int) -> None:
    assert inside(hills(seed)) == 0


def longest_cut(contours: Contours, gap_ft: float) -> Contours | None:
    """The longest line without a stretch of gap_ft at its middle, where that lies well inside."""
    at = int(np.argmax(contours.lengths_ft))
    middle = shapely.line_interpolate_point(contours.lines[at], 0.5, normalized=True)
    if not shapely.box(250, 250, 1250, 1250).contains(middle):
        return None
    lines = contours.lines.copy()
    lines[at] = shapely.difference(lines[at], middle.buffer(gap_ft / 2.0))
    return contours_of(lines, contours.levels_ft)


@few
@given(seeds, st.floats(min_value=-3e6, max_value=3e6), st.floats(min_value=0, max_value=6.3))
def test_shift_turn_direction_order_and_splitting_change_nothing(
    seed: int, x_ft: float, turn_rad: float
) -> None:
    cut = longest_cut(hills(seed), 240.0)
    if cut is None:
        return
    count = inside(cut)
    others = (moved(cut, x_ft, -x_ft, turn_rad), reversed_lines(cut), split_lines(cut))
    assert [inside(other) for other in others] == [count] * 3


def test_lines_that_meet_have_no_open_end_there() -> None:
    lines = [LineString([(0, 0), (10, 0)]), LineString([(20, 0), (10, 0.01)])]
    contours = contours_of(np.array(lines, dtype=object), np.array([820.0, 820.0]))
    assert sorted(open_ends(contours).xy[:, 0].tolist()) == [0.0, 20.0]
    other = contours_of(np.array(lines, dtype=object), np.array([820.0, 822.0]))
    assert len(open_ends(other)) == 4


def test_a_ring_has_no_end() -> None:
    ring = LineString(Point(0, 0).buffer(50).exterior.coords)
    assert len(open_ends(contours_of(np.array([ring]), np.array([820.0])))) == 0


def row(*spans: tuple[float, float], level: float = 820.0, y: float = 0.0) -> Contours:
    lines = [LineString([(a, y), (b, y)]) for a, b in spans]
    return contours_of(np.array(lines, dtype=object), np.full(len(lines), level))


def test_a_label_gap_is_one_bridge_between_ends_that_face_each_other() -> None:
    gaps = label_gaps(row((0, 100), (140, 300)))
    (bridge,) = gaps.bridges
    assert bridge.equals(LineString([(100, 0), (140, 0)]))
    assert gaps.levels_ft.tolist() == [820.0]


def test_no_label_gap_over_more_than_a_hundred_feet_or_between_levels() -> None:
    assert len(label_gaps(row((0, 100), (201, 300))).bridges) == 0
    one, other = row((0, 100)), row((140, 300), level=822.0)
    both = Contours(
        np.concatenate([one.lines, other.lines]),
        np.concatenate([one.levels_ft, other.levels_ft]),
        np.arange(2),
    )
    assert len(label_gaps(both).bridges) == 0


def test_no_label_gap_between_ends_that_look_away_or_with_a_line_between() -> None:
    beside = [LineString([(0, 0), (100, 0)]), LineString([(0, 30), (100, 30)])]
    assert len(label_gaps(contours_of(np.array(beside), np.array([820.0, 820.0]))).bridges) == 0
    wall = [*row((0, 100), (140, 300)).lines, LineString([(120, -50), (120, 50)])]
    contours = contours_of(np.array(wall, dtype=object), np.array([820.0, 820.0, 822.0]))
    assert len(label_gaps(contours).bridges) == 0
