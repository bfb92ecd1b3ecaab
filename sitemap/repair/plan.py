"""Site -> Repairs: every dataset mended as far as is safe, further where it was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import geopandas
import numpy as np
import pandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import moved_to
from sitemap.finding import Source
from sitemap.intake.formats import CAD
from sitemap.intake.named import said_of
from sitemap.intake.oddities import count_of
from sitemap.layer import SOURCE_FID, USER_ID, Layer
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.repair.attributes import repaired_table
from sitemap.repair.carrying import free_name, unit_of
from sitemap.repair.changes import Change, RepairedLayer, Repairs
from sitemap.repair.geometry import close_rings, drop_repeated, turn_rings
from sitemap.repair.quantities import LEGAL_ROLES, LegalQuantities
from sitemap.repair.reprojection import divide_touches, reprojected
from sitemap.repair.totals import register_totals
from sitemap.repair.unsafe import (
    Desk,
    Draft,
    Tolerances,
    boundary_of,
    clip_slivers,
    rebuild_outlines,
    snap_outfalls,
)
from sitemap.site import RoleLayer, Site

# Oddities (intake/oddities.py) of things that the copy mends by being a GeoPackage in UTF-8 ...
MENDED_BY_WRITING = {
    "shx_rebuilt": "file rebuilt",
    "crs_from_qpj": "file rebuilt",
    "companion_case": "file rebuilt",
    "declared_extent_wrong": "file rebuilt",
    "shp_longer": "file rebuilt",
}
# ... and of things that reading has lost, so that the copy does not hold them.
LOST_IN_READING = (
    "records_deleted",
    "features_lost",
    "attributes_lost",
    "m_dropped",
    "curves_linearised",
    "multipatch_converted",
    "shp_cut_off",
    "dbf_cut_off",
    "text_undecodable",
)
BROKEN_BEYOND_READING = ("geometry_undecodable", "multipatch_converted")


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a plan may do. origins: by layer of an earlier round, where each row came from;
    datasets: where the whole did.

    doubted: file and layer of a dataset whose CRS a rule found wrong -> the rule.
    """

    tolerances: Tolerances
    quantities: LegalQuantities
    unsafe: bool = False
    withdrawn: frozenset[tuple[str, Source]] = frozenset()
    origins: Mapping[str, tuple[Source, ...]] = field(default_factory=dict)
    datasets: Mapping[str, Source] = field(default_factory=dict)
    doubted: Mapping[tuple[str | None, str | None], str] = field(default_factory=dict)


@dataclass(eq=False)
class _Work:
    """One dataset for one role while it is worked on."""

    layer: Layer
    source: Source
    draft: Draft
    canonical: pandas.DataFrame | None
    divided: Mapping[int, BaseGeometry]
    keep: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))


def plan_repairs(site: Site, wanted: Wanted) -> Repairs:
    """What would be written for a site. Writes nothing; geometry is placed once, by intake."""
    with np.errstate(all="ignore"):  # coordinates of 1e308 overflow; they are copied as they are
        return _plan(site, wanted)


def _plan(site: Site, wanted: Wanted) -> Repairs:
    changes: list[Change] = []
    desk = Desk(site.foot, wanted.quantities, wanted.unsafe, wanted.withdrawn, changes)
    datasets = [layer for layer in site.datasets if not _is_idle(layer)]
    works = [_begin(site, layer, desk, wanted) for layer in datasets]
    by_role: dict[str, list[Draft]] = {}
    for work in works:
        by_role.setdefault(work.draft.role or "", []).append(work.draft)
    legal = {role: by_role[role] for role in LEGAL_ROLES if role in by_role}
    names = {id(work.draft): dataset_words(work.layer.provenance) for work in works}
    register_totals(legal, names, wanted.tolerances.position_ft, desk)
    for work in works:
        _safe_geometry(work, desk)
    if wanted.unsafe:
        _unsafe_geometry(by_role, wanted.tolerances, desk)
    taken: dict[str, str] = {}
    layers = tuple(_finish(site, work, desk, taken) for work in works)
    return Repairs(site.crs, layers, tuple(changes), (), _left_out(site, wanted))


