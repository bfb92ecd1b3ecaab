"""Ground to paper, what runs along lines, patterns, styles: small shapes with known answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from sitemap.catalogue import Hatch, load_catalogue
from sitemap.crs import parse_crs
from sitemap.plate.boxes import Box
from sitemap.plate.clip import BLOCK_VERTICES, clip_areas, clip_lines, clip_points
from sitemap.plate.contour_lines import contour_interval, is_index
from sitemap.plate.downhill import Fall
from sitemap.plate.drawing import ContourWork, LineWork, MapDrawing
from sitemap.plate.hatches import hatch_paths
from sitemap.plate.labels import CLEAR_IN, clear_elevations
from sitemap.plate.lines import Chain, Chains, even_stations, heads, ticks, upright_deg
from sitemap.plate.map_grid import coordinate_ticks
from sitemap.plate.marks import GroundFrame, Text
from sitemap.plate.occupancy import Occupancy
from sitemap.plate.styles import label_lines, role_style

FRAME = GroundFrame(
    "Map Layers", (1.0, 2.0, 11.0, 8.0), (5000.0, 7000.0), 50.0, parse_crs("EPSG:6609")
)


# -------------------------------------------------------------------------------------- clip


def test_line_through_the_frame_is_cut_at_its_edges() -> None:
    line = shapely.LineString([(4000, 7100), (9000, 7100)])
    lines, owner = clip_lines(np.array([line]), FRAME)
    assert owner.tolist() == [0]
    assert shapely.get_coordinates(lines) == pytest.approx(np.array([[1.0, 4.0], [11.0, 4.0]]))


def test_a_ring_of_a_few_pens_width_stays_a_line() -> None:
    """Simplified it would be one place twice, at which GEOS stops later on."""
    ring = [(5100.0, 7100.0), (5100.03, 7100.0), (5100.03, 7100.03), (5100.0, 7100.0)]
    lines, owner = clip_lines(np.array([shapely.LineString(ring)]), FRAME)
    assert owner.tolist() == [0]
    assert shapely.length(lines)[0] == pytest.approx((0.06 + 0.03 * 2**0.5) / 50.0)
    assert shapely.segmentize(lines, 0.001).size == 1


def test_a_contour_that_only_touches_an_elevation_keeps_its_length() -> None:
    """It meets the letters' box in one place: there is nothing to cut, and no station to cut at."""
    style = role_style(load_catalogue()["contours_existing"])
    box = Box(5.0, 5.0, 1.0, 0.08)
    right, top = 5.0 + 0.5 + CLEAR_IN / 4.0, 5.0 + 0.04 + CLEAR_IN / 4.0
    touching = np.array([[right - 1.0, top + 1.0], [right, top], [right + 1.0, top - 1.0]])
    through = np.array([[4.0, 5.0], [6.0, 5.0]])
    work = LineWork(style.title, Chains([touching, through]), 0.35, "#000000")
    drawing = MapDrawing(FRAME, Occupancy(FRAME.box_in), None, 2.0)
    drawing.contours.append(ContourWork(work, style, np.array([800.0, 802.0]), index=False))
    drawing.boxes.append(box)
    drawing.box_layers.append(style.title)
    clear_elevations(drawing)
    assert set(work.gaps) == {1}
    (gap,) = work.gaps[1]
    assert gap == pytest.approx((right - 2.0 * (right - 5.0) - 4.0, right - 4.0))


def test_a_speck_drawn_out_and_back_is_cut_both_ways() -> None:
    """A ring as narrow as the pen comes back along itself; what is cut out shows nowhere."""
    style = role_style(load_catalogue()["contours_existing"])
    right = 5.0 + 0.5 + CLEAR_IN / 4.0
    speck = np.array([[right - 0.01, 5.0], [right + 0.02, 5.0], [right - 0.01, 5.0]])
    work = LineWork(style.title, Chains([speck]), 0.35, "#000000")
    drawing = MapDrawing(FRAME, Occupancy(FRAME.box_in), None, 2.0)
    drawing.contours.append(ContourWork(work, style, np.array([800.0]), index=False))
    drawing.boxes.append(Box(5.0, 5.0, 1.0, 0.08))
    drawing.box_layers.append(style.title)
    clear_elevations(drawing)
    left = np.concatenate(work.chains[0].without(work.gaps[0]))
    assert left[:, 0].min() == pytest.approx(right)
    assert left[:, 0].max() == pytest.approx(right + 0.02)


