"""CON002: a level of the regular interval is not drawn."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.contours_too_far_apart import contours_too_far_apart
from sitemap.rules.level_missing import level_missing as rule
from sitemap.rules.rule import Skip
from sitemap.site import Site
from tests.clean_site import (
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    ground_ft,
    passes,
    replace_features,
    run,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}
EXISTING_ONLY = without(clean_site(), "contours_proposed")


def without_levels(site: Site, role: str, *levels: float) -> Site:
    return replace_features(site, role, lambda f: f[~f["elevation"].isin(levels)])


def kettle(x, y):
    """A ridge with a closed hilltop, a kettle without outlet, and a saddle between."""
    hill = 14 * np.exp(-((x - 250) ** 2 + (y - 300) ** 2) / 150**2)
    hole = -9 * np.exp(-((x - 600) ** 2 + (y - 350) ** 2) / 90**2)
    return 820.3 + hill + hole + 0.004 * y


def test_passes_with_every_level() -> None:
    assert passes(rule, clean_site())


def test_passes_on_hilltops_saddles_and_kettles() -> None:
    features = contour_features(contours(kettle, MAP))
    assert passes(rule, with_layer(EXISTING_ONLY, "contours_existing", features))


@pytest.mark.parametrize("level", [802.0, 816.0, 830.0])
def test_found_names_the_level_and_the_place(level: float) -> None:
    site = without_levels(EXISTING_ONLY, "contours_existing", level)
    (fault,) = faults_of(rule, site)
    assert (
        f"level {level:g} ft is missing between {level - 2:g} and {level + 2:g} ft" in fault.message
    )
    assert (fault.measured.value, fault.limit.value) == (4.0, 2.0)
    assert not faults_of(contours_too_far_apart, site)


def test_found_where_one_of_several_lines_of_a_level_is_missing() -> None:
    """824 rings the hilltop and runs elsewhere too; only the ring is left out."""
    lines = contours(kettle, MAP)
    ring = [i for i, (line, level) in enumerate(lines) if level == 826.0 and line.is_closed]
    features = contour_features([line for i, line in enumerate(lines) if i not in ring])
    faults = faults_of(rule, with_layer(EXISTING_ONLY, "contours_existing", features))
    assert {f.distinct for f in faults} == {"824-828"}


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_order_of_the_records_changes_neither_places_nor_words(seed: int) -> None:
    """810 and 816 are gone, and their ground is parted by the graded area."""
    bare = without_levels(clean_site(), "contours_existing", 810.0, 816.0)
    shuffled = replace_features(
        bare, "contours_existing", lambda f: f.sample(frac=1.0, random_state=seed)
    )
    told = [(f.message, f.geometry) for f in faults_of(rule, bare)]
    again = [(f.message, f.geometry) for f in faults_of(rule, shuffled)]
    assert len(told) > 2
    assert [m for m, _ in again] == [m for m, _ in told]
    assert all(a.equals(b) for (_, a), (_, b) in zip(told, again, strict=True))


def test_found_with_both_rules_when_both_laws_are_broken() -> None:
    """Of 5-ft contours one is missing: no regular interval, and 10 ft between neighbours."""
    features = contour_features(contours(ground_ft, MAP, 5.0))
    site = without_levels(
        with_layer(EXISTING_ONLY, "contours_existing", features), "contours_existing", 815.0
    )
    (missing,) = faults_of(rule, site)
    assert "level 815 ft is missing" in missing.message
    (apart,) = faults_of(contours_too_far_apart, site)
    assert apart.measured.value == 10.0


def test_found_in_proposed_contours() -> None:
    (fault,) = faults_of(rule, without_levels(clean_site(), "contours_proposed", 820.0))
    assert fault.role == "contours_proposed"
    assert "level 820 ft" in fault.message


def test_at_the_limit_metric_levels_may_be_rounded() -> None:
    """Half metres written as 1.64, 3.28, 4.92 ft differ by 1.64 and 1.65."""

    def change(frame):
        frame["elevation"] = (frame["elevation"] / 2.0 * 0.5 / 0.3048).round(2)
        return frame

    assert passes(rule, replace_features(EXISTING_ONLY, "contours_existing", change))


def test_just_over_that_a_wrong_level_shows() -> None:
    """816 written as 816.5: 2.5 ft on one side, 1.5 on the other."""

    def change(frame):
        frame["elevation"] = frame["elevation"].replace(816.0, 816.5)
        return frame

    (fault,) = faults_of(rule, replace_features(EXISTING_ONLY, "contours_existing", change))
    assert fault.measured.value == 2.5


def test_supplementary_contours_in_the_flats_make_no_fault() -> None:
    """1 ft below 808, 2 ft above: two intervals, none of them broken."""
    lines = [c for c in contours(ground_ft, MAP, 1.0) if c[1] <= 814 or c[1] % 2 == 0]
    site = with_layer(EXISTING_ONLY, "contours_existing", contour_features(lines))
    assert passes(rule, site)


def test_lines_that_are_broken_for_their_labels_make_no_fault() -> None:
    def gap(frame):
        middle = frame.geometry.interpolate(0.5, normalized=True)
        return frame.set_geometry(frame.geometry.difference(middle.buffer(30.0)))

    assert passes(rule, replace_features(EXISTING_ONLY, "contours_existing", gap))


@pytest.mark.parametrize("level", [np.nan, 0.0])  # CAD writes 0 where nobody gave one
def test_skipped_when_no_contour_has_an_elevation(level: float) -> None:
    def change(frame):
        frame["elevation"] = level
        return frame

    (said,) = run(rule, replace_features(EXISTING_ONLY, "contours_existing", change))
    assert isinstance(said, Skip)


def test_found_in_metres_whose_feet_are_no_round_numbers() -> None:
    """Intake keeps 250.5 m as 821.850393701 ft; the map lacks 250 m."""

    def change(frame):
        frame["elevation"] = (frame["elevation"] / 2.0 * 0.5 / 0.3048).round(9)
        return frame[frame["elevation"].round(1) != round(204.5 / 0.3048, 1)]

    (fault,) = faults_of(rule, replace_features(EXISTING_ONLY, "contours_existing", change))
    assert fault.measured.value == pytest.approx(1 / 0.3048, abs=2e-3)
    assert "level 670.93 ft is missing" in fault.message
