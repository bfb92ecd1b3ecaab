"""CON006: contours and elevation layer show one ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from affine import Affine

from sitemap.rules.contours_disagree_with_surface import contours_disagree_with_surface as rule
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Skip
from sitemap.terrain.ground import Ground
from sitemap.terrain.surface import Surface
from tests.clean_ground import EAST_FT, NORTH_FT, ground_ft
from tests.clean_site import clean_site, replace_features, run
from tests.terrain.grounds import of_cells


def elevation(change=lambda x, y: 0.0, cell_ft: float = 5.0) -> Surface:
    """The clean ground as an elevation layer, changed by feet."""
    count = round(1400.0 / cell_ft)
    centre = (np.arange(count) + 0.5) * cell_ft - 300.0
    x, y = np.meshgrid(centre, centre[::-1])
    made = of_cells(ground_ft(x, y) + change(x, y), cell_ft)
    return placed(replace(made, source="elevation raster dem.tif"), EAST_FT - 300.0)


def placed(made: Surface, west_ft: float) -> Surface:
    rows, cell = made.z_ft.shape[0], made.cell_ft
    grid = Affine(cell, 0.0, west_ft, 0.0, -cell, NORTH_FT - 300.0 + rows * cell)
    return replace(made, transform=grid)


@dataclass(frozen=True, eq=False)
class Measured(Ground):
    """Ground with an elevation layer."""

    surface_ft: Surface

    is_of_contours = False

    @property
    def existing(self) -> Surface:
        return self.surface_ft


def said(surface: Surface, site=None):
    site = site or clean_site()
    return run(rule, site, ground=Measured(site, surface))


def test_passes_where_both_show_one_ground() -> None:
    (checked,) = said(elevation())
    assert isinstance(checked, Checked)
    assert "0.0 % off by more than 1 ft" in checked.words


def test_at_the_limit_of_half_an_interval_it_passes() -> None:
    """Off by 0.95 ft everywhere is as good as contours of 2 ft promise."""
    (checked,) = said(elevation(lambda x, y: 0.95))
    assert isinstance(checked, Checked)


def test_just_over_half_an_interval_everywhere_is_found_as_a_datum() -> None:
    _, fault = said(elevation(lambda x, y: 1.1))
    assert isinstance(fault, Fault)
    assert fault.measured.value == pytest.approx(100.0, abs=0.1)
    assert "alike everywhere: another datum" in fault.message
    assert "1.10 ft above them" in fault.message
    assert fault.limit.value == 10.0


def test_at_the_limit_a_tenth_of_the_length_may_lie_off() -> None:
    """Contours run east and west: what lies west of a line is as much of each."""
    (checked,) = said(elevation(lambda x, y: np.where(x < -100.0 + 90.0, 3.0, 0.0)))
    assert isinstance(checked, Checked)
    share = float(checked.words.split("raster dem.tif: ")[1].split(" %")[0])
    assert 8.0 < share <= 10.0


def test_just_over_a_tenth_is_found_with_the_stretches() -> None:
    _, fault = said(elevation(lambda x, y: np.where(x < -100.0 + 125.0, -3.0, 0.0)))
    assert isinstance(fault, Fault)
    assert 10.0 < fault.measured.value < 14.0
    xmin, _, xmax, _ = fault.geometry.bounds
    assert xmin == pytest.approx(EAST_FT - 100.0, abs=1.0)
    assert xmax == pytest.approx(EAST_FT + 25.0, abs=12.0)
    assert "datum" not in fault.message


def test_found_where_the_elevation_is_in_metres() -> None:
    _, fault = said(replace(elevation(), z_ft=elevation().z_ft * 0.3048))
    assert isinstance(fault, Fault)
    assert fault.measured.value == 100.0


def test_passes_over_voids_and_says_how_much_lies_there() -> None:
    z = elevation().z_ft.copy()
    z[:, :140] = np.nan
    (checked,) = said(replace(elevation(), z_ft=z))
    assert "more lie over voids or beside it" in checked.words


def test_coarse_cells_need_a_person() -> None:
    """Contours 50 ft apart cannot be judged by cells of 280 ft."""
    _, ask = said(elevation(lambda x, y: 3.0, cell_ft=280.0))
    assert isinstance(ask, Ask)
    assert "cells of 280 ft are too coarse to decide" in ask.question


def test_not_applicable_to_ground_that_is_known_from_the_contours() -> None:
    site = clean_site()
    ground = Ground(site)
    (only,) = run(rule, site, ground=ground)
    assert isinstance(only, NotApplicable)
    assert "_existing" not in vars(ground)  # nothing was triangulated to say so
    assert ground.existing.of_contours


def test_skipped_where_contours_alone_show_no_ground() -> None:
    def change(frame):
        frame["elevation"] = 820.0
        return frame

    site = replace_features(clean_site(), "contours_existing", change)
    (only,) = run(rule, site)
    assert isinstance(only, Skip)
    assert "fewer than two levels" in only.why


def test_not_applicable_where_the_elevation_lies_elsewhere() -> None:
    (only,) = said(placed(elevation(), 0.0))
    assert isinstance(only, NotApplicable)


def test_skipped_without_two_levels() -> None:
    def change(frame):
        frame["elevation"] = 820.0
        return frame

    (only,) = said(elevation(), replace_features(clean_site(), "contours_existing", change))
    assert isinstance(only, Skip)
