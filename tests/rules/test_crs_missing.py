"""CRS001: candidates ranked by where they put the numbers; nothing is chosen."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from sitemap.crs import parse_crs, to_crs
from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.layer import Layer
from sitemap.project import MapWishes
from sitemap.rules.crs_missing import crs_missing as rule
from sitemap.rules.rule import NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    line,
    passes,
    point,
    rectangle,
    run,
    with_dataset,
    with_layer,
    with_project,
    without,
)

NO_CASE = {
    "at_the_limit": "a CRS is stated or not",
    "just_over": "a CRS is stated or not",
    "skipped": "it needs no role",
}


def without_prj(
    epsg: int, role: str | None = "roads", file: str = "roads.shp", features: str = "roads"
) -> Layer:
    """Features of the clean site in some system, as read from a file without .prj."""
    frame = layer_frame(features, clean_features()[features], file=file)
    moved = to_crs(frame, parse_crs(f"EPSG:{epsg}"))[0]
    bare = gpd.GeoDataFrame(moved.drop(columns="geometry"), geometry=moved.geometry.to_numpy())
    spec = clean_site().catalogue[role] if role else None
    return dataset(bare, file=file, role=role, spec=spec)


def site_with(layer: Layer) -> Site:
    return with_dataset(without(clean_site(), "roads"), layer)


def test_passes_when_every_dataset_states_its_crs() -> None:
    assert passes(rule, clean_site())


def test_found_ranks_what_meets_the_boundary_first() -> None:
    """Numbers of EPSG:6609 meet the boundary in Wisconsin South in US feet on NAD83.

    On NAD27 the same numbers lie 31,523 ft west, the known shift of the two zones, which is
    30,623 ft from the boundary: it is 800 ft wide and the road reaches 100 ft beyond it. NAD83
    and its readjustments differ by less than 3 ft, so extent cannot tell them apart; the one that
    the rest of the submission uses is named first.
    """
    (fault,) = faults_of(rule, site_with(without_prj(6609)))
    text = fault.message
    assert text.startswith("roads.shp has no CRS; its numbers run x 2,469,400 to 2,470,400")
    first, second = text.split("2. ")
    assert "1. NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609), " in first
    assert "EPSG:2289" in first
    assert "EPSG:2930" in first
    assert "EPSG:3700" in first
    assert "differ by less than 3 ft here and cannot be told apart" in first
    assert second == (
        "NAD27 / Wisconsin South (EPSG:32054), 30,623 ft (5.8 mi) west of the boundary, which is "
        "31,523 ft (6.0 mi) west of where 1 puts them."
    )
    assert 'crs = "EPSG:..."' in fault.how_to_fix  # four are possible: none is written for him
    assert fault.role == "roads"
    assert fault.severity is None


@pytest.mark.parametrize(
    ("epsg", "first"),
    [
        (32054, "NAD27 / Wisconsin South (EPSG:32054)"),
        (26716, "NAD27 / UTM zone 16N (EPSG:26716)"),
        (32154, "NAD83 / Wisconsin South (EPSG:32154)"),
        (3071, "NAD83 / Wisconsin Transverse Mercator (EPSG:3070)"),
        (7642, "NAD83(2011) / WISCRS Waukesha (ftUS) (EPSG:7642)"),
        (4326, "NAD83 (EPSG:4269)"),
    ],
)
def test_found_in_every_kind_of_system(epsg: int, first: str) -> None:
    """State Plane, UTM, state and county systems and degrees, in metres and feet.

    The disturbed ground lies amid the site; the road along its edge would fit two UTM datums,
    which lie 711 ft apart, equally well.
    """
    layer = without_prj(epsg, features="disturbance")
    (fault,) = faults_of(rule, site_with(layer))
    assert f"1. {first}" in fault.message


def test_found_with_axes_exchanged() -> None:
    """Latitude first, or northing first: nothing fits as it stands, all fits exchanged."""
    for epsg, first in ((4326, "NAD83 (EPSG:4269)"), (3071, "(EPSG:3070)")):
        layer = without_prj(epsg, features="disturbance")
        flipped = shapely.transform(layer.frame.geometry.to_numpy(), lambda xy: xy[:, ::-1])
        frame = layer.frame.set_geometry(gpd.GeoSeries(flipped, index=layer.frame.index))
        odd = Layer(layer.spec, frame, layer.provenance, layer.choice)
        (fault,) = faults_of(rule, site_with(odd))
        assert f"{first} with x and y exchanged, meets the boundary" in fault.message


def test_found_by_places_that_the_attributes_state() -> None:
    """UTM on two datums, 711 ft apart, both meet the site: columns of degrees tell them apart."""
    clean = clean_site()
    points = [point(100 + 50 * i, 300) for i in range(5)]
    frame = layer_frame("outfalls", {"geometry": points, "id": list("abcde")})
    moved = to_crs(frame, parse_crs("EPSG:26716"))[0]
    degrees = to_crs(frame, parse_crs("EPSG:4326"))[0].geometry
    bare = gpd.GeoDataFrame(
        {**moved.drop(columns="geometry"), "LONG": degrees.x, "LAT": degrees.y},
        geometry=moved.geometry.to_numpy(),
    )
    layer = dataset(bare, file="wells.shp", role="outfalls", spec=clean.catalogue["outfalls"])
    (fault,) = faults_of(rule, with_dataset(without(clean, "outfalls"), layer))
    assert "1. NAD27 / UTM zone 16N (EPSG:26716), meets the boundary, 0.0 ft from" in fault.message
    assert "in columns LONG and LAT" in fault.message


def test_found_says_when_the_boundary_cannot_tell() -> None:
    """The road's 1,000 ft reach over the site on either UTM datum."""
    long_road = {"geometry": [line((300, -900), (300, 1500))], "name": ["Lane"]}
    frame = layer_frame("roads", long_road, file="roads.shp")
    moved = to_crs(frame, parse_crs("EPSG:26916"))[0]
    bare = gpd.GeoDataFrame(moved.drop(columns="geometry"), geometry=moved.geometry.to_numpy())
    layer = dataset(bare, file="roads.shp", role="roads", spec=clean_site().catalogue["roads"])
    (fault,) = faults_of(rule, site_with(layer))
    assert "2 of them meet it: where the numbers lie cannot tell these apart." in fault.message


