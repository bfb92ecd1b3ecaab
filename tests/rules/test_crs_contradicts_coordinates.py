"""CRS002: degrees in a projected CRS, projected numbers in a geographic one, swapped axes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import numpy as np
import shapely

from sitemap.crs import Crs, parse_crs, to_crs
from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.layer import Layer
from sitemap.ordinance import load_ordinance
from sitemap.rules.crs_contradicts_coordinates import crs_contradicts_coordinates as rule
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    CRS,
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    passes,
    run,
    with_dataset,
    without,
)
from tests.intake.makers import frame, write

NO_CASE = {"skipped": "it needs no role"}

LONLAT = parse_crs("EPSG:4326")


def labelled(numbers_in: Crs, says: Crs, *, swap: bool = False, role: str | None = "grid") -> Layer:
    """The clean grid in one system, labelled as another."""
    frame = to_crs(layer_frame("grid", clean_features()["grid"]), numbers_in)[0]
    shapes = frame.geometry.to_numpy()
    if swap:
        shapes = shapely.transform(shapes, lambda xy: xy[:, ::-1])
    wrong = gpd.GeoDataFrame(frame.drop(columns="geometry"), geometry=shapes, crs=says)
    spec = clean_site().catalogue[role] if role else None
    return dataset(wrong, file="grid.shp", role=role, spec=spec)


def site_with(layer: Layer) -> Site:
    return with_dataset(without(clean_site(), "grid"), layer)


def test_passes_when_numbers_and_crs_agree() -> None:
    assert passes(rule, clean_site())
    assert passes(rule, site_with(labelled(LONLAT, LONLAT)))


def test_found_degrees_in_a_projected_crs() -> None:
    (fault,) = faults_of(rule, site_with(labelled(LONLAT, CRS)))
    assert "grid.shp says NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609)" in fault.message
    assert "(-88.12" in fault.message
    assert "are degrees of longitude and latitude (80 of 80 features)" in fault.message
    assert "EPSG:4326 or EPSG:4269" in fault.how_to_fix
    assert fault.measured.value == 80
    assert fault.role == "grid"


def test_found_projected_numbers_in_a_geographic_crs() -> None:
    (fault,) = faults_of(rule, site_with(labelled(CRS, LONLAT)))
    assert "x runs from 2,469,4" in fault.message or "x runs from 2.4694e+06" in fault.message
    assert "feet or metres of a projected system, not degrees" in fault.message
    assert "they would meet the boundary in NAD83(2011) / Wisconsin South (ftUS)" in (
        fault.how_to_fix
    )


def test_found_swapped_degrees() -> None:
    """42.9, -88.1 are both lawful as degrees; only the place of the site tells."""
    (fault,) = faults_of(rule, site_with(labelled(LONLAT, LONLAT, swap=True)))
    assert "fit only with x and y exchanged" in fault.message
    assert "x (east, longitude) first" in fault.how_to_fix


def test_found_swapped_northing_and_easting() -> None:
    (fault,) = faults_of(rule, site_with(labelled(CRS, CRS, swap=True)))
    assert "the axes are swapped" in fault.message


def test_found_swapped_beyond_ninety_needs_no_site() -> None:
    """y = -100 cannot be a latitude: that is wrong wherever the site may be."""
    frame = gpd.GeoDataFrame(geometry=[shapely.Point(40.0, -100.0)], crs=LONLAT)
    layer = dataset(frame, file="p.shp")
    bare = replace(clean_site(), layers={}, datasets=(layer,), crs=None)
    (fault,) = faults_of(rule, bare)
    assert "beyond 90: the axes are swapped" in fault.message
    assert fault.severity is Severity.WARNING  # it serves no role


def test_found_outside_the_area_of_the_crs() -> None:
    """UTM metres under a Wisconsin county system land hundreds of miles off."""
    (fault,) = faults_of(rule, site_with(labelled(parse_crs("EPSG:26916"), parse_crs("EPSG:6608"))))
    assert "far outside the area" in fault.message
    assert "UTM zone 16N" in fault.how_to_fix


def test_at_the_limit_the_whole_earth_in_degrees_passes() -> None:
    frame = gpd.GeoDataFrame(geometry=[shapely.box(-180, -90, 180, 90)], crs=LONLAT)
    assert passes(rule, replace(clean_site(), datasets=(dataset(frame, file="world.shp"),)))


def test_just_over_the_whole_earth_is_found() -> None:
    frame = gpd.GeoDataFrame(geometry=[shapely.box(-180, -90, 180.1, 90)], crs=LONLAT)
    site = replace(clean_site(), datasets=(dataset(frame, file="world.shp"),))
    assert len(faults_of(rule, site)) == 1


def test_small_numbers_near_the_zero_of_a_local_system_pass() -> None:
    """A site grid whose zero point is at the site holds numbers that could be degrees."""
    local = parse_crs(
        "+proj=tmerc +lat_0=42.905 +lon_0=-88.128 +units=us-ft +ellps=GRS80 +type=crs"
    )
    frame = gpd.GeoDataFrame(geometry=[shapely.box(5, 5, 60, 60)], crs=local)
    layer = dataset(frame, file="pad.shp")
    assert passes(rule, with_dataset(clean_site(), layer))


def test_one_wild_feature_is_not_the_dataset_s_crs() -> None:
    """Most features decide; a single wild coordinate is another fault."""
    layer = labelled(LONLAT, LONLAT)
    shapes = layer.frame.geometry.to_numpy().copy()
    shapes[0] = shapely.box(1e6, 1e6, 2e6, 2e6)
    layer.frame["geometry"] = gpd.GeoSeries(shapes, crs=LONLAT)
    assert np.isfinite(layer.frame.total_bounds).all()
    assert passes(rule, site_with(layer))


def test_not_applicable_when_nothing_has_both() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)


def test_found_axes_that_are_swapped_in_every_dataset(tmp_path: Path) -> None:
    """The boundary lies in Antarctica with all the rest, so that nothing lies apart."""
    degrees = [shapely.box(42.905, -88.131, 42.906, -88.130)]
    for role in ("boundary", "wetlands"):
        write(frame(degrees, crs=4326, id=["1"]), tmp_path / f"{role}.geojson")
    said = run(rule, open_site(tmp_path), ordinance=load_ordinance("muskego"))
    first, second = (one for one in said if isinstance(one, Fault))
    assert "the axes are swapped" in first.message
    assert "the axes are swapped" in second.message
    assert "site.toml" not in first.how_to_fix  # no statement there exchanges x and y


def test_a_site_elsewhere_on_earth_is_not_taken_for_swapped(tmp_path: Path) -> None:
    write(frame([shapely.box(38.70, 9.00, 38.71, 9.01)], crs=4326), tmp_path / "boundary.geojson")
    said = run(rule, open_site(tmp_path), ordinance=load_ordinance("muskego"))
    assert [one for one in said if isinstance(one, Fault)] == []


def test_found_where_every_dataset_is_in_metres_by_its_prj_and_in_feet_by_its_numbers(
    tmp_path: Path,
) -> None:
    """All land together off Maine, 20 degrees from Wisconsin: they agree, and are wrong."""
    for name in ("site_boundary", "wetlands"):
        data = frame().set_crs(6608, allow_override=True)  # the numbers are those of EPSG:6609
        write(data, tmp_path / f"{name}.shp")
    said = run(rule, open_site(tmp_path), ordinance=load_ordinance("muskego"))
    found = [one for one in said if isinstance(one, Fault)]
    assert [f.source.file for f in found] == ["site_boundary.shp", "wetlands.shp"]
    assert "far outside the area that NAD83(2011) / Wisconsin South" in found[0].message
    assert "would meet the area of the CRS that the ordinance names in" in found[0].how_to_fix
    assert "EPSG:6609" in found[0].how_to_fix


def test_a_site_in_another_state_is_sound(tmp_path: Path) -> None:
    """In the area of its own CRS, wherever the ordinance's may be: CRS007 asks about that."""
    data = frame([shapely.box(3_045_000, 13_890_000, 3_045_600, 13_890_600)], crs=2278)
    assert passes(rule, open_site(write(data, tmp_path / "site_boundary.shp")))
