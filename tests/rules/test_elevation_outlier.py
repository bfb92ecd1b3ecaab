"""CON007: 8 or 8200 among 820s."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.elevation_outlier import elevation_outlier as rule
from sitemap.rules.rule import Skip
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    passes,
    point,
    replace_features,
    run,
    set_value,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}


def typed(value: float):
    """Contour 820 (record 11) with another number."""
    return set_value(clean_site(), "contours_existing", 11, "elevation", value)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (8.0, "2 digits lost"),
        (82.0, "1 digit lost"),
        (8200.0, "a digit too many, or a lost decimal point: 820?"),
        (-9999.0, "no data"),
        (249.936, "metres: 820.0 ft"),
    ],
)
def test_found_with_what_may_have_been_meant(value: float, hint: str) -> None:
    (fault,) = faults_of(rule, typed(value))
    assert f"elevation {value:g} ft stands among 798 to 834 ft (record 11)" in fault.message
    assert hint in fault.message
    assert fault.source.feature == 11
    assert fault.measured.value == pytest.approx(value, abs=1e-3)


def test_at_the_limit_a_level_within_twenty_steps_passes() -> None:
    """834 + 40 ft is 20 steps of 2 ft."""
    assert passes(rule, typed(874.0))


def test_just_over_twenty_steps_and_the_height_of_the_map_is_found() -> None:
    (fault,) = faults_of(rule, typed(874.5))
    assert (fault.limit.value, fault.limit.operator) == (834.0, "<=")


def test_passes_zero_is_another_rules() -> None:
    assert passes(rule, typed(0.0))


def test_found_in_spot_elevations() -> None:
    spots = {
        "geometry": [point(100 * i, 100) for i in range(1, 7)],
        "elevation": [810.2, 811.0, 811.9, 812.4, 813.1, 8135.0],
    }
    (fault,) = faults_of(rule, with_layer(clean_site(), "spot_elevations", spots))
    assert fault.role == "spot_elevations"
    assert "813.5?" in fault.message


def test_passes_spot_elevations_that_stand_in_clusters() -> None:
    """Rims along a street within inches of each other, and one at the creek 15 ft below."""
    heights = [820.1, 820.2, 820.25, 820.3, 820.4, 820.45, 805.0]
    spots = {"geometry": [point(100 * i, 100) for i in range(1, 8)], "elevation": heights}
    assert passes(rule, with_layer(clean_site(), "spot_elevations", spots))


def test_passes_two_hills_on_one_map() -> None:
    """Half of the length at 900 ft is no outlier."""

    def raise_half(frame):
        frame["elevation"] = frame["elevation"] + np.where(np.arange(len(frame)) % 2, 100.0, 0.0)
        return frame

    assert passes(rule, replace_features(clean_site(), "contours_existing", raise_half))


def test_skipped_without_elevations() -> None:
    def change(frame):
        frame["elevation"] = np.nan
        return frame

    site = replace_features(without(clean_site(), "contours_proposed"), "contours_existing", change)
    (said,) = run(rule, site)
    assert isinstance(said, Skip)


def test_found_once_for_a_level_with_several_lines() -> None:
    site = typed(8200.0)
    twin = site.layers["contours_existing"].frame.geometry.iloc[11]
    site = add_feature(site, "contours_existing", twin, elevation=8200.0)
    (fault,) = faults_of(rule, site)
    assert "records 11, 19" in fault.message