def test_lines_of_many_blocks_keep_their_owners() -> None:
    """Lines are clipped a block at a time: rows count on from block to block."""
    rows = np.arange(BLOCK_VERTICES // 2 + 10)
    start = np.column_stack([5001.0 + rows % 400, 7001.0 + rows / 1000.0])
    lines = shapely.linestrings(np.stack([start, start + np.array([0.0, 40.0])], axis=1))
    found, owner = clip_lines(lines, FRAME)
    assert owner.tolist() == rows.tolist()
    first = shapely.get_coordinates(found)[::2]
    assert first == pytest.approx(FRAME.to_paper(start))


def test_boxes_judged_together_are_judged_as_alone() -> None:
    """The same boxes asked one by one, level and turned, over paper that is partly taken."""
    rng = np.random.default_rng(5)
    occupancy = Occupancy(FRAME.box_in)
    for x, y, turn in rng.uniform((2.0, 2.0, 0.0), (11.0, 9.0, 90.0), (40, 3)).tolist():
        occupancy.take(Box(x, y, 0.5, 0.1, turn))
        occupancy.add_ink([np.array([[x, y], [x + 1.0, y + 0.5]])], 1.0)
    middles = rng.uniform((0.5, 0.5), (13.0, 10.0), (300, 2))
    size = 0.6, 0.09
    free, ink = occupancy.judge_level(middles, size, 0.015)
    alone = [Box(x, y, *size) for x, y in middles.tolist()]
    assert free.tolist() == [occupancy.free(box.grown(0.015)) for box in alone]
    assert 20 < free.sum() < 280
    expected = [
        occupancy.ink_under(box) if ok else 0.0 for box, ok in zip(alone, free, strict=True)
    ]
    assert ink == pytest.approx(np.array(expected))
    turn = rng.uniform(-1.5, 1.5, 300)
    free, ink = occupancy.judge_turned(middles, size, turn)
    alone = [
        Box(x, y, *size, float(np.rad2deg(t)))
        for (x, y), t in zip(middles.tolist(), turn.tolist(), strict=True)
    ]
    assert free.tolist() == [occupancy.free(box) for box in alone]
    assert ink == pytest.approx(np.array([occupancy.ink_under(box) for box in alone]))


def test_outline_of_an_area_leaves_out_the_edge_of_the_frame() -> None:
    """Half of the area lies west of the frame: three sides are left, 200 + 150 + 200 ft."""
    square = shapely.box(4800, 7100, 5200, 7250)
    lines, _ = clip_lines(np.array([square]), FRAME)
    assert shapely.length(lines).sum() == pytest.approx((200 + 150 + 200) / 50)
    areas, _ = clip_areas(np.array([square]), FRAME)
    assert shapely.area(areas).sum() == pytest.approx(200 * 150 / 50**2)


def test_points_outside_are_dropped_and_owners_kept() -> None:
    points = shapely.points([[4999, 7100], [5050, 7050]])
    places, owner = clip_points(points, FRAME)
    assert owner.tolist() == [1]
    assert places == pytest.approx(np.array([[2.0, 3.0]]))


def test_broken_area_is_drawn_all_the_same() -> None:
    bow_tie = shapely.Polygon([(5000, 7000), (5100, 7100), (5100, 7000), (5000, 7100)])
    areas, _ = clip_areas(np.array([bow_tie]), FRAME)
    assert shapely.area(areas).sum() == pytest.approx(2 * 2500 / 50**2)


def test_an_area_that_reaches_far_beyond_the_frame_is_simplified_near_it_alone() -> None:
    """A comb of ten thousand teeth: what lies on the frame is what cutting the whole gives."""
    x = np.linspace(4000.0, 9000.0, 10_001)
    teeth = np.column_stack([x, 7075.0 + 20.0 * (np.arange(len(x)) % 2)])
    comb = shapely.Polygon([(9000, 6000), (4000, 6000), *teeth])
    areas, owner = clip_areas(np.array([comb]), FRAME)
    assert owner.tolist() == [0] * len(areas)
    left, bottom, right, top = FRAME.ground_box_ft
    exact = shapely.intersection(comb, shapely.box(left, bottom, right, top))
    assert shapely.area(areas).sum() * 50**2 == pytest.approx(exact.area, rel=1e-4)
    back = shapely.transform(shapely.union_all(areas), FRAME.to_ground)
    assert shapely.hausdorff_distance(back, exact) < 0.1  # feet: 0.1 pt at 1 in = 50 ft


def test_signs_of_a_pattern_lie_inside_as_a_whole() -> None:
    """Those whose middle is inside and whose ends are not are left out, as all outside are."""
    disc = shapely.Point(8.0, 6.0).buffer(2.0)
    hatch = Hatch(kind="tufts", spacing_in=0.35, angle_deg=0.0, weight_pt=0.25)
    paths = hatch_paths(np.array([disc]), hatch)
    assert len(paths) > 100
    assert len(paths) % 6 == 0  # a water line and five blades each
    assert all(np.hypot(*(path - (8.0, 6.0)).T).max() < 2.0 for path in paths)


# ------------------------------------------------------------------------------------- lines


def test_gaps_take_away_their_own_length() -> None:
    chain = Chain.of(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]))
    pieces = chain.without([(1.0, 2.0), (2.5, 4.5)])
    assert sum(Chain.of(p).length for p in pieces) == pytest.approx(7.0 - 1.0 - 2.0)
    assert len(pieces) == 3


