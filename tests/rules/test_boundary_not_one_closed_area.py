"""BND001: the boundary is one closed area (reading 10)."""

from __future__ import annotations

import pytest
import shapely
from shapely.geometry import LineString, Polygon

from sitemap.finding import Severity
from sitemap.rules.boundary_not_one_closed_area import boundary_not_one_closed_area as rule
from sitemap.rules.rule import Ask, Fault
from sitemap.site import Site
from tests.clean_site import (
    EAST_FT,
    NORTH_FT,
    at,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    with_layer,
)

NO_CASE = {
    "not_applicable": "every map has a boundary",
    "skipped": "the engine skips when there is no boundary with a geometry",
}


def bounded_by(*shapes) -> Site:
    return with_layer(clean_site(), "boundary", {"geometry": list(shapes)})


def test_passes_with_one_polygon() -> None:
    assert passes(rule, clean_site())


def test_passes_with_a_closed_line() -> None:
    assert passes(rule, bounded_by(line((0, 0), (800, 0), (800, 600), (0, 600), (0, 0))))


def test_touching_parcels_are_dissolved_and_that_is_said() -> None:
    said = run(rule, bounded_by(rectangle(0, 0, 400, 600), rectangle(400, 0, 800, 600)))
    (fault,) = [s for s in said if isinstance(s, Fault)]
    assert fault.severity is Severity.INFO
    assert fault.message.startswith("2 touching parts")
    assert fault.measured.value == pytest.approx(800 * 600 / 43560, rel=1e-4)


def test_at_the_limit_parcels_half_a_foot_apart_touch() -> None:
    site = bounded_by(rectangle(0, 0, 400, 600), rectangle(400.5, 0, 800, 600))
    (fault,) = faults_of(rule, site)
    assert fault.severity is Severity.INFO


def test_just_over_half_a_foot_they_are_separate_and_a_person_decides() -> None:
    said = run(rule, bounded_by(rectangle(0, 0, 400, 600), rectangle(400.6, 0, 800, 600)))
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "2 separate parts (5.51, 5.50 acres)" in ask.question
    assert not [s for s in said if isinstance(s, Fault)]


def test_found_a_line_that_does_not_close() -> None:
    (fault,) = faults_of(rule, bounded_by(line((0, 0), (800, 0), (800, 600), (0, 600), (0, 40))))
    assert fault.severity is None
    assert "its ends are 40.0 ft apart" in fault.message
    assert fault.measured.value == pytest.approx(40.0)
    assert len(fault.geometry.geoms) == 2


def test_at_the_limit_a_line_may_miss_its_own_start_by_half_a_foot() -> None:
    assert passes(rule, bounded_by(line((0, 0), (800, 0), (800, 600), (0, 600), (0, 0.4))))


def test_passes_lines_in_pieces_that_meet_within_the_tolerance() -> None:
    south = line((0, 0), (800, 0), (800, 300))
    north = line((800, 300.3), (800, 600), (0, 600), (0, 0.3))
    said = run(rule, bounded_by(south, north))
    assert not [s for s in said if isinstance(s, Fault) and s.severity is not Severity.INFO]


def test_found_an_outline_that_crosses_itself() -> None:
    bow = at(Polygon([(0, 0), (800, 600), (800, 0), (0, 600)]))
    (fault,) = faults_of(rule, bounded_by(bow))
    assert "crosses or touches itself" in fault.message
    x, y = fault.geometry.x - EAST_FT, fault.geometry.y - NORTH_FT
    assert (x, y) == pytest.approx((400.0, 300.0))


def test_found_parts_that_overlap() -> None:
    site = bounded_by(rectangle(0, 0, 420, 600), rectangle(400, 0, 800, 600))
    faults = [f for f in faults_of(rule, site) if f.severity is None]
    assert len(faults) == 1
    assert faults[0].measured.value == pytest.approx(20 * 600 / 43560, rel=1e-4)
    assert (faults[0].source.feature, faults[0].related[0].feature) == (0, 1)


def test_a_hole_needs_a_person() -> None:
    ground = rectangle(0, 0, 800, 600).difference(rectangle(100, 100, 200, 200))
    (ask,) = [s for s in run(rule, bounded_by(ground)) if isinstance(s, Ask)]
    assert "leaves out 1 area inside it (0.23 acres)" in ask.question
    assert ask.geometry.area == pytest.approx(100 * 100)


def test_found_a_line_that_encloses_nothing() -> None:
    flat = at(LineString([(0, 0), (800, 0), (0, 0)]))
    (fault,) = faults_of(rule, bounded_by(flat))
    assert "encloses no area" in fault.message


def test_passes_when_the_outline_is_drawn_in_height() -> None:
    assert passes(rule, bounded_by(shapely.force_3d(rectangle(0, 0, 800, 600), 820.0)))
