"""One sheet where it fits, else the fewest sheets; north up unless left takes fewer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely

from sitemap.errors import PlateError
from sitemap.measures.sheets import sheet_layout
from sitemap.measures.turn import unturned
from sitemap.ordinance import load_ordinance
from sitemap.plate.map_grid import grid_axes
from sitemap.plate.plan import (
    SetPlan,
    SinglePlan,
    frame_grounds,
    ground_to_show,
    plan_sheets,
)
from sitemap.site import Site
from tests.clean_site import clean_site, set_geometry
from tests.clean_site import rectangle as ground
from tests.plate.long_sites import l_shape, road_corridor

MUSKEGO = load_ordinance("muskego")
D = sheet_layout("ARCH D")


def slanted(site: Site, slant_deg: float, size_ft: tuple[float, float]) -> Site:
    """A site that is one rectangle, its long side turned from east to north."""
    strip = shapely.affinity.rotate(ground(0, 0, *size_ft), slant_deg, origin="center")
    kept = {role: site.layers[role] for role in ("boundary", "contours_existing")}
    return set_geometry(replace(site, layers=kept), "boundary", 0, strip)


def test_site_that_fits_stays_on_one_sheet_with_north_up() -> None:
    assert plan_sheets(clean_site(), MUSKEGO, D, "auto") == SinglePlan(0)
    assert plan_sheets(clean_site(), MUSKEGO, D, 50.0, 90) == SinglePlan(90)


def test_site_that_fits_only_turned_is_turned() -> None:
    """1,000 by 2,400 ft with margins: 24 in of height and 26 of width at 100 ft to the inch."""
    tall = set_geometry(clean_site(), "boundary", 0, ground(0, 0, 800, 2300))
    only = "one sheet holds the site only when it is turned"
    assert plan_sheets(tall, MUSKEGO, D, "auto") == SinglePlan(90, only)
    up = plan_sheets(tall, MUSKEGO, D, "auto", 0)
    assert isinstance(up, SetPlan)
    assert len(up.frames) == 2


@pytest.mark.parametrize("rotation", [0.0, 90.0, 30.0, -72.5, 180.0])
def test_frames_of_a_set_hold_the_ground_and_its_grid(rotation: float) -> None:
    plan = plan_sheets(l_shape(), MUSKEGO, D, 50.0, rotation)
    assert isinstance(plan, SetPlan)
    assert plan.rotation_deg == rotation
    shown = shapely.union_all(frame_grounds(plan.frames))
    assert shapely.difference(ground_to_show(l_shape(), 50.0), shown).area < 1.0
    whole = unturned(
        np.array(shapely.box(*plan.grid.bounds_ft).exterior.coords), plan.grid.turn_deg
    )
    assert shapely.Polygon(whole).buffer(1e-5).covers(shown)
    assert {frame.feet_per_inch for frame in plan.frames} == {50.0}
    for frame, tile in zip(plan.frames, plan.tiling.tiles, strict=True):
        left, bottom, right, top = tile.frame_ft
        assert shapely.Polygon(frame.corners_ft).area == pytest.approx(
            (right - left) * (top - bottom)
        )


def test_set_without_a_wish_takes_the_most_feet_that_the_law_allows() -> None:
    plan = plan_sheets(road_corridor(), MUSKEGO, D, "auto")
    assert isinstance(plan, SetPlan)
    assert plan.scale.feet_per_inch == 100.0
    assert len(plan.frames) == 3


def test_scale_beyond_the_law_is_refused_for_sets_too() -> None:
    with pytest.raises(PlateError, match="allows at most 100 ft per inch"):
        plan_sheets(road_corridor(), MUSKEGO, D, 120.0)


def test_too_many_sheets_are_refused_with_what_to_ask_for() -> None:
    with pytest.raises(PlateError, match=r"more than 60; ask for more feet per inch"):
        plan_sheets(l_shape(), MUSKEGO, sheet_layout("ANSI A"), 10.0)


def test_auto_turns_askew_only_where_that_saves_sheets_and_says_so() -> None:
    """4,900 by 1,500 ft with margins, along the sheet: two frames of 2,635 by 1,900 ft in a row."""
    askew = slanted(clean_site(), 30.0, (4800.0, 1400.0))
    up, left = (plan_sheets(askew, MUSKEGO, D, 100.0, turn) for turn in (0.0, 90.0))
    found = plan_sheets(askew, MUSKEGO, D, 100.0)
    assert isinstance(up, SetPlan)
    assert isinstance(left, SetPlan)
    assert isinstance(found, SetPlan)
    assert found.rotation_deg == -30.0
    assert len(found.frames) == 2
    assert found.why_turned == (
        f"2 map sheets, instead of {len(up.frames)} with north up or {len(left.frames)} with "
        "north left"
    )
    short = slanted(clean_site(), 45.0, (2400.0, 240.0))
    one = plan_sheets(short, MUSKEGO, D, 100.0)
    assert one == SinglePlan(-45.0, "one sheet holds the site only when it is turned")


@pytest.mark.parametrize("slant_deg", [0.0, 17.0, 45.0, 90.0, 120.0, 163.0])
def test_the_longest_side_lies_along_the_sheet(slant_deg: float) -> None:
    site = slanted(clean_site(), slant_deg, (2000.0, 240.0))
    plan = plan_sheets(site, MUSKEGO, D, 100.0, "longest")
    assert isinstance(plan, SinglePlan)
    assert -90.0 < plan.rotation_deg <= 90.0
    assert (plan.rotation_deg + slant_deg) % 180.0 == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("rotation", [0.0, 90.0, 33.0, -120.0, 180.0])
def test_a_place_has_one_cell_whatever_sheet_shows_it(rotation: float) -> None:
    """The letters run to the right and the numbers down on the paper where it is turned askew."""
    plan = plan_sheets(l_shape(), MUSKEGO, D, 50.0, rotation)
    assert isinstance(plan, SetPlan)
    for frame in plan.frames:
        across, up = grid_axes(frame, plan.grid)
        left, bottom, right, top = frame.box_in
        x, y = np.meshgrid(
            np.linspace(left + 0.317, right - 0.271, 7), np.linspace(bottom, top, 5)[1:]
        )
        paper = np.column_stack([x.ravel(), y.ravel() - 0.2])
        ground = frame.to_ground(paper)
        named = plan.grid.cells_of(ground[:, 0], ground[:, 1])
        for (px, py), cell in zip(paper, named, strict=True):
            column = across.labels[int(np.searchsorted(across.at_in, px)) - 1]
            row = up.labels[int(np.searchsorted(up.at_in, py)) - 1]
            assert cell in (column + row, row + column)
        if rotation in (33.0, -120.0):
            assert across.labels == plan.grid.column_labels
            assert up.labels == plan.grid.row_labels[::-1]