@given(
    st.lists(st.tuples(st.floats(0, 9.5), st.floats(0.01, 3)), max_size=5),
    st.floats(min_value=10, max_value=20),
)
def test_what_is_left_never_lies_in_a_gap(gaps: list[tuple[float, float]], length: float) -> None:
    chain = Chain.of(np.array([[0.0, 0.0], [length, 0.0]]))
    cuts = [(a, min(a + w, length)) for a, w in gaps]
    covered = shapely.union_all([shapely.LineString([(a, 0), (b, 0)]) for a, b in cuts])
    left = length - covered.length
    assert sum(Chain.of(p).length for p in chain.without(cuts)) == pytest.approx(left, abs=1e-4)


def test_ticks_stand_on_the_side_asked_for() -> None:
    chain = Chain.of(np.array([[0.0, 0.0], [2.0, 0.0]]))
    assert all(t[1, 1] > 0 for t in ticks(chain, 0.5, 0.07, 1.0))
    assert all(t[1, 1] < 0 for t in ticks(chain, 0.5, 0.07, -1.0))
    assert len(ticks(chain, 0.5, 0.07, 1.0)) == 4
    assert len(ticks(chain, 0.5, 0.07, 1.0, gaps=[(0.0, 1.0)])) == 2


def test_arrow_head_has_its_tip_at_the_place_and_barbs_behind() -> None:
    head = heads(np.array([[1.0, 1.0]]), np.array([[1.0, 0.0]]), 0.1)[0]
    assert head[1].tolist() == [1.0, 1.0]
    assert (head[[0, 2], 0] < 1.0).all()
    assert head[0, 1] - 1.0 == pytest.approx(1.0 - head[2, 1])


@given(st.floats(0, 2 * np.pi))
def test_text_along_a_line_never_stands_on_its_head(angle: float) -> None:
    turn = upright_deg(np.array([np.cos(angle), np.sin(angle)]))
    assert -90.0 < turn <= 90.0 + 1e-6


