"""The command line end to end: what it prints, what it writes, how it ends."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sitemap import cli
from sitemap.cli import app
from sitemap.errors import SitemapError
from tests.repair.on_disk import write_site

RUN = CliRunner()
DAY = ["--now", "2026-11-30"]
# A town that asks no person: only then can a check end with 0.
TOWN = """
id = "quiet-town"
title = "A town whose map items are all decided by rules"
jurisdiction = "Quiet Town"
source = "made for this test"
version = "1"
based_on = "muskego"
"""


@pytest.fixture(scope="module")
def sample(root: Path) -> Path:
    (found,) = (root / "sample_sites").glob("*/site.toml")
    return found


@pytest.fixture
def run() -> Callable[..., tuple[int, str]]:
    """Run a verb in this process as main() would: exit code and what went to stdout."""

    def call(*arguments: str | Path) -> tuple[int, str]:
        done = RUN.invoke(app, [str(a) for a in arguments])
        if isinstance(done.exception, SitemapError):
            return 2, f"{done.output}{done.exception}"
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    return call


@pytest.fixture
def quiet_town(tmp_path: Path) -> Path:
    from sitemap.ordinance import load_ordinance

    asked = [c.id for c in load_ordinance("muskego").clauses if c.person_always]
    assert asked, "no clause asks a person; this test would prove nothing"
    clauses = "".join(f'\n[[clauses]]\nid = "{i}"\nperson_always = false\n' for i in asked)
    file = tmp_path / "quiet-town.toml"
    # nobody supplied soil-loss factors, and without them a person decides
    off = '\n[rules.SOI001]\nenabled = false\nreason = "the town asks for no calculation"\n'
    file.write_text(TOWN + clauses + off, encoding="utf-8")
    return file


def _process(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sitemap.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_sample_complies_if_a_person_confirms(run: Callable, sample: Path) -> None:
    code, said = run("check", sample, *DAY)
    assert code == 3
    heads = [
        "COMPLIES IF A PERSON CONFIRMS",
        "THE MAP, CLAUSE BY CLAUSE",
        "\nA PERSON CONFIRMS",
        "\nMEASURED BY",
    ]
    places = [said.index(head) for head in heads]
    assert places == sorted(places)
    for clause in ("scale", "contours", *(f"({c})" for c in "abcdefghij")):
        assert re.search(rf"^{re.escape(clause)} ", said, re.MULTILINE), clause


def test_nothing_left_for_a_person_ends_with_0(
    run: Callable, tmp_path: Path, quiet_town: Path
) -> None:
    site = write_site(tmp_path / "clean", also=None)
    code, said = run("check", site, "--ordinance", quiet_town, *DAY)
    assert (code, said.splitlines()[0]) == (0, "COMPLIES")


def test_findings_end_with_1_and_never_turns_that_off(run: Callable, tmp_path: Path) -> None:
    empty = tmp_path / "submittal"
    empty.mkdir()
    (empty / "site.toml").write_text('[project]\nname = "Nothing yet"\n', encoding="utf-8")
    code, said = run("check", empty, *DAY)
    assert code == 1
    assert said.startswith("DOES NOT COMPLY")
    assert run("check", empty, "--fail-on", "never", *DAY)[0] != 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "no-such-folder"], "no-such-folder"),
        (["check", ".", "--fail-on", "fatal"], "accepted are error, warning, never"),
        (["check", ".", "-f", "crystal"], "accepted are text, json"),
        (["check", ".", "-f", "text", "-f", "json"], "only one form can go to stdout"),
        (["check", ".", "--now", "tomorrow"], "not a date"),
        (["check", ".", "--ordinance", "atlantis"], "atlantis"),
        (["plate", ".", "--scale", "big"], "give feet per inch"),
        (["rule", "CON999"], "CON999"),
        (["layer", "wetland"], "wetlands"),
        (["ordinance", "muskeg"], "muskego"),
        (["measure", "no-such.pdf"], "no-such.pdf"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_is_accepted(
    run: Callable, arguments: list[str], words: str
) -> None:
    code, said = run(*arguments)
    assert code == 2
    assert words in said


def test_unknown_options_end_with_2(run: Callable) -> None:
    assert run("check", ".", "--colour")[0] == 2


def test_errors_go_to_stderr_without_a_traceback() -> None:
    done = _process("check", "no-such-folder")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("sitemap: ")
    assert "Traceback" not in done.stderr


def test_nothing_is_left_in_the_folder_a_verb_is_run_from(root: Path, tmp_path: Path) -> None:
    """GDAL writes its log to a file of the working folder when it is told to keep still wrongly."""
    (sample,) = (root / "sample_sites").glob("*/site.toml")
    here = tmp_path / "here"
    here.mkdir()
    for verb in ("inventory", "check"):
        done = subprocess.run(
            [sys.executable, "-m", "sitemap.cli", verb, sample],
            cwd=here,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 3), done.stderr
    assert list(here.iterdir()) == []


def test_a_fault_of_the_program_leaves_its_trace_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import sitemap
    from sitemap import cli

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("wires crossed")

    monkeypatch.setattr(sitemap, "open_site", fail)
    monkeypatch.setattr(sys, "argv", ["sitemap", "inventory", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert "wires crossed" in said
    assert "Traceback" not in said
    trace = Path(re.search(r"trace is in (\S+);", said)[1])  # type: ignore[index]
    assert "RuntimeError: wires crossed" in trace.read_text(encoding="utf-8")
    trace.unlink()


@pytest.mark.parametrize("verb", [verb.__name__ for verb, _ in cli.VERBS])
def test_a_verb_by_itself_explains_itself_as_among_all(verb: str) -> None:
    alone = RUN.invoke(cli._app_for([verb, "x"]), [verb, "--help"], prog_name="sitemap")
    among = RUN.invoke(app, [verb, "--help"], prog_name="sitemap")
    assert alone.exit_code == among.exit_code == 0
    assert alone.output == among.output
    assert f"sitemap {verb} " in alone.output


@pytest.mark.parametrize("arguments", [[], ["--help"], ["chekc", "."], ["--version", "check"]])
def test_all_verbs_are_there_where_none_is_called_first(arguments: list[str]) -> None:
    assert cli._app_for(arguments) is app


def test_two_forms_in_one_run(run: Callable, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "findings.json"
    code, said = run("check", sample, "-f", "text", "-f", f"json:{out}", *DAY)
    assert code == 3
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["verdict"] == "complies if a person confirms"
    assert said.startswith("COMPLIES IF A PERSON CONFIRMS")


def test_output_is_byte_stable_under_now(run: Callable, sample: Path) -> None:
    assert run("check", sample, "-f", "json", *DAY) == run("check", sample, "-f", "json", *DAY)


def test_the_plate_of_the_sample_is_measured_and_proves_the_check(
    run: Callable, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "C-501.pdf"
    code, said = run("plate", sample, "-o", out, "--png", tmp_path / "preview", *DAY)
    assert code == 0
    assert "1 in = 50.000 ft, error 0.0 ppm" in said
    previews = sorted(path.name for path in (tmp_path / "preview").glob("*.png"))
    # the map, and the sheet behind it that shows what lies downstream of it
    assert previews == ["C-501-C-501.png", "C-501-C-502.png"]
    code, said = run("check", sample, "--plate", out, *DAY)
    assert code == 3
    assert "1 in = 50 ft" in said
    assert "page 1, georeference" in said or "measured" in said
    assert run("measure", out)[1].count("1 in = 50.000 ft") >= 1


def test_a_plate_at_another_scale_than_wished_is_found(
    run: Callable, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "small.pdf"
    assert run("plate", sample, "-o", out, "--scale", "100", *DAY)[0] == 0
    code, said = run("check", sample, "--plate", out, *DAY)
    assert code == 3  # 100 ft per inch is still allowed, exactly
    assert "1 in = 100 ft" in said


def test_a_scale_over_the_limit_is_refused(run: Callable, sample: Path, tmp_path: Path) -> None:
    code, said = run("plate", sample, "-o", tmp_path / "x.pdf", "--scale", "120")
    assert code == 2
    assert "at most 100 ft per inch" in said
    assert not (tmp_path / "x.pdf").exists()


def test_an_unknown_sheet_names_the_known_ones(run: Callable, sample: Path, tmp_path: Path) -> None:
    code, said = run("plate", sample, "-o", tmp_path / "x.pdf", "--sheet", "ARCH Z")
    assert code == 2
    assert "ARCH D" in said


def test_inputs_are_never_written_to(run: Callable, sample: Path) -> None:
    folder = sample.parent
    before = {
        p: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*") if p.is_file()
    }
    code, said = run("check", sample, "-f", f"json:{sample}", *DAY)
    assert code == 2
    assert "input" in said
    gpkg = next(folder.rglob("*.gpkg"))
    assert run("plate", sample, "-o", gpkg)[0] == 2
    run("inventory", sample)
    after = {
        p: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*") if p.is_file()
    }
    assert after == before


def test_init_writes_a_site_toml_that_check_reads(
    run: Callable, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site.toml"
    code, said = run("init", sample.parent / "layers", "-o", out)
    assert code == 0
    assert "sitemap check" in said
    assert out.read_text(encoding="utf-8").startswith("#")
    code, said = run("inventory", out)
    assert code == 0
    assert "boundary" in said
    assert run("init", sample.parent / "layers", "-o", out)[0] == 2  # never overwritten


def test_inventory_as_json_lists_every_dataset(run: Callable, sample: Path) -> None:
    code, said = run("inventory", sample, "--json")
    assert code == 0
    found = json.loads(said)
    roles = {d["role"] for d in found["datasets"]}
    assert {"boundary", "disturbance", "contours_existing", "controls"} <= roles
    assert [r["role"] for r in found["rasters"]] == ["elevation"]


@pytest.mark.parametrize("verb", ["rule", "layer", "ordinance", "doctor"])
def test_verbs_that_print_lists(run: Callable, verb: str) -> None:
    code, said = run(verb)
    assert code == 0
    wanted = {"rule": "CON001", "layer": "wetlands", "ordinance": "muskego", "doctor": "GEOS"}
    assert wanted[verb] in said


def test_every_verb_has_help_with_a_worked_example(run: Callable) -> None:
    verbs = [command.name or command.callback.__name__ for command in app.registered_commands]
    assert len(verbs) >= 9
    for verb in verbs:
        code, said = run(verb, "--help")
        assert code == 0
        assert f"Example: sitemap {verb}" in said or verb == "doctor", verb
