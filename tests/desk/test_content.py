"""What a desk's page holds, without a browser: whole, small, escaped, true to the shapes."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiPolygon, Point, box
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import load_catalogue
from sitemap.desk.budget import CUTS, packed_layers, size_of
from sitemap.desk.content import MOST_BYTES, desk_content, submission_key
from sitemap.desk.drawn_layers import DrawnLayer, drawn_layers
from sitemap.desk.page import desk_page, safe_json
from sitemap.desk.shapes import STEPS_PER_FT, Packed, exploded, packed, simplified
from sitemap.desk.vendored import vendored
from sitemap.errors import SitemapError
from sitemap.finding import JsonDict, Source
from sitemap.layer import USER_ID, Unreadable
from tests.clean_site import clean_site
from tests.report import faulty
from tests.tiny_site import X0, Y0, check, fault, layer, make_rule, says, site, square

ORIGIN = (2_469_000.0, 335_000.0)


def unpacked(shape: Packed, origin: tuple[float, float] = ORIGIN) -> BaseGeometry:
    """The inverse of packed, written apart from the page's own."""

    def line(steps: list[int]) -> np.ndarray:
        return np.cumsum(np.array(steps).reshape(-1, 2), axis=0) / STEPS_PER_FT + origin

    dimension, *parts = shape
    if dimension == 0:
        return shapely.MultiPoint(np.array(parts) / STEPS_PER_FT + origin)
    if dimension == 1:
        return shapely.MultiLineString([line(part) for part in parts])
    return MultiPolygon([(line(outer), [line(hole) for hole in holes]) for outer, *holes in parts])


places = st.tuples(st.floats(-5e3, 5e3), st.floats(-5e3, 5e3)).map(
    lambda xy: (xy[0] + ORIGIN[0], xy[1] + ORIGIN[1])
)


@given(st.lists(places, min_size=2, max_size=40, unique=True))
def test_a_line_comes_back_within_half_a_hundredth_of_a_foot(
    vertices: list[tuple[float, float]],
) -> None:
    line = LineString(vertices)
    back = unpacked(packed(line, ORIGIN))
    if back.is_empty:  # all of it lies within one step
        assert line.length < 1.0
        return
    assert shapely.hausdorff_distance(back, line) <= 0.5 / STEPS_PER_FT * np.sqrt(2) + 1e-6


@given(st.lists(places, min_size=1, max_size=9, unique=True), st.floats(5.0, 300.0))
def test_areas_with_holes_keep_their_acres(middles: list[tuple[float, float]], size: float) -> None:
    circles = shapely.buffer(shapely.points(middles), size)
    whole = shapely.union_all(circles).difference(Point(middles[0]).buffer(size / 3))
    back = unpacked(packed(whole, ORIGIN))
    assert back.area == pytest.approx(whole.area, abs=whole.length * 0.01)


@given(st.lists(places, min_size=3, max_size=60, unique=True), st.floats(0.05, 5.0))
def test_what_is_simplified_stays_within_the_stated_tolerance(
    vertices: list[tuple[float, float]], tolerance_ft: float
) -> None:
    line = LineString(vertices)
    (thin,) = simplified(np.array([line], dtype=object), tolerance_ft)
    far = shapely.distance(shapely.points(shapely.get_coordinates(line)), thin)
    assert far.max() <= tolerance_ft + 1e-6


def test_a_collection_is_drawn_by_all_its_kinds() -> None:
    parts = [Point(1, 1), LineString([(0, 0), (5, 5)]), box(2, 2, 3, 3), box(7, 7, 8, 8)]
    mixed = shapely.GeometryCollection(parts)
    shapes, owner = exploded(np.array([Point(0, 0), mixed], dtype=object))
    assert owner.tolist() == [0, 1, 1, 1]
    assert sorted(shapely.get_dimensions(shapes[1:]).tolist()) == [0, 1, 2]
    assert shapely.area(shapes).sum() == 2.0


