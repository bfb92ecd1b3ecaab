"""The HTML page in a browser: filter by keyboard, no request leaves, no error, readable on paper.

Needs Debian's chromium; skipped where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sitemap.report import write
from tests.report import faulty


@pytest.fixture
def watched(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, list[str]]]:
    """A page of every kind of finding, opened offline, and everything that went wrong on it."""
    file = tmp_path / "check.html"
    write(faulty.every_kind(), "html", file)
    yield from _opened(browser, file)


def _opened(browser: Browser, file: Path, **more: Any) -> Iterator[tuple[Page, list[str]]]:
    context = browser.new_context(offline=True, **more)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(f"dialog {dialog.message}"))
    page.on("request", lambda r: trouble.append(r.url) if not r.url.startswith("file:") else None)
    page.goto(file.as_uri())
    yield page, trouble
    assert trouble == []
    context.close()


def shown(page: Page) -> list[str]:
    return page.locator("article.card:visible .message").all_text_contents()


def test_all_is_shown_at_first_and_nothing_is_asked_of_anywhere(
    watched: tuple[Page, list[str]],
) -> None:
    page, _ = watched
    assert len(shown(page)) == len(faulty.every_kind().findings)
    assert page.locator("#shown").inner_text() == "All 7 findings are shown."
    assert page.title() == "Tiny: does not comply"


def test_the_filter_works_by_keyboard_alone(watched: tuple[Page, list[str]]) -> None:
    page, _ = watched
    page.locator("input[name=severity]").first.focus()
    page.keyboard.press("Space")  # errors off
    assert set(shown(page)) == {"let stand", "a line is wrong", "a point, by the way"}
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # warnings off
    assert set(shown(page)) == {"let stand", "a point, by the way"}
    page.locator("input[name=text]").focus()
    page.keyboard.type("p-1")
    assert shown(page) == ["a point, by the way"]
    assert "1 of 7" in page.locator("#shown").inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Show all
    # not wait_for_function: it needs eval, which the page's own policy forbids
    expect(page.locator("#shown")).to_have_text("All 7 findings are shown.")
    assert len(shown(page)) == 7


def test_clause_rule_and_text_narrow_together(watched: tuple[Page, list[str]]) -> None:
    page, _ = watched
    page.select_option("select[name=clause]", "tiny:contours")
    assert set(shown(page)) == {"a line is wrong", "far out"}
    page.select_option("select[name=rule]", "DST001")
    assert shown(page) == []
    page.select_option("select[name=clause]", "")
    page.fill("input[name=text]", "TOO big")
    assert shown(page) == ["It is too big."]
    # Enter in the text field must not reload the page
    page.locator("input[name=text]").press("Enter")
    assert shown(page) == ["It is too big."]


def test_a_mark_on_the_map_leads_to_its_finding_even_when_filtered_out(
    watched: tuple[Page, list[str]],
) -> None:
    page, _ = watched
    page.fill("input[name=text]", "nothing says this")
    assert shown(page) == []
    page.locator("a.marker").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article.card:focus")).to_have_count(1)
    assert len(shown(page)) == 7


def test_the_first_tab_skips_to_the_findings(watched: tuple[Page, list[str]]) -> None:
    page, _ = watched
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the findings"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "findings"


def test_without_script_everything_stands_there_and_no_filter(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "check.html"
    write(faulty.every_kind(), "html", file)
    for page, _ in _opened(browser, file, java_script_enabled=False):
        assert len(shown(page)) == 7
        assert not page.locator("#filter").is_visible()


def test_hostile_words_do_nothing(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "check.html"
    write(faulty.hostile(), "html", file)
    for page, _ in _opened(browser, file):
        assert "<script>alert(1)</script> is wrong" in " ".join(shown(page))


def test_nothing_is_wider_than_a_small_screen(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "check.html"
    write(faulty.hostile(), "html", file)
    for page, _ in _opened(browser, file, viewport={"width": 400, "height": 800}):
        assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_on_paper_there_is_no_filter_and_no_card_is_torn(
    watched: tuple[Page, list[str]],
) -> None:
    page, _ = watched
    page.emulate_media(media="print")
    assert not page.locator("#filter").is_visible()
    assert not page.locator("nav").is_visible()
    rule = "getComputedStyle(document.querySelector('.card')).breakInside"
    assert page.evaluate(rule) == "avoid"
    assert len(page.pdf(prefer_css_page_size=True)) > 10_000


def test_on_paper_the_long_words_of_measured_by_have_the_wide_column(
    watched: tuple[Page, list[str]],
) -> None:
    """The account of a reference is ten times as long as its name."""
    page, _ = watched
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 960})  # a letter sheet less its margins
    row = page.locator("#measured table tbody tr").first.locator("th, td")
    what, which, how = row.evaluate_all("all => all.map(one => one.offsetWidth)")
    assert how > 2 * which > 2 * what
