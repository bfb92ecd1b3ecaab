"""Ends of lines and the places near them at which they may join: other ends, middles of lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

EXACT = 1e-3  # ends nearer than this are the same vertex


@dataclass(order=True, frozen=True)
class Meeting:
    """An end, and a place at which it may join: an end (at < 0) or the middle of a line."""

    distance: float
    kind: int  # ends before middles
    end: int
    other: int  # number of an end, or of a line
    at: float


def meetings(
    lines: np.ndarray, ends: np.ndarray, node: np.ndarray, underground: np.ndarray, reach: float
) -> list[Meeting]:
    """All places within reach of a node at which it may join, the nearest first.

    ends are the first ends of all lines, then their last ones; node is the number of each, that
    of one of its own ends. Nothing joins the middle of an underground line.
    """
    nodes = np.unique(node)
    found = [*_ends_near(ends, nodes, reach)]
    found += _middles_near(lines, ends, node, nodes, np.flatnonzero(~underground), reach)
    return sorted(found)


def _ends_near(ends: np.ndarray, nodes: np.ndarray, reach: float) -> Iterator[Meeting]:
    places = ends[nodes]
    a, b = shapely.STRtree(places).query(places, predicate="dwithin", distance=reach)
    a, b = nodes[a[a < b]], nodes[b[a < b]]
    apart = np.round(shapely.distance(ends[a], ends[b]), 9)
    for one, other, gap in zip(a.tolist(), b.tolist(), apart.tolist(), strict=True):
        yield Meeting(gap, 0, one, other, -1.0)


def _middles_near(
    lines: np.ndarray,
    ends: np.ndarray,
    node: np.ndarray,
    nodes: np.ndarray,
    open_air: np.ndarray,
    reach: float,
) -> Iterator[Meeting]:
    if not len(open_air):
        return
    places = ends[nodes]
    hit, on = shapely.STRtree(lines[open_air]).query(places, predicate="dwithin", distance=reach)
    which, line = nodes[hit], open_air[on]
    own = (node[line] == which) | (node[line + len(lines)] == which)
    which, line = which[~own], line[~own]
    at = shapely.line_locate_point(lines[line], ends[which])
    middle = (at > EXACT) & (at < shapely.length(lines[line]) - EXACT)
    which, line, at = which[middle], line[middle], at[middle]
    gaps = np.round(shapely.distance(lines[line], ends[which]), 9)
    for gap, end, other, place in zip(
        gaps.tolist(), which.tolist(), line.tolist(), at.tolist(), strict=True
    ):
        yield Meeting(gap, 1, end, other, place)


def clusters(shapes: np.ndarray, within: float) -> np.ndarray:
    """A number per shape; shapes within a distance of each other, also by way of others, share."""
    label = np.arange(len(shapes))
    a, b = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=within)
    while True:
        lower = label.copy()
        np.minimum.at(lower, a, label[b])
        if (lower == label).all():
            return label
        label = lower
