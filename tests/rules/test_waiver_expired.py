"""WVR001: the last day counts, the day after does not."""

from __future__ import annotations

from sitemap.checked import exit_code
from sitemap.finding import Severity, Status, Verdict
from sitemap.rules.waiver_expired import waiver_expired as rule
from tests.clean_site import clean_site
from tests.waived_site import DAY, GRANTED, acres, judged, outcome, waiver

NO_CASE = {"skipped": "it needs no layer; waivers of rules that said nothing are WVR003's"}


def test_passes_a_waiver_without_a_last_day() -> None:
    checked = judged(rule, waiver(), now=GRANTED + 3650 * DAY)
    assert outcome(checked, "WVR001").status is Status.PASSED
    assert acres(checked).waiver is not None


def test_at_the_limit_the_last_day_still_counts() -> None:
    checked = judged(rule, waiver(expires=GRANTED + 9 * DAY), now=GRANTED + 9 * DAY)
    assert outcome(checked, "WVR001").status is Status.PASSED
    assert acres(checked).waiver is not None
    assert checked.verdict is not Verdict.DOES_NOT_COMPLY


def test_just_over_the_day_after_is_an_error_and_the_fault_counts_again() -> None:
    checked = judged(rule, waiver(expires=GRANTED + 9 * DAY), now=GRANTED + 10 * DAY)
    (finding,) = outcome(checked, "WVR001").findings
    assert finding.severity is Severity.ERROR
    assert acres(checked).waiver is None
    assert exit_code(checked, Severity.ERROR) == 1


def test_found_with_who_when_and_what_counts_again() -> None:
    checked = judged(rule, waiver(expires=GRANTED + DAY), now=GRANTED + 8 * DAY)
    (finding,) = outcome(checked, "WVR001").findings
    assert finding.message == (
        "waiver 1 of site.toml (BND002, City Engineer, 2026-05-04) expired on 2026-05-05; what it "
        "waived counts again: BND002, 1 in all"
    )
    assert finding.measured is not None
    assert finding.measured.value == 7


def test_passes_an_expired_waiver_that_is_about_nothing() -> None:
    old = waiver(expires=GRANTED + DAY)
    checked = judged(rule, old, now=GRANTED + 8 * DAY, of=clean_site())
    assert outcome(checked, "WVR001").status is Status.PASSED


def test_not_applicable_without_waivers() -> None:
    assert outcome(judged(rule), "WVR001").status is Status.NOT_APPLICABLE
