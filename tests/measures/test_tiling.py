"""Few sheets over a ground: nothing is left off, neighbours overlap, no sheet is idle."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from sitemap.measures.tiling import Tiling, fewest_sheets
from sitemap.measures.turn import turned, unturned

FRAME = (1300.0, 950.0)  # 26 x 19 in at 1 in = 50 ft
OVERLAP = 25.0  # half an inch


def corridor(length: float, width: float = 120.0, bend: float = 0.2) -> BaseGeometry:
    x = np.linspace(0.0, length, 60)
    y = bend * length / 8.0 * np.sin(x / length * 3.0 * math.pi)
    return shapely.LineString(np.column_stack([x, y])).buffer(width / 2.0)


def l_shape(leg: float, thick: float) -> BaseGeometry:
    return shapely.union_all([shapely.box(0, 0, leg, thick), shapely.box(0, 0, thick, leg)])


rectangles = st.tuples(
    st.floats(-3000, 3000), st.floats(-3000, 3000), st.floats(20, 2500), st.floats(20, 2500)
).map(lambda t: shapely.box(t[0], t[1], t[0] + t[2], t[1] + t[3]))
grounds = st.lists(rectangles, min_size=1, max_size=4).map(shapely.union_all)


def owns(tiling: Tiling) -> np.ndarray:
    return np.asarray(shapely.box(*np.array([t.own_ft for t in tiling.tiles]).T))


@settings(max_examples=25)
@given(grounds, st.sampled_from([None, 100.0]))
def test_every_piece_of_ground_belongs_to_one_sheet(
    ground: BaseGeometry, cell: float | None
) -> None:
    tiling = fewest_sheets(ground, FRAME, OVERLAP, cell)
    boxes = owns(tiling)
    assert shapely.difference(ground, shapely.union_all(boxes)).area < 1.0
    assert shapely.area(boxes).sum() == pytest.approx(shapely.union_all(boxes).area, rel=1e-9)
    assert (shapely.area(shapely.intersection(boxes, ground)) > 0.0).all()


@settings(max_examples=25)
@given(grounds, st.sampled_from([None, 100.0]))
def test_frames_are_equal_and_show_the_overlap_beyond_each_match_line(
    ground: BaseGeometry, cell: float | None
) -> None:
    tiling = fewest_sheets(ground, FRAME, OVERLAP, cell)
    for tile in tiling.tiles:
        left, bottom, right, top = tile.frame_ft
        assert (right - left, top - bottom) == pytest.approx(FRAME)
        assert shapely.box(*tile.frame_ft).buffer(1e-6).covers(shapely.box(*tile.own_ft))
    for line in tiling.match_lines:
        axis = 0 if line.upright else 1
        at = line.start_ft[axis]
        one, other = tiling.tiles[line.one], tiling.tiles[line.other]
        assert one.own_ft[axis + 2] == pytest.approx(at) == other.own_ft[axis]
        assert one.frame_ft[axis + 2] - at >= OVERLAP - 1e-6
        assert at - other.frame_ft[axis] >= OVERLAP - 1e-6


@settings(max_examples=20)
@given(grounds)
def test_never_more_sheets_than_a_plain_grid(ground: BaseGeometry) -> None:
    left, bottom, right, top = ground.bounds
    plain = math.prod(
        max(1, math.ceil((extent - 2 * OVERLAP) / (frame - 2 * OVERLAP) - 1e-9))
        for extent, frame in ((right - left, FRAME[0]), (top - bottom, FRAME[1]))
    )
    assert len(fewest_sheets(ground, FRAME, OVERLAP, 100.0).tiles) <= plain


def test_ground_that_fits_takes_one_sheet_without_match_lines() -> None:
    tiling = fewest_sheets(shapely.box(0, 0, 1299, 949), FRAME, OVERLAP, 100.0)
    assert len(tiling.tiles) == 1
    assert tiling.match_lines == ()
    assert tiling.tiles[0].own_ft == pytest.approx(tiling.tiles[0].frame_ft)


def test_corridor_runs_from_sheet_to_sheet() -> None:
    """6,000 ft at 1,250 ft a sheet, the outer two showing 25 ft more."""
    tiling = fewest_sheets(corridor(5_940.0), FRAME, OVERLAP)
    assert len(tiling.tiles) == 5
    assert [(line.one, line.other) for line in tiling.match_lines] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert all(line.upright for line in tiling.match_lines)
    assert tiling.neighbours(2) == {"left": (1,), "right": (3,), "top": (), "bottom": ()}


def test_steep_corridor_takes_bricks() -> None:
    """Down the sheet and across it, where a plain grid has 4 x 5 places."""
    road = shapely.LineString([(0, 0), (5000, 4400)]).buffer(100.0)
    tiling = fewest_sheets(road, FRAME, OVERLAP)
    assert len(tiling.tiles) <= 8


def test_l_shape_has_no_sheet_in_its_notch() -> None:
    shape = l_shape(3_600.0, 800.0)
    tiling = fewest_sheets(shape, FRAME, OVERLAP, 100.0)
    assert len(tiling.tiles) <= 7  # 3 along one leg, 4 up the other, and the corner is shared
    notch = shapely.box(1400, 1400, 3600, 3600)
    assert not any(notch.covers(shapely.box(*tile.own_ft)) for tile in tiling.tiles)


def test_match_lines_lie_on_the_grid_where_that_costs_no_sheet() -> None:
    tiling = fewest_sheets(shapely.box(37, 21, 2337, 1521), FRAME, OVERLAP, 100.0)
    assert len(tiling.tiles) == 4
    for line in tiling.match_lines:
        axis = 0 if line.upright else 1
        assert line.start_ft[axis] % 100.0 == pytest.approx(0.0)


def test_apart_pieces_share_no_match_line() -> None:
    both = shapely.union_all([shapely.box(0, 0, 500, 500), shapely.box(4000, 0, 4500, 500)])
    tiling = fewest_sheets(both, FRAME, OVERLAP)
    assert len(tiling.tiles) == 2
    assert tiling.match_lines == ()


def test_owner_of_a_point_is_the_sheet_between_whose_match_lines_it_lies() -> None:
    tiling = fewest_sheets(shapely.box(0, 0, 2400, 900), FRAME, OVERLAP)
    at = tiling.match_lines[0].start_ft[0]
    assert tiling.owner_of(at - 1.0, 450.0) == tiling.match_lines[0].one
    assert tiling.owner_of(at + 1.0, 450.0) == tiling.match_lines[0].other
    assert tiling.owner_of(99_999.0, 0.0) is None


def test_turning_puts_north_to_the_left() -> None:
    north = np.array([[0.0, 1.0]])
    assert turned(north, 90).tolist() == [[-1.0, 0.0]]
    assert unturned(turned(north, 90), 90).tolist() == north.tolist()
    assert turned(north, 0).tolist() == north.tolist()


@pytest.mark.parametrize("frame", [(50.0, 900.0), (900.0, 40.0)])
def test_frame_smaller_than_its_overlaps_is_refused(frame: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="leave nothing"):
        fewest_sheets(shapely.box(0, 0, 10, 10), frame, OVERLAP)


def test_no_ground_is_refused() -> None:
    with pytest.raises(ValueError, match="no ground"):
        fewest_sheets(shapely.Polygon(), FRAME, OVERLAP)
