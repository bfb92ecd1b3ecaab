"""How much of each feature is found among the lines that a finished plate draws.

Everything is in ground feet. Lines and outlines are looked at in short steps, points at their
place; lettering that stands in a line excuses the gap that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measured_plate import TracedLayer

POSITION_IN = 0.01  # how near ink must lie on paper
SIMPLIFIED_IN = 0.1 / 72.0  # by how much the writer may thin a line
STEP_IN = 0.04  # between the places of a line that are looked at first
FINE_STEP_IN = 0.01  # and where no ink was near: symbols may touch their line only here and there
GAP_IN = 0.15  # a shorter stretch without ink is the shape of a symbol (scallops, dots)
CLEAR_IN = 0.08  # around letters in a line
SHORT_IN = 0.02  # what is shown of a feature, below which it is outside the frame


@dataclass(frozen=True, eq=False)
class Found:
    """Per feature, in feet of its lines and outlines, or in points: what lies inside the frames,
    and how much of that has no ink. at holds a place without ink, shape (n, 2), else NaN.
    """

    shown: np.ndarray
    bare: np.ndarray
    at: np.ndarray
    is_point: np.ndarray


def found_on_paper(
    geometry: np.ndarray, traced: Sequence[TracedLayer], frames: Sequence[shapely.Polygon]
) -> Found:
    """Look for features among the traced marks of their layer, on all pages together.

    frames are the grounds of the map frames, one for each page that shows the layer's map.
    """
    flat = shapely.force_2d(np.asarray(geometry, dtype=object))
    scale = max((layer.feet_per_inch for layer in traced), default=1.0)
    ink = _Ink(traced, scale)
    # on the frame's own edge lines are cut and lie under the neatline
    inside = shapely.buffer(shapely.union_all(np.array(frames)), -POSITION_IN * scale)
    shapely.prepare(inside)
    shown, bare = np.zeros(len(flat)), np.zeros(len(flat))
    at = np.full((len(flat), 2), np.nan)
    parts, owner = _simple_parts(flat)
    is_point = np.zeros(len(flat), dtype=bool)
    dots = shapely.get_dimensions(parts) == 0
    is_point[owner[dots]] = True
    _points(parts[dots], owner[dots], ink, inside, shown, bare, at)
    lines, mine = _as_lines(parts[~dots], owner[~dots])
    lines = shapely.clip_by_rect(lines, *shapely.bounds(shapely.union_all(np.array(frames))))
    _lines(lines, mine, ink, inside, scale, STEP_IN, (shown, bare, at))
    again = (bare > 0.0) & ~is_point
    rows = again[mine]
    shown[again], bare[again], at[again] = 0.0, 0.0, np.nan
    _lines(lines[rows], mine[rows], ink, inside, scale, FINE_STEP_IN, (shown, bare, at))
    return Found(shown, bare, at, is_point)


class _Ink:
    """The marks of a layer, ready to be asked."""

    def __init__(self, traced: Sequence[TracedLayer], scale: float) -> None:
        self.reach = (POSITION_IN + SIMPLIFIED_IN) * scale
        segments = [
            np.stack([path[:-1], path[1:]], axis=1) for layer in traced for path in layer.lines
        ]
        pairs = np.concatenate(segments) if segments else np.empty((0, 2, 2))
        self._lines = shapely.STRtree(np.asarray(shapely.linestrings(pairs)))
        anchors = [layer.anchors for layer in traced if len(layer.anchors)]
        places = np.concatenate(anchors) if anchors else np.empty((0, 2))
        self._anchors = shapely.STRtree(np.asarray(shapely.points(places)))
        self.clear = CLEAR_IN * scale
        hulls = [shapely.Polygon(hull) for layer in traced for hull in layer.lettering]
        self._letters = shapely.STRtree(hulls)

    def near(self, points: np.ndarray) -> np.ndarray:
        """True where a line lies within reach."""
        return _within(self._lines, points, self.reach)

    def symbol(self, points: np.ndarray) -> np.ndarray:
        """True where a symbol stands for the place."""
        return _within(self._anchors, points, self.reach)

    def lettered(self, points: np.ndarray) -> np.ndarray:
        """True where letters stand."""
        return _within(self._letters, points, self.clear)


def _within(tree: shapely.STRtree, points: np.ndarray, reach: float) -> np.ndarray:
    hit = np.zeros(len(points), dtype=bool)
    if len(points) and len(tree):
        hit[tree.query(points, predicate="dwithin", distance=reach)[0]] = True
    return hit


def _simple_parts(geometry: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Single points, lines and polygons, with the number of their feature."""
    parts, owner = shapely.get_parts(geometry, return_index=True)
    inner, at = shapely.get_parts(parts, return_index=True)  # collections hold multi-parts
    keep = ~shapely.is_empty(inner)
    return inner[keep], owner[at][keep]


