"""The HTML page as text: whole, well formed, nothing from elsewhere, every value escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from shapely.geometry import Point

from sitemap.checked import CheckedSite
from sitemap.report import render
from sitemap.report.html import MAPS_OF_ONE_RULE, MOST_OF_ONE_RULE
from sitemap.report.maps import FINDING_SIZE, MARKER_PX, MapMaker
from sitemap.report.styles import LOOKS, WAIVED
from tests.report import faulty
from tests.tiny_site import X0, Y0, check, fault, make_rule, says, site, square

VOID = {"meta", "link", "br", "input", "rect", "path", "use", "circle"}


class Page(HTMLParser):
    """Elements with their attributes, text, and tags that do not close."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def ids(self) -> list[str]:
        return [a["id"] or "" for _, a in self.elements if "id" in a]


def page_of(checked: CheckedSite) -> Page:
    return Page(render(checked, "html"))


@pytest.mark.parametrize("make", [faulty.every_kind, faulty.clean, faulty.hostile])
def test_it_is_well_formed_and_every_link_leads_somewhere(make: object) -> None:
    assert callable(make)
    page = page_of(make())
    assert (page.wrong, page.open) == ([], [])
    ids = page.ids()
    assert len(ids) == len(set(ids))
    targets = [a["href"] or "" for tag, a in page.elements if tag in ("a", "use")]
    assert [t for t in targets if not t.startswith("#") or t[1:] not in ids] == []
    labels = [a["aria-labelledby"] or "" for _, a in page.elements if "aria-labelledby" in a]
    assert [label for label in labels if label not in ids] == []


def test_nothing_is_fetched_and_only_our_own_style_and_script_may_run() -> None:
    html = render(faulty.every_kind(), "html")
    page = Page(html)
    asked = [
        value
        for tag, a in page.elements
        for name, value in a.items()
        if name in ("src", "href", "srcset", "action", "data", "poster")
        and not (value or "").startswith("#")
    ]
    assert asked == ["data:,"]  # an empty icon, so that no browser asks for one
    assert not re.search(r"https?://|url\((?!#)|@import", html)
    policy = next(a["content"] for t, a in page.elements if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    # no attribute that the policy would have to allow
    assert not any(name == "style" or name.startswith("on") for _, a in page.elements for name in a)


def test_it_has_landmarks_language_and_headings_in_order() -> None:
    page = page_of(faulty.every_kind())
    tags = [tag for tag, _ in page.elements]
    assert [tags.count(t) for t in ("header", "nav", "main", "footer", "h1")] == [1] * 5
    assert ("html", {"lang": "en"}) in page.elements
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(b - a <= 1 for a, b in pairwise(levels))
    heads = [a for t, a in page.elements if t == "th"]
    assert all(a.get("scope") in ("col", "row") for a in heads)
    assert all(a.get("aria-hidden") or a.get("role") for t, a in page.elements if t == "svg")


def test_findings_confirmations_and_reasons_are_all_there() -> None:
    checked = faulty.every_kind()
    words = " ".join(" ".join(page_of(checked).words).split())
    for finding in checked.findings:
        assert finding.message in words
        assert finding.fingerprint in words
    for said in ("Does not comply", "Is it?", "no plate was handed in", "it broke", "not here"):
        assert said in words
    assert "old pond (City Engineer, 2026-04-01, until 2027-04-01)" in words
    assert "error, waived" in words


def test_a_card_has_what_the_filter_asks_for() -> None:
    page = page_of(faulty.every_kind())
    cards = [a for tag, a in page.elements if tag == "article"]
    assert {a["data-severity"] for a in cards} == {"error", "warning", "info", "waived"}
    assert {a["data-rule"] for a in cards} == {"CON002", "DST001", "DOC001"}
    options = {a["value"] for tag, a in page.elements if tag == "option" and a["value"]}
    clauses = {part for a in cards for part in (a["data-clauses"] or "").split("|") if part}
    assert clauses == {o for o in options if o and ":" in o} == {
        "tiny:contours", "tiny:d", "tiny:3a",
    }  # fmt: skip


def test_hostile_words_are_words() -> None:
    html = render(faulty.hostile(), "html")
    page = Page(html)
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "x" not in {tag for tag, _ in page.elements}
    assert "<script>alert(1)</script> is wrong" in "".join(page.words)
    assert "{{ 7 * 7 }}" in "".join(page.words)
    assert "40,014 characters" in "".join(page.words)
    assert max(len(word) for word in page.words[:-3]) < 25_000
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e]", html)


