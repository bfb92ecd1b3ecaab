"""Where contours of different level lie on each other in plan: walls, or an interval made up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from sitemap.measures.contours import Contours
from sitemap.measures.near_pieces import near_another_level

CHORD_FT = 5.0  # lines are compared in short straight pieces
LEAST_FT = 5.0  # shorter coincidence is a crossing at a flat angle


@dataclass(frozen=True, eq=False)
class Coincidence:
    """Two levels that share a stretch of line: the stretch, and a line of each."""

    low_ft: float
    high_ft: float
    stretch: BaseGeometry
    lines: tuple[int, int]


def coincidences(contours: Contours, tolerance_ft: float) -> list[Coincidence]:
    """Stretches where lines of two levels run within the tolerance of each other, longest first.

    Every stretch counts once for each pair of levels, and is measured along the lower line.
    """
    if len(contours.levels) < 2:
        return []
    near = _near_another_level(contours, tolerance_ft)
    if not len(near):
        return []
    chords = _chords(contours.lines, near)
    level = np.round(contours.levels_ft, 3)[chords.owner]
    a, b = shapely.STRtree(chords.lines).query(
        chords.lines, predicate="dwithin", distance=tolerance_ft
    )
    lower = level[a] < level[b]
    a, b = a[lower], b[lower]
    around = shapely.buffer(chords.lines[b], tolerance_ft, cap_style="square", join_style="mitre")
    common = shapely.intersection(chords.lines[a], around)
    runs = shapely.length(common) > 0
    a, b, common = a[runs], b[runs], common[runs]
    # a chord is straight and what surrounds another is convex: what they share is one piece
    ends = np.stack([shapely.get_point(common, 0), shapely.get_point(common, -1)], axis=1)
    at = chords.start_ft[a, None] + shapely.line_locate_point(chords.lines[a, None], ends)
    found = _joined(contours, chords.owner, (a, b), np.sort(at, axis=1), tolerance_ft)
    return sorted(found, key=lambda c: (-c.stretch.length, c.low_ft))


@dataclass(frozen=True, eq=False)
class _Chords:
    """Short straight pieces: the number of the line of each, and where on it the piece begins."""

    lines: np.ndarray
    owner: np.ndarray
    start_ft: np.ndarray


def _near_another_level(contours: Contours, tolerance_ft: float) -> np.ndarray:
    """The numbers of the lines that come within the tolerance of one of another level.

    Few do, and longer pieces are compared in less time than chords.
    """
    pieces, reach_ft = contours.pieces, tolerance_ft * 1.001
    a, b = near_another_level(contours, reach_ft)
    close = shapely.dwithin(pieces.lines[a], pieces.lines[b], reach_ft)
    return np.unique(pieces.owner[np.concatenate([a[close], b[close]])])


def _chords(lines: np.ndarray, chosen: np.ndarray) -> _Chords:
    """Every segment of the chosen lines, at most CHORD_FT long."""
    fine = shapely.segmentize(lines[chosen], CHORD_FT)
    xy, place = shapely.get_coordinates(fine, return_index=True)
    same = place[1:] == place[:-1]
    size = np.where(same, np.hypot(*np.diff(xy, axis=0).T), 0.0)
    along = np.append(0.0, np.cumsum(size))
    begin = along[np.searchsorted(place, np.arange(len(chosen)))]
    kept = np.flatnonzero(same & (size > 0))
    pairs = np.stack([xy[kept], xy[kept + 1]], axis=1)
    mine = place[kept]
    start_ft = along[kept] - begin[mine]
    return _Chords(np.asarray(shapely.linestrings(pairs)), chosen[mine], start_ft)


def _joined(
    contours: Contours,
    owner: np.ndarray,
    pair: tuple[np.ndarray, np.ndarray],
    at_ft: np.ndarray,
    gap_ft: float,
) -> list[Coincidence]:
    """Intervals along each lower line, for each level above it, joined over gaps."""
    low, high = owner[pair[0]], np.round(contours.levels_ft[owner[pair[1]]], 3)
    order = np.lexsort([at_ft[:, 0], high, low])
    found: list[Coincidence] = []
    now: tuple[int, float, float, float, int] | None = None  # line, level, from, to, other line
    for i in order.tolist():
        line, level = int(low[i]), float(high[i])
        begin, end = float(at_ft[i, 0]), float(at_ft[i, 1])
        if now is not None and now[:2] == (line, level) and begin <= now[3] + gap_ft:
            now = (line, level, now[2], max(now[3], end), now[4])
            continue
        found += _stretch(contours, now)
        now = (line, level, begin, end, int(owner[pair[1][i]]))
    return found + _stretch(contours, now)


def _stretch(
    contours: Contours, run: tuple[int, float, float, float, int] | None
) -> list[Coincidence]:
    """The stretch as geometry, if it is long enough to mean something."""
    if run is None or run[3] - run[2] < LEAST_FT:
        return []
    line, level, begin, end, other = run
    shape = substring(contours.lines[line], begin, end)
    return [Coincidence(float(contours.levels_ft[line]), level, shape, (line, other))]
