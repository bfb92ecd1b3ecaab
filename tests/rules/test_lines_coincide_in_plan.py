"""CON010: an interval that somebody measured."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity
from sitemap.rules.lines_coincide_in_plan import lines_coincide_in_plan as rule
from sitemap.rules.rule import Skip
from sitemap.site import Site
from tests.clean_site import (
    MAP,
    add_feature,
    clean_site,
    contour_features,
    contours,
    faults_of,
    ground_ft,
    line,
    passes,
    replace_features,
    run,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}
BARE = without(clean_site(), "contours_proposed")


def walled(offset: float, length: float = 200.0) -> Site:
    """Two contours that run side by side for a stretch, as at a wall."""
    first = line((-100, 900), (0, 900), (length, 900), (length + 60, 960))
    second = line((-100, 1000), (0, 900 + offset), (length, 900 + offset), (length + 60, 1100))
    site = add_feature(BARE, "contours_existing", first, elevation=840.0)
    return add_feature(site, "contours_existing", second, elevation=842.0)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_a_wall_with_its_stretch() -> None:
    (fault,) = faults_of(rule, walled(0.0))
    assert fault.message.startswith("contours existing 840 and 842 ft lie on each other over 20")
    assert fault.severity is Severity.WARNING
    assert fault.geometry.length == pytest.approx(200, abs=2)
    assert len(fault.related) == 1


def test_at_the_limit_lines_half_a_foot_apart_are_two() -> None:
    assert passes(rule, walled(0.51))


def test_just_over_the_limit_lines_closer_than_half_a_foot_coincide() -> None:
    assert len(faults_of(rule, walled(0.45))) == 1


def test_passes_a_stretch_of_less_than_five_feet() -> None:
    assert passes(rule, walled(0.0, 3.0))


def test_passes_where_lines_cross() -> None:
    """That is CON004's."""
    site = add_feature(BARE, "contours_existing", line((0, 0), (300, 600)), elevation=840.0)
    assert passes(rule, site)


def test_found_as_one_error_where_the_interval_is_made_up() -> None:
    """A map of 10 ft whose lines were copied to the 5 ft between."""
    real = contours(ground_ft, MAP, 10.0)
    copied = [*real, *((shape, level + 5.0) for shape, level in real)]
    (fault,) = faults_of(rule, with_layer(BARE, "contours_existing", contour_features(copied)))
    assert fault.message == (
        "50 % of the contours existing lie on lines of another level: their interval is not real"
    )
    assert fault.severity is None, "the clause decides: an error"
    assert (fault.measured.value, fault.limit.value) == (50.0, 10.0)


def test_passes_a_line_drawn_twice_at_one_level() -> None:
    """That is GEO003's."""
    frame = BARE.layers["contours_existing"].frame
    site = add_feature(
        BARE, "contours_existing", frame.geometry.iloc[3], elevation=frame["elevation"].iloc[3]
    )
    assert passes(rule, site)


def test_skipped_without_elevations() -> None:
    def bare(frame):
        frame["elevation"] = float("nan")
        return frame

    (said,) = run(rule, replace_features(BARE, "contours_existing", bare))
    assert isinstance(said, Skip)
