"""Slivers against the inscribed circle; spikes against what was put in."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures.fineness import fineness
from sitemap.measures.thinness import slivers, spikes

sizes = st.floats(0.05, 50)


@settings(max_examples=60)
@given(sizes, st.floats(1, 400), st.floats(0, math.pi), st.floats(-1e6, 1e6))
def test_a_strip_is_a_sliver_when_it_is_narrower(
    width: float, length: float, turn: float, away: float
) -> None:
    """Turned and moved anywhere, by its shorter side alone."""
    narrow = min(width, length)
    strip = shapely.affinity.rotate(shapely.box(0, 0, length, width), turn, use_radians=True)
    strip = shapely.affinity.translate(strip, away, away)
    (thin,) = slivers(np.array([strip]), 0.5)
    if abs(narrow - 0.5) > 0.005:
        assert thin == (narrow < 0.5)


def test_a_strip_of_just_the_width_is_none() -> None:
    assert slivers(np.array([shapely.box(0, 0, 10, 0.5)]), 0.5).tolist() == [False]
    assert slivers(np.empty(0, dtype=object), 0.5).tolist() == []


@settings(max_examples=60)
@given(st.floats(2, 60), st.floats(0.01, 0.1), st.integers(0, 6))
def test_a_spike_is_found_wherever_the_ring_begins(reach: float, half: float, begin: int) -> None:
    ring = [(0, 0), (100, 0), (100, 50 - half), (100 + reach, 50), (100, 50 + half), (100, 100),
            (0, 100)]  # fmt: skip
    turned = ring[begin:] + ring[:begin]
    owner, tips, length = spikes(
        np.array([shapely.box(0, 0, 9, 9), shapely.Polygon(turned)]), 0.5, 5.0
    )
    angle = math.degrees(2 * math.atan2(half, reach))
    assert owner.tolist() == ([1] if angle < 5 else [])
    if angle < 5:
        assert tips[0].tolist() == [100 + reach, 50]
        assert length[0] == pytest.approx(math.hypot(reach, half))


def test_the_ends_of_a_line_are_no_spikes_and_repeated_vertices_hide_none() -> None:
    line = shapely.LineString([(0, 0), (50, 0), (50, 0), (10, 0.1)])
    _, tips, reach = spikes(np.array([line]), 0.5, 5.0)
    assert tips.tolist() == [[50, 0]]
    assert reach[0] == pytest.approx(40, abs=0.01)
    assert len(spikes(np.array([shapely.LineString([(0, 0), (50, 0)])]), 0.5, 5.0)[0]) == 0


@pytest.mark.parametrize("block", [1, 5, 12, 1000])
def test_every_shape_keeps_its_number_however_many_are_looked_at_together(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap.measures.vertices.BLOCK_VERTICES", block)
    plain = shapely.box(0, 0, 9, 9)
    hooks = [shapely.LineString([(x, 0), (x + 50, 0), (x + 10, 0.1)]) for x in (0, 100)]
    owner, tips, reach = spikes(np.array([plain, hooks[0], plain, plain, hooks[1]]), 0.5, 5.0)
    assert owner.tolist() == [1, 4]
    assert tips.tolist() == [[50, 0], [150, 0]]
    assert len(reach) == 2


@settings(max_examples=40)
@given(st.lists(st.floats(0.1, 9), min_size=1, max_size=30), st.floats(0.2, 5))
def test_fineness_counts_lengths(steps: list[float], least: float) -> None:
    x = np.concatenate([[0.0], np.cumsum(steps)])
    line = shapely.LineString(np.column_stack([x, np.zeros(len(x))]))
    found = fineness(np.array([line, shapely.Point(0, 0)]), least)
    true = np.diff(x)
    assert found.segments == len(steps)
    assert found.short == int((true < least).sum())
    assert found.short_pct == pytest.approx(100 * true[true < least].sum() / true.sum())
    assert found.dots == int(x[-1] < least)
