"""BND002: 11.02 acres are drawn."""

from __future__ import annotations

import pytest

from sitemap.rules.rule import NotApplicable, Skip
from sitemap.rules.stated_acres_disagree import stated_acres_disagree as rule
from tests.clean_site import (
    SITE_ACRES,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    with_facts,
    with_layer,
)


def stated(acres: float | None):
    return with_facts(clean_site(), site_acres=acres)


def test_passes_with_the_right_acres() -> None:
    assert passes(rule, clean_site())


def test_at_the_limit_one_percent_of_the_stated_acres_passes() -> None:
    assert passes(rule, stated(SITE_ACRES / 0.9901))
    assert passes(rule, stated(SITE_ACRES / 1.0099))


def test_just_over_one_percent_is_found() -> None:
    assert len(faults_of(rule, stated(SITE_ACRES / 0.9899))) == 1
    assert len(faults_of(rule, stated(SITE_ACRES / 1.0101))) == 1


def test_at_the_limit_a_small_site_may_differ_by_a_hundredth_of_an_acre() -> None:
    """One percent of 0.23 acres is less than 0.01 acre; the larger counts."""
    lot = with_layer(clean_site(), "boundary", {"geometry": [rectangle(0, 0, 100, 100)]})
    assert passes(rule, with_facts(lot, site_acres=0.239))
    assert len(faults_of(rule, with_facts(lot, site_acres=0.24))) == 1


def test_found_with_both_numbers() -> None:
    (fault,) = faults_of(rule, stated(12.5))
    assert fault.message == "the boundary encloses 11.02 acres; site.toml states 12.50 acres"
    assert fault.measured.value == pytest.approx(SITE_ACRES, rel=1e-4)
    assert (fault.limit.value, fault.limit.operator) == (12.5, "==")
    assert fault.field_name == "site_acres"


def test_passes_ground_that_two_parcels_cover_counts_once() -> None:
    parcels = [rectangle(0, 0, 500, 600), rectangle(300, 0, 800, 600)]
    assert passes(rule, with_layer(clean_site(), "boundary", {"geometry": parcels}))


def test_not_applicable_where_no_acres_are_stated() -> None:
    (said,) = run(rule, stated(None))
    assert isinstance(said, NotApplicable)


def test_skipped_where_the_boundary_encloses_nothing() -> None:
    site = with_layer(clean_site(), "boundary", {"geometry": [line((0, 0), (800, 0))]})
    (said,) = run(rule, site)
    assert isinstance(said, Skip)
