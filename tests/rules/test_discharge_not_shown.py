"""HYD002: where the water goes, not what lies near."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely

from sitemap.rules.discharge_not_shown import discharge_not_shown as rule
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip
from sitemap.site import Site
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.units import Length, LengthUnit
from tests.clean_ground import contour_features, contours
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    moved,
    passes,
    point,
    run,
    set_geometry,
    set_value,
    the_ordinance,
    with_layer,
    with_map_wishes,
    without,
)

CONTOURS = ("contours_existing", "contours_proposed")


def within(site: Site, distance_ft: float) -> list[Said]:
    """What the rule says where the law looks so far."""
    limits = FlowLimits.of(the_ordinance().limits, site)
    flow = flow_of(site, replace(limits, distance_ft=distance_ft))
    distance = Length(distance_ft, LengthUnit.US_SURVEY_FOOT)
    return run(rule, site, flow=flow, discharge_distance=distance)


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_passes_where_a_copy_of_the_water_came_too() -> None:
    """One discharge shows where the flow enters a pond, however often the pond was sent."""
    outfall = clean_site().layers["outfalls"].frame.geometry.iloc[0]
    x, y = outfall.x, outfall.y
    pond = shapely.box(x - 150.0, y - 60.0, x + 150.0, y - 40.0)
    site = set_value(without(clean_site(), "streams"), "discharges", 0, "receiving_water", "Pond P")
    one = {"geometry": [pond], "name": ["Pond P"], "kind": ["pond"]}
    twice = {column: values * 2 for column, values in one.items()}
    assert faults_of(rule, with_layer(site, "waterbodies", one)) == []
    assert faults_of(rule, with_layer(site, "waterbodies", twice)) == []
    other = {**twice, "geometry": [pond, shapely.box(x - 150.0, y - 30.0, x + 150.0, y - 20.0)]}
    other["name"] = ["Pond P", "Pond Q"]
    assert [f.message[:36] for f in faults_of(rule, with_layer(site, "waterbodies", other))] == [
        "water from OF-1 enters Pond Q after "
    ]


def test_found_where_the_discharge_is_missing() -> None:
    (fault,) = faults_of(rule, without(clean_site(), "discharges"))
    # the ground falls 4 % south and about 1.1 % east: 124 ft south are 129 ft down the slope
    assert fault.measured.value == pytest.approx(129.0, abs=2.0)
    assert fault.message == (
        f"water from OF-1 enters Tess Corners Creek after {fault.measured.value:.0f} ft (first in "
        "100 of 100 realisations), and no discharge is shown there"
    )
    assert fault.source.user_id == "OF-1"
    assert fault.geometry.distance(clean_site().layers["streams"].frame.geometry.iloc[0]) < 1e-6


def test_several_points_of_one_outfall_feature_are_followed_each() -> None:
    """Two pipe ends in one feature: the second is 60 ft west of the first."""
    first = clean_site().layers["outfalls"].frame.geometry.iloc[0]
    both = shapely.MultiPoint([first, moved(first, -60.0, 0.0)])
    site = set_geometry(without(clean_site(), "discharges"), "outfalls", 0, both)
    assert [f.source.user_id for f in faults_of(rule, site)] == ["OF-1", "OF-1"]


def test_found_where_the_discharge_is_of_another_outfall() -> None:
    site = with_layer(
        clean_site(),
        "outfalls",
        {"geometry": [point(500, 150), point(300, 150)], "id": ["OF-1", "OF-2"]},
    )
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("water from OF-2 enters Tess Corners Creek")


def test_found_along_a_pipe_that_leads_away_from_the_slope() -> None:
    """The pipe takes the water under the slope into the wetland, wherever the ground falls."""
    site = with_layer(
        clean_site(),
        "storm_sewers",
        {
            "geometry": [line((500, 150), (565, 110))],
            "id": ["P-1"],
            "invert_up_ft": [808.0],
            "invert_down_ft": [806.0],
        },
    )
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("water from OF-1 enters wetland W-1 after 76 ft (along mapped")


def test_a_low_point_of_the_boundary_counts_like_an_outfall() -> None:
    """Without streams and outfall, a trough over the east rim would drain most of the site."""
    flow = flow_of(clean_site(), FlowLimits.of(the_ordinance().limits, clean_site()))
    assert flow.low_points == ()  # a plane drains as a sheet


def test_at_the_limit_a_person_decides() -> None:
    """129 ft lie within the tolerance of 20 ft of 140 ft."""
    said = within(without(clean_site(), "discharges"), 140.0)
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert ask.question.startswith("does water from OF-1 enter Tess Corners Creek (1")
    assert not [s for s in said if isinstance(s, Fault)]


def test_just_over_the_distance_nothing_is_asked() -> None:
    said = within(without(clean_site(), "discharges"), 120.0)
    assert [type(s) for s in said] == [Checked]
    assert said[0].words.endswith("OF-1 meets no mapped water in 120 ft")


def test_found_with_certainty_well_within_the_distance() -> None:
    said = within(without(clean_site(), "discharges"), 160.0)
    assert len([s for s in said if isinstance(s, Fault)]) == 1


def test_between_the_shares_a_person_decides_with_the_corridor_drawn() -> None:
    """With heights good to 0.6 ft only, some of the realisations drift into the wetland."""
    said = run(rule, with_map_wishes(clean_site(), vertical_error_ft=0.6))
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "enter wetland W-1" in ask.question
    assert "of 100 realisations" in ask.question
    assert len(ask.geometry.geoms) == 100
    assert not [s for s in said if isinstance(s, Fault)]


def test_an_assumed_direction_is_asked_about() -> None:
    """The outfall lies on a reach of which nobody knows where it flows."""
    site = without(clean_site(), "discharges", *CONTOURS)
    site = set_value(site, "streams", 0, "flow_direction", None)
    said = run(rule, set_geometry(site, "outfalls", 0, point(500, 26.7)))
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "the direction of a reach on the way is in doubt" in ask.question


def test_without_elevation_what_touches_a_reach_is_followed() -> None:
    site = without(clean_site(), "discharges", *CONTOURS)
    (fault,) = faults_of(rule, set_geometry(site, "outfalls", 0, point(500, 26.7)))
    assert "after 0 ft (along mapped reaches)" in fault.message


def test_not_applicable_without_outfall_and_low_point() -> None:
    (said,) = run(rule, without(clean_site(), "outfalls"))
    assert isinstance(said, NotApplicable)


def shown_from(site: Site, from_x: float) -> Site:
    """The site with contours that begin at so many feet from its western edge."""
    extent = (from_x, -100.0, from_x + 900.0, 700.0)
    ground = contours(lambda x, y: 800.0 + 0.04 * y + 0.0 * x, extent)
    site = without(site, "contours_proposed")
    return with_layer(site, "contours_existing", contour_features(ground))


@pytest.mark.parametrize(("from_x", "pct"), [(900.0, 100), (400.0, 50)])
def test_skipped_without_outfall_where_the_ground_of_the_site_is_not_known(
    from_x: float, pct: int
) -> None:
    """No low point is seen there, which is not to say that there is none."""
    (said,) = run(rule, shown_from(without(clean_site(), "outfalls"), from_x))
    assert isinstance(said, Skip)
    share = int(said.why.split(" and ")[1].split(" %")[0])
    assert share == pytest.approx(pct, abs=3)


def test_a_person_is_asked_where_the_ground_of_half_the_site_is_not_known() -> None:
    said = run(rule, shown_from(clean_site(), 400.0))
    (ask,) = [s for s in said if isinstance(s, Ask) and "does runoff leave the site" in s.question]
    assert "of it is not known" in ask.question
    assert [s for s in said if isinstance(s, Checked)]


def test_skipped_without_elevation_where_no_reach_is_touched() -> None:
    (said,) = run(rule, without(clean_site(), *CONTOURS))
    assert isinstance(said, Skip)
    assert "no outfall touches a mapped reach" in said.why
