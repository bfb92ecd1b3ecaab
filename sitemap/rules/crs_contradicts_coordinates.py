"""CRS002: the numbers of a dataset cannot belong to the CRS that it states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.crs import Crs, crs_label
from sitemap.finding import Quantity, Severity
from sitemap.layer import Layer, Raster
from sitemap.measures.crs_shifts import candidates, finite_bounds, ranked
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import all_data, dataset_source, dataset_words
from sitemap.measures.whereabouts import (
    FAR_DEG,
    Misfit,
    Whereabouts,
    area_of,
    misfit,
    whereabouts,
)
from sitemap.ordinance import Ordinance
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

ORDINANCE = "the CRS that the ordinance names"


@rule("CRS002", clauses=("map",))
def crs_contradicts_coordinates(site: Site, ordinance: Ordinance) -> Iterator[Said]:
    """The map has a dataset whose numbers contradict its coordinate reference system.

    Why
        A CRS that was set by hand instead of reprojected turns feet into degrees: a buffer of
        50 ft becomes one of 50 degrees, and the layer lands in the ocean.

    How it is measured
        By the middle of each feature's box, for most features of the dataset, before any
        transformation: a geographic CRS with numbers beyond 180 or 90 (projected numbers, or
        swapped axes when exchanging x and y would cure it); a projected CRS with all numbers
        within 180 and 90 that are not near its zero point (degrees); numbers more than 5 degrees
        from where the site is, or from the area the CRS is made for, which fit within 1 degree
        once x and y are exchanged (swapped) or not at all (outside). Where every dataset is
        swapped alike, the area of the CRS that the ordinance names tells.

    When it does not apply
        To datasets without CRS (CRS001) or without a coordinate. A layer that is sound in itself
        and far from the boundary is CRS003.

    How to fix
        State the CRS in which the numbers really are (site.toml, --crs), or export again; never
        "set" a CRS to reproject.

    References
        § 162-11B(4); geopandas issue 737; versatiles-rs issue 255; GeoPackage issue 406.
    """
    everything = [
        (data, boxes)
        for data in all_data(site)
        if data.crs is not None and len(boxes := _boxes(data))
    ]
    if not everything:
        yield NotApplicable("no dataset has both a CRS and a coordinate")
        return
    place = whereabouts(site, ordinance.default_crs)
    near = place.lonlat_box if place is not None and site.crs is not None else None
    home = area_of(ordinance.default_crs, ORDINANCE) if ordinance.default_crs else None
    for data, boxes in everything:
        found = misfit(boxes, _crs(data), near) or _all_swapped(boxes, _crs(data), home)
        if found is not None:
            # where all data are off alike, they cannot tell each other's place
            sound = home if home is not None and _off(place, home) else place
            yield _fault(site, data, found, boxes, sound)
    yield Checked(f"the numbers of {len(everything)} datasets against their CRS", len(everything))


def _crs(data: Layer | Raster) -> Crs:
    assert data.crs is not None  # the caller left the others out
    return data.crs


def _all_swapped(boxes: np.ndarray, crs: Crs, home: Whereabouts | None) -> Misfit | None:
    """Axes exchanged in every dataset alike, the boundary too: only the ordinance's area tells."""
    found = misfit(boxes, crs, home.lonlat_box) if home is not None else None
    return found if found is not None and found.kind == "swapped" else None


def _off(place: Whereabouts | None, home: Whereabouts) -> bool:
    """Whether the data place the site outside the area of the CRS that the ordinance names."""
    if place is None:
        return False
    west, south, east, north = place.lonlat_box
    here, there = shapely.box(west, south, east, north), shapely.box(*home.lonlat_box)
    return float(shapely.distance(here, there)) > FAR_DEG


def _boxes(data: Layer | Raster) -> np.ndarray:
    """Finite boxes of the features, shape (n, 4)."""
    boxes = np.array([data.bounds]) if isinstance(data, Raster) else shapely.bounds(data.shapes)
    finite: np.ndarray = boxes[np.isfinite(boxes).all(axis=1)]
    return finite


def _fault(
    site: Site, data: Layer | Raster, found: Misfit, boxes: np.ndarray, place: Whereabouts | None
) -> Fault:
    name = dataset_words(data.provenance)
    advice = {
        "degrees": "state EPSG:4326 or EPSG:4269 for it, as its source says",
        "swapped": "export it with x (east, longitude) first and y (north, latitude) second",
        "projected numbers": "state the projected system in which the numbers are"
        + _guess(boxes, place),
        "outside": "state the system in which the numbers are" + _guess(boxes, place),
    }
    remedy = advice[found.kind]
    if found.kind != "swapped":  # no statement exchanges x and y
        said = in_site_toml(site, data.provenance, data.role, 'crs = "EPSG:..."')
        remedy += f"; {said}"
    return Fault(
        f"{name} says {crs_label(_crs(data))}, but {found.words} "
        f"({found.features} of {len(boxes)} features)",
        remedy,
        measured=Quantity(found.features, "features"),
        role=data.role,
        source=dataset_source(data.provenance),
        severity=None if data.role else Severity.WARNING,
        distinct=name,
    )


def _guess(boxes: np.ndarray, place: Whereabouts | None) -> str:
    """The systems in which the numbers would meet the site, where any would."""
    if place is None:
        return ""
    box = finite_bounds(shapely.box(*boxes.T))
    if box is None:
        return ""
    systems = candidates(box, place.crs, place.geometry)
    groups = ranked(box, systems, place.crs, place.geometry, [place.crs])
    home = [group[0].name for group in groups if group[0].gap_ft == 0]
    return f" (they would meet {place.words} in {' or '.join(home[:3])})" if home else ""
