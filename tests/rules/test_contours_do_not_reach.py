"""CON005: contours over the whole site and beyond."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from affine import Affine

from sitemap.rules.contours_do_not_reach import contours_do_not_reach as rule
from sitemap.rules.rule import Ask, Skip
from sitemap.site import Site
from sitemap.terrain.surface import Surface
from tests.clean_site import (
    CRS,
    EAST_FT,
    NORTH_FT,
    clean_site,
    contour_features,
    contours,
    faults_of,
    ground_ft,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    set_geometry,
    with_layer,
)

module = sys.modules["sitemap.rules.contours_do_not_reach"]  # the package has the rule itself
NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}


def cut_at(east: float) -> Site:
    """Contours that end at an easting; the site ends at 800 ft, and 50 ft more are asked for."""
    lines = contours(ground_ft, (-100.0, -100.0, east, 700.0))
    return with_layer(clean_site(), "contours_existing", contour_features(lines))


def surface(z) -> Surface:
    """Heights on cells of 10 ft around the clean site."""
    x = np.arange(-200.0, 1000.0, 10.0) + 5.0
    y = np.arange(900.0, -300.0, -10.0) - 5.0
    place = Affine(10.0, 0.0, EAST_FT - 200.0, 0.0, -10.0, NORTH_FT + 900.0)
    return Surface(z(*np.meshgrid(x, y)), place, CRS, "made up", "ft", "stated", None, 0.5, "")


def test_passes_over_site_and_fifty_feet_round_it() -> None:
    assert passes(rule, clean_site())


def test_found_where_half_the_site_is_bare() -> None:
    """4 % and 2 ft: the lines are 50 ft apart; 150 ft beyond them the ground is bare."""
    (fault,) = faults_of(rule, cut_at(600.0))
    assert "reach 2" in fault.message
    assert fault.limit.value == pytest.approx(150, abs=15)
    assert fault.geometry.bounds[0] == pytest.approx(EAST_FT + 600.0, abs=1)
    assert fault.geometry.bounds[2] == pytest.approx(EAST_FT + 850.0, abs=1)


def test_at_the_limit_one_spacing_beyond_passes() -> None:
    assert passes(rule, cut_at(800.0))


def test_just_over_that_a_person_looks() -> None:
    (ask,) = [s for s in run(rule, cut_at(740.0)) if isinstance(s, Ask)]
    assert "so flat that no contour runs there?" in ask.question


def test_found_by_relief_where_the_elevation_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "elevation_layer", lambda site: surface(ground_ft), raising=True)
    (fault,) = faults_of(rule, cut_at(740.0))
    assert "more than the interval of 2 ft" in fault.message
    assert fault.limit.value == 2.0


def test_at_the_limit_flat_ground_needs_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def flat(x, y):
        return 820.0 + 0.0 * x + np.where(y > 300, 2.0, 0.0)

    monkeypatch.setattr(module, "elevation_layer", lambda site: surface(flat))
    assert passes(rule, cut_at(600.0))


def test_just_over_the_interval_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps(x, y):
        return 820.0 + 0.0 * x + np.where(y > 300, 2.1, 0.0)

    monkeypatch.setattr(module, "elevation_layer", lambda site: surface(steps))
    assert len(faults_of(rule, cut_at(600.0))) == 1


def test_a_person_looks_where_the_elevation_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def half(x, y):
        return np.where(x < 600, ground_ft(x, y), np.nan)

    monkeypatch.setattr(module, "elevation_layer", lambda site: surface(half))
    assert [s for s in run(rule, cut_at(600.0)) if isinstance(s, Ask)]


def test_skipped_without_elevations_or_a_boundary_of_some_area() -> None:
    def bare(frame):
        frame["elevation"] = float("nan")
        return frame

    (said,) = run(rule, replace_features(clean_site(), "contours_existing", bare))
    assert isinstance(said, Skip)
    (said,) = run(rule, set_geometry(clean_site(), "boundary", 0, line((0, 0), (800, 600))))
    assert isinstance(said, Skip)
    assert passes(rule, set_geometry(clean_site(), "boundary", 0, rectangle(0, 0, 800, 600)))
