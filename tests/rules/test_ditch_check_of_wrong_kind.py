"""BMP012: no fence across a ditch."""

from __future__ import annotations

import pytest

from sitemap.rules.ditch_check_of_wrong_kind import ditch_check_of_wrong_kind as rule
from sitemap.rules.rule import NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    replace_features,
    run,
    without,
)

NO_CASE = {"skipped": "controls must be drawn: without them the engine skips"}
DITCH = line((700, 500), (700, 200))


def with_check(kind: str, *xy: tuple[float, float]) -> Site:
    site = add_feature(clean_site(), "streams", DITCH, name="Road ditch", kind="ditch")
    return add_feature(site, "controls", line(*xy), id="X-1", type=kind)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(("kind", "words"), [("SF", "silt fence"), ("SBB", "bale barrier")])
def test_found_across_a_ditch(kind: str, words: str) -> None:
    (fault,) = faults_of(rule, with_check(kind, (690, 300), (710, 300)))
    assert fault.message == f"{words} X-1 stands as a ditch check across a channel"
    assert fault.geometry.equals(point(700, 300))


def test_found_a_long_fence_that_runs_across() -> None:
    (fault,) = faults_of(rule, with_check("SF", (600, 300), (760, 300)))
    assert fault.message == "silt fence X-1 runs across a channel"


@pytest.mark.parametrize("kind", ["DC", "MPC"])
def test_passes_with_a_check_of_the_right_kind(kind: str) -> None:
    assert passes(rule, with_check(kind, (690, 300), (710, 300)))


def test_at_the_limit_an_end_at_the_ditch_passes() -> None:
    assert passes(rule, with_check("SF", (600, 300), (700.5, 300)))


def test_just_over_the_tolerance_it_crosses() -> None:
    assert len(faults_of(rule, with_check("SF", (600, 300), (700.6, 300)))) == 1


def test_found_each_place_of_a_zigzag() -> None:
    faults = faults_of(rule, with_check("SF", (690, 300), (710, 320), (690, 340)))
    assert len(faults) == 2


def test_found_where_fence_or_channel_is_drawn_in_pieces_that_meet_at_the_crossing() -> None:
    reaches = clean_site()
    for reach in (line((700, 500), (700, 300)), line((700, 300), (700, 200))):
        reaches = add_feature(reaches, "streams", reach, name="Road ditch", kind="ditch")
    whole = add_feature(reaches, "controls", line((690, 300), (710, 300)), id="X-1", type="SF")
    pieces = with_check("SF", (690, 300), (700, 300))
    pieces = add_feature(pieces, "controls", line((700, 300), (710, 300)), id="X-2", type="SF")
    for site in (whole, pieces):
        (fault,) = faults_of(rule, site)
        assert fault.geometry.equals(point(700, 300))
        assert "X-1 stands as a ditch check across" in fault.message


def test_found_across_a_diversion() -> None:
    site = add_feature(clean_site(), "controls", DITCH, id="DV-1", type="DV")
    site = add_feature(site, "controls", line((690, 300), (710, 300)), id="SF-9", type="SF")
    assert len(faults_of(rule, site)) == 1


def test_not_applicable_without_fence_or_channel() -> None:
    (said,) = run(rule, without(clean_site(), "streams"))
    assert isinstance(said, NotApplicable)

    def no_fence(frame):
        return frame[~frame["type"].isin(["SF", "SBB"])]

    (said,) = run(rule, replace_features(clean_site(), "controls", no_fence))
    assert isinstance(said, NotApplicable)
