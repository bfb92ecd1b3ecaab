"""WVR002: thirty days before the end a warning."""

from __future__ import annotations

import pytest

from sitemap.finding import Severity, Status
from sitemap.rules.waiver_expires_soon import waiver_expires_soon as rule
from tests.clean_site import clean_site
from tests.waived_site import DAY, GRANTED, acres, judged, outcome, waiver

NO_CASE = {"skipped": "it needs no layer; waivers of rules that said nothing are WVR003's"}
END = GRANTED + 100 * DAY


def test_passes_thirty_one_days_before_the_end() -> None:
    checked = judged(rule, waiver(expires=END), now=END - 31 * DAY)
    assert outcome(checked, "WVR002").status is Status.PASSED


def test_at_the_limit_thirty_days_before_the_end_is_found() -> None:
    checked = judged(rule, waiver(expires=END), now=END - 30 * DAY)
    (finding,) = outcome(checked, "WVR002").findings
    assert finding.severity is Severity.WARNING
    assert finding.message.endswith("ends on 2026-08-12, in 30 days")
    assert acres(checked).waiver is not None  # it still holds


@pytest.mark.parametrize(("days", "words"), [(1, "in 1 day"), (0, "today")])
def test_found_up_to_the_last_day(days: int, words: str) -> None:
    checked = judged(rule, waiver(expires=END), now=END - days * DAY)
    (finding,) = outcome(checked, "WVR002").findings
    assert finding.message.endswith(f"ends on 2026-08-12, {words}")


def test_just_over_the_last_day_it_is_the_other_rules_matter() -> None:
    checked = judged(rule, waiver(expires=END), now=END + DAY)
    assert outcome(checked, "WVR002").status is Status.PASSED


def test_passes_where_it_lets_nothing_stand_or_has_no_last_day() -> None:
    idle = judged(rule, waiver(expires=END), now=END, of=clean_site())
    assert outcome(idle, "WVR002").status is Status.PASSED
    assert outcome(judged(rule, waiver(), now=END), "WVR002").status is Status.PASSED


def test_not_applicable_without_waivers() -> None:
    assert outcome(judged(rule), "WVR002").status is Status.NOT_APPLICABLE
