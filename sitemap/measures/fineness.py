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
    number, total, short = _lengths(laid, least)
    box = shapely.bounds(extended)
    size = np.hypot(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1])
    return Fineness(
        number,
        len(short),
        100.0 * float(short.sum()) / total if total > 0 else 0.0,
        len(extended),
        int((size < least).sum()),
    )


def _lengths(laid: Vertices, least: float) -> tuple[int, float, np.ndarray]:
    """How many segments there are, how long they are in all, and the lengths of the short ones."""
    number, total, found = 0, 0.0, [np.zeros(0)]
    for start, end in laid.blocks():
        x, y = np.diff(laid.xy[laid.first[start] : laid.first[end]], axis=0).T
        square = x * x + y * y
        joint = laid.first[start + 1 : end] - laid.first[start] - 1  # from one path to the next
        square[joint] = 0.0
        number += len(square) - len(joint)
        total += float(np.sqrt(square).sum())
        likely = square < (1.001 * least) ** 2
        likely[joint] = False
        length = np.hypot(x[likely], y[likely])  # to the last digit, where it decides
        found.append(length[length < least])
    return number, total, np.concatenate(found)
