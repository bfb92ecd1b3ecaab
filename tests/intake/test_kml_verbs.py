"""A KMZ through the verbs: proposed, checked, verified, repaired, compared, drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pyogrio
import pytest
from typer.testing import CliRunner

from sitemap.cli import app
from sitemap.intake.assemble import open_site
from tests.intake.placemarks import HAND, packed

JUDGED = (0, 1, 3)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return packed(tmp_path / "plan.kmz", doc=HAND)


def run(*words: object, ends: tuple[int, ...] = JUDGED) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code in ends, done.output
    return done.output


def test_what_init_proposes_names_every_folder(plan: Path, tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(run("init", plan, ends=(0,)), encoding="utf-8")
    named = open_site(tmp_path / "site.toml")
    assert set(named.layers) == set(open_site(plan).layers)
    assert all(one.choice.named for one in named.datasets if one.role)
    assert named.unreadable == ()


def test_a_report_of_it_is_verified_until_the_file_changes(plan: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run("check", plan, "--reference", plan, "--form", f"json:{report}")
    inputs = json.loads(report.read_text(encoding="utf-8"))["manifest"]["inputs"]
    assert [one["file"] for one in inputs] == ["plan.kmz"]
    run("check", "--verify", report, ends=(0,))
    packed(plan, doc=HAND.replace("Silt fence 2", "Silt fence 3"))
    assert "plan.kmz" in run("check", "--verify", report, ends=(1, 2))


def test_it_is_repaired_into_a_geopackage_and_compared(plan: Path, tmp_path: Path) -> None:
    before = plan.read_bytes()
    run("fix", plan, "-o", tmp_path / "fixed")
    made = tmp_path / "fixed" / "repaired.gpkg"
    names = [name for name, _ in pyogrio.list_layers(made)]
    assert all(pyogrio.read_info(made, layer=name)["crs"] == "EPSG:6609" for name in names)
    roles = {one.role for one in open_site(tmp_path / "fixed").datasets}
    assert roles >= {"boundary", "disturbance", "controls", "outfalls", "wetlands"}
    assert plan.read_bytes() == before
    told = run("compare", plan, tmp_path / "fixed")
    assert "FEATURES: 0 changed" in told or "nothing" in told.lower()


def test_it_is_drawn(plan: Path, tmp_path: Path) -> None:
    run("plate", plan, "-o", tmp_path / "plan.pdf")
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF")
    run("review", plan, "-o", tmp_path / "desk.html")
    assert (tmp_path / "desk.html").stat().st_size > 0
