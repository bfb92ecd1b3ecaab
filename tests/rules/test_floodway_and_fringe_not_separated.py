"""FLD002: floodway and fringe, each for itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.rules.floodway_and_fringe_not_separated import (
    floodway_and_fringe_not_separated as rule,
)
from sitemap.rules.rule import Ask, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    drop_feature,
    faults_of,
    passes,
    rectangle,
    run,
    set_geometry,
    set_value,
)
from tests.references import known

NO_CASE = {"skipped": "without a floodplain layer the engine skips"}
FRINGE, WAY = 0, 1  # 45 to 58 ft north, and 5 to 45 ft


def test_passes_side_by_side() -> None:
    assert passes(rule, clean_site())


def test_found_where_the_fringe_covers_the_floodway() -> None:
    site = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 5, 900, 58))
    (fault,) = faults_of(rule, site)
    assert fault.message == "0.918 acres of flood fringe (zone AE) lie on the floodway"
    assert fault.measured.value == pytest.approx(1000 * 40 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(-100, 5, 900, 45))


def test_found_a_hazard_area_of_no_named_part() -> None:
    site = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 5, 900, 58))
    assert faults_of(rule, set_value(site, "floodplain", FRINGE, "subtype", None))
    minimal = set_value(site, "floodplain", FRINGE, "subtype", None)
    minimal = set_value(minimal, "floodplain", FRINGE, "zone", "X")
    assert not faults_of(rule, minimal)


def test_at_the_limit_a_sliver_passes() -> None:
    assert passes(
        rule, set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 44.51, 900, 58))
    )


def test_just_over_half_a_foot_is_found() -> None:
    site = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 44.48, 900, 58))
    assert len(faults_of(rule, site)) == 1


def test_a_person_looks_where_no_floodway_is_drawn() -> None:
    site = set_value(drop_feature(clean_site(), "floodplain", WAY), "floodplain", 0, "zone", "A")
    (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert ask.question.startswith("zone A is drawn without a floodway")
    assert ask.clause == "a"


def test_a_person_looks_where_only_another_stream_has_a_floodway() -> None:
    site = set_geometry(clean_site(), "floodplain", WAY, rectangle(-100, -3000, 900, -2900))
    (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert ask.question.startswith("zone AE is drawn without a floodway")
    assert ask.geometry.equals(rectangle(-100, 45, 900, 58))


def test_not_applicable_where_the_flood_is_far_or_none() -> None:
    far = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, -200, 900, -60))
    far = set_geometry(far, "floodplain", WAY, rectangle(-100, -300, 900, -200))
    (said,) = run(rule, far)
    assert isinstance(said, NotApplicable)


# ------------------------------------------------------------------ with the flood map at hand


def nfhl(site: Site, *rows: tuple[str, str | None, tuple[float, float, float, float]]) -> Site:
    """The site with a flood map of these zones, parts and rectangles."""
    features = {
        "geometry": [rectangle(*box) for _, _, box in rows],
        "zone": [zone for zone, _, _ in rows],
        "subtype": [part for _, part, _ in rows],
    }
    return known(site, "floodplain", features)


def without_floodway(zone: str = "AE") -> Site:
    site = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 5, 900, 58))
    return set_value(drop_feature(site, "floodplain", WAY), "floodplain", 0, "zone", zone)


def test_found_where_the_flood_map_shows_floodway_in_what_is_drawn_as_fringe() -> None:
    (fault,) = faults_of(rule, nfhl(without_floodway(), ("AE", "floodway", (-500, 5, 1500, 55))))
    assert fault.message == (
        "1.15 acres that nfhl.gdb shows as floodway are drawn as other flood hazard"
    )
    assert fault.geometry.equals(rectangle(-100, 5, 900, 55))


def test_passes_a_studied_zone_of_which_the_flood_map_identifies_no_floodway() -> None:
    assert passes(rule, nfhl(without_floodway(), ("AE", None, (-500, 5, 1500, 58))))


def test_a_flood_map_without_a_column_of_parts_does_not_answer() -> None:
    """An extract with the zones alone cannot say that none of them is floodway."""
    site = nfhl(without_floodway(), ("AE", None, (-500, 5, 1500, 58)))
    (layer,) = site.reference.layers
    bare = replace(layer, stated=frozenset({"zone"}))
    site = replace(site, reference=replace(site.reference, layers=(bare,)))
    (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert ask.question.startswith("zone AE is drawn without a floodway")


def test_zone_a_needs_a_person_whatever_the_flood_map_shows() -> None:
    site = nfhl(without_floodway("A"), ("A", None, (-500, 5, 1500, 58)))
    (ask,) = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert ask.question.startswith("zone A is drawn without a floodway")
    studied = nfhl(without_floodway("AE"), ("A", None, (-500, 5, 1500, 58)))
    assert [s for s in run(rule, studied) if isinstance(s, Ask)]


def test_passes_where_both_floodways_differ_within_the_accuracy() -> None:
    """The flood map's floodway reaches 35 ft into the fringe that is drawn, by less than 40 ft."""
    site = set_geometry(clean_site(), "floodplain", FRINGE, rectangle(-100, 45, 900, 120))
    rows = ("AE", "floodway", (-500, 5, 1500, 80)), ("AE", None, (-500, 80, 1500, 120))
    assert passes(rule, nfhl(site, *rows))


def test_a_person_says_what_a_polygon_without_zone_and_part_is() -> None:
    """It may be the floodway: that no hazard lies here cannot be said."""
    site = clean_site()
    for record in (FRINGE, WAY):
        site = set_value(site, "floodplain", record, "zone", None)
        site = set_value(site, "floodplain", record, "subtype", None)
    asked = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert [a.question.split(" on or")[0] for a in asked] == ["2 floodplain polygons"]
    odd = set_value(clean_site(), "floodplain", FRINGE, "zone", "AEE")
    odd = set_value(odd, "floodplain", FRINGE, "subtype", None)
    assert any(isinstance(s, Ask) for s in run(rule, odd)), "a zone that no flood map has"
