"""Ways down random lattices against a search on whole numbers, however they are drawn."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity
from shapely.geometry import LineString, Point

from sitemap.terrain.network import Network, build_network
from sitemap.terrain.reaches import Reach

STEP_FT = 330  # four to 1,320 ft
Place = tuple[int, int]
Edge = tuple[Place, Place]
DISTANCE_FT = 1320.0


@st.composite
def networks(draw: st.DrawFn) -> list[Edge]:
    """Reaches from neighbour to neighbour on a lattice of 5 x 5; splits, joins and circles."""
    every = [
        ((x, y), (x + dx, y + dy))
        for x in range(5)
        for y in range(5)
        for dx, dy in ((1, 0), (0, 1))
        if x + dx < 5 and y + dy < 5
    ]
    chosen = draw(st.lists(st.sampled_from(every), min_size=1, max_size=30, unique=True))
    return [edge[::-1] if draw(st.booleans()) else edge for edge in chosen]


def expected(edges: list[Edge], start: int, at_ft: int) -> Counter[tuple[Edge, float, float]]:
    """Each reach that the water comes to: where it starts on it, and how much of it is run."""
    left: dict[Place, list[int]] = {}
    for i, (tail, _) in enumerate(edges):
        left.setdefault(tail, []).append(i)
    first = min(STEP_FT - at_ft, DISTANCE_FT)
    found = {start: (0.0, float(first))}
    heap = [(float(first), edges[start][1])]
    while heap:
        way, place = heapq.heappop(heap)
        for i in left.get(place, []):
            if i not in found and way < DISTANCE_FT:
                run = min(float(STEP_FT), DISTANCE_FT - way)
                found[i] = (way, run)
                heapq.heappush(heap, (way + run, edges[i][1]))
    return Counter((edges[i], *numbers) for i, numbers in found.items())


def steps_of(
    network: Network, edges: list[Edge], edge: int, at_ft: float
) -> Counter[tuple[Edge, float, float]]:
    return Counter(
        (
            edges[network.edges[step.edge].reach.record],
            round(step.start_ft, 3),
            round(float(step.line.length), 3),
        )
        for step in network.downstream(edge, at_ft, DISTANCE_FT)
        if step.line.length > 1e-3
    )


def number(network: Network, record: int) -> int:
    return next(i for i, e in enumerate(network.edges) if e.reach.record == record)


@settings(max_examples=100)
@given(networks(), st.integers(0, 29), st.integers(0, STEP_FT - 1))
def test_all_branches_are_followed_each_with_its_length_and_cut_at_the_distance(
    edges: list[Edge], which: int, at_ft: int
) -> None:
    start = which % len(edges)
    """Their directions are measured, by the heights of their ends: however odd, none is doubted."""
    made = [
        Reach(
            LineString([(STEP_FT * x, STEP_FT * y) for x, y in edge]), "streams", i, stated=1,
            z_first=2.0, z_last=1.0,
        )
        for i, edge in enumerate(edges)
    ]  # fmt: skip
    network = build_network(made, 5.0)
    assert network.turned == ()
    found = steps_of(network, edges, number(network, start), float(at_ft))
    assert found == expected(edges, start, at_ft)
    for step in network.downstream(number(network, start), float(at_ft), DISTANCE_FT):
        assert step.end_ft <= DISTANCE_FT + 1e-6


@settings(max_examples=100)
@given(
    networks(),
    st.integers(0, 29),
    st.floats(0, 360),
    st.floats(-3e6, 3e6),
    st.sampled_from([1.0, 1 / 3.2808333333]),
    st.randoms(use_true_random=False),
)
def test_order_drawing_turn_shift_and_unit_change_nothing(
    edges: list[Edge], which: int, angle: float, shift: float, unit: float, dice: random.Random
) -> None:
    def drawn(edge: Edge, record: int, backwards: bool) -> Reach:
        """The line between two places with a vertex in it, in another unit, turned, shifted."""
        (ax, ay), (bx, by) = edge
        xy = [(ax, ay), ((2 * ax + bx) / 3, (2 * ay + by) / 3), (bx, by)]
        line = LineString([(STEP_FT * unit * x, STEP_FT * unit * y) for x, y in xy])
        line = affinity.translate(affinity.rotate(line, angle, (0, 0)), shift, shift / 3)
        if backwards:
            line = line.reverse()
        return Reach(line, "streams", record, stated=-1 if backwards else 1)

    def ways(made: list[Reach], scale: float) -> Counter[tuple[Edge, float, float]]:
        network = build_network(made, 5.0 * scale)
        start = number(network, which % len(edges))
        return Counter(
            (
                edges[network.edges[s.edge].reach.record],
                round(s.start_ft / scale),
                round(float(s.line.length) / scale),
            )
            for s in network.downstream(start, 0.0, DISTANCE_FT * scale)
            if s.line.length > 0.01
        )

    plain = [
        Reach(LineString([(STEP_FT * x, STEP_FT * y) for x, y in edge]), "streams", i, stated=1)
        for i, edge in enumerate(edges)
    ]
    other = [drawn(edge, i, dice.random() < 0.5) for i, edge in enumerate(edges)]
    dice.shuffle(other)
    assert ways(other, unit) == ways(plain, 1.0)


@settings(max_examples=60)
@given(st.floats(0.7, 25.0), st.floats(1400, 3000), st.floats(0, 360))
def test_a_stream_blown_up_into_its_segments_is_as_long_as_before(
    piece: float, length: float, angle: float
) -> None:
    """Drawing programs do that; pieces shorter than the snapping distance must not collapse."""
    line = affinity.rotate(LineString([(0, 0), (length, 0)]), angle, (0, 0))
    count = int(length // piece)
    cuts = [line.interpolate(i * piece) for i in range(count)] + [Point(line.coords[-1])]
    made = [
        Reach(LineString([a, b]), "streams", i, stated=1) for i, (a, b) in enumerate(pairwise(cuts))
    ]
    network = build_network(made, 5.0)
    steps = network.downstream(number(network, 0), 0.0, DISTANCE_FT)
    assert abs(max(s.end_ft for s in steps) - DISTANCE_FT) < 1e-6
    assert Point(steps[-1].line.coords[-1]).distance(line.interpolate(DISTANCE_FT)) < 1e-3
