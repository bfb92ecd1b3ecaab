"""DOC001: each missing fact with its clause and how to write it."""

from __future__ import annotations

import datetime as dt

import pytest

from sitemap.project import Project
from sitemap.rules.project_fact_missing import FACTS
from sitemap.rules.project_fact_missing import project_fact_missing as rule
from tests.clean_site import clean_site, faults_of, passes, with_facts, with_project

NO_CASE = {
    "not_applicable": "every plan states these facts",
    "skipped": "it needs no role",
}


def test_passes_with_all_facts() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(
    ("fact", "clause"),
    [
        ("owner", "3a"),
        ("owner_address", "3a"),
        ("consultant", "3a"),
        ("consultant_address", "3a"),
        ("contact", "3a"),
        ("start", "3a"),
        ("end", "3a"),
        ("description", "3b"),
        ("site_acres", "3d"),
        ("disturbed_acres", "3d"),
        ("receiving_water", "3h"),
    ],
)
def test_found_one_finding_per_fact_with_its_clause(fact: str, clause: str) -> None:
    """Clauses as in § 162-11B(3): who and when (a), what (b), how much (d), where to (h)."""
    (fault,) = faults_of(rule, with_facts(clean_site(), **{fact: None}))
    assert fault.clauses == (clause,)
    assert fault.field_name == fact
    assert "is not stated" in fault.message
    assert f"[project] {fact} = " in fault.how_to_fix


def test_found_all_of_them_without_a_site_toml() -> None:
    faults = faults_of(rule, with_project(clean_site(), project=Project().project))
    assert [f.field_name for f in faults] == [fact for fact, *_ in FACTS]
    assert "there is none yet" in faults[0].how_to_fix


def test_found_when_a_fact_is_blank() -> None:
    assert len(faults_of(rule, with_facts(clean_site(), contact=" "))) == 1


def test_at_the_limit_an_end_one_day_after_the_start_passes() -> None:
    day = dt.date(2026, 6, 1)
    assert passes(rule, with_facts(clean_site(), start=day, end=day + dt.timedelta(days=1)))


def test_just_over_an_end_on_the_day_of_the_start_is_found() -> None:
    day = dt.date(2026, 6, 1)
    (fault,) = faults_of(rule, with_facts(clean_site(), start=day, end=day))
    assert "ends on 2026-06-01, which is not after its start on 2026-06-01" in fault.message
    assert fault.measured.value == 0
    assert fault.clauses == ("3a",)
