"""The compiled search gives the same paths as the plain one, to the cell."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.terrain.noise import Noise
from tests.terrain.flow_grounds import filled, relief, violations

pytest.importorskip("numba", reason="the extra `fast` is not installed")


@pytest.mark.parametrize("seed", range(8))
def test_same_cells_same_end_and_no_violation(seed: int) -> None:
    """Rough ground, ground with many flats, holes and stops."""
    random = np.random.default_rng(seed)
    z = random.normal(size=(40, 40)).cumsum(axis=0).cumsum(axis=1) * 0.1
    if seed % 2:
        z = random.integers(0, 6, (40, 40)).astype(float)
    stop = np.zeros(z.shape, np.int32)
    if seed >= 4:
        z[random.integers(5, 35, 6), random.integers(5, 35, 6)] = np.nan
        stop[random.integers(5, 35, 9), random.integers(5, 35, 9)] = random.integers(1, 4, 9)
    hill = relief(z, stop=stop)
    level = filled(z) if seed < 4 else None
    for row, column in random.integers(1, 39, (60, 2)):
        if np.isnan(z[row, column]):
            continue
        start, length = (column + 0.5, 39.5 - row), float(random.choice([12.0, 1e9]))
        plain = hill.trace(start, length, frozenset({2}), compiled=False)
        fast = hill.trace(start, length, frozenset({2}), compiled=True)
        assert plain.cells.tolist() == fast.cells.tolist()
        assert (plain.end, plain.stop, plain.looked_at) == (fast.end, fast.stop, fast.looked_at)
        if level is not None and length > 1e6:
            assert violations(fast, level) == 0


def test_corridors_are_the_same_with_and_without_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from sitemap.terrain import compiled_trace, corridor

    random = np.random.default_rng(3)
    z = random.normal(0, 0.3, (80, 80)) + np.linspace(0, 4, 80)[:, None]
    hill = relief(z, 5.0)
    nominal = hill.trace((202.0, 98.0), 1e4)
    noise = Noise(0.3, 30.0)

    def ways(worth: int) -> list[list[list[float]]]:
        monkeypatch.setattr(compiled_trace, "pays", lambda cells: cells >= worth)
        paths = corridor.realisations(hill, nominal, 1e4, noise, 20)
        return [path.xy.tolist() for path in paths]

    assert ways(0) == ways(10**9)
