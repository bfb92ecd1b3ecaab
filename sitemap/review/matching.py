"""Which shapes of two sets are the same, whatever their ids, vertex order and part order.

Arrays of geometries in one CRS in feet go in, index pairs with a distance come out, one to one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

MOST_PRODUCT = 4_000_000  # vertices times vertices; beyond this both lines are simplified first


@dataclass(frozen=True)
class Pairs:
    """Indices into the old and the new array, with what each pair costs."""

    old: np.ndarray
    new: np.ndarray
    cost: np.ndarray

    def one_to_one(self) -> Pairs:
        """The cheapest pairs in which no member occurs twice."""
        order = np.lexsort((self.new, self.old, self.cost))
        used_old: set[int] = set()
        used_new: set[int] = set()
        kept = []
        for i in order.tolist():
            a, b = int(self.old[i]), int(self.new[i])
            if a not in used_old and b not in used_new:
                used_old.add(a)
                used_new.add(b)
                kept.append(i)
        return self.only(np.array(kept, dtype=int))

    def only(self, which: np.ndarray) -> Pairs:
        """Some of the pairs, by index or mask."""
        return Pairs(self.old[which], self.new[which], self.cost[which])


def hausdorff_ft(old: np.ndarray, new: np.ndarray, tolerance_ft: float) -> np.ndarray:
    """Hausdorff distance pair by pair in feet; of very long lines within a tenth of tolerance."""
    product = shapely.get_num_coordinates(old).astype(float) * shapely.get_num_coordinates(new)
    long = product > MOST_PRODUCT
    if long.any():
        old, new = old.copy(), new.copy()
        old[long] = shapely.simplify(old[long], tolerance_ft / 20)
        new[long] = shapely.simplify(new[long], tolerance_ft / 20)
    distance: np.ndarray = shapely.hausdorff_distance(old, new)
    return distance


def same_place(old: np.ndarray, new: np.ndarray, tolerance_ft: float) -> Pairs:
    """Shapes that lie on each other within the tolerance."""
    pairs = _near(old, new, tolerance_ft)
    a, b = shapely.bounds(old)[pairs.old], shapely.bounds(new)[pairs.new]
    pairs = pairs.only((np.abs(a - b) <= tolerance_ft).all(axis=1))
    pairs = pairs.only(_same_dimension(old, new, pairs))
    distance = hausdorff_ft(old[pairs.old], new[pairs.new], tolerance_ft)
    return Pairs(pairs.old, pairs.new, distance).only(distance <= tolerance_ft).one_to_one()


def same_shape(
    old: np.ndarray, new: np.ndarray, within_ft: float, tolerance_ft: float, penalty: np.ndarray
) -> Pairs:
    """Shapes that are congruent when one is carried over, at most so far away.

    penalty, a table of feet by old and new index, is added to the distance (attributes differ).
    """
    pairs = _near(old, new, within_ft)
    pairs = pairs.only(_same_dimension(old, new, pairs))
    a, b = shapely.bounds(old)[pairs.old], shapely.bounds(new)[pairs.new]
    size_a, size_b = a[:, 2:] - a[:, :2], b[:, 2:] - b[:, :2]
    pairs = pairs.only((np.abs(size_a - size_b) <= 2 * tolerance_ft).all(axis=1))
    shift = shift_ft(old[pairs.old], new[pairs.new])
    moved = carried(old[pairs.old], shift)
    alike = hausdorff_ft(moved, new[pairs.new], tolerance_ft) <= tolerance_ft
    cost = np.hypot(shift[:, 0], shift[:, 1]) + penalty[pairs.old, pairs.new]
    return Pairs(pairs.old, pairs.new, cost).only(alike).one_to_one()


def near_alike(old: np.ndarray, new: np.ndarray, within_ft: float, share: float) -> Pairs:
    """Shapes of one kind that lie near each other, the shorter outline so large a share."""
    pairs = _near(old, new, within_ft)
    pairs = pairs.only(_same_dimension(old, new, pairs))
    a, b = old[pairs.old], new[pairs.new]
    sizes = np.maximum(shapely.length(a), 1.0), np.maximum(shapely.length(b), 1.0)
    alike = np.minimum(*sizes) / np.maximum(*sizes) >= share
    distance = shapely.hausdorff_distance(a, b)
    near = alike & (distance <= within_ft)
    return Pairs(pairs.old, pairs.new, distance).only(near).one_to_one()


def overlapping(old: np.ndarray, new: np.ndarray, share: float, beside_ft: float) -> Pairs:
    """Areas of which so large a share is common, lines that run beside each other as far."""
    if len(old) == 0 or len(new) == 0:
        return _near(old, new, 0.0)
    tree = shapely.STRtree(new)
    i, j = tree.query(old, predicate="dwithin", distance=beside_ft)
    pairs = Pairs(i, j, np.zeros(len(i)))
    pairs = pairs.only(_same_dimension(old, new, pairs))
    a, b = old[pairs.old], new[pairs.new]
    areas = shapely.get_dimensions(a) == 2
    common = np.zeros(len(a))
    if areas.any():
        x, y = shapely.make_valid(a[areas]), shapely.make_valid(b[areas])
        both = shapely.area(shapely.intersection(x, y))
        common[areas] = both / np.maximum(shapely.area(x) + shapely.area(y) - both, 1e-9)
    lines = shapely.get_dimensions(a) == 1
    if lines.any():
        x, y = a[lines], b[lines]
        beside = shapely.length(shapely.intersection(x, shapely.buffer(y, beside_ft)))
        common[lines] = beside / np.maximum(np.maximum(shapely.length(x), shapely.length(y)), 1e-9)
    return Pairs(pairs.old, pairs.new, 1.0 - common).only(common >= share).one_to_one()


def shift_ft(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """East and north from the middle of each old box to that of the new one."""
    moved: np.ndarray = _middles(new) - _middles(old)
    return moved


def carried(geometries: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Each geometry moved by its own shift."""
    xy, owner = shapely.get_coordinates(geometries, return_index=True)
    # set_coordinates writes into the array that it is given
    moved: np.ndarray = shapely.set_coordinates(geometries.copy(), xy + shift[owner])
    return moved


def _near(old: np.ndarray, new: np.ndarray, within_ft: float) -> Pairs:
    """Pairs whose boxes have their middles so near."""
    if len(old) == 0 or len(new) == 0:
        none = np.array([], dtype=int)
        return Pairs(none, none, np.array([], dtype=float))
    tree = shapely.STRtree(np.asarray(shapely.points(_middles(new)), dtype=object))
    i, j = tree.query(shapely.points(_middles(old)), predicate="dwithin", distance=within_ft)
    return Pairs(i, j, np.zeros(len(i)))


def _middles(geometries: np.ndarray) -> np.ndarray:
    box = shapely.bounds(geometries)
    middle: np.ndarray = (box[:, :2] + box[:, 2:]) / 2
    return middle


def _same_dimension(old: np.ndarray, new: np.ndarray, pairs: Pairs) -> np.ndarray:
    same: np.ndarray = shapely.get_dimensions(old[pairs.old]) == shapely.get_dimensions(
        new[pairs.new]
    )
    return same
