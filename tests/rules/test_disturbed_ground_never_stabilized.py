"""DST006: what is laid bare is covered again."""

from __future__ import annotations

import pytest

from sitemap.rules.disturbed_ground_never_stabilized import (
    disturbed_ground_never_stabilized as rule,
)
from sitemap.rules.rule import Checked, Skip
from sitemap.site import Site
from tests.clean_site import (
    GRADED,
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    set_geometry,
    set_value,
    with_declared_none,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "without a disturbed area the engine skips, or it is declared none"}
COVERS = ("stabilization", "revegetation", "infiltration", "finished_surfaces")


def seeded(xmin: float, ymin: float, xmax: float, ymax: float) -> Site:
    """The clean site with one seeded area for all its cover, and no basin."""
    site = with_declared_none(without(clean_site(), *COVERS, "controls"), *COVERS)
    return with_layer(
        site, "revegetation", {"geometry": [rectangle(xmin, ymin, xmax, ymax)], "id": ["RV-1"]}
    )


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_passes_under_one_seeded_area() -> None:
    assert passes(rule, seeded(*GRADED))


def test_found_with_acres_and_ground() -> None:
    (fault,) = faults_of(rule, seeded(150, 200, 500, 500))
    assert fault.message == "0.344 acres of disturbed area D-1 end under no permanent cover"
    assert fault.measured.value == pytest.approx(50 * 300 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(500, 200, 550, 500))


def test_found_one_finding_for_each_part() -> None:
    faults = faults_of(rule, seeded(170, 200, 500, 500))
    assert [round(f.geometry.area) for f in faults] == [50 * 300, 20 * 300]


def test_found_under_temporary_seeding() -> None:
    """Reading 11: what ends with the construction is no final cover."""
    site = add_feature(
        with_layer(
            seeded(150, 200, 500, 500), "stabilization", {"geometry": [line((0, 0), (1, 1))]}
        ),
        "stabilization",
        rectangle(500, 200, 550, 500),
        type="TS",
        term="temporary",
    )
    assert len(faults_of(rule, site)) == 1
    assert passes(rule, set_value(site, "stabilization", 1, "term", "permanent"))


@pytest.mark.parametrize(
    ("kind", "covers"), [("PS", True), ("SO", True), ("RR", True), ("MU", False)]
)
def test_stabilization_without_a_term_counts_where_its_type_is_permanent(
    kind: str, covers: bool
) -> None:
    features = {"geometry": [rectangle(500, 200, 550, 500)], "type": [kind]}
    site = with_layer(seeded(150, 200, 500, 500), "stabilization", features)
    assert passes(rule, site) is covers


@pytest.mark.parametrize(("kind", "covers"), [("WD", True), ("GW", True), ("SB", False)])
def test_only_permanent_basins_count(kind: str, covers: bool) -> None:
    features = {"geometry": [rectangle(500, 200, 550, 500)], "type": [kind]}
    assert passes(rule, with_layer(seeded(150, 200, 500, 500), "controls", features)) is covers


@pytest.mark.parametrize("role", ["finished_surfaces", "infiltration", "waterbodies"])
def test_passes_under_other_permanent_cover(role: str) -> None:
    features = {"geometry": [rectangle(500, 200, 550, 500)]}
    assert passes(rule, with_layer(seeded(150, 200, 500, 500), role, features))


def test_at_the_limit_a_seam_of_half_a_foot_is_left_out_and_named() -> None:
    site = seeded(150, 200, 549.51, 500)
    assert passes(rule, site)
    (checked,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert "1 sliver thinner than 0.5 ft or under 22 sq ft left out (0.0034" in checked.words


def test_just_over_half_a_foot_is_found() -> None:
    assert len(faults_of(rule, seeded(150, 200, 549.48, 500))) == 1


def test_at_the_limit_spots_of_twenty_square_feet_are_left_out() -> None:
    """The least area is 22 sq ft: 4 by 5 ft is digitizing, 5 by 5 ft is ground."""
    site = seeded(*GRADED)
    shape = site.layers["revegetation"].frame.geometry.iloc[0]
    spot = rectangle(300, 300, 304, 305)
    assert passes(rule, set_geometry(site, "revegetation", 0, shape - spot))
    spot = rectangle(300, 300, 305, 305)
    assert len(faults_of(rule, set_geometry(site, "revegetation", 0, shape - spot))) == 1


def test_a_line_of_riprap_covers_nothing() -> None:
    features = {"geometry": [line((500, 200), (550, 500))], "type": ["RR"], "term": ["permanent"]}
    site = with_layer(seeded(150, 200, 500, 500), "stabilization", features)
    assert len(faults_of(rule, site)) == 1


def test_skipped_while_a_layer_of_cover_is_wanting() -> None:
    """The missing layer is SUB001's one finding."""
    (said,) = run(rule, without(clean_site(), "revegetation"))
    assert isinstance(said, Skip)
    assert "revegetation" in said.why


def test_skipped_when_the_limits_are_a_line() -> None:
    site = set_geometry(clean_site(), "disturbance", 0, line((150, 200), (550, 500)))
    (said,) = run(rule, site)
    assert isinstance(said, Skip)


def test_skipped_where_a_cover_layer_holds_no_shape() -> None:
    site = replace_features(
        clean_site(), "stabilization", lambda f: f.set_geometry([None] * len(f))
    )
    (said,) = run(rule, site)
    assert isinstance(said, Skip), "an empty layer is SUB004's; what it should hold is not known"
