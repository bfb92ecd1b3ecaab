"""Which grid names the cell of a finding: the printed one, else the submitted, else our own."""

from __future__ import annotations

import shapely

from sitemap.measured_plate import GridMark
from sitemap.places import Places
from tests.clean_site import EAST_FT, NORTH_FT, clean_site, without
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