def _is_idle(layer: Layer) -> bool:
    """A layer of a drawing that is no part of the map: borders, details, notes."""
    return layer.provenance.driver == CAD and layer.role is None


def _begin(site: Site, layer: Layer, desk: Desk, wanted: Wanted) -> _Work:
    """Geometry in the CRS of the map where it may be taken there, else as it came."""
    role = layer.role
    source = dataset_source(layer.provenance)
    origins = _origins(layer, wanted)
    source = wanted.datasets.get(layer.provenance.layer, source)
    share = _share(site.layers.get(role or ""), layer)
    geometry, placed = layer.frame.geometry.to_numpy(), False
    divided: Mapping[int, BaseGeometry] = {}
    if share is not None:
        doubt = wanted.doubted.get((source.file, source.layer), "")
        move = reprojected(site, layer, share.geometry.to_numpy(), source, doubt)
        geometry, placed, divided = move.geometry, move.placed, move.divided
        desk.changes.extend(move.changes)
    draft = Draft(role, geometry.copy(), origins, layer.provenance.driver, placed)
    canonical = None if share is None else pandas.DataFrame(share.drop(columns="geometry"))
    for oddity in layer.provenance.oddities:
        kind = MENDED_BY_WRITING.get(oddity.kind)
        if kind:
            desk.changes.append(Change(kind, source, role, oddity.message))
    work = _Work(layer, source, draft, canonical, divided)
    _close(site, work, desk)
    return work


def _origins(layer: Layer, wanted: Wanted) -> tuple[Source, ...]:
    """Where each row came from, in the user's own files."""
    known = wanted.origins.get(layer.provenance.layer)
    if known is not None:
        return known
    whole = dataset_source(layer.provenance)
    ids = layer.frame[USER_ID] if USER_ID in layer.frame.columns else None
    id_column = layer.choice.field_map.get(layer.spec.id_field or "") if layer.spec else None
    if ids is None and id_column in layer.frame.columns:
        ids = layer.frame[id_column]
    names = [None] * len(layer.frame) if ids is None else ids.tolist()
    return tuple(
        Source(whole.file, whole.layer, int(fid), _id_text(name))
        for fid, name in zip(layer.frame[SOURCE_FID].tolist(), names, strict=True)
    )


def _id_text(value: object) -> str | None:
    if value is None or value != value:  # noqa: PLR0124  # NaN is not itself
        return None
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value).strip() or None  # type: ignore[call-overload]


def _share(merged: RoleLayer | None, layer: Layer) -> geopandas.GeoDataFrame | None:
    """The rows of a role's frame that come from one dataset; None where it is not on the map."""
    at = 0
    for member in merged.members if merged is not None else ():
        if member is layer and merged is not None:
            return merged.frame.iloc[at : at + len(layer.frame)]
        at += len(member.frame)
    return None


def _close(site: Site, work: _Work, desk: Desk) -> None:
    """Outlines whose rings are open, which no reader would build."""
    draft, layer = work.draft, work.layer
    rows = {int(fid): at for at, fid in enumerate(layer.frame[SOURCE_FID].tolist())}
    built = {
        rows[record]: shape
        for record, wkb in layer.unbuilt.items()
        if record in rows and (shape := close_rings(wkb)) is not None
    }
    if not built:
        return
    shapes = np.array([*built.values(), None], dtype=object)[:-1]
    if draft.placed and site.crs is not None:
        assert layer.crs is not None, "placed by it"
        shapes = moved_to(site.crs, shapes, layer.crs)[0]
    for at, shape in zip(built, shapes, strict=True):
        words = "the ring did not end where it began; it is closed by a straight line"
        desk.settle(draft, at, Change("ring closed", draft.origins[at], draft.role, words), shape)


def _safe_geometry(work: _Work, desk: Desk) -> None:
    draft = work.draft
    divide_touches(draft, work.divided, desk)
    cleaned, dropped = drop_repeated(draft.geometry)
    for at in np.flatnonzero(dropped).tolist():
        words = f"{count_of(int(dropped[at]), 'repeated vertex', 'repeated vertices')} left out"
        change = Change("vertex dropped", draft.origins[at], draft.role, words)
        desk.settle(draft, at, change, cleaned[at])
    oriented, turned = turn_rings(draft.geometry, draft.driver)
    for at in np.flatnonzero(turned).tolist():
        change = Change("ring turned", draft.origins[at], draft.role, "rings ran the wrong way")
        desk.settle(draft, at, change, oriented[at])
    _drop_nulls(work, desk)


