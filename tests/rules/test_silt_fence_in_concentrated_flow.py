"""BMP006: silt fence is for sheets of water."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.rule import Ask, NotApplicable, Said
from sitemap.rules.silt_fence_in_concentrated_flow import (
    silt_fence_in_concentrated_flow as rule,
)
from sitemap.site import Site
from sitemap.terrain.ground import ground_of
from sitemap.units import Area, AreaUnit
from tests.clean_site import (
    MAP,
    Fault,
    clean_site,
    contour_features,
    contours,
    line,
    rectangle,
    set_value,
    with_layer,
    without,
)
from tests.clean_site import run as run_rule

NO_CASE = {"skipped": "without a surface, controls or a boundary the engine skips"}


def run(site: Site, acres: float = 1.0) -> list[Said]:
    surface = ground_of(site).existing
    area = Area(acres, AreaUnit.ACRE)
    return run_rule(rule, site, surface=surface, ground=ground_of(site), concentrated_area=area)


def hollow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A hollow along x = 400 that falls 3 % to the south, with sides of 5 %."""
    return 800.0 + 0.03 * y + 0.05 * np.abs(x - 400.0)


def in_hollow(*controls: tuple[object, str]) -> Site:
    """Only such ground, before and after, with a fence across it and perhaps more controls."""
    drawn = [(line((300, 150), (500, 150)), "SF"), *controls]
    features = {"geometry": [g for g, _ in drawn], "type": [t for _, t in drawn]}
    features["id"] = [f"{kind}-{i}" for i, (_, kind) in enumerate(drawn, start=1)]
    site = without(clean_site(), "contours_proposed", "streams")
    site = with_layer(site, "contours_existing", contour_features(contours(hollow, MAP)))
    return with_layer(site, "controls", features)


def faults(site: Site, acres: float = 1.0) -> list[Fault]:
    return [s for s in run(site, acres) if isinstance(s, Fault)]


def test_passes_on_the_clean_site() -> None:
    said = run(clean_site())
    assert len(said) == 1
    assert said[0].words == "1 silt fence held against the flow"


def test_found_across_a_hollow_with_its_acres_at_its_bottom() -> None:
    """Of 450 by 800 ft above the fence, most comes to the bottom within the site.

    Triangles between the contours make it a level floor of five to eight cells of 2 ft, over which
    the water is spread.
    """
    (fault,) = faults(in_hollow())
    assert fault.message.endswith(" acres drain through one place of silt fence SF-1")
    assert 450 * 800 / 43560 / 8 < fault.measured.value < 450 * 800 / 43560
    assert fault.geometry.distance(line((400, 100), (400, 200))) < 12.0


def test_passes_below_a_basin_that_takes_the_water() -> None:
    assert faults(in_hollow((rectangle(330, 200, 470, 240), "SB"))) == []


def test_found_across_a_drawn_ditch() -> None:
    site = with_layer(
        clean_site(), "streams", {"geometry": [line((300, 600), (300, 0))], "kind": ["ditch"]}
    )
    (fault,) = faults(site)
    assert fault.message == "silt fence SF-1 crosses a drawn watercourse"
    assert fault.geometry.geom_type == "Point"


def test_passes_over_a_conduit() -> None:
    features = {"geometry": [line((300, 600), (300, 0))], "kind": ["underground"]}
    assert faults(with_layer(clean_site(), "streams", features)) == []


def test_at_the_limit_it_passes_and_just_over_it_is_found() -> None:
    site = in_hollow()
    (fault,) = faults(site)
    assert faults(site, fault.measured.value + 0.01) == []
    assert len(faults(site, fault.measured.value - 0.01)) == 1


def test_just_over_before_grading_only_a_person_decides() -> None:
    """Grading fills the hollow."""
    site = in_hollow()
    filled = contours(lambda x, y: 830.0 + 0.04 * y + 0.0 * x, (0.0, 160.0, 800.0, 600.0))
    site = with_layer(site, "contours_proposed", contour_features(filled))
    said = run(site)
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "before grading only" in ask.question
    assert not [s for s in said if isinstance(s, Fault)]


@pytest.mark.parametrize("kind", ["MPC", "DC"])
def test_not_applicable_without_a_fence(kind: str) -> None:
    site = with_layer(
        clean_site(), "controls", {"geometry": [line((0, 0), (9, 9))], "type": [kind]}
    )
    (said,) = run(set_value(site, "controls", 0, "id", "X-1"))
    assert isinstance(said, NotApplicable)
