"""Feature by feature, what of one role was added, removed, moved, reshaped or changed in words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import geopandas
import numpy as np
import pandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.comparison import FeatureChange, FieldChange, Kind, LayerComparison, Measure
from sitemap.review.matching import (
    Pairs,
    carried,
    hausdorff_ft,
    overlapping,
    same_place,
    same_shape,
    shift_ft,
)
from sitemap.review.own_columns import OwnColumns
from sitemap.review.records import Key, ids_of, keys_of, source_of, words_of
from sitemap.review.redrawn import with_redrawn
from sitemap.review.reversed_lines import reversed_ft

MOVED_WITHIN_FT = 100.0  # a feature without an id that lies farther away is another one
SHARE = 0.3  # of two areas or lines together that makes them one feature, reshaped
BESIDE_FT = 5.0  # lines that run so near to each other are one
DIFFERENT_WORDS_FT = 1_000.0  # of two alike points, the one with the same attributes is meant
MOST_TABLE = 4_000_000  # old times new left over; beyond this attributes do not guide the choice


@dataclass(eq=False)
class LayerMatch:
    """The frames of one role, both in the new CRS, and which features are the same.

    directed: which features of new show by the direction of drawing which way water flows. own are
    the columns of the user that no field of the role stands for.
    """

    role: str
    old: geopandas.GeoDataFrame
    new: geopandas.GeoDataFrame
    tolerance_ft: float
    directed: np.ndarray | None = None
    own: OwnColumns = field(default_factory=lambda: OwnColumns({}, {}))
    pairs: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Match: by place, by id, by shape, by common ground; each takes what is left."""
        self._a = shapely.force_2d(self.old.geometry.to_numpy())
        self._b = shapely.force_2d(self.new.geometry.to_numpy())
        self._old_ids, self._new_ids = ids_of(self.old), ids_of(self.new)
        self._old_words = words_of(self.old, self.fields)
        self._new_words = words_of(self.new, self.fields)
        free_a, free_b = np.arange(len(self._a)), np.arange(len(self._b))
        for find in (self._by_place, self._by_id, self._by_shape, self._by_ground):
            found = find(free_a, free_b)
            self.pairs += zip(free_a[found.old].tolist(), free_b[found.new].tolist(), strict=True)
            free_a, free_b = np.delete(free_a, found.old), np.delete(free_b, found.new)
        self._gone, self._come = free_a, free_b

    @property
    def fields(self) -> list[str]:
        """The fields that both have; source columns begin with _."""
        kept = (self.old.geometry.name, self.new.geometry.name)
        shared = [c for c in self.new.columns if c in self.old.columns and c not in kept]
        return [c for c in shared if not str(c).startswith("_")]

    @property
    def keys(self) -> dict[Key, Key]:
        """Where each matched feature was -> where it is."""
        old, new = keys_of(self.old), keys_of(self.new)
        return {old[i]: new[j] for i, j in self.pairs}

    def _by_place(self, a: np.ndarray, b: np.ndarray) -> Pairs:
        return same_place(self._a[a], self._b[b], self.tolerance_ft)

    def _by_id(self, a: np.ndarray, b: np.ndarray) -> Pairs:
        """Ids that stand once on either side."""
        old, new = self._old_ids[a], self._new_ids[b]
        where = {text: j for j, text in enumerate(new.tolist()) if text}
        once_old = pandas.Series(old).value_counts()
        once_new = pandas.Series(new).value_counts()
        found = [
            (i, where[text])
            for i, text in enumerate(old.tolist())
            if text and text in where and once_old[text] == 1 and once_new[text] == 1
        ]
        pairs = np.array(found, dtype=int).reshape(-1, 2)
        return Pairs(pairs[:, 0], pairs[:, 1], np.zeros(len(pairs)))

    def _by_shape(self, a: np.ndarray, b: np.ndarray) -> Pairs:
        if len(a) * len(b) > MOST_TABLE:
            penalty = np.broadcast_to(0.0, (len(a), len(b)))
        else:
            same = np.ones((len(a), len(b)), dtype=bool)
            for name in self.fields:
                same &= self._old_words[name][a][:, None] == self._new_words[name][b][None, :]
            penalty = np.where(same, 0.0, DIFFERENT_WORDS_FT)
        return same_shape(self._a[a], self._b[b], MOVED_WITHIN_FT, self.tolerance_ft, penalty)

    def _by_ground(self, a: np.ndarray, b: np.ndarray) -> Pairs:
        return overlapping(self._a[a], self._b[b], SHARE, BESIDE_FT)

    def comparison(self) -> LayerComparison:
        """What changed, with sizes."""
        i, j = np.array(self.pairs, dtype=int).reshape(-1, 2).T
        distance = hausdorff_ft(self._a[i], self._b[j], self.tolerance_ft)
        shift = shift_ft(self._a[i], self._b[j])
        there = distance > self.tolerance_ft
        congruent = np.zeros(len(i), dtype=bool)
        over = carried(self._a[i[there]], shift[there])
        congruent[there] = self._is_one_shape(over, self._b[j[there]])
        changes = []
        for n in range(len(i)):
            fields = self._changed_fields(int(i[n]), int(j[n]))
            went = bool(there[n] and congruent[n])
            way = (float(shift[n, 0]), float(shift[n, 1])) if went else None
            back_ft = self._reversed_ft(int(i[n]), int(j[n]), way)
            if there[n] or fields or back_ft:
                at = float(distance[n]) if there[n] else 0.0
                kind: Kind = "reversed" if back_ft else "attributes"
                if there[n]:
                    kind = "moved" if went else "reshaped"
                change = self._change(kind, int(i[n]), int(j[n]), at, way, fields)
                changes.append(replace(change, reversed_ft=back_ft))
        gone = [self._change("removed", int(n), None) for n in self._gone]
        come = [self._change("added", None, int(n)) for n in self._come]
        return LayerComparison(
            role=self.role,
            old_count=len(self._a),
            new_count=len(self._b),
            unchanged=len(i) - len(changes),
            old_total=_total(self._a),
            new_total=_total(self._b),
            changes=tuple(with_redrawn([*come, *gone, *changes], self.tolerance_ft)),
            columns=self.own.words,
            shift_ft=_together(shift[there & congruent], int(there.sum()), self.tolerance_ft),
        )

    def _is_one_shape(self, old: np.ndarray, new: np.ndarray) -> np.ndarray:
        same = shapely.get_dimensions(old) == shapely.get_dimensions(new)
        near: np.ndarray = hausdorff_ft(old, new, self.tolerance_ft) <= self.tolerance_ft
        both: np.ndarray = same & near
        return both

    def _reversed_ft(self, i: int, j: int, way: tuple[float, float] | None) -> float:
        """Feet of the new line that are drawn the other way; 0 where that says nothing."""
        if self.directed is None or not self.directed[j]:
            return 0.0
        old = self._a[i : i + 1]
        if way is not None:
            old = carried(old, np.array([way]))
        return reversed_ft(old[0], self._b[j], BESIDE_FT)

    def _changed_fields(self, i: int, j: int) -> tuple[FieldChange, ...]:
        fields = [
            FieldChange(name, self._old_words[name][i], self._new_words[name][j])
            for name in self.fields
            if self._old_words[name][i] != self._new_words[name][j]
        ]
        return (*fields, *(FieldChange(*own) for own in self.own.changed(i, j)))

    def _change(
        self,
        kind: Kind,
        i: int | None,
        j: int | None,
        distance_ft: float = 0.0,
        way: tuple[float, float] | None = None,
        fields: tuple[FieldChange, ...] = (),
    ) -> FeatureChange:
        old = None if i is None else self._a[i]
        new = None if j is None else self._b[j]
        gained, lost = (
            _difference(old, new, self.tolerance_ft) if kind == "reshaped" else (0.0, 0.0)
        )
        now = "" if j is None else str(self._new_ids[j])
        was = "" if i is None else str(self._old_ids[i])
        return FeatureChange(
            kind=kind,
            role=self.role,
            identity=now or was,
            old_source=None if i is None else source_of(self.old, i, was),
            new_source=None if j is None else source_of(self.new, j, now),
            old=old,
            new=new,
            old_measure=None if old is None else measure(old),
            new_measure=None if new is None else measure(new),
            distance_ft=distance_ft,
            shift_ft=way,
            gained=gained,
            lost=lost,
            fields=fields,
        )


