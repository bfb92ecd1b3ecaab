"""A desk opened in a browser from its file, and everything that went wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from sitemap.checked import CheckedSite
from sitemap.decisions import Decisions
from sitemap.desk.page import desk_page


def written(
    checked: CheckedSite,
    folder: Path,
    decisions: Decisions | None = None,
) -> Path:
    """The page of a check, in a file."""
    file = folder / "review.html"
    file.write_text(desk_page(checked, decisions), encoding="utf-8")
    return file


@contextmanager
def at_the_desk(
    browser: Browser, file: Path, *, before: str = "", **more: Any
) -> Iterator[tuple[Page, list[str]]]:
    """The page when it is ready; every request to anywhere, error and dialog fails the test.

    before is script that runs ahead of the page's own.
    """
    options = {"viewport": {"width": 1440, "height": 900}, "offline": True, **more}
    context = browser.new_context(**options)
    page = context.new_page()
    trouble: list[str] = []

    def refused(route: Route) -> None:
        trouble.append(f"asked for {route.request.url}")
        route.abort()

    page.route(lambda url: not url.startswith(("file:", "data:", "blob:")), refused)
    # what the browser itself advises (readback of a canvas) is no trouble of the page
    page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: (trouble.append(f"dialog {dialog.type}"), dialog.accept()))
    if before:
        page.add_init_script(before)
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    try:
        yield page, trouble
    finally:
        context.close()
    assert trouble == []


def pixel_of(page: Page, x_ft: float, y_ft: float) -> tuple[float, float]:
    """Where a place of the site CRS lies in the window."""
    box = page.locator("#map").bounding_box()
    assert box is not None
    x, y = page.evaluate("(place) => desk.map.getPixelFromCoordinate(place)", [x_ft, y_ft])
    return box["x"] + x, box["y"] + y


def look_at(page: Page, x_ft: float, y_ft: float, feet_per_pixel: float) -> None:
    """Put a place in the middle of the map and draw it."""
    page.evaluate(
        "([x, y, r]) => { const view = desk.map.getView(); view.setCenter([x, y]);"
        " view.setResolution(r); desk.map.renderSync(); }",
        [x_ft, y_ft, feet_per_pixel],
    )
