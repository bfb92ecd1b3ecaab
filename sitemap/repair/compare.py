"""Findings before and after a repair: which went, which stayed, which are new.

By fingerprint first. The copy has other file names and, where records without a geometry left,
other record numbers; so what is left is matched by rule, role, dataset, feature and place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitemap.checked import CheckedSite
from sitemap.finding import Finding, Source, Status
from sitemap.repair.changes import Repairs

SAME_PLACE_FT = 1.0
# What a copy cannot show and has not mended: places as uncertain as the reprojection left them,
# curves that became chords, the part of a file that was not read, attributes that ended early.
KEPT_BY_COPYING = ("CRS005", "GEO008", "SUB002", "SUB013")


@dataclass(frozen=True, eq=False)
class Comparison:
    """gone: repaired. left_out: still to be mended, though the copy does not show it: of files
    that it does not hold, and what reading and reprojecting have lost (KEPT_BY_COPYING).

    stayed: (before, after). revealed: of rules that could not judge before, or of features that
    could not be seen. new: caused by the repair; there must be none.
    """

    gone: tuple[Finding, ...]
    left_out: tuple[Finding, ...]
    stayed: tuple[tuple[Finding, Finding], ...]
    revealed: tuple[Finding, ...]
    new: tuple[Finding, ...]


def compare(before: CheckedSite, after: CheckedSite, repairs: Repairs) -> Comparison:
    """Match the findings of the original with those of the copy, one to one."""
    copy = _Copy.of(repairs)
    old, new = list(before.findings), list(after.findings)
    stayed: list[tuple[Finding, Finding]] = []
    for alike in (_same_print, _same_feature, _same_dataset, _same_feature_elsewhere):
        for finding in list(new):
            twin = next((f for f in old if alike(f, finding, copy)), None)
            if twin is not None:
                stayed.append((twin, finding))
                old.remove(twin)
                new.remove(finding)
    silent = {
        outcome.rule
        for outcome in before.outcomes
        if outcome.status in (Status.SKIPPED, Status.FAILED)
    }
    if before.site.project.path is None:  # the copy has a site.toml, and with it a scale
        silent |= {outcome.rule for outcome in after.outcomes if outcome.rule.startswith("SCL")}
    shown = {c.source for c in repairs.made if c.kind == "ring closed"}
    revealed = [f for f in new if f.rule in silent or copy.origin(f.source) in shown]
    unreadable = {item.file for item in before.site.unreadable}
    unreadable |= {r.provenance.file for r in before.site.rasters if r.role is None}
    lost = [f for f in old if f.source.file in unreadable or f.rule in KEPT_BY_COPYING]
    return Comparison(
        tuple(f for f in old if f not in lost),
        tuple(lost),
        tuple(stayed),
        tuple(revealed),
        tuple(f for f in new if f not in revealed),
    )


@dataclass(frozen=True, eq=False)
class _Copy:
    """What of the copy stands for what of the original.

    origins: layer of the copy -> where each row came from; files: -> its dataset; renamed: dataset,
    column of the user and its name in the copy.
    """

    origins: Mapping[str, tuple[Source, ...]]
    files: Mapping[str, Source]
    renamed: frozenset[tuple[str | None, str | None, str, str]]

    @classmethod
    def of(cls, repairs: Repairs) -> _Copy:
        files = {
            layer.name: layer.dataset or Source(layer.origins[0].file, layer.origins[0].layer)
            for layer in repairs.layers
            if layer.dataset is not None or layer.origins
        }
        renamed = frozenset(
            (change.source.file, change.source.layer, *change.renamed)
            for change in repairs.made
            if change.renamed is not None
        )
        return cls({layer.name: layer.origins for layer in repairs.layers}, files, renamed)

    def origin(self, source: Source) -> Source:
        """A place in the copy, in terms of the user's own files."""
        name = source.layer if source.layer in self.files else self._only(source)
        if name is None:
            return source
        rows = self.origins[name]
        if source.feature is not None and source.feature < len(rows):
            return rows[source.feature]
        whole = self.files[name]
        return Source(whole.file, whole.layer, None, source.user_id)

    def _only(self, source: Source) -> str | None:
        """The layer of a copy of one layer, whose name findings leave out."""
        names = list(self.files)
        return names[0] if len(names) == 1 and source.layer is None else None


def origin_of(source: Source, repairs: Repairs) -> Source:
    """A place in the copy, in terms of the user's own files."""
    return _Copy.of(repairs).origin(source)


def _same_print(a: Finding, b: Finding, _copy: _Copy) -> bool:
    return bool(a.fingerprint) and a.fingerprint == b.fingerprint


def _same_feature(a: Finding, b: Finding, copy: _Copy) -> bool:
    """One rule about one feature, in one place."""
    return _same_feature_elsewhere(a, b, copy) and _near(a, b)


def _same_feature_elsewhere(a: Finding, b: Finding, copy: _Copy) -> bool:
    """One rule about one feature: of two spikes of one length the other one may be named."""
    if not _same_kind(a, b, copy) or b.source.feature is None or a.source.feature is None:
        return False
    return _same_record(a.source, copy.origin(b.source))


def _same_record(a: Source, b: Source) -> bool:
    return (a.file, a.layer, a.feature) == (b.file, b.layer, b.feature)


def _same_dataset(a: Finding, b: Finding, copy: _Copy) -> bool:
    """One rule about one dataset as a whole, or about a place that no record stands for."""
    if not _same_kind(a, b, copy) or not _near(a, b):
        return False
    there = copy.origin(b.source)
    return (a.source.file, a.source.layer) == (there.file, there.layer)


def _same_kind(a: Finding, b: Finding, copy: _Copy) -> bool:
    if (a.rule, a.role) != (b.rule, b.role):
        return False
    named = (a.source.file, a.source.layer, a.field_name, b.field_name)
    return a.field_name == b.field_name or named in copy.renamed


def _near(a: Finding, b: Finding) -> bool:
    if a.place is None or b.place is None:
        return a.place is None and b.place is None
    return (
        abs(a.place.x_ft - b.place.x_ft) <= SAME_PLACE_FT
        and abs(a.place.y_ft - b.place.y_ft) <= SAME_PLACE_FT
    )


def by_rule(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Findings under their rule, in order."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.rule, []).append(finding)
    return groups
