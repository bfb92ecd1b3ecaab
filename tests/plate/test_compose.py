"""What a sheet holds, looked at mark by mark: places, sizes, overlaps, the legend both ways."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from sitemap.measures.sheets import PAPER_IN, sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.compose import compose_map
from sitemap.plate.marks import Areas, Lines, SheetMarks, Text
from sitemap.site import Site
from tests.clean_site import add_feature, clean_site, replace_features, with_layer
from tests.plate.composed import (
    compose_sheet,
    overlaps,
    rectangle,
    sheet,
    texts,
    the_map,
    words,
)

SHEETS = ("ARCH D", "ANSI B", "ARCH C")


def coordinates(mark: Lines | Areas) -> np.ndarray:
    paths = mark.paths if isinstance(mark, Lines) else [r for p in mark.polygons for r in p]
    return np.concatenate(list(paths))


@pytest.mark.parametrize("name", SHEETS)
def test_nothing_leaves_the_paper(name: str) -> None:
    width, height = PAPER_IN[name]
    paper = shapely.box(0, 0, width, height)
    for mark in sheet(name).marks:
        if isinstance(mark, Text):
            assert paper.contains(rectangle(mark)), mark.text
        else:
            xy = coordinates(mark)
            assert (xy >= 0).all(), mark.layer
            assert (xy <= (width, height)).all(), mark.layer


@pytest.mark.parametrize("name", SHEETS)
def test_no_lettering_overlaps_other_lettering(name: str) -> None:
    """Map labels, tables, legend and title block alike, measured on the letters' rectangles."""
    all_texts = texts(sheet(name))
    pairs = overlaps([rectangle(t) for t in all_texts])
    assert [(all_texts[a].text, all_texts[b].text) for a, b in pairs] == []


@pytest.mark.parametrize("name", SHEETS)
def test_map_marks_stay_in_the_frame(name: str) -> None:
    left, bottom, right, top = sheet(name).frames[0].box_in
    frame = shapely.box(left - 1e-9, bottom - 1e-9, right + 1e-9, top + 1e-9)
    titles = {spec.title for spec in clean_site().catalogue.specs}
    marks = [m for m in sheet(name).marks if m.layer in titles]
    assert len(marks) > 40
    for mark in marks:
        if isinstance(mark, Text):
            assert frame.contains(rectangle(mark)), mark.text
        else:
            assert frame.covers(shapely.MultiPoint(coordinates(mark))), mark.layer


@pytest.mark.parametrize("name", SHEETS)
def test_smallest_lettering_is_that_of_the_border(name: str) -> None:
    small = [t for t in texts(sheet(name)) if t.cap_in < 0.08 - 1e-9]
    assert [t.cap_in for t in small] == [0.06]
    assert small[0].text.startswith("sitemap ")
    assert small[0].y_in < sheet_layout(name).border[1]


def test_grid_is_lettered_on_all_four_sides() -> None:
    marks = sheet()
    left, bottom, right, top = marks.frames[0].box_in
    letters = [t for t in texts(marks) if t.cap_in == pytest.approx(0.14) and t.bold]
    above = sorted((t.x_in, t.text) for t in letters if t.y_in > top)
    below = sorted((t.x_in, t.text) for t in letters if t.y_in < bottom and t.x_in > left)
    west = sorted((-t.y_in, t.text) for t in letters if t.x_in < left)
    east = sorted(
        (-t.y_in, t.text) for t in letters if right < t.x_in < right + 0.4 and bottom < t.y_in < top
    )
    assert [t for _, t in above][:3] == ["A", "B", "C"]
    assert [t for _, t in above] == [t for _, t in below if t in {t for _, t in above}]
    assert [t for _, t in west][:3] == ["1", "2", "3"]
    assert [t for _, t in west] == [t for _, t in east]


def test_legend_names_what_is_drawn_and_only_that() -> None:
    said = " ".join(t.text for t in texts(sheet()) if not t.layer)
    drawn = the_map().drawing.drawn.values()
    assert {d.style.role for d in drawn} == set(clean_site().layers) - {"grid"} | {"traced_ways"}
    for one in drawn:
        assert all(word in said for word in one.style.legend.split()), one.style.legend
    for absent in ("Endwall", "Lake or pond", "Stormwater", "Ditch check"):
        assert absent not in said


