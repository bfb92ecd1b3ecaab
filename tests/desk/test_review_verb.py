"""`sitemap review`: files in, one page out; with a plate, on the sample site, on real files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from playwright.sync_api import Browser
from typer.testing import CliRunner

from sitemap import check_site, open_site, review_site
from sitemap.cli import app
from sitemap.desk.content import MOST_BYTES
from sitemap.desk.grid_cells import grid_cells
from sitemap.desk.page import desk_page
from sitemap.places import Places
from tests.clean_site import clean_site
from tests.desk.at_the_desk import at_the_desk
from tests.desk.test_content import content_of
from tests.measured_plates import clean_plate
from tests.repair.on_disk import sums, write_site
from tests.report import faulty
from tests.tiny_site import check, make_rule, says

RUN = CliRunner()
REAL = (
    "1-midwest/tyler-forks-wi",
    "2-real-us/mecklenburg-nc",
    "2-real-us/delmarva-wetlands-md",
)


def test_it_writes_the_page_and_says_what_the_check_said(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site")
    before = sums(site)
    out = tmp_path / "desk.html"
    done = RUN.invoke(app, ["review", str(site), "-o", str(out), "--now", "2026-05-04"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"wrote {out}: ")
    assert sums(site) == before
    content = content_of(out.read_text("utf-8"))
    assert content["now"] == "2026-05-04"
    assert {one["role"] for one in content["layers"]} >= {"boundary", "disturbance", "wetlands"}


def test_the_page_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    checked = faulty.every_kind()
    assert desk_page(checked) == desk_page(checked)


def test_the_public_door_writes_the_same_page_with_the_decisions(tmp_path: Path) -> None:
    checked = faulty.every_kind()
    print_of = checked.findings[0].fingerprint
    said = tmp_path / "decisions.json"
    entry = {"finding": print_of, "status": "resolved", "reviewer": "R", "date": "2026-05-01"}
    said.write_text(json.dumps({"schema": "1.0", "decisions": [entry]}), encoding="utf-8")
    review_site(checked, tmp_path / "desk.html", decisions=said)
    content = content_of((tmp_path / "desk.html").read_text("utf-8"))
    assert [d["finding"] for d in content["decisions"]["decisions"]] == [print_of]
    assert content["decisionsFile"] == "decisions.json"


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site")
    done = RUN.invoke(app, ["review", str(site), "-o", str(site / "boundary.shp")])
    assert done.exit_code != 0
    assert "inputs are never written to" in str(done.exception)


def test_decisions_that_are_none_are_refused_before_the_files_are_read(tmp_path: Path) -> None:
    wrong = tmp_path / "decisions.json"
    wrong.write_text(json.dumps({"schema": "7"}), encoding="utf-8")
    done = RUN.invoke(app, ["review", str(tmp_path / "no-such-site"), "--decisions", str(wrong)])
    assert done.exit_code != 0
    assert "decisions.json" in str(done.exception)


def test_under_a_plate_the_cells_are_those_that_its_marks_print() -> None:
    site, plate = clean_site(), clean_plate()
    checked = check(make_rule("GRD001", says(), "j"), law=faulty.LAW, of=site, plate=plate)
    gridless = {role: layer for role, layer in site.layers.items() if role != "grid"}
    bare = replace(checked, site=replace(site, layers=gridless))
    cells = grid_cells(bare)
    assert cells
    places = Places(bare.site, plate)
    frame = shapely.union_all([ground for _, ground in cells])
    assert frame.area == pytest.approx(sum(ground.area for _, ground in cells))  # no overlap
    rng = np.random.default_rng(7)
    left, bottom, right, top = frame.bounds
    for x, y in rng.uniform((left, bottom), (right, top), (60, 2)):
        here = [label for label, ground in cells if ground.contains(shapely.Point(x, y))]
        place = places.place(shapely.Point(x, y))
        assert place is not None
        assert here == [place.cell]


@pytest.mark.slow
def test_the_sample_site_at_the_desk(browser: Browser, root: Path, tmp_path: Path) -> None:
    (toml,) = (root / "sample_sites").glob("*/site.toml")
    out = tmp_path / "review.html"
    done = RUN.invoke(app, ["review", str(toml), "-o", str(out), "-q"])
    assert done.exit_code == 0, done.output
    assert out.stat().st_size < MOST_BYTES
    with at_the_desk(browser, out) as (page, _):
        said = page.locator("#simplified").text_content()
        assert said == "Nothing is simplified or left out."
        traced = page.evaluate("desk.content.traces.map((one) => one.outlet)")
        assert len(traced) >= 2  # both outfalls of the site, and what else drains from it
        marks = page.evaluate("desk.content.traces.flatMap((one) => one.marks.map((m) => m[1]))")
        assert "330 ft" in marks
        assert "990 ft" in marks


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize("name", REAL)
def test_real_layers_at_the_desk(
    browser: Browser, shared_data: Path, tmp_path: Path, name: str
) -> None:
    site = open_site(shared_data / name)
    checked = check_site(site)
    out = tmp_path / "review.html"
    out.write_text(desk_page(checked), encoding="utf-8")
    assert out.stat().st_size < 8_000_000
    with at_the_desk(browser, out) as (page, _):
        drawn = dict(page.evaluate("desk.layers.map((one) => [one.role, one.rows.length])"))
        said = page.evaluate("Object.fromEntries(desk.layers.map((one) => [one.role, one.cut]))")
        for role, number in drawn.items():
            whole = len(site.layers[role].usable)
            assert number == whole or "features left out" in " ".join(said[role])
        page.keyboard.press("n")
        page.keyboard.press("n")
        page.evaluate("desk.map.renderSync()")
