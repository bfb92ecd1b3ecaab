"""GEO001: outlines that cross themselves, and the other ways to be no area."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Quantity, Severity, Source
from sitemap.layer import Layer
from sitemap.measures.records import in_site_crs, record_numbers, sources
from sitemap.measures.validity import ShapeFault, area_change, shape_faults
from sitemap.measures.vertices import Vertices, vertices_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Area

SAME_POINT_FT = 0.01  # nearer than this, two faults are one to whoever mends them


@rule("GEO001", clauses=("map",))
def geometry_invalid(
    site: Site, acres_tolerance_pct: float, acres_tolerance: Area
) -> Iterator[Said]:
    """The map has a feature whose geometry is invalid.

    Why
        An outline that crosses itself has no agreed area: as drawn, the lobes of a bow-tie are
        subtracted, mended they are added. Acres, overlaps and drawn fills go wrong.

    How it is measured
        Every feature by GEOS (OGC Simple Features); then every ring of an invalid one is noded,
        so that all of its crossings, touches and spikes are found, and holes and parts are held
        against each other. One finding per fault, with its point in the site CRS. Error when
        mending changes the feature's area by more than the acre tolerance (the larger of the
        percentage and the acres), else warning; information when the file serves no role.

    When it does not apply
        To features without a geometry (GEO002), and those with a coordinate that is not finite
        (GEO007).

    How to fix
        Move the vertex named, or split the outline there. Never by buffer(0): it may keep only
        the small lobe. Check the acres afterwards.

    References
        § 162-11B(4); OGC 06-103r4; shapely issue 462.
    """
    looked_at = 0
    for layer in site.datasets:
        geometry = layer.shapes
        there = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
        laid = vertices_of(geometry)
        there &= ~_endless(laid)
        looked_at += int(there.sum())
        bad = there & ~laid.valid
        if bad.any():
            yield from _layer_faults(site, layer, bad, acres_tolerance_pct, acres_tolerance.acres)
    if not looked_at:
        yield NotApplicable("no dataset has a feature with a geometry")
        return
    yield Checked(f"{looked_at} geometries of {len(site.datasets)} datasets", looked_at)


def _endless(laid: Vertices) -> np.ndarray:
    """True for features with a coordinate that is not a finite number."""
    endless = np.zeros(len(laid.shapes), dtype=bool)
    if np.isfinite(laid.every_xy.sum()):
        return endless
    xy, owner = shapely.get_coordinates(laid.shapes, return_index=True)
    endless[owner[~np.isfinite(xy).all(axis=1)]] = True
    return endless


def _layer_faults(
    site: Site, layer: Layer, bad: np.ndarray, tolerance_pct: float, tolerance_acres: float
) -> Iterator[Fault]:
    """The faults of one dataset, in the site CRS where there is one."""
    frame = layer.frame[bad]
    placed = in_site_crs(frame, site)
    shapes = frame.geometry.to_numpy() if placed is None else placed
    acre = 43560.0 if placed is not None else None  # the site CRS is in feet
    owners = sources(frame, layer.provenance.file, layer.provenance.layer)
    for shape, owner, record in zip(shapes, owners, record_numbers(frame).tolist(), strict=True):
        drawn, mended = area_change(shape)
        change = abs(mended - drawn)
        allowed = tolerance_pct / 100.0 * max(mended, drawn)
        if acre is not None:
            allowed = max(allowed, tolerance_acres * acre)
        severity = Severity.WARNING if change <= allowed else Severity.ERROR  # NaN: error
        effect = _effect(drawn, mended, acre)
        for fault in shape_faults(shape, SAME_POINT_FT if acre else 1e-9):
            yield _fault(layer, fault, owner, record, effect, severity, placed is not None)


def _effect(drawn: float, mended: float, acre: float | None) -> str:
    """What mending does to the acres, where three decimals show it."""
    if acre is None or math.isnan(mended) or abs(mended - drawn) < 0.001 * acre:
        return ""
    return f"; {drawn / acre:.3f} acres as drawn, {mended / acre:.3f} once mended"


def _fault(
    layer: Layer,
    fault: ShapeFault,
    owner: Source,
    record: int,
    effect: str,
    severity: Severity,
    placed: bool,
) -> Fault:
    at = ""
    if fault.point is not None:
        at = f" at x {fault.point.x:,.2f}, y {fault.point.y:,.2f}"
    return Fault(
        f"{owner}: {fault.words}{at}{effect}",
        "move the vertex there or split the outline at this point; check the acres afterwards",
        geometry=fault.point if placed else None,
        measured=Quantity(1, "fault"),
        role=layer.role,
        source=owner,
        severity=severity if layer.role else Severity.INFO,
        distinct=f"{record} {fault.words}{at}",
    )
