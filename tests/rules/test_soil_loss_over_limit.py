"""SOI001: at most five tons per acre and year, with factors that the user supplies."""

from __future__ import annotations

import datetime as dt

import pytest

from sitemap.measures.soil_loss import ls_sine
from sitemap.project import CoverFrom, SoilLoss, SoilLossArea
from sitemap.rules.rule import Ask, Checked, Skip
from sitemap.rules.soil_loss_over_limit import soil_loss_over_limit as rule
from sitemap.site import Site
from sitemap.soil_factors import Factor, SoilFactors
from tests.clean_ground import rectangle
from tests.clean_site import (
    FACTORS,
    clean_site,
    faults_of,
    passes,
    run,
    set_value,
    with_layer,
    with_project,
    without,
)

NO_CASE = {"not_applicable": "the standard holds for every disturbed site"}
LS_150_AT_4 = 0.470  # AH-537, published
BARE_ALL_YEAR = (CoverFrom(cover="bare", start=dt.date(2026, 6, 1)),)


def with_wishes(site: Site, **wishes: object) -> Site:
    return with_project(site, soil_loss=site.project.soil_loss.model_copy(update=wishes))


def with_factors(site: Site, *rows: tuple[str, str, float, str], drop: str = "") -> Site:
    """The factors with some of one name taken away and others in their place."""
    new = [Factor(n, k, v, u, "made up", 90) for n, k, v, u in rows]  # type: ignore[arg-type]
    keys = {(f.name, f.key) for f in new}
    kept = [f for f in FACTORS if f.name != drop and (f.name, f.key) not in keys]
    return with_project(site, soil_factors=SoilFactors("factors.csv", (*kept, *new)))


def one_area(**said: object) -> Site:
    given = {"id": "DA-1", "slope_length_ft": 150.0, "soil": "HmB2", **said}
    return with_wishes(clean_site(), areas=(SoilLossArea(**given),))  # type: ignore[arg-type]


def tons(site: Site) -> list[float]:
    """The numbers in the evidence."""
    said = run(rule, site)
    return [float(s.words.split(": ")[1].split()[0]) for s in said if isinstance(s, Checked)]


def test_passes_and_tells_every_part() -> None:
    """150 x (55 % bare + 12 % of C 0.1) x 0.3 x LS x 0.2; Oct 16 lies 45 of 61 days on."""
    assert passes(rule, clean_site())
    first, second = run(rule, clean_site())
    share = 85.0 + 12.0 * 45 / 61 - 30.0
    weighted = 55.0 + 0.1 * 12.0 * 45 / 61
    wanted = 150 * weighted / 100 * 0.3 * LS_150_AT_4 * 0.2
    assert isinstance(first, Checked)
    assert first.words == (
        f"DA-1: {wanted:.2f} tons/acre/year (at most 5), 2026-06-01 to 2026-10-15: "
        f"R 150 x {share:.4g} %, read over up to 121 days x K 0.3 (HmB2, as stated, by "
        f"factors.csv) x LS 0.470 x C {weighted / share:.3g} x (1 - 0.8 of SB); sheet and rill "
        "erosion only"
    )
    assert isinstance(second, Checked)
    assert second.words.startswith("DA-2: ")


def test_found_without_a_practice_and_without_mulch() -> None:
    """Bare all the time and no basin: 150 x 63.9 % x 0.3 x 0.470 = 13.5 tons."""
    site = one_area(covers=BARE_ALL_YEAR, practices=("SF",))
    site = with_factors(site, ("practice", "SF", 0.0, "ratio"))
    (fault,) = faults_of(rule, site)
    wanted = 150 * (55 + 12 * 45 / 61) / 100 * 0.3 * ls_sine(150, 4)
    assert fault.measured.value == pytest.approx(wanted, abs=1e-4)
    assert wanted == pytest.approx(13.5, abs=0.05)
    assert (fault.measured.unit, fault.limit.value) == ("tons/acre/year", 5.0)
    assert fault.measured.tolerance is None
    assert "sheet and rill erosion only" in fault.message
    assert fault.geometry.equals(rectangle(150, 200, 350, 500))
    assert (fault.role, fault.source.user_id) == ("drainage_areas", "DA-1")


