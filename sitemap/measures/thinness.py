"""Areas too thin to mean anything, and outlines that run out and back: slivers and spikes."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.measures.vertices import vertices_of

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
    shorter one ends (all in the unit of the coordinates). Repeated vertices count once.
    """
    laid = vertices_of(shapes)
    owner, tips, reach = [np.zeros(0, dtype=np.int64)], [np.empty((0, 2))], [np.zeros(0)]
    for start, end in laid.blocks():
        first = laid.first[start : end + 1] - laid.first[start]
        xy, path = _once(laid.xy[laid.first[start] : laid.first[end]], first)
        at, far = _sharp(xy, path, width, angle_deg)
        owner.append(laid.shape[start + np.searchsorted(path, at, side="right") - 1])
        tips.append(xy[at])
        reach.append(far)
    return np.concatenate(owner), np.concatenate(tips), np.concatenate(reach)


def _once(xy: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Paths without repeated vertices: their vertices, and where each begins and the last ends."""
    again = np.zeros(len(xy), dtype=bool)
    np.equal(xy[1:, 0], xy[:-1, 0], out=again[1:])
    likely = np.flatnonzero(again)
    again[likely] = xy[likely, 1] == xy[likely - 1, 1]
    again[first[:-1]] = False
    if not again.any():
        return xy, first
    return xy[~again], first - np.append(0, np.cumsum(again))[first]


def _sharp(
    xy: np.ndarray, first: np.ndarray, width: float, angle_deg: float
) -> tuple[np.ndarray, np.ndarray]:
    """Places of the tips in paths one after another, and the reach of each."""
    begin, last = first[:-1], first[1:] - 1
    x, y = np.diff(xy[:, 0]), np.diff(xy[:, 1])
    found = _turned(x[:-1], y[:-1], x[1:], y[1:], angle_deg) + 1
    ends = np.zeros(len(xy), dtype=bool)
    ends[begin] = ends[last] = True
    found = found[~ends[found]]
    closed = (xy[begin] == xy[last]).all(axis=1) & (last - begin > 2)
    begin, last = begin[closed], last[closed]
    at_joint = _turned(x[last - 1], y[last - 1], x[begin], y[begin], angle_deg)
    place = np.concatenate([found, begin[at_joint]])
    came, goes = np.concatenate([found, last[at_joint]]) - 1, place
    reach = np.minimum(np.hypot(x[came], y[came]), np.hypot(x[goes], y[goes]))
    along = -(x[came] * x[goes] + y[came] * y[goes])
    across = np.abs(x[came] * y[goes] - y[came] * x[goes])
    half = np.arctan2(across, along) / 2.0
    sharp = (along > 0) & (reach > width) & (2.0 * reach * np.sin(half) < width)
    order = np.argsort(place[sharp], kind="stable")
    return place[sharp][order], reach[sharp][order]


def _turned(
    x: np.ndarray, y: np.ndarray, x_on: np.ndarray, y_on: np.ndarray, angle_deg: float
) -> np.ndarray:
    """Places where the step on goes back over the step before, at less than an angle."""
    along = x * x_on
    along += y * y_on
    along *= -np.tan(np.radians(angle_deg))
    across = x * y_on
    across -= y * x_on
    return np.flatnonzero(np.abs(across, out=across) < along)
