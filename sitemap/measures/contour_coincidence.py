"""Where contours of different level lie on each other in plan: walls, or an interval made up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from sitemap.measures.contours import Contours
from sitemap.measures.near_pieces import near_another_level

CHORD_FT = 5.0  # lines are compared in short straight pieces
LEAST_FT = 5.0  # shorter coincidence is a crossing at a flat angle
_SAME_FT = 0.01  # what sums of the same lengths differ by, at the most
_LEVEL_FT = 1e-9  # a chord that comes no nearer than this on its length runs level beside another


@dataclass(frozen=True, eq=False)
class Coincidence:
    """Two levels that share a stretch of line: the stretch, and a line of each."""

    low_ft: float
    high_ft: float
    stretch: BaseGeometry
    lines: tuple[int, int]


def coincidences(contours: Contours, tolerance_ft: float) -> list[Coincidence]:
    """Stretches where lines of two levels run within the tolerance of each other, longest first.

    Each stretch of a line counts once, with the next level above that lies on it: of a cliff every
    level but the highest. It is measured along the lower line.
    """
    if len(contours.levels) < 2:
        return []
    near = _near_another_level(contours, tolerance_ft)
    if not len(near):
        return []
    chords = _chords(contours, near)
    rank = np.searchsorted(contours.levels, np.round(contours.levels_ft, 3)[chords.owner])
    a, b = _next_above(chords.lines, rank, tolerance_ft)
    share = _share_beside(chords.xy[a], chords.xy[b], tolerance_ft)
    runs = share[:, 1] > share[:, 0]
    a, b, share = a[runs], b[runs], share[runs]
    at_ft = chords.start_ft[a, None] + share * shapely.length(chords.lines[a])[:, None]
    found = _joined(contours, chords.owner, (a, b), at_ft, tolerance_ft)
    return sorted(found, key=lambda c: (-c.stretch.length, c.low_ft))


@dataclass(frozen=True, eq=False)
class _Chords:
    """Short straight pieces, their ends (n, 2, 2), the line of each, and where on it it begins."""

    lines: np.ndarray
    xy: np.ndarray
    owner: np.ndarray
    start_ft: np.ndarray


def _next_above(
    lines: np.ndarray, rank: np.ndarray, tolerance_ft: float
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of chords within the tolerance: one, and others of the lowest level above with any.

    Level by level, since on a cliff every chord has all other levels beside it.
    """
    order = np.argsort(rank, kind="stable")
    levels = np.split(order, np.searchsorted(rank[order], np.arange(1, rank.max() + 1)))
    found = [_beside(lines, low, high, tolerance_ft) for low, high in pairwise(levels)]
    a, b = (np.concatenate(numbers) for numbers in zip(*found, strict=True))
    alone = np.setdiff1d(order, a)
    more, other = _beside(lines, alone, order, tolerance_ft)
    above = rank[more] < rank[other]
    more, other = more[above], other[above]
    least = np.full(len(rank), rank.max() + 1)
    np.minimum.at(least, more, rank[other])
    lowest = rank[other] == least[more]
    return np.concatenate([a, more[lowest]]), np.concatenate([b, other[lowest]])


