"""Lines brought together at their ends, against lattices of which the nodes are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity
from shapely.geometry import LineString

from sitemap.measures.joints import Noded, join

STEP = 100  # feet between places of a lattice
Edge = tuple[tuple[int, int], tuple[int, int]]


def joined(*lines: list[tuple[float, float]], under: tuple[int, ...] = ()) -> Noded:
    shapes = np.array([LineString(line) for line in lines], dtype=object)
    return join(shapes, 0.5, 5.0, np.isin(np.arange(len(lines)), under))


def lengths(noded: Noded, line: int) -> list[float]:
    return [round(float(x), 3) for x in shapely.length(noded.lines[noded.of == line])]


@st.composite
def lattices(draw: st.DrawFn) -> list[Edge]:
    """Edges between neighbours on a lattice of 5 x 5."""
    every = [
        ((x, y), (x + dx, y + dy))
        for x in range(5)
        for y in range(5)
        for dx, dy in ((1, 0), (0, 1))
        if x + dx < 5 and y + dy < 5
    ]
    return draw(st.lists(st.sampled_from(every), min_size=1, max_size=25, unique=True))


def degrees(edges: list[Edge]) -> list[int]:
    places = [place for edge in edges for place in edge]
    return sorted(places.count(place) for place in set(places))


@settings(max_examples=100)
@given(lattices(), st.floats(0, 360), st.floats(-1e6, 1e6), st.randoms(use_true_random=False))
def test_the_nodes_of_a_lattice_are_its_places(
    edges: list[Edge], angle: float, shift: float, random: object
) -> None:
    """Each end off by up to 0.17 ft; turned, shifted, in any order and direction."""
    gap = lambda: random.uniform(-0.12, 0.12)  # type: ignore[attr-defined]  # noqa: E731
    random.shuffle(edges)  # type: ignore[attr-defined]
    lines = [
        LineString([(STEP * x + gap(), STEP * y + gap()) for x, y in edge[:: -1 if k % 2 else 1]])
        for k, edge in enumerate(edges)
    ]
    moved = [
        affinity.translate(affinity.rotate(line, angle, (0, 0)), shift, -shift) for line in lines
    ]
    noded = join(np.array(moved, dtype=object), 0.5, 5.0, np.zeros(len(edges), dtype=bool))
    found = noded.degree()
    assert sorted(found[found > 0].tolist()) == degrees(edges)
    assert not noded.snaps
    assert not noded.cut


@settings(max_examples=60)
@given(st.floats(0.6, 4.9), st.floats(20, 980), st.floats(0, 360))
def test_a_tributary_that_falls_short_cuts_the_stem_and_is_drawn_on(
    gap: float, at: float, angle: float
) -> None:
    stem, branch = LineString([(0, 0), (1000, 0)]), LineString([(at, 300), (at, gap)])
    turned = [affinity.rotate(line, angle, (0, 0)) for line in (stem, branch)]
    noded = join(np.array(turned, dtype=object), 0.5, 5.0, np.zeros(2, dtype=bool))
    assert noded.cut == 1
    assert lengths(noded, 0) == pytest.approx([at, 1000 - at], abs=2e-3)
    assert lengths(noded, 1) == pytest.approx([300], abs=2e-3)
    (snap,) = noded.snaps
    assert (snap.line, snap.other) == (1, 0)
    assert snap.distance == pytest.approx(gap, abs=1e-6)
    assert noded.degree().max() == 3


def test_at_the_limit_the_gap_is_the_snapping_distance() -> None:
    assert joined([(0, 0), (1000, 0)], [(500, 300), (500, 5)]).cut == 1
    assert joined([(0, 0), (1000, 0)], [(500, 300), (500, 5.01)]).cut == 0


def test_lines_that_cross_without_an_end_there_stay_apart() -> None:
    noded = joined([(0, 0), (1000, 0)], [(500, 300), (500, -300)])
    assert noded.cut == 0
    assert noded.degree().max() == 1


def test_nothing_ends_on_the_middle_of_what_runs_underground() -> None:
    assert joined([(0, 0), (1000, 0)], [(500, 300), (500, 0)], under=(0,)).cut == 0
    assert joined([(0, 0), (1000, 0)], [(500, 300), (500, 0)], under=(1,)).cut == 1


@settings(max_examples=60)
@given(st.floats(0.6, 30.0), st.integers(2, 40))
def test_small_pieces_of_one_line_stay_pieces(piece: float, count: int) -> None:
    """A drawing program has blown a line up into its segments; each meets the next only."""
    angle = np.cumsum(np.full(count, math.radians(4.0)))
    xy = np.vstack([[0, 0], np.cumsum(piece * np.column_stack([np.cos(angle), np.sin(angle)]), 0)])
    noded = joined(*([tuple(xy[i]), tuple(xy[i + 1])] for i in range(count)))
    found = noded.degree()
    assert sorted(found[found > 0].tolist()) == [1, 1] + [2] * (count - 1)
    assert shapely.length(noded.lines).sum() == pytest.approx(count * piece)
    assert not noded.snaps


def test_four_pipes_that_end_at_the_wall_of_a_manhole_meet() -> None:
    noded = joined(
        [(100, 2), (2, 2)], [(-100, 2), (-2, 2)], [(-2, -2), (-100, -2)], [(2, -2), (100, -2)]
    )  # fmt: skip
    assert noded.degree().max() == 2  # 4 ft of wall between neighbours, 5.7 ft across
    noded = joined(
        [(100, 1), (1, 1)], [(-100, 1), (-1, 1)], [(-1, -1), (-100, -1)], [(1, -1), (100, -1)]
    )  # fmt: skip
    assert noded.degree().max() == 4


def test_a_free_end_goes_to_the_nearest_place_only() -> None:
    noded = joined([(0, 0), (97, 0)], [(100, 0), (200, 0)], [(99, 4), (200, 50)])
    (snap,) = noded.snaps[:1]
    assert {snap.line, snap.other} == {0, 1}
    assert snap.distance == 3.0


def test_an_end_on_two_lines_cuts_both() -> None:
    noded = joined([(0, 0), (100, 0)], [(0, -50), (100, 50)], [(50, 300), (50, 0)])
    assert noded.cut == 2
    assert noded.degree().max() == 5
