"""The desk for screen readers, by keyboard alone, and on paper."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.desk.at_the_desk import at_the_desk, written
from tests.report import faulty
from tests.tiny_site import check, clause, fault, make_rule, pack, says

AXE = Path(__file__).resolve().parent.parent / "vendor" / "axe.min.js"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(faulty.every_kind(), tmp_path_factory.mktemp("read"))


def faults_of(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical, with the element."""
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {node['html'][:160]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.skipif(not AXE.is_file(), reason="tests/vendor/axe.min.js is not in this checkout")
def test_axe_finds_no_serious_fault_in_any_panel(browser: Browser, file: Path) -> None:
    with at_the_desk(browser, file) as (page, _):
        page.evaluate(AXE.read_text("utf-8"))
        page.keyboard.press("n")
        for tab in ("findings", "clauses", "redlines", "about"):
            page.click(f"#tab-{tab}")
            if tab == "clauses":
                page.locator("details.clause > summary").nth(2).click()
            assert faults_of(page) == [], tab
        page.fill("#search", "D-1")
        page.keyboard.press("Enter")
        page.click("#help-button")
        assert faults_of(page) == []


def test_a_finding_is_decided_by_keyboard_alone(browser: Browser, file: Path) -> None:
    with at_the_desk(browser, file) as (page, _):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the findings"
        page.keyboard.press("Enter")
        page.keyboard.press("n")
        page.keyboard.press("d")
        page.keyboard.press("ArrowRight")  # open
        page.keyboard.press("ArrowRight")  # resolved
        page.keyboard.press("Tab")
        page.keyboard.type("as built, n and p are letters here")
        decision = page.evaluate("desk.store.decisionOn(desk.selected.fingerprint)")
        assert decision["status"] == "resolved"
        assert decision["comment"] == "as built, n and p are letters here"


def test_tabs_move_with_the_arrows_and_hidden_panels_are_hidden(
    browser: Browser, file: Path
) -> None:
    with at_the_desk(browser, file) as (page, _):
        page.locator("#tab-findings").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#tab-clauses")).to_be_focused()
        expect(page.locator("#panel-clauses")).to_be_visible()
        expect(page.locator("#panel-findings")).to_be_hidden()


def test_the_map_moves_by_arrow_keys(browser: Browser, file: Path) -> None:
    with at_the_desk(browser, file) as (page, _):
        before = page.evaluate("desk.map.getView().getCenter()")
        page.locator("#map").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)
        after = page.evaluate("desk.map.getView().getCenter()")
        assert after[0] > before[0]
        assert after[1] == pytest.approx(before[1])


def test_the_print_has_the_map_the_findings_and_the_decisions(browser: Browser, file: Path) -> None:
    with at_the_desk(browser, file) as (page, _):
        page.fill("#reviewer", "R. Viewer")
        page.click("[data-finding='1']")
        page.check("#detail input[value=exception]")
        page.fill("#detail textarea", "allowed by the engineer")
        x, y = page.evaluate("desk.map.getView().getCenter()")
        page.click("#tab-redlines")
        page.click("summary:has-text('without a mouse')")
        page.fill("#redline-typed textarea", f"{x} {y}\n{x + 60} {y}\n{x + 60} {y + 80}")
        page.click("#redline-typed button")
        assert page.inner_text("#said").endswith("of finding 1: write its words.")
        page.keyboard.type("Move the fence here")
        pdf = page.pdf(prefer_css_page_size=True)
    document = pypdfium2.PdfDocument(pdf)
    text = " ".join(p.get_textpage().get_text_bounded() for p in document)
    for finding in faulty.every_kind().findings:
        assert finding.message in text
    assert "allowed by the engineer" in text
    assert "R. Viewer" in text
    assert "Move the fence here (line, 140.0 ft; of finding 1)" in text  # 60 ft and 80 ft
    counted = f"1 of {len(faulty.every_kind().findings)} findings and 0 clauses decided, 1 redline."
    assert counted in " ".join(text.split())
    assert "Save decisions" not in text
    first = document[0]
    assert first.get_size() == (792.0, 612.0)  # letter, landscape
    pictures = [o for o in first.get_objects() if o.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]
    assert pictures, "the map is not on the first page"


def test_without_script_the_page_says_where_the_findings_stand(
    browser: Browser, file: Path
) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    assert "sitemap check -f html:FILE" in page.locator("noscript").inner_text()
    context.close()


def test_a_filtered_print_says_what_it_leaves_out(browser: Browser, file: Path) -> None:
    """A filter that is forgotten on the screen leaves nothing out on paper in silence."""
    total = len(faulty.every_kind().findings)
    with at_the_desk(browser, file) as (page, _):
        page.evaluate("desk.beforePrint()")
        assert page.text_content("#print-shown") == ""
        page.uncheck("[name=look][value=error]")
        kept = page.evaluate("desk.filtered.length")
        assert 0 < kept < total
        page.evaluate("desk.beforePrint()")
        assert page.locator("#print-findings tr").count() == kept
        assert page.text_content("#print-shown") == (
            f"Only the {kept} of {total} findings that the filter on the screen shows are printed."
        )
        assert page.text_content("#print-redlines") == "none"
        assert page.text_content("#print-conditions") == "none"


def test_one_finding_is_counted_as_one(browser: Browser, tmp_path: Path) -> None:
    rule = make_rule("DST001", says(fault(message="It is thin.")), "d")
    one = check(rule, law=pack(clause("d", "DST001")))
    with at_the_desk(browser, written(one, tmp_path)) as (page, _):
        assert page.inner_text("#shown") == "All 1 finding"