def test_vendored_scripts_are_those_that_were_published() -> None:
    for one in vendored():
        assert hashlib.sha256(one.raw).hexdigest() == one.sha256, one.file
        assert "</script" not in one.text.lower()
        assert "sourceMappingURL" not in one.text
        words = {"BSD-2-Clause": "Redistribution and use", "MIT": "Permission is hereby granted"}
        assert words[one.licence] in one.licence_text
    assert [one.package for one in vendored()] == ["ol", "proj4"]


def test_the_test_s_own_script_is_that_which_was_published(root: Path) -> None:
    folder = root / "tests" / "vendor"
    (entry,) = tomllib.loads((folder / "vendored.toml").read_text("utf-8"))["script"]
    assert hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]
    assert (folder / entry["licence_file"]).is_file()


class Scripts(HTMLParser):
    """Script elements, and everything that could fetch."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.kinds: list[str | None] = []
        self.fetching: list[tuple[str, str]] = []
        self.text = ""
        self.policy = ""
        self._in_content = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])
        if tag == "script":
            self.kinds.append(given.get("type"))
        self._in_content = given.get("id") == "content"
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            if given.get(name) and not str(given[name]).startswith(("#", "data:,")):
                self.fetching.append((tag, str(given[name])))

    def handle_data(self, data: str) -> None:
        self.text += data if self._in_content else ""


def content_of(html: str) -> JsonDict:
    found: JsonDict = json.loads(Scripts(html).text)
    return found


@pytest.mark.parametrize("made", [faulty.every_kind, faulty.hostile, faulty.clean])
def test_a_page_fetches_nothing_and_users_words_open_no_element(made: object) -> None:
    html = desk_page(made())  # type: ignore[operator]
    read = Scripts(html)
    assert read.fetching == []
    assert read.kinds == ["application/json", None, None, None]
    assert read.policy.startswith("default-src 'none'; ")
    assert "connect-src 'none'" in read.policy
    assert "unsafe" not in read.policy
    assert len(html.encode()) < 8_000_000


def test_json_in_a_script_element_cannot_end_it() -> None:
    text = safe_json({"a": "</script><!--<script>", "b": "\u2028&"})
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == {"a": "</script><!--<script>", "b": "\u2028&"}


def test_layers_come_in_plate_order_with_every_feature_and_the_measures_of_shapely() -> None:
    here = clean_site()
    drawn = drawn_layers(here)
    assert [one.order for one in drawn] == sorted(one.order for one in drawn)
    expected = {r for r, one in here.layers.items() if len(one.usable)} - {"grid"}
    assert {one.role for one in drawn} == expected
    (disturbed,) = (one for one in drawn if one.role == "disturbance")
    areas = shapely.area(here.layers["disturbance"].usable.geometry.to_numpy())
    assert [row[4] for row in disturbed.rows] == pytest.approx(areas.tolist(), abs=0.006)
    ids = here.layers["disturbance"].usable[USER_ID].tolist()
    assert [row[0] for row in disturbed.rows] == ids


def test_index_contours_wear_the_heavier_pen() -> None:
    (existing,) = (one for one in drawn_layers(clean_site()) if one.role == "contours_existing")
    plain, index = existing.styles
    assert index["width"] > plain["width"]
    levels = {float(existing.rows[row][3]) for row in existing.row[existing.style == 1]}
    every = sorted({float(row[3]) for row in existing.rows})
    interval = min(high - low for low, high in pairwise(every))
    assert all(level % (5 * interval) == 0 for level in levels)


def test_silt_fence_is_turned_so_that_lower_ground_lies_on_its_left() -> None:
    # contours fall to the south; a fence drawn westward has south on its left, one drawn
    # eastward on its right
    steps = range(0, 401, 20)
    contours = [LineString([(X0 - 50, Y0 + y), (X0 + 450, Y0 + y)]) for y in steps]
    levels = [800.0 + y / 10 for y in steps]
    west = LineString([(X0 + 300, Y0 + 150), (X0 + 100, Y0 + 150)])
    east = LineString([(X0 + 100, Y0 + 250), (X0 + 300, Y0 + 250)])
    drawn = {
        "contours_existing": layer("contours_existing", contours, elevation=levels),
        "controls": layer("controls", [west, east], type=["SF", "SF"]),
    }
    here = replace(site(drawn), catalogue=load_catalogue())
    (controls,) = (one for one in drawn_layers(here) if one.role == "controls")
    assert controls.styles[0]["ticks"] == "left"
    for fence in controls.shapes:
        (x0, _), (x1, _) = fence.coords
        assert x1 < x0


def test_the_hatch_of_steep_ground_runs_down_its_own_slope() -> None:
    # a ridge along y = 200: the ground falls north and south of it, 1 ft in 5
    levels = [(y, 840.0 - abs(y - 200) / 5) for y in range(0, 401, 20)]
    contours = [LineString([(X0, Y0 + y), (X0 + 400, Y0 + y)]) for y, _ in levels]
    north, south = square(100, 250, 100), square(100, 50, 100)
    drawn = {
        "contours_existing": layer(
            "contours_existing", contours, elevation=[level for _, level in levels]
        ),
        "steep_slopes": layer("steep_slopes", [MultiPolygon([north, south])]),
    }
    here = replace(site(drawn), catalogue=load_catalogue())
    (steep,) = (one for one in drawn_layers(here) if one.role == "steep_slopes")
    assert steep.row.tolist() == [0, 0]
    assert steep.turn.tolist() == pytest.approx([90.0, -90.0], abs=1.0)
    (content,) = packed_layers([steep], ORIGIN, (X0, Y0, X0 + 400, Y0 + 400), MOST_BYTES)
    assert [shape[3] for shape in content["shapes"]] == [90, -90]


def wide_layer(role: str, lines: list[LineString]) -> DrawnLayer:
    here = site({"boundary": layer("boundary", [square(0, 0, 400)]), role: layer(role, lines)})
    (found,) = (one for one in drawn_layers(here) if one.role == role)
    return found


def wavy(y: float, vertices: int) -> LineString:
    x = np.linspace(0.0, 400.0, vertices)
    return LineString(np.column_stack([X0 + x, Y0 + y + 0.2 * np.sin(x * 3.0)]))


def test_the_largest_layer_is_cut_and_says_by_how_much() -> None:
    small = wide_layer("soils", [wavy(10, 50)])
    large = wide_layer("wetlands", [wavy(y, 4_000) for y in range(40)])
    origin, extent = (X0, Y0), (X0, Y0, X0 + 400, Y0 + 400)
    whole = packed_layers([small, large], origin, extent, 10_000_000)
    assert [one["cut"] for one in whole] == [[], []]
    least = packed_layers([small, large], origin, extent, size_of(whole) // 4)
    assert least[0]["cut"] == []
    (words,) = least[1]["cut"]
    found = re.fullmatch(
        r"simplified by at most ([\d.]+) ft: ([\d,]+) of 160,000 vertices left out", words
    )
    assert found is not None
    tolerance = float(found[1])
    left_out = int(found[2].replace(",", ""))
    kept = sum(len(part) // 2 for _, _, shape in least[1]["shapes"] for part in shape[1:])
    assert kept <= 160_000 - left_out  # rounding to hundredths may join a few more
    for line, (_, _, shape) in zip(large.shapes, least[1]["shapes"], strict=True):
        vertices = shapely.points(shapely.get_coordinates(line))
        assert shapely.distance(vertices, unpacked(shape, origin)).max() <= tolerance + 0.01


def test_far_features_go_before_near_ones_and_it_is_said() -> None:
    far = [LineString([(X0 + 9e5, Y0 + n), (X0 + 9e5 + 50, Y0 + n)]) for n in range(3_000)]
    mixed = wide_layer("soils", [wavy(10, 2), *far])
    (cut,) = packed_layers([mixed], (X0, Y0), (X0, Y0, X0 + 400, Y0 + 400), 20_000)
    assert cut["cut"] == ["3,000 of 3,001 features left out, more than 1 mile from the map"]
    assert cut["numbers"] == [0]


def test_what_cannot_be_made_small_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap.desk.content.MOST_BYTES", 1_000)
    with pytest.raises(SitemapError, match="the desk would be larger than 1,000 bytes"):
        desk_content(faulty.every_kind())


def test_of_very_many_findings_the_gravest_stay_and_the_rest_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = faulty.every_kind()
    whole = desk_content(checked)["findings"]
    monkeypatch.setattr("sitemap.desk.content.MOST_BYTES_OF_FINDINGS", size_of(whole) * 2 // 3)
    content = desk_content(checked)
    kept = [one["number"] for one in content["findings"]]
    assert 0 < len(kept) < len(whole) == content["findingsTotal"]
    assert kept == sorted(kept)
    left_out = [one for one in whole if one["number"] not in kept]
    assert {one["look"] for one in left_out} <= {"waived", "info", "warning"}
    assert f"{len(left_out)} of {len(whole)} are not on this page" in content["findingsCut"][-1]


@pytest.mark.slow
def test_a_hundred_thousand_points_with_words_stay_under_eight_megabytes() -> None:
    rng = np.random.default_rng(4)
    xy = rng.uniform(0, 400, (100_000, 2)) + np.array([X0, Y0])
    words = [f"unit {n} of this map" * 3 for n in range(len(xy))]
    spots = layer("soils", [Point(p) for p in xy], id=words)
    spots.frame[USER_ID] = words
    here = site({"boundary": layer("boundary", [square(0, 0, 400)]), "soils": spots})
    checked = check(make_rule("GRD001", says(), "j"), law=faulty.LAW, of=here)
    html = desk_page(checked)
    assert len(html.encode()) <= MOST_BYTES
    cut = next(one for one in content_of(html)["layers"] if one["role"] == "soils")["cut"]
    assert "features left out: the smallest, and those far away" in " ".join(cut)


def test_every_cut_leaves_out_more_than_the_one_before() -> None:
    order = [(c.tolerance_ft, c.near, c.bare, 1 - c.share) for c in CUTS]
    for one, two in pairwise(order):
        assert one != two
        assert all(before <= after for before, after in zip(one, two, strict=True))


def test_a_site_without_a_crs_is_refused_with_the_way_out() -> None:
    nowhere = replace(faulty.clean(), site=replace(site(), crs=None))
    with pytest.raises(SitemapError, match="give the CRS with --crs"):
        desk_page(nowhere)


def test_without_a_role_the_files_are_named_not_the_crs() -> None:
    here = site()
    stranger = here.datasets[0] if here.datasets else next(iter(here.layers.values())).members[0]
    lost = Unreadable("pond.shp", "damaged", "ends early")
    nothing = replace(here, layers={}, datasets=(stranger,), unreadable=(lost,))
    with pytest.raises(SitemapError) as told:
        desk_page(replace(faulty.clean(), site=nothing))
    assert f"of its files ({stranger.provenance.file}) none serves a role" in str(told.value)
    assert "pond.shp could not be read" in str(told.value)
    assert "--crs" not in str(told.value)


def test_the_key_is_that_of_the_files_not_of_the_check() -> None:
    one, other = faulty.every_kind(), faulty.clean()
    assert submission_key(one) == submission_key(other)
    assert submission_key(one) != submission_key(faulty.hostile())


def test_contours_beside_a_gap_are_its_evidence() -> None:
    low, high, away = (LineString([(X0, Y0 + y), (X0 + 400, Y0 + y)]) for y in (100, 200, 300))
    contours = layer("contours_existing", [low, high, away], elevation=[810.0, 820.0, 825.0])
    drawn = {"boundary": layer("boundary", [square(0, 0, 400)]), "contours_existing": contours}
    here = replace(site(drawn), catalogue=load_catalogue())
    gap = box(X0 + 50, Y0 + 100, X0 + 350, Y0 + 200)
    said = fault(geometry=gap, role="contours_existing", source=Source(), message="10 ft apart")
    checked = check(make_rule("CON002", says(said), "contours"), law=faulty.LAW, of=here)
    (finding,) = desk_content(checked)["findings"]
    assert finding["features"] == [["contours_existing", 0], ["contours_existing", 1]]
    assert unpacked(finding["shapes"][0], (float(round(X0)), float(round(Y0)))).equals(gap)
