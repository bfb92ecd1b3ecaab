"""DST002: 2.75 acres are disturbed."""

from __future__ import annotations

import pytest

from sitemap.rules.rule import Checked, NotApplicable, Skip
from sitemap.rules.stated_disturbed_acres_disagree import stated_disturbed_acres_disagree as rule
from tests.clean_site import (
    DISTURBED_ACRES,
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
    set_value,
    with_facts,
)


def test_passes_with_the_right_acres() -> None:
    assert passes(rule, clean_site())


def test_at_the_limit_one_percent_passes() -> None:
    assert passes(rule, with_facts(clean_site(), disturbed_acres=DISTURBED_ACRES / 0.9901))


def test_just_over_one_percent_is_found() -> None:
    (fault,) = faults_of(rule, with_facts(clean_site(), disturbed_acres=DISTURBED_ACRES / 0.9899))
    assert fault.field_name == "disturbed_acres"


def test_found_the_total_of_site_toml() -> None:
    (fault,) = faults_of(rule, with_facts(clean_site(), disturbed_acres=0.9))
    assert fault.message == "the disturbed areas are 2.75 acres; site.toml states 0.90 acres"
    assert fault.measured.value == pytest.approx(DISTURBED_ACRES, rel=1e-4)


def test_found_the_acres_of_one_area() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "disturbance", 0, "acres", 3.1))
    assert fault.message == "disturbed area D-1 is 2.75 acres; its acres field says 3.10 acres"
    assert (fault.source.feature, fault.field_name) == (0, "acres")


def test_passes_ground_of_two_phases_counts_once_and_that_is_said() -> None:
    phase = rectangle(150, 200, 350, 500)
    site = add_feature(clean_site(), "disturbance", phase, id="D-2", acres=1.38)
    assert passes(rule, site)
    words = [s.words for s in run(rule, site) if isinstance(s, Checked)]
    assert "1.38 acres drawn twice counted once" in words[0]


def test_not_applicable_where_nothing_is_stated() -> None:
    site = set_value(clean_site(), "disturbance", 0, "acres", None)
    (said,) = run(rule, with_facts(site, disturbed_acres=None))
    assert isinstance(said, NotApplicable)


def test_skipped_when_the_limits_are_a_line() -> None:
    site = set_geometry(clean_site(), "disturbance", 0, line((150, 200), (550, 500)))
    (said,) = run(rule, site)
    assert isinstance(said, Skip)
