"""CRS007: a site in the next town, or across the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.ordinance import load_ordinance
from sitemap.rules.outside_jurisdiction import outside_jurisdiction as rule
from sitemap.rules.rule import Ask, Fault, NotApplicable, Skip
from sitemap.site import Site
from tests.clean_site import (
    SITE_ACRES,
    clean_site,
    faults_of,
    passes,
    rectangle,
    run,
    with_facts,
    with_layer,
    without,
)
from tests.intake.makers import frame, write
from tests.references import known

NO_CASE: dict[str, str] = {}


def limits(*towns: tuple[str, tuple[float, float, float, float]]) -> Site:
    """The clean site, which reaches from 0 to 800 and 0 to 600, with these municipal limits."""
    data = {"geometry": [rectangle(*box) for _, box in towns], "name": [name for name, _ in towns]}
    return with_layer(clean_site(), "jurisdiction", data)


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_inside() -> None:
    assert passes(rule, limits(("Muskego", (-9000, -9000, 9000, 9000))))


def test_found_outside_altogether_as_an_error() -> None:
    fault = only(limits(("Muskego", (2000, 0, 9000, 9000))))
    assert fault.message == "the site lies 1,200 ft outside the jurisdiction (Muskego)"
    assert fault.severity is Severity.ERROR
    assert fault.measured.value == pytest.approx(SITE_ACRES, abs=0.001)


def test_found_in_part_as_a_warning() -> None:
    """A quarter of the site, 200 of 800 ft, lies east of the line."""
    fault = only(limits(("Muskego", (-9000, -9000, 600, 9000))))
    assert fault.message == (
        "2.75 of the site's 11.02 acres lie outside the jurisdiction (Muskego)"
    )
    assert fault.severity is Severity.WARNING
    assert fault.geometry.equals(rectangle(600, 0, 800, 600))


def test_at_the_limit_one_percent_outside_passes() -> None:
    """8 of 800 ft."""
    assert passes(rule, limits(("Muskego", (-9000, -9000, 792.01, 9000))))


def test_just_over_is_found() -> None:
    assert only(limits(("Muskego", (-9000, -9000, 791.9, 9000)))).measured.value > SITE_ACRES / 100


def test_found_by_the_municipality_that_is_named() -> None:
    """The site lies in Franklin; site.toml names Muskego, which ends west of it."""
    towns = ("Muskego", (-9000, -9000, -100, 9000)), ("Franklin", (-100, -9000, 9000, 9000))
    fault = only(limits(*towns))
    assert "100 ft outside the jurisdiction (Muskego)" in fault.message


EVERYWHERE = (-9000.0, -9000.0, 9000.0, 9000.0)
ELSEWHERE = (5000.0, 0.0, 9000.0, 9000.0)


@pytest.mark.parametrize(
    "other", ["Waukesha", "City of Waukesha", "Town of Muskego", "Muskego Lake", "Go"]
)
def test_a_name_that_only_resembles_is_another_municipality(other: str) -> None:
    """Under the law of the City of Muskego, Waukesha County; the site lies in the other one."""
    law = load_ordinance("muskego")
    site = limits(("MUSKEGO, CITY OF", ELSEWHERE), (other, EVERYWHERE))
    (fault,) = [s for s in run(rule, site, ordinance=law) if isinstance(s, Fault)]
    assert fault.message == "the site lies 4,200 ft outside the jurisdiction (MUSKEGO, CITY OF)"


@pytest.mark.parametrize("stated", ["Muskego", "City of Muskego, WI", "Muskego WI", "muskego (C)"])
def test_the_municipality_is_known_by_any_of_its_names(stated: str) -> None:
    site = with_facts(limits(("Muskego", EVERYWHERE), ("Franklin", ELSEWHERE)), municipality=stated)
    assert passes(rule, site)


def test_several_that_nobody_names_need_a_person() -> None:
    towns = ("Vernon", (-9000, -9000, 400, 9000)), ("Franklin", (400, -9000, 9000, 9000))
    (said,) = run(rule, with_facts(limits(*towns), municipality=None))
    assert isinstance(said, Ask)
    assert "Franklin, Vernon" in said.question


def test_not_applicable_without_a_jurisdiction_layer() -> None:
    (said,) = run(rule, clean_site())
    assert isinstance(said, NotApplicable)


def test_skipped_without_a_boundary() -> None:
    assert isinstance(run(rule, without(clean_site(), "boundary"))[0], Skip)


def test_found_by_the_limits_of_a_reference_before_those_handed_in() -> None:
    """The map says that the site lies in Muskego, the State's layer that it does not."""
    site = limits(("Muskego", (-9000, -9000, 9000, 9000)))
    features = {"geometry": [rectangle(900, -900, 2000, 2000)], "name": ["Muskego"]}
    fault = only(known(site, "jurisdiction", features))
    assert fault.message == "the site lies 100 ft outside the jurisdiction (Muskego)"


def test_passes_inside_the_limits_of_a_reference_alone() -> None:
    features = {"geometry": [rectangle(-900, -900, 2000, 2000)], "name": ["Muskego"]}
    assert passes(rule, known(clean_site(), "jurisdiction", features))


def test_asked_where_the_site_lies_outside_the_area_of_the_ordinances_crs(tmp_path: Path) -> None:
    """Metres of UTM 16 that say they are UTM 15 lie in Iowa, sound in themselves."""
    data = frame().to_crs(26916).set_crs(26915, allow_override=True)
    site = open_site(write(data, tmp_path / "site_boundary.shp"))
    law = load_ordinance("muskego")
    (asked,) = run(rule, site, ordinance=law)
    assert isinstance(asked, Ask)
    assert asked.question.startswith("the site lies at 42.90 N, 94.13 W, outside the area of NAD83")
    at_home = open_site(write(frame(), tmp_path / "home" / "site_boundary.shp"))
    (said,) = run(rule, at_home, ordinance=law)
    assert isinstance(said, NotApplicable)
