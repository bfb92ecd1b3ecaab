"""Areas too thin to mean anything, and outlines that run out and back: slivers and spikes."""

from __future__ import annotations

import numpy as np
import shapely

BLOCK_VERTICES = 200_000  # looked at together: memory stays small, and in the processor's reach
ROUNDING = 1e-3  # of a width: buffering is not exact, and a strip of just the width is no sliver


def slivers(polygons: np.ndarray, width: float) -> np.ndarray:
    """True for each single polygon that nowhere holds a strip as wide as `width` (same unit).

    A strip of just the width is none. Polygons that are not valid are never slivers here.
    """
    thin = np.zeros(len(polygons), dtype=bool)
    area, edge = shapely.area(polygons), shapely.length(polygons)
    # Area is at most edge times inradius: only these can be narrower than the width everywhere.
    maybe = np.flatnonzero((area > 0) & (2.0 * area < width * edge))
    maybe = maybe[shapely.is_valid(polygons[maybe])]
    core = shapely.buffer(polygons[maybe], -width / 2.0 * (1.0 - ROUNDING), join_style="mitre")
    thin[maybe] = shapely.is_empty(core) | (shapely.area(core) <= 0)
    return thin


def spikes(
    shapes: np.ndarray, width: float, angle_deg: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tips at which an outline or a line turns back on itself.

    Gives the number of the shape of each tip, the tips, and how far the spike reaches. A tip has
    an angle below angle_deg, arms longer than `width`, and arms less than `width` apart where the
    shorter one ends (all in the unit of the coordinates).
    """
    block = np.cumsum(shapely.get_num_coordinates(shapes)) // BLOCK_VERTICES
    first = np.flatnonzero(np.append(True, block[1:] != block[:-1])) if len(block) else [0]
    ends = [*first[1:], len(shapes)]
    found = [_spikes(shapes[i:j], width, angle_deg) for i, j in zip(first, ends, strict=True)]
    owner = np.concatenate([own + i for (own, _, _), i in zip(found, first, strict=True)])
    tips, reach = (np.concatenate([one[k] for one in found]) for k in (1, 2))
    return owner, tips, reach


def _spikes(
    shapes: np.ndarray, width: float, angle_deg: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tips of some shapes."""
    xy, owner, before, after = _corners(shapes)
    back, on = xy[before] - xy, xy[after] - xy
    along = back[:, 0] * on[:, 0] + back[:, 1] * on[:, 1]
    across = back[:, 0] * on[:, 1] - back[:, 1] * on[:, 0]
    turned = np.flatnonzero((along > 0) & (np.abs(across) < np.tan(np.radians(angle_deg)) * along))
    back, on = back[turned], on[turned]
    reach = np.minimum(np.hypot(*back.T), np.hypot(*on.T))
    half = np.arctan2(np.abs(across[turned]), along[turned]) / 2.0
    sharp = (reach > width) & (2.0 * reach * np.sin(half) < width)
    return owner[turned[sharp]], xy[turned[sharp]], reach[sharp]


def _corners(
    shapes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All vertices with their shape and the places of the vertices before and after.

    Repeated vertices are left out; the ends of an open line have themselves as neighbour.
    """
    parts, part_owner = shapely.get_parts(shapes, return_index=True)
    areal = shapely.get_type_id(parts) == 3
    linear = np.isin(shapely.get_type_id(parts), (1, 2))
    rings, ring_part = shapely.get_rings(parts[areal], return_index=True)
    paths = np.concatenate([rings, parts[linear]])
    path_owner = np.concatenate([part_owner[areal][ring_part], part_owner[linear]])
    xy, path = shapely.get_coordinates(paths, return_index=True)
    kept = np.ones(len(xy), dtype=bool)
    kept[1:] = (path[1:] != path[:-1]) | (xy[1:] != xy[:-1]).any(axis=1)
    xy, path = xy[kept], path[kept]
    closed = _closed(xy, path)
    if closed.any():  # the repeated last vertex of a ring goes
        last = np.append(path[1:] != path[:-1], True)
        kept = ~(last & closed)
        xy, path, closed = xy[kept], path[kept], closed[kept]
    place = np.arange(len(xy))
    if not len(xy):
        return xy, path, place, place
    first = np.append(True, path[1:] != path[:-1])
    last = np.append(first[1:], True)
    start = place[first][np.cumsum(first) - 1]
    end = np.repeat(place[last], np.diff(np.append(place[first], len(xy))))
    before = np.where(first, np.where(closed, end, place), place - 1)
    after = np.where(last, np.where(closed, start, place), place + 1)
    return xy, path_owner[path], before, after


def _closed(xy: np.ndarray, path: np.ndarray) -> np.ndarray:
    """For each vertex whether its path ends where it begins."""
    if not len(xy):
        return np.zeros(0, dtype=bool)
    first = np.flatnonzero(np.append(True, path[1:] != path[:-1]))
    last = np.append(first[1:], len(path)) - 1
    same = (xy[first] == xy[last]).all(axis=1) & (last - first > 2)
    return np.repeat(same, last - first + 1)
