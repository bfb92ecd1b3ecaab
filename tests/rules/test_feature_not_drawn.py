"""PLT004: round trip, every feature of the site is found on the finished plate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely.affinity import translate

from sitemap.measured_plate import MeasuredPlate, TracedLayer
from sitemap.rules.feature_not_drawn import feature_not_drawn as rule
from sitemap.rules.rule import Checked, NotApplicable, Skip
from sitemap.site import Site
from tests.clean_ground import line, point, rectangle
from tests.clean_site import clean_site, faults_of, passes, run, the_catalogue, with_layer
from tests.measured_plates import clean_plate, clean_traces, frame_of, traced

SCALE = 50.0
HUNDREDTH_FT = 0.01 * SCALE  # on paper
THINNED_FT = 0.1 / 72.0 * SCALE


def title(role: str) -> str:
    return the_catalogue()[role].title


def redrawn(role: str, *layers: TracedLayer) -> MeasuredPlate:
    """The clean plate with other marks for one role."""
    kept = tuple(t for t in clean_traces() if t.layer != title(role))
    return replace(clean_plate(), tracer=lambda _: (*kept, *layers))


def one_fence(*xy: tuple[float, float]) -> Site:
    fence = line(*(xy or ((200.0, 198.0), (500.0, 198.0))))
    return with_layer(
        clean_site(), "controls", {"geometry": [fence], "id": ["SF-1"], "type": ["SF"]}
    )


def fence_drawn(*lines: shapely.Geometry, letters: tuple[np.ndarray, ...] = ()) -> MeasuredPlate:
    drawn = replace(traced(title("controls"), list(lines)), lettering=letters)
    return redrawn("controls", drawn)


WHOLE = line((200, 198), (500, 198))


def test_passes_and_counts_what_was_looked_for() -> None:
    assert passes(rule, clean_site(), clean_plate())
    (checked,) = run(rule, clean_site(), clean_plate())
    wanted = sum(len(layer) for role, layer in clean_site().layers.items() if role != "grid")
    assert isinstance(checked, Checked)
    assert checked.count == wanted


def test_found_a_layer_without_marks() -> None:
    faults = faults_of(rule, clean_site(), redrawn("wetlands"))
    assert [f.message for f in faults] == [
        'none of the 1 features of "Wetlands" is on the plate: no layer of this name has marks'
    ]
    assert (faults[0].measured.value, faults[0].limit.value) == (0, 1)
    assert faults[0].geometry.equals(rectangle(560, 60, 700, 120))


def test_found_a_feature_that_another_stands_for() -> None:
    away = line((200, 300), (500, 300))
    (fault,) = faults_of(rule, one_fence(), fence_drawn(away))
    assert fault.message == (
        'SF-1 of "Erosion and sediment controls" is not drawn: the plate has no mark within '
        "0.01 in (0.5 ft) of it"
    )
    assert (fault.measured.value, fault.limit.value) == (0.0, 300.0)
    assert fault.geometry.equals(WHOLE)
    assert (fault.role, fault.source.user_id) == ("controls", "SF-1")


def test_found_a_line_of_which_a_part_is_missing() -> None:
    (fault,) = faults_of(rule, one_fence(), fence_drawn(line((200, 198), (400, 198))))
    assert "of its 300 ft in the map frame have no mark within 0.01 in" in fault.message
    assert fault.measured.value == pytest.approx(200, abs=1.1)  # ink reaches 0.57 ft further
    assert shapely.distance(fault.geometry, line((400, 198), (500, 198))) < 0.01


@pytest.mark.parametrize("shift", [lambda d: (0.0, d), lambda d: (0.0, -d)], ids=["north", "south"])
def test_at_the_limit_a_hundredth_of_an_inch_off_passes(
    shift: Callable[[float], tuple[float, float]],
) -> None:
    assert passes(rule, one_fence(), fence_drawn(translate(WHOLE, *shift(HUNDREDTH_FT))))


def test_just_over_a_hundredth_of_an_inch_and_the_thinning_is_found() -> None:
    near = HUNDREDTH_FT + THINNED_FT
    assert passes(rule, one_fence(), fence_drawn(translate(WHOLE, 0.0, near - 0.01)))
    assert len(faults_of(rule, one_fence(), fence_drawn(translate(WHOLE, 0.0, near + 0.01)))) == 1


def broken(gap_ft: float) -> list[shapely.Geometry]:
    return [line((200, 198), (300, 198)), line((300 + gap_ft, 198), (500, 198))]


def test_at_the_limit_a_gap_of_the_symbol_passes_and_a_wider_one_is_found() -> None:
    """0.15 in at 50 ft/in are 7.5 ft; ink within 0.57 ft of the gap's ends reaches into it."""
    assert passes(rule, one_fence(), fence_drawn(*broken(8.0)))
    assert len(faults_of(rule, one_fence(), fence_drawn(*broken(10.0)))) == 1


