"""The desk's map in a browser: offline, true to the foot, searched, measured, gone through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from playwright.sync_api import Browser, Page, expect

from sitemap.catalogue import load_catalogue
from sitemap.crs import lonlat
from tests.clean_site import clean_site
from tests.desk.at_the_desk import at_the_desk, look_at, pixel_of, written
from tests.report import faulty
from tests.tiny_site import CRS, X0, Y0, check, fault, layer, make_rule, says, site, square


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(faulty.every_kind(), tmp_path_factory.mktemp("every"))


@pytest.fixture
def page(browser: Browser, every_kind: Path) -> Iterator[Page]:
    with at_the_desk(browser, every_kind) as (opened, _):
        yield opened


@pytest.fixture(scope="module")
def clean_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = clean_site()
    around = here.layers["disturbance"].usable.geometry.iloc[0]
    checked = check(make_rule("DST001", says(fault(geometry=around)), "d"), law=faulty.LAW, of=here)
    return written(checked, tmp_path_factory.mktemp("clean"))


def messages(page: Page) -> list[str]:
    return page.locator("#finding-list .message").all_text_contents()


def test_it_opens_offline_without_webgl_and_draws_every_feature(
    browser: Browser, clean_file: Path
) -> None:
    with at_the_desk(browser, clean_file) as (page, _):
        assert page.evaluate("document.createElement('canvas').getContext('webgl') === null")
        drawn = page.evaluate("desk.layers.map((one) => [one.role, one.rows.length])")
        frames = {r: len(one.usable) for r, one in clean_site().layers.items() if r != "grid"}
        assert dict(drawn) == {role: number for role, number in frames.items() if number}
        inked = page.evaluate(
            "() => { desk.map.renderSync(); const c = document.querySelector('#map canvas');"
            " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            " let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"
        )
        assert inked > 10_000


def test_every_symbol_of_the_catalogue_is_drawn_and_explained(
    browser: Browser, clean_file: Path
) -> None:
    with at_the_desk(browser, clean_file) as (page, _):
        swatches = page.locator("#layer-list canvas.swatch")
        styles = page.evaluate("desk.layers.flatMap((one) => one.styles.map((s) => s.legend))")
        assert swatches.count() == len(styles)
        blank = page.evaluate(
            "[...document.querySelectorAll('#layer-list canvas.swatch')].filter((c) =>"
            " !c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v)).length"
        )
        assert blank == 0


def test_the_pointer_tells_state_plane_degrees_and_cell(page: Page) -> None:
    look_at(page, X0 + 200, Y0 + 200, 0.5)
    x, y = pixel_of(page, X0 + 123.0, Y0 + 321.0)
    page.mouse.move(round(x), round(y))
    said = page.locator("#place").inner_text()
    found = re.fullmatch(
        r"N ([\d,.]+) · E ([\d,.]+) ft · ([\d.]+)° N ([\d.]+)° W(?: · cell (\w+))?", said
    )
    assert found is not None, said
    north, east = (float(text.replace(",", "")) for text in found.groups()[:2])
    assert abs(east - (X0 + 123.0)) <= 0.5  # a pixel is half a foot
    assert abs(north - (Y0 + 321.0)) <= 0.5
    lon, lat = lonlat(east, north, CRS)
    # 1e-7 degrees are a third of an inch; the page prints seven decimals of rounded feet
    assert float(found[3]) == pytest.approx(float(lat), abs=1e-7)
    assert -float(found[4]) == pytest.approx(float(lon), abs=1e-7)
    cell = page.evaluate("([x, y]) => desk.cellAt([x, y])", [east, north])
    assert found[5] == (cell or None)


def test_without_a_place_on_earth_the_page_says_so_and_gives_feet(
    browser: Browser, tmp_path: Path
) -> None:
    html = written(faulty.clean(), tmp_path).read_text("utf-8")
    file = tmp_path / "local.html"
    file.write_text(re.sub(r'"proj":"[^"]*"', '"proj":null', html), encoding="utf-8")
    with at_the_desk(browser, file) as (page, _):
        assert (
            "no degrees: this CRS cannot be placed on the earth"
            in page.locator("#place").inner_text()
        )


def test_a_measured_area_is_that_of_the_plan(page: Page) -> None:
    look_at(page, X0 + 200, Y0 + 200, 0.5)
    page.click("#measure-area")
    corners = [(150, 150), (250, 150), (250, 250), (150, 250)]
    for dx, dy in corners:  # two pixels beside each corner: it snaps
        x, y = pixel_of(page, X0 + dx, Y0 + dy)
        page.mouse.move(x + 2, y - 1)
        page.mouse.click(x + 2, y - 1)
        page.wait_for_timeout(350)  # a second click at once would be a double click
    x, y = pixel_of(page, X0 + corners[0][0], Y0 + corners[0][1])
    page.mouse.click(x, y)
    square = shapely.Polygon([(X0 + dx, Y0 + dy) for dx, dy in corners])
    acres = square.area / 43_560
    words = page.locator("#measure-words").inner_text()
    around = f"around {square.length:.1f} ft, plane in EPSG:6609"
    assert words == f"Measured 10,000 sq ft, {acres:.3f} acres, {around}"


def test_a_measured_length_is_that_of_the_plan(page: Page) -> None:
    look_at(page, X0 + 200, Y0 + 200, 0.7)
    page.keyboard.press("m")
    way = [(0, 0), (150, 150), (250, 150)]
    for dx, dy in way:
        x, y = pixel_of(page, X0 + dx, Y0 + dy)
        page.mouse.move(x, y)
        page.mouse.click(x, y)
        page.wait_for_timeout(350)
    page.mouse.click(x, y)  # at the last corner: done
    length = shapely.LineString(way).length
    assert page.locator("#measure-words").inner_text().startswith(f"Measured {length:.1f} ft")
    page.click("#measure-clear")
    assert page.locator("#measure-words").inner_text() == ""


def test_the_scale_bar_is_as_long_as_it_says(page: Page) -> None:
    look_at(page, X0 + 200, Y0 + 200, 0.7)
    page.wait_for_timeout(200)
    box = page.locator("#bar").bounding_box()
    assert box is not None
    feet = float(page.locator("#bar-words").inner_text().removesuffix(" ft").replace(",", ""))
    assert feet == 100
    assert box["width"] == pytest.approx(feet / 0.7, abs=0.1)
    assert page.locator("#scale-words").inner_text() == "1 in = 67.2 ft on screen"


def test_search_finds_a_cell_and_an_id(browser: Browser, clean_file: Path) -> None:
    with at_the_desk(browser, clean_file) as (page, _):
        label = page.evaluate("desk.cells[3].label")
        page.keyboard.press("/")
        page.keyboard.type(label.lower())
        page.keyboard.press("Enter")
        expect(page.locator("#found")).to_contain_text(f"Cell {label}")
        seen = page.evaluate("desk.map.getView().calculateExtent(desk.map.getSize())")
        cell = page.evaluate("desk.cells[3].geometry.getExtent()")
        assert shapely.box(*seen).contains(shapely.box(*cell))
        controls = clean_site().layers["controls"].usable
        wanted = controls["_user_id"].dropna().iloc[0]
        page.fill("#search", wanted)
        page.keyboard.press("Enter")
        expect(page.locator("#feature h3").first).to_contain_text(wanted)
        page.fill("#search", "no such thing")
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("Nothing is called no such thing")


def test_a_click_tells_the_attributes_and_the_size_of_what_lies_there(page: Page) -> None:
    look_at(page, X0 + 200, Y0 + 200, 0.5)
    page.evaluate("desk.switchExtra('Findings', false)")
    x, y = pixel_of(page, X0 + 165, Y0 + 235)
    page.mouse.click(x, y)
    expect(page.locator("#feature")).to_be_visible()
    words = page.locator("#feature").inner_text()
    assert "Disturbance" in words
    assert "10,000 sq ft, 0.230 acres" in words
    assert "disturbance.shp:disturbance, record 0" in words
    page.keyboard.press("Escape")
    expect(page.locator("#feature")).to_be_hidden()


def test_findings_are_filtered_by_severity_clause_decision_and_words(page: Page) -> None:
    everything = [f.message for f in faulty.every_kind().findings]
    assert messages(page) == everything
    page.uncheck("#filter input[value=error]")
    page.uncheck("#filter input[value=waived]")
    assert set(messages(page)) == {"a line is wrong", "a point, by the way"}
    page.check("#filter input[value=error]")
    page.select_option("#filter-clause", "tiny:contours")
    assert set(messages(page)) == {"a line is wrong", "far out"}
    page.select_option("#filter-clause", "")
    page.fill("#filter input[name=words]", "TOO big")
    assert messages(page) == ["It is too big."]
    page.fill("#filter input[name=words]", "")
    page.select_option("#filter select[name=status]", "undecided")
    assert len(messages(page)) == 6
    page.select_option("#filter select[name=status]", "resolved")
    assert messages(page) == []
    assert page.locator("#shown").inner_text() == "0 of 7 findings"


def test_next_and_previous_go_through_what_is_shown_and_zoom_there(page: Page) -> None:
    page.uncheck("#filter input[value=error]")
    page.locator("#map").focus()
    page.keyboard.press("n")
    expect(page.locator("#detail h3")).to_contain_text("a line is wrong")
    seen = shapely.box(*page.evaluate("desk.map.getView().calculateExtent(desk.map.getSize())"))
    line = faulty.a_line(20, 50)
    assert seen.contains(line)
    assert seen.area < 40 * line.length**2
    drawn = page.evaluate(
        "desk.evidence.getSource().getFeatures().map((f) => f.getGeometry().getCoordinates())"
    )
    assert np.allclose(drawn[0], line.coords, atol=0.005)
    page.keyboard.press("n")
    expect(page.locator("#detail h3")).to_contain_text("a point, by the way")
    page.keyboard.press("p")
    expect(page.locator("#detail h3")).to_contain_text("a line is wrong")
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(page.locator("[data-finding][aria-current]")).to_have_count(1)


def test_a_mark_on_the_map_opens_its_finding(page: Page) -> None:
    note = next(f for f in faulty.every_kind().findings if f.message == "a point, by the way")
    assert note.place is not None
    look_at(page, note.place.x_ft, note.place.y_ft, 0.05)
    x, y = pixel_of(page, note.place.x_ft, note.place.y_ft)
    page.mouse.click(x, y)
    expect(page.locator("#detail h3")).to_contain_text("a point, by the way")


def test_a_question_leads_to_its_place(page: Page) -> None:
    page.click("#tab-clauses")
    page.check("#only-person")
    page.locator("details.clause > summary").first.click()
    page.get_by_role("button", name="show").first.click()
    shown = page.evaluate("desk.evidence.getSource().getFeatures().length")
    assert shown == 1
    assert "Is it?" in page.locator("#clause-list").inner_text()


def test_layers_are_switched_faded_and_ordered_as_on_the_plate(page: Page) -> None:
    page.uncheck("#layers label:has-text('Disturbance') >> xpath=../input[@type='checkbox']")
    hidden = "desk.layers.find((one) => one.role === 'disturbance').drawn.getVisible()"
    assert page.evaluate(hidden) is False
    fade = page.get_by_role("slider", name="Opacity of Boundary, percent")
    fade.fill("40")
    assert (
        page.evaluate("desk.layers.find((one) => one.role === 'boundary').drawn.getOpacity()")
        == 0.4
    )


def test_single_keys_rest_while_one_types_and_can_be_switched_off(page: Page) -> None:
    page.fill("#search", "")
    page.locator("#search").press("n")
    assert page.evaluate("desk.selected") is None
    page.locator("#map").focus()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.uncheck("#keys-on")
    page.get_by_role("button", name="Close").last.click()
    page.locator("#map").focus()
    page.keyboard.press("n")
    assert page.evaluate("desk.selected") is None


def test_hostile_words_do_nothing(browser: Browser, tmp_path: Path) -> None:
    with at_the_desk(browser, written(faulty.hostile(), tmp_path)) as (page, _):
        for _ in range(4):
            page.keyboard.press("n")
        page.click("#tab-clauses")
        page.click("#tab-about")
        page.fill("#search", faulty.NASTY[1])
        page.keyboard.press("Enter")
        page.evaluate("desk.beforePrint()")
        assert "<script>alert(1)</script> is wrong" in messages_of(page)


def messages_of(page: Page) -> list[str]:
    return page.evaluate(
        "[...document.querySelectorAll('#finding-list .message')].map((m) => m.textContent)"
    )


def test_an_edge_that_two_areas_share_is_drawn_once(browser: Browser, tmp_path: Path) -> None:
    """Two squares side by side, one that lies apart, one too small for the page's hundredths."""
    areas = [square(0, 0, 200), square(200, 0, 200), square(0, 300, 90), square(300, 300, 0.001)]
    drawn = {"soils": layer("soils", areas, map_unit=["HmB", "Oz", "HmB", "Oz"])}
    here = replace(site(drawn), catalogue=load_catalogue())
    checked = check(make_rule("XXX001", says()), law=faulty.LAW, of=here)
    with at_the_desk(browser, written(checked, tmp_path)) as (page, _):
        lengths = page.evaluate(
            """() => desk.layers.find((one) => one.role === "soils").features.map((feature) => {
                const shape = feature.get("outline") || feature.getGeometry();
                return desk.draw.lines(shape.getCoordinates())
                    .reduce((sum, line) => sum + new ol.geom.LineString(line).getLength(), 0);
            })"""
        )
    assert lengths == pytest.approx([800.0, 600.0, 360.0, 0.0])


