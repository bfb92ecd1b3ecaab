"""Features that were split or made one: the same ground under another number of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.comparison import FeatureChange

REDRAWN = ("added", "removed", "reshaped")


def with_redrawn(changes: Sequence[FeatureChange], tolerance_ft: float) -> list[FeatureChange]:
    """The changes; those that together cover what they covered say how many became how many.

    Areas count as the same when they differ by less than a strip of the tolerance along their
    outline, lines when neither leaves the tolerance around the other.
    """
    found = list(changes)
    wanted = [n for n, one in enumerate(found) if one.kind in REDRAWN and _dimension(one) > 0]
    for group in _groups([found[n] for n in wanted], tolerance_ft):
        members = [wanted[n] for n in group]
        old = [shape for n in members if (shape := found[n].old) is not None]
        new = [shape for n in members if (shape := found[n].new) is not None]
        if len(old) != len(new) and old and new and _is_same(old, new, tolerance_ft):
            for n in members:
                found[n] = replace(found[n], together=(len(old), len(new)))
    return found


def _dimension(change: FeatureChange) -> int:
    shapes = [shape for shape in (change.old, change.new) if shape is not None]
    return min(int(shapely.get_dimensions(shape)) for shape in shapes)


def _groups(changes: Sequence[FeatureChange], tolerance_ft: float) -> list[list[int]]:
    """Changes whose old and new shapes lie on each other, directly or through others."""
    group = np.arange(len(changes))
    old = [(n, one.old) for n, one in enumerate(changes) if one.old is not None]
    new = [(n, one.new) for n, one in enumerate(changes) if one.new is not None]
    if not old or not new:
        return []
    tree = shapely.STRtree([shape for _, shape in new])
    i, j = tree.query([shape for _, shape in old], "dwithin", tolerance_ft)
    for a, b in zip(i.tolist(), j.tolist(), strict=True):
        if _share(old[a][1], new[b][1], tolerance_ft):
            group[group == group[new[b][0]]] = group[old[a][0]]
    return [np.flatnonzero(group == number).tolist() for number in np.unique(group)]


def _share(old: BaseGeometry, new: BaseGeometry, tolerance_ft: float) -> bool:
    """Whether most of the smaller one lies on the larger."""
    if shapely.get_dimensions(old) != shapely.get_dimensions(new):
        return False
    small, large = sorted((shapely.make_valid(old), shapely.make_valid(new)), key=_size)
    common = shapely.intersection(small, shapely.buffer(large, tolerance_ft))
    return _size(common) > _size(small) / 2.0


def _size(shape: BaseGeometry) -> float:
    return float(shape.area if shapely.get_dimensions(shape) == 2 else shape.length)


def _is_same(old: Sequence[BaseGeometry], new: Sequence[BaseGeometry], tolerance_ft: float) -> bool:
    a, b = (shapely.union_all(shapely.make_valid(list(shapes))) for shapes in (old, new))
    if shapely.get_dimensions(a) == 2:
        return bool(shapely.symmetric_difference(a, b).area <= tolerance_ft * a.length)
    left = [x.difference(y.buffer(tolerance_ft)).length for x, y in ((a, b), (b, a))]
    return bool(max(left) <= tolerance_ft)
