"""Areas dissolved by their rim are what GEOS's union of all of them is, holes in one order."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.measures import dissolving
from sitemap.measures.dissolving import dissolved_by_edges
from sitemap.measures.shared_edges import lone_edges


def cells(seed: int, side: int, gone: float, islands: int = 1) -> np.ndarray:
    """Cells of a crooked net in any order, some left out; each island is the same far off."""
    chance = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(side + 1) * 10.0, np.arange(side + 1) * 10.0)
    x, y = (place + chance.uniform(-2, 2, place.shape) for place in (x, y))
    place = np.dstack([x, y])
    rings = np.stack([place[:-1, :-1], place[:-1, 1:], place[1:, 1:], place[1:, :-1]], axis=2)
    rings = rings.reshape(-1, 4, 2)[chance.uniform(size=side * side) >= gone]
    many = np.concatenate([rings + np.array([20.0 * side * k, 0.0]) for k in range(islands)])
    return np.asarray(shapely.polygons(chance.permutation(many)))


def both(areas: np.ndarray, chosen: np.ndarray) -> tuple[shapely.Geometry, shapely.Geometry]:
    tree = shapely.STRtree(areas)
    quick = dissolved_by_edges(areas, chosen, lone_edges(areas), tree)
    return quick, shapely.coverage_union_all(areas[chosen])


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(20, 30), st.sampled_from([0.0, 0.003, 0.01]))
def test_it_is_the_same_ring_by_ring_and_in_the_same_order(
    seed: int, side: int, gone: float
) -> None:
    areas = cells(seed, side, gone)
    quick, whole = both(areas, np.ones(len(areas), dtype=bool))
    assert quick.wkb == whole.wkb


@pytest.mark.parametrize("gone", [0.0, 0.02, 0.1, 0.3])
@pytest.mark.parametrize("islands", [1, 3])
def test_it_is_the_same_ground_whatever_lies_where(
    gone: float, islands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Islands, lakes with islands in them, areas set aside: also where it is not worth while."""
    monkeypatch.setattr(dissolving, "WORTH", 0)
    for seed in range(8):
        areas = cells(seed, 15, gone, islands)
        chosen = np.random.default_rng(seed).uniform(size=len(areas)) > 0.01
        quick, whole = both(areas, chosen)
        assert shapely.normalize(quick).wkb == shapely.normalize(whole).wkb
