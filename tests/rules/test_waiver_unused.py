"""WVR003: a waiver that is about nothing, or about nothing yet."""

from __future__ import annotations

from sitemap.finding import Severity, Status
from sitemap.rules.waiver_unused import waiver_unused as rule
from tests.clean_site import at, clean_site, rectangle
from tests.waived_site import DAY, GRANTED, acres, judged, outcome, waiver


def unused(*waivers: object, **more: object) -> list[str]:
    checked = judged(rule, *waivers, **more)  # type: ignore[arg-type]
    return [f.message for f in outcome(checked, "WVR003").findings]


def test_passes_a_waiver_that_lets_a_finding_stand() -> None:
    checked = judged(rule, waiver())
    assert outcome(checked, "WVR003").status is Status.PASSED
    assert acres(checked).waiver is not None


def test_found_where_it_is_about_nothing() -> None:
    checked = judged(rule, waiver(), of=clean_site())
    (finding,) = outcome(checked, "WVR003").findings
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "waiver 1 of site.toml (BND002, City Engineer, 2026-05-04) is about no finding of this run"
    )


def test_found_where_another_fingerprint_rule_law_or_area_is_named() -> None:
    """Every part of a waiver narrows it; together none of these is about the finding."""
    assert len(unused(waiver(fingerprint="0" * 16))) == 1
    assert len(unused(waiver(rule="BND003", area=None), waiver())) == 1
    assert len(unused(waiver(ordinance="wi-nr216"))) == 1
    elsewhere = at(rectangle(0, 0, 10, 10)).wkt
    assert len(unused(waiver(area=elsewhere))) == 1


def test_passes_by_fingerprint_alone_in_any_case_of_letters() -> None:
    print_ = acres(judged(rule)).fingerprint
    assert unused(waiver(rule=None, fingerprint=print_.upper())) == []


def test_found_where_it_is_over_as_well() -> None:
    (words,) = unused(waiver(expires=GRANTED), now=GRANTED + DAY, of=clean_site())
    assert words.endswith("is about no finding of this run; it expired on 2026-05-04")


def test_at_the_limit_the_day_of_its_date_counts() -> None:
    assert unused(waiver(), now=GRANTED) == []


def test_just_over_the_day_before_its_date_does_not() -> None:
    checked = judged(rule, waiver(), now=GRANTED - DAY)
    (finding,) = outcome(checked, "WVR003").findings
    assert finding.message.endswith(
        "is dated after 2026-05-03, the day of the run: it does not count yet"
    )
    assert acres(checked).waiver is None


def test_skipped_where_the_rule_it_is_about_was_left_out() -> None:
    checked = judged(rule, waiver(), ignore=["BND"])
    assert outcome(checked, "WVR003").status is Status.SKIPPED
    assert "1 of 1 waivers" in outcome(checked, "WVR003").why


def test_not_applicable_without_waivers() -> None:
    assert outcome(judged(rule), "WVR003").status is Status.NOT_APPLICABLE
