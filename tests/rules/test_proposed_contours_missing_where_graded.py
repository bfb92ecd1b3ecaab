"""CON008: where ground is graded, its new shape is drawn."""

from __future__ import annotations

import pytest

from sitemap.rules.proposed_contours_missing_where_graded import (
    proposed_contours_missing_where_graded as rule,
)
from sitemap.rules.rule import Ask, Checked, Skip
from sitemap.site import Site
from tests.clean_site import (
    GRADED,
    clean_site,
    faults_of,
    passes,
    rectangle,
    run,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "without a disturbed area the engine says so"}


def with_second(activity: str | None, bottom: float = 300.0, top: float = 450.0) -> Site:
    """A second disturbed area east of the graded one, without a proposed contour."""
    features = {
        "geometry": [rectangle(*GRADED), rectangle(600, bottom, 700, top)],
        "id": ["D-1", "D-2"],
        "activity": ["mass grading", activity],
    }
    return with_layer(clean_site(), "disturbance", features)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize("activity", ["rough grading", "Cut and fill", "street", "sediment basin"])
def test_found_where_graded_ground_has_none(activity: str) -> None:
    (fault,) = faults_of(rule, with_second(activity))
    assert fault.message.startswith(f"D-2 ({activity}) is graded over existing ground with 6.")
    assert fault.limit.value == 2.0
    assert fault.role == "contours_proposed"
    assert fault.source.user_id == "D-2"


def test_found_where_no_proposed_contours_are_drawn_at_all() -> None:
    (fault,) = faults_of(rule, without(clean_site(), "contours_proposed"))
    assert fault.source.user_id == "D-1"


@pytest.mark.parametrize("activity", ["clearing and grubbing", "staging", "utility trench"])
def test_passes_where_the_ground_keeps_its_shape(activity: str) -> None:
    assert passes(rule, with_second(activity))


def test_a_person_says_what_the_activity_does_not() -> None:
    said = run(rule, with_second(None))
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert ask.question.startswith("does D-2 keep the shape of its ground? Its relief is 6.")


def test_at_the_limit_no_more_relief_than_an_interval_passes() -> None:
    """25 ft of 4 % ground, and 0.9 ft across: under 2 ft."""
    site = with_second("grading", 300.0, 325.0)
    assert passes(rule, site)
    (checked,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert checked.words.endswith("1 with no more relief than the interval")


def test_just_over_one_interval_is_found() -> None:
    (fault,) = faults_of(rule, with_second("grading", 300.0, 345.0))
    assert 2.0 < fault.measured.value < 3.2


def test_skipped_where_the_ground_is_not_known() -> None:
    """Nobody has looked: that is no reason for the rule not to apply."""
    features = {"geometry": [rectangle(5000, 300, 5100, 400)], "id": ["D-1"]}
    site = with_layer(clean_site(), "disturbance", features)
    (said,) = run(rule, site)
    assert isinstance(said, Skip)


def test_skipped_without_a_surface() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing"))
    assert isinstance(said, Skip)