def _beside(
    lines: np.ndarray, some: np.ndarray, others: np.ndarray, tolerance_ft: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of chords of two lists, given by their numbers, that come within the tolerance."""
    one, other = shapely.STRtree(lines[others]).query(
        lines[some], predicate="dwithin", distance=tolerance_ft
    )
    return some[one], others[other]


def _share_beside(one: np.ndarray, other: np.ndarray, tolerance_ft: float) -> np.ndarray:
    """From which to which share (n, 2) each chord of `one` runs beside that of `other`.

    Beside is the rectangle that reaches the tolerance out to all sides of it. Ends have shape
    (n, 2, 2). Where it does not run there, the second share is not above the first.
    """
    way = other[:, 1] - other[:, 0]
    size = np.hypot(*way.T)
    along = way / size[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    from_ft, to_ft = np.zeros(len(one)), np.ones(len(one))
    for axis, least, most in (
        (along, -tolerance_ft, size + tolerance_ft),
        (across, -tolerance_ft, tolerance_ft),
    ):
        first, last = (np.sum((one[:, end] - other[:, 0]) * axis, axis=1) for end in (0, 1))
        step = last - first
        level = np.abs(step) < _LEVEL_FT
        with np.errstate(all="ignore"):  # of a level chord, which is not asked for its cuts
            cuts = np.sort(np.stack([(least - first) / step, (most - first) / step]), axis=0)
        inside = (first >= least) & (first <= most)
        from_ft = np.maximum(from_ft, np.where(level, np.where(inside, 0.0, 1.0), cuts[0]))
        to_ft = np.minimum(to_ft, np.where(level, np.where(inside, 1.0, 0.0), cuts[1]))
    return np.stack([from_ft, to_ft], axis=1)


def _near_another_level(contours: Contours, tolerance_ft: float) -> np.ndarray:
    """The numbers of the pieces that come within the tolerance of one of another level.

    Few do, and longer pieces are compared in less time than chords. Of a piece with many others
    beside it, as on a cliff, a few are looked at: one of them is enough.
    """
    pieces, reach_ft = contours.pieces, tolerance_ft * 1.001
    a, b = near_another_level(contours, reach_ft)
    near, most = np.zeros(len(pieces), dtype=bool), 1
    while len(a):
        begin = np.flatnonzero(np.append(True, a[1:] != a[:-1]))
        now = np.arange(len(a)) - np.repeat(begin, np.diff(np.append(begin, len(a)))) < most
        close = shapely.dwithin(pieces.some(a[now]), pieces.some(b[now]), reach_ft)
        near[a[now][close]] = near[b[now][close]] = True
        left = ~now & ~(near[a] & near[b])
        a, b, most = a[left], b[left], 2 * most
    return np.flatnonzero(near)


def _chords(contours: Contours, near: np.ndarray) -> _Chords:
    """The segments of some pieces, at most CHORD_FT long; a few of their neighbours may be there.

    The rest of a long line is beside no other.
    """
    chosen = np.unique(contours.pieces.owner[near])
    xy, place, along = _measured(shapely.segmentize(contours.lines[chosen], CHORD_FT))
    begin = along[np.searchsorted(place, np.arange(len(chosen)))]
    of_line = (place[1:] == place[:-1]) & (np.diff(along) > 0)
    kept = np.flatnonzero(of_line & _in_pieces(contours, chosen, near, along))
    pairs = np.stack([xy[kept], xy[kept + 1]], axis=1)
    mine = place[kept]
    start_ft = along[kept] - begin[mine]
    return _Chords(np.asarray(shapely.linestrings(pairs)), pairs, chosen[mine], start_ft)


def _in_pieces(
    contours: Contours, chosen: np.ndarray, near: np.ndarray, along: np.ndarray
) -> np.ndarray:
    """True for each step along the chosen lines that lies in one of some pieces, or ends at one."""
    pieces = contours.pieces
    _, place, vertex_ft = _measured(contours.lines[chosen])
    mine = np.flatnonzero(np.isin(pieces.owner, chosen))
    first = np.append(True, np.diff(pieces.owner[mine]) != 0)  # of its line
    vertex = pieces.begin[mine] - pieces.begin[mine[first]][np.cumsum(first) - 1]
    begin_ft = vertex_ft[vertex + np.searchsorted(place, np.cumsum(first) - 1)]
    wanted = np.isin(mine, near)
    found = np.zeros(len(along) - 1, dtype=bool)
    for at in (along[:-1] - _SAME_FT, along[1:] + _SAME_FT):
        found |= wanted[np.maximum(np.searchsorted(begin_ft, at, side="right") - 1, 0)]
    return found


def _measured(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vertices of lines, the line of each, and how far along all lines before it."""
    xy, place = shapely.get_coordinates(lines, return_index=True)
    size = np.where(place[1:] == place[:-1], np.hypot(*np.diff(xy, axis=0).T), 0.0)
    return xy, place, np.append(0.0, np.cumsum(size))


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
