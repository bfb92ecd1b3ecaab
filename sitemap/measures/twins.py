"""Whether two sets of features are the same features."""

from __future__ import annotations

import numpy as np
import shapely


def same_features(first: np.ndarray, second: np.ndarray, tolerance_ft: float) -> bool:
    """True when both hold equally many features that pair off within a tolerance in feet.

    A pair has its middles within the tolerance, and corners of its boxes and lengths too; order,
    direction and starting vertex do not matter. Two empty sets are not the same features.
    """
    if len(first) != len(second) or not len(first):
        return False
    boxes = shapely.bounds(first), shapely.bounds(second)
    if not all(np.isfinite(box).all() for box in boxes):
        return False
    tree = shapely.STRtree(_middles(boxes[1]))
    left, right = tree.query(_middles(boxes[0]), predicate="dwithin", distance=tolerance_ft)
    alike = (np.abs(boxes[0][left] - boxes[1][right]) <= tolerance_ft).all(axis=1)
    lengths = shapely.length(first), shapely.length(second)
    alike &= np.abs(lengths[0][left] - lengths[1][right]) <= tolerance_ft + 1e-6 * lengths[0][left]
    every_first = np.unique(left[alike]).size == len(first)
    return bool(every_first and np.unique(right[alike]).size == len(second))


def _middles(boxes: np.ndarray) -> np.ndarray:
    return np.asarray(shapely.points(boxes[:, :2] / 2.0 + boxes[:, 2:] / 2.0))
