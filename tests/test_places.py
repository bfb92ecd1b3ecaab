"""Which grid names the cell of a finding: the printed one, else the submitted, else our own."""

from __future__ import annotations

import pytest
import shapely

from sitemap.measured_plate import GridMark
from sitemap.places import Places
from tests.clean_site import (
    EAST_FT,
    NORTH_FT,
    at,
    clean_site,
    rectangle,
    replace_features,
    with_layer,
    without,
)
from tests.measured_plates import LETTERS, frame_of, marks_across, marks_down, plate_of

# the submitted cells of 100 ft: column B begins at the boundary's corner, row 1 ends 700 ft over it
ON_THE_PLATE = shapely.Point(EAST_FT + 10.0, NORTH_FT + 10.0)
CELL = "B7"
OFF_THE_PLATE = shapely.Point(EAST_FT + 10.0, NORTH_FT + 550.0)
CELL_OFF = "B2"
FRAME = frame_of(corner_ft=(-100.0, -200.0))  # from column A, and up to the top of row 1
LOW_FRAME = frame_of(corner_ft=(-100.0, -400.0))  # its top is that of row 3


def cell(places: Places, point: shapely.Point) -> str | None:
    place = places.place(point)
    assert place is not None
    return place.cell


def _rows_from(first: int) -> tuple[GridMark, ...]:
    return marks_down([str(n) for n in range(first, first + 9)])


def test_another_grid_on_the_plate_goes_before_the_submitted_one() -> None:
    later = plate_of(FRAME, columns=marks_across(["L", "M", *LETTERS[2:]]))
    assert cell(Places(clean_site(), later), ON_THE_PLATE) == "M7"
    assert cell(Places(clean_site(), plate_of(FRAME)), ON_THE_PLATE) == CELL
    assert cell(Places(clean_site()), ON_THE_PLATE) == CELL


def test_beyond_the_frames_the_submitted_grid_goes_on_only_where_it_is_the_printed_one() -> None:
    assert cell(Places(clean_site()), OFF_THE_PLATE) == CELL_OFF
    same = plate_of(LOW_FRAME, rows=_rows_from(3))
    assert cell(Places(clean_site(), same), OFF_THE_PLATE) == CELL_OFF
    other = plate_of(LOW_FRAME, rows=_rows_from(5))
    assert cell(Places(clean_site(), other), OFF_THE_PLATE) is None


def test_without_a_submitted_grid_the_printed_one_names_the_cell() -> None:
    bare = without(clean_site(), "grid")
    assert cell(Places(bare, plate_of(FRAME)), ON_THE_PLATE) == CELL


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_the_grid_s_records_changes_no_words(seed: int) -> None:
    shuffled = replace_features(
        clean_site(), "grid", lambda frame: frame.sample(frac=1.0, random_state=seed)
    )
    area = rectangle(100, 200, 320, 410)
    found = Places(shuffled).areas_by_cell(area)
    assert list(found) == ["C3", "C4", "C5", "D3", "D4", "D5", "E3", "E4", "E5"]
    assert found == pytest.approx(Places(clean_site()).areas_by_cell(area))
    corner = shapely.Point(EAST_FT + 100.0, NORTH_FT + 200.0)  # of B5, C5, B6 and C6
    assert cell(Places(shuffled), corner) == cell(Places(clean_site()), corner) == "B5"


def test_cells_of_the_drawn_grid_come_in_order_too() -> None:
    """Without a grid layer: 100-ft cells whose lines lie on whole hundreds of feet."""
    labels = list(Places(without(clean_site(), "grid")).areas_by_cell(rectangle(0, 0, 800, 600)))
    letters = [label[0] for label in labels]
    numbers = [int(label[1:]) for label in labels if label[0] == "B"]
    assert letters == sorted(letters)
    assert numbers == sorted(numbers)
    assert len(set(letters)) > 5
    assert len(numbers) > 5


def test_a_broken_cell_of_the_grid_stops_nobody() -> None:
    bow = at(shapely.Polygon([(0, 0), (100, 100), (100, 0), (0, 100)]))
    cells = [
        bow,
        rectangle(100, 0, 200, 100),
    ]
    places = Places(with_layer(clean_site(), "grid", {"geometry": cells, "label": ["A1", "B1"]}))
    areas = places.areas_by_cell(rectangle(0, 0, 200, 100))
    assert areas == pytest.approx({"A1": 5000.0, "B1": 10_000.0})