def test_inks_are_readable_on_white() -> None:
    def luminance(ink: str) -> float:
        channels = [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for look in (*LOOKS.values(), WAIVED):
        for ground in ("#ffffff", look.tint):
            ratio = (luminance(ground) + 0.05) / (luminance(look.ink) + 0.05)
            assert ratio >= 4.5, (look.name, ground, ratio)


def test_many_findings_are_counted_and_the_page_says_where_they_all_are() -> None:
    count = MOST_OF_ONE_RULE + 30
    faults = [fault(message=f"fault {i}", geometry=Point(X0 + i, Y0 + i)) for i in range(count)]
    page = page_of(check(make_rule("DST001", says(*faults), "d"), law=faulty.LAW))
    tags = [tag for tag, _ in page.elements]
    assert tags.count("article") == MOST_OF_ONE_RULE
    # one figure is the overview
    assert tags.count("figure") == MAPS_OF_ONE_RULE + 1
    words = "".join(page.words)
    assert "30 more of DST001 are not on this page; all of them are in -f json and -f gpkg" in words


# ------------------------------------------------------------------------------------- the maps


def numbers(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_a_map_shows_the_fault_in_its_middle_with_boundary_cell_and_a_true_bar() -> None:
    checked = faulty.every_kind()
    finding = next(f for f in checked.findings if f.message == "It is too big.")
    drawn = MapMaker(checked).finding(finding)
    assert drawn is not None
    assert (drawn.width, drawn.height) == FINDING_SIZE
    (shape,) = drawn.fault
    xs, ys = zip(*numbers(shape.d), strict=True)
    assert (min(xs) + max(xs)) / 2 == pytest.approx(drawn.width / 2, abs=1)
    assert (min(ys) + max(ys)) / 2 == pytest.approx(drawn.height / 2, abs=1)
    assert drawn.bar is not None
    bar_ft = float(drawn.bar.words.removesuffix(" ft").replace(",", ""))
    px_per_ft = (max(xs) - min(xs)) / 100.0  # the fault is 100 ft wide
    assert drawn.bar.px == pytest.approx(bar_ft * px_per_ft, rel=0.01)
    assert {s.role for s in drawn.shapes} >= {"disturbance"}
    assert drawn.cell is not None
    assert [label.words for label in drawn.labels] == [finding.place and finding.place.cell]


def test_north_is_up() -> None:
    checked = faulty.every_kind()
    low = fault(message="low", geometry=square(0, 0, 10))
    high = fault(message="high", geometry=square(0, 300, 10))
    found = check(make_rule("DST001", says(low, high), "d"), law=faulty.LAW)
    overview = MapMaker(found).overview()
    assert overview is not None
    y = {m.finding.message: m.y for m in overview.markers}
    assert y["high"] < y["low"]
    assert MapMaker(checked).overview() is not None


def test_marks_at_one_place_do_not_hide_each_other() -> None:
    faults = [fault(message=f"fault {i}") for i in range(12)]
    found = check(make_rule("DST001", says(*faults), "d"), law=faulty.LAW)
    overview = MapMaker(found).overview()
    assert overview is not None
    spots = [(m.x, m.y) for m in overview.markers]
    assert len(spots) == 12
    assert all(
        abs(a[0] - b[0]) >= MARKER_PX * 0.9 or abs(a[1] - b[1]) >= MARKER_PX * 0.9
        for i, a in enumerate(spots)
        for b in spots[:i]
    )


def test_a_fault_far_from_the_site_says_that_the_boundary_is_not_in_view() -> None:
    far = fault(geometry=square(1e6, 1e6))
    checked = check(make_rule("DST001", says(far), "d"), law=faulty.LAW)
    drawn = MapMaker(checked).finding(checked.findings[0])
    assert drawn is not None
    assert not drawn.boundary_in_view
    assert "the boundary lies outside this window" in render(checked, "html")
    overview = MapMaker(checked).overview()
    assert overview is not None
    assert overview.left_out == 1


def test_a_site_without_crs_or_layers_has_no_maps_and_a_whole_page() -> None:
    checked = faulty.every_kind()
    bare = replace(checked, site=replace(site({}), crs=None))
    page = page_of(bare)
    assert page.wrong == []
    assert "figure" not in [tag for tag, _ in page.elements]


def test_invalid_geometry_is_drawn_and_stops_nothing() -> None:
    from shapely.geometry import Polygon

    bow = Polygon([(X0, Y0), (X0 + 100, Y0 + 100), (X0 + 100, Y0), (X0, Y0 + 100)])
    checked = check(make_rule("DST001", says(fault(geometry=bow)), "d"), law=faulty.LAW)
    drawn = MapMaker(checked).finding(checked.findings[0])
    assert drawn is not None
    assert drawn.fault
