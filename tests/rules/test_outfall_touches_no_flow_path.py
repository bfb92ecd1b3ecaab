"""HYD005: an outfall lies at the end of its pipe, on a reach, or on known ground."""

from __future__ import annotations

from shapely.geometry import MultiPoint

from sitemap.rules.outfall_touches_no_flow_path import outfall_touches_no_flow_path as rule
from sitemap.rules.rule import Skip
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    passes,
    point,
    run,
    set_geometry,
    set_value,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "outfalls declared none are the engine's to tell"}


def piped(gap_ft: float) -> Site:
    """A sewer that ends so far above the outfall."""
    features = {"geometry": [line((500, 300), (500, 150 + gap_ft))], "id": ["P-1"]}
    return with_layer(clean_site(), "storm_sewers", features)


def test_passes_on_known_ground() -> None:
    assert passes(rule, clean_site())


def test_found_beside_the_end_of_its_pipe() -> None:
    (fault,) = faults_of(rule, piped(48.0))
    assert fault.message == "outfall OF-1 lies 48 ft from the nearest end of a pipe"
    assert (fault.measured.value, fault.limit.value) == (48.0, 5.0)


def test_at_the_limit_it_passes() -> None:
    """The limit is 5 international feet, 10 millionths of a foot less of survey feet."""
    assert passes(rule, piped(4.9999))


def test_just_over_it_is_found() -> None:
    assert len(faults_of(rule, piped(5.001))) == 1


def test_an_overland_outfall_needs_no_pipe() -> None:
    assert passes(rule, set_value(piped(48.0), "outfalls", 0, "kind", "swale"))


def test_found_on_ground_that_nobody_knows() -> None:
    site = without(clean_site(), "streams")
    (fault,) = faults_of(rule, set_geometry(site, "outfalls", 0, point(500, -2000)))
    assert fault.message == "outfall OF-1 lies on ground not known"
    assert fault.measured is None


def test_passes_off_the_known_ground_where_a_reach_is_touched() -> None:
    site = with_layer(
        clean_site(), "streams", {"geometry": [line((500, -1000), (500, -3000))], "name": ["Creek"]}
    )
    assert passes(rule, set_geometry(site, "outfalls", 0, point(502, -2000)))


def test_skipped_without_pipes_and_elevation() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)


def test_each_point_of_one_feature_is_an_outfall() -> None:
    site = set_geometry(piped(48.0), "outfalls", 0, MultiPoint([point(500, 198), point(500, 150)]))
    (fault,) = faults_of(rule, site)
    assert fault.geometry is not None
    assert fault.geometry.equals(point(500, 150))


def test_outfalls_that_are_no_points_are_left_to_the_rule_on_their_type() -> None:
    (said,) = run(rule, set_geometry(piped(48.0), "outfalls", 0, line((500, 150), (520, 150))))
    assert said == Skip("no outfall is drawn as a point: see SUB007")
