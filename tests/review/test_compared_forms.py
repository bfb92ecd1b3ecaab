"""A comparison in every form: text, JSON and its schema, HTML in three colours, the verb."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import pytest
from playwright.sync_api import Browser
from typer.testing import CliRunner

import sitemap
from sitemap.cli import app
from sitemap.comparison import Comparison
from sitemap.errors import SitemapError, UsageError
from sitemap.report.compared import COMPARED_FORMS, render_comparison
from sitemap.review.compare import compare
from tests.report import faulty
from tests.review.test_compare import judged, seen, validator, with_disturbance, written
from tests.tiny_site import (
    CRS,
    NOW,
    site,
    spot,
    square,
)


@pytest.fixture(scope="module")
def busy() -> Comparison:
    before = with_disturbance([square(0, 0), square(300, 0), spot(5, 5)], id=["a", "b", "c"])
    after = with_disturbance([square(0, 0, 80), square(300, 9), square(600, 0)], id=["a", "b", "n"])
    old = judged(seen("stays", 0), seen("goes", 200), of=before)
    return compare(old, judged(seen("stays", 0), seen("comes", 700), of=after))


def test_text_names_numbers_sizes_and_what_nobody_asked_for(busy: Comparison) -> None:
    said = " ".join(render_comparison(busy, "text").split())
    assert said.startswith("FINDINGS: 1 new, 1 still there, 1 cured")
    assert "id a (disturbance.shp, disturbance, record 0): up to 28.3 ft off" in said
    assert "0.230 acres (10,000 sq ft) -> 0.147 acres (6,400 sq ft)" in said
    assert "moved 9.0 ft (0.0 ft east, 9.0 ft north). nobody asked for it" in said
    assert "unchanged: boundary" in said


def test_json_holds_every_change_with_its_shapes(busy: Comparison) -> None:
    said = json.loads(render_comparison(busy, "json"))
    rows = [change for each in said["layers"] for change in each["changes"]]
    assert [row["number"] for row in rows] == list(range(1, len(busy.changes) + 1))
    assert {row["kind"] for row in rows} == {"added", "removed", "moved", "reshaped"}
    assert all(row["old_geometry"] or row["new_geometry"] for row in rows)
    assert said["counts"]["new"] == 1
    assert said["crs"] == "EPSG:6609"


def test_html_is_offline_without_script_and_in_three_colours(busy: Comparison) -> None:
    page = render_comparison(busy, "html")
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=", page)
    assert "default-src 'none'" in html.unescape(page)
    for look in ("was area", "is area", "changed area"):
        assert f'class="{look}"' in page
        assert f'class="fault {look}"' in page  # findings: new, cured, still there


def test_a_cured_finding_is_told_in_the_crs_of_the_new_site() -> None:
    from sitemap.crs import parse_crs, to_crs

    metres = parse_crs("EPSG:26916")
    drawn = dict(site().layers)
    new_site = replace(site(drawn), crs=metres, layers={})
    old = judged(seen("goes", 0))
    (gone,) = json.loads(render_comparison(compare(old, judged(of=new_site)), "json"))["findings"]
    frame = gpd.GeoDataFrame(geometry=[old.findings[0].geometry], crs=CRS)
    expected = to_crs(frame, metres)[0].total_bounds
    corners = gone["finding"]["geometry"]["coordinates"][0]
    assert min(x for x, _ in corners) == pytest.approx(expected[0], abs=0.01)
    assert expected[1] <= gone["finding"]["place"]["y_ft"] <= expected[3]


def test_the_json_keeps_to_its_published_schema(busy: Comparison) -> None:
    for one in (busy, compare(faulty.hostile(), faulty.every_kind())):
        validator().validate(json.loads(render_comparison(one, "json")))


@pytest.mark.parametrize("place", [(), ("findings", 0), ("layers", 0), ("old",)])
def test_the_schema_refuses_what_it_does_not_know(
    busy: Comparison, place: tuple[str | int, ...]
) -> None:
    said = json.loads(render_comparison(busy, "json"))
    at = said
    for key in place:
        at = at[key]
    at["surprise"] = 1
    assert not validator().is_valid(said)


@pytest.mark.parametrize("form", COMPARED_FORMS)
def test_the_same_comparison_is_the_same_text(busy: Comparison, form: str) -> None:
    assert render_comparison(busy, form) == render_comparison(busy, form)


@pytest.mark.parametrize("form", COMPARED_FORMS)
def test_hostile_words_and_wild_places_harm_no_form(form: str) -> None:
    for old, new in ((faulty.hostile(), faulty.every_kind()), (faulty.clean(), faulty.hostile())):
        said = render_comparison(compare(old, new), form)
        said.encode("utf-8")
        assert "<script>alert" not in said or form != "html"
        assert "\x1b" not in said


def test_an_unknown_form_is_refused(busy: Comparison) -> None:
    with pytest.raises(UsageError, match="text, json, html"):
        render_comparison(busy, "xlsx")


def test_the_verb_compares_two_folders_and_ends_with_1_for_what_is_new(tmp_path: Path) -> None:
    def larger(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
        far = frame.geometry.scale(2.6, 2.6) if "phase" in frame else frame.geometry
        return frame.set_geometry(far)

    old, new = written(tmp_path / "old", "shp"), written(tmp_path / "new", "gpkg", larger)
    for folder in (old, new):  # one rule, which is enough to compare by
        wish = '[check]\nselect = ["DST001"]\n'
        (folder / "site.toml").write_text(wish, encoding="utf-8")
    out = tmp_path / "changes.html"
    run = CliRunner()
    settled = tmp_path / "settled.json"

    def call(*arguments: object) -> tuple[int, str]:
        done = run.invoke(app, [str(a) for a in ("compare", *arguments, "--now", "2026-05-04")])
        if isinstance(done.exception, SitemapError):
            return 2, str(done.exception)
        return done.exit_code, done.output

    code, said = call(old, new, "-f", "text", "-f", f"html:{out}")
    assert (code, "disturbance: 3 reshaped" in said) == (1, True)
    assert "<!DOCTYPE html>" in out.read_text("utf-8")[:20]
    saved = tmp_path / "changes.json"
    code, said = call(old, new, "-o", saved)
    counts = json.loads(saved.read_text("utf-8"))["counts"]
    words = ", ".join(f"{number} {state}" for state, number in counts.items() if number)
    assert (code, said) == (1, f"wrote {saved}: {words}\n")
    assert counts["new"] > 0
    code, said = call(old, new, "-f", "text", "-o", out)
    assert (code, said.startswith("FINDINGS: ")) == (1, True)
    code, said = call(old, new, "-o", tmp_path / "changes.docx")
    assert (code, "the ending says the form, accepted are .txt" in said) == (2, True)
    assert call(old, old)[0] == 0
    checked = sitemap.check_site(sitemap.open_site(old), now=NOW)
    entry = {"finding": checked.findings[0].fingerprint, "status": "resolved"}
    entry |= {"reviewer": "R", "date": "2026-05-01"}
    settled.write_text(json.dumps({"schema": "1.0", "decisions": [entry]}), encoding="utf-8")
    code, said = call(old, old, "--old-decisions", settled)
    assert (code, said.splitlines()[0]) == (1, "FINDINGS: 1 came back")
    code, said = call(old, old, "--decisions", settled)
    assert (code, said.splitlines()[0]) == (0, "FINDINGS: 1 waived")
    assert call(old, new, "-f", f"json:{new / 'all.gpkg'}")[0] == 2
    assert "accepted are text, json, html" in call(old, new, "-f", "gpkg:x.gpkg")[1]


def test_several_findings_that_a_change_may_answer_are_told_as_several() -> None:
    before = with_disturbance([square(0, 0)], id=["a"])
    after = with_disturbance([square(0, 0, 80)], id=["a"])
    spots = [seen(f"too big {x}", 0, geometry=square(x, 10, 20)) for x in (10, 50)]
    one, two = (compare(judged(*spots[:n], of=before), judged(of=after)) for n in (1, 2))
    assert "may answer old finding 1" in " ".join(render_comparison(one, "text").split())
    assert "may answer old findings 1, 2" in " ".join(render_comparison(two, "text").split())


def test_on_a_phone_words_are_not_stacked_letter_by_letter(
    browser: Browser, busy: Comparison, tmp_path: Path
) -> None:
    """390 px hold some forty letters; a cell of words takes most of that width."""
    file = tmp_path / "changes.html"
    file.write_text(render_comparison(busy, "html"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    cells = page.locator("table td:nth-child(3), table td:nth-child(4)")
    widths = cells.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert len(widths) > len(busy.changes)
    assert min(widths) > 60
    rows = page.locator("td.map ~ *, tr:has(td.map) td:not(.map)")
    wide = rows.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert wide
    assert min(wide) > 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