def test_stations_keep_half_a_step_from_both_ends() -> None:
    assert even_stations(8.0, 4.0).tolist() == [2.0, 6.0]
    assert even_stations(1.0, 4.0).tolist() == [0.5]


def test_bend_of_a_straight_line_is_nothing_and_of_a_corner_something() -> None:
    straight = Chain.of(np.array([[0.0, 0.0], [4.0, 0.0]]))
    corner = Chain.of(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]]))
    assert straight.bend(np.array([2.0]), 1.0)[0] == pytest.approx(0.0)
    assert corner.bend(np.array([2.0]), 1.0)[0] > 0.25


# ----------------------------------------------------------------------------------- patterns

KINDS = ("lines", "cross", "dots", "tufts", "weave", "dashes", "strokes", "waves")


@pytest.mark.parametrize("kind", KINDS)
def test_pattern_lies_inside_its_area(kind: str) -> None:
    area = shapely.Point(5, 5).buffer(1.5).difference(shapely.Point(5, 5).buffer(0.4))
    paths = hatch_paths(np.array([area]), Hatch(kind=kind, spacing_in=0.15))  # type: ignore[arg-type]
    assert len(paths) > 5
    for path in paths:
        assert area.covers(shapely.LineString(path))


def test_hatch_lines_are_as_far_apart_as_they_say() -> None:
    square = shapely.box(0, 0, 2, 2)
    paths = hatch_paths(np.array([square]), Hatch(kind="lines", angle_deg=0.0, spacing_in=0.25))
    levels = sorted({round(float(p[0, 1]), 9) for p in paths})
    assert np.diff(levels) == pytest.approx(0.25)


# ------------------------------------------------------------------------------------ contours


def test_interval_is_the_commonest_step() -> None:
    assert contour_interval(np.array([800.0, 802, 804, 804, 810, np.nan])) == 2.0
    assert contour_interval(np.array([800.0, np.nan])) is None


def test_every_fifth_level_is_an_index() -> None:
    assert is_index(np.array([800.0, 802, 808, 810, 820]), 2.0).tolist() == [
        True, False, False, True, True,
    ]  # fmt: skip
    assert is_index(np.array([800.5, 801.0, 802.5]), 0.5).tolist() == [False, False, True]


def test_fall_points_to_the_lower_contour() -> None:
    lines = np.array([shapely.LineString([(0, y), (4, y)]) for y in (0.0, 0.5, 1.0)])
    fall = Fall(lines, np.array([800.0, 802.0, 804.0]))
    down = fall.at(2.0, 0.75)
    assert down is not None
    assert down == pytest.approx(np.array([0.0, -1.0]), abs=1e-6)
    east = Chain.of(np.array([[0.0, 0.4], [4.0, 0.4]]))
    assert fall.side_of(east) == -1.0
    assert fall.side_of(Chain.of(east.path[::-1])) == 1.0
    assert Fall(lines[:1], np.array([800.0])).at(2.0, 0.2) is None


# ------------------------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("template", "values", "lines"),
    [
        ("{id}", {"id": "SF-1"}, ("SF-1",)),
        ("{id}", {"id": None}, ()),
        ("{elevation:g}", {"elevation": 852.0}, ("852",)),
        ("{id}  {size_in:g} in", {"id": "P-1", "size_in": float("nan")}, ("P-1",)),
        ("{id}  {size_in:g} in", {"id": None, "size_in": 12.0}, ("12 in",)),
        ("{id}\n{acres:.2f} ac", {"id": "D-1", "acres": 2.754}, ("D-1", "2.75 ac")),
        ("Zone {zone}\nBFE {bfe:g}", {"zone": "AE", "bfe": float("nan")}, ("Zone AE",)),
        ("{id}", {"id": 7.0}, ("7",)),
        ("", {"id": "x"}, ()),
    ],
)
def test_label_lines(template: str, values: dict[str, object], lines: tuple[str, ...]) -> None:
    assert label_lines(template, values) == lines


