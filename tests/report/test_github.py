"""GitHub annotations: one line each, which no value can end or turn into another command."""

from __future__ import annotations

import re
from urllib.parse import unquote

from sitemap.report import render
from sitemap.report.github import workflow_command
from tests.report import faulty

COMMAND = re.compile(r"^::(error|warning|notice) ((?:file=[^,:]*,)?title=[^,:]*)::(.*)$")


def test_each_line_is_one_command_worst_first() -> None:
    lines = render(faulty.every_kind(), "github").splitlines()
    kinds = [match[1] for line in lines if (match := COMMAND.match(line))]
    assert len(kinds) == len(lines)
    # 7 findings, 2 rules that did not judge, 2 questions, the verdict
    assert kinds == ["error"] * 4 + ["warning", "notice", "notice"] + ["warning"] * 2 + [
        "notice", "notice", "error",
    ]  # fmt: skip


def test_an_annotation_says_file_rule_place_and_remedy() -> None:
    (line,) = [ln for ln in render(faulty.every_kind(), "github").splitlines() if "too big" in ln]
    assert line.startswith("::error file=tiny.zip,title=DST001 thing is wrong::It is too big.%0A")
    said = unquote(line)
    assert "disturbance.shp, id D-1, record 0" in said
    assert "To fix: Make it smaller." in said
    assert "[§ 1(d)]" in said


def test_a_waived_finding_is_a_notice_that_names_who_waived_it() -> None:
    (line,) = [ln for ln in render(faulty.every_kind(), "github").splitlines() if "stand" in ln]
    assert line.startswith("::notice ")
    assert "waived: old pond (City Engineer, 2026-04-01, until 2027-04-01)" in line


def test_hostile_names_cannot_end_a_command_or_start_one() -> None:
    lines = render(faulty.hostile(), "github").splitlines()
    assert all(COMMAND.match(line) for line in lines)
    assert len(lines) == len(faulty.hostile().findings) + 1 + len(
        faulty.hostile().confirmations
    ) + len(faulty.hostile().with_status(*_unable()))


def _unable() -> list:  # type: ignore[type-arg]
    from sitemap.finding import Status

    return [Status.FAILED, Status.SKIPPED]


def test_escapes_are_those_of_the_runner() -> None:
    line = workflow_command("error", "50 %\r\nnext", file="a,b:c.shp", title="x: y, z")
    assert line == "::error file=a%2Cb%3Ac.shp,title=x%3A y%2C z::50 %25%0D%0Anext"
