"""CON004: one place, two heights."""

from __future__ import annotations

import numpy as np

from sitemap.rules.contours_cross import contours_cross as rule
from sitemap.rules.rule import Skip
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

NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}
BARE = replace_features(
    without(clean_site(), "contours_proposed"), "contours_existing", lambda f: f.iloc[:0]
)


def lines(*pairs):
    site = BARE
    for geometry, level in pairs:
        site = add_feature(site, "contours_existing", geometry, elevation=level)
    return site


EAST = line((0, 100), (400, 100))


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_point() -> None:
    (fault,) = faults_of(rule, lines((EAST, 820.0), (line((200, 0), (200, 200)), 822.0)))
    assert fault.message == "contours existing 820 and 822 ft cross once"
    assert fault.geometry.equals(point(200, 100))
    assert (fault.source.feature, fault.related[0].feature) == (0, 1)


def test_found_once_for_a_pair_with_all_its_points() -> None:
    zigzag = line((50, 50), (100, 150), (150, 50), (200, 150))
    (fault,) = faults_of(rule, lines((EAST, 820.0), (zigzag, 822.0)))
    assert fault.measured.value == 3
    assert len(fault.geometry.geoms) == 3


def test_at_the_limit_lines_that_touch_at_an_end_pass() -> None:
    assert passes(rule, lines((EAST, 820.0), (line((200, 100), (200, 200)), 822.0)))


def test_just_over_the_line_is_a_crossing() -> None:
    (fault,) = faults_of(rule, lines((EAST, 820.0), (line((200, 99.9), (200, 200)), 822.0)))
    assert fault.measured.value == 1


def test_passes_for_one_level_that_meets_itself() -> None:
    assert passes(rule, lines((EAST, 820.0), (line((200, 0), (200, 200)), 820.0)))


def test_passes_for_lines_that_coincide() -> None:
    """A wall: another rule's matter."""
    assert passes(rule, lines((EAST, 820.0), (line((100, 100), (300, 100)), 822.0)))


def test_passes_for_existing_under_proposed() -> None:
    site = add_feature(
        clean_site(), "contours_proposed", line((300, 0), (300, 600)), elevation=900.0
    )
    faults = faults_of(rule, site)
    assert {f.role for f in faults} == {"contours_proposed"}


def test_found_across_the_joints_of_long_lines() -> None:
    """Lines of many vertices are searched in pieces; a crossing at a joint counts once."""
    x = np.arange(0.0, 401.0, 5.0)
    long = line(*zip(x, np.full_like(x, 100.0), strict=True))
    (fault,) = faults_of(rule, lines((long, 820.0), (line((80, 0), (80, 200)), 822.0)))
    assert fault.measured.value == 1


def test_skipped_without_elevations() -> None:
    (said,) = run(rule, lines((EAST, None)))
    assert isinstance(said, Skip)