def test_every_label_of_the_catalogue_can_be_formed() -> None:
    """No template names a field that its role does not have."""
    for spec in load_catalogue().specs:
        known = {
            name: 12.5 if field.type in ("number", "integer") else "word"
            for name, field in spec.fields.items()
        } | {"acres": 1.0}
        for symbol in (spec.symbol, *(t.symbol for t in spec.types.values() if t.symbol)):
            if symbol.label:
                assert label_lines(symbol.label, known), (spec.role, symbol.label)


def test_taken_paper_is_not_free_and_its_neighbour_is() -> None:
    occupancy = Occupancy((0.0, 0.0, 4.0, 4.0))
    occupancy.take(Box(2.0, 2.0, 0.5, 0.1))
    assert not occupancy.free(Box(2.0, 2.0, 0.5, 0.1))
    assert not occupancy.free(Box(2.0, 2.0, 0.1, 0.6, turn_deg=30.0))
    assert occupancy.free(Box(2.0, 2.3, 0.5, 0.1))
    assert not occupancy.free(Box(3.9, 3.9, 0.5, 0.1))  # leaves the frame


@given(st.floats(0.5, 3.5), st.floats(0.5, 3.5), st.floats(-90, 90))
def test_what_is_called_free_never_covers_what_is_taken(x: float, y: float, turn: float) -> None:
    occupancy = Occupancy((0.0, 0.0, 4.0, 4.0))
    first, second = Box(2.0, 2.0, 0.6, 0.08, 20.0), Box(x, y, 0.5, 0.08, turn)
    occupancy.take(first)
    if occupancy.free(second):
        assert not first.polygon.intersects(second.polygon)


def test_lettering_keeps_off_bold_lines_and_their_halo() -> None:
    """Letters close above a boundary of 2 pt cost as much as on it; a thin contour may be near."""
    occupancy = Occupancy((0.0, 0.0, 10.0, 10.0))
    occupancy.add_ink([np.array([[0.0, 5.0], [10.0, 5.0]])], 4.5)  # a pen of 2 pt
    occupancy.add_ink([np.array([[0.0, 3.0], [10.0, 3.0]])], 1.2)  # one of 0.35 pt
    # most cells of such a line are marked: it is sampled at steps of about a cell
    near = 0.04 + 1.5 / 72.0  # the middle of a box whose edge is one cell off the line
    above_bold, above_thin, off = (Box(5.0, y + near, 0.5, 0.08) for y in (5.0, 3.0, 7.0))
    assert occupancy.ink_under(above_thin) == occupancy.ink_under(off) == 0.0
    assert occupancy.ink_under(above_bold) > 4.5 * 0.4 * 72.0
    middles = np.array([[5.0, 5.0 + near], [5.0, 3.0 + near]])
    assert occupancy.judge_level(middles, (0.5, 0.08), 0.015)[1][1] == 0.0
    assert occupancy.judge_level(middles, (0.5, 0.08), 0.015)[1][0] > 4.5 * 0.4 * 72.0


@pytest.mark.parametrize(
    ("feet_per_inch", "every_ft"), [(10.0, 20.0), (20.0, 50.0), (50.0, 100.0), (200.0, 500.0)]
)
def test_two_eastings_and_two_northings_are_named_however_small_the_ground(
    feet_per_inch: float, every_ft: float
) -> None:
    """A frame of 10 x 6 in from E 5,007 N 7,011: at 10 ft to the inch it holds northings 7,011 to
    7,071, in which no 500 ft falls and 50 ft once.
    A lot of a tenth of an acre had one line, or none.
    """
    frame = replace(FRAME, origin_ft=(5007.0, 7011.0), feet_per_inch=feet_per_inch)
    drawing = MapDrawing(frame, Occupancy(frame.box_in), None, 2.0)
    coordinate_ticks(drawing, "Coordinates")
    named = [mark.text for mark in drawing.texts if isinstance(mark, Text)]
    for letter in "EN":
        values = [float(w[2:].replace(",", "")) for w in named if w.startswith(letter)]
        assert len(values) >= 2
        assert np.diff(sorted(values)) == pytest.approx(every_ft)
