"""Submitted against reference at the desk: layers, differences with their sizes, the swipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from playwright.sync_api import Browser

from sitemap import load_ordinances
from sitemap.check import check_site
from sitemap.checked import CheckedSite
from sitemap.desk.content import desk_content
from sitemap.finding import JsonDict
from sitemap.layer import Unreadable
from sitemap.reference import ReferenceSet
from sitemap.site import Site
from tests.clean_site import NOW, clean_site, rectangle
from tests.desk.at_the_desk import at_the_desk, look_at, written
from tests.desk.test_content import unpacked
from tests.desk.test_read_and_print import AXE, faults_of
from tests.references import known, known_land

MISSING = rectangle(50, 300, 250, 400)


def against(site: Site) -> CheckedSite:
    return check_site(site, load_ordinances("wi-nr152-appa"), rules=(), now=NOW)


def wetlands_known(*shapes: shapely.Polygon) -> CheckedSite:
    return against(known(clean_site(), "wetlands", {"geometry": list(shapes)}))


def by_kind(content: JsonDict) -> dict[str, list[JsonDict]]:
    found: dict[str, list[JsonDict]] = {}
    for one in content["differences"]:
        found.setdefault(one["kind"], []).append(one)
    return found


def test_what_is_the_same_differs_in_nothing() -> None:
    content = desk_content(against(known_land(clean_site())))
    assert content["differences"] == []
    groups = [one["role"] for one in content["layers"] if one["group"] == "reference"]
    assert sorted(groups) == ["floodplain", "jurisdiction", "parcels", "streams", "wetlands"]


def test_missing_and_extra_carry_their_shape_and_size() -> None:
    content = desk_content(wetlands_known(MISSING))
    found = by_kind(content)
    (missing,) = found["missing"]
    (extra,) = found["extra"]  # wetland W-1 of the clean site, 140 by 60 ft, is not known
    assert missing["words"] == "wetlands: all of it, 20,000 sq ft (0.459 acres)"
    assert extra["words"] == "wetlands: W-1, all of it, 8,400 sq ft (0.193 acres)"
    origin = tuple(content["origin"])
    assert unpacked(missing["shapes"][0], origin).equals(MISSING)


def test_classes_are_told_in_plain_words() -> None:
    zone = {"geometry": [MISSING], "zone": ["AE"], "subtype": [None]}
    content = desk_content(against(known(clean_site(), "floodplain", zone)))
    (missing,) = by_kind(content)["missing"]
    assert missing["words"] == "flood fringe: all of it, 20,000 sq ft (0.459 acres)"


def test_what_lies_elsewhere_is_moved_and_shows_both_places() -> None:
    # W-1 lies from 560 to 700 and 60 to 120 ft; the reference has it 60 ft farther east
    moved_to = rectangle(620, 60, 760, 120)
    content = desk_content(wetlands_known(moved_to))
    (moved,) = by_kind(content)["moved"]
    assert moved["words"] == ("wetlands: outlines up to 60 ft apart, centroids 60 ft")
    assert unpacked(moved["known"][0], tuple(content["origin"])).equals(moved_to)


def test_a_stream_beside_its_place_is_one_difference() -> None:
    """Moved, and not missing there and extra here as well."""
    site = clean_site()
    streams = [one for one in site.layers["streams"].shapes if one.geom_type == "LineString"]
    beside = [shapely.transform(one, lambda xy: xy + np.array([60.0, 60.0])) for one in streams]
    told = desk_content(against(known(site, "streams", {"geometry": beside})))
    lines = [one for one in told["differences"] if one["words"].startswith("streams")]
    assert {one["kind"] for one in lines} == {"moved"}
    assert len(lines) == len(streams)


def test_thin_strips_are_listed_apart() -> None:
    wider = rectangle(530, 60, 730, 120)  # 30 ft more on either side, under the 40 ft
    found = by_kind(desk_content(wetlands_known(wider)))
    assert set(found) == {"sliver"}
    assert [one["words"] for one in found["sliver"]] == [
        "wetlands: missing strip, 3,600 sq ft (0.083 acres)"
    ]


def test_each_reference_is_named_with_version_and_hash() -> None:
    rows = desk_content(wetlands_known(MISSING))["references"]
    assert rows[0][:2] == ["wetlands", "wwi.gpkg"]
    assert "no version and no effective date stated" in rows[0][2]
    assert rows[-1][0] == "compared"
    assert "strips thinner than 40 ft" in rows[-1][2]


def test_without_references_there_is_no_such_tab(browser: Browser, tmp_path: Path) -> None:
    with at_the_desk(browser, written(against(clean_site()), tmp_path)) as (page, _):
        assert page.locator("#tab-reference").is_hidden()


def test_a_reference_that_could_not_be_read_is_told_in_its_tab(
    browser: Browser, tmp_path: Path
) -> None:
    lost = Unreadable("state/wetlands.shp", "damaged", "has no .shx")
    here = replace(clean_site(), reference=ReferenceSet(given=("state",), unread=(lost,)))
    with at_the_desk(browser, written(against(here), tmp_path)) as (page, _):
        page.click("#tab-reference")
        assert page.locator("#references li").all_inner_texts() == [
            "not read state/wetlands.shp has no .shx"
        ]
        assert page.locator("#not-compared").inner_text().startswith("Not compared: no layer")
        assert page.locator("#no-differences").is_hidden()  # nothing was compared: no such words


def test_without_a_boundary_nothing_is_said_of_differences(
    browser: Browser, tmp_path: Path
) -> None:
    here = known(clean_site(), "wetlands", {"geometry": [MISSING]})
    rest = {role: layer for role, layer in here.layers.items() if role != "boundary"}
    checked = against(replace(here, layers=rest))
    with at_the_desk(browser, written(checked, tmp_path)) as (page, _):
        page.click("#tab-reference")
        assert page.locator("#not-compared").inner_text() == "Not compared: no boundary."
        assert page.locator("#no-differences").is_hidden()


@pytest.mark.skipif(not AXE.is_file(), reason="tests/vendor/axe.min.js is not in this checkout")
def test_axe_finds_no_serious_fault_beside_a_reference(browser: Browser, tmp_path: Path) -> None:
    checked = wetlands_known(MISSING, rectangle(300, 300, 310, 900))
    with at_the_desk(browser, written(checked, tmp_path)) as (page, _):
        page.evaluate(AXE.read_text("utf-8"))
        page.click("#tab-reference")
        assert page.locator("#difference-list li").count() >= 2
        page.check("#swipe-on")
        page.get_by_role("button", name="missing wetlands").first.click()
        assert faults_of(page) == []


def test_the_swipe_shows_the_reference_on_the_right_alone(browser: Browser, tmp_path: Path) -> None:
    ink = """([x, y]) => {
        desk.map.renderSync();
        const [px, py] = desk.map.getPixelFromCoordinate([x, y]).map(Math.round);
        let seen = false;
        for (const canvas of desk.map.getViewport().querySelectorAll("canvas")) {
            const { data } = canvas.getContext("2d").getImageData(px - 4, py - 4, 9, 9);
            for (let i = 0; i < data.length; i += 4) {
                seen = seen || (data[i + 3] > 20 && data[i] < 210 && data[i + 1] > data[i] + 10);
            }
        }
        return seen;
    }"""
    left, _, _, top = MISSING.bounds
    corner = [left, top - 50.0]  # on the west side of the reference's outline, a teal band
    with at_the_desk(browser, written(wetlands_known(MISSING), tmp_path)) as (page, _):
        page.click("#tab-reference")
        page.uncheck("#differences-on")
        page.check("#swipe-on")
        page.evaluate(
            "desk.layers.forEach((l) => l.role === 'wetlands' || l.drawn.setVisible(false));"
            "desk.gridLayer.setVisible(false)"
        )
        look_at(page, left, top, 1.0)
        page.locator("#swipe").fill("20")  # the line lies left of the outline
        assert page.evaluate(ink, corner) is True
        page.locator("#swipe").fill("80")
        assert page.evaluate(ink, corner) is False


def test_a_difference_in_the_list_leads_to_its_place(browser: Browser, tmp_path: Path) -> None:
    with at_the_desk(browser, written(wetlands_known(MISSING), tmp_path)) as (page, _):
        page.click("#tab-reference")
        assert page.is_checked("#differences-on")
        page.get_by_role("button", name="missing wetlands").click()
        seen = shapely.box(*page.evaluate("desk.map.getView().calculateExtent(desk.map.getSize())"))
        assert seen.contains(MISSING)
        assert seen.area < 20 * MISSING.area


@pytest.mark.parametrize("role", ["wetlands", "streams", "floodplain"])
def test_a_reference_feature_tells_that_it_is_one(
    browser: Browser, tmp_path: Path, role: str
) -> None:
    checked = against(known_land(clean_site()))
    with at_the_desk(browser, written(checked, tmp_path)) as (page, _):
        page.evaluate(
            "(role) => desk.showFeatures(desk.layers.find((one) => one.group === 'reference'"
            " && one.role === role).features.slice(0, 1))",
            role,
        )
        assert page.locator("#feature-list .soft").inner_text().startswith("Reference. ")
