"""How much ground drains to one place of a line: by formula, whatever the cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from affine import Affine
from shapely.geometry import LineString, box

from sitemap.terrain.contributing_area import ContributingArea, contributing_areas
from sitemap.terrain.surface import Surface
from tests.terrain.grounds import Height, of_cells

SITE = box(200.0, 100.0, 800.0, 400.0)
ACROSS = LineString([(400.0, 200.0), (600.0, 200.0)])
DOWN = LineString([(300.0, 390.0), (300.0, 110.0)])


def hollow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Falls 3 % to the south, and 5 % to its middle at x = 500."""
    return np.asarray(100.0 + 0.03 * y + 0.05 * np.abs(x - 500.0))


def slope(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A plane that falls 3 % to the south."""
    return np.asarray(100.0 + 0.03 * y + 0.0 * x)


def surface(height: Height, cell_ft: float = 5.0) -> Surface:
    centre = (np.arange(round(1000.0 / cell_ft)) + 0.5) * cell_ft
    x, y = np.meshgrid(centre, centre[::-1])
    return of_cells(height(x, y), cell_ft)


def at(ground: Surface, line: object, *taken: object) -> ContributingArea:
    found = contributing_areas(ground, SITE, [line], list(taken))
    assert found is not None
    (area,) = found.at([line])
    assert area is not None
    return area


@pytest.mark.parametrize("cell_ft", [2.0, 4.0, 5.0, 10.0])
def test_a_hollow_brings_all_its_ground_whatever_the_cells(cell_ft: float) -> None:
    """Water runs 3 ft south for 5 ft towards the middle; of 1,000 by 800 ft above the line the rest
    passes beside its middle 20 ft. 600 by 200 ft of it lie on the site."""
    whole = 2 * (500 * 800 - 0.6 * (500**2 / 2 - 10 * 500))
    on_site = 2 * (300 * 200 - 0.6 * (300**2 / 2 - 10 * 300))
    found = at(surface(hollow, cell_ft), ACROSS)
    assert found.sqft == pytest.approx(whole, rel=0.06)
    assert found.run_on_sqft == pytest.approx(whole - on_site, rel=0.06)
    assert shapely.Point(found.xy).distance(shapely.Point(500.0, 200.0)) < 2.0 * cell_ft


@pytest.mark.parametrize("cell_ft", [2.0, 5.0, 10.0])
def test_a_sheet_brings_no_more_than_its_strip(cell_ft: float) -> None:
    """20 ft of a slope of 800 ft, and what partly covered cells add at both ends of the place."""
    found = at(surface(slope, cell_ft), ACROSS)
    assert 20.0 * 800.0 * 0.9 < found.sqft < (20.0 + cell_ft) * 800.0
    assert found.place_ft == 20.0


def test_a_line_down_the_slope_takes_no_sheet_twice() -> None:
    """Water that runs along it has met it at its upper end."""
    found = at(surface(slope), DOWN)
    assert found.sqft < 0.25 * 20.0 * 600.0 + 5.0 * 2.0 * 600.0


def test_what_a_basin_off_the_site_takes_does_not_come() -> None:
    ground = surface(hollow)
    basin = box(400.0, 500.0, 600.0, 520.0)
    assert at(ground, ACROSS, basin).sqft < 0.6 * at(ground, ACROSS).sqft


def test_a_line_off_the_site_is_looked_at_too() -> None:
    off = LineString([(400.0, 600.0), (600.0, 600.0)])
    found = at(surface(hollow), off)
    assert found.sqft == pytest.approx(2 * (500 * 400 - 0.6 * (500**2 / 2 - 10 * 500)), rel=0.06)


def test_a_divide_above_the_line_closes_its_ground() -> None:
    """A ridge across at y = 600: nothing that is not seen can come, unlike from the open slope."""
    ridge = surface(lambda x, y: np.asarray(100.0 - 0.03 * np.abs(y - 600.0) + 0.0 * x))
    assert not at(ridge, LineString([(450.0, 200.0), (550.0, 200.0)])).is_open
    assert at(surface(slope), ACROSS).is_open


def test_a_line_off_the_known_ground_brings_nothing() -> None:
    ground = surface(slope)
    moved = replace(ground, transform=Affine(5.0, 0.0, 9000.0, 0.0, -5.0, 1000.0))
    assert contributing_areas(moved, SITE, [ACROSS], []) is None


def graded(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The hollow with a 2 ft platform in the middle of the site."""
    on_site = (np.abs(x - 500.0) < 40.0) & (np.abs(y - 300.0) < 40.0)
    return np.asarray(hollow(x, y) + 2.0 * on_site)


def raised_off_the_site(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The hollow, dammed 300 ft above the site."""
    return np.asarray(hollow(x, y) + 20.0 * ((y > 690.0) & (y < 710.0)))


@pytest.mark.parametrize("height", [graded, raised_off_the_site])
def test_what_comes_in_after_grading_is_what_the_ground_after_it_brings(height: Height) -> None:
    """Followed once where only the site was graded, and anew where the ground around was."""
    before, after = surface(hollow), surface(height)
    by_itself, beside = (contributing_areas(after, SITE, [ACROSS], [], of) for of in (None, before))
    assert by_itself is not None
    assert beside is not None
    assert by_itself.at([ACROSS]) == beside.at([ACROSS])
    if height is raised_off_the_site:
        (was,), (now,) = (
            contributing_areas(before, SITE, [ACROSS], []).at([ACROSS]),
            beside.at([ACROSS]),
        )
        assert now.run_on_sqft < 0.7 * was.run_on_sqft, "the dam holds its water back"
