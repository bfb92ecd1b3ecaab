"""WET003: by whom and when, and not long ago."""

from __future__ import annotations

import datetime as dt

import pytest

from sitemap.finding import Severity
from sitemap.rules.delineation_source_or_date_missing import (
    delineation_source_or_date_missing as rule,
)
from sitemap.rules.rule import Fault
from tests.clean_site import clean_site, faults_of, passes, run, set_value

NO_CASE = {
    "not_applicable": "wetlands declared none are the engine's to tell",
    "skipped": "without wetlands the engine skips",
}


def dated(text: str | None):
    return set_value(clean_site(), "wetlands", 0, "delineation_date", text)


def on(text: str, now: dt.date) -> list[Fault]:
    return [s for s in run(rule, dated(text), now=now) if isinstance(s, Fault)]


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())
    assert rule.default_severity is Severity.WARNING


def test_found_without_a_date() -> None:
    (fault,) = faults_of(rule, dated(None))
    assert fault.message == "wetland W-1: the date of the delineation is missing"
    assert fault.field_name == "delineation_date"


def test_found_without_any_source_but_one_is_enough() -> None:
    site = set_value(clean_site(), "wetlands", 0, "source", None)
    assert passes(rule, site)
    (fault,) = faults_of(rule, set_value(site, "wetlands", 0, "delineator", None))
    assert fault.message == "wetland W-1: delineator and source are missing"


def test_found_both_in_one_finding() -> None:
    site = set_value(dated(None), "wetlands", 0, "source", None)
    (fault,) = faults_of(rule, set_value(site, "wetlands", 0, "delineator", None))
    assert "missing and the date" in fault.message


@pytest.mark.parametrize("text", ["2025-02-30", "spring of 2025", "2025"])
def test_found_a_date_that_is_no_day(text: str) -> None:
    assert "no day of the calendar" in faults_of(rule, dated(text))[0].message


def test_at_the_limit_exactly_five_years_pass() -> None:
    assert on("2021-06-17", dt.date(2026, 6, 17)) == []


def test_just_over_five_years_is_found_with_its_age() -> None:
    (fault,) = on("2021-06-17", dt.date(2026, 6, 18))
    assert fault.message == "wetland W-1: the delineation of 2021-06-17 is 5.0 years old"
    assert (fault.measured.value, fault.limit.value) == (5.0, 5.0)


def test_a_leap_day_comes_round_on_the_last_of_february() -> None:
    assert on("2020-02-29", dt.date(2025, 2, 28)) == []
    assert len(on("2020-02-29", dt.date(2025, 3, 1))) == 1


def test_found_a_date_in_the_future() -> None:
    assert "lies in the future" in on("2026-06-17", dt.date(2026, 6, 16))[0].message


def test_passes_on_the_day_of_the_delineation_itself() -> None:
    assert on("2026-06-16", dt.date(2026, 6, 16)) == []
