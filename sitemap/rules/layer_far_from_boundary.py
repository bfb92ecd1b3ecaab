"""CRS003: a layer lies far from the site, and which mistake of CRS would explain it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import crs_code, crs_label
from sitemap.finding import Limit, Quantity
from sitemap.layer import Layer
from sitemap.measures.crs_mistakes import foot_mistaken, what_brings_home
from sitemap.measures.crs_shifts import Landing, compass_ft, extent, miles
from sitemap.measures.cures import in_site_toml
from sitemap.measures.datum_slips import MOST_VERTICES, Slip, datum_slip
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.measures.whereabouts import Whereabouts, enclosed, misfit
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length

# of no layer's own making, so regular or so dense that something always fits
NO_CORNERS = {"grid", "contours_existing", "contours_proposed", "spot_elevations"}
WORK_ITEMS = {"d", "e", "f", "g", "i"}  # what is built or disturbed lies on the site


@dataclass(frozen=True, eq=False)
class _Lying:
    """One dataset as it lies in the site CRS."""

    layer: Layer
    shapes: np.ndarray
    gap_ft: float
    allowed_ft: float

    @property
    def far(self) -> bool:
        return self.gap_ft > self.allowed_ft

    @property
    def box(self) -> BaseGeometry:
        return extent(tuple(shapely.total_bounds(self.shapes).tolist()))


@rule("CRS003", clauses=("map",), needs=("boundary",))
def layer_far_from_boundary(
    site: Site, adjacent_distance: Length, discharge_distance: Length
) -> Iterator[Said]:
    """The map has a layer that lies far from the site boundary.

    Why
        A layer on the wrong datum, in the wrong foot or in the neighbouring zone is drawn off the
        sheet, and every rule that needs it finds nothing.

    How it is measured
        Distance in feet, in the site CRS, from the boundary to the nearest feature of each
        dataset (what lies within a boundary drawn as lines is on the site): more than the pack's
        adjacent distance for what is built or disturbed (items d to g and i), more than a quarter
        mile for the rest. A far dataset is read in every system
        registered within 3.5 degrees, and with feet and metres exchanged (3.2808); those that
        bring it home are named. When every other dataset is far, the boundary itself is named.
        Survey foot against international foot moves a State Plane layer by only 5 ft: that is
        found when three corners of the boundary fit the layer within 0.05 ft after the exchange
        and none does before. A datum slip that leaves the layer on the site (UTM on NAD27 read as
        NAD83, 700 ft) is found when four corners of the other layers fit it to 0.5 ft after the
        shift and none before, or when work lies outside the site as stated and inside it then;
        where nothing tells the two apart the evidence says so.

    When it does not apply
        To datasets without CRS (CRS001) or whose numbers contradict it (CRS002), and to the
        boundary when it is the only dataset.

    How to fix
        State the CRS in which the numbers really are, in site.toml or by --crs.

    References
        § 162-11B(4); NAD27 and NAD83 Wisconsin South lie 31,514 ft apart at Muskego;
        OSGeo/gdal issue 990 (foot lost for metre).
    """
    boundary = site.boundary
    if boundary is None or site.crs is None:
        yield NotApplicable("the boundary has no geometry")
        return
    place = Whereabouts(site.crs, enclosed(boundary), "the boundary")
    distances = adjacent_distance.feet, discharge_distance.feet  # either foot: 2 ppm
    lying = list(_lying(site, place, *distances))
    if not lying:
        yield NotApplicable("no other dataset could be put on the map")
        return
    far = [each for each in lying if each.far]
    if len(far) > 1 and len(far) == len(lying) and _together(far):
        yield _boundary_far(site, place, far)
    else:
        for each in far:
            yield _far(site, place, each)
        for each in lying:
            if not each.far:
                yield from _wrong_foot(place, each)
        yield from _slips(site, place, [each for each in lying if not each.far])
    yield Checked(f"the distance of {len(lying)} datasets from the boundary", len(lying))


def _lying(
    site: Site, place: Whereabouts, adjacent_ft: float, quarter_mile_ft: float
) -> Iterator[_Lying]:
    for role, merged in site.layers.items():
        spec = site.catalogue[role]
        for member, shapes in merged.shapes_by_dataset:
            crs = member.crs
            if role == "boundary" or crs is None:
                continue
            own = shapely.bounds(member.shapes)
            if misfit(own, crs, place.lonlat_box) is not None:
                continue
            if len(shapes):
                near = bool(WORK_ITEMS.intersection(spec.items))
                gap_ft = float(shapely.distance(shapes, place.geometry).min())
                yield _Lying(member, shapes, gap_ft, adjacent_ft if near else quarter_mile_ft)


def _together(far: list[_Lying]) -> bool:
    """True when the far datasets lie with each other: then it is the boundary that is off."""
    first = far[0].box
    return all(first.distance(each.box) <= max(e.allowed_ft for e in far) for each in far[1:])


def _far(site: Site, place: Whereabouts, each: _Lying) -> Fault:
    middle, own = each.box.centroid, place.geometry.centroid
    there = Landing(place.crs, each.gap_ft, middle.x - own.x, middle.y - own.y)
    where = f"{miles(each.gap_ft)} {there.direction} of the boundary"
    return _fault(site, each.layer, place, each.gap_ft, each.allowed_ft, where, each.box)


def _boundary_far(site: Site, place: Whereabouts, far: list[_Lying]) -> Fault:
    """All others lie together, elsewhere: one finding, on the boundary."""
    others = Whereabouts(place.crs, shapely.union_all([e.box for e in far]), "the other layers")
    gap_ft = float(others.geometry.distance(place.geometry))
    where = f"{miles(gap_ft)} from the {len(far)} other datasets, which lie together"
    fault = _fault(
        site,
        site.layers["boundary"].members[0],
        others,
        gap_ft,
        max(each.allowed_ft for each in far),
        where,
        place.geometry,
    )
    return replace(fault, related=tuple(dataset_source(e.layer.provenance) for e in far))


def _fault(
    site: Site,
    layer: Layer,
    place: Whereabouts,
    gap_ft: float,
    allowed_ft: float,
    where: str,
    geometry: BaseGeometry,
) -> Fault:
    """A dataset that lies too far from a place, and what would bring it there."""
    name, stated = dataset_words(layer.provenance), layer.crs
    assert stated is not None  # without a CRS it were not on the map
    shapes = layer.shapes
    explained, code = what_brings_home(shapes, stated, place, allowed_ft)
    return Fault(
        f"{name} lies {where}; it says {crs_label(stated)}. {explained}",
        "state the CRS in which its numbers really are; "
        + in_site_toml(site, layer.provenance, layer.role, f'crs = "{code}"'),
        geometry=geometry,
        measured=Quantity(round(gap_ft), "ft"),
        limit=Limit(round(allowed_ft), "ft"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        distinct=name,
    )


def _slips(site: Site, place: Whereabouts, near: list[_Lying]) -> Iterator[Said]:
    """Layers on the site that may be on the other North American datum, as far as it shows."""
    corners = {id(e): _corners(e.shapes) for e in near if e.layer.role not in NO_CORNERS}
    border = shapely.get_coordinates(place.geometry)
    unsure: list[str] = []
    for each in near:
        stated = each.layer.crs
        assert stated is not None  # _lying left the others out
        others = [corners[id(o)] for o in near if id(o) in corners and o.layer.crs != stated]
        others = [*others, border]
        spec = each.layer.spec
        work = spec is not None and bool(WORK_ITEMS.intersection(spec.items))
        slip = datum_slip(
            each.layer.shapes,
            stated,
            place.crs,
            np.concatenate(others),
            place.geometry if work else None,
        )
        if slip is None:
            continue
        if slip.evidence:
            yield _slipped(site, each, slip)
        else:
            unsure.append(
                f"{dataset_words(each.layer.provenance)} would lie {slip.size_ft:,.0f} ft off if "
                f"it were {slip.name}, and nothing here tells which it is"
            )
    if unsure:
        yield Checked("; ".join(unsure), len(unsure))


def _corners(shapes: np.ndarray) -> np.ndarray:
    """The vertices of a layer in the site CRS; none of one so dense that all fits by chance."""
    xy = shapely.get_coordinates(shapes)
    return xy if len(xy) <= MOST_VERTICES else xy[:0]


def _slipped(site: Site, each: _Lying, slip: Slip) -> Fault:
    provenance, stated = each.layer.provenance, each.layer.crs
    code = crs_code(slip.crs) or "EPSG:..."
    return Fault(
        f"{dataset_words(provenance)} says {crs_label(stated)}, but it fits the site read as "
        f"{slip.name}: moved {compass_ft(slip.east_ft, slip.north_ft)}, {slip.evidence}",
        "ask the source for its datum; then state it "
        + in_site_toml(site, provenance, each.layer.role, f'crs = "{code}"'),
        geometry=each.box,
        measured=Quantity(round(slip.size_ft), "ft"),
        role=each.layer.role,
        source=dataset_source(provenance),
        distinct=f"slip {dataset_words(provenance)}",
    )


def _wrong_foot(place: Whereabouts, each: _Lying) -> Iterator[Fault]:
    """Survey foot for international foot or the reverse: a few feet, told by fitting corners."""
    stated = each.layer.crs
    assert stated is not None  # _lying left the others out
    found = foot_mistaken(each.layer.shapes, stated, place.crs, place.geometry)
    if found is None:
        return
    provenance = each.layer.provenance
    yield Fault(
        f"{dataset_words(provenance)} lies {found.off_ft:.1f} ft {found.direction} of where "
        f"{found.corners} corners of the boundary fit it; it says {crs_label(stated)}, and its "
        f"numbers are in the {found.foot}: the two feet were mistaken",
        f"state for {provenance.file} the same system in the {found.foot}, or export it again",
        geometry=each.box,
        measured=Quantity(round(found.off_ft, 1), "ft"),
        role=each.layer.role,
        source=dataset_source(provenance),
        distinct=dataset_words(provenance),
    )
