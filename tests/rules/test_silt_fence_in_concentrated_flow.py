"""BMP006: silt fence is for sheets of water."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from affine import Affine

from sitemap.rules.rule import Ask, Checked, NotApplicable, Said
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
    set_geometry,
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
    assert said[0].words.startswith("1 silt fence held against the flow")


# Water of the hollow runs 3 ft down it for each 5 ft towards its middle. Of the mapped ground,
# 500 ft wide on either side and 550 ft up, so much comes to the middle 20 ft of the fence:
HOLLOW_ACRES = 2 * (500 * 550 - 0.6 * (500**2 / 2 - 10 * 500)) / 43560
OFF_SITE_ACRES = HOLLOW_ACRES - 2 * (400 * 450 - 0.6 * (400**2 / 2 - 10 * 400)) / 43560


def test_found_across_a_hollow_with_its_acres_at_its_bottom() -> None:
    """A sixth of the water goes by: triangles between contours make level floors of up to 16 ft."""
    (fault,) = faults(in_hollow())
    words, _, outside = fault.message.partition(", ")
    assert words.endswith(" acres drain to one place of silt fence SF-1")
    assert 0.8 * HOLLOW_ACRES < fault.measured.value < HOLLOW_ACRES
    assert outside.endswith(" of them from off the site")
    assert 0.7 * OFF_SITE_ACRES < float(outside.split()[0]) < OFF_SITE_ACRES
    assert fault.geometry.distance(line((400, 100), (400, 200))) < 12.0


def test_found_where_all_the_water_comes_from_off_the_site() -> None:
    """The fence stands 30 ft below the upper boundary, across the hollow: its ground is above."""
    site = in_hollow()
    site = set_geometry(site, "controls", 0, line((300, 570), (500, 570)))
    (fault,) = faults(site, 0.5)
    acres = 2 * (500 * 130 - 0.6 * (130 / 0.6 + 10 - 10) ** 2 / 2) / 43560
    assert acres > fault.measured.value > 0.5


def test_elevation_that_ends_up_the_slope_is_said() -> None:
    """The map ends 100 ft above the site, where the hollow goes on."""
    (said,) = [s for s in run(in_hollow(), 99.0) if isinstance(s, Checked)]
    assert said.words == (
        "1 silt fence held against the flow; the elevation ends above SF-1: more water may come "
        "there than is seen"
    )


def test_of_a_fence_off_the_known_ground_a_person_decides() -> None:
    site = set_geometry(in_hollow(), "controls", 0, line((3000, 150), (3100, 150)))
    (ask,) = [s for s in run(site) if not isinstance(s, Checked)]
    assert isinstance(ask, Ask)
    assert ask.question.startswith("no elevation shows what comes to silt fence SF-1: ")
    assert (ask.clause, ask.geometry.length) == ("5d", 100.0)


def test_a_person_decides_where_the_ground_is_known_by_large_cells_only() -> None:
    site = in_hollow()
    fine = ground_of(site).existing
    x, y = np.meshgrid(np.arange(-80.0, 900.0, 40.0), np.arange(680.0, -100.0, -40.0))
    grid = Affine(40.0, 0.0, fine.bounds[0], 0.0, -40.0, fine.bounds[3])
    coarse = replace(fine, z_ft=hollow(x, y), transform=grid)
    said = run_rule(
        rule, site, surface=coarse, ground=ground_of(site),
        concentrated_area=Area(1.0, AreaUnit.ACRE),
    )  # fmt: skip
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "on ground known by cells of 40 ft only" in ask.question
    assert not [s for s in said if isinstance(s, Fault)]


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
