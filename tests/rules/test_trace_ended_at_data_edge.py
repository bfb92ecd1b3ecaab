"""HYD004: what could not be looked at is said, never taken for nothing."""

from __future__ import annotations

from dataclasses import replace

from sitemap.rules.rule import Fault, NotApplicable, Skip
from sitemap.rules.trace_ended_at_data_edge import trace_ended_at_data_edge as rule
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.units import Length, LengthUnit
from tests.clean_ground import contour_features, contours
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    passes,
    point,
    run,
    set_geometry,
    the_ordinance,
    with_layer,
    without,
)

DRY = without(clean_site(), "streams", "wetlands")


def faults_within(distance_ft: float) -> list[Fault]:
    limits = replace(FlowLimits.of(the_ordinance().limits, DRY), distance_ft=distance_ft)
    distance = Length(distance_ft, LengthUnit.US_SURVEY_FOOT)
    said = run(rule, DRY, flow=flow_of(DRY, limits), discharge_distance=distance)
    return [s for s in said if isinstance(s, Fault)]


def test_passes_where_a_water_is_met() -> None:
    assert passes(rule, clean_site())


def test_found_where_the_elevation_ends_before_a_water() -> None:
    (fault,) = faults_of(rule, DRY)
    assert fault.message.startswith("water from OF-1 was followed for 2")
    assert " of 1,320 ft and met no water: the elevation data " in fault.message
    assert 200 < fault.measured.value < 275  # the mapped extent ends 250 ft south of it


def test_at_the_limit_the_full_distance_is_enough_and_just_over_it_is_not() -> None:
    (fault,) = faults_of(rule, DRY)
    assert faults_within(fault.measured.value - 0.1) == []
    assert len(faults_within(fault.measured.value + 0.1)) == 1


def test_just_over_a_ditch_that_ends_without_elevation() -> None:
    """840 ft of ditch, then nothing is known."""
    site = without(DRY, "contours_existing", "contours_proposed", "wetlands", "streams")
    site = with_layer(
        site,
        "streams",
        {
            "geometry": [line((0, 150), (840, 150))],
            "kind": ["ditch"],
            "flow_direction": ["digitized"],
        },
    )
    (fault,) = faults_of(rule, set_geometry(site, "outfalls", 0, point(0, 150)))
    assert fault.message == (
        "water from OF-1 was followed for 840 of 1,320 ft and met no water: the drawn reaches end"
    )


def test_not_applicable_without_an_outlet() -> None:
    (said,) = run(rule, without(clean_site(), "outfalls"))
    assert isinstance(said, NotApplicable)


def test_skipped_where_the_ground_of_the_site_is_not_known() -> None:
    """Contours begin 100 ft east of it."""
    site = without(clean_site(), "outfalls", "contours_proposed")
    far = contours(lambda x, y: 800.0 + 0.04 * y + 0.0 * x, (900.0, -100.0, 1800.0, 700.0))
    (said,) = run(rule, with_layer(site, "contours_existing", contour_features(far)))
    assert isinstance(said, Skip)
    assert "100 % of the site have no known ground" in said.why


def test_skipped_without_elevation_where_no_reach_is_touched() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)


def test_found_at_a_low_point_where_the_elevation_ends_at_the_boundary() -> None:
    """Contours cut off at the boundary: the water leaves the site and nobody knows where to."""
    site = without(DRY, "outfalls", "discharges", "contours_proposed")
    frame = site.layers["contours_existing"].frame.copy()
    frame = frame.set_geometry(frame.geometry.intersection(site.boundary))
    cut = with_layer(site, "contours_existing", frame[~frame.geometry.is_empty])
    limits = replace(FlowLimits.of(the_ordinance().limits, cut), low_point_acres=0.2)
    flow = flow_of(cut, limits)
    faults = [s for s in run(rule, cut, flow=flow) if isinstance(s, Fault)]
    assert len(faults) == len(flow.low_points) > 0
    for fault in faults:
        assert fault.message.endswith("met no water: the elevation data end there or have a hole")
        assert fault.measured.value < 30.0
        assert site.boundary.exterior.distance(fault.geometry) < 50.0  # one contour of 2 ft on 4 %
