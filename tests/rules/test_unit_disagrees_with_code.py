"""CRS008: definitions, codes and names that do not give one unit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from sitemap.crs import Crs, linear_unit, parse_crs, to_crs
from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.rules.unit_disagrees_with_code import unit_disagrees_with_code as rule
from sitemap.site import RoleLayer, Site
from sitemap.units import LengthUnit
from tests.clean_site import (
    CRS,
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    passes,
    run,
    without,
)
from tests.intake.makers import square, write

NO_CASE = {"skipped": "it needs no role"}
SOUTH = (
    'PROJCS["{name}",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",'
    'SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],'
    'UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],'
    'PARAMETER["False_Easting",{east}],PARAMETER["False_Northing",0.0],'
    'PARAMETER["Central_Meridian",-90.0],PARAMETER["Standard_Parallel_1",42.73333333333333],'
    'PARAMETER["Standard_Parallel_2",44.06666666666667],PARAMETER["Latitude_Of_Origin",42.0],'
    "UNIT[{unit}]{code}]"
)
METRE, FOOT = '"Meter",1.0', '"Foot",0.3048'
SURVEY = '"Foot_US",0.3048006096012192'


def system(unit: str, east: float, name: str = "Own", code: str = "") -> Crs:
    authority = f',AUTHORITY["EPSG","{code}"]' if code else ""
    return parse_crs(SOUTH.format(name=name, east=east, unit=unit, code=authority))


def in_system(crs: Crs, true: Crs | None = None) -> Site:
    """The clean site with its wetlands in numbers of `true`, under the CRS `crs`."""
    own = to_crs(layer_frame("wetlands", clean_features()["wetlands"]), true or crs)[0]
    own = gpd.GeoDataFrame(own.drop(columns="geometry"), geometry=own.geometry.to_numpy(), crs=crs)
    member = dataset(
        own, file="wetlands.shp", role="wetlands", spec=clean_site().catalogue["wetlands"]
    )
    bare = without(clean_site(), "wetlands")
    merged = RoleLayer("wetlands", to_crs(own, CRS)[0], (member,))
    return replace(
        bare, layers={**bare.layers, "wetlands": merged}, datasets=(*bare.datasets, member)
    )


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_registered_systems() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize("code", [2289, 2222, 3071, 7642, 26916, 2264])
def test_passes_each_kind_of_unit(code: int) -> None:
    """ftUS, ft and m by code and by name; none contradicts itself."""
    assert passes(rule, in_system(parse_crs(code)))


def test_found_feet_under_the_code_of_metres_where_the_place_tells() -> None:
    """The case of OSGeo/gdal issue 990: the definition is right, the code is not."""
    crs = system(FOOT, 600_000 / 0.3048, code="32154")
    assert linear_unit(crs) is LengthUnit.FOOT
    fault = only(in_system(crs))
    assert "is in ft, but the code EPSG:32154 says m" in fault.message
    assert "Read in ft the numbers lie at the boundary, in m" in fault.message
    assert fault.message.endswith("off: ft it is.")
    assert fault.severity is Severity.WARNING
    assert fault.measured.value == pytest.approx(1 / 0.3048)


def test_found_metres_by_definition_and_feet_by_name_as_an_error() -> None:
    """Numbers of a system in feet, whose definition was changed to metres."""
    name = "NAD_1983_StatePlane_Wisconsin_South_FIPS_4803_Feet"
    crs = system(METRE, 600_000, name=name)
    fault = only(in_system(crs, true=parse_crs(2289)))
    assert "but its name says ftUS" in fault.message
    assert "Read in ftUS the numbers would lie at the boundary" in fault.message
    assert fault.severity is Severity.ERROR


def test_found_a_unit_alone_that_was_changed_in_a_definition_in_feet() -> None:
    """The .prj of a system in feet with "Meter" in place of its unit: its false origin, 1,968,500,
    was feet, too, and only when that is read as feet do the numbers lie at the boundary."""
    name = "NAD83(2011) / Wisconsin South (ftUS)"
    crs = system(METRE, 600_000 / 0.3048006096, name=name)
    fault = only(in_system(crs, true=parse_crs(6609)))
    assert "but its name says ftUS" in fault.message
    assert "Read in ftUS the numbers would lie at the boundary, in m they lie " in fault.message
    assert fault.severity is Severity.ERROR


def test_found_a_unit_that_is_no_better_than_the_other() -> None:
    crs = system(METRE, 9_000_000, name="Wisconsin_Feet")
    fault = only(in_system(crs, true=parse_crs(2289)))
    assert fault.message.endswith("neither can be right.")
    assert fault.severity is Severity.ERROR


def near_zero(east_ft: float) -> Crs:
    """A county system of one's own, its zero point beside the site, named for the other foot."""
    text = SOUTH.replace("-90.0", "-88.2").replace("42.0]", "42.9]")
    return parse_crs(text.format(name="County_Feet_Intl", east=east_ft, unit=SURVEY, code=""))


def test_at_the_limit_both_readings_within_the_position_tolerance() -> None:
    """2 ppm of 100,000 ft are 0.2 ft: whichever it is, nothing moves."""
    fault = only(in_system(near_zero(100_000)))
    assert "The two readings lie 0.2 ft apart" in fault.message
    assert fault.severity is Severity.WARNING


def test_just_over_the_position_tolerance_it_is_an_error() -> None:
    """2 ppm of 300,000 ft are 0.6 ft."""
    assert only(in_system(near_zero(300_000))).severity is Severity.ERROR


def test_just_over_the_two_feet_are_five_feet_apart() -> None:
    """2,469,500 ft x 2 ppm: no boundary can tell, and it is more than 0.5 ft."""
    fault = only(in_system(system(FOOT, 600_000 / 0.3048, name="Wisconsin South (ftUS)")))
    assert "The two readings lie 5." in fault.message
    assert "the boundary cannot tell which is right" in fault.message
    assert fault.severity is Severity.ERROR


def test_found_through_reading(tmp_path: Path) -> None:
    """1,000 x 1,000 ft are 22.96 acres, whatever the name of the metre zone says."""
    path = write(
        gpd.GeoDataFrame({"name": ["a"]}, geometry=[square(1000)], crs=2289),
        tmp_path / "boundary.shp",
    )
    wkt = SOUTH.format(
        name="NAD_1983_StatePlane_Wisconsin_South_FIPS_4803",
        east=600_000 / 0.3048, unit=FOOT, code="",
    )  # fmt: skip
    path.with_suffix(".prj").write_text(wkt)
    site = open_site(tmp_path)
    assert site.boundary is not None
    assert shapely.area(site.boundary) / 43560 == pytest.approx(22.957, abs=0.01)
    said = faults_of(rule, site)
    assert all("ft" in fault.message for fault in said)


def test_not_applicable_to_degrees() -> None:
    frame = gpd.GeoDataFrame(geometry=[shapely.box(-88, 42, -87, 43)], crs=4326)
    site = replace(clean_site(), layers={}, datasets=(dataset(frame, file="x.shp"),))
    (said,) = run(rule, site)
    assert isinstance(said, NotApplicable)
