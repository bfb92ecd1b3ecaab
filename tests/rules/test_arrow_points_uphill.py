"""SLP003: arrows point down the ground after grading."""

from __future__ import annotations

import pytest

from sitemap.rules.arrow_points_uphill import arrow_points_uphill as rule
from sitemap.rules.rule import Ask, Checked, Fault, Skip
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    passes,
    point,
    run,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "without arrows the engine skips, or they are declared none"}


def with_arrows(*lines) -> Site:
    features = {"geometry": list(lines), "id": [f"FA-{i + 1}" for i in range(len(lines))]}
    return with_layer(clean_site(), "flow_arrows", features)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())
    (checked,) = run(rule, clean_site())
    assert checked.words == "heights at both ends of 2 of 2 arrows, proposed ground"


def test_found_where_an_arrow_is_turned() -> None:
    """4 % ground: 100 ft to the north is 4 ft up."""
    (fault,) = faults_of(rule, with_arrows(line((700, 300), (700, 400))))
    assert fault.message.startswith("arrow FA-1 rises 4.0 ft from its tail to its head")
    assert fault.measured.value == pytest.approx(4.0, abs=0.2)
    assert fault.source.user_id == "FA-1"


def test_passes_when_only_the_middle_rises() -> None:
    assert passes(rule, with_arrows(line((700, 400), (700, 450), (700, 300))))


def test_at_the_limit_within_the_error_a_person_decides() -> None:
    """Proposed contours of 2 ft are good to 0.6 ft: a rise of 1.6 ft is under twice 0.85 ft."""
    said = run(rule, with_arrows(line((700, 300), (700, 340))))
    assert not [s for s in said if isinstance(s, Fault)]
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "FA-1 (1.6 ft)" in ask.question
    assert ask.clause == "c"


def test_just_over_the_error_is_found() -> None:
    assert faults_of(rule, with_arrows(line((700, 300), (700, 345))))


def test_found_on_the_ground_after_grading_not_before() -> None:
    """Down the existing slope, up the mound that is graded: tail outside, head on the mound."""
    arrow = line((350, 385), (350, 360))
    assert passes(rule, with_arrows(arrow))
    bare = without(with_arrows(line((140, 350), (330, 350))), "contours_proposed")
    assert passes(rule, bare), "existing ground falls to the east"
    (fault,) = faults_of(rule, with_arrows(line((140, 350), (330, 350))))
    assert "proposed ground" in fault.message


def test_passes_beside_the_known_ground_and_counts_what_was_judged() -> None:
    site = with_arrows(line((700, 400), (700, 300)), line((5000, 300), (5000, 400)))
    (checked,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert "1 of 2 arrows" in checked.words
    assert passes(rule, site)


def test_skipped_without_any_ground() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)


def test_skipped_where_arrows_are_points() -> None:
    features = {"geometry": [point(300, 300)], "id": ["FA-1"]}
    (said,) = run(rule, with_layer(clean_site(), "flow_arrows", features))
    assert isinstance(said, Skip)