def test_every_index_level_is_labelled_in_a_gap_of_its_line() -> None:
    drawing = the_map().drawing
    for contours in (c for c in drawing.contours if c.index):
        said = {
            float(t.text)
            for t in drawing.texts
            if isinstance(t, Text)
            and t.layer == contours.style.title
            and t.ink == contours.style.symbol.ink
        }
        assert set(contours.elevation_ft) <= said
        assert all(level % 10 == 0 for level in contours.elevation_ft)
        assert contours.work.gaps


def test_silt_fence_ticks_point_downhill() -> None:
    """The clean ground falls to the south, so ticks hang below a fence that runs east."""
    drawing = the_map().drawing
    fence = next(w.work for w in drawing.letters if w.style.key == "SF")
    assert len(fence.extras) > 5
    for tick in fence.extras:
        assert tick[1, 1] < tick[0, 1]


def test_layers_are_listed_and_used() -> None:
    marks = sheet()
    used = {m.layer for m in marks.marks if m.layer}
    assert used == set(marks.layers)
    assert "Control" in marks.layers
    assert {"Site boundary", "Erosion and sediment controls"} <= used


def test_control_crosses_stand_at_their_ground() -> None:
    marks = sheet()
    strokes = next(m for m in marks.marks if isinstance(m, Lines) and m.layer == "Control").paths
    middles = np.array([s.mean(axis=0) for s in strokes])[::2]
    assert marks.frames[0].to_ground(middles) == pytest.approx(np.array(marks.control_ft))


def test_scale_bar_is_as_long_as_it_says() -> None:
    """The outline of the bar: its length on paper times the scale is the sum of its ends."""
    marks = sheet()
    scale = marks.frames[0].feet_per_inch
    labels = {t.text: t.x_in for t in texts(marks) if t.cap_in == 0.08 and t.ha == "center"}
    zero = labels["0"]
    for feet in ("50", "100", "150"):
        ends = [
            t.x_in for t in texts(marks) if t.text == feet and t.ha == "center" and t.y_in < 3.0
        ]
        away = float(feet) / scale
        assert any(abs(abs(x - zero) - away) < 1e-9 for x in ends), feet


def test_print_check_bar_is_six_inches() -> None:
    levels = [
        p
        for m in sheet().marks
        if isinstance(m, Lines) and not m.layer
        for p in m.paths
        if len(p) == 2 and p[0, 1] == p[1, 1]
    ]
    assert any(abs(abs(p[1, 0] - p[0, 0]) - 6.0) < 1e-12 for p in levels)
    assert any("not 6 inches long" in w for w in words(sheet()))


def test_tables_give_measured_acres_and_cells() -> None:
    said = words(sheet())
    assert "11.02" in said  # 800 by 600 ft
    assert "2.75" in said  # 400 by 300 ft
    assert "124" in said  # the discharge's distance along flow
    controls = clean_site().layers["controls"].usable
    fence = controls[controls["id"] == "SF-1"].geometry.iloc[0]
    assert f"{fence.length:,.0f} ft" in said


def test_checklist_says_who_declared_none() -> None:
    said = " ".join(t.text for t in texts(sheet()))
    assert "None exist:" in said
    assert "A. Surveyor, PLS, field walk, 2026-04-02" in said
    assert all(f"({item})" in said for item in "abcdefghij")


def test_title_block_states_what_the_ordinance_asks() -> None:
    said = " ".join(t.text for t in texts(sheet()))
    scale = sheet().frames[0].feet_per_inch
    for fact in (
        f"1 in = {scale:g} ft (half size: 1 in = {2 * scale:g} ft)",
        "Hillside Acres",
        "Hillside Land Company",
        "Kettle Moraine Engineering",
        "EPSG:6609",
        "U.S. survey foot",
        "NAVD88",
        "C-501",
        "Sheet 1 of 1",
        "§ 162-11B(4)",
        "NORTH (grid)",
    ):
        assert fact in said, fact


def test_small_sheet_names_the_tables_it_leaves_out() -> None:
    left_out = [u for u in sheet("ANSI B").unplaced if u.startswith("table left out")]
    assert left_out
    assert any(t.startswith("Not on this sheet for want of room") for t in words(sheet("ANSI B")))


def test_same_site_composes_to_the_same_marks() -> None:
    first = sheet()
    sheet.cache_clear()
    second: SheetMarks = sheet()
    assert [t.text for t in texts(first)] == [t.text for t in texts(second)]
    assert [(t.x_in, t.y_in) for t in texts(first)] == [(t.x_in, t.y_in) for t in texts(second)]


def _compose(site: Site) -> SheetMarks:
    return compose_sheet(site, sheet="ARCH C")


