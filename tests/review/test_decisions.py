"""A reviewer's decisions: the file, what they do to a check, and how every form says so."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sitemap.checked import CheckedSite, exit_code
from sitemap.decisions import Decisions, load_decisions
from sitemap.errors import ConfigurationError
from sitemap.finding import Severity, Status, Verdict
from sitemap.report import FORMS, render, write
from sitemap.report.json import json_schema, to_dict
from sitemap.rules.rule import Ask, Checked
from tests.tiny_site import check, clause, fault, make_rule, pack, says

WHO = {"reviewer": "R. Viewer", "date": "2026-05-04"}
LAW = pack(clause("d", "DST001", person="Look.", person_always=True), clause("j", "GRD001"))
RULES = (
    make_rule("DST001", says(fault(), fault(message="Another.", distinct="2")), "d"),
    make_rule("GRD001", says(Checked("grid", 1), Ask("Is it right?")), "j"),
)
SCHEMA = json.loads(files("sitemap.review").joinpath("decisions.schema.json").read_text("utf-8"))


def decided(*entries: dict[str, Any], **more: Any) -> Decisions:
    rows = [{**WHO, **entry} for entry in entries]
    return Decisions.model_validate({"schema": "1.0", "decisions": rows, **more})


def judged(decisions: Decisions | None = None) -> CheckedSite:
    return check(*RULES, law=LAW, decisions=decisions)


@pytest.fixture(scope="module")
def prints() -> list[str]:
    return [f.fingerprint for f in judged().findings]


def test_a_closed_finding_stays_visible_and_does_not_count(prints: list[str]) -> None:
    closed = {"finding": prints[0], "status": "not a problem", "comment": "a hole in the map"}
    checked = judged(decided(closed))
    found = {f.fingerprint: f for f in checked.findings}
    assert sorted(found) == sorted(prints)
    assert [f.fingerprint for f in checked.findings if f.counts] == prints[1:]
    assert str(found[prints[0]].waiver) == "a hole in the map (R. Viewer, 2026-05-04)"
    assert found[prints[0]].severity is Severity.ERROR
    assert checked.verdict is Verdict.DOES_NOT_COMPLY  # the other one still counts


def test_when_all_is_closed_and_confirmed_the_check_complies(prints: list[str]) -> None:
    entries = [{"finding": p, "status": "resolved"} for p in prints]
    confirmed = [{"clause": c, "verdict": "fulfilled"} for c in ("d", "j")]
    checked = judged(decided(*entries, *confirmed))
    assert checked.verdict is Verdict.COMPLIES
    assert checked.confirmations == ()
    assert exit_code(checked, Severity.ERROR) == 0
    assert [line.status for line in checked.clauses] == [Status.PASSED, Status.PASSED]
    assert checked.clauses[1].evidence[0] == "confirmed by R. Viewer on 2026-05-04"


def test_an_open_decision_changes_nothing(prints: list[str]) -> None:
    checked = judged(decided({"finding": prints[0], "comment": "ask the owner"}))
    assert all(f.counts for f in checked.findings)
    assert "ask the owner" in render(checked, "text")


def test_a_clause_that_a_person_denies_fails_the_check(prints: list[str]) -> None:
    entries = [{"finding": p, "status": "resolved"} for p in prints]
    denied = {"clause": "j", "verdict": "not fulfilled", "comment": "cells are not named"}
    checked = judged(decided(*entries, denied, {"clause": "d", "verdict": "fulfilled"}))
    assert checked.verdict is Verdict.DOES_NOT_COMPLY
    assert exit_code(checked, Severity.ERROR) == 1
    assert exit_code(checked, None) == 0
    line = checked.clauses[1]
    assert line.words == "not fulfilled"
    assert line.confirmations == ()


def test_a_decision_for_another_law_does_nothing_here(prints: list[str]) -> None:
    entry = {"finding": prints[0], "status": "resolved", "ordinance": "elsewhere"}
    assert all(f.counts for f in judged(decided(entry)).findings)


def test_json_keeps_to_its_schema_and_text_names_what_is_gone(prints: list[str]) -> None:
    gone = {"finding": "0" * 16, "status": "resolved"}
    here = {"finding": prints[1], "status": "exception", "comment": "rock"}
    checked = judged(decided(gone, here, {"clause": "d", "verdict": "fulfilled"}))
    report = to_dict(checked)
    assert list(Draft202012Validator(json_schema()).iter_errors(report)) == []
    assert [d["findings"] for d in report["decisions"]["decisions"]] == [[], [2], []]
    assert [f["waiver"] and f["waiver"]["status"] for f in report["findings"]] == [
        None,
        "exception",
    ]
    text = render(checked, "text")
    assert f"{'0' * 16}, which this run did not find: resolved, by R. Viewer" in text
    assert "error (exception) DST001" in text
    assert "1 error, 1 exception" in text


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if not form.binary])
def test_every_form_shows_the_status(form: str, prints: list[str]) -> None:
    entry = {"finding": prints[0], "status": "exception", "comment": "rock at the surface"}
    said = render(judged(decided(entry)), form)
    assert "exception" in said or form == "geojson"
    assert "rock at the surface" in said


def test_workbook_and_geopackage_show_the_status(prints: list[str], tmp_path: Path) -> None:
    import geopandas
    from openpyxl import load_workbook

    entry = {"finding": prints[0], "status": "exception", "comment": "rock at the surface"}
    checked = judged(decided(entry))
    for form in ("xlsx", "gpkg"):
        write(checked, form, tmp_path / f"check.{form}")
    words = "exception: rock at the surface (R. Viewer, 2026-05-04)"
    rows = load_workbook(tmp_path / "check.xlsx")["Findings"].iter_rows(values_only=True)
    assert any(words in row for row in rows)
    layers = geopandas.list_layers(tmp_path / "check.gpkg")["name"]
    frames = [geopandas.read_file(tmp_path / "check.gpkg", layer=name) for name in layers]
    assert any(words in set(f["waiver"]) for f in frames if "waiver" in f)


BAD = [
    ({"finding": "abc"}, "finding"),
    ({}, "one of both"),
    ({"finding": "0" * 16, "clause": "d"}, "one of both"),
    ({"finding": "0" * 16, "status": "fine"}, "status: found 'fine'; accepted: 'open'"),
    ({"finding": "0" * 16, "status": "exception"}, "needs its reason"),
    ({"finding": "0" * 16, "verdict": "fulfilled"}, "verdict is for clauses"),
    ({"clause": "d", "status": "resolved"}, "status is for findings"),
    ({"clause": "d", "verdict": "not fulfilled"}, "needs its reason"),
    ({"clause": "d", "mood": "good"}, "mood: there is no such key; accepted here: finding,"),
    ({"clause": "d", "date": "soon"}, "date: found 'soon'; accepted: a date such as 2026-05-01"),
]


@pytest.mark.parametrize(("entry", "words"), BAD)
def test_a_wrong_file_is_refused_by_reader_and_schema(
    entry: dict[str, Any], words: str, tmp_path: Path
) -> None:
    content = {"schema": "1.0", "decisions": [{**WHO, **entry}]}
    file = tmp_path / "decisions.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=words):
        load_decisions(file)
    checker = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert not checker.is_valid(content)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"schema": "2.0"}', '{"schema":"1.0","file":"x"}']
)
def test_what_is_no_decisions_file_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "decisions.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"decisions\.json"):
        load_decisions(file)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_decisions(tmp_path / "none.json")


def test_a_full_file_is_taken_by_reader_and_schema(tmp_path: Path) -> None:
    point = {"type": "Point", "coordinates": [2469500.0, 335400.0]}
    drawn = {"type": "Feature", "geometry": point, "properties": {"text": "here"}}
    lines = {"type": "FeatureCollection", "features": [drawn]}
    content = {
        "schema": "1.0",
        "crs": "EPSG:6609",
        "decisions": [
            {"finding": "0" * 16, "redlines": lines, **WHO},
            {"clause": "d", "verdict": "fulfilled", "comment": "", **WHO},
        ],
        "conditions": [{"text": "Call before you dig.", **WHO}],
        "redlines": lines,
    }
    Draft202012Validator.check_schema(SCHEMA)
    assert list(Draft202012Validator(SCHEMA).iter_errors(content)) == []
    file = tmp_path / "decisions.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    read = load_decisions(file)
    assert read.redlines is not None
    assert (read.redlines.features[0].text, read.redlines.features[0].ground.x) == ("here", 2469500)
    point["coordinates"] = [float("nan"), 0.0]
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="not finite"):
        load_decisions(file)


def test_two_words_about_one_thing_are_refused() -> None:
    entry = {"clause": "d", "verdict": "fulfilled"}
    with pytest.raises(ValueError, match="two decisions about clause d"):
        decided(entry, entry)
    assert decided(entry, {**entry, "ordinance": "tiny"}).about_clause("tiny", "d") is not None
