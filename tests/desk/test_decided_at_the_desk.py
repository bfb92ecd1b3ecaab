"""What a reviewer decides in the page: kept, never lost, saved, taken in by check and letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, Page, expect

from sitemap.checked import CheckedSite
from sitemap.decisions import load_decisions
from sitemap.report.json import to_dict
from sitemap.review.letter_markdown import to_markdown
from sitemap.review.write_letter import Dates, prepare
from sitemap.rules.rule import Ask, Checked
from tests.desk.at_the_desk import at_the_desk, look_at, pixel_of, written
from tests.tiny_site import NOW, X0, Y0, check, clause, fault, make_rule, pack, says, square

LAW = pack(clause("d", "DST001", person="Look.", person_always=True), clause("j", "GRD001"))
SCHEMA = json.loads(files("sitemap.review").joinpath("decisions.schema.json").read_text("utf-8"))


def judged(**more: Any) -> CheckedSite:
    faults = [
        fault(),
        fault(message="Another.", distinct="2", geometry=square(300, 300, 50)),
        fault(message="A third.", distinct="3", geometry=square(10, 10, 50)),
    ]
    rules = (
        make_rule("DST001", says(*faults), "d"),
        make_rule("GRD001", says(Checked("grid", 1), Ask("Is it right?")), "j"),
    )
    return check(*rules, law=LAW, **more)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(judged(), tmp_path_factory.mktemp("decide"))


@pytest.fixture
def page(browser: Browser, file: Path) -> Iterator[Page]:
    with at_the_desk(browser, file) as (opened, _):
        yield opened


def decide(page: Page, number: int, status: str, comment: str = "") -> None:
    page.click("#tab-findings")
    page.click(f"[data-finding='{number}']")
    page.check(f"#detail input[value='{status}']")
    if comment:
        page.fill("#detail textarea", comment)


def decide_all(page: Page) -> None:
    """Two findings, a clause, a condition; a point that belongs to a finding, an area to none."""
    page.fill("#reviewer", "R. Viewer")
    decide(page, 1, "not a problem", "the pond is dry")
    decide(page, 2, "open", "see the drawing")
    look_at(page, X0 + 325, Y0 + 325, 0.5)
    page.click("#tab-redlines")
    page.click("#redline-point")
    x, y = pixel_of(page, X0 + 360, Y0 + 320)
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    page.locator("#redline-list li:last-child input").fill("fence here")
    page.locator("#redline-typed").locator("xpath=..").locator("summary").click()
    page.fill(
        "#redline-typed textarea",
        f"{X0 + 5}, {Y0 + 5}\n{X0 + 45:,} {Y0 + 5:,}\n{X0 + 45} {Y0 + 65}",
    )
    page.check("#redline-typed input[name=area]")
    page.click("#redline-typed button")
    page.locator("#redline-list li:last-child input").fill("keep clear")
    page.select_option("#redline-list li:last-child select", "")
    page.click("#tab-clauses")
    page.locator("[data-clause='tiny:d'] > summary").click()
    page.check("[data-clause='tiny:d'] input[value='not fulfilled']")
    page.fill("[data-clause='tiny:d'] textarea", "areas are not shown")
    page.click("#add-condition")
    page.fill("#conditions textarea", "Call before grading.")


def saved_file(page: Page, folder: Path, name: str = "decisions.json") -> Path:
    with page.expect_download() as waiting:
        page.click("#save")
    assert waiting.value.suggested_filename == "Tiny-decisions.json"
    to = folder / name
    waiting.value.save_as(to)
    return to


def test_all_of_it_goes_into_the_file_and_the_file_into_check_and_letter(
    page: Page, tmp_path: Path
) -> None:
    decide_all(page)
    said = saved_file(page, tmp_path)
    Draft202012Validator(SCHEMA).validate(json.loads(said.read_text("utf-8")))
    read = load_decisions(said)
    prints = [f.fingerprint for f in judged().findings]
    assert {d.finding: (d.status, d.comment) for d in read.decisions if d.finding} == {
        prints[0]: ("not a problem", "the pond is dry"),
        prints[1]: ("open", "see the drawing"),
    }
    (line,) = next(d for d in read.decisions if d.finding == prints[1]).redlines.features  # type: ignore[union-attr]
    assert line.text == "fence here"
    assert line.ground.distance(square(360, 320, 0.001).centroid) < 0.5  # a pixel is half a foot
    assert read.redlines is not None
    (area,) = read.redlines.features
    assert area.text == "keep clear"
    assert area.ground.area == pytest.approx(40 * 60 / 2)
    assert [c.text for c in read.conditions] == ["Call before grading."]
    assert read.crs == "EPSG:6609"

    again = judged(decisions=read)
    counting = {f.message for f in again.findings if f.counts}
    assert counting == {"Another.", "A third."}
    (denied,) = (one for one in again.clauses if one.is_denied)
    assert denied.clause.id == "d"
    report = tmp_path / "check.json"
    report.write_text(json.dumps(to_dict(again)), encoding="utf-8")
    letter = to_markdown(prepare(report, "disapprove", Dates(NOW), said, None, "R. Viewer").letter)
    for words in ("the pond is dry", "see the drawing", "areas are not shown"):
        assert words in letter


def test_nothing_is_lost_on_reload(page: Page, tmp_path: Path) -> None:
    decide_all(page)
    before = page.evaluate("desk.store.toFile()")
    page.reload()
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    assert page.evaluate("desk.store.toFile()") == before
    assert page.input_value("#reviewer") == "R. Viewer"
    assert "2 of 3 findings, 1 clause decided, 2 redlines" in page.locator("#kept").inner_text()
    assert page.evaluate("desk.redlines.getFeatures().length") == 2


def test_a_half_written_entry_is_kept_but_not_saved_as_a_decision(page: Page) -> None:
    decide(page, 1, "exception")
    assert '"exception" needs its reason.' in page.locator("#detail .fault").inner_text()
    page.click("#save")
    expect(page.locator("#said")).to_contain_text('Not saved yet: "exception" needs its reason')
    expect(page.locator("#said")).to_contain_text("give the reviewer's name")
    page.reload()
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    page.click("[data-finding='1']")
    assert page.is_checked("#detail input[value=exception]")


def test_undecided_again_takes_the_decision_away(page: Page) -> None:
    page.fill("#reviewer", "R. Viewer")
    decide(page, 1, "resolved")
    assert page.evaluate("desk.store.count().decided") == 1
    page.check("#detail input[value='']")
    assert page.evaluate("desk.store.count().decided") == 0
    assert page.evaluate("desk.store.toFile().decisions") == []


def test_a_saved_file_is_loaded_by_another_browser(
    browser: Browser, file: Path, page: Page, tmp_path: Path
) -> None:
    decide_all(page)
    said = saved_file(page, tmp_path)
    with at_the_desk(browser, file) as (other, _):
        assert other.evaluate("desk.store.count().decided") == 0
        other.set_input_files("#load", said)
        expect(other.locator("#said")).to_contain_text("Loaded decisions.json: 3 decisions")
        assert other.input_value("#reviewer") == "R. Viewer"
        second = saved_file(other, tmp_path, "second.json")
        assert json.loads(second.read_text("utf-8")) == json.loads(said.read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not json", "is not JSON"),
        ('{"a": 1}', 'its "schema" must be 1.0'),
        (
            '{"schema": "1.0", "crs": "EPSG:32054", "redlines": {"type": "FeatureCollection", '
            '"features": [{"type": "Feature", "geometry": {"type": "Point", '
            '"coordinates": [1, 2]}}]}}',
            "redlines are in EPSG:32054",
        ),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(
    page: Page, tmp_path: Path, text: str, words: str
) -> None:
    page.fill("#reviewer", "R. Viewer")
    decide(page, 1, "resolved")
    before = page.evaluate("desk.store.toFile()")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(text, encoding="utf-8")
    page.set_input_files("#load", wrong)
    expect(page.locator("#said")).to_contain_text(words)
    assert page.evaluate("desk.store.toFile()") == before


def test_a_page_made_with_decisions_shows_them_and_what_was_decided_here_stays(
    browser: Browser, tmp_path: Path
) -> None:
    prints = [f.fingerprint for f in judged().findings]
    who = {"reviewer": "E. Lder", "date": "2026-05-01"}

    def page_with(*entries: dict[str, Any]) -> Path:
        said = tmp_path / "said.json"
        said.write_text(json.dumps({"schema": "1.0", "decisions": [{**who, **e} for e in entries]}))
        return written(judged(), tmp_path, load_decisions(said))

    first = {"finding": prints[0], "status": "resolved", "comment": "seen"}
    second = {"finding": prints[1], "status": "open", "comment": "wait"}
    with at_the_desk(browser, page_with(first, second)) as (page, _):
        assert page.evaluate("desk.store.count().decided") == 2
        page.fill("#reviewer", "R. Viewer")
        decide(page, 1, "exception", "by the rule")
        page_with(first, {**second, "comment": "wait no more", "status": "resolved"})
        page.reload()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        found = {d["finding"]: d for d in page.evaluate("desk.store.toFile().decisions")}
        assert (found[prints[0]]["status"], found[prints[0]]["reviewer"]) == (
            "exception",
            "R. Viewer",
        )
        assert (found[prints[1]]["comment"], found[prints[1]]["reviewer"]) == (
            "wait no more",
            "E. Lder",
        )


def test_a_browser_that_keeps_nothing_is_told_of_and_warns_before_it_is_left(
    browser: Browser, file: Path
) -> None:
    locked = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
    )
    with at_the_desk(browser, file, before=locked) as (page, trouble):
        assert "This browser keeps nothing for this page" in page.locator("#kept").inner_text()
        page.fill("#reviewer", "R. Viewer")
        decide(page, 1, "resolved")
        page.reload()  # the dialog is accepted
        assert trouble == ["dialog beforeunload"]
        trouble.clear()


def test_decisions_about_what_is_not_on_the_page_are_kept_in_the_file(
    page: Page, tmp_path: Path
) -> None:
    elsewhere = {
        "schema": "1.0",
        "decisions": [
            {
                "finding": "0123456789abcdef",
                "status": "resolved",
                "comment": "",
                "reviewer": "E",
                "date": "2026-05-01",
            },
            {
                "clause": "zz",
                "ordinance": "other",
                "verdict": "fulfilled",
                "comment": "",
                "reviewer": "E",
                "date": "2026-05-01",
            },
        ],
        "conditions": [],
    }
    file = tmp_path / "elsewhere.json"
    file.write_text(json.dumps(elsewhere), encoding="utf-8")
    page.set_input_files("#load", file)
    expect(page.locator("#said")).to_contain_text("Loaded elsewhere.json")
    assert page.evaluate("desk.store.toFile().decisions") == elsewhere["decisions"]
