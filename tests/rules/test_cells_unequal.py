"""GRD004: cells of one size."""

from __future__ import annotations

from itertools import pairwise

import pytest
import shapely
from shapely.affinity import rotate

from sitemap.measured_plate import GridMark
from sitemap.rules.cells_unequal import cells_unequal as rule
from sitemap.rules.rule import NotApplicable, Skip
from sitemap.site import Site
from tests.clean_site import (
    BOUNDARY,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    with_layer,
    without,
)
from tests.measured_plates import BOX_IN, LETTERS, clean_plate, frame_of, marks_across, plate_of

GRIDLESS = without(clean_site(), "grid")


def columns_at(*x: float) -> Site:
    """Three rows of cells between the given x."""
    cells, labels = [], []
    for i, (a, b) in enumerate(pairwise(x)):
        for row in range(3):
            cells.append(rectangle(a, 500 - 100 * row, b, 600 - 100 * row))
            labels.append(f"{'ABCDEFGH'[i]}{row + 1}")
    return with_layer(clean_site(), "grid", {"geometry": cells, "label": labels})


def test_passes_with_equal_cells() -> None:
    assert passes(rule, clean_site())


def test_passes_with_cells_cut_at_the_edge_of_the_map() -> None:
    boundary = rectangle(*BOUNDARY).buffer(-33.0)

    def clip(frame):
        cut = frame.set_geometry(frame.geometry.intersection(boundary))
        return cut[~cut.geometry.is_empty]

    assert passes(rule, replace_features(clean_site(), "grid", clip))


def test_passes_when_the_whole_grid_is_turned() -> None:
    def turn(frame):
        middle = shapely.box(*frame.total_bounds).centroid
        return frame.set_geometry(
            [rotate(g, 17.0, origin=middle) for g in frame.geometry], crs=frame.crs
        )

    assert passes(rule, replace_features(clean_site(), "grid", turn))


def test_at_the_limit_half_a_foot_passes() -> None:
    assert passes(rule, columns_at(0, 100, 200.4, 300, 400))


def test_just_over_half_a_foot_is_found() -> None:
    (fault,) = faults_of(rule, columns_at(0, 100, 200.6, 300, 400))
    assert fault.measured.value == pytest.approx(0.6, abs=1e-3)
    assert fault.limit.value == 0.5


def test_found_a_wide_column() -> None:
    (fault,) = faults_of(rule, columns_at(0, 100, 200, 350, 450, 550))
    assert fault.message == "3 of 15 grid cells are not 100 x 100 ft: one is 150 x 100 ft"
    assert fault.geometry.equals(rectangle(200, 300, 350, 600))


def test_found_a_rim_cell_that_is_larger_than_the_others() -> None:
    (fault,) = faults_of(rule, columns_at(0, 100, 200, 300, 420))
    assert fault.measured.value == pytest.approx(20.0)


def test_passes_a_grid_of_lines() -> None:
    across = [line((x, 0), (x, 600)) for x in (0, 200, 400, 600, 800)]
    down = [line((0, y), (800, y)) for y in (0, 200, 400, 600)]
    assert passes(rule, with_layer(clean_site(), "grid", {"geometry": across + down}))


def test_found_unequal_marks_on_a_plate() -> None:
    marks = list(marks_across(LETTERS))
    shifted = [GridMark(m.label, m.x_in + (0.5 if m.label == "E" else 0.0), m.y_in) for m in marks]
    faults = faults_of(rule, GRIDLESS, plate_of(frame_of(), columns=tuple(shifted)))
    assert [f.distinct for f in faults] == ["page 1 top", "page 1 bottom"]
    assert faults[0].measured.value == pytest.approx(0.5)


def test_passes_marks_of_cells_that_the_frame_cuts() -> None:
    """The last column shows half an inch of two: its letter stands at the middle of that."""
    left, bottom, right, top = BOX_IN
    at = [left + 1.0 + 2.0 * i for i in range(10)] + [right - 0.25 - 1.5]
    marks = tuple(
        GridMark(label, x, y) for y in (bottom, top) for label, x in zip(LETTERS, at, strict=True)
    )
    assert passes(rule, GRIDLESS, plate_of(frame_of(), columns=marks))
    assert passes(rule, GRIDLESS, clean_plate())


def test_not_applicable_without_a_grid() -> None:
    (said,) = run(rule, GRIDLESS)
    assert isinstance(said, NotApplicable)


def test_skipped_when_the_lines_enclose_no_cell() -> None:
    (said,) = run(rule, with_layer(clean_site(), "grid", {"geometry": [line((0, 0), (800, 0))]}))
    assert isinstance(said, Skip)
