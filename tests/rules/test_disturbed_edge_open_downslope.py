"""BMP011: below each downslope edge stands a perimeter control."""

from __future__ import annotations

import pytest

from sitemap.rules.disturbed_edge_open_downslope import disturbed_edge_open_downslope as rule
from sitemap.rules.rule import Fault, NotApplicable, Skip
from sitemap.units import Length, LengthUnit
from tests.clean_site import (
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    line,
    passes,
    run,
    set_geometry,
    with_declared_none,
    with_layer,
    without,
)

OPEN = with_declared_none(without(clean_site(), "controls"), "controls")


def fenced(y_ft: float, east_ft: float = 560.0) -> list[Fault]:
    """The faults with one fence across the slope below the graded ground."""
    features = {"geometry": [line((100, y_ft), (east_ft, y_ft))], "id": ["SF-1"], "type": ["SF"]}
    return faults_of(rule, with_layer(clean_site(), "controls", features))


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_the_whole_south_edge_without_a_control() -> None:
    """The ground falls south; along the sides it falls along the edge, not out."""
    (fault,) = faults_of(rule, OPEN)
    assert fault.message == (
        "400 ft of the downslope edge of disturbed area D-1 have no perimeter control within 50 ft "
        "down the slope"
    )
    assert fault.geometry.length == pytest.approx(400.0, abs=0.1)
    assert fault.role == "disturbance"


@pytest.mark.parametrize("y_ft", [205.0, 195.0, 155.0])
def test_passes_with_a_fence_inside_at_or_below_the_edge(y_ft: float) -> None:
    assert fenced(y_ft) == []


def test_found_with_the_fence_too_far_down() -> None:
    assert len(fenced(140.0)) == 1


def test_at_the_limit_and_just_over_the_reach() -> None:
    """The flow goes down 45 ft of slope and a little to the east: some 47 ft."""
    features = {"geometry": [line((100, 155), (600, 155))], "id": ["SF-1"], "type": ["SF"]}
    site = with_layer(clean_site(), "controls", features)

    def found(reach_ft: float) -> int:
        reach = Length(reach_ft, LengthUnit.US_SURVEY_FOOT)
        return len([s for s in run(rule, site, perimeter_reach=reach) if isinstance(s, Fault)])

    assert found(49.0) == 0
    assert found(44.0) == 1


def test_just_over_the_open_edge_that_is_left_to_the_inspector() -> None:
    """Of 16 stretches of 25 ft the last ones are open: 75 ft pass, 100 ft do not."""
    lengths = {}
    for east in range(440, 560, 5):
        faults = fenced(180.0, float(east))
        lengths[east] = faults[0].measured.value if faults else 0.0
    assert {length for length in lengths.values() if length} <= {100.0, 125.0}
    assert lengths[440] >= 100.0
    assert lengths[555] == 0.0


def test_not_applicable_on_flat_ground() -> None:
    """A slope of 0.15 % over the whole map."""
    flat = contours(lambda x, y: 800.0 + 0.0015 * y + 0.0 * x, MAP, 0.25)
    site = with_layer(OPEN, "contours_existing", contour_features(flat))
    site = without(site, "contours_proposed")
    (said,) = run(rule, site)
    assert isinstance(said, NotApplicable)


def test_skipped_where_the_ground_of_the_disturbed_areas_is_not_known() -> None:
    """Contours begin 100 ft east of the site."""
    far = contours(lambda x, y: 800.0 + 0.04 * y + 0.0 * x, (900.0, -100.0, 1800.0, 700.0))
    site = with_layer(OPEN, "contours_existing", contour_features(far))
    (said,) = run(rule, without(site, "contours_proposed"))
    assert isinstance(said, Skip)
    assert said.why == "the ground of 100 % of the disturbed areas is not known"


def test_skipped_without_a_surface() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)


def test_a_control_elsewhere_helps_nothing() -> None:
    site = set_geometry(clean_site(), "controls", 0, line((100, 560), (600, 560)))
    assert passes(rule, clean_site())
    assert [f.message for f in faults_of(rule, site)] != []
