"""GEO007: coordinates that are no numbers, or numbers that are no place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.crs import Crs, linear_unit
from sitemap.finding import Limit, Quantity, Severity
from sitemap.layer import Layer
from sitemap.measures.records import (
    as_placed,
    dataset_source,
    dataset_words,
    record_numbers,
    record_words,
    sources,
)
from sitemap.measures.vertices import vertices_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

HALF_EARTH_M = 2.1e7  # no projected coordinate is larger
MOST_DEGREES = 361.0  # longitudes from 0 to 360 occur; beyond that CRS002 sees a whole layer
ORIGIN_FAR_M = 50_000.0  # data that lie farther than this from (0, 0) have no vertex there
NAMED = 25


@rule("GEO007", clauses=("map",))
def coordinate_not_finite_or_wild(site: Site) -> Iterator[Said]:
    """The map has a coordinate that is not a finite number or that is no place on earth.

    Why
        One vertex at infinity makes lengths, areas and the extent of a layer infinite; one at
        (0, 0) draws a line across the state. Nothing can be measured with the first, so such
        features are left out of every other rule.

    How it is measured
        Every vertex as read: NaN or infinite; beyond 21,000 km, half the earth around, in a
        projected CRS (361 in degrees, 1e9 without a CRS); exactly (0, 0) where the middle vertex
        of the dataset lies more than 50 km from there; and finite vertices that cannot be
        brought into the site CRS. One finding per dataset and kind, with the records. Error,
        since the feature cannot be judged; information where the dataset serves no role.

    When it does not apply
        Where most vertices of a dataset are beyond its CRS: then the CRS is wrong (CRS002).

    How to fix
        Delete the vertex or draw the feature again; look at its source for "no data" numbers.

    References
        § 162-11B(4); real cases: a bounds of -infinity (mapshaper), offsets of 1e11 (GDAL).
    """
    looked_at = 0
    for layer in site.datasets:
        geometry = layer.shapes
        looked_at += len(every := vertices_of(geometry).every_xy)
        if len(every) and not (_all_sound(every, _most(layer.crs)) and _all_placed(site, layer)):
            xy, owner = shapely.get_coordinates(geometry, return_index=True)
            yield from _layer_faults(site, layer, xy, owner)
    if not looked_at:
        yield NotApplicable("no dataset has a coordinate")
        return
    yield Checked(f"{looked_at:,} vertices of {len(site.datasets)} datasets", looked_at)


def _all_sound(xy: np.ndarray, most: float) -> bool:
    """Whether no coordinate is endless, wild or zero; which is told in two looks at all of them."""
    low, high = float(xy.min()), float(xy.max())
    return -most <= low and high <= most and (low > 0 or high < 0 or not (xy == 0).any())


def _all_placed(site: Site, layer: Layer) -> bool:
    """Whether every vertex of a dataset that was brought into the site CRS is somewhere in it."""
    placed = as_placed(layer, site)
    return placed is None or bool(np.isfinite(vertices_of(placed).every_xy.sum()))


def _layer_faults(site: Site, layer: Layer, xy: np.ndarray, owner: np.ndarray) -> Iterator[Fault]:
    endless = ~np.isfinite(xy).all(axis=1)
    if endless.any():
        yield _fault(layer, xy, owner, endless, "not finite numbers")
    wild = ~endless & (np.abs(np.where(endless[:, None], 0.0, xy)) > _most(layer.crs)).any(axis=1)
    if wild.any() and wild.sum() * 2 <= len(xy):
        yield _fault(layer, xy, owner, wild, "beyond the earth")
    sound = ~endless & ~wild
    zero = sound & (xy == 0).all(axis=1)
    if zero.any() and _far_from_zero(layer.crs, xy[sound]):
        yield _fault(layer, xy, owner, zero, "at the zero point of the CRS, far from the others")
    lost = _lost_on_the_way(site, layer, owner, endless)
    if lost.any():
        yield _fault(layer, xy, owner, lost, f"nowhere in {site.crs_name}")


def _most(crs: Crs | None) -> float:
    """The largest number that can be a coordinate."""
    if crs is None:
        return 1e9
    if crs.is_geographic:
        return MOST_DEGREES
    unit = linear_unit(crs)
    return HALF_EARTH_M / float(unit.metres) if unit is not None else 1e9


def _far_from_zero(crs: Crs | None, xy: np.ndarray) -> bool:
    """True when the middle vertex lies far from (0, 0)."""
    middle = float(np.hypot(*np.median(xy, axis=0)))
    if crs is not None and crs.is_geographic:
        return middle > 1.0
    unit = linear_unit(crs) if crs is not None else None
    return middle * (float(unit.metres) if unit is not None else 1.0) > ORIGIN_FAR_M


def _lost_on_the_way(
    site: Site, layer: Layer, owner: np.ndarray, endless: np.ndarray
) -> np.ndarray:
    """Vertices of features that are finite as read and not once they are in the site CRS."""
    none = np.zeros(len(owner), dtype=bool)
    placed = as_placed(layer, site)
    if placed is None:
        return none
    there = shapely.get_coordinates(placed)
    if len(there) != len(owner):
        return none
    lost = ~np.isfinite(there).all(axis=1) & ~endless
    return lost if lost.sum() * 2 <= len(lost) else none


def _fault(layer: Layer, xy: np.ndarray, owner: np.ndarray, mask: np.ndarray, what: str) -> Fault:
    rows = np.unique(owner[mask])
    frame = layer.frame.iloc[rows]
    name, count = dataset_words(layer.provenance), int(mask.sum())
    x, y = xy[mask][0].tolist()
    plural = "coordinates are" if count > 1 else "coordinate is"
    return Fault(
        f"{name}: {count:,} {plural} {what}, such as ({x:,.6g}, {y:,.6g}) "
        f"({record_words(record_numbers(frame))})",
        "delete the vertices named, or draw these features again",
        measured=Quantity(count, "coordinates"),
        limit=Limit(0, "coordinates"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        related=tuple(sources(frame.iloc[:NAMED], layer.provenance.file, layer.provenance.layer)),
        severity=Severity.ERROR if layer.role else Severity.INFO,
        distinct=f"{name} {what}",
    )
