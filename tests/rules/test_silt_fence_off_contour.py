"""BMP005: fence along the contour, and no more slope above it than it can hold."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.rule import Ask, Checked, NotApplicable, Skip
from sitemap.rules.silt_fence_off_contour import silt_fence_off_contour as rule
from sitemap.site import Site
from tests.clean_site import (
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    with_layer,
    without,
)


def plane(percent: float) -> dict:
    """Contours of ground that falls to the south everywhere alike."""
    return contour_features(contours(lambda x, y: 700.3 + percent / 100.0 * (y + 100), MAP, 2.0))


def fenced(*fences, percent: float = 4.0, others=()) -> Site:
    """Only these fences, and other (geometry, type) controls, on a plane."""
    site = without(clean_site(), "controls", "activities")
    site = with_layer(site, "contours_existing", plane(percent))
    shapes = [*fences, *(shape for shape, _ in others)]
    kinds = [*("SF" for _ in fences), *(kind for _, kind in others)]
    ids = [f"{kind}-{i}" for i, kind in enumerate(kinds, start=1)]
    return with_layer(site, "controls", {"geometry": shapes, "type": kinds, "id": ids})


def across(y: float, x0: float = 100.0, x1: float = 500.0):
    return line((x0, y), (x1, y))


def turned(degrees: float, length_ft: float = 400.0, at=(100.0, 100.0)):
    """A fence at an angle to the contours."""
    angle = np.radians(degrees)
    end = (at[0] + length_ft * np.cos(angle), at[1] + length_ft * np.sin(angle))
    return line(at, end)


def stops(y: float):
    """A slope interruption over the whole width."""
    return ((across(y, -50, 850), "MPC"),)


def angles(site: Site) -> list:
    return [f for f in faults_of(rule, site) if f.distinct.startswith("angle")]


def lengths(site: Site) -> list:
    return [f for f in faults_of(rule, site) if f.distinct == "slope above"]


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())
    (checked,) = [s for s in run(rule, clean_site()) if isinstance(s, Checked)]
    assert checked.words.startswith("1 silt fence, ")


def test_passes_along_the_contour() -> None:
    assert passes(rule, fenced(across(100), others=stops(160)))


def test_found_down_the_slope_with_angle_fall_and_line() -> None:
    fence = turned(90.0, 200.0)
    (fault,) = angles(fenced(fence, others=stops(130)))
    assert fault.message.startswith("silt fence SF-1 leaves the contour by 90 degrees over ")
    assert fault.measured.value == pytest.approx(90.0, abs=0.5)
    assert fault.limit.value == 15.0
    assert fault.geometry.length == pytest.approx(180.0, abs=6)  # without the upper return
    assert fence.buffer(0.1).covers(fault.geometry)


def test_at_the_limit_fifteen_degrees_pass() -> None:
    assert not angles(fenced(turned(14.8), others=stops(160)))


def test_just_over_fifteen_degrees_is_found() -> None:
    (fault,) = angles(fenced(turned(15.5), others=stops(160)))
    assert fault.measured.value == pytest.approx(15.5, abs=0.2)


def test_at_the_limit_a_stretch_that_falls_less_than_a_foot_is_level() -> None:
    """At 30 degrees on 4 % ground 48 ft fall 0.96 ft; 80 ft fall 1.6 ft."""
    assert not angles(fenced(turned(30.0, 48.0), others=stops(160)))
    assert angles(fenced(turned(30.0, 80.0), others=stops(160)))


def test_ends_may_turn_upslope_for_twenty_feet() -> None:
    hooked = line((90, 118), (100, 100), (500, 100), (510, 118))
    assert passes(rule, fenced(hooked, percent=8.0, others=stops(145)))


def test_found_where_an_end_turns_down_the_slope() -> None:
    assert angles(fenced(line((100, 100), (500, 100), (500, 60)), percent=8.0, others=stops(145)))


def test_found_where_a_hook_is_longer_than_a_return() -> None:
    long = line((100, 150), (100, 100), (500, 100))
    (fault,) = angles(fenced(long, percent=8.0, others=stops(145)))
    assert fault.geometry.length < 60


def test_passes_on_ground_too_flat_for_contours_to_follow() -> None:
    assert not angles(fenced(turned(90.0, 300.0), percent=0.9))


@pytest.mark.parametrize(
    ("percent", "allowed"), [(1.5, 100), (2.0, 75), (4.0, 75), (8.0, 50), (20.0, 25), (40.0, 20)]
)
def test_the_slope_above_follows_the_table(percent: float, allowed: int) -> None:
    """A slope interruption at the allowed length passes; ten feet farther up it does not."""
    assert passes(rule, fenced(across(100), percent=percent, others=stops(100 + allowed)))
    site = fenced(across(100), percent=percent, others=stops(100 + allowed + 10))
    (fault,) = lengths(site)
    assert (fault.measured.value, fault.limit.value) == (allowed + 10, allowed)
    assert fault.geometry.length == pytest.approx(allowed + 10, abs=0.1)


def test_just_over_the_tolerance_of_five_feet_is_found() -> None:
    assert not lengths(fenced(across(100), others=stops(179.9)))
    assert lengths(fenced(across(100), others=stops(180.2)))


@pytest.mark.parametrize(
    ("kind", "takes"), [("DV", True), ("SF", True), ("FN", False), ("MU", False)]
)
def test_only_what_takes_the_water_ends_the_slope(kind: str, takes: bool) -> None:
    other = ((across(160, -50, 850), kind),)
    found = [f for f in lengths(fenced(across(100), others=other)) if f.source.user_id == "SF-1"]
    assert (not found) is takes


def test_the_top_of_the_slope_ends_it() -> None:
    """A ridge 60 ft above the fence, 4 % on both sides."""

    def ridge(x, y):
        return 700.3 - 0.04 * abs(y - 160)

    site = with_layer(
        fenced(across(100)), "contours_existing", contour_features(contours(ridge, MAP, 1.0))
    )
    assert not lengths(site)


def test_found_with_more_than_what_is_followed() -> None:
    (fault,) = lengths(fenced(across(0)))
    assert fault.message.startswith("more than 3")


def test_splitting_direction_and_order_change_nothing() -> None:
    whole = line((100, 100), (300, 100), (300, 190), (500, 190))
    parts = (
        line((500, 190), (300, 190), (300, 150)),
        line((100, 100), (300, 100)),
        line((300, 100), (300, 150)),
    )
    one, other = (angles(fenced(*f, others=stops(260))) for f in ((whole,), parts))
    assert len(one) == len(other) == 1
    assert one[0].measured.value == pytest.approx(other[0].measured.value, abs=0.5)
    assert one[0].geometry.length == pytest.approx(other[0].geometry.length, abs=0.5)
    assert len(other[0].related) == 2


def test_not_applicable_without_fence_or_round_a_stockpile() -> None:
    (said,) = run(rule, fenced(others=stops(160)))
    assert isinstance(said, NotApplicable)
    heap = line((300, 300), (340, 300), (340, 330)).convex_hull
    ring = line(*[(c[0] - 2469500.0, c[1] - 335400.0) for c in heap.buffer(8).exterior.coords])
    site = with_layer(fenced(ring), "activities", {"geometry": [heap], "type": ["SP"]})
    (said,) = run(rule, site)
    assert isinstance(said, NotApplicable)


def test_skipped_where_no_ground_is_known() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing"))
    assert isinstance(said, Skip)


def shown_within(site: Site, south: float, north: float, east: float = 900.0) -> Site:
    """The site with contours only between these lines."""
    window = rectangle(-100.0, south, east, north)
    return replace_features(
        site, "contours_existing", lambda f: f.set_geometry(f.geometry.intersection(window))
    )


def test_a_person_decides_where_no_ground_is_shown_along_the_fence() -> None:
    """Contours in the far north show nothing of a fence in the south: nothing was looked at."""
    (checked, asked) = run(rule, shown_within(fenced(across(100), others=stops(160)), 400, 700))
    assert isinstance(checked, Checked)
    assert checked.count == 0
    assert isinstance(asked, Ask)
    assert asked.question.startswith("400 of the 400 ft of silt fence SF-1 stand where no contour")
    half = shown_within(fenced(across(100), others=stops(160)), 0, 300, east=300)
    (checked, asked) = run(rule, half)
    assert (isinstance(checked, Checked), checked.count) == (True, 1)
    assert isinstance(asked, Ask)
    assert float(asked.question.split(" of ")[0]) == pytest.approx(210, abs=10)


def test_a_person_says_how_long_the_slope_is_where_the_ground_above_is_not_shown() -> None:
    """4 % ground, shown up to y = 142.5 ft (the last contour); 75 ft would be allowed."""
    (_, asked) = run(rule, shown_within(fenced(across(100)), -100, 160))
    assert isinstance(asked, Ask)
    assert "is shown for only" in asked.question
    assert faults_of(rule, shown_within(fenced(across(100)), -100, 260)), "beyond the limit"


def test_a_person_looks_at_fence_that_is_no_line() -> None:
    """A strip of cloth drawn as an area has no run that could be measured."""
    (asked, said) = run(rule, fenced(rectangle(100, 100, 500, 101)))
    assert isinstance(asked, Ask)
    assert asked.question.startswith("1 silt fence drawn as a point or an area")
    assert isinstance(said, NotApplicable)
