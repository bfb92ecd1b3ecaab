"""Missing, extra, moved: by shapes whose difference is known."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from sitemap.measures.reference_difference import ReferenceDifference, difference
from sitemap.measures.reference_moved import hausdorff_ft
from sitemap.measures.undrawn import difference_words
from sitemap.units import LengthUnit
from tests.clean_ground import CRS

GROUND = box(0, 0, 1000, 1000)
FOOT = LengthUnit.US_SURVEY_FOOT
ACCURACY_FT = 40.0


def frame(*shapes: BaseGeometry, **columns: list[object]) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(columns, geometry=list(shapes), crs=CRS)


def compare(
    reference: gpd.GeoDataFrame, drawn: gpd.GeoDataFrame, **more: object
) -> ReferenceDifference:
    return difference("wetlands", reference, drawn, GROUND, ACCURACY_FT, FOOT, **more)  # type: ignore[arg-type]


def test_an_area_that_moved_is_told_by_how_far_and_how_much_it_grew() -> None:
    """100 by 100 ft, drawn 30 ft east and 10 ft north, 20 ft wider."""
    found = compare(frame(box(100, 100, 200, 200)), frame(box(130, 110, 250, 210)))
    assert found.missing.empty
    (row,) = found.moved.to_dict("records")
    assert row["east_ft"] == pytest.approx(40.0)  # of the centroids
    assert row["north_ft"] == pytest.approx(10.0)
    assert row["offset_ft"] == pytest.approx(np.hypot(40, 10))
    assert row["difference_sqft"] == pytest.approx(2000.0)
    assert row["difference_acres"] == pytest.approx(2000 / 43560, rel=1e-5)
    assert row["hausdorff_ft"] == pytest.approx(np.hypot(50, 10), abs=0.01)  # corner to corner
    assert (row["reference_rows"], row["drawn_rows"]) == ((0,), (0,))


def test_several_that_overlap_are_one_pair() -> None:
    reference = frame(box(0, 0, 100, 100), box(100, 0, 200, 100), box(500, 500, 600, 600))
    found = compare(reference, frame(box(0, 0, 200, 100)))
    (row,) = found.moved.to_dict("records")
    assert (row["reference_rows"], row["drawn_rows"]) == ((0, 1), (0,))
    assert row["hausdorff_ft"] == pytest.approx(0.0, abs=1e-9)
    assert found.missing["row"].tolist() == [2]
    assert found.missing["whole"].tolist() == [True]
    assert not found.is_same


def test_slivers_are_listed_apart_but_a_thin_feature_is_missing() -> None:
    reference = frame(box(0, 0, 100, 139), box(500, 0, 520, 900))
    found = compare(reference, frame(box(0, 0, 100, 100)))
    assert found.missing["row"].tolist() == [1]  # 20 ft wide, and nothing of it is drawn
    (sliver,) = found.slivers.to_dict("records")
    assert (sliver["side"], sliver["row"]) == ("missing", 0)
    assert sliver["area_sqft"] == pytest.approx(3900.0)


def test_both_are_cut_at_the_ground() -> None:
    found = compare(frame(box(-500, 0, 100, 100)), frame(box(0, 0, 100, 100)))
    assert found.is_same
    assert found.missing.empty
    assert found.extra.empty
    assert found.reference.geometry.iloc[0].equals(box(0, 0, 100, 100))


def test_what_lies_just_off_the_ground_shows_what_is_on_it() -> None:
    """A line 30 ft outside is within the accuracy of one along the edge."""
    found = compare(
        frame(LineString([(5, 0), (5, 900)])), frame(LineString([(-30, 0), (-30, 900)]))
    )
    assert found.missing.empty
    (row,) = found.moved.to_dict("records")
    assert row["offset_ft"] == pytest.approx(35.0)
    assert row["east_ft"] == pytest.approx(-35.0)
    assert row["drawn_rows"] == ()


def test_a_line_drawn_beyond_the_accuracy_is_told_by_how_far() -> None:
    """100 ft beside its place: missing there, extra here, and the two are one line."""
    found = compare(
        frame(LineString([(100, 0), (100, 900)])), frame(LineString([(160, 80), (160, 980)]))
    )
    assert (len(found.missing), len(found.extra)) == (1, 1)
    (row,) = found.moved.to_dict("records")
    assert row["offset_ft"] == pytest.approx(62.0, abs=2.0)  # 60 ft, and more at its south end
    assert row["hausdorff_ft"] == pytest.approx(100.0)
    assert row["east_ft"] == pytest.approx(60.0)
    assert (row["reference_rows"], row["drawn_rows"]) == ((0,), (0,))
    assert found.elsewhere == ({0}, {0})
    assert "drawn that the reference does not show" not in difference_words(found)


def test_a_line_that_crosses_or_leaves_another_is_not_that_line_moved() -> None:
    crossing = compare(
        frame(LineString([(500, 0), (500, 1000)])), frame(LineString([(0, 500), (1000, 500)]))
    )
    assert not (crossing.moved["hausdorff_ft"] > ACCURACY_FT).any()
    leaving = compare(
        frame(LineString([(0, 0), (1000, 900)])), frame(LineString([(0, 0), (900, 0)]))
    )
    assert not (leaving.moved["hausdorff_ft"] > ACCURACY_FT).any()
    assert leaving.elsewhere == (set(), set())


def test_what_two_roundings_of_one_edge_leave_is_no_sliver() -> None:
    """The same areas by way of degrees: edges lie a millionth of a foot apart."""
    areas = frame(*(Point(x, 500).buffer(80) for x in range(100, 1000, 200)))
    again = areas.set_geometry(
        areas.translate(2_469_500, 335_400).to_crs("EPSG:4269").to_crs(CRS)
        .translate(-2_469_500, -335_400)
    )  # fmt: skip
    found = compare(areas, again)
    assert found.is_same
    assert found.slivers.empty


def test_lines_points_and_areas_show_each_other() -> None:
    line, pond = LineString([(0, 500), (1000, 500)]), box(0, 480, 1000, 520)
    assert compare(frame(pond), frame(), also_drawn=[line]).missing.empty
    assert compare(frame(line), frame(), also_drawn=[pond]).missing.empty
    near, far = Point(300, 559), Point(300, 561)
    found = compare(frame(near, far), frame(pond))
    assert found.missing["row"].tolist() == [1]


def test_only_what_is_equal_in_a_column_shows_the_same() -> None:
    units = frame(box(0, 0, 500, 1000), box(500, 0, 1000, 1000), map_unit=["HmB", "Oz"])
    turned = frame(box(0, 0, 500, 1000), box(500, 0, 1000, 1000), map_unit=["HmB", "HmB"])
    found = compare(units, turned, by="map_unit")
    assert found.missing["row"].tolist() == [1]
    assert found.extra["row"].tolist() == [1]
    assert len(found.moved) == 1


corner = st.integers(0, 900).map(float)
side = st.integers(10, 300).map(float)
inside = st.builds(
    lambda x, y, w, h: box(x, y, min(x + w, 1000), min(y + h, 1000)), corner, corner, side, side
)
rectangles = st.lists(inside, max_size=5)


@settings(max_examples=60)
@given(rectangles, rectangles)
def test_missing_and_slivers_are_just_what_is_not_covered(
    reference: list[BaseGeometry], drawn: list[BaseGeometry]
) -> None:
    found = compare(frame(*reference), frame(*drawn))
    rest = shapely.difference(shapely.union_all(reference), shapely.union_all(drawn))
    slivers = found.slivers[found.slivers["side"] == "missing"]
    told = shapely.union_all([*found.missing.geometry, *slivers.geometry])
    assert told.symmetric_difference(rest).area == pytest.approx(0.0, abs=1e-6)
    back = compare(frame(*drawn), frame(*reference))
    assert sorted(back.extra["area_sqft"]) == pytest.approx(sorted(found.missing["area_sqft"]))


@settings(max_examples=60)
@given(rectangles)
def test_a_map_never_differs_from_itself(shapes: list[BaseGeometry]) -> None:
    found = compare(frame(*shapes), frame(*shapes))
    assert found.is_same
    assert found.slivers.empty
    assert all(found.moved["offset_ft"] < 1e-6)


@settings(max_examples=60)
@given(corner, corner, side, side, st.floats(-200, 200), st.floats(-200, 200))
def test_the_greatest_distance_of_a_shifted_outline(
    x: float, y: float, w: float, h: float, east: float, north: float
) -> None:
    """Never more than the shift; that of GEOS within the step of its samples."""
    one = box(x, y, x + w, y + h)
    other = shapely.transform(one, lambda xy: xy + np.array([east, north]))
    far = hausdorff_ft(one, other)
    assert far <= np.hypot(east, north) + 1e-6
    rings = shapely.boundary(one), shapely.boundary(other)
    assert far == pytest.approx(float(shapely.hausdorff_distance(*rings, densify=0.02)), abs=6.0)
