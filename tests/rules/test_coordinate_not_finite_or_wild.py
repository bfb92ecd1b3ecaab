"""GEO007: NaN, infinity, numbers beyond the earth and the zero point."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import LineString

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.coordinate_not_finite_or_wild import coordinate_not_finite_or_wild as rule
from sitemap.rules.geometry_invalid import geometry_invalid
from sitemap.rules.rule import Fault, NotApplicable
from tests.clean_site import (
    clean_site,
    dataset,
    faults_of,
    line,
    passes,
    run,
    set_geometry,
    with_dataset,
)
from tests.intake.makers import X0, Y0, frame, write

NO_CASE = {"skipped": "it looks at every dataset"}


def road(*xy: tuple[float, float]) -> list[Fault]:
    """What is said of the road with these vertices among those of the clean one."""
    own = list(line((-100, 640), (400, 640), (900, 640)).coords)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        shape = LineString([*own, *xy])
    return faults_of(rule, set_geometry(clean_site(), "roads", 0, shape))


def test_passes_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_found_what_is_no_finite_number(bad: float) -> None:
    (fault,) = road((bad, 336_040.0))
    assert fault.message.startswith("roads.shp: 1 coordinate is not finite numbers, such as (")
    assert fault.message.endswith("(record 0)")
    assert fault.severity is Severity.ERROR
    assert (fault.measured.value, fault.limit.value) == (1, 0)
    assert fault.role == "roads"


def test_what_is_not_finite_is_named_once() -> None:
    """GEO001 leaves it to this rule."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        shape = LineString([(0.0, 0.0), (1.0, math.nan)])
    site = set_geometry(clean_site(), "roads", 0, shape)
    assert faults_of(geometry_invalid, site) == []
    assert any("not finite" in fault.message for fault in faults_of(rule, site))


def test_at_the_limit_half_the_earth_around_passes() -> None:
    """21,000 km are 68,897,500 survey feet."""
    assert road((68_897_499.0, 336_040.0)) == []


def test_just_over_is_found() -> None:
    (fault,) = road((68_897_501.0, 336_040.0))
    assert "1 coordinate is beyond the earth" in fault.message


def test_found_offsets_of_a_hundred_thousand_million() -> None:
    (fault,) = road((1e11, 1e11))
    assert "such as (1e+11, 1e+11)" in fault.message


def test_found_a_vertex_at_the_zero_point() -> None:
    (fault,) = road((0.0, 0.0))
    assert "at the zero point of the CRS, far from the others" in fault.message


def test_passes_zero_in_a_local_system() -> None:
    """Where the data lie around the zero point, (0, 0) is a place."""
    shape = LineString([(0, 0), (500, 500)])
    local = dataset(gpd.GeoDataFrame(geometry=[shape], crs=6609), file="local.shp")
    assert passes(rule, with_dataset(clean_site(), local))


def test_passes_a_layer_that_is_wholly_beyond_its_crs() -> None:
    """Feet under a CRS in degrees: one finding, CRS002."""
    shape = line((-100, 640), (900, 640))
    degrees = dataset(gpd.GeoDataFrame(geometry=[shape], crs=4326), file="x.shp")
    assert passes(rule, with_dataset(clean_site(), degrees))


def test_found_as_information_where_the_file_serves_no_role() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        shape = LineString([(0, 0), (math.inf, 1)])
    stray = dataset(gpd.GeoDataFrame(geometry=[shape], crs=6609), file="x.shp")
    (fault,) = faults_of(rule, with_dataset(clean_site(), stray))
    assert fault.severity is Severity.INFO


def test_found_what_gets_lost_on_the_way_into_the_site_crs(tmp_path: Path) -> None:
    """Finite as read, no place in State Plane: a vertex of a UTM layer 15,000 km east."""
    write(frame(), tmp_path / "boundary.gpkg")
    x, y = 426_000.0, 4_745_000.0
    path = LineString([(x, y), (x + 100, y), (x + 200, y), (2.0e7, 2.0e7)])
    write(frame([path], crs=26916), tmp_path / "streams.gpkg")
    site = open_site(tmp_path)
    layer = site.role("streams")
    assert layer is not None
    placed = np.array([np.isfinite(g.bounds).all() for g in layer.frame.geometry])
    assert placed.all() or len(faults_of(rule, site)) == 1


@pytest.mark.real_data
def test_found_in_real_broken_files(shared_data: Path) -> None:
    site = open_site(shared_data / "3-broken" / "gdal-shp")
    named = " ".join(fault.message for fault in faults_of(rule, site))
    assert "bigoffset" in named
    assert X0 > Y0  # the maker's corner is State Plane, unlike the offsets there


def test_not_applicable_without_a_coordinate() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
