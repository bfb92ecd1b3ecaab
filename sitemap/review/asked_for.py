"""Which findings of an old check a change on the map may answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.comparison import FeatureChange
from sitemap.finding import Finding
from sitemap.review.records import Key
from sitemap.units import LengthUnit

MOST_REACH_FT = 100.0  # a limit in feet beyond this is no distance to a cure beside the fault
FEET = tuple(unit.symbol for unit in LengthUnit if unit.name.endswith("FOOT"))


class Asked:
    """The findings of the old check that count, by feature, by layer and by ground."""

    def __init__(
        self, old: CheckedSite, places: Sequence[BaseGeometry | None], tolerance_ft: float
    ) -> None:
        """Places are those of the old findings, in the CRS of the changes."""
        self._by_key: dict[Key, set[int]] = {}
        self._whole: dict[str, set[int]] = {}  # about a layer as such
        placed: dict[str, list[tuple[int, BaseGeometry, float]]] = {}
        for number, (finding, place) in enumerate(zip(old.findings, places, strict=True), start=1):
            if not finding.counts:
                continue
            for source in (finding.source, *finding.related):
                if source.file is not None and source.feature is not None:
                    key = (source.file, source.layer or "", source.feature)
                    self._by_key.setdefault(key, set()).add(number)
            if place is not None:
                reach_ft = tolerance_ft + _reach_ft(finding)
                for role in _roles(finding):
                    placed.setdefault(role, []).append((number, place, reach_ft))
            elif finding.role is not None and finding.source.feature is None:
                self._whole.setdefault(finding.role, set()).add(number)
        self._placed = {role: _Ground(some) for role, some in placed.items()}

    def numbers(self, change: FeatureChange) -> tuple[int, ...]:
        """Findings about the feature, about its layer as a whole, or about the ground it is on."""
        found = set(self._whole.get(change.role, ()))
        was = change.old_source
        if was is not None and was.feature is not None:
            for layer in (was.layer or "", ""):
                found |= self._by_key.get((was.file or "", layer, was.feature), set())
        if change.role in self._placed:
            for shape in (change.old, change.new):
                if shape is not None:
                    found |= self._placed[change.role].near(shape)
        return tuple(sorted(found))


class _Ground:
    """Where findings lie, and how far from there a change may answer each, in feet."""

    def __init__(self, placed: Sequence[tuple[int, BaseGeometry, float]]) -> None:
        numbers, shapes, reach_ft = zip(*placed, strict=True)
        self._numbers = np.array(numbers)
        self._reach_ft = np.array(reach_ft)
        self._tree = shapely.STRtree([shapely.force_2d(shape) for shape in shapes])

    def near(self, shape: BaseGeometry) -> set[int]:
        most = float(self._reach_ft.max())
        hits = self._tree.query(shape, predicate="dwithin", distance=most)
        close = shapely.distance(self._tree.geometries[hits], shape) <= self._reach_ft[hits]
        return set(self._numbers[hits[close]].tolist())


def _roles(finding: Finding) -> set[str]:
    """The layers in which the fault can be mended: its own, and those that its rule looks at."""
    from sitemap.rules import RULES

    rule = next((rule for rule in RULES if rule.code == finding.rule), None)
    seen = (*rule.needs, *rule.uses) if rule is not None else ()
    return {role for role in (finding.role, *seen) if role is not None}


def _reach_ft(finding: Finding) -> float:
    """How near something has to stand to be the cure: the limit, where it is a distance."""
    limit = finding.limit
    if limit is None or limit.unit not in FEET or limit.operator not in ("<=", "<"):
        return 0.0
    return min(max(limit.value, 0.0), MOST_REACH_FT)
