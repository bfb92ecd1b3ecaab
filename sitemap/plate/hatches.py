"""Area patterns as real lines clipped to their areas: nothing here depends on a viewer's tiles.

The patterns hang on the sheet, not on the area, so that neighbours continue each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Hatch
from sitemap.plate.clip import GeometryArray, paths_of
from sitemap.plate.marks import Path

Strokes = list[list[tuple[float, float]]]  # of a sign, from and to about its place
Signs = list[tuple[np.ndarray, Strokes]]  # places, shape (n, 2), and what stands at each
CLEAR_IN = 0.03  # between a pattern and the outline around it


def hatch_paths(polygons: GeometryArray, hatch: Hatch) -> tuple[Path, ...]:
    """The strokes of a hatch inside polygons given in inches."""
    if hatch.kind == "waves":
        return water_lines(polygons, hatch.spacing_in)
    inner = shapely.buffer(polygons, -CLEAR_IN, quad_segs=2)
    inner = inner[~shapely.is_empty(inner)]
    if not len(inner):
        return ()
    whole = inner[0] if len(inner) == 1 else shapely.union_all(inner)
    bounds = shapely.bounds(whole)
    shapely.prepare(whole)
    if hatch.kind in _SIGNS:  # small signs are drawn complete or not at all
        return tuple(
            path
            for places, strokes in _SIGNS[hatch.kind](bounds, hatch)
            for path in _signs_inside(whole, places, strokes)
        )
    strokes = _LINES[hatch.kind](bounds, hatch)
    near = strokes[shapely.intersects(whole, strokes)]
    cut = shapely.intersection(near, whole)
    lines = shapely.get_parts(shapely.get_parts(cut))
    return paths_of(lines[(shapely.get_dimensions(lines) == 1) & (shapely.length(lines) > 0.01)])


def pattern_tile(hatch: Hatch) -> tuple[float, float, float, tuple[Path, ...]]:
    """Width, height, turn in degrees and strokes of the piece that a pattern repeats, in inches.

    For screens, which fill by tiles. Water lines follow their shore and have none: ValueError.
    """
    if hatch.kind == "waves":
        raise ValueError("water lines follow their shore; they repeat no tile")
    turn = hatch.angle_deg if hatch.kind in ("lines", "cross") else 0.0
    laid = hatch.model_copy(update={"angle_deg": 0.0}) if turn else hatch
    wide, high = (times * hatch.spacing_in for times in _PERIODS[hatch.kind])
    around = np.array([-wide, -high, 2 * wide, 2 * high])
    if hatch.kind in _SIGNS:
        signs = _SIGNS[hatch.kind](around, laid)
        paths = tuple(path for places, strokes in signs for path in _at(places, strokes))
    else:
        paths = paths_of(_LINES[hatch.kind](around, laid))
    # of a stroke and its repetitions the one whose middle lies in the piece
    middle = [(path[0] + path[-1]) / 2.0 + 1e-9 for path in paths]
    own = [0.0 <= x < wide and 0.0 <= y < high for x, y in middle]
    return wide, high, turn, tuple(p for p, mine in zip(paths, own, strict=True) if mine)


def water_lines(polygons: GeometryArray, spacing_in: float, count: int = 4) -> tuple[Path, ...]:
    """Lines that follow the shore inward at growing distances, as a lake is engraved."""
    step = min(spacing_in, 0.12) / 2.0
    found: list[Path] = []
    depth = 0.0
    for n in range(count):
        depth += step * (1.0 + 0.5 * n)
        inner = shapely.buffer(polygons, -depth, quad_segs=4)
        found.extend(paths_of(shapely.get_parts(shapely.boundary(inner))))
    return tuple(p for p in found if len(p) > 2)


def _parallel(bounds: np.ndarray, angle_deg: float, spacing: float) -> GeometryArray:
    """Parallel lines over the bounds, hung on the sheet's origin."""
    x0, y0, x1, y1 = bounds
    angle = np.deg2rad(angle_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    normal = np.array([-along[1], along[0]])
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    low, high = (corners @ normal).min(), (corners @ normal).max()
    start, end = (corners @ along).min(), (corners @ along).max()
    offsets = np.arange(np.ceil(low / spacing), np.floor(high / spacing) + 1) * spacing
    a = offsets[:, None] * normal + start * along
    b = offsets[:, None] * normal + end * along
    return np.asarray(shapely.linestrings(np.stack([a, b], axis=1)))


def _places(bounds: np.ndarray, dx: float, dy: float) -> np.ndarray:
    """Staggered rows of places over the bounds, hung on the sheet's origin."""
    x0, y0, x1, y1 = bounds
    rows = np.arange(np.floor(y0 / dy), np.ceil(y1 / dy) + 1)
    columns = np.arange(np.floor(x0 / dx), np.ceil(x1 / dx) + 1)
    gx, gy = np.meshgrid(columns * dx, rows * dy)
    return np.column_stack([(gx + (rows[:, None] % 2) * dx / 2).ravel(), gy.ravel()])


def _at(places: np.ndarray, strokes: Strokes) -> list[Path]:
    """The same small sign, of several strokes, at every place."""
    signs = places[:, None, None, :] + np.array(strokes)[None]
    return list(signs.reshape(-1, 2, 2))


def _signs_inside(whole: BaseGeometry, places: np.ndarray, strokes: Strokes) -> list[Path]:
    """The signs that lie inside as a whole; most others are told by the middle of a stroke."""
    middle = np.mean(strokes[0], axis=0)
    places = places[shapely.contains_xy(whole, places + middle)]
    if not len(places):
        return []
    signs = shapely.multilinestrings(
        np.column_stack([shapely.linestrings(places[:, None, :] + np.array(s)) for s in strokes])
    )
    return _at(places[shapely.contains_properly(whole, signs)], strokes)


def _lines(bounds: np.ndarray, hatch: Hatch) -> GeometryArray:
    return _parallel(bounds, hatch.angle_deg, hatch.spacing_in)


def _cross(bounds: np.ndarray, hatch: Hatch) -> GeometryArray:
    return np.concatenate(
        [
            _parallel(bounds, hatch.angle_deg, hatch.spacing_in),
            _parallel(bounds, hatch.angle_deg + 90.0, hatch.spacing_in),
        ]
    )


def _dots(bounds: np.ndarray, hatch: Hatch) -> Signs:
    """Very short strokes: with a round cap each is a dot."""
    places = _places(bounds, hatch.spacing_in, hatch.spacing_in / 2)
    return [(places, [[(-0.003, 0.0), (0.003, 0.0)]])]


def _tufts(bounds: np.ndarray, hatch: Hatch) -> Signs:
    """Marsh: five blades over a water line, in staggered rows."""
    blades = [
        [(-0.055, 0.0), (0.055, 0.0)],
        [(0.0, 0.015), (0.0, 0.085)],
        [(-0.018, 0.015), (-0.028, 0.07)],
        [(0.018, 0.015), (0.028, 0.07)],
        [(-0.034, 0.015), (-0.054, 0.05)],
        [(0.034, 0.015), (0.054, 0.05)],
    ]
    return [(_places(bounds, hatch.spacing_in, hatch.spacing_in * 0.6), blades)]


def _weave(bounds: np.ndarray, hatch: Hatch) -> Signs:
    """Basket weave: pairs of strokes lying and standing in turn."""
    s = hatch.spacing_in * 1.2
    half, off = s * 0.32, s * 0.11
    lying = [[(-half, off), (half, off)], [(-half, -off), (half, -off)]]
    standing = [[(off, -half), (off, half)], [(-off, -half), (-off, half)]]
    places = _places(bounds, 2 * s, s)
    return [(places, lying), (places + np.array([s, 0.0]), standing)]


def _dashes(bounds: np.ndarray, hatch: Hatch) -> Signs:
    half = min(hatch.spacing_in * 0.25, 0.05)
    turn = np.deg2rad(hatch.angle_deg)
    dx, dy = half * np.cos(turn), half * np.sin(turn)
    places = _places(bounds, hatch.spacing_in * 1.5, hatch.spacing_in * 0.75)
    return [(places, [[(-dx, -dy), (dx, dy)]])]


def _strokes(bounds: np.ndarray, hatch: Hatch) -> Signs:
    half = min(hatch.spacing_in * 0.22, 0.035)
    places = _places(bounds, hatch.spacing_in * 1.2, hatch.spacing_in * 0.8)
    return [(places, [[(0.0, -half), (0.0, half)]])]


_LINES: dict[str, Callable[[np.ndarray, Hatch], GeometryArray]] = {"lines": _lines, "cross": _cross}
_SIGNS: dict[str, Callable[[np.ndarray, Hatch], Signs]] = {
    "dots": _dots,
    "tufts": _tufts,
    "weave": _weave,
    "dashes": _dashes,
    "strokes": _strokes,
}
# after how many spacings a pattern comes again, across and up
_PERIODS: dict[str, tuple[float, float]] = {
    "lines": (1.0, 1.0),
    "cross": (1.0, 1.0),
    "dots": (1.0, 1.0),
    "tufts": (1.0, 1.2),
    "weave": (2.4, 2.4),
    "dashes": (1.5, 1.5),
    "strokes": (1.2, 1.6),
}
