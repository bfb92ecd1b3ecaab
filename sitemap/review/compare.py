"""Two checked submissions -> a Comparison: findings followed, layers compared feature by feature.

Both were checked before; nothing is judged here. The old site is brought into the new one's CRS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import geopandas
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.comparison import Comparison, FieldChange, LayerComparison
from sitemap.crs import crs_label, same_crs, to_crs
from sitemap.errors import CrsError
from sitemap.layer import Layer, Raster
from sitemap.review.asked_for import Asked
from sitemap.review.compare_findings import Followed, follow, has_place
from sitemap.review.compare_layers import LayerMatch
from sitemap.review.own_columns import OwnColumns, own_columns
from sitemap.review.records import Key
from sitemap.review.reversed_lines import directed_rows
from sitemap.review.saved_check import SavedCheck
from sitemap.site import Site
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
    asked = Asked(old, ground.findings, ground.tolerance_ft)
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

    @property
    def sites(self) -> tuple[Site, Site]:
        """The old one and the new one."""
        return self.old.site, self.new.site

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
    catalogue = ground.new.site.catalogue
    order = [spec.role for spec in catalogue.specs]
    held = {*ground.old.site.layers, *ground.new.site.layers}
    for role in [*(r for r in order if r in held), *sorted(held.difference(order))]:
        before, after = ground.layer(role, old=True), ground.layer(role, old=False)
        if before is None:
            assert after is not None
            before = after.iloc[:0]
        if after is None:
            after = before.iloc[:0]
        if len(before) or len(after):
            directed = directed_rows(catalogue.by_role.get(role), after)
            own = OwnColumns(*(own_columns(s.role(role)) for s in ground.sites))
            yield LayerMatch(role, before, after, ground.tolerance_ft, directed, own)


def _with_asked(layer: LayerComparison, asked: Asked) -> LayerComparison:
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
