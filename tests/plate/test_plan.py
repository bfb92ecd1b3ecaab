"""One sheet where it fits, else the fewest sheets; north up unless left takes fewer."""

from __future__ import annotations

import pytest
import shapely

from sitemap.errors import PlateError, UsageError
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.plan import (
    SetPlan,
    SinglePlan,
    frame_grounds,
    ground_to_show,
    parse_rotation,
    plan_sheets,
)
from tests.clean_site import clean_site, set_geometry
from tests.clean_site import rectangle as ground
from tests.plate.long_sites import l_shape, road_corridor

MUSKEGO = load_ordinance("muskego")
D = sheet_layout("ARCH D")


def test_site_that_fits_stays_on_one_sheet_with_north_up() -> None:
    assert plan_sheets(clean_site(), MUSKEGO, D, "auto") == SinglePlan(0)
    assert plan_sheets(clean_site(), MUSKEGO, D, 50.0, 90) == SinglePlan(90)


def test_site_that_fits_only_turned_is_turned() -> None:
    """1,000 by 2,400 ft with margins: 24 in of height and 26 of width at 100 ft to the inch."""
    tall = set_geometry(clean_site(), "boundary", 0, ground(0, 0, 800, 2300))
    assert plan_sheets(tall, MUSKEGO, D, "auto") == SinglePlan(90)
    up = plan_sheets(tall, MUSKEGO, D, "auto", 0)
    assert isinstance(up, SetPlan)
    assert len(up.frames) == 2


@pytest.mark.parametrize("rotation", [0, 90])
def test_frames_of_a_set_hold_the_ground_and_its_grid(rotation: int) -> None:
    plan = plan_sheets(l_shape(), MUSKEGO, D, 50.0, rotation)
    assert isinstance(plan, SetPlan)
    assert plan.rotation_deg == rotation
    shown = shapely.union_all(frame_grounds(plan.frames))
    assert shapely.difference(ground_to_show(l_shape(), 50.0), shown).area < 1.0
    assert shapely.box(*plan.grid.bounds_ft).buffer(1e-6).covers(shown)
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


@pytest.mark.parametrize(
    ("said", "turn"), [(None, None), ("auto", None), ("up", 0), ("LEFT", 90), ("90", 90), ("0", 0)]
)
def test_rotation_in_words(said: str | None, turn: int | None) -> None:
    assert parse_rotation(said) == turn


@pytest.mark.parametrize("said", ["45", "longest", "right", "-90"])
def test_other_turns_are_refused(said: str) -> None:
    with pytest.raises(UsageError, match=r"up \(0\) or left \(90\)"):
        parse_rotation(said)