@pytest.mark.parametrize("width", [1024, 1280, 1440, 700])
def test_nothing_is_wider_than_the_window(browser: Browser, every_kind: Path, width: int) -> None:
    size = {"width": width, "height": 768}
    with at_the_desk(browser, every_kind, viewport=size) as (page, _):
        page.keyboard.press("n")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for tab in ("findings", "clauses", "redlines", "about"):
            page.click(f"#tab-{tab}")
            wide = page.locator(f"#panel-{tab}").evaluate("(p) => p.scrollWidth - p.clientWidth")
            assert wide <= 0, tab


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 faults, 20 by 20, 10 ft apart, and one that lies where the first does."""
    places = [(x, y) for x in range(0, 200, 10) for y in range(0, 200, 10)] + [(0, 0)]
    faults = [
        fault(geometry=shapely.Point(X0 + x, Y0 + y), message=f"Fault {n}.", distinct=str(n))
        for n, (x, y) in enumerate(places)
    ]
    checked = check(make_rule("DST001", says(*faults), "d"), law=faulty.LAW)
    return written(checked, tmp_path_factory.mktemp("crowded"))


def until(page: Page, script: str) -> None:
    """Waits as far as 5 s for something to become true (the page forbids waiting functions)."""
    for _ in range(50):
        if page.evaluate(script):
            return
        page.wait_for_timeout(100)
    raise AssertionError(script)


MARKS = (
    "() => desk.markLayer.getSource().getFeatures().map((f) => [f.getGeometry().getCoordinates(),"
    " (f.get('members') || [f]).length])"
)


def test_many_findings_are_gathered_by_zoom_and_said_in_words(
    browser: Browser, crowded: Path
) -> None:
    """No two marks nearer than 40 px, all 401 counted; near enough, each stands by itself."""
    with at_the_desk(browser, crowded) as (page, _):
        look_at(page, X0 + 100, Y0 + 100, 2.0)
        marks = page.evaluate(MARKS)
        assert sum(count for _, count in marks) == 401
        places = shapely.points([place for place, _ in marks])
        apart = shapely.distance(places[:, None], places[None, :])
        assert apart[apart > 0].min() >= 40 * 2.0
        assert len(marks) < 16  # of 200 by 200 ft at 80 ft
        words = page.locator("#crowd-words").inner_text()
        inside = sum(count for _, count in marks if count > 1)
        assert words.startswith(f"{inside} findings lie too close to be seen apart: ")
        look_at(page, X0 + 100, Y0 + 100, 0.2)
        marks = page.evaluate(MARKS)
        assert len(marks) == 400
        assert page.locator("#crowd-words").inner_text().startswith("2 findings lie too close")


def test_a_disc_is_opened_by_a_click_and_gives_its_findings(
    browser: Browser, crowded: Path
) -> None:
    with at_the_desk(browser, crowded) as (page, _):
        look_at(page, X0 + 100, Y0 + 100, 2.0)
        place, count = max(page.evaluate(MARKS), key=lambda mark: mark[1])
        assert count > 1
        page.mouse.click(*pixel_of(page, *place))
        until(page, "desk.map.getView().getResolution() < 1")
        look_at(page, X0, Y0, 0.2)
        (first,) = [mark for mark in page.evaluate(MARKS) if mark[1] == 2]
        page.mouse.click(*pixel_of(page, *first[0]))
        until(page, "desk.selected !== null")
        chosen = page.evaluate("desk.selected.number")
        page.mouse.click(*pixel_of(page, X0 + 10, Y0))
        until(page, f"desk.selected.number !== {chosen}")


def test_what_the_filter_leaves_out_is_in_no_disc(browser: Browser, crowded: Path) -> None:
    with at_the_desk(browser, crowded) as (page, _):
        page.fill("#filter [name=words]", "Fault 7.")
        assert page.evaluate(MARKS)[0][1] == 1
        assert page.locator("#crowd-words").inner_text() == ""
