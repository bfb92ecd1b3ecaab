"""HYD007: a stream is not said to flow uphill."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.flow_direction_disagrees_with_ground import (
    flow_direction_disagrees_with_ground as rule,
)
from sitemap.rules.rule import Fault, NotApplicable, Skip
from sitemap.site import Site
from sitemap.terrain.ground import ground_of
from sitemap.terrain.surface import Surface
from sitemap.units import Length, LengthUnit
from tests.clean_site import clean_site, line, run, set_geometry, set_value, without


def surface() -> Surface:
    found = ground_of(clean_site()).existing
    assert found is not None
    return found


def faults(site: Site, tolerance_ft: float = 0.01) -> list[Fault]:
    tolerance = Length(tolerance_ft, LengthUnit.FOOT)
    said = run(rule, site, surface=surface(), level_tolerance=tolerance)
    return [s for s in said if isinstance(s, Fault)]


BACKWARDS = set_geometry(clean_site(), "streams", 0, line((600, 50), (600, 300)))


def test_passes_on_the_clean_site() -> None:
    assert faults(clean_site()) == []


def test_found_up_the_slope_with_the_rise() -> None:
    """The ground falls 4 % to the south: 250 ft north is 10 ft up."""
    (fault,) = faults(BACKWARDS)
    assert fault.message == "Tess Corners Creek is said to flow to ground that lies 10.0 ft higher"
    assert fault.measured.value == pytest.approx(10.0, abs=0.2)
    assert fault.limit.value == pytest.approx(3 * np.sqrt(2) * 0.1, abs=0.01)


def test_passes_when_the_field_says_against_the_drawing() -> None:
    assert faults(set_value(BACKWARDS, "streams", 0, "flow_direction", "reversed")) == []


def test_at_the_limit_it_passes_and_just_over_it_is_found() -> None:
    (fault,) = faults(BACKWARDS)
    assert faults(BACKWARDS, fault.measured.value + 0.01) == []
    assert len(faults(BACKWARDS, fault.measured.value - 0.01)) == 1


def test_just_over_the_error_of_the_heights() -> None:
    """0.42 ft is three standard errors of a difference; 4 % over 9 ft and over 13 ft."""
    assert faults(set_geometry(clean_site(), "streams", 0, line((600, 100), (600, 109)))) == []
    assert len(faults(set_geometry(clean_site(), "streams", 0, line((600, 100), (600, 113))))) == 1


def test_not_applicable_when_no_direction_is_said() -> None:
    site = set_value(clean_site(), "streams", 0, "flow_direction", None)
    (said,) = run(rule, site, surface=surface())
    assert isinstance(said, NotApplicable)


def test_not_applicable_off_the_known_ground() -> None:
    site = set_geometry(clean_site(), "streams", 0, line((0, 9000), (100, 9000)))
    (said,) = run(rule, site, surface=surface())
    assert isinstance(said, NotApplicable)


def test_skipped_without_streams() -> None:
    (said,) = run(rule, without(clean_site(), "streams"), surface=surface())
    assert isinstance(said, Skip)
