"""JSON Lines: one finding a line, the same as in the JSON report."""

from __future__ import annotations

import json

from sitemap.report import render
from sitemap.report.json import to_dict
from tests.report import faulty


def test_its_lines_are_the_findings_of_the_json_report() -> None:
    for checked in (faulty.every_kind(), faulty.clean(), faulty.hostile()):
        lines = render(checked, "jsonl").split("\n")
        assert lines.pop() == ""
        as_json = json.loads(render(checked, "json"))
        assert [json.loads(line) for line in lines] == as_json["findings"]


def test_a_waiver_is_in_both() -> None:
    (waived,) = [f for f in to_dict(faulty.every_kind())["findings"] if f["waiver"]]
    assert waived["severity"] == "error"
    assert waived["waiver"] == {
        "reason": "old pond",
        "authority": "City Engineer",
        "date": "2026-04-01",
        "expires": "2027-04-01",
        "condition": "until May",
        "status": "waived",
    }
