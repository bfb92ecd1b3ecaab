"""The command line: several laws, rules left out, findings waived, site.toml's own wishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sitemap.cli import app
from sitemap.errors import SitemapError

RUN = CliRunner()
DAY = ("--now", "2026-11-30")


def submittal(folder: Path, text: str = "") -> Path:
    (folder / "site.toml").write_text(
        f'{text}\n[project]\nname = "Nothing yet"\n', encoding="utf-8"
    )
    return folder


def run(*arguments: str | Path) -> tuple[int, str]:
    done = RUN.invoke(app, [*map(str, arguments), *DAY])
    if isinstance(done.exception, SitemapError):
        return 2, f"{done.output}{done.exception}"
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def report(*arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "-f", "json")[1])
    return found


def laws(found: dict[str, Any]) -> list[str]:
    return [law["id"] for law in found["ordinances"]]


def test_the_option_is_repeatable_and_each_law_gets_its_matrix(tmp_path: Path) -> None:
    two = ("--ordinance", "muskego", "--ordinance", "epa-cgp-2022")
    code, said = run("check", submittal(tmp_path), *two)
    assert code == 1
    assert "THE MAP, CLAUSE BY CLAUSE: muskego" in said
    assert "THE MAP, CLAUSE BY CLAUSE: epa-cgp-2022" in said
    assert laws(report("check", tmp_path, *two)) == ["muskego", "epa-cgp-2022"]


def test_site_toml_may_name_several_laws_and_one_in_a_file_beside_it(tmp_path: Path) -> None:
    own = 'id = "own"\ntitle = "t"\njurisdiction = "j"\nsource = "s"\nversion = "1"\n'
    (tmp_path / "own.toml").write_text(f'{own}based_on = "wi-nr216"\n', encoding="utf-8")
    folder = submittal(tmp_path, 'ordinance = ["kenosha-county", "own.toml"]')
    assert laws(report("check", folder / "site.toml")) == ["kenosha-county", "own"]
    by_option = report("check", folder / "site.toml", "--ordinance", "muskego")
    assert laws(by_option) == ["muskego"]
    assert by_option["ordinance"]["id"] == "muskego"


def test_a_law_given_twice_counts_once(tmp_path: Path) -> None:
    twice = ("--ordinance", "muskego", "--ordinance", "muskego")
    assert laws(report("check", submittal(tmp_path), *twice)) == ["muskego"]


def test_options_over_site_toml(tmp_path: Path) -> None:
    folder = submittal(tmp_path, '[check]\nignore = ["SUB"]\nfail_on = "never"')
    by_site = report("check", folder)
    assert by_site["ignored"][0]["by"] == "site.toml [check] ignore SUB"
    assert "SUB001" in by_site["ignored"][0]["rules"]
    assert run("check", folder)[0] != 1
    assert run("check", folder, "--fail-on", "error")[0] == 1  # GRD001 is still there
    by_option = report("check", folder, "--ignore", "GRD")
    assert [group["by"] for group in by_option["ignored"]] == ["--ignore GRD"]
    assert any(f["rule"] == "SUB001" for f in by_option["findings"])


def test_select_judges_only_these_and_cannot_say_that_the_map_complies(tmp_path: Path) -> None:
    code, said = run("check", submittal(tmp_path), "--select", "WVR,CRS004", "--fail-on", "error")
    assert code == 2
    assert said.startswith("COULD NOT BE JUDGED")
    assert "left out by --select WVR,CRS004:" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ignore", "COM"), "did you mean CON"),
        (("--select", "CON999"), "no rule has this code"),
        (("--ordinance", "muskego", "--ordinance", "kenosha"), "kenosha"),
    ],
)
def test_bad_names_are_refused_in_words(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, said = run("check", submittal(tmp_path), *arguments)
    assert code == 2
    assert words in said
    assert "Traceback" not in said


def test_a_waiver_in_site_toml_lifts_a_finding_and_ends_by_the_day_of_the_run(
    tmp_path: Path,
) -> None:
    grid = '[[waivers]]\nrule = "GRD001"\nreason = "sketch plan"\nauthority = "City Engineer"\n'
    folder = submittal(tmp_path, f"{grid}date = 2026-11-01\nexpires = 2026-12-10\n")
    held = report("check", folder)
    assert held["counts"]["waived"] == 1
    (soon,) = [f for f in held["findings"] if f["rule"] == "WVR002"]
    assert soon["message"].endswith("ends on 2026-12-10, in 10 days")
    done = RUN.invoke(app, ["check", str(folder), "-f", "json", "--now", "2026-12-11"])
    over = json.loads(done.output)
    assert over["counts"]["waived"] == 0
    assert [f["severity"] for f in over["findings"] if f["rule"] == "WVR001"] == ["error"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('rule = "GRD001"\nreason = "r"\ndate = 2026-01-01', "waivers.authority: is missing"),
        (
            'reason = "r"\nauthority = "a"\ndate = 2026-01-01',
            "must name a rule, a fingerprint or an area",
        ),
        (
            'rule = "X"\nreason = "r"\nauthority = "a"\ndate = 2026-01-02\nexpires = 2026-01-01',
            "before its date",
        ),
        (
            'area = "POINT (1 1)"\nreason = "r"\nauthority = "a"\ndate = 2026-01-02',
            "is no polygon but Point",
        ),
        (
            "area = [[0, 0], [9, 9], [9, 0], [0, 9]]\n"
            'reason = "r"\nauthority = "a"\ndate = 2026-01-02',
            "is not a valid polygon (Self-intersection",
        ),
        (
            'rule = "X"\nreason = "r"\nauthority = "a"\ndate = 2026-01-01\nuntil = 2026-02-01',
            "waivers.until: there is no such key",
        ),
    ],
)
def test_a_faulty_waiver_is_named_by_key(tmp_path: Path, entry: str, words: str) -> None:
    code, said = run("check", submittal(tmp_path, f"[[waivers]]\n{entry}\n"))
    assert code == 2
    assert words in said
    assert "site.toml" in said
