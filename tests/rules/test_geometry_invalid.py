"""GEO001: every fault of every invalid geometry, with its point and its effect on acres."""

from __future__ import annotations

from dataclasses import replace

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import MultiPolygon, Point, Polygon

from sitemap.finding import Severity
from sitemap.rules.geometry_invalid import geometry_invalid as rule
from sitemap.rules.rule import Fault, NotApplicable
from tests.clean_site import (
    EAST_FT,
    NORTH_FT,
    at,
    clean_site,
    dataset,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
    with_dataset,
)

NO_CASE = {"skipped": "it looks at every dataset"}


def corners(faults: list[Fault]) -> list[tuple[float, float]]:
    """Where the faults are, in feet from the boundary's corner."""
    return [(round(f.geometry.x - EAST_FT, 3), round(f.geometry.y - NORTH_FT, 3)) for f in faults]


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_a_bow_tie_with_its_crossing() -> None:
    """Two triangles of 20,000 sq ft each: drawn they cancel, mended they are 0.918 acres."""
    tie = at(Polygon([(200, 250), (400, 450), (400, 250), (200, 450)]))
    (fault,) = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, tie))
    assert corners([fault]) == [(300, 350)]
    assert "disturbance.shp" in fault.message
    assert "id D-1, record 0: the outline crosses itself at x 2,469,800.00, y 335,750.00" in (
        fault.message
    )
    assert "0.000 acres as drawn, 0.459 once mended" in fault.message  # 2 x 10,000 sq ft
    assert fault.severity is Severity.ERROR
    assert fault.role == "disturbance"
    assert fault.source.user_id == "D-1"


def test_found_every_crossing_not_only_the_first() -> None:
    """A zigzag back over itself crosses three times; GEOS alone names one."""
    zigzag = at(
        Polygon([(0, 0), (40, 40), (80, 0), (120, 40), (120, 0), (80, 40), (40, 0), (0, 40)])
    )
    faults = faults_of(rule, set_geometry(clean_site(), "wetlands", 0, zigzag))
    assert sorted(corners(faults)) == [(20, 20), (60, 20), (100, 20)]
    assert len({f.distinct for f in faults}) == 3


def test_found_in_each_part_and_hole() -> None:
    """A hole outside its part, and two parts over the same ground."""
    stray = Polygon([(0, 0), (100, 0), (100, 100), (0, 100)], [[(200, 0), (210, 0), (210, 10)]])
    parts = MultiPolygon([stray, Polygon([(50, 50), (150, 50), (150, 150), (50, 150)])])
    faults = faults_of(rule, set_geometry(clean_site(), "vegetation", 0, at(parts)))
    assert {f.message.split(": ")[1].split(" at x")[0] for f in faults} == {
        "a hole lies outside its polygon",
        "two parts overlap",
    }


@pytest.mark.parametrize(
    ("ring", "words", "place"),
    [
        (
            [(0, 0), (100, 0), (100, 50), (150, 50), (100, 50), (100, 100), (0, 100)],
            "runs out and back",
            (150, 50),
        ),
        ([(0, 0), (100, 0), (100, 100), (50, 0), (0, 100)], "meets itself", (50, 0)),
    ],
)
def test_at_the_limit_a_fault_without_effect_on_acres_is_a_warning(
    ring: list[tuple[float, float]], words: str, place: tuple[float, float]
) -> None:
    """A spike and a touch enclose nothing: the area is the same mended."""
    faults = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, at(Polygon(ring))))
    assert all(f.severity is Severity.WARNING for f in faults)
    assert place in corners([f for f in faults if words in f.message])


@pytest.mark.parametrize(
    ("lobe_ft", "severity"), [(14.0, Severity.WARNING), (15.0, Severity.ERROR)]
)
def test_just_over_the_tolerance_is_an_error(lobe_ft: float, severity: Severity) -> None:
    """An hourglass: 10,000 sq ft below, a lobe of s x s above, which drawn is subtracted.

    Mending changes the area by twice the lobe: 392 sq ft at 14 ft, 450 at 15. The tolerance is
    the larger of 1 % (about 102 sq ft) and 0.01 acre (435.6 sq ft).
    """
    up, low, high = 100 + lobe_ft, 100 - lobe_ft, 100 + lobe_ft
    shape = at(Polygon([(0, 0), (200, 0), (low, up), (high, up)]))
    (fault,) = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, shape))
    assert fault.severity is severity
    assert corners([fault]) == [(100, 100)]


def test_found_a_line_of_one_point_as_a_warning() -> None:
    (fault,) = faults_of(
        rule, set_geometry(clean_site(), "controls", 0, line((150, 198), (150, 198)))
    )
    assert "fewer distinct points" in fault.message
    assert fault.severity is Severity.WARNING


def test_found_without_a_place_where_the_crs_is_missing() -> None:
    """The point stands in the message in the file's own numbers; it is on no map."""
    tie = Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    spec = clean_site().catalogue["soils"]
    layer = dataset(gpd.GeoDataFrame(geometry=[tie]), file="s.shp", role="soils", spec=spec)
    (fault,) = faults_of(rule, with_dataset(clean_site(), layer))
    assert fault.geometry is None
    assert "at x 5.00, y 5.00" in fault.message


def test_found_as_information_where_the_file_serves_no_role() -> None:
    tie = gpd.GeoDataFrame(
        geometry=[at(Polygon([(0, 0), (10, 10), (10, 0), (0, 10)]))], crs=clean_site().crs
    )
    (fault,) = faults_of(rule, with_dataset(clean_site(), dataset(tie, file="lots.shp")))
    assert fault.severity is Severity.INFO
    assert fault.geometry.equals(Point(EAST_FT + 5, NORTH_FT + 5))


def test_a_coordinate_that_is_no_number_is_left_to_geo007() -> None:
    with np.errstate(invalid="ignore"):
        shape = Polygon([(0, 0), (10, 0), (np.nan, np.nan), (0, 10), (0, 0)])
    assert passes(rule, set_geometry(clean_site(), "wetlands", 0, shape))


def test_missing_geometries_are_left_to_geo002() -> None:
    assert passes(rule, set_geometry(clean_site(), "controls", 1, None))


def test_not_applicable_without_a_geometry() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)


def test_valid_shapes_with_touching_rings_pass() -> None:
    """A hole that touches its shell at one point is lawful."""
    shape = at(Polygon([(0, 0), (9, 0), (9, 9), (0, 9)], [[(0, 0), (5, 3), (3, 5)]]))
    assert passes(rule, set_geometry(clean_site(), "wetlands", 0, shape))
    assert passes(rule, set_geometry(clean_site(), "wetlands", 0, rectangle(0, 0, 9, 9)))