def test_a_person_says_what_covers_the_ground_before_the_first_cover() -> None:
    """D-1 is opened on June 1; a plan from the mulch of September on would count no bare day."""
    mulched = (CoverFrom(cover="mulch", start=dt.date(2026, 9, 1)),)
    whole = {"id": "D-1", "slope_pct": 4.0, "covers": mulched}
    (ask,) = run(rule, one_area(**whole))
    assert isinstance(ask, Ask)
    assert ask.question.endswith(
        "supply its cover from 2026-06-01, when its ground is opened, to 2026-09-01, when the "
        "first begins"
    )
    later = set_value(one_area(**whole), "disturbance", 0, "start", "2026-09-01")
    assert passes(rule, later)
    undated = set_value(one_area(**whole), "disturbance", 0, "start", None)
    assert passes(rule, undated)


def at_limit(more: float, slope_pct: float = 8.0) -> Site:
    """R chosen so that the loss of the whole disturbed area is five tons, times `more`."""
    product = (55 + 0.1 * 12 * 45 / 61) / 100 * 0.3 * ls_sine(100, slope_pct) * 0.2
    site = one_area(id="D-1", slope_length_ft=100.0, slope_pct=slope_pct)
    return with_factors(site, ("R", "Hillside", 5.0 / product * more, "US"))


def test_at_the_limit_exactly_five_tons_pass() -> None:
    assert passes(rule, at_limit(1.0))


def test_at_the_limit_a_person_decides_where_the_forms_of_ls_fall_on_both_sides() -> None:
    """At 12 % the older form gives 0.6 % more than the sine form."""
    said = run(rule, at_limit(1.0, slope_pct=12.0))
    assert [type(s) for s in said] == [Checked, Ask]
    assert "loses 5.00 tons/acre/year by the one form of LS and 5.03 by the other" in (
        said[1].question  # type: ignore[union-attr]
    )
    assert passes(rule, at_limit(0.99, slope_pct=12.0))


def test_just_over_the_limit_is_found() -> None:
    (fault,) = faults_of(rule, at_limit(1.001, slope_pct=9.0))
    assert fault.measured.value == pytest.approx(5.005, abs=1e-3)


def test_skipped_without_any_area() -> None:
    site = with_wishes(without(clean_site(), "drainage_areas", "disturbance"), areas=())
    (skip,) = run(rule, site)
    assert isinstance(skip, Skip)


def test_without_factors_a_person_decides_and_nothing_is_assumed() -> None:
    (ask,) = run(rule, with_project(clean_site(), soil_factors=None, soil_loss=SoilLoss()))
    assert isinstance(ask, Ask)
    assert ask.clause == "9c2a"
    assert "supply factors" in ask.question
    assert "nothing is assumed" in ask.question


@pytest.mark.parametrize("name", ["R", "percent_R"])
def test_without_the_factors_of_the_place_a_person_decides(name: str) -> None:
    (ask,) = run(rule, with_factors(clean_site(), drop=name))
    assert isinstance(ask, Ask)
    assert f"has no {name}" in ask.question


def test_a_table_that_falls_is_named() -> None:
    (ask,) = run(rule, with_factors(clean_site(), ("percent_R", "08-15", 60.0, "pct")))
    assert isinstance(ask, Ask)
    assert "falls from 70 to 60" in ask.question


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"slope_length_ft": None}, "its slope length"),
        ({"covers": (CoverFrom(cover="gravel", start=dt.date(2026, 6, 1)),)}, "C of 'gravel'"),
        ({"practices": ("XX",)}, "efficiency of practice 'XX'"),
        ({"soil": "ZZ"}, "K of the map unit ZZ"),
        ({"soil": None}, "its soil, or a soils layer"),
        ({"end": dt.date(2026, 6, 15)}, "before its cover of 2026-09-01"),
    ],
)
def test_what_is_missing_is_asked_for_by_name(said: dict[str, object], words: str) -> None:
    site = without(one_area(**said), "soils")
    asks = [s for s in run(rule, site) if isinstance(s, Ask)]
    assert words in asks[0].question
    assert asks[0].question.startswith("the soil loss of DA-1 was not calculated: ")
    assert asks[0].geometry is not None


def test_without_covers_or_an_end_a_person_decides() -> None:
    bare = with_wishes(one_area(), covers=())
    facts = bare.project.project.model_copy(update={"end": None})
    asks = [s for s in run(rule, with_project(bare, project=facts)) if isinstance(s, Ask)]
    assert "its covers with their dates (covers), the day of final stabilization" in (
        asks[0].question
    )