def _drop_nulls(work: _Work, desk: Desk) -> None:
    """Records without a geometry leave the copy, each named with its attributes."""
    draft, layer = work.draft, work.layer
    work.keep = np.ones(len(draft.geometry), dtype=bool)
    null = shapely.is_missing(draft.geometry) | shapely.is_empty(draft.geometry)
    kinds = {oddity.kind for oddity in layer.provenance.oddities}
    if not null.any() or "no_geometry" in kinds:
        return
    refused = ""
    if null.all():
        refused = "no record of the dataset has a geometry: nothing would be left"
    elif kinds & set(BROKEN_BEYOND_READING):
        refused = "the dataset holds geometries that no reader can build; draw them again"
    columns = [
        name
        for name in layer.frame.columns
        if not name.startswith("_") and name != layer.frame.geometry.name
    ]
    for at in np.flatnonzero(null).tolist():
        row = layer.frame.iloc[at]
        values = {name: str(row[name]) for name in columns if not pandas.isna(row[name])}
        desk.changes.append(
            Change(
                "record dropped",
                draft.origins[at],
                draft.role,
                "the record has no geometry",
                refused,
                values=values,
            )
        )
    if not refused:
        work.keep = ~null


def _unsafe_geometry(
    by_role: Mapping[str, list[Draft]], tolerances: Tolerances, desk: Desk
) -> None:
    for drafts in by_role.values():
        for draft in drafts:
            rebuild_outlines(draft, desk)
    boundary = boundary_of(by_role.get("boundary", []))
    streams = [draft.geometry for draft in by_role.get("streams", []) if draft.placed]
    waters = np.concatenate(streams) if streams else np.array([], dtype=object)
    usable = ~(shapely.is_missing(waters) | shapely.is_empty(waters))
    for drafts in by_role.values():
        for draft in drafts:
            clip_slivers(draft, boundary, tolerances.sliver_ft, desk)
            snap_outfalls(draft, waters[usable], tolerances, desk)


def _finish(site: Site, work: _Work, desk: Desk, names: dict[str, str]) -> RepairedLayer:
    """The frame to be written, with its table, its name and what site.toml will say of it."""
    layer, draft = work.layer, work.draft
    table = repaired_table(layer, work.canonical, work.source)
    desk.changes.extend(table.changes)
    said = said_of(site.project, layer)
    crs = site.crs if draft.placed else layer.crs
    frame = geopandas.GeoDataFrame(
        pandas.DataFrame(table.columns, index=range(len(draft.geometry))),
        geometry=draft.geometry,
        crs=crs,
    )
    kinds = {oddity.kind for oddity in layer.provenance.oddities}
    return RepairedLayer(
        name=free_name(layer, names),
        role=layer.role,
        frame=frame[work.keep].reset_index(drop=True),
        origins=tuple(o for o, kept in zip(draft.origins, work.keep, strict=True) if kept),
        fields=table.fields,
        unit=unit_of(layer, said, work.canonical is not None),
        source_words=said.source if said else None,
        date_words=said.date if said else None,
        crs_held=not draft.placed,
        is_table="no_geometry" in kinds,
        dataset=work.source,
    )


def _left_out(site: Site, wanted: Wanted) -> tuple[str, ...]:
    """What the copy does not hold: files that cannot be read, and what reading lost."""
    if wanted.origins:
        return ()  # an earlier round has said it
    words = [f"{item.file}: {item.reason}" for item in site.unreadable]
    idle = Counter(one.provenance.file for one in site.datasets if _is_idle(one))
    words += [
        f"{file}: {count_of(count, 'CAD layer')} without a role" for file, count in idle.items()
    ]
    seen = set()
    for layer in site.datasets:
        for oddity in layer.provenance.oddities:
            line = f"{layer.provenance.file}: {oddity.message}"
            if oddity.kind in LOST_IN_READING and line not in seen:
                seen.add(line)
                words.append(line)
    return tuple(words)
