"""SARIF keeps to the OASIS schema, and says what the check said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from sitemap.checked import CheckedSite
from sitemap.finding import Severity
from sitemap.report import render
from sitemap.report.sarif import page_markdown
from sitemap.rules import RULES
from tests.clean_site import clean_site
from tests.report import faulty

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0-rtm.5.json").read_text("utf-8"))
VALIDATOR = Draft4Validator(SCHEMA, format_checker=Draft4Validator.FORMAT_CHECKER)


def log_of(checked: CheckedSite, fail_on: Severity | None = Severity.ERROR) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(render(checked, "sarif", fail_on))
    return log


def run_of(checked: CheckedSite, fail_on: Severity | None = Severity.ERROR) -> dict[str, Any]:
    (run,) = log_of(checked, fail_on)["runs"]
    found: dict[str, Any] = run
    return found


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return run_of(faulty.every_kind())


def real() -> CheckedSite:
    """The clean site under a real pack: rules with their pages."""
    from sitemap.check import check_site
    from tests.clean_site import NOW, the_ordinance, without

    return check_site(without(clean_site(), "grid"), the_ordinance(), now=NOW)


def test_the_schema_is_that_of_the_standard() -> None:
    Draft4Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["enum"] == ["2.1.0"]


@pytest.mark.parametrize("make", [faulty.every_kind, faulty.clean, faulty.hostile, real])
def test_it_keeps_to_the_schema(make: Callable[[], CheckedSite]) -> None:
    errors = [f"{list(e.path)}: {e.message}" for e in VALIDATOR.iter_errors(log_of(make()))]
    assert errors == []


def test_the_schema_test_can_fail() -> None:
    log = log_of(faulty.clean())
    log["runs"][0]["approved"] = True
    assert len(list(VALIDATOR.iter_errors(log))) == 1


def test_every_finding_is_a_result_with_level_and_fingerprint(run: dict[str, Any]) -> None:
    checked = faulty.every_kind()
    fails = [r for r in run["results"] if r["kind"] == "fail"]
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    assert [r["level"] for r in fails] == [levels[f.severity] for f in checked.findings]
    prints = [r["partialFingerprints"]["sitemapFinding/v1"] for r in fails]
    assert prints == [f.fingerprint for f in checked.findings]
    assert len(set(prints)) == len(prints)


def test_a_result_names_file_layer_record_and_the_users_id(run: dict[str, Any]) -> None:
    result = next(r for r in run["results"] if "It is too big" in r["message"]["text"])
    (location,) = result["locations"]
    artifact = location["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == "/disturbance.shp"
    stored = run["artifacts"][artifact["index"]]
    assert run["artifacts"][stored["parentIndex"]]["location"]["uri"] == "tiny.zip"
    assert stored["hashes"] == {"sha-256": "0" * 64}
    named = {place["kind"]: place["name"] for place in location["logicalLocations"]}
    assert named == {"layer": "disturbance", "record": "record 0", "id": "D-1"}
    assert result["properties"]["place"]["lat"] == pytest.approx(42.9, abs=0.05)


def test_clauses_are_taxa_of_the_packs_taxonomy(run: dict[str, Any]) -> None:
    (taxonomy,) = run["taxonomies"]
    assert [taxon["id"] for taxon in taxonomy["taxa"]] == ["scale", "contours", "d", "j", "3a"]
    used = {t["id"] for result in run["results"] for t in result["taxa"]}
    assert used == {"contours", "d", "3a"}
    assert all(
        t["toolComponent"] == {"name": "tiny", "index": 0}
        for result in run["results"]
        for t in result["taxa"]
    )


def test_a_waived_finding_is_suppressed_with_its_justification(run: dict[str, Any]) -> None:
    suppressed = [r for r in run["results"] if "suppressions" in r]
    (result,) = suppressed
    assert result["level"] == "error"  # its former severity
    (suppression,) = result["suppressions"]
    assert suppression["kind"] == "external"
    assert suppression["justification"].startswith("old pond (City Engineer, 2026-04-01")


def test_what_did_not_run_is_a_notification(run: dict[str, Any]) -> None:
    (invocation,) = run["invocations"]
    said = {
        n["associatedRule"]["id"]: (n["level"], n["message"]["text"])
        for n in invocation["toolExecutionNotifications"]
    }
    assert set(said) == {"SCL001", "GRD001", "DOC002"}
    assert said["SCL001"] == ("warning", "SCL001 skipped: no plate was handed in")
    assert said["GRD001"][0] == "error"
    assert said["DOC002"][0] == "note"
    assert invocation["executionSuccessful"] is False
    for note in invocation["toolExecutionNotifications"]:
        rule = run["tool"]["driver"]["rules"][note["associatedRule"]["index"]]
        assert rule["id"] == note["associatedRule"]["id"]


@pytest.mark.parametrize(
    ("fail_on", "code"), [(Severity.ERROR, 1), (Severity.WARNING, 1), (None, 2)]
)
def test_the_exit_code_is_that_of_the_run(fail_on: Severity | None, code: int) -> None:
    """Nothing fails a run under --fail-on never, which leaves that it could not be judged."""
    checked = faulty.every_kind()
    if fail_on is None:
        from sitemap.finding import Verdict

        checked = replace(checked, verdict=Verdict.NOT_JUDGED)
    assert run_of(checked, fail_on)["invocations"][0]["exitCode"] == code


def test_a_question_is_a_result_for_review(run: dict[str, Any]) -> None:
    asked = [r for r in run["results"] if r["kind"] == "review"]
    assert {r["message"]["text"] for r in asked} == {"Is it?", "Look."}
    assert {r["level"] for r in asked} == {"none"}


def test_rules_carry_their_pages() -> None:
    rules = run_of(real())["tool"]["driver"]["rules"]
    assert len(rules) >= len(RULES)
    for rule in rules:
        assert rule["shortDescription"]["text"].endswith(".")
        assert "How to fix" in rule["help"]["text"]
        assert "\n## How to fix\n" in rule["help"]["markdown"]
    assert page_markdown(RULES[0]).startswith(f"# {RULES[0].code} ")


def test_a_file_with_odd_letters_becomes_a_valid_address() -> None:
    run = run_of(faulty.hostile())
    uris = [
        location["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
        for location in result["locations"]
        if "physicalLocation" in location
    ]
    assert uris
    assert not any(c in uri for uri in uris for c in " <>\"'\n{}[]|\\")


def test_a_link_in_a_users_name_is_no_link() -> None:
    texts = [r["message"]["text"] for r in run_of(faulty.hostile())["results"]]
    assert any(r"\[click](http" in text for text in texts)
    assert not any(" [click](" in text for text in texts)


def test_a_submission_in_a_folder_has_addresses_from_the_start_of_the_run() -> None:
    checked = faulty.every_kind()
    folder = replace(checked, site=replace(checked.site, submission="sites/tiny"))
    first = run_of(folder)["artifacts"][0]["location"]
    assert first == {"uri": "sites/tiny/boundary.shp", "uriBaseId": "%SRCROOT%"}
