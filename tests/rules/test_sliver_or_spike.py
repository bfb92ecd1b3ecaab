"""GEO004: slivers by inradius, spikes by angle and opening."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import MultiPolygon, Polygon

from sitemap.finding import Severity
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.rules.sliver_or_spike import sliver_or_spike as rule
from tests.clean_site import at, clean_site, faults_of, line, passes, rectangle, run, set_geometry

NO_CASE = {"skipped": "it looks at every layer"}


def disturbed(shape: Polygon) -> list[Fault]:
    return faults_of(rule, set_geometry(clean_site(), "disturbance", 0, shape))


def test_passes_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_a_sliver() -> None:
    """0.3 x 200 ft: 60 sq ft; twice the area over the perimeter is 120 / 400.6 = 0.30 ft."""
    (fault,) = disturbed(rectangle(150, 200, 350, 200.3))
    assert fault.message == (
        "disturbance.shp, id D-1, record 0: is a sliver, 0.30 ft wide on average, 60.0 sq ft"
    )
    assert fault.severity is Severity.WARNING
    assert fault.limit.value == pytest.approx(0.5, abs=1e-5)
    assert fault.measured.value == pytest.approx(0.3, abs=0.001)


def test_found_only_the_part_that_is_one() -> None:
    whole, thin = rectangle(150, 200, 550, 500), rectangle(600, 200, 600.1, 300)
    (fault,) = disturbed(MultiPolygon([whole, thin]))
    assert "has 1 slivers among its 2 parts" in fault.message
    assert fault.geometry.equals(thin)


def test_at_the_limit_a_strip_of_half_a_foot_passes() -> None:
    """The sliver width is in international feet, the site in survey feet: 2 ppm less."""
    assert disturbed(rectangle(150, 200, 350, 200.5)) == []


def test_just_over_a_strip_of_0_49_ft_is_found() -> None:
    assert len(disturbed(rectangle(150, 200, 350, 200.49))) == 1


def test_passes_a_crumb_of_rounding() -> None:
    """0.4 x 0.5 ft is less than the square of the width."""
    assert disturbed(MultiPolygon([rectangle(150, 200, 550, 500), rectangle(0, 0, 0.4, 0.5)])) == []


def test_found_a_spike_with_its_tip() -> None:
    """A vertex drawn 40 ft out and 0.2 ft aside: an angle of 0.29 degrees."""
    shape = at(Polygon([(150, 200), (550, 200), (550, 350), (590, 350.1), (550, 350.2), (550, 500),
                        (150, 500)]))  # fmt: skip
    (fault,) = disturbed(shape)
    assert "a spike of 40.0 ft, its tip at x 2,470,090.00, y 335,750.10" in fault.message
    assert fault.geometry.coords[0] == (2_470_090.0, 335_750.1)
    assert fault.how_to_fix == "delete the vertex at the tip"


def test_found_a_line_that_doubles_back() -> None:
    site = set_geometry(
        clean_site(), "roads", 0, line((0, 640), (300, 640), (250, 640.1), (800, 640))
    )
    (fault,) = faults_of(rule, site)
    assert "2 spikes, the longest of 50.0 ft" in fault.message


def test_passes_a_long_wedge_that_is_meant() -> None:
    """A wedge of 3 degrees, 200 ft long, is 10 ft wide at its end: narrow, and no slip."""
    assert disturbed(at(Polygon([(150, 200), (350, 195), (350, 205)]))) == []


def test_not_applicable_without_lines_and_areas() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
