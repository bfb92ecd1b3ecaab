"""SUB007: features of a type that their role does not take."""

from __future__ import annotations

from dataclasses import replace

from sitemap.rules.rule import NotApplicable
from sitemap.rules.wrong_geometry_type import wrong_geometry_type as rule
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    run,
    set_geometry,
    with_layer,
)

NO_CASE = {
    "at_the_limit": "a type is taken or not",
    "just_over": "a type is taken or not",
    "skipped": "it looks at every dataset that serves a role",
}


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_when_a_disturbance_limit_comes_as_a_line() -> None:
    outline = line((150, 200), (550, 200), (550, 500), (150, 500), (150, 200))
    (fault,) = faults_of(rule, set_geometry(clean_site(), "disturbance", 0, outline))
    assert "1 line among 1 features" in fault.message
    assert "takes polygon (record 0)" in fault.message
    assert fault.measured.value == 1
    assert fault.role == "disturbance"
    assert fault.geometry.equals(outline)


def test_found_counts_each_kind_and_names_the_records() -> None:
    site = add_feature(clean_site(), "vegetation", point(3, 3), cover="woods")
    site = add_feature(site, "vegetation", point(9, 9), cover="woods")
    site = add_feature(site, "vegetation", line((0, 0), (9, 9)), cover="woods")
    (fault,) = faults_of(rule, site)
    assert "1 line and 2 points among 5 features" in fault.message
    assert "(records 2-4)" in fault.message


def test_passes_points_where_the_role_takes_them() -> None:
    """The Wisconsin inventory has wetlands too small to draw, as points."""
    site = with_layer(clean_site(), "wetlands", {"geometry": [point(600, 80)], "id": ["W-1"]})
    assert passes(rule, site)


def test_missing_geometries_are_left_to_geo002() -> None:
    assert passes(rule, set_geometry(clean_site(), "controls", 1, None))


def test_not_applicable_without_a_dataset_that_serves_a_role() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
