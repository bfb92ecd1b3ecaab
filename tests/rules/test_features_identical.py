"""GEO003: the same feature twice, told by shape and values."""

from __future__ import annotations

from dataclasses import replace

from shapely.geometry import LineString

from sitemap.finding import Severity
from sitemap.rules.features_identical import features_identical as rule
from sitemap.rules.rule import NotApplicable
from tests.clean_site import (
    add_feature,
    add_member,
    clean_features,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    with_layer,
)

NO_CASE = {"skipped": "it looks at every layer"}
AREA = {"phase": "1", "activity": "mass grading", "acres": 2.75}


def two_areas(second: LineString, **values: object) -> list:
    site = with_layer(
        clean_site(),
        "disturbance",
        {
            "geometry": [rectangle(150, 200, 550, 500)],
            "id": ["D-1"],
            **{k: [v] for k, v in AREA.items()},
        },
    )
    return faults_of(rule, add_feature(site, "disturbance", second, id="D-2", **(AREA | values)))


def test_passes_when_every_feature_is_its_own() -> None:
    assert passes(rule, clean_site())


def test_found_an_area_twice_under_two_ids() -> None:
    """400 x 300 ft are 2.75 acres: they would be summed to 5.51."""
    (fault,) = two_areas(rectangle(150, 200, 550, 500))
    assert fault.message == (
        "Limits of disturbance: 2 features are the same feature (disturbance.shp, id D-1, "
        "record 0; disturbance.shp, id D-2, record 1), 2.75 acres each"
    )
    assert fault.severity is Severity.ERROR
    assert (fault.measured.value, fault.limit.value) == (2, 1)
    assert [s.user_id for s in (fault.source, *fault.related)] == ["D-1", "D-2"]
    assert fault.geometry.equals(rectangle(150, 200, 550, 500))


def test_found_though_the_ring_begins_elsewhere_and_runs_the_other_way() -> None:
    ring = rectangle(150, 200, 550, 500)
    turned = type(ring)(list(ring.exterior.coords)[2::-1] + list(ring.exterior.coords)[3:1:-1])
    assert turned.area == ring.area
    assert len(two_areas(turned)) == 1


def test_found_a_line_drawn_again_backwards_as_a_warning() -> None:
    road = line((900, 640), (-100, 640))
    site = add_feature(clean_site(), "roads", road, name="Woods Road", surface="asphalt")
    (fault,) = faults_of(rule, site)
    assert fault.severity is Severity.WARNING
    assert fault.measured.value == 2


def test_passes_the_same_place_with_other_values() -> None:
    """Two phases on one ground overlap (TOP001); they are not one feature twice."""
    assert two_areas(rectangle(150, 200, 550, 500), phase="2") == []


def test_at_the_limit_a_copy_off_by_less_than_rounding_is_the_same() -> None:
    assert len(two_areas(rectangle(150.004, 200, 550, 500))) == 1


def test_just_over_a_shape_off_by_two_hundredths_is_another() -> None:
    assert two_areas(rectangle(150.02, 200, 550, 500)) == []


def test_a_whole_dataset_handed_in_twice_is_left_to_sub005() -> None:
    site = add_member(clean_site(), "controls", clean_features()["controls"], file="controls_2.shp")
    assert passes(rule, site)


def test_not_applicable_without_a_feature() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)


def test_the_order_of_the_records_changes_nothing() -> None:
    """Two sets of twins: their order, and the id that stands first, are those of the ground."""
    site = clean_site()
    for number, x in ((1, 700), (2, 300)):
        for name in ("B", "A"):
            area = rectangle(x, 200, x + 50, 250)
            days = {"start": "2027-05-01", "end": "2027-06-01"}
            named = {"id": f"{name}-{number}", **AREA, **days}
            site = add_feature(site, "disturbance", area, **named)
    turned = replace_features(site, "disturbance", lambda rows: rows.iloc[::-1])
    for each in (site, turned):
        found = faults_of(rule, each)
        assert [fault.distinct for fault in found] == ["A-2|B-2", "A-1|B-1"]
        assert [fault.source.user_id for fault in found] == ["A-2", "A-1"]
