"""The compiled flood gives the levels of the plain one, and no water is lost in it."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.terrain import flow_field as plain
from sitemap.terrain.flow_field import FlowField, Jump, flow_field
from tests.terrain.grounds import bowl, of_cells, surface

pytest.importorskip("numba", reason="the extra `fast` is not installed")


def both(
    monkeypatch: pytest.MonkeyPatch, z: np.ndarray, jumps: dict[int, Jump] | None = None
) -> tuple[FlowField, FlowField]:
    """The flow over the same cells without and with the kernels, and what drains through each."""
    fields = []
    for worth in (10**9, 0):
        monkeypatch.setattr(plain, "WORTH_COMPILED", worth)
        field = flow_field(of_cells(z), jumps)
        assert field.upstream.sum() > 0
        fields.append(field)
    return fields[0], fields[1]


def step_ft(field: FlowField) -> float:
    """A little over the step of the buckets of a small grid."""
    z = field.surface.z_ft
    return float(np.nanmax(z) - np.nanmin(z)) / 65_000


def close(a: FlowField, b: FlowField) -> bool:
    """Levels agree to the step of the buckets."""
    return np.allclose(a.spill_ft, b.spill_ft, rtol=0, atol=step_ft(a), equal_nan=True)


@pytest.mark.parametrize("seed", range(8))
def test_levels_agree_and_all_water_leaves(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Rough ground, flats, voids."""
    rng = np.random.default_rng(seed)
    z = np.round(rng.normal(800.0, 2.0, (60, 45)), seed % 3)
    if seed % 2:
        z[rng.random(z.shape) < 0.05] = np.nan
    slow, fast = both(monkeypatch, z)
    assert close(slow, fast)
    known = np.isfinite(z).ravel()
    leaving = known & (fast.receiver == fast.outside)
    assert fast.upstream[leaving].sum() == known.sum()
    level = np.append(fast.spill_ft.ravel(), -np.inf)
    assert (level[fast.receiver[known]] <= level[:-1][known] + step_ft(fast)).all()


def test_dry_slopes_drain_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing fills both take the steepest way."""
    y, x = np.mgrid[:50, :70]
    z = 800.0 + 0.3 * x + 0.1 * y + np.sin(x / 7.0) + np.cos(y / 5.0)
    slow, fast = both(monkeypatch, z)
    dry = (slow.spill_ft == z).ravel() & (fast.receiver != fast.outside)
    same = slow.receiver[dry] == fast.receiver[dry]
    assert same.mean() > 0.995, "but for falls under the step of the buckets"


@pytest.mark.parametrize("invert", [float("nan"), 820.0, 1e4])
def test_pipes_take_water_from_their_invert_on(
    monkeypatch: pytest.MonkeyPatch, invert: float
) -> None:
    z = surface(bowl).z_ft.copy()
    bottom = int(np.argmin(z))
    z[:, 79] = 780.0
    slow, fast = both(monkeypatch, z, {bottom: Jump(30 * 80 + 79, invert)})
    assert close(slow, fast)
    assert fast.receiver[bottom] == slow.receiver[bottom]
    assert fast.upstream[bottom] > 4000 or invert > 1e3
