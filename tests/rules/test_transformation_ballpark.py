"""CRS005: what PROJ did, how rough it is, and what that is on paper.

Accounts are given where they depend on the grids of the machine; one test goes through reading.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import pytest

from sitemap.crs import Transformation, parse_crs, to_crs
from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.rule import Checked, Fault, NotApplicable
from sitemap.rules.transformation_ballpark import transformation_ballpark as rule
from sitemap.site import RoleLayer, Site
from tests.clean_site import (
    CRS,
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    passes,
    run,
    with_plate_wishes,
    without,
)
from tests.intake.makers import frame, write

NO_CASE = {"skipped": "it needs no role"}
GRID = "us_noaa_nadcon5_nad83_harn_nad83_fbn_conus.tif"


def brought_in(
    site: Site, role: str, code: str, accuracy_m: float | None, ballpark: bool = False
) -> Site:
    """The site with a role's file in another CRS, and PROJ's account of the way."""
    source = parse_crs(code)
    own = to_crs(layer_frame(role, clean_features()[role]), source)[0]
    member = dataset(own, file=f"{role}.shp", role=role, spec=site.catalogue[role])
    merged = RoleLayer(role, to_crs(own, CRS)[0], (member,))
    grids = (GRID,) if ballpark else ()
    account = Transformation(code, "EPSG:6609", f"way from {code}", accuracy_m, ballpark, grids)
    bare = without(site, role)
    return replace(
        bare,
        layers={**bare.layers, role: merged},
        datasets=(*bare.datasets, member),
        transformations={**site.transformations, f"{role}.shp": account},
    )


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_when_all_are_in_the_map_crs() -> None:
    assert passes(rule, clean_site())


def test_passes_and_prints_each_operation() -> None:
    site = brought_in(clean_site(), "roads", "EPSG:3071", 0.1)
    (checked,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert "EPSG:3071 -> EPSG:6609 by way from EPSG:3071 (stated accuracy 0.1 m" in checked.words


def test_found_nad27_as_an_error_with_inches_of_paper() -> None:
    """12 m are 39.4 ft; at 1 in = 50 ft that is 0.79 in, forty times a fiftieth."""
    fault = only(brought_in(clean_site(), "streams", "EPSG:32054", 12.0))
    assert fault.severity is Severity.ERROR
    assert "stated accuracy 12 m (39.37 ft)" in fault.message
    assert "places may be off by 39.4 ft, 0.79 in at 1 in = 50 ft, more than 0.02 in" in (
        fault.message
    )
    assert fault.measured.value == pytest.approx(39.37 / 50, abs=0.001)
    assert fault.limit.value == pytest.approx(0.02)
    assert fault.role == "streams"


def test_found_nad27_left_out_altogether_as_an_error() -> None:
    fault = only(brought_in(clean_site(), "streams", "EPSG:26716", None, ballpark=True))
    assert fault.severity is Severity.ERROR
    assert "BALLPARK" in fault.message
    assert "tens to hundreds of feet, is left out" in fault.message
    assert fault.measured is None


def test_found_harn_beside_2011_as_a_warning_with_the_order_of_magnitude() -> None:
    """State data of Wisconsin are in EPSG:3071: 3 ft at 50 ft per inch are 0.06 in."""
    fault = only(brought_in(clean_site(), "wetlands", "EPSG:3071", None, ballpark=True))
    assert fault.severity is Severity.WARNING
    assert "places may be off by 3.0 ft, 0.06 in at 1 in = 50 ft" in fault.message
    assert f"or install {GRID}" in fault.how_to_fix


def test_found_as_information_when_everything_moved_alike() -> None:
    """Nothing moved against anything: areas, lengths and distances are exact."""
    site = without(clean_site(), *(r for r in clean_site().layers if r != "roads"))
    fault = only(brought_in(site, "roads", "EPSG:3071", None, ballpark=True))
    assert fault.severity is Severity.INFO
    assert "their places against each other are exact" in fault.message


def test_found_once_for_all_that_came_the_same_way() -> None:
    site = brought_in(clean_site(), "roads", "EPSG:3071", None, ballpark=True)
    fault = only(brought_in(site, "wetlands", "EPSG:3071", None, ballpark=True))
    assert fault.message.startswith("roads.shp, wetlands.shp: EPSG:3071 -> EPSG:6609")
    assert fault.role is None
    assert [source.file for source in fault.related] == ["wetlands.shp"]


def test_at_the_limit_a_foot_at_fifty_feet_per_inch_passes() -> None:
    assert passes(rule, brought_in(clean_site(), "roads", "EPSG:26716", 0.3048))


def test_just_over_is_found() -> None:
    assert only(brought_in(clean_site(), "roads", "EPSG:26716", 0.31)).severity is Severity.ERROR


def test_passes_at_a_scale_that_draws_smaller() -> None:
    """0.31 m is 1.02 ft: 0.0203 in at 50 ft per inch, 0.0102 at 100."""
    site = brought_in(clean_site(), "roads", "EPSG:26716", 0.31)
    assert passes(rule, with_plate_wishes(site, scale=100.0))


def test_found_through_reading(tmp_path: Path) -> None:
    """Whatever grids this machine has, the way is named, and NAD83 data never fail a submission."""
    write(frame(), tmp_path / "boundary.gpkg")
    road = gpd.GeoDataFrame(clean_features()["roads"], crs=CRS).to_crs(3071)
    write(road, tmp_path / "roads.gpkg")
    site = open_site(tmp_path)
    said = run(rule, site)
    assert any("NAD83(HARN) / Wisconsin Transverse Mercator" in s.words
               for s in said if isinstance(s, Checked))  # fmt: skip
    assert all(f.severity is not Severity.ERROR for f in said if isinstance(f, Fault))


@pytest.mark.real_data
def test_found_in_the_bluff_lines_on_nad27(shared_data: Path) -> None:
    """EPSG:3069 into a map on NAD83: 12 m without the grid, centimetres with it."""
    site = open_site(shared_data / "1-midwest" / "ozaukee-bluff-wi", crs="EPSG:6609")
    nad27 = [a for a in site.transformations.values() if "NAD27" in a.source]
    rough = [fault for fault in faults_of(rule, site) if fault.severity is Severity.ERROR]
    assert bool(rough) == any(a.ballpark or (a.accuracy_m or 0) > 1 for a in nad27)


def test_not_applicable_without_a_layer_on_the_map() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
