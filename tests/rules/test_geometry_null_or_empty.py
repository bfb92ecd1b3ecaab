"""GEO002: records without geometry are counted and named."""

from __future__ import annotations

from dataclasses import replace

import geopandas as gpd
from shapely.geometry import Polygon

from sitemap.finding import Severity
from sitemap.layer import Layer, Oddity
from sitemap.rules.geometry_null_or_empty import geometry_null_or_empty as rule
from sitemap.rules.rule import NotApplicable
from tests.clean_site import (
    clean_site,
    dataset,
    faults_of,
    passes,
    run,
    set_geometry,
    with_dataset,
    with_layer,
)

NO_CASE = {"skipped": "it looks at every dataset"}


def test_passes_when_every_record_has_a_geometry() -> None:
    assert passes(rule, clean_site())


def test_found_null_and_empty_apart_and_by_record() -> None:
    site = set_geometry(clean_site(), "controls", 0, None)
    site = set_geometry(site, "controls", 2, Polygon())
    (fault,) = faults_of(rule, site)
    assert fault.message == (
        "controls.shp: 2 of 9 records have no geometry (1 null, 1 empty): records 0, 2"
    )
    assert [s.user_id for s in fault.related] == ["SF-1", "TP-1"]
    assert (fault.measured.value, fault.limit.value) == (2, 0)
    assert fault.severity is Severity.WARNING
    assert fault.role == "controls"


def test_at_the_limit_none_missing_passes_and_just_over_one_is_found() -> None:
    assert faults_of(rule, clean_site()) == []
    (fault,) = faults_of(rule, set_geometry(clean_site(), "controls", 1, None))
    assert fault.measured.value == 1


def test_just_over_one_missing_is_found() -> None:
    (fault,) = faults_of(rule, set_geometry(clean_site(), "grid", 79, None))
    assert "1 of 80 records have no geometry (1 null): record 79" in fault.message


def test_found_as_an_error_when_nothing_is_left() -> None:
    (fault,) = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, None))
    assert fault.severity is Severity.ERROR


def test_found_runs_of_records_are_joined() -> None:
    """24 of 124 as in a real county file: named as runs, not one by one."""
    shapes = [None if 10 <= i < 34 else Polygon([(i, 0), (i + 1, 0), (i, 1)]) for i in range(124)]
    layer = dataset(gpd.GeoDataFrame(geometry=shapes, crs=clean_site().crs), file="csah.shp")
    (fault,) = faults_of(rule, with_dataset(clean_site(), layer))
    assert fault.message.endswith("24 of 124 records have no geometry (24 null): records 10-33")
    assert fault.severity is Severity.INFO  # it serves no role


def test_found_records_that_no_reader_could_give() -> None:
    clean = clean_site()
    member = clean.layers["roads"].members[0]
    lossy = Layer(
        member.spec, member.frame, replace(member.provenance, features_lost=2), member.choice
    )
    datasets = tuple(lossy if d is member else d for d in clean.datasets)
    (fault,) = faults_of(rule, replace(clean, datasets=datasets))
    assert "2 of 3 records have no geometry (2 that no reader could give)" in fault.message


def test_passes_a_table_that_has_no_geometry_at_all() -> None:
    """The routing tables beside NHDPlus are no map layers; nothing is missing from them."""
    odd = Oddity("no_geometry", "an attribute table")
    table = gpd.GeoDataFrame({"FROMNODE": [1, 2]}, geometry=[None, None])
    layer = dataset(table, file="PlusFlow.dbf", oddities=(odd,))
    assert passes(rule, with_dataset(clean_site(), layer))


def test_not_applicable_without_a_record() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)


def test_a_dataset_without_records_is_left_to_sub004() -> None:
    assert passes(rule, with_layer(clean_site(), "wetlands", {"geometry": []}))
