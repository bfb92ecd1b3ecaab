"""Findings of two checks followed: by fingerprint, then by the feature, the place and the shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.comparison import FindingChange, State
from sitemap.finding import Finding, Source, Status
from sitemap.review.compare_layers import MOVED_WITHIN_FT
from sitemap.review.matching import Pairs, near_alike, same_place
from sitemap.review.records import Key

GONE_UNJUDGED = (Status.SKIPPED, Status.FAILED)
LEAST_SHARE = 0.5  # of the length of the longer outline, for two faults to be alike
Scored = tuple[float, int, int]  # cost, index in old, index in new
Fault = tuple[str, str | None, str | None]  # rule, role, field


@dataclass(frozen=True, eq=False)
class Followed:
    """What it takes to follow findings. places are those of old in the CRS of new, in feet.

    keys leads from where a feature of a role was to where it is; earlier are the fingerprints of
    still older checks.
    """

    old: CheckedSite
    new: CheckedSite
    places: tuple[BaseGeometry | None, ...]
    tolerance_ft: float
    keys: Mapping[tuple[str, Key], Key]
    earlier: frozenset[str] = frozenset()

    def pairs(self) -> dict[int, int]:
        """Index of a finding of new -> index of the same one of old, one to one."""
        found: dict[int, int] = {}
        left_old = set(range(len(self.old.findings)))
        left_new = set(range(len(self.new.findings)))
        for find in (self._by_print, self._by_feature, self._by_place, self._by_words, self._near):
            for _, i, j in sorted(find(sorted(left_old), sorted(left_new))):
                if i in left_old and j in left_new:
                    found[j] = i
                    left_old.discard(i)
                    left_new.discard(j)
        return found

    def distance_ft(self, i: int, j: int) -> float | None:
        """Hausdorff distance of two findings; None where one of them has no place."""
        a, b = self.places[i], self.new.findings[j].geometry
        if a is None or b is None or b.is_empty:
            return None
        distance = float(shapely.hausdorff_distance(shapely.force_2d(a), shapely.force_2d(b)))
        return distance if np.isfinite(distance) else None

    def _by_print(self, old: list[int], new: list[int]) -> Iterator[Scored]:
        where = {self.new.findings[j].fingerprint: j for j in new}
        for i in old:
            j = where.get(self.old.findings[i].fingerprint)
            if j is not None:
                yield 0.0, i, j

    def _by_feature(self, old: list[int], new: list[int]) -> Iterator[Scored]:
        """Those that are about one feature, which was matched before."""
        where: dict[tuple[Fault, Key], list[int]] = {}
        for j in new:
            key = _key(self.new.findings[j].source)
            if key is not None:
                where.setdefault((_fault(self.new.findings[j]), key), []).append(j)
        for i in old:
            was = self.old.findings[i]
            key = _key(was.source)
            now = self.keys.get((was.role, key)) if was.role and key else None
            for j in where.get((_fault(was), now), []) if now is not None else []:
                yield self.distance_ft(i, j) or 0.0, i, j

    def _by_place(self, old: list[int], new: list[int]) -> Iterator[Scored]:
        """On the same ground within the tolerance."""
        for a, b, before, after in self._placed(old, new):
            yield from _scored(same_place(before, after, self.tolerance_ft), a, b)

    def _near(self, old: list[int], new: list[int]) -> Iterator[Scored]:
        """Not far away, of the same kind and about the same size."""
        for a, b, before, after in self._placed(old, new):
            found = near_alike(before, after, MOVED_WITHIN_FT, LEAST_SHARE)
            yield from _scored(found, a, b)

    def _by_words(self, old: list[int], new: list[int]) -> Iterator[Scored]:
        """Those about the whole site: the same words first, then in their order."""
        groups = _groups(self.new.findings, (j for j in new if not self._has_place(j)))
        for i in old:
            was = self.old.findings[i]
            if self.places[i] is None:
                for n, j in enumerate(groups.get(_fault(was), [])):
                    yield (0.0 if was.message == self.new.findings[j].message else 1.0 + n), i, j

    def _placed(
        self, old: list[int], new: list[int]
    ) -> Iterator[tuple[list[int], list[int], np.ndarray, np.ndarray]]:
        """Fault by fault, what has a place in either check, with flat geometries."""
        before = _groups(self.old.findings, (i for i in old if self.places[i] is not None))
        after = _groups(self.new.findings, (j for j in new if self._has_place(j)))
        for fault in before.keys() & after.keys():
            a, b = before[fault], after[fault]
            was = np.array([self.places[i] for i in a], dtype=object)
            now = np.array([self.new.findings[j].geometry for j in b], dtype=object)
            yield a, b, shapely.force_2d(was), shapely.force_2d(now)

    def _has_place(self, j: int) -> bool:
        return has_place(self.new.findings[j].geometry)


def follow(followed: Followed) -> tuple[FindingChange, ...]:
    """What became of each finding: first those of new in their order, then what is gone."""
    pairs = followed.pairs()
    changes = []
    for j, finding in enumerate(followed.new.findings):
        i = pairs.get(j)
        change = _stays(followed, i, j) if i is not None else _comes(followed, j, finding)
        place = finding.geometry if has_place(finding.geometry) else None
        changes.append(replace(change, place=place))
    kept = set(pairs.values())
    gone = [i for i in range(len(followed.old.findings)) if i not in kept]
    return (*changes, *(replace(_goes(followed, i), place=followed.places[i]) for i in gone))


def _stays(followed: Followed, i: int, j: int) -> FindingChange:
    was, now = followed.old.findings[i], followed.new.findings[j]
    distance = followed.distance_ft(i, j)
    moved = distance is not None and distance > followed.tolerance_ft
    state: State = "moved" if moved else "still there"
    note = ""
    if not now.counts:
        state, note = "waived", f"{now.waiver.status}: {now.waiver}" if now.waiver else ""
    elif not was.counts:
        state, note = "came back", f"was {was.waiver.status}: {was.waiver}" if was.waiver else ""
    elif was.message != now.message:
        note = f"was: {was.message}"
    return FindingChange(state, was, now, i + 1, j + 1, distance, note)


def _comes(followed: Followed, j: int, finding: Finding) -> FindingChange:
    if not finding.counts:
        words = f"{finding.waiver.status}: {finding.waiver}" if finding.waiver else ""
        return FindingChange("waived", None, finding, None, j + 1, note=words)
    if finding.fingerprint in followed.earlier:
        note = "in an earlier check, not in the one before this"
        return FindingChange("came back", None, finding, None, j + 1, note=note)
    silent = _silence(followed.old, finding.rule)
    note = f"the old check did not judge {finding.rule}: {silent}" if silent else ""
    return FindingChange("new", None, finding, None, j + 1, note=note)


def _goes(followed: Followed, i: int) -> FindingChange:
    finding = followed.old.findings[i]
    silent = _silence(followed.new, finding.rule)
    if silent:
        return FindingChange("not judged", finding, None, i + 1, None, note=silent)
    return FindingChange("cured", finding, None, i + 1, None)


def _silence(checked: CheckedSite, rule: str) -> str:
    """Why a rule said nothing; "" where it judged, or where it does not apply any more."""
    outcome = next((o for o in checked.outcomes if o.rule == rule), None)
    if outcome is None:
        return "the rule was not run"
    return outcome.why or "no reason" if outcome.status in GONE_UNJUDGED else ""


def has_place(geometry: BaseGeometry | None) -> bool:
    """Whether there is ground to compare: some, and finite."""
    return (
        geometry is not None and not geometry.is_empty and bool(np.isfinite(geometry.bounds).all())
    )


def _fault(finding: Finding) -> Fault:
    return finding.rule, finding.role, finding.field_name


def _groups(findings: Sequence[Finding], indices: Iterable[int]) -> dict[Fault, list[int]]:
    groups: dict[Fault, list[int]] = {}
    for index in indices:
        groups.setdefault(_fault(findings[index]), []).append(index)
    return groups


def _scored(pairs: Pairs, old: list[int], new: list[int]) -> Iterator[Scored]:
    for i, j, cost in zip(pairs.old, pairs.new, pairs.cost, strict=True):
        yield float(cost), old[int(i)], new[int(j)]


def _key(source: Source) -> Key | None:
    if source.file is None or source.feature is None:
        return None
    return source.file, source.layer or "", source.feature
