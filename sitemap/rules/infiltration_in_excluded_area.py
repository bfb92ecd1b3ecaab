"""INF001: water led into the ground where it should not be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.cover import acres, dissolved, shared, uncovered
from sitemap.measures.flood import is_floodway
from sitemap.measures.practices import shapes_of, silent_roles
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

SLOW_GROUPS = ("D", "A/D", "B/D", "C/D")  # undrained: water stands high, or clay
NOT_IN_DATA = "wells, contaminated ground, bedrock and groundwater are not in the data"


@rule(
    "INF001",
    clauses=("i",),
    needs=("infiltration",),
    uses=("wetlands", "waterbodies", "floodplain", "soils"),
    severity=Severity.WARNING,
)
def infiltration_in_excluded_area(
    site: Site,
    infiltration: RoleLayer,
    soils: RoleLayer | None,
    sliver_width: Length,
    least_area: Area,
) -> Iterator[Said]:
    """The map has an infiltration area where water should not be led into the ground.

    Why
        In a wetland or a floodway the ground is full already; on soil of group D the basin is a
        pond.

    How it is measured
        Each infiltration area against wetlands, bodies of water, floodways and soils of
        hydrologic group D (alone, or undrained), in acres, slivers left out. What the rule's
        source excludes besides (400 ft round community wells, contaminated soil, conduits to
        groundwater, separation to groundwater and bedrock) is not in the layers. Where no soil
        gives a hydrologic group for the ground, a person says whether it takes the water. An area
        that is drawn as a point or a line is judged by its middle.

    When it does not apply
        Where infiltration areas are declared none. While wetlands, bodies of water or the
        floodplain are neither drawn nor declared none it does not pass.

    How to fix
        Move the area, or hand in the test that shows 0.6 inch per hour and the separation.

    References
        § 162-11B(4)(i), areas used for infiltration; Wis. Adm. Code NR 151.124(4), exclusions and
        exemptions (distances not judged here).
    """
    frame, shapes = infiltration.usable, shapes_of(infiltration)
    yield Checked(
        f"{plural(len(frame), 'infiltration area')} against wetlands, water, floodway and soils of "
        f"group D; {NOT_IN_DATA}",
        len(frame),
    )
    where = sources(frame)
    for name, excluded in _excluded(site):
        common = shared(shapes, dissolved(excluded), sliver_width.feet)
        size = np.array([acres(float(a), site.foot) for a in shapely.area(common)])
        for index in np.flatnonzero(size >= least_area.acres).tolist():
            yield _fault(name, float(size[index]), common[index], where[index])
        for index in np.flatnonzero(_without_area(shapes, dissolved(excluded))).tolist():
            yield _fault(name, 0.0, shapes[index], where[index])
    yield from _soils_unknown(site, soils, shapes, sliver_width, least_area)
    silent = silent_roles(site, ("wetlands", "waterbodies", "floodplain"))
    if silent:
        yield Skip(f"{' and '.join(silent)} neither drawn nor declared none: see SUB001")


def _soils_unknown(
    site: Site,
    soils: RoleLayer | None,
    shapes: np.ndarray,
    sliver_width: Length,
    least_area: Area,
) -> Iterator[Ask]:
    """The question about infiltration on ground whose hydrologic group no soil gives."""
    known = np.empty(0, dtype=object)
    if soils is not None:
        known = shapes_of(soils)[soils.usable["hydrologic_group"].notna().to_numpy()]
    ground = dissolved(known)
    if ground.is_empty:
        yield Ask(
            "no soils with a hydrologic group are drawn: does the soil of the infiltration areas "
            "take 0.6 inch of water per hour?",
            "i",
            shapely.union_all(shapes),
        )
        return
    rest = uncovered(dissolved(shapes), ground, sliver_width.feet)
    size = acres(rest.area, site.foot)
    if size >= least_area.acres:
        yield Ask(
            f"{size:,.2f} acres of the infiltration areas lie on no soil with a hydrologic group: "
            "does it take 0.6 inch of water per hour?",
            "i",
            shapely.union_all(rest.parts),
        )


def _without_area(shapes: np.ndarray, ground: BaseGeometry) -> np.ndarray:
    """True for points and lines that lie in the ground, by their middle."""
    middle = shapely.point_on_surface(shapes)
    return np.asarray((shapely.get_dimensions(shapes) < 2) & shapely.intersects(middle, ground))


def _excluded(site: Site) -> Iterator[tuple[str, np.ndarray]]:
    """Ground that should not be infiltrated into, by what it is."""
    for role, name in (("wetlands", "a wetland"), ("waterbodies", "a body of water")):
        yield name, shapes_of(site.role(role))
    flood = site.role("floodplain")
    if flood is not None:
        yield "a floodway", shapes_of(flood)[is_floodway(flood)]
    layer = site.role("soils")
    if layer is not None:
        slow = layer.usable["hydrologic_group"].isin(SLOW_GROUPS).to_numpy()
        yield "soil of hydrologic group D", shapes_of(layer)[slow]


def _fault(place: str, size: float, geometry: BaseGeometry, where: Source) -> Fault:
    name = where.user_id or f"record {where.feature}"
    words = f"{size:,.3f} acres of infiltration area {name} lie" if size else ""
    return Fault(
        f"{words or f'infiltration area {name} lies'} in {place}",
        "move it, or hand in the test that shows that the ground takes the water",
        geometry=geometry,
        measured=Quantity(round(size, 4), "acres") if size else None,
        limit=Limit(0.0, "acres") if size else None,
        role="infiltration",
        source=where,
        distinct=place,
    )
