"""WET001: wetlands that an inventory knows, areas and points."""

from __future__ import annotations

import pytest
from shapely.geometry.base import BaseGeometry

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.rules.rule import Ask, Checked, Fault, Skip
from sitemap.rules.wetland_on_site_not_drawn import wetland_on_site_not_drawn as rule
from sitemap.site import Site
from tests.clean_site import (
    NOW,
    clean_site,
    faults_of,
    passes,
    point,
    rectangle,
    run,
    the_ordinance,
    with_declared_none,
    without,
)
from tests.references import known

NO_CASE = {"not_applicable": "with a reference of wetlands there is always ground to look at"}


def wwi(*shapes: BaseGeometry, site: Site | None = None, **fields: list[object]) -> Site:
    """The clean site, 800 by 600 ft with wetland W-1 from 560 to 700 and 60 to 120 ft."""
    given = {"class": ["E2K"] * len(shapes), **fields}
    return known(site or clean_site(), "wetlands", {"geometry": list(shapes), **given})


def asks(site: Site) -> list[str]:
    assert not faults_of(rule, site)
    return [said.question for said in run(rule, site) if isinstance(said, Ask)]


def test_passes_where_it_is_drawn() -> None:
    assert passes(rule, wwi(rectangle(560, 60, 700, 120)))


def test_passes_where_the_reference_knows_none_here() -> None:
    assert passes(rule, wwi(rectangle(1500, 1500, 1600, 1600)))


def test_found_with_acres_and_what_is_disturbed_of_it() -> None:
    """200 by 100 ft in the middle of the site, half of it inside the limits of grading."""
    (fault,) = faults_of(rule, wwi(rectangle(50, 300, 250, 400)))
    assert fault.message == (
        "wwi.gpkg shows 0.46 acres of wetland E2K on the site, and none is drawn there; "
        "0.23 acres of it are disturbed"
    )
    assert fault.measured.value == pytest.approx(200 * 100 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(50, 300, 250, 400))
    assert [str(source) for source in fault.related] == ["wwi.gpkg, layer wetlands, record 0"]


def test_found_once_for_parts_that_touch() -> None:
    parts = rectangle(100, 300, 150, 400), rectangle(150, 300, 200, 400)
    site = wwi(*parts, **{"class": ["E2K", "T3K"]})
    (fault,) = faults_of(rule, site)
    assert "0.23 acres of wetland E2K, T3K on the site" in fault.message
    assert len(fault.related) == 2


def test_found_although_wetlands_are_declared_none() -> None:
    site = with_declared_none(without(clean_site(), "wetlands"), "wetlands")
    (fault,) = faults_of(rule, wwi(rectangle(100, 300, 200, 400), site=site))
    assert fault.message.endswith(
        "; wetlands are declared none by A. Surveyor, PLS, field walk, 2026-04-02"
    )


def test_found_a_point_too_small_to_draw() -> None:
    (fault,) = faults_of(rule, wwi(point(300, 300)))
    assert fault.message == (
        "wwi.gpkg shows wetland E2K, a point, on the site, and none is drawn there; it lies in "
        "disturbed ground"
    )
    assert fault.measured is None
    assert fault.geometry.equals(point(300, 300))


def test_passes_a_point_within_the_accuracy_of_a_drawn_wetland() -> None:
    assert passes(rule, wwi(point(600, 159)))  # 39 ft north of W-1
    assert faults_of(rule, wwi(point(600, 161)))


def test_at_the_limit_forty_feet_inside_a_person_decides() -> None:
    """Public maps are right within 40 ft: it may end at the boundary."""
    (question,) = asks(wwi(rectangle(200, 560, 400, 900)))
    assert question == (
        "wwi.gpkg shows 0.18 acres of wetland E2K on the site, nowhere farther inside the "
        "boundary than the 40 ft within which the reference is right: does it lie on the site?"
    )


def test_just_over_forty_feet_inside_is_found() -> None:
    (fault,) = faults_of(rule, wwi(rectangle(200, 559, 400, 900)))
    assert fault.measured.value == pytest.approx(200 * 41 / 43560, abs=1e-4)


def test_a_point_beside_the_boundary_needs_a_person() -> None:
    (question,) = asks(wwi(point(300, 630)))
    assert "a point, 30 ft outside the boundary; it is right within 40 ft" in question
    assert asks(wwi(point(300, 641))) == []
    assert len(asks(wwi(point(300, 570)))) == 1  # inside, but nearer than 40 ft to its edge


def test_what_exceeds_a_drawn_wetland_needs_a_person() -> None:
    """The inventory draws W-1 100 ft farther north; the delineation may have found its edge."""
    (question,) = asks(wwi(rectangle(560, 60, 700, 220)))
    assert question == (
        "wwi.gpkg shows 0.32 acres of wetland E2K on the site beyond the wetland that is drawn: "
        "did the delineation find its edge there?"
    )


def test_a_thin_strip_beyond_a_drawn_wetland_is_a_sliver() -> None:
    site = wwi(rectangle(560, 60, 700, 159))  # 39 ft beyond
    assert passes(rule, site)
    (checked,) = [said for said in run(rule, site) if isinstance(said, Checked)]
    assert checked.words == (
        "1 reference wetland on the site by wwi.gpkg; what both show lies up to 39 ft apart "
        "(offset 20 ft, drawn 5,460 sq ft or 0.13 acres less); 1 sliver thinner than 40 ft left "
        "aside"
    )


def test_a_code_of_upland_needs_a_person() -> None:
    site = wwi(rectangle(100, 300, 200, 400), doubt=["its class is U, which is upland"])
    (question,) = asks(site)
    assert question.endswith("but its class is U, which is upland: is it wetland?")


def test_skipped_without_a_reference_and_never_passed() -> None:
    checked = check_site(clean_site(), the_ordinance(), now=NOW)
    (outcome,) = [o for o in checked.outcomes if o.rule == "WET001"]
    assert outcome.status is Status.SKIPPED
    assert outcome.why == (
        "no reference was given: --reference with a layer of wetlands would let it judge"
    )


def test_skipped_where_the_reference_does_not_reach_the_site() -> None:
    site = known(
        clean_site(), "wetlands", {"geometry": [rectangle(1000, 0, 1100, 100)]},
        reach=rectangle(900, -900, 2000, 2000),
    )  # fmt: skip
    (said,) = run(rule, site)
    assert isinstance(said, Skip)
    assert "does not reach the site" in said.why


def test_every_fault_names_where_it_is() -> None:
    found = faults_of(rule, wwi(rectangle(50, 300, 250, 400), point(300, 300)))
    assert all(isinstance(f, Fault) and f.geometry is not None for f in found)
    assert len(found) == 2