def test_passes_where_letters_stand_in_the_gap() -> None:
    letters = shapely.get_coordinates(rectangle(303, 194, 317, 202))
    assert passes(rule, one_fence(), fence_drawn(*broken(20.0), letters=(letters,)))
    elsewhere = shapely.get_coordinates(rectangle(403, 194, 417, 202))
    assert len(faults_of(rule, one_fence(), fence_drawn(*broken(20.0), letters=(elsewhere,)))) == 1


def test_passes_with_scallops_that_touch_the_line_every_tenth_of_an_inch() -> None:
    x = np.linspace(200, 500, 301)
    bows = np.column_stack([x, 198 + 2.0 * np.abs(np.sin((x - 200) / 5.0 * np.pi))])
    assert passes(rule, one_fence(), fence_drawn(line(*map(tuple, bows))))


def test_an_area_is_found_by_its_outline_and_its_hole() -> None:
    whole = rectangle(200, 200, 400, 300)
    ring = whole.difference(rectangle(250, 230, 350, 270))
    data = {"geometry": [ring], "id": ["D-1"], "phase": ["1"]}
    site = with_layer(clean_site(), "disturbance", data)
    assert passes(rule, site, redrawn("disturbance", traced(title("disturbance"), [whole.exterior,
                  *ring.interiors])))  # fmt: skip
    (fault,) = faults_of(
        rule, site, redrawn("disturbance", traced(title("disturbance"), [whole.exterior]))
    )
    assert "280 of its 880 ft" in fault.message


def outfall_drawn(*places: tuple[float, float]) -> MeasuredPlate:
    return redrawn("outfalls", traced(title("outfalls"), [point(x, y) for x, y in places]))


def one_outfall(x: float, y: float) -> Site:
    return with_layer(clean_site(), "outfalls", {"geometry": [point(x, y)], "id": ["OF-1"]})


def test_a_point_is_found_by_the_place_of_its_symbol() -> None:
    assert passes(rule, one_outfall(500, 150), outfall_drawn((500.4, 150.0)))
    (fault,) = faults_of(rule, one_outfall(500, 150), outfall_drawn((500.7, 150.0)))
    assert "the plate has no mark within 0.01 in (0.5 ft) of its place" in fault.message
    assert fault.geometry.equals(point(500, 150))
    assert (fault.measured.value, fault.limit.value) == (0, 1)


def test_a_point_is_not_found_by_a_stroke_that_only_passes_it() -> None:
    stroke = traced(title("outfalls"), [line((490, 150), (510, 150))])
    assert len(faults_of(rule, one_outfall(500, 150), redrawn("outfalls", stroke))) == 1


def test_features_outside_the_frame_are_told_apart() -> None:
    """The frame reaches from -150 to 950 ft."""
    (checked,) = run(rule, one_outfall(2000, 150), outfall_drawn((0.0, 0.0)))
    assert isinstance(checked, Checked)
    assert checked.words.endswith("1 more lie outside the map frame")


def test_what_one_sheet_draws_another_need_not() -> None:
    first = traced(title("controls"), [line((200, 198), (350, 198))])
    second = replace(traced(title("controls"), [line((350, 198), (500, 198))]), page=2)
    assert passes(rule, one_fence(), redrawn("controls", first, second))


def test_a_feature_that_the_frame_cuts_is_looked_for_inside_it() -> None:
    assert passes(
        rule, one_fence((200, 198), (1500, 198)), fence_drawn(line((200, 198), (950, 198)))
    )


def test_not_applicable_without_a_plate_or_on_a_plate_of_other_layers() -> None:
    assert isinstance(run(rule, clean_site())[0], NotApplicable)
    for layers in ((), ("C-EROS-SILT",)):
        (said,) = run(rule, clean_site(), replace(clean_plate(), layers=layers))
        assert isinstance(said, NotApplicable)


def test_skipped_where_the_ground_is_unknown_or_in_another_crs() -> None:
    page = clean_plate().pages[0]
    for frame in (frame_of(with_ground=False), frame_of(epsg=3071)):
        other = replace(clean_plate(), pages=(replace(page, frames=(frame,)),))
        (said,) = run(rule, clean_site(), other)
        assert isinstance(said, Skip)
        assert "see PLT001" in said.why


def test_skipped_where_the_file_cannot_be_read_again() -> None:
    (said,) = run(rule, clean_site(), replace(clean_plate(), tracer=None))
    assert isinstance(said, Skip)
