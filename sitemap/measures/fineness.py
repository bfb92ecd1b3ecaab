"""Detail finer than a plotter's line: how much of some features is closer together than that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely


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
    parts = shapely.get_parts(extended)
    rings = shapely.get_rings(parts)
    lines = parts[np.isin(shapely.get_type_id(parts), (1, 2))]
    xy, path = shapely.get_coordinates(np.concatenate([rings, lines]), return_index=True)
    length = np.hypot(*np.diff(xy, axis=0).T)[path[1:] == path[:-1]] if len(xy) else np.zeros(0)
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