def test_slopes_over_thirty_three_percent_are_a_persons() -> None:
    asks = [s for s in run(rule, one_area(slope_pct=33.5)) if isinstance(s, Ask)]
    assert "33.5 %: the soil loss equation is not valid over 33 %" in asks[0].question


def test_k_is_taken_from_the_largest_soil_of_the_layer_and_said() -> None:
    """Two thirds of DA-1 are ThB with K of the layer; HmB2 lies under the rest."""
    soils = {
        "geometry": [rectangle(0, 300, 800, 600), rectangle(0, 0, 800, 300)],
        "map_unit": ["ThB", "HmB2"],
        "k_factor": [0.2, 0.99],
    }
    site = with_layer(one_area(soil=None), "soils", soils)
    said = [s for s in run(rule, site) if isinstance(s, Checked)]
    assert "K 0.2 (ThB, 67% of its ground, by the soils layer)" in said[0].words
    named = with_layer(one_area(soil="thb"), "soils", soils)
    said = [s for s in run(rule, named) if isinstance(s, Checked)]
    assert "K 0.2 (thb, as stated, by the soils layer)" in said[0].words


def test_the_factors_file_goes_before_the_layer() -> None:
    soils = {"geometry": [rectangle(0, 0, 800, 600)], "map_unit": ["HmB2"], "k_factor": [0.99]}
    said = run(rule, with_layer(one_area(soil=None), "soils", soils))
    assert "K 0.3 (HmB2, 100% of its ground, by factors.csv)" in said[0].words  # type: ignore[union-attr]


def test_of_several_practices_the_best_one_counts() -> None:
    assert tons(one_area(practices=("SF", "SB"))) == tons(one_area(practices=("SB",)))
    assert tons(one_area(practices=("SF",)))[0] == pytest.approx(
        tons(one_area(practices=("SB",)))[0] * 3, abs=0.02
    )


def test_without_entries_each_worked_drainage_area_is_calculated() -> None:
    """Slope length from the field; a drainage area without disturbed ground does not count."""
    areas = {
        "geometry": [rectangle(150, 200, 550, 500), rectangle(0, 0, 100, 100)],
        "id": ["DA-1", "DA-9"],
        "slope_pct": [4.0, 4.0],
        "slope_length_ft": [150.0, 150.0],
    }
    soils = {"geometry": [rectangle(0, 0, 800, 600)], "map_unit": ["HmB2"], "k_factor": [None]}
    site = with_wishes(with_layer(clean_site(), "drainage_areas", areas), areas=())
    site = with_layer(site, "soils", soils)
    assert [s.words[:5] for s in run(rule, site) if isinstance(s, Checked)] == ["DA-1:"]


def test_disturbed_ground_in_no_area_is_asked_for() -> None:
    asks = [s for s in run(rule, one_area()) if isinstance(s, Ask)]
    assert len(asks) == 1
    assert asks[0].question.startswith("1.38 acres of disturbed ground lie in no area")
    assert asks[0].geometry.equals(rectangle(350, 200, 550, 500))


def test_an_entry_without_a_feature_is_calculated_without_a_place() -> None:
    site = one_area(id="north slope", slope_pct=4.0, practices=("SF",), covers=BARE_ALL_YEAR)
    (fault,) = faults_of(rule, site)
    assert (fault.geometry, fault.source.file, fault.distinct) == (None, None, "north slope")


def test_a_plan_of_two_seasons_is_judged_by_its_worst_twelve_months() -> None:
    covers = (*BARE_ALL_YEAR, CoverFrom(cover="mulch", start=dt.date(2027, 6, 1)))
    site = one_area(covers=covers, end=dt.date(2027, 12, 31), practices=("SB",))
    (said, *_) = run(rule, site)
    assert isinstance(said, Checked)
    assert "2026-06-01 to 2027-05-31: R 150 x 100 %" in said.words


def test_factors_in_si_units_give_the_same() -> None:
    us = tons(clean_site())
    site = with_factors(
        clean_site(), ("R", "Hillside", 150 * 17.02, "SI"), ("K", "HmB2", 0.3 * 0.1317, "SI")
    )
    assert tons(site) == us
