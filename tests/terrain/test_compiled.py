"""The compiled kernels give what contourpy and numpy give."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.terrain import contours, slopes
from sitemap.terrain.contours import contour_lines, levels_within
from sitemap.terrain.surface import Surface
from tests.terrain.grounds import of_cells, plane, saddle, surface

pytest.importorskip("numba", reason="the extra `fast` is not installed")

Lines = list[tuple[float, float, float, bool, bool]]


def told(lines: np.ndarray) -> Lines:
    """Length, middle, whether closed and round which side: enough to know each line again."""
    return sorted(
        (
            round(line.length, 6),
            round(line.centroid.x, 4),
            round(line.centroid.y, 4),
            line.is_closed,
            line.is_closed and shapely.is_ccw(line),
        )
        for line in lines
    )


def both(ground: Surface, interval: float, monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = ground.range_ft
    levels = levels_within(low, high, interval)
    plain, of = contour_lines(ground, levels)
    with monkeypatch.context() as patch:
        patch.setattr(contours, "WORTH_COMPILED", 0)
        fast, fast_of = contour_lines(ground, levels)
    for k in range(len(levels)):
        assert told(plain[of == k]) == told(fast[fast_of == k]), levels[k]


@settings(max_examples=40)
@given(
    st.integers(0, 10_000), st.integers(2, 25), st.integers(2, 25),
    st.sampled_from([0, 1, 6]), st.booleans(),
)  # fmt: skip
def test_the_same_lines_as_contourpy(
    seed: int, rows: int, columns: int, digits: int, holes: bool
) -> None:
    """On rough ground, with heights exactly on a level, with flats, saddles and voids."""
    rng = np.random.default_rng(seed)
    z = np.cumsum(np.cumsum(rng.normal(0, 0.3, (rows, columns)), axis=0), axis=1) + 800.0
    z = np.round(z, digits)
    if holes:
        z[rng.random(z.shape) < 0.05] = np.nan
    if np.isfinite(z).any():
        with pytest.MonkeyPatch.context() as patch:
            both(of_cells(z), 0.5, patch)


@pytest.mark.parametrize("height", [plane, saddle])
def test_known_grounds(height, monkeypatch: pytest.MonkeyPatch) -> None:
    both(surface(height), 2.0, monkeypatch)


def test_the_same_slopes_as_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    z = np.random.default_rng(5).normal(800.0, 3.0, (40, 50))
    z[20, 20] = np.nan
    ground = of_cells(z)
    plain = slopes.slope_pct(ground)
    monkeypatch.setattr(slopes, "WORTH_COMPILED", 0)
    assert slopes.slope_pct(ground) == pytest.approx(plain, nan_ok=True, rel=1e-12)


def test_without_the_extra_all_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the ground."""
    for module in (contours, slopes):
        monkeypatch.setattr(module, "can_compile", lambda: False)
    monkeypatch.setattr(contours, "WORTH_COMPILED", 0)
    monkeypatch.setattr(slopes, "WORTH_COMPILED", 0)
    lines, _ = contour_lines(surface(plane), np.array([810.0, 820.0]))
    assert len(lines) == 2
    assert np.isfinite(slopes.slope_pct(surface(plane))).any()
