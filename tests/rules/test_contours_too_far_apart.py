"""CON001: not to exceed five feet."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from sitemap.layer import Oddity
from sitemap.rules.contours_too_far_apart import contours_too_far_apart as rule
from sitemap.rules.level_missing import level_missing
from sitemap.rules.lines_coincide_in_plan import lines_coincide_in_plan
from sitemap.rules.rule import Ask, Rule, Skip
from sitemap.site import RoleLayer, Site
from tests.clean_site import (
    GRADED,
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    graded_ft,
    ground_ft,
    passes,
    rectangle,
    replace_features,
    run,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}


def at_interval(interval_ft: float) -> Site:
    """Existing contours alone, at another interval."""
    site = without(clean_site(), "contours_proposed")
    return with_layer(
        site, "contours_existing", contour_features(contours(ground_ft, MAP, interval_ft))
    )


def without_levels(site: Site, role: str, *levels: float) -> Site:
    return replace_features(site, role, lambda f: f[~f["elevation"].isin(levels)])


def scaled(site: Site, factor: float) -> Site:
    def change(frame):
        frame["elevation"] = (frame["elevation"] * factor).round(9)
        return frame

    return replace_features(site, "contours_existing", change)


def test_passes_at_two_feet() -> None:
    assert passes(rule, clean_site())


def test_at_the_limit_five_feet_pass() -> None:
    assert passes(rule, at_interval(5.0))


def test_just_over_five_feet_and_two_hundredths_are_found() -> None:
    (fault,) = faults_of(rule, scaled(at_interval(5.0), 5.02 / 5.0))
    assert fault.measured.value == pytest.approx(5.02)


def test_at_the_limit_levels_are_exact_to_a_hundredth() -> None:
    """5.004 ft is written 5.00; 5.01 is not."""
    assert passes(rule, scaled(at_interval(5.0), 5.004 / 5.0))
    assert faults_of(rule, scaled(at_interval(5.0), 5.01 / 5.0))


def test_found_ten_feet_once_for_the_whole_layer() -> None:
    (fault,) = faults_of(rule, at_interval(10.0))
    assert fault.message.startswith("contours existing are 10 ft apart over 100% of their length")
    assert (fault.measured.value, fault.limit.value) == (10.0, 5.0)
    assert fault.role == "contours_existing"


def test_found_two_metres() -> None:
    """Intake brings 2 m contours to feet: 6.56 ft."""
    (fault,) = faults_of(rule, scaled(at_interval(2.0), 1 / 0.3048))
    assert fault.measured.value == pytest.approx(6.562)


def test_passes_with_one_metre() -> None:
    assert passes(rule, scaled(at_interval(1.0), 1 / 0.3048))


def test_found_where_levels_are_missing_from_a_fine_map() -> None:
    """820 and 822 left out: 818 and 824 are neighbours, 6 ft apart, along the whole map."""
    site = without_levels(without(clean_site(), "contours_proposed"), "contours_existing", 820, 822)
    (fault,) = faults_of(rule, site)
    assert "818 and 824 ft are neighbours on the ground, 6 ft apart" in fault.message
    assert "820, 822" in fault.how_to_fix
    # the ground falls 4 %: three steps of 50 ft, over the map's 1,000 ft
    assert fault.geometry.area == pytest.approx(150 * 1000, rel=0.05)


def test_passes_where_the_missing_level_leaves_four_feet() -> None:
    """That is CON002's to say."""
    site = without_levels(without(clean_site(), "contours_proposed"), "contours_existing", 820)
    assert passes(rule, site)


def test_existing_contours_may_be_missing_where_the_ground_is_graded() -> None:
    """Reading 4: in the graded area the proposed contours speak."""
    graded = rectangle(*GRADED)

    def cut(frame):
        return frame.set_geometry(frame.geometry.difference(graded))

    assert passes(rule, replace_features(clean_site(), "contours_existing", cut))


def test_found_in_proposed_contours_alone() -> None:
    features = contour_features(contours(graded_ft, GRADED, 6.0))
    (fault,) = faults_of(rule, with_layer(clean_site(), "contours_proposed", features))
    assert fault.role == "contours_proposed"
    assert fault.measured.value == 6.0


def test_lines_of_one_level_have_no_step() -> None:
    site = replace_features(
        at_interval(5.0), "contours_existing", lambda f: f[f["elevation"] == 820]
    )
    assert passes(rule, site)


@pytest.mark.parametrize("level", [np.nan, 0.0])  # CAD writes 0 where nobody gave one
def test_skipped_when_no_contour_has_an_elevation(level: float) -> None:
    def change(frame):
        frame["elevation"] = level
        return frame

    site = replace_features(without(clean_site(), "contours_proposed"), "contours_existing", change)
    (said,) = run(rule, site)
    assert isinstance(said, Skip)


def test_a_person_says_feet_where_metres_would_fail() -> None:
    def unstated(site: Site) -> Site:
        layer = site.layers["contours_existing"]
        member = layer.members[0]
        odd = (Oddity("vertical_unit_unstated", "unit stated nowhere"),)
        provenance = replace(member.provenance, oddities=odd)
        changed = RoleLayer(layer.role, layer.frame, (replace(member, provenance=provenance),))
        return replace(site, layers={**site.layers, "contours_existing": changed})

    (ask,) = [s for s in run(rule, unstated(at_interval(2.0))) if isinstance(s, Ask)]
    assert "2 m (6.6 ft) would not" in ask.question
    assert not [s for s in run(rule, unstated(at_interval(1.0))) if isinstance(s, Ask)]


def test_a_hundred_thousand_vertices_take_less_than_five_seconds() -> None:
    def rolling(x, y):
        return ground_ft(x, y) + 6 * np.sin(x / 70) * np.cos(y / 90)

    lines = contours(rolling, (-3000, -3000, 3000, 3000), 2.0)
    assert sum(len(line.coords) for line, _ in lines) > 100_000
    site = with_layer(
        without(clean_site(), "contours_proposed", "boundary"),
        "contours_existing",
        contour_features(lines),
    )
    begun = time.process_time()
    assert passes(rule, without(site, "disturbance"))
    assert time.process_time() - begun < 5.0


def points_for(role: str) -> Site:
    """A contour layer of label points in place of lines."""
    return replace_features(
        clean_site(), role, lambda f: f.set_geometry(f.geometry.representative_point())
    )


@pytest.mark.parametrize("judge", [rule, level_missing, lines_coincide_in_plan])
@pytest.mark.parametrize("role", ["contours_existing", "contours_proposed"])
def test_skipped_where_one_of_two_layers_cannot_be_judged(judge: Rule, role: str) -> None:
    """The other layer is in order, which says nothing of this one."""
    said = run(judge, points_for(role))
    (skip,) = [s for s in said if isinstance(s, Skip)]
    assert skip.why.startswith(f"no feature of {role.replace('_', ' ')} is a line")


def test_skipped_where_the_existing_contours_lie_elsewhere() -> None:
    site = replace_features(
        clean_site(), "contours_existing", lambda f: f.set_geometry(f.geometry.translate(20_000.0))
    )
    (skip,) = [s for s in run(rule, site) if isinstance(s, Skip)]
    assert skip.why == "no line of contours existing lies at the site: see CRS003"
