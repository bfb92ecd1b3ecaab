"""CRS001: candidates ranked by where they put the numbers; nothing is chosen."""

from __future__ import annotations

from dataclasses import replace

import geopandas as gpd
import pytest

from sitemap.crs import parse_crs, to_crs
from sitemap.finding import Severity
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
    passes,
    run,
    with_dataset,
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
        (32154, "NAD83(2011) / Wisconsin South (EPSG:6608)"),
        (3071, "NAD83(2011) / Wisconsin Transverse Mercator (EPSG:6610)"),
        (7642, "NAD83(2011) / WISCRS Waukesha (ftUS) (EPSG:7642)"),
        (4326, "NAD83(2011) (EPSG:6318)"),
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
