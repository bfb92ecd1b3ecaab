"""Sight lines: what GEOS says of every pair, and how few of them are looked at on a cliff."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from sitemap.measures import sight_lines
from sitemap.measures.contour_ends import open_ends
from sitemap.measures.contour_gaps import ground_gaps
from sitemap.measures.contours import Contours, contours_of
from sitemap.measures.sight_lines import Sights, blocked, stop
from tests.measures.grounds import hills


def stopped_by_geos(
    start: np.ndarray, end: np.ndarray, levels: tuple[np.ndarray, np.ndarray], by: Contours
) -> list[bool]:
    """Every sight against every whole line of another level."""
    sights = shapely.linestrings(np.stack([start, end], axis=1))
    found = []
    for sight, low, high in zip(sights, *levels, strict=True):
        other = ~np.isin(by.levels_ft, (low, high))
        found.append(bool(shapely.intersects(sight, by.lines[other]).any()))
    return found


def walks(seed: int, corners: list[int], whole_feet: bool) -> np.ndarray:
    """Random lines; on whole feet many touch, and many vertices lie on a sight."""
    chance = np.random.default_rng(seed)
    steps = [
        np.cumsum(chance.normal(0, 3, (n, 2)), axis=0) + chance.uniform(0, 30, 2) for n in corners
    ]
    return np.array(
        [LineString((np.round(xy) if whole_feet else xy) + (2_460_000, 330_000)) for xy in steps],
        dtype=object,
    )


@settings(max_examples=80)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(2, 60), min_size=2, max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_a_sight_is_stopped_where_geos_says_so(
    seed: int, corners: list[int], whole_feet: bool, few_levels: bool
) -> None:
    chance = np.random.default_rng(seed + 1)
    lines = walks(seed, corners, whole_feet)
    levels = chance.integers(0, 3 if few_levels else 40, len(lines)).astype(float)
    by = contours_of(lines, levels)
    if not len(by):
        return
    xy = shapely.get_coordinates(by.lines)
    level = np.repeat(by.levels_ft, shapely.get_num_coordinates(by.lines))
    one, other = chance.integers(0, len(xy), (2, 60))
    start, end, ends = xy[one], xy[other], (level[one], level[other])
    assert blocked(start, end, ends, by).tolist() == stopped_by_geos(start, end, ends, by)


def test_what_only_touches_stops_a_sight_and_what_ends_before_it_does_not() -> None:
    lines = [[(5, 0), (5, 9)], [(20, 0), (25, -4)], [(40, 0.1), (40, 9)], [(60, -3), (60, 3)]]
    by = contours_of(np.array([LineString(xy) for xy in lines]), np.full(4, 822.0))
    start = np.array([[0.0, 0.0], [15.0, 0.0], [35.0, 0.0], [60.0, -9.0]])
    end = np.array([[9.0, 0.0], [30.0, 0.0], [45.0, 0.0], [60.0, 9.0]])
    levels = np.full(4, 820.0), np.full(4, 824.0)
    assert blocked(start, end, levels, by).tolist() == [True, True, False, True]


def test_few_at_a_time_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = hills(3)
    ends = open_ends(ground)
    start, end = ends.xy[:-1], ends.xy[1:]
    levels = ends.level_ft[:-1], ends.level_ft[1:]
    whole = blocked(start, end, levels, ground)
    monkeypatch.setattr(sight_lines, "MOST_SIGHTS", 3)
    monkeypatch.setattr(sight_lines, "MOST_PAIRS", 2)
    assert blocked(start, end, levels, ground).tolist() == whole.tolist()
    assert 0 < whole.sum() < len(whole)


def test_of_many_pieces_in_the_way_a_few_are_looked_at() -> None:
    """1,000 lines across one sight: the first two stop it."""
    by = contours_of(
        np.array([LineString([(x, -9), (x, 9)]) for x in np.arange(1.0, 1001.0)]), np.arange(1e3)
    )
    hit, looked_at = np.zeros(1, dtype=bool), []
    real = sight_lines._meet

    def counted(*asked: object) -> np.ndarray:
        looked_at.append(len(asked[1]))  # type: ignore[arg-type]
        return real(*asked)  # type: ignore[arg-type]

    sights = Sights(np.array([[0.0, 0.0]]), np.array([[1002.0, 0.0]]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sight_lines, "_meet", counted)
        stop(sights, np.zeros(1000, dtype=int), np.arange(1000), by.pieces, hit)
    assert hit.all()
    assert sum(looked_at) == 2


def test_on_a_cliff_each_sight_is_held_against_the_level_midway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """80 levels 3 in apart in all: about each sight lie the pieces of some sixty levels."""
    levels, at = 80, np.linspace(0, 400, 41)
    cliff = contours_of(
        np.array(
            [LineString(np.c_[at, 10 * np.sin(at / 50) + 0.25 * i / levels]) for i in range(levels)]
        ),
        800.0 + 2.0 * np.arange(levels),
    )
    sights, pairs = [], []
    real_blocked, real_meet = sight_lines.blocked, sight_lines._meet

    def counted_sights(*asked: object) -> np.ndarray:
        sights.append(len(asked[0]))  # type: ignore[arg-type]
        return real_blocked(*asked)  # type: ignore[arg-type]

    def counted_pairs(*asked: object) -> np.ndarray:
        pairs.append(len(asked[1]))  # type: ignore[arg-type]
        return real_meet(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr("sitemap.measures.contour_gaps.blocked", counted_sights)
    monkeypatch.setattr(sight_lines, "_meet", counted_pairs)
    assert ground_gaps(cliff, 2.02) == []
    assert sum(sights) > 1000
    assert sum(pairs) < 2 * sum(sights)