def test_contours_without_elevation_are_drawn_and_not_labelled() -> None:
    site = replace_features(
        clean_site(), "contours_existing", lambda frame: frame.assign(elevation=np.nan)
    )
    layers = {type(m): m for m in _compose(site).marks if m.layer == "Existing contours"}
    assert Lines in layers
    assert Text not in layers


@pytest.mark.parametrize("role", ["controls", "wetlands", "contours_existing", "streams"])
def test_role_of_nothing_but_empty_shapes_is_left_out(role: str) -> None:
    site = replace_features(
        clean_site(), role, lambda frame: frame.set_geometry([None] * len(frame))
    )
    marks = _compose(site)
    assert site.catalogue[role].title not in marks.layers


def test_one_thing_in_two_layers_is_named_once() -> None:
    """A basin handed in as control and as infiltration area under one id."""
    controls = clean_site().layers["controls"].usable
    basin = controls[controls["id"] == "SB-1"].geometry.iloc[0]
    site = replace_features(
        clean_site(), "infiltration", lambda f: f.set_geometry([basin]).assign(id="SB-1")
    )
    assert [t.text for t in texts(_compose(site)) if t.layer].count("SB-1") == 1


def test_inlet_protection_stands_beside_its_inlet() -> None:
    """Two symbols on one place: the second moves off and is tied to it by a stroke."""
    where = clean_site().layers["outfalls"].usable.geometry.iloc[0]

    marks = _compose(add_feature(clean_site(), "controls", where, type="IP", id="IP-77"))
    label = next(t for t in texts(marks) if t.text == "IP-77" and t.layer)
    letters = min(
        (t for t in texts(marks) if t.text == "IP" and t.layer),
        key=lambda t: np.hypot(t.x_in - label.x_in, t.y_in - label.y_in),
    )
    paper = marks.frames[0].to_paper(np.array([[where.x, where.y]]))[0]
    assert 0.1 < np.hypot(letters.x_in - paper[0], letters.y_in - paper[1]) < 0.6
    strokes = [p for m in marks.marks if isinstance(m, Lines) for p in m.paths if len(p) == 2]
    assert any(np.allclose(p[0], paper) and p[1, 0] == letters.x_in for p in strokes)


def test_table_without_content_is_not_called_left_out() -> None:
    """The clean site has no sequence of construction."""
    left_out = " ".join(sheet("ANSI B").unplaced)
    assert "table left out: soils" in left_out
    assert "sequence of construction" not in left_out


def test_no_contour_runs_through_the_elevation_of_another() -> None:
    """Contours 0.03 in apart leave no clear place for letters 0.08 in high; a ring lies in one."""
    site = clean_site()
    assert site.boundary is not None
    x0, y0, x1, _ = site.boundary.bounds
    heights = np.arange(800.0, 900.0, 2.0)
    lines = [
        shapely.LineString([(x0 - 40, y0 + 1.5 * i), (x1 + 40, y0 + 1.5 * i + 30.0)])
        for i in range(len(heights))
    ]
    rings = [
        shapely.LineString(shapely.Point(x, y0 + 60.0).buffer(1.2).exterior.coords)
        for x in np.linspace(x0, x1, 60)
    ]
    contours = {
        "geometry": [*lines, *rings],
        "elevation": [*heights.tolist(), *[822.0] * len(rings)],
    }
    site = with_layer(site, "contours_existing", contours)
    drawing = compose_map(site, load_ordinance("muskego"), sheet_layout("ARCH D"), 50.0).drawing
    levels = {f"{level:g}" for level in heights}
    places = [t for t in drawing.texts if isinstance(t, Text) and t.text in levels]
    existing = [t for t in places if "xisting" in t.layer]
    assert {f"{level:g}" for level in np.arange(800.0, 900.0, 10.0)} <= {t.text for t in existing}
    drawn = [
        shapely.linestrings(path)
        for work in drawing.contours
        if work.style.role == "contours_existing"
        for mark in work.work.marks()
        for path in mark.paths
    ]
    boxes = [rectangle(text) for text in existing]
    crossed = shapely.STRtree(drawn).query(boxes, predicate="intersects")[0]
    assert len(np.unique(crossed)) == 0
    # and what was cut is no more than the letters need
    whole = sum(line.length for line in (*lines, *rings)) / 50.0
    cut = whole - sum(line.length for line in drawn)
    assert 0.0 < cut < len(existing) * 3.0