def _as_lines(parts: np.ndarray, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines as they are, polygons as their rings."""
    areas = shapely.get_dimensions(parts) == 2
    rings, at = shapely.get_rings(parts[areas], return_index=True)
    outlines = shapely.linestrings(shapely.get_coordinates(rings), indices=_index_of(rings))
    lines = np.concatenate([parts[~areas], outlines])
    return lines, np.concatenate([owner[~areas], owner[areas][at]])


def _index_of(geometry: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(geometry)), shapely.get_num_coordinates(geometry))


def _points(
    points: np.ndarray,
    owner: np.ndarray,
    ink: _Ink,
    inside: shapely.Geometry,
    shown: np.ndarray,
    bare: np.ndarray,
    at: np.ndarray,
) -> None:
    held = shapely.intersects(inside, points)
    points, owner = points[held], owner[held]
    np.add.at(shown, owner, 1.0)
    missing = ~ink.symbol(points)
    np.add.at(bare, owner[missing], 1.0)
    at[owner[missing]] = shapely.get_coordinates(points[missing])


def _lines(
    lines: np.ndarray,
    owner: np.ndarray,
    ink: _Ink,
    inside: shapely.Geometry,
    scale: float,
    step_in: float,
    into: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """Lengths shown and bare, counted between neighbouring places of a line.

    A stretch may be longer than counted by a step at each end.
    """
    shown, bare, at = into
    pieces, piece_of = shapely.get_parts(lines, return_index=True)
    owner = owner[piece_of]
    xy, line = shapely.get_coordinates(
        shapely.segmentize(pieces, step_in * scale), return_index=True
    )
    if not len(xy):
        return
    places = np.asarray(shapely.points(xy))
    held = np.asarray(shapely.intersects(inside, places))
    missing = np.zeros(len(xy), dtype=bool)
    looked = np.flatnonzero(held)
    missing[looked] = ~ink.near(places[looked])
    looked = np.flatnonzero(missing)
    missing[looked] = ~ink.lettered(places[looked])
    same = line[1:] == line[:-1]
    length = np.hypot(*(xy[1:] - xy[:-1]).T)
    np.add.at(shown, owner[line[1:]], np.where(same & held[1:] & held[:-1], length, 0.0))
    empty = same & missing[1:] & missing[:-1]
    # stretches of neighbouring places without ink; short ones are the shape of the symbol
    start = np.flatnonzero(empty & ~np.concatenate([[False], empty[:-1]]))
    end = np.flatnonzero(empty & ~np.concatenate([empty[1:], [False]]))
    total = np.concatenate([[0.0], np.cumsum(np.where(empty, length, 0.0))])
    stretch = total[end + 1] - total[start]
    coarse = step_in > FINE_STEP_IN
    long = stretch > (GAP_IN - (2.0 * step_in if coarse else 0.0)) * scale
    who = owner[line[start[long]]]
    np.add.at(bare, who, stretch[long])
    at[who] = xy[(start[long] + end[long] + 1) // 2]
