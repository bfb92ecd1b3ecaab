"""JUnit XML: one test case a rule, readable by any XML parser whatever the users' names are."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from sitemap.finding import Severity
from sitemap.report import render
from tests.report import faulty


def cases(fail_on: Severity | None = Severity.ERROR) -> dict[str, ET.Element]:
    root = ET.fromstring(render(faulty.every_kind(), "junit", fail_on))
    return {case.get("name", "")[:6]: case for case in root.iter("testcase")}


def test_every_rule_is_a_test_case_and_the_counts_are_right() -> None:
    root = ET.fromstring(render(faulty.every_kind(), "junit"))
    (suite,) = root.findall("testsuite")
    found = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert found == {"tests": "6", "failures": "3", "errors": "1", "skipped": "2"}
    assert suite.get("timestamp") == "2026-05-04T00:00:00"


def test_a_rule_fails_once_with_all_its_findings() -> None:
    (failure,) = cases()["DST001"].findall("failure")
    assert "3 findings" not in (failure.get("message") or "")
    text = failure.text or ""
    assert "It is too big." in text
    assert "a bit of all" in text
    assert "let stand" not in text  # waived
    assert "by the way" not in text  # a note


def test_findings_below_the_threshold_and_waived_ones_stay_visible() -> None:
    out = cases()["DST001"].findtext("system-out") or ""
    assert "error, waived: let stand" in out
    assert "waived: old pond (City Engineer" in out
    assert "note: a point, by the way" in out


@pytest.mark.parametrize(
    ("fail_on", "failing"),
    [
        (Severity.ERROR, {"CON002", "DST001", "DOC001"}),
        (Severity.WARNING, {"CON002", "DST001", "DOC001"}),
        (None, set()),
    ],
)
def test_the_threshold_is_that_of_the_run(fail_on: Severity | None, failing: set[str]) -> None:
    found = {code for code, case in cases(fail_on).items() if case.find("failure") is not None}
    assert found == failing


def test_what_was_not_judged_is_skipped_with_its_reason() -> None:
    skipped = {code: case.find("skipped") for code, case in cases().items()}
    reasons = {code: s.get("message") for code, s in skipped.items() if s is not None}
    assert reasons == {
        "SCL001": "skipped: no plate was handed in",
        "DOC002": "not applicable: not here",
    }
    error = cases()["GRD001"].find("error")
    assert error is not None
    assert "RuntimeError: it broke" in (error.get("message") or "")


def test_hostile_names_are_text_and_nothing_else() -> None:
    text = render(faulty.hostile(), "junit")
    root = ET.fromstring(text)
    allowed = {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "skipped",
        "system-out", "error",
    }  # fmt: skip
    assert {element.tag for element in root.iter()} <= allowed
    assert "<script>" not in text
    assert "<script>alert(1)</script> is wrong" in "".join(root.itertext())
