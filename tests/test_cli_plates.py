"""The verbs on plates: a DXF beside the PDF, presets, measuring what says nothing of itself."""

from __future__ import annotations

import json
from pathlib import Path

import ezdxf
import pytest
from PIL import Image
from typer.testing import CliRunner

from sitemap.cli import app
from sitemap.errors import SitemapError
from tests.repair.on_disk import write_site

RUN = CliRunner()
DAY = ["--now", "2026-11-30"]


def run(*arguments: str | Path) -> tuple[int, str]:
    done = RUN.invoke(app, [str(a) for a in arguments])
    if isinstance(done.exception, SitemapError):
        return 2, f"{done.output}{done.exception}"
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "submission"
    write_site(folder)
    return folder / "site.toml"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "scan.png"
    Image.new("L", (360, 240), 255).save(path, dpi=(10, 10))
    return path


def test_a_plate_for_cad_and_for_an_agency_at_once(submission: Path, tmp_path: Path) -> None:
    out, dxf = tmp_path / "p.pdf", tmp_path / "p.dxf"
    own = tmp_path / "stamped.toml"
    own.write_text('title = "A very large stamp"\nstamp_in = [20.0, 20.0]\n', encoding="utf-8")
    code, said = run("plate", submission, "-o", out, "--dxf", dxf, "--profile", own, *DAY)
    assert code == 0
    assert f"for CAD: {dxf}" in said
    assert "to be cleared with the agency: stamped asks for 20 x 20 in clear" in said
    doc = ezdxf.readfile(dxf)
    assert "C-501" in doc.layouts.names()
    assert out.is_file()


def test_a_dxf_is_never_written_over_an_input(submission: Path, tmp_path: Path) -> None:
    before = submission.read_bytes()
    code, said = run("plate", submission, "-o", tmp_path / "p.pdf", "--dxf", submission, *DAY)
    assert code == 2
    assert "input" in said
    assert submission.read_bytes() == before


def test_a_preset_that_cannot_be_met_says_by_how_much(submission: Path, tmp_path: Path) -> None:
    own = tmp_path / "small.toml"
    own.write_text('title = "Small"\nmax_page_in = [17.0, 11.0]\n', encoding="utf-8")
    code, said = run("plate", submission, "-o", tmp_path / "p.pdf", "--profile", own, *DAY)
    assert code == 2
    assert "too large" in said
    assert "against 17 x 11 in" in said
    assert "ANSI B" in said
    assert not (tmp_path / "p.pdf").exists()


def test_a_picture_is_measured_by_what_is_given(picture: Path) -> None:
    code, said = run("measure", picture)
    assert code == 0
    assert "36.000 x 24.000 in (ARCH D)" in said
    assert "verdict: its scale cannot be measured" in said
    code, said = run("measure", picture, "--distance", "3,4 9,4=300")
    assert "verdict: page 1 has 1 in = 50.000 ft both ways, by a distance given" in said
    points = ["--point", "3,4=2450000,320000", "--point", "9,4=2450300,320000"]
    code, said = run("measure", picture, *points, "--json")
    told = json.loads(said)
    assert told["pages"][0]["frames"][0]["feet_per_inch"] == 50.0
    assert told["verdicts"] == ["page 1 has 1 in = 50.000 ft both ways, by 2 points given"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--point", "3,4"], "--point '3,4': give X,Y=E,N"),
        (["--distance", "3,4 9,4"], "--distance '3,4 9,4'"),
        (["--point", "3,4=0,0", "--distance", "3,4 9,4=300"], "not both"),
        (["--distance", "3,4 9,4=300", "--page", "7"], "--page 7"),
        (["--dpi", "2"], "--dpi 2: dots per inch lie between 10 and 10000"),
    ],
)
def test_what_cannot_be_used_is_said(picture: Path, options: list[str], words: str) -> None:
    code, said = run("measure", picture, *options)
    assert code == 2
    assert words in said


def test_a_picture_is_judged_as_a_plate(submission: Path, picture: Path) -> None:
    picture.with_suffix(".pgw").write_text("20\n0\n0\n-20\n2469500\n336500\n")
    code, said = run("check", submission, "--plate", picture, "--select", "SCL,GRD,PLT", *DAY)
    assert code == 1
    assert "SCL001" in said
    assert "1 in = 200 ft" in said


@pytest.mark.real_data
def test_every_plate_of_others_gets_a_clear_verdict(shared_data: Path) -> None:
    for path in sorted((shared_data / "4-map-plates").rglob("*.pdf")):
        code, said = run("measure", path)
        assert code == 0, path
        verdicts = [line for line in said.splitlines() if line.startswith("verdict: ")]
        assert verdicts, path
        if path.parent.name == "greenville-wi-civil3d":
            assert "1 in = 99.991 ft both ways" in verdicts[0]  # 100 ft within 0.1 %
