"""Two checked submissions -> a Comparison: findings followed, layers compared feature by feature.

Both were checked before; nothing is judged here. The old site is brought into the new one's CRS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import geopandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.comparison import Comparison, FeatureChange, FieldChange, LayerComparison
from sitemap.crs import crs_label, same_crs, to_crs
from sitemap.errors import CrsError
from sitemap.layer import Layer, Raster
from sitemap.review.compare_findings import Followed, follow, has_place
from sitemap.review.compare_layers import Key, LayerMatch
from sitemap.review.saved_check import SavedCheck
from sitemap.units import Length, LengthUnit

POSITION_TOLERANCE = "position_tolerance"  # of the pack, within which two places are one
DEFAULT_TOLERANCE_FT = 0.5


def compare(old: CheckedSite, new: CheckedSite, earlier: tuple[SavedCheck, ...] = ()) -> Comparison:
    """What became of the findings of old, and what changed between the two submissions.

    earlier are reports of still older checks: a fault of theirs that is not in old and is in new
    came back. CrsError when one of the sites has no CRS.
    """
    for checked in (old, new):
        if checked.site.crs is None:
            raise CrsError(
                f"{checked.site.submission}: nothing in it has a usable CRS, so that no place can "
                "be compared; give one with --crs"
            )
    ground = _Ground(old, new)
    matches = list(_matches(ground))
    keys: dict[tuple[str, Key], Key] = {
        (match.role, before): after for match in matches for before, after in match.keys.items()
    }
    asked = _Asked(old, ground)
    layers = tuple(_with_asked(match.comparison(), asked) for match in matches)
    prints = frozenset(f.fingerprint for check in earlier for f in check.findings)
    followed = Followed(old, new, ground.findings, ground.tolerance_ft, keys, prints)
    return Comparison(
        old=old,
        new=new,
        tolerance_ft=ground.tolerance_ft,
        crs_words=ground.words,
        findings=follow(followed),
        layers=layers,
        files=tuple(_files(old, new)),
        facts=tuple(_facts(old, new)),
    )


class _Ground:
    """The old site in the new CRS: layers on demand, geometries of findings at once."""

    def __init__(self, old: CheckedSite, new: CheckedSite) -> None:
        self.old, self.new = old, new
        pack = new.ordinance.tolerances.get(POSITION_TOLERANCE)
        self.tolerance_ft = DEFAULT_TOLERANCE_FT
        if pack is not None:
            self.tolerance_ft = Length(pack.value, LengthUnit.parse(pack.unit)).feet
        self.words = f"both in {crs_label(new.site.crs)}"
        places = [f.geometry for f in old.findings]
        frame = geopandas.GeoDataFrame(geometry=places, crs=old.site.crs)
        moved = self.carried(frame).geometry.to_numpy()
        self.findings: tuple[BaseGeometry | None, ...] = tuple(
            g if has_place(g) else None for g in moved
        )

    def carried(self, frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
        """A frame of the old site in the CRS of the new one."""
        target = self.new.site.crs
        assert target is not None
        if frame.empty or same_crs(frame.crs, target):
            return frame
        moved, account = to_crs(frame, target)
        self.words = f"old submission brought in: {account}"
        return moved

    def layer(self, role: str, old: bool) -> geopandas.GeoDataFrame | None:
        """The usable features of a role; None where a submission has no such layer."""
        site = self.old.site if old else self.new.site
        layer = site.role(role)
        if layer is None:
            return None
        return self.carried(layer.usable) if old else layer.usable


def _matches(ground: _Ground) -> Iterator[LayerMatch]:
    """Role by role in the order of the catalogue; a layer that only one has against nothing."""
    order = [spec.role for spec in ground.new.site.catalogue.specs]
    held = {*ground.old.site.layers, *ground.new.site.layers}
    for role in [*(r for r in order if r in held), *sorted(held.difference(order))]:
        before, after = ground.layer(role, old=True), ground.layer(role, old=False)
        if before is None:
            assert after is not None
            before = after.iloc[:0]
        if after is None:
            after = before.iloc[:0]
        if len(before) or len(after):
            yield LayerMatch(role, before, after, ground.tolerance_ft)


class _Asked:
    """Which findings of the old check a change may answer: those that count."""

    def __init__(self, old: CheckedSite, ground: _Ground) -> None:
        self._tolerance_ft = ground.tolerance_ft
        self._by_key: dict[Key, set[int]] = {}
        self._whole: dict[str, set[int]] = {}  # about a layer as such
        placed: dict[str, list[tuple[int, BaseGeometry]]] = {}
        for number, finding in enumerate(old.findings, start=1):
            if not finding.counts:
                continue
            for source in (finding.source, *finding.related):
                if source.file is not None and source.feature is not None:
                    key = (source.file, source.layer or "", source.feature)
                    self._by_key.setdefault(key, set()).add(number)
            place = ground.findings[number - 1]
            if finding.role is not None and place is not None:
                placed.setdefault(finding.role, []).append((number, place))
            elif finding.role is not None and finding.source.feature is None:
                self._whole.setdefault(finding.role, set()).add(number)
        self._placed = {
            role: ([n for n, _ in some], shapely.STRtree([shapely.force_2d(g) for _, g in some]))
            for role, some in placed.items()
        }

    def numbers(self, change: FeatureChange) -> tuple[int, ...]:
        """Findings about the feature, about its layer as a whole, or about the ground it is on."""
        found = set(self._whole.get(change.role, ()))
        was = change.old_source
        if was is not None and was.feature is not None:
            for layer in (was.layer or "", ""):
                found |= self._by_key.get((was.file or "", layer, was.feature), set())
        if change.role in self._placed:
            numbers, tree = self._placed[change.role]
            for shape in (change.old, change.new):
                if shape is not None:
                    near = tree.query(shape, predicate="dwithin", distance=self._tolerance_ft)
                    found |= {numbers[int(i)] for i in near}
        return tuple(sorted(found))


def _with_asked(layer: LayerComparison, asked: _Asked) -> LayerComparison:
    changes = tuple(replace(change, asked=asked.numbers(change)) for change in layer.changes)
    return replace(layer, changes=changes)


def _files(old: CheckedSite, new: CheckedSite) -> Iterator[str]:
    """Rasters, and datasets without a role, that are not the same bytes."""
    before, after = _hashes(old), _hashes(new)
    for name in dict.fromkeys([*before, *after]):
        if name not in after:
            yield f"{name}: gone"
        elif name not in before:
            yield f"{name}: new"
        elif before[name] != after[name]:
            yield f"{name}: other content (sha256 differs)"


def _hashes(checked: CheckedSite) -> dict[str, str]:
    datasets: list[Layer | Raster] = [d for d in checked.site.datasets if d.role is None]
    datasets += checked.site.rasters
    named = [(d.provenance, d) for d in datasets]
    return {
        (p.file if p.layer in ("", p.file) else f"{p.file}:{p.layer}"): p.sha256 for p, _ in named
    }


def _facts(old: CheckedSite, new: CheckedSite) -> Iterator[FieldChange]:
    """Facts of site.toml, declarations and waivers that are not as they were."""
    before, after = _facts_of(old), _facts_of(new)
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name, ""), after.get(name, "")
        if was != now:
            yield FieldChange(name, was, now)


def _facts_of(checked: CheckedSite) -> dict[str, str]:
    project = checked.site.project
    facts = {
        f"project.{name}": "" if value is None else str(value)
        for name, value in project.project.model_dump(mode="json").items()
    }
    for role, said in project.declared_none.items():
        facts[f"none.{role}"] = f"{said.by}, {said.source}, {said.date}"
    for number, waiver in enumerate(project.waivers, start=1):
        facts[f"waiver {number}"] = f"{waiver.about}: {waiver.reason} ({waiver.authority})"
    return facts