def test_found_by_the_county_that_site_toml_names() -> None:
    """Waukesha County has a system of its own, whose registered area says where it is."""
    bare = replace(clean_site(), layers={}, datasets=(without_prj(6609),), crs=None)
    bare = with_project(
        bare,
        map=MapWishes(),
        project=bare.project.project.model_copy(
            update={"municipality": "City of Muskego, Waukesha County, Wisconsin"}
        ),
    )
    (fault,) = faults_of(rule, bare)
    assert "meets Waukesha County" in fault.message


def test_found_inside_the_jurisdiction_before_what_is_as_near() -> None:
    """Both UTM datums put the line 0 ft from the site; its middle is in the town on one only."""
    road = {"geometry": [line((300, 350), (300, 1450))], "name": ["Lane"]}
    frame = layer_frame("roads", road, file="roads.shp")
    moved = to_crs(frame, parse_crs("EPSG:26716"))[0]
    bare = gpd.GeoDataFrame(moved.drop(columns="geometry"), geometry=moved.geometry.to_numpy())
    layer = dataset(bare, file="roads.shp", role="roads", spec=clean_site().catalogue["roads"])
    town = {"geometry": [rectangle(-3000, 500, 3000, 3000)], "name": ["Muskego"]}
    site = with_layer(site_with(layer), "jurisdiction", town)
    (fault,) = faults_of(rule, site)
    assert "1. NAD27 / UTM zone 16N (EPSG:26716)" in fault.message


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "lon", "lat", "boundary_crs", "first"),
    [
        ("1-midwest/pleasant-lake-wi/csls_sources_wu_pts", -89.55, 44.0, 7644,
         "1. NAD83 / Wisconsin Transverse Mercator (EPSG:3070), meets the boundary, 0.0 ft from "
         "the longitudes and latitudes in column cords"),
        ("1-midwest/csah-roads-mn-noprj/csah", -95.5, 46.95, 26850,
         "1. NAD83 / UTM zone 15N (EPSG:26915), meets the boundary"),
        ("2-real-us/shapelib-survey-noprj/brklinz", -121.417, 37.427, 26943,
         "1. NAD83(2011) / California zone 3 (ftUS) (EPSG:6420), meets the boundary (or NAD83 / "
         "California zone 3 (ftUS) (EPSG:2227)"),
        ("2-real-us/methow-streams-wa-noprj/Methow_Network", -120.2, 48.5, 2285,
         "1. North_America_Albers_Equal_Area_Conic (ESRI:102008), meets the boundary"),
    ],
)  # fmt: skip
def test_found_in_real_files_without_prj(
    shared_data: Path,
    tmp_path: Path,
    file: str,
    lon: float,
    lat: float,
    boundary_crs: int,
    first: str,
) -> None:
    """Wells in Waushara County, roads in Minnesota, streams in Washington: anywhere in the US."""
    source = shared_data / file
    for path in source.parent.glob(f"{source.name}.*"):
        shutil.copy(path, tmp_path)
    square = gpd.GeoDataFrame(
        {"name": ["site"]}, geometry=[shapely.box(lon - 0.1, lat - 0.05, lon + 0.1, lat + 0.05)],
        crs=4326,
    )  # fmt: skip
    square.to_crs(boundary_crs).to_file(tmp_path / "site_boundary.gpkg")
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert first in fault.message


