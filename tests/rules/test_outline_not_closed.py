"""GEO005: outlines drawn as lines whose ends do not meet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.rules.outline_not_closed import outline_not_closed as rule
from sitemap.rules.rule import NotApplicable
from sitemap.site import Site
from tests.clean_site import clean_site, faults_of, line, passes, run, set_geometry, with_layer

NO_CASE = {"skipped": "it looks at every layer"}


def wetland(*lines: tuple[tuple[float, float], ...]) -> Site:
    """The wetland as lines, as CAD gives it."""
    return with_layer(
        clean_site(),
        "wetlands",
        {"geometry": [line(*xy) for xy in lines], "id": [f"W-{i}" for i in range(len(lines))]},
    )


def open_by(gap: float) -> Site:
    return wetland(((560, 60), (700, 60), (700, 120), (560, 120), (560, 60 + gap)))


def test_found_with_the_gap_and_both_ends() -> None:
    (fault,) = faults_of(rule, open_by(12.0))
    assert fault.message == (
        "wetlands.shp, id W-0, record 0 (wetlands): the outline does not close, its ends are "
        "12.0 ft apart"
    )
    assert fault.measured.value == pytest.approx(12.0)
    assert len(fault.geometry.geoms) == 2
    assert fault.role == "wetlands"


def test_found_when_the_pieces_of_an_outline_leave_it_open() -> None:
    """Two pieces meet at (700, 60); the other two ends are 60 ft apart."""
    site = wetland(((560, 60), (700, 60)), ((700, 60), (700, 120), (560, 120)))
    (fault,) = faults_of(rule, site)
    assert fault.measured.value == pytest.approx(60.0)


def test_passes_pieces_that_close_together() -> None:
    site = wetland(((560, 60), (700, 60), (700, 120)), ((700, 120), (560, 120), (560, 60)))
    assert passes(rule, site)


def test_at_the_limit_ends_half_a_foot_apart_are_closed() -> None:
    """The tolerance is 0.5 international feet: 0.499999 of the survey feet of the site."""
    assert passes(rule, open_by(0.4999))


def test_just_over_is_found() -> None:
    assert len(faults_of(rule, open_by(0.51))) == 1


def test_the_boundary_is_left_to_bnd001() -> None:
    site = set_geometry(clean_site(), "boundary", 0, line((0, 0), (800, 0), (800, 600)))
    assert passes(rule, site)


def test_passes_when_areas_are_areas() -> None:
    assert passes(rule, clean_site())


def test_not_applicable_without_a_layer_of_areas() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
