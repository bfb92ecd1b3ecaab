"""FLD002: floodway and flood fringe that are not told apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, mended, shared
from sitemap.measures.flood import is_floodway, is_hazard
from sitemap.measures.records import sources
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
) -> Iterator[Said]:
    """The map has floodway and flood fringe that are not told apart.

    Why
        In the fringe one may build with care; in the floodway next to nothing is allowed. The
        paragraph asks for both.

    How it is measured
        Flood hazard polygons (zones A, AE, AH, AO and their like) on the site or within the
        adjacent distance. The fringe is the hazard area without its floodway: a hazard polygon
        that is no floodway but covers some of it, by more than a sliver, is not told apart. One
        finding per polygon, in acres. Where the layer has no floodway at all, a person looks on
        the flood map whether one is identified: zone A and lakes have none.

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
    near = is_hazard(floodplain) & _near(site.boundary, shapes, adjacent_distance.feet)
    if not near.any():
        yield NotApplicable("no flood hazard area lies on or beside the site")
        return
    yield Checked(
        f"{plural(int(near.sum()), 'flood hazard polygon')} on or beside the site, "
        f"{int((near & way).sum())} of them floodway",
        int(near.sum()),
    )
    if not way.any():
        zones = ", ".join(sorted({str(z) for z in frame["zone"][near] if z is not None}))
        yield Ask(
            f"zone {zones} is drawn without a floodway: does the flood map identify none here?",
            "a",
            shapely.union_all(shapes[near]),
        )
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


def _near(ground: BaseGeometry | None, shapes: np.ndarray, distance: float) -> np.ndarray:
    """True for shapes on or beside the site; for all where it has no boundary."""
    if ground is None:
        return np.ones(len(shapes), dtype=bool)
    return np.asarray(shapely.dwithin(shapes, ground, distance))
