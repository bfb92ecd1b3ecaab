"""FLD001: floodway and fringe that the flood map identifies."""

from __future__ import annotations

import pytest
from shapely.geometry.base import BaseGeometry

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.rules.floodplain_on_site_not_drawn import floodplain_on_site_not_drawn as rule
from sitemap.rules.rule import Ask, Skip
from sitemap.site import Site
from tests.clean_site import (
    NOW,
    clean_site,
    faults_of,
    passes,
    rectangle,
    run,
    the_ordinance,
    with_declared_none,
    without,
)
from tests.references import known

NO_CASE = {"not_applicable": "with a flood map there is always ground to look at"}
FRINGE, WAY = rectangle(-100, 45, 900, 58), rectangle(-100, 5, 900, 45)


def nfhl(
    *parts: tuple[BaseGeometry, str, str | None], site: Site | None = None, **more: list[object]
) -> Site:
    """The clean site with a flood map; it draws floodway from 5 to 45 ft, fringe to 58 ft."""
    features = {
        "geometry": [shape for shape, _, _ in parts],
        "zone": [zone for _, zone, _ in parts],
        "subtype": [subtype for _, _, subtype in parts],
        **more,
    }
    return known(site or clean_site(), "floodplain", features)


def asks(site: Site) -> list[str]:
    assert not faults_of(rule, site)
    return [said.question for said in run(rule, site) if isinstance(said, Ask)]


def test_passes_where_both_are_drawn() -> None:
    assert passes(rule, nfhl((FRINGE, "AE", None), (WAY, "AE", "floodway")))


def test_found_with_part_zone_and_acres() -> None:
    """Fringe up to 200 ft: 142 by 800 ft of the site are not drawn."""
    site = nfhl((rectangle(-100, 45, 900, 200), "AE", None), (WAY, "AE", "floodway"))
    (fault,) = faults_of(rule, site)
    assert fault.message == (
        "nfhl.gdb shows 2.61 acres of flood fringe (zone AE) on the site, and no floodplain is "
        "drawn there"
    )
    assert fault.measured.value == pytest.approx(142 * 800 / 43560, abs=1e-4)


def test_found_in_both_parts_where_none_is_drawn_and_declared_none() -> None:
    site = with_declared_none(without(clean_site(), "floodplain"), "floodplain")
    site = nfhl(
        (rectangle(-100, 100, 900, 300), "AE", None),
        (rectangle(-100, 150, 900, 250), "AE", "floodway"), site=site,
    )  # fmt: skip
    found = faults_of(rule, site)
    assert [(f.measured.value, "floodway" in f.message) for f in found] == [
        (pytest.approx(100 * 800 / 43560, abs=1e-4), True),
        (pytest.approx((50 + 50) * 800 / 43560, abs=1e-4), False),
    ]  # the fringe is the hazard area less the floodway, a strip on either side of it
    assert all("declared none by A. Surveyor, PLS" in f.message for f in found)


def test_passes_the_floodway_that_is_drawn_as_fringe() -> None:
    """It is drawn; that the parts are not told apart is FLD002's."""
    assert passes(rule, nfhl((rectangle(-100, 5, 900, 58), "AE", "floodway")))


def test_passes_what_is_no_hazard() -> None:
    ground = rectangle(-100, 200, 900, 400)
    assert passes(rule, nfhl((ground, "X", "0.2 percent"), (ground, "X", "minimal")))


def test_at_the_limit_forty_feet_inside_a_person_decides() -> None:
    (question,) = asks(nfhl((rectangle(760, 200, 900, 300), "AE", None)))
    assert question == (
        "nfhl.gdb shows 0.09 acres of flood fringe (zone AE) on the site, nowhere farther inside "
        "the boundary than the 40 ft within which the flood map is right: does it lie on the site?"
    )


def test_just_over_forty_feet_inside_is_found() -> None:
    (fault,) = faults_of(rule, nfhl((rectangle(759, 200, 900, 300), "AE", None)))
    assert fault.measured.value == pytest.approx(41 * 100 / 43560, abs=1e-4)


def test_ground_that_the_flood_map_leaves_open_needs_a_person() -> None:
    doubt = "zone D: the flood hazard is undetermined"
    site = nfhl((rectangle(200, 200, 400, 400), "D", None), doubt=[doubt])
    (question,) = asks(site)
    assert question == (
        f"nfhl.gdb leaves 0.92 acres of the site open ({doubt}): is there a floodplain?"
    )


def test_skipped_without_a_reference_and_off_its_extent() -> None:
    checked = check_site(clean_site(), the_ordinance(), now=NOW)
    (outcome,) = [o for o in checked.outcomes if o.rule == "FLD001"]
    assert outcome.status is Status.SKIPPED
    far = rectangle(1000, 0, 1400, 300)
    features = {"geometry": [far], "zone": ["AE"]}
    assert isinstance(run(rule, known(clean_site(), "floodplain", features, reach=far))[0], Skip)
