"""SUB005: several datasets for a role that takes one, and the same features twice."""

from __future__ import annotations

from dataclasses import replace

from sitemap.rules.rule import NotApplicable
from sitemap.rules.two_files_claim_one_role import two_files_claim_one_role as rule
from tests.clean_site import (
    add_member,
    clean_features,
    clean_site,
    faults_of,
    line,
    moved,
    passes,
    rectangle,
    run,
)

NO_CASE = {"skipped": "it looks at every dataset, whatever its role"}


def test_passes_with_one_dataset_per_role() -> None:
    assert passes(rule, clean_site())


def test_found_when_two_different_boundaries_are_handed_in() -> None:
    old = {"geometry": [rectangle(0, 0, 700, 600)], "name": ["old"]}
    (fault,) = faults_of(rule, add_member(clean_site(), "boundary", old, file="boundary_old.shp"))
    assert "2 datasets claim the role" in fault.message
    assert "boundary.shp: named in site.toml; boundary_old.shp" in fault.message
    assert (fault.measured.value, fault.limit.value) == (2, 1)
    assert [s.file for s in fault.related] == ["boundary_old.shp"]


def test_at_the_limit_a_role_may_have_many_with_other_features() -> None:
    more = {"geometry": [line((0, 0), (800, 0))], "name": ["Hillside Drive"]}
    assert passes(rule, add_member(clean_site(), "roads", more, file="roads2.shp"))


def test_just_over_the_same_features_twice_are_found_where_many_are_allowed() -> None:
    same = clean_features()["vegetation"]
    site = add_member(clean_site(), "vegetation", same, file="copy/vegetation.shp")
    (fault,) = faults_of(rule, site)
    assert "the same 2 features stand in vegetation.shp and in copy/vegetation.shp" in fault.message
    assert fault.source.file == "copy/vegetation.shp"
    assert fault.measured.value == 2


def test_the_same_boundary_twice_is_one_finding_not_two() -> None:
    """A copy is named as a copy; that two claim the role follows from it."""
    same = clean_features()["boundary"]
    (fault,) = faults_of(rule, add_member(clean_site(), "boundary", same, file="b.shp"))
    assert "the same 1 feature stands" in fault.message


def test_copies_are_told_within_the_position_tolerance() -> None:
    """0.4 ft is inside the tolerance of 0.5 ft (a copy in another CRS), 1 ft is another line."""
    for shift_ft, twins in ((0.4, 1), (1.0, 0)):
        copy = {"geometry": [moved(g, shift_ft, 0) for g in clean_features()["roads"]["geometry"]]}
        site = add_member(clean_site(), "roads", copy, file="roads2.shp")
        assert len(faults_of(rule, site)) == twins


def test_not_applicable_without_a_dataset_that_serves_a_role() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
