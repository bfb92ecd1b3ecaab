"""Realisations of a surface: errors as stated, the same each time, and what they say of a path."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.terrain.corridor import realisations
from sitemap.terrain.noise import Noise, error_field
from sitemap.terrain.trace import Relief
from tests.terrain.flow_grounds import ground, plane, relief

ERROR, ALONG = 0.5, 30.0


def fields(runs: int = 60) -> np.ndarray:
    """The errors themselves, on level ground of 600 by 600 ft in cells of 5 ft."""
    level = ground(lambda x, y: 0.0 * x, cells=120)
    error = error_field(level, (300.0, 300.0), Noise(ERROR, ALONG), range(runs))
    return np.array(list(error.added_to(level.z_ft)))


def test_errors_have_the_stated_size_everywhere() -> None:
    noise = fields()
    assert noise.std() == pytest.approx(ERROR, rel=0.03)
    assert noise.mean() == pytest.approx(0.0, abs=0.02)
    at_places = noise.std(axis=0)
    assert 0.6 * ERROR < at_places.min() < at_places.max() < 1.5 * ERROR


def test_errors_go_together_over_the_correlation_length_and_not_beyond() -> None:
    noise = fields() / ERROR
    near = (noise[:, :, 3:] * noise[:, :, :-3]).mean()  # 15 ft
    far = (noise[:, :, 24:] * noise[:, :, :-24]).mean()  # 120 ft: no node in common
    assert near > 0.8
    assert abs(far) < 0.05


def two_ways(lean: float = 0.0) -> Relief:
    """A ridge along x = 502.5 that falls to the south, with a stop on either side; it may lean."""
    hill = ground(lambda x, y: 0.02 * y - 0.04 * np.abs(x - 502.5) + lean * (x - 502.5))
    stop = np.zeros(hill.z_ft.shape, np.int32)
    stop[:, :60], stop[:, 141:] = 1, 2
    return relief(hill.z_ft, 5.0, stop)


def stops(hill: Relief, error_ft: float = 0.3, runs: int = 200) -> list[int]:
    start, length = (502.5, 902.5), 1320.0
    nominal = hill.trace(start, length)
    return [path.stop for path in realisations(hill, nominal, length, Noise(error_ft, ALONG), runs)]


def test_on_a_ridge_both_sides_get_about_half() -> None:
    """200 throws of a coin lie within 64 and 136 in all but one of a million tries."""
    found = stops(two_ways())
    assert set(found) == {1, 2}
    assert 64 <= found.count(1) <= 136


def test_a_lean_beyond_the_error_settles_the_side() -> None:
    assert set(stops(two_ways(lean=-0.039), error_ft=0.02)) == {2}


def test_the_same_each_time_and_wherever_the_site_lies() -> None:
    hill = two_ways()
    moved = Relief(hill.z_ft, hill.stop, hill.left + 2e6 + 0.3, hill.top + 4e5 + 0.7, hill.cell_ft)
    start = (502.5 + 2e6 + 0.3, 902.5 + 4e5 + 0.7)
    nominal = moved.trace(start, 1320.0)
    there = realisations(moved, nominal, 1320.0, Noise(0.3, ALONG), 50)
    assert [path.stop for path in there] == stops(hill, runs=50) == stops(hill, runs=50)


def test_how_much_of_the_surface_is_looked_at_changes_no_path() -> None:
    """A slope across which the realisations wander: some leave the first window."""
    hill = ground(plane(-90.0, 0.01))
    nominal = hill.trace((502.5, 902.5), 800.0)
    paths = realisations(hill, nominal, 800.0, Noise(0.6, ALONG), 40)
    error = error_field(hill, (502.5, 902.5), Noise(0.6, ALONG), range(40))
    for path, z in zip(paths, error.added_to(hill.z_ft), strict=True):
        whole = hill.with_heights(z).trace((502.5, 902.5), 800.0)
        assert whole.xy.tolist() == path.xy.tolist()