@pytest.mark.real_data
def test_found_that_harn_is_a_metre_off_by_the_attributes(
    shared_data: Path, tmp_path: Path
) -> None:
    """EPSG:3071 is 1.04 m off the longitudes and latitudes that the table holds: 3.4 ft."""
    source = shared_data / "1-midwest" / "pleasant-lake-wi"
    for path in source.glob("csls*"):
        shutil.copy(path, tmp_path)
    site = open_site(tmp_path)
    county = site.project.project.model_copy(update={"municipality": "Waushara County, Wisconsin"})
    (fault,) = faults_of(rule, with_project(site, project=county))
    assert "1. NAD83 / Wisconsin Transverse Mercator (EPSG:3070), meets Waushara County" in (
        fault.message
    )
    assert "Wisconsin Transverse Mercator (EPSG:3071), 3.4 ft off by these" in fault.message


def test_found_never_writes_the_answer_for_the_user() -> None:
    """NAD27 UTM 16 stands alone in its rank; even so, he has to ask."""
    (fault,) = faults_of(rule, site_with(without_prj(26716)))
    assert 'crs = "EPSG:..."' in fault.how_to_fix
    assert "ask the source" in fault.how_to_fix


def test_found_says_when_nothing_registered_fits() -> None:
    frame = layer_frame("roads", clean_features()["roads"])
    local = gpd.GeoDataFrame(
        frame.drop(columns="geometry"),
        geometry=frame.geometry.translate(-2_460_000, -330_000).to_numpy(),
    )
    layer = dataset(local, file="roads.shp", role="roads", spec=clean_site().catalogue["roads"])
    (fault,) = faults_of(rule, site_with(layer))
    assert "local or assumed grid" in fault.message


def test_found_without_a_boundary_ranks_by_the_area_of_the_map_crs() -> None:
    clean = clean_site()
    bare = replace(clean, layers={}, datasets=(without_prj(6609),), crs=None)
    (fault,) = faults_of(rule, bare)
    assert "meets the area of the map CRS of site.toml" in fault.message
    assert "NAD27 / Wisconsin South" in fault.message  # both zones lie in that area


def test_found_without_any_place_only_says_what_the_numbers_look_like() -> None:
    nowhere = with_project(clean_site(), map=MapWishes())
    nowhere = replace(nowhere, layers={}, datasets=(without_prj(4326),), crs=None)
    (fault,) = faults_of(rule, nowhere)
    assert "They look like degrees" in fault.message


def test_found_as_information_where_the_file_serves_no_role() -> None:
    (fault,) = faults_of(rule, with_dataset(clean_site(), without_prj(6609, None, "zoning.shp")))
    assert fault.severity is Severity.INFO


def test_not_applicable_without_a_coordinate() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
