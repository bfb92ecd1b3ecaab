"""SUB004: a role with datasets but without a feature."""

from __future__ import annotations

from dataclasses import replace

from sitemap.finding import Severity
from sitemap.rules.layer_empty_but_not_declared_none import (
    layer_empty_but_not_declared_none as rule,
)
from sitemap.rules.rule import NotApplicable
from tests.clean_site import (
    add_member,
    clean_site,
    faults_of,
    passes,
    run,
    set_geometry,
    with_declared_none,
    with_layer,
)

NO_CASE = {"skipped": "it looks at every dataset, whatever its role"}

EMPTY = {"geometry": []}


def test_passes_when_every_layer_holds_something() -> None:
    assert passes(rule, clean_site())


def test_found_for_a_file_without_records() -> None:
    (fault,) = faults_of(rule, with_layer(clean_site(), "wetlands", EMPTY))
    assert "wetlands.shp is empty (no records)" in fault.message
    assert fault.role == "wetlands"
    assert fault.clauses == ("a", "h")
    assert fault.measured is not None
    assert fault.measured.value == 0
    assert "[declared_none.wetlands]" in fault.how_to_fix
    assert fault.severity is None


def test_found_when_all_records_lack_a_geometry() -> None:
    """One record whose geometry is null shows as little as no record."""
    (fault,) = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, None))
    assert "1 records, none with a geometry" in fault.message
    assert "declared_none" not in fault.how_to_fix  # disturbance cannot be declared none


def test_at_the_limit_one_feature_is_enough() -> None:
    site = clean_site()
    assert len(site.layers["wetlands"]) == 1
    assert faults_of(rule, site) == []


def test_just_over_one_empty_dataset_beside_a_full_one_is_no_finding() -> None:
    site = add_member(clean_site(), "roads", EMPTY, file="roads_new.shp")
    assert passes(rule, site)


def test_passes_when_the_empty_layer_is_declared_none() -> None:
    site = with_declared_none(with_layer(clean_site(), "wetlands", EMPTY), "wetlands")
    assert passes(rule, site)


def test_an_empty_optional_layer_is_information() -> None:
    (fault,) = faults_of(rule, with_layer(clean_site(), "soils", EMPTY))
    assert fault.severity is Severity.INFO


def test_not_applicable_without_a_dataset_that_serves_a_role() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
