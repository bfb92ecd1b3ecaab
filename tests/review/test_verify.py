"""The evidence of a run: what it hashes, and that a second run is compared with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import pytest
from typer.testing import CliRunner

from sitemap.cli import app
from sitemap.errors import ConfigurationError, SitemapError, UsageError
from sitemap.review.verify import read_manifest
from tests.tiny_site import CRS, square

RUN = CliRunner()
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run() -> Run:
    def call(*arguments: str | Path) -> tuple[int, str]:
        done = RUN.invoke(app, [str(a) for a in arguments])
        if isinstance(done.exception, SitemapError):
            return 2, f"{done.output}{done.exception}"
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    return call


@pytest.fixture
def submittal(tmp_path: Path) -> Path:
    folder = tmp_path / "submittal"
    folder.mkdir()
    for name, side in (("boundary", 400.0), ("disturbance", 100.0)):
        frame = gpd.GeoDataFrame({"id": ["1"]}, geometry=[square(0, 0, side)], crs=CRS)
        frame.to_file(folder / f"{name}.geojson")
    return folder


def reported(run: Run, submittal: Path, *more: str | Path) -> Path:
    report = submittal.parent / "report.json"
    run("check", submittal, "-f", f"json:{report}", "--now", "2026-05-04", *more)
    return report


def test_the_manifest_hashes_every_input(run: Run, submittal: Path) -> None:
    manifest = json.loads(reported(run, submittal).read_text("utf-8"))["manifest"]
    assert {row["file"]: row["sha256"] for row in manifest["inputs"]} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in submittal.iterdir()
    }
    assert manifest["config"]["now"] == "2026-05-04"
    assert manifest["ordinances"][0]["id"] == "muskego"
    assert {"shapely", "GEOS", "PROJ", "GDAL in pyogrio"} <= set(manifest["versions"])


def test_the_same_run_is_the_same(run: Run, submittal: Path) -> None:
    report = reported(run, submittal, "--select", "SUB,BND")
    code, said = run("check", "--verify", report)
    assert (code, said.strip().rsplit(": ", 1)[1]) == (0, "the same")


def test_a_manifest_alone_and_another_place_serve_as_well(run: Run, submittal: Path) -> None:
    report = reported(run, submittal)
    alone = submittal.parent / "manifest.json"
    alone.write_text(json.dumps(json.loads(report.read_text("utf-8"))["manifest"]), "utf-8")
    moved = submittal.rename(submittal.parent / "elsewhere")
    code, said = run("check", "--verify", alone)
    assert code == 2
    assert "neither here nor beside the report" in said
    assert run("check", moved, "--verify", alone)[0] == 0


def test_a_changed_input_and_what_it_did_are_named(run: Run, submittal: Path) -> None:
    report = reported(run, submittal)
    outside = gpd.GeoDataFrame({"id": ["1"]}, geometry=[square(350, 0, 100)], crs=CRS)
    outside.to_file(submittal / "disturbance.geojson")
    code, said = run("check", "--verify", report)
    assert code == 1
    named = {line.split(":")[0] for line in said.splitlines()}
    assert "input disturbance.geojson" in named
    assert "input boundary.geojson" not in named
    assert "rule DST001" in named  # it now reaches over the boundary
    assert "found, 1 finding\n" in said


def test_a_report_that_was_edited_is_told(run: Run, submittal: Path) -> None:
    report = reported(run, submittal)
    content = json.loads(report.read_text("utf-8"))
    content["manifest"]["result"]["verdict"] = "complies"
    report.write_text(json.dumps(content), "utf-8")
    code, said = run("check", "--verify", report)
    assert code == 1
    assert said.splitlines()[0] == "manifest: changed since it was written (digest differs)"
    assert "verdict: complies -> does not comply" in said


def test_a_reference_by_its_gdal_name_is_found_again(run: Run, submittal: Path) -> None:
    state = submittal.parent / "state.gpkg"
    known = gpd.GeoDataFrame({"WETCODE": ["E2K"]}, geometry=[square(50, 50, 90)], crs=CRS)
    known.to_file(state, layer="wetlands")
    report = reported(run, submittal, "--reference", f"GPKG:{state}")
    code, words = run("check", "--verify", report)
    assert (code, words.strip().rsplit(": ", 1)[1]) == (0, "the same")


def test_decisions_are_part_of_the_evidence(run: Run, submittal: Path) -> None:
    file = submittal.parent / "decisions.json"
    entry = {"clause": "b", "verdict": "fulfilled", "reviewer": "R", "date": "2026-05-01"}
    file.write_text(json.dumps({"schema": "1.0", "decisions": [entry]}), "utf-8")
    report = reported(run, submittal, "--decisions", file)
    assert run("check", "--verify", report)[0] == 0
    file.write_text(json.dumps({"schema": "1.0", "decisions": []}), "utf-8")
    code, said = run("check", "--verify", report)
    assert (code, "input decisions.json" in said) == (1, True)


def test_options_beside_verify_and_none_at_all_are_refused(run: Run, submittal: Path) -> None:
    report = reported(run, submittal)
    assert "give no others" in run("check", "--verify", report, "--now", "2026-01-01")[1]
    assert "give a submission" in run("check")[1]
    assert run("check")[0] == 2


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"manifest": 1}', '{"config":{},"result":{}}'])
def test_what_is_no_manifest_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"m\.json"):
        read_manifest(file)
    assert issubclass(UsageError, SitemapError)
