"""CRS004: Web Mercator is information in a dataset, an error on the map or the plate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.crs import parse_crs, to_crs
from sitemap.finding import Severity
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage
from sitemap.project import MapWishes
from sitemap.rules.rule import NotApplicable
from sitemap.rules.web_mercator_used_for_measure import web_mercator_used_for_measure as rule
from sitemap.site import RoleLayer
from tests.clean_site import (
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    passes,
    run,
    with_map_wishes,
    with_project,
    without,
)

NO_CASE = {
    "at_the_limit": "a CRS is Web Mercator or not",
    "just_over": "a CRS is Web Mercator or not",
    "skipped": "it needs no role",
}

# 1 / cos(42.905 degrees) on the sphere of Web Mercator, against the ellipsoid's own length
STRETCH = pytest.approx(1.365, abs=0.003)


def plate(epsg: int | None, crs: str | None = None) -> MeasuredPlate:
    frame = MapFrame("Map Layers", (1, 1, 20, 20), 50.0, "georeference", crs, epsg)
    return MeasuredPlate("plate.pdf", (PlatePage(1, 36, 24, (frame,)),))


def test_passes_in_state_plane() -> None:
    assert passes(rule, clean_site())
    assert passes(rule, clean_site(), plate(6609))


def test_found_as_information_in_a_dataset() -> None:
    bare = without(clean_site(), "roads")
    frame = layer_frame("roads", clean_features()["roads"])
    web = to_crs(frame, parse_crs("EPSG:3857"))[0]
    member = dataset(web, file="roads.geojson", role="roads", spec=bare.catalogue["roads"])
    site = replace(
        bare,
        layers={**bare.layers, "roads": RoleLayer("roads", frame, (member,))},
        datasets=(*bare.datasets, member),
    )
    (fault,) = faults_of(rule, site)
    assert fault.severity is Severity.INFO
    assert "roads.geojson" in fault.message
    assert "brought into NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609)" in fault.message
    assert fault.measured.value == STRETCH
    assert fault.role == "roads"


def test_found_as_an_error_where_the_map_is_in_it() -> None:
    """A quarter mile of 1,320 ft in Web Mercator covers 967 ft of ground at Muskego."""
    (fault,) = faults_of(rule, with_map_wishes(clean_site(), crs="EPSG:3857"))
    assert fault.severity is Severity.ERROR
    assert fault.measured.value == STRETCH
    assert "1,320 ft measured in it are 96" in fault.message
    assert fault.limit.value == 1


@pytest.mark.parametrize("its", [plate(3857), plate(None, "EPSG:3857")])
def test_found_as_an_error_on_the_plate(its: MeasuredPlate) -> None:
    (fault,) = faults_of(rule, clean_site(), its)
    assert fault.severity is Severity.ERROR
    assert "frame Map Layers on page 1" in fault.message


def test_a_map_crs_that_is_no_crs_is_left_to_reading() -> None:
    assert passes(rule, with_map_wishes(clean_site(), crs="Wisconsin, somewhere"))


def test_not_applicable_when_nothing_states_a_crs() -> None:
    site = with_project(clean_site(), map=MapWishes())
    (said,) = run(rule, replace(site, layers={}, datasets=(), crs=None))
    assert isinstance(said, NotApplicable)
