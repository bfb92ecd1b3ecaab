"""Detail finer than a plotter's line: how much of some features is closer together than that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.vertices import Vertices, vertices_of


@dataclass(frozen=True)
class Fineness:
    """Segments of outlines and lines, those shorter than a length, and features no larger."""

    segments: int
    short: int
    short_pct: float  # of the whole length; arcs have many short segments, and little length
    features: int
    dots: int  # lines and areas that would print as one dot


def fineness(shapes: np.ndarray, least: float) -> Fineness:
    """Count what is shorter than `least` (unit of the coordinates); points do not count."""
    extended = shapes[shapely.get_dimensions(shapes) > 0]
    laid = vertices_of(shapes)
    length = _lengths(laid)
    box = shapely.bounds(extended)
    size = np.hypot(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1])
    short = length < least
    total = float(length.sum())
    return Fineness(
        int(length.size),
        int(short.sum()),
        100.0 * float(length[short].sum()) / total if total > 0 else 0.0,
        len(extended),
        int((size < least).sum()),
    )


def _lengths(laid: Vertices) -> np.ndarray:
    """The length of every segment."""
    found = [np.zeros(0)]
    for start, end in laid.blocks():
        x, y = laid.xy[laid.first[start] : laid.first[end]].T
        length = np.hypot(np.diff(x), np.diff(y))
        found.append(np.delete(length, laid.first[start + 1 : end] - laid.first[start] - 1))
    return np.concatenate(found)