def measure(geometry: BaseGeometry) -> Measure:
    """Square feet of an area, feet of a line."""
    dimension = int(shapely.get_dimensions(geometry))
    if dimension == 2:
        return Measure(float(geometry.area), "sq ft")
    return Measure(float(geometry.length), "ft") if dimension == 1 else Measure(0.0, "")


def _total(geometries: np.ndarray) -> Measure:
    dimensions = shapely.get_dimensions(geometries)
    if (dimensions == 2).any():
        return Measure(float(shapely.area(geometries).sum()), "sq ft")
    if (dimensions == 1).any():
        return Measure(float(shapely.length(geometries).sum()), "ft")
    return Measure(0.0, "")


def _difference(
    old: BaseGeometry | None, new: BaseGeometry | None, tolerance_ft: float
) -> tuple[float, float]:
    """What was gained and lost: square feet of areas, feet of lines."""
    if old is None or new is None:
        return 0.0, 0.0
    a, b = shapely.make_valid(old), shapely.make_valid(new)
    if measure(old).unit == measure(new).unit == "sq ft":
        return float(b.difference(a).area), float(a.difference(b).area)
    if measure(old).unit == measure(new).unit == "ft":
        off = float(b.difference(a.buffer(tolerance_ft)).length)
        return off, float(a.difference(b.buffer(tolerance_ft)).length)
    return 0.0, 0.0


def _together(shifts: np.ndarray, changed: int, tolerance_ft: float) -> tuple[float, float] | None:
    """The way that three and more features went together, when all that changed went it."""
    if len(shifts) < 3 or len(shifts) < changed:
        return None
    way = np.median(shifts, axis=0)
    if (np.abs(shifts - way) > tolerance_ft).any():
        return None
    return float(way[0]), float(way[1])
