"""FLD002: floodway and flood fringe that are not told apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, mended, polygons_of, shared
from sitemap.measures.flood import (
    floodway_rows,
    hazard_rows,
    is_floodway,
    is_hazard,
    unknown_rows,
)
from sitemap.measures.near_ends import clusters
from sitemap.measures.records import sources
from sitemap.reference import DOUBT
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length


@rule("FLD002", clauses=("a",), needs=("floodplain",), uses=("boundary",))
def floodway_and_fringe_not_separated(
    site: Site,
    floodplain: RoleLayer,
    boundary: RoleLayer | None,
    adjacent_distance: Length,
    sliver_width: Length,
    least_area: Area,
    reference_accuracy: Length,
) -> Iterator[Said]:
    """The map has floodway and flood fringe that are not told apart.

    Why
        In the fringe one may build with care; in the floodway next to nothing is allowed. The
        paragraph asks for both.

    How it is measured
        Flood hazard polygons (zones A, AE, AH, AO and their like) on the site or within the
        adjacent distance. The fringe is the hazard area without its floodway: a hazard polygon
        that is no floodway but covers some of it, by more than a sliver, is not told apart. One
        finding per polygon, in acres. Where a flood hazard area hangs together with no floodway, a
        person looks on the flood map whether one is identified: zone A and lakes have none; the
        floodway of another stream says nothing of this one. So does one of a polygon that has
        neither a known zone nor a part. Where a reference
        holds the flood map, it answers: floodway of the reference that is drawn as other hazard,
        wider than the reference accuracy, is found; a studied zone without any is right, unless the
        reference has no column for the part (ZONE_SUBTY), which then a person looks up. Zone A
        without a floodway stays with a person, since no study has parted it.

    When it does not apply
        Where no flood hazard lies on or beside the site.

    How to fix
        Cut the floodway out of the fringe, and write the part in the subtype field.

    References
        § 162-11B(4)(a), "identified one-hundred-year floodplains, flood-fringes and floodways";
        NFHL, S_FLD_HAZ_AR, whose polygons do not overlap.
    """
    frame = floodplain.usable
    shapes = mended(frame.geometry.to_numpy())
    way = is_floodway(floodplain)
    close = _near(site.boundary, shapes, adjacent_distance.feet)
    near = is_hazard(floodplain) & close
    unknown = unknown_rows(frame) & close
    if unknown.any():
        yield Ask(
            f"{plural(int(unknown.sum()), 'floodplain polygon')} on or beside the site with "
            "neither a known zone nor a part: floodway, fringe, or no flood hazard?",
            "a",
            shapely.union_all(shapes[unknown]),
        )
    if not near.any():
        yield NotApplicable("no flood hazard area lies on or beside the site")
        return
    yield Checked(
        f"{plural(int(near.sum()), 'flood hazard polygon')} on or beside the site, "
        f"{int((near & way).sum())} of them floodway",
        int(near.sum()),
    )
    other = shapely.difference(dissolved(shapes[near & ~way]), dissolved(shapes[way]))
    mixed = _as_other_hazard(site, other, reference_accuracy.to(site.foot))
    for part in mixed:
        yield _mixed(site, part)
    lone = near & ~way & ~_beside_floodway(shapes, is_hazard(floodplain), way, sliver_width.feet)
    if lone.any() and not len(mixed):
        zones = frame["zone"][lone]
        if not _is_answered(site, zones.tolist(), shapes[lone]):
            named = ", ".join(sorted({str(zone) for zone in zones if zone is not None}))
            yield Ask(
                f"zone {named} is drawn without a floodway: does the flood map identify none here?",
                "a",
                shapely.union_all(shapes[lone]),
            )
    if not way.any():
        return
    fringe = np.flatnonzero(near & ~way)
    common = shared(shapes[fringe], dissolved(shapes[way]), sliver_width.feet)
    where = sources(frame)
    for index, part in zip(fringe.tolist(), common, strict=True):
        size = acres(float(part.area), site.foot)
        if size >= least_area.acres:
            yield Fault(
                f"{size:,.3f} acres of flood fringe (zone {frame['zone'].iloc[index]}) lie on the "
                "floodway",
                "cut the floodway out of the fringe, and name both in the subtype field",
                geometry=part,
                measured=Quantity(round(size, 4), "acres"),
                limit=Limit(0.0, "acres"),
                role="floodplain",
                source=where[index],
            )


def _beside_floodway(
    shapes: np.ndarray, hazard: np.ndarray, way: np.ndarray, gap: float
) -> np.ndarray:
    """Flood hazard polygons that hang together with a floodway, also by way of others."""
    wet = np.flatnonzero(hazard | way)
    label = clusters(shapes[wet], gap)
    found = np.zeros(len(shapes), dtype=bool)
    found[wet[np.isin(label, label[way[wet]])]] = True
    return found


def _as_other_hazard(site: Site, other: BaseGeometry, accuracy_ft: float) -> np.ndarray:
    """Floodway of the references that the map draws as hazard of another part."""
    known = site.reference.frame("floodplain")
    if known is None:
        return np.array([], dtype=object)
    way = dissolved(known.geometry.to_numpy()[floodway_rows(known)])
    parts = polygons_of(shapely.intersection(way, other))
    core = shapely.buffer(parts, -accuracy_ft / 2.0, join_style="mitre")
    return np.asarray(parts[shapely.area(core) > 0])


def _mixed(site: Site, part: BaseGeometry) -> Fault:
    size = acres(float(part.area), site.foot)
    names = " and ".join(layer.title for layer in site.reference.of("floodplain"))
    return Fault(
        f"{size:,.2f} acres that {names} shows as floodway are drawn as other flood hazard",
        "cut the floodway out of the fringe, and name both in the subtype field",
        geometry=part,
        measured=Quantity(round(size, 4), "acres"),
        limit=Limit(0.0, "acres"),
        role="floodplain",
        distinct="floodway of the reference",
    )


def _is_answered(site: Site, zones: list[object], shapes: np.ndarray) -> bool:
    """Whether a reference says that studied hazard here has no floodway."""
    known = site.reference.frame("floodplain")
    parted = all(layer.states("subtype") for layer in site.reference.of("floodplain"))
    if known is None or not parted or "A" in zones or None in zones:
        return False
    ground = shapely.union_all(shapes)
    here = known[shapely.intersects(known.geometry.to_numpy(), ground)]
    hazard = here[hazard_rows(here)]
    studied = len(hazard) > 0 and "A" not in hazard["zone"].tolist()
    return studied and not floodway_rows(here).any() and not here[DOUBT].notna().any()


def _near(ground: BaseGeometry | None, shapes: np.ndarray, distance: float) -> np.ndarray:
    """True for shapes on or beside the site; for all where it has no boundary."""
    if ground is None:
        return np.ones(len(shapes), dtype=bool)
    return np.asarray(shapely.dwithin(shapes, ground, distance))
