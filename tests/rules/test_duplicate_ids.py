"""SUB011: one id on two features of a role."""

from __future__ import annotations

from sitemap.rules.duplicate_ids import duplicate_ids as rule
from sitemap.rules.rule import NotApplicable
from tests.clean_site import (
    add_feature,
    add_member,
    clean_site,
    faults_of,
    passes,
    point,
    replace_features,
    run,
    set_geometry,
    set_value,
    without,
)

NO_CASE = {"skipped": "it looks at every role that is on the map"}


def test_passes_with_an_id_for_each_feature() -> None:
    assert passes(rule, clean_site())


def test_found_names_every_feature_that_carries_the_id() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "controls", 2, "id", "SF-1"))
    assert "id SF-1 stands on 2 features" in fault.message
    assert [s.feature for s in (fault.source, *fault.related)] == [0, 2]
    assert (fault.measured.value, fault.limit.value) == (2, 1)
    assert fault.field_name == "id"
    assert len(fault.geometry.geoms) == 2


def test_just_over_case_and_blanks_do_not_make_another_id() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "controls", 2, "id", " sf -1"))
    assert fault.measured.value == 2


def test_at_the_limit_ids_that_differ_by_a_letter_pass() -> None:
    assert passes(rule, set_value(clean_site(), "controls", 2, "id", "SF-1A"))


def test_passes_when_ids_are_missing_or_shared_by_two_roles() -> None:
    """No id is not a shared id; an outfall and a control may both be number 1."""
    site = set_value(clean_site(), "controls", 1, "id", None)
    site = set_value(site, "controls", 2, "id", None)
    assert passes(rule, set_value(site, "outfalls", 0, "id", "SF-1"))


def test_found_across_the_files_of_a_role() -> None:
    more = {"geometry": [point(9, 9)], "id": ["SB-1"], "type": ["SB"]}
    (fault,) = faults_of(rule, add_member(clean_site(), "controls", more, file="more.shp"))
    assert "2 features of 2 files" in fault.message
    assert {s.file for s in (fault.source, *fault.related)} == {"controls.shp", "more.shp"}


def test_found_even_where_the_features_have_no_geometry() -> None:
    site = set_geometry(add_feature(clean_site(), "outfalls", None, id="OF-1"), "outfalls", 0, None)
    (fault,) = faults_of(rule, site)
    assert fault.geometry is None


def test_not_applicable_without_any_id() -> None:
    site = clean_site()
    with_ids = [r for r in site.layers if site.catalogue[r].id_field]
    assert isinstance(run(rule, without(site, *with_ids))[0], NotApplicable)


def test_the_order_of_the_records_changes_nothing() -> None:
    """Which spelling of the id is named first goes into the fingerprint."""
    site = set_value(clean_site(), "controls", 2, "id", "sf-1")
    turned = replace_features(site, "controls", lambda rows: rows.iloc[::-1])
    for each in (site, turned):
        (fault,) = faults_of(rule, each)
        assert [s.user_id for s in (fault.source, *fault.related)] == ["SF-1", "sf-1"]
        assert "id SF-1 stands" in fault.message
