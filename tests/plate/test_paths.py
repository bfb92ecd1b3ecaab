"""Many polylines in one array: given out, taken, parted and cut as single ones are."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from sitemap.catalogue import load_catalogue
from sitemap.plate.contour_lines import draw_contours
from sitemap.plate.drawing import MapDrawing
from sitemap.plate.lines import Chain, Chains
from sitemap.plate.occupancy import Occupancy
from sitemap.plate.paths import Paths
from tests.plate.test_map_parts import FRAME

LINES = [
    np.array([[0.0, 0.0], [3.0, 4.0]]),
    np.array([[1.0, 1.0], [1.0, 3.0], [2.0, 3.0]]),
    np.array([[9.0, 9.0], [9.0, 8.0]]),
]


def same(some: Paths, others: list[np.ndarray]) -> bool:
    return len(some) == len(others) and all(map(np.array_equal, some, others))


def test_paths_come_back_as_they_were_given() -> None:
    paths = Paths.of(LINES)
    assert same(paths, LINES)
    assert Paths.of(paths) is paths
    assert np.array_equal(paths[-1], LINES[2])
    assert same(paths[1:], LINES[1:])
    assert same(paths.taken(np.array([2, 0])), [LINES[2], LINES[0]])
    assert [len(run) for run in paths.runs(2)] == [2, 1]
    assert [len(path) for run in paths.runs(2) for path in run] == [2, 3, 2]
    assert not len(Paths.of(()))


def test_pieces_stand_where_their_path_stood() -> None:
    """The middle one in two pieces, the last one gone; the first is not touched."""
    pieces = [LINES[1][:2], LINES[1][1:]]
    left = Paths.of(LINES).with_pieces({2: (), 1: pieces})
    assert same(left, [LINES[0], *pieces])


def test_lengths_of_all_are_those_of_each() -> None:
    chains = Chains(LINES)
    assert chains.lengths.tolist() == pytest.approx([5.0, 3.0, 1.0])
    assert [Chain.of(path).length for path in LINES] == pytest.approx(chains.lengths.tolist())


def test_contours_of_a_weight_are_one_array_on_the_map() -> None:
    """A thousand lines, every fifth an index level: two marks, each of one array of places."""
    geopandas = pytest.importorskip("geopandas")
    spec = load_catalogue()["contours_existing"]
    drawing = MapDrawing(FRAME, Occupancy(FRAME.box_in), None, 2.0)
    low = FRAME.ground_box_ft[:2]
    starts = low + np.column_stack([np.full(1000, 5.0), 5.0 + np.arange(1000) * 0.25])
    rows = shapely.linestrings(np.stack([starts, starts + np.array([60.0, 0.0])], axis=1))
    levels = [800.0 + 2.0 * (i % 5) for i in range(1000)]
    draw_contours(drawing, spec, geopandas.GeoDataFrame({"elevation": levels}, geometry=rows))
    thin, heavy = (work.marks() for work in (one.work for one in drawing.contours))
    assert [len(mark.paths) for mark in (*thin, *heavy)] == [800, 200]
    assert all(isinstance(mark.paths, Paths) for mark in (*thin, *heavy))
    assert [set(one.elevation_ft) for one in drawing.contours] == [
        {802.0, 804.0, 806.0, 808.0},
        {800.0},
    ]
