"""Soil loss: the published table, the class steps, the date windows, the cumulative erosivity."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.measures.soil_loss import (
    STEEPEST_PCT,
    Cover,
    Erosivity,
    TooSteepError,
    Window,
    calculation_windows,
    kg_per_m2,
    ls_fraction,
    ls_sine,
    slope_exponent,
    us_erodibility,
    us_erosivity,
    window_losses,
)

LENGTHS_FT = (25, 50, 75, 100, 150, 200, 300)
# AH-537, sine form, by slope in percent and length
TABLE = {
    2: (0.132, 0.163, 0.184, 0.201, 0.227, 0.247, 0.279),
    4: (0.230, 0.303, 0.356, 0.400, 0.470, 0.528, 0.620),
    5: (0.267, 0.378, 0.463, 0.535, 0.655, 0.757, 0.927),
    6: (0.336, 0.475, 0.582, 0.672, 0.823, 0.951, 1.164),
    8: (0.496, 0.701, 0.858, 0.991, 1.214, 1.402, 1.717),
    10: (0.684, 0.968, 1.185, 1.369, 1.677, 1.936, 2.371),
    12: (0.902, 1.275, 1.562, 1.804, 2.209, 2.551, 3.124),
    16: (1.419, 2.007, 2.458, 2.838, 3.476, 4.014, 4.916),
    20: (2.039, 2.884, 3.532, 4.078, 4.995, 5.768, 7.064),
    25: (2.945, 4.165, 5.101, 5.890, 7.214, 8.330, 10.202),
}


@pytest.mark.parametrize("slope_pct", TABLE)
def test_the_sine_form_gives_the_published_table(slope_pct: int) -> None:
    found = [ls_sine(length, slope_pct) for length in LENGTHS_FT]
    assert found == pytest.approx(TABLE[slope_pct], abs=0.0006)


def test_both_forms_are_one_on_the_unit_plot() -> None:
    """72.6 ft at 9 % is what LS compares with."""
    assert ls_sine(72.6, 9.0) == pytest.approx(1.0, abs=0.0015)
    assert ls_fraction(72.6, 9.0) == pytest.approx(1.0, abs=0.0015)


@pytest.mark.parametrize("slope_pct", [2.0, 4.0, 8.0, 12.0, 16.0])
def test_the_forms_agree_within_a_few_percent(slope_pct: float) -> None:
    assert ls_fraction(150, slope_pct) == pytest.approx(ls_sine(150, slope_pct), rel=0.025)


@pytest.mark.parametrize(
    ("slope_pct", "m"),
    [(0.0, 0.2), (0.99, 0.2), (1.0, 0.3), (3.0, 0.3), (3.01, 0.4), (3.5, 0.4), (4.5, 0.4),
     (4.99, 0.4), (5.0, 0.5), (33.0, 0.5)],
)  # fmt: skip
def test_the_exponent_steps_where_its_classes_meet(slope_pct: float, m: float) -> None:
    assert slope_exponent(slope_pct) == m


@pytest.mark.parametrize("edge_pct", [1.0, 3.0, 5.0])
def test_ls_jumps_up_at_a_step_on_a_long_slope_and_down_on_a_short_one(edge_pct: float) -> None:
    """Longer than the unit plot a larger m gives more, shorter less: so it is discontinuous."""
    below, above = edge_pct - 1e-6, edge_pct + 1e-6
    assert ls_sine(300, above) / ls_sine(300, below) > 1.1
    assert ls_sine(25, above) / ls_sine(25, below) < 0.95
    assert ls_sine(72.6, above) == pytest.approx(ls_sine(72.6, below), rel=1e-5)


def test_the_older_form_knows_no_class_under_one_percent() -> None:
    assert ls_fraction(300, 0.5) / ls_fraction(72.6, 0.5) == pytest.approx((300 / 72.6) ** 0.3)
    assert ls_sine(300, 0.5) / ls_sine(72.6, 0.5) == pytest.approx((300 / 72.6) ** 0.2)


def test_slopes_over_thirty_three_percent_are_refused_with_the_reason() -> None:
    assert ls_sine(100, STEEPEST_PCT) > ls_sine(100, 25)
    for form in (ls_sine, ls_fraction):
        with pytest.raises(TooSteepError, match=r"33\.1 %.*not valid over 33 %"):
            form(100, 33.1)


@pytest.mark.parametrize(("length_ft", "slope_pct"), [(0, 5), (-1, 5), (100, -1)])
def test_what_is_no_slope_is_refused(length_ft: float, slope_pct: float) -> None:
    with pytest.raises(ValueError, match="no slope"):
        ls_sine(length_ft, slope_pct)


@given(st.floats(10, 1000), st.floats(0, 32), st.floats(1.01, 3))
def test_a_longer_slope_never_loses_less(length_ft: float, slope_pct: float, more: float) -> None:
    assert ls_sine(length_ft * more, slope_pct) > ls_sine(length_ft, slope_pct)


def test_units_are_those_of_the_published_conversion() -> None:
    """R x 17.02 and K x 0.1317 make SI; their product makes 2.242 t/ha of a ton per acre."""
    assert us_erosivity(17.02 * 150, "SI") == pytest.approx(150)
    assert us_erodibility(0.1317 * 0.32, "SI") == pytest.approx(0.32)
    assert (us_erosivity(150, "US"), us_erodibility(0.32, "US")) == (150, 0.32)
    assert kg_per_m2(1.0) == pytest.approx(0.2242)
    assert pytest.approx(2.242, rel=0.001) == 17.02 * 0.1317


# ------------------------------------------------------------------------------------- dates


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def windows(start: str, end: str) -> list[str]:
    return [str(w) for w in calculation_windows(day(start), day(end))]


def test_the_published_example_makes_two_runs() -> None:
    assert windows("2020-04-01", "2021-10-31") == [
        "2020-04-01 to 2021-03-31",
        "2020-11-01 to 2021-10-31",
    ]


def test_up_to_twelve_months_make_one_run() -> None:
    assert windows("2026-06-01", "2026-10-15") == ["2026-06-01 to 2026-10-15"]
    assert windows("2026-06-01", "2027-05-31") == ["2026-06-01 to 2027-05-31"]
    assert windows("2026-06-01", "2026-06-01") == ["2026-06-01 to 2026-06-01"]


def test_one_day_over_a_year_makes_two_and_two_whole_years_make_two() -> None:
    assert windows("2026-06-01", "2027-06-01") == [
        "2026-06-01 to 2027-05-31",
        "2026-06-02 to 2027-06-01",
    ]
    assert len(windows("2026-06-01", "2028-05-31")) == 2
    assert len(windows("2026-06-01", "2028-06-01")) == 3


def test_a_start_on_the_leap_day_makes_a_year_to_the_end_of_february() -> None:
    assert windows("2028-02-29", "2029-02-28") == ["2028-02-29 to 2029-02-28"]


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(ValueError, match="before its start"):
        calculation_windows(day("2026-06-02"), day("2026-06-01"))


@given(st.dates(dt.date(2020, 1, 1), dt.date(2030, 1, 1)), st.integers(0, 1500))
def test_windows_cover_every_day_and_none_is_longer_than_a_year(start: dt.date, days: int) -> None:
    end = start + dt.timedelta(days=days)
    found = calculation_windows(start, end)
    assert (found[0].start, found[-1].end) == (start, end)
    for a, b in itertools.pairwise(found):
        assert b.start <= a.day_after
    assert all((w.day_after - w.start).days <= 366 for w in found)
    assert all((w.day_after - w.start).days >= 365 for w in found) or len(found) == 1


# -------------------------------------------------------------------------------- erosivity


CALIFORNIA = Erosivity({"02-29": 25.7, "09-01": 54.1})


def test_the_published_sum_over_two_and_a_half_years() -> None:
    """Zone 23, annual 35, Feb 29 2012 to Sep 1 2014: two years are 70, the rest 9.94."""
    year = CALIFORNIA.percent(day("2012-02-29"), day("2013-02-28") + dt.timedelta(days=1))
    assert year == pytest.approx(100.0, abs=0.2)
    percent = CALIFORNIA.percent(day("2012-02-29"), day("2014-09-01"))
    assert percent == pytest.approx(228.4)
    assert percent * 35 / 100 == pytest.approx(79.94)
    assert pytest.approx(9.94) == (54.1 - 25.7) * 35 / 100


def test_it_is_straight_between_the_given_days() -> None:
    """Halfway from Jan 1 to Mar 1 (60 days of a leap year) is half of what Mar 1 has."""
    table = Erosivity({"03-01": 20.0, "12-01": 98.0})
    assert table.cumulative_pct(day("2028-01-31")) == pytest.approx(10.0)
    assert table.cumulative_pct(day("2026-01-01")) == 0.0
    assert table.widest_gap_days == 275
    assert table.percent(day("2026-12-01"), day("2027-03-01")) == pytest.approx(22.0)


def test_a_year_is_a_hundred_percent_from_any_day() -> None:
    for start in ("2026-01-01", "2026-05-17", "2027-12-31"):
        begin = day(start)
        assert CALIFORNIA.percent(begin, begin.replace(year=begin.year + 1)) == pytest.approx(100)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ({}, "no day"),
        ({"03-01": 30.0, "06-01": 20.0}, "falls from 30 to 20"),
        ({"01-01": 3.0, "06-01": 20.0}, "begins with 0 %"),
        ({"03-01": 120.0}, "falls from 120 to 100"),
        ({"02-30": 10.0}, "day is out of range|must be in range"),
    ],
)
def test_a_table_that_is_not_cumulative_is_refused(days: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Erosivity(days)


@given(st.dates(dt.date(2020, 1, 1), dt.date(2030, 1, 1)), st.integers(0, 700), st.integers(0, 700))
def test_percents_of_neighbouring_periods_add_up(start: dt.date, a: int, b: int) -> None:
    middle = start + dt.timedelta(days=a)
    end = middle + dt.timedelta(days=b)
    parts = CALIFORNIA.percent(start, middle) + CALIFORNIA.percent(middle, end)
    assert parts == pytest.approx(CALIFORNIA.percent(start, end))


# -------------------------------------------------------------------------------- soil loss


EVEN = Erosivity({"07-01": 100.0 * 182 / 366})  # the same every day


def test_a_whole_bare_year_is_the_product_of_the_factors() -> None:
    (loss,) = window_losses(
        [Cover("bare", day("2027-01-01"), 1.0)], day("2027-12-31"), EVEN, r=150, k=0.3, ls=1.2
    )
    assert loss.erosivity_pct == pytest.approx(100)
    assert loss.tons_per_acre == pytest.approx(150 * 0.3 * 1.2)


def test_each_cover_counts_until_the_next_begins() -> None:
    """A leap year: 182 of 366 days bare, then mulch of C 0.1 to the end."""
    covers = [Cover("mulch", day("2028-07-01"), 0.1), Cover("bare", day("2028-01-01"), 1.0)]
    (loss,) = window_losses(covers, day("2028-12-31"), EVEN, r=100, k=0.5, ls=1.0)
    wanted = 100 * (182 / 366 + 0.1 * 184 / 366)
    assert loss.weighted_pct == pytest.approx(wanted)
    assert loss.tons_per_acre == pytest.approx(100 * wanted / 100 * 0.5)


def test_a_practice_takes_its_share() -> None:
    covers = [Cover("bare", day("2027-01-01"), 1.0)]
    given_ = {"r": 150.0, "k": 0.3, "ls": 1.2}
    (bare,) = window_losses(covers, day("2027-12-31"), EVEN, **given_)
    (held,) = window_losses(covers, day("2027-12-31"), EVEN, efficiency=0.8, **given_)
    assert held.tons_per_acre == pytest.approx(bare.tons_per_acre * 0.2)


def test_a_plan_of_nineteen_months_is_calculated_for_each_run() -> None:
    """Seeded after a year: the first run is bare all through, the second only for five months."""
    covers = [Cover("bare", day("2020-04-01"), 1.0), Cover("grass", day("2021-04-01"), 0.0)]
    first, second = window_losses(covers, day("2021-10-31"), EVEN, r=100, k=1, ls=1)
    assert first.window == Window(day("2020-04-01"), day("2021-03-31"))
    assert first.tons_per_acre == pytest.approx(100)
    assert second.tons_per_acre == pytest.approx(100 * 152 / 366, abs=0.5)


def test_no_cover_and_an_end_before_a_cover_are_refused() -> None:
    with pytest.raises(ValueError, match="no cover"):
        window_losses([], day("2027-12-31"), EVEN, r=1, k=1, ls=1)
    with pytest.raises(ValueError, match="before its cover"):
        window_losses(
            [Cover("bare", day("2027-05-01"), 1.0)], day("2027-04-01"), EVEN, r=1, k=1, ls=1
        )
