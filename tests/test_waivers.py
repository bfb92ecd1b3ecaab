"""Waivers: what they are about, that nothing is hidden, that only those in force lift a fault."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from shapely.geometry import LineString

from sitemap.check import check_site
from sitemap.checked import CheckedSite, exit_code
from sitemap.finding import Severity, Source, Status, Verdict
from sitemap.project import WaiverEntry
from sitemap.report.json import json_schema, to_dict
from sitemap.report.text import to_text
from tests.tiny_site import (
    NOW,
    X0,
    Y0,
    check,
    clause,
    fault,
    make_rule,
    pack,
    says,
    site,
    spot,
    square,
)  # fmt: skip

LAW = pack(clause("d", "DST001", "DST002"))
SECOND = Source(user_id="D-2")
TWO = (
    make_rule("DST001", says(fault(), fault(source=SECOND, geometry=spot(5, 5))), "d"),
    make_rule("DST002", says(fault(geometry=None, source=Source())), "d"),
)


def waiver(**more: Any) -> WaiverEntry:
    given = {"reason": "built before 1990", "authority": "City Engineer", "date": "2026-01-05"}
    return WaiverEntry.model_validate({**given, **more})


def run(*waivers: WaiverEntry, now: dt.date = NOW) -> CheckedSite:
    project = site().project.model_copy(update={"waivers": waivers})
    return check_site(replace(site(), project=project), LAW, now=now, rules=TWO)


def waived(checked: CheckedSite) -> set[tuple[str, str | None]]:
    return {(f.rule, f.source.user_id) for f in checked.waived}


@pytest.mark.parametrize(
    ("about", "lifted"),
    [
        ({"rule": "DST001"}, {("DST001", "D-1"), ("DST001", "D-2")}),
        ({"rule": "dst"}, {("DST001", "D-1"), ("DST001", "D-2"), ("DST002", None)}),
        ({"area": square(140, 140, 120).wkt}, {("DST001", "D-1")}),
        ({"area": list(square(0, 0, 120).exterior.coords)}, {("DST001", "D-2")}),
        ({"rule": "DST002", "area": square(0, 0, 400).wkt}, set()),  # it has no place
        ({"area": square(200, 140, 120).wkt}, set()),  # the fault lies partly outside
    ],
)
def test_rule_prefix_and_area_say_what_it_is_about(
    about: dict[str, Any], lifted: set[tuple[str, str | None]]
) -> None:
    assert waived(run(waiver(**about))) == lifted


def test_a_fingerprint_lifts_one_finding() -> None:
    (first, *_) = run().findings
    checked = run(waiver(fingerprint=first.fingerprint))
    assert [f.fingerprint for f in checked.waived] == [first.fingerprint]


def test_a_waived_finding_stays_with_its_severity_and_does_not_count() -> None:
    checked = run(waiver(rule="DST", condition="fence kept until seeding", expires="2027-01-05"))
    assert len(checked.findings) == 3
    assert {f.severity for f in checked.findings} == {Severity.ERROR}
    assert exit_code(checked, Severity.WARNING) == 0
    assert checked.verdict is Verdict.COMPLIES
    assert checked.clauses[0].status is Status.PASSED
    assert checked.clauses[0].words == "passed, 3 waived"
    assert checked.causes == ()


def test_text_and_json_show_who_waived_what_until_when_on_what_condition() -> None:
    checked = run(waiver(rule="DST", condition="fence kept until seeding", expires="2027-01-05"))
    text = to_text(checked)
    assert "error (waived) DST001" in text
    said = (
        "built before 1990 (City Engineer, 2026-01-05, until 2027-01-05); on condition: fence kept "
        "until seeding"
    )
    assert said in " ".join(text.split())
    assert "3 waived" in text
    report = to_dict(checked)
    assert report["counts"] == {
        "error": 0, "warning": 0, "info": 0, "waived": 3, "confirmations": 0,
    }  # fmt: skip
    assert report["waivers"][0]["findings"] == [1, 2, 3]
    assert report["waivers"][0]["state"] == "in force"
    assert list(Draft202012Validator(json_schema()).iter_errors(report)) == []


def test_the_first_waiver_of_site_toml_that_is_about_a_finding_lifts_it() -> None:
    checked = run(waiver(rule="DST001", reason="first"), waiver(rule="DST", reason="second"))
    reasons = {f.rule: f.waiver.reason for f in checked.findings if f.waiver}
    assert reasons == {"DST001": "first", "DST002": "second"}


@pytest.mark.parametrize(
    ("now", "holds"),
    [("2026-01-04", False), ("2026-01-05", True), ("2026-02-01", True), ("2026-02-02", False)],
)
def test_both_its_days_are_within_it(now: str, holds: bool) -> None:
    checked = run(waiver(rule="DST", expires="2026-02-01"), now=dt.date.fromisoformat(now))
    assert bool(checked.waived) is holds
    assert exit_code(checked, Severity.ERROR) == (0 if holds else 1)


def test_a_waived_error_still_keeps_back_the_rules_that_wait_for_it() -> None:
    """A permit to leave the boundary open does not make it possible to measure within it."""
    first = make_rule("BND001", says(fault(role="boundary")), "d")
    then = make_rule("DST001", says(fault()), "d", after=("BND001",))
    project = site().project.model_copy(update={"waivers": (waiver(rule="BND001"),)})
    law = pack(clause("d", "BND001", "DST001"))
    checked = check(first, then, law=law, of=replace(site(), project=project))
    assert checked.outcomes[1].status is Status.SKIPPED


def test_a_wild_geometry_is_looked_for_by_its_vertices() -> None:
    wild = LineString([(X0 + 1, Y0 + 1), (float("inf"), Y0 + 1)])
    rule = make_rule("DST001", says(fault(geometry=wild)), "d")
    project = site().project.model_copy(update={"waivers": (waiver(area=square(0, 0).wkt),)})
    checked = check(rule, law=LAW, of=replace(site(), project=project))
    assert checked.waived == ()


def test_a_file_of_an_area_without_a_map_crs_is_about_nothing() -> None:
    project = site().project.model_copy(update={"waivers": (waiver(area="zone.gpkg"),)})
    checked = check(*TWO, law=LAW, of=replace(site(), project=project))
    assert checked.waived == ()
