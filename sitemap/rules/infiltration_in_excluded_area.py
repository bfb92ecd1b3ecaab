"""INF001: water led into the ground where it should not be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.cover import acres, dissolved, shared
from sitemap.measures.flood import is_floodway
from sitemap.measures.practices import shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
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
        groundwater, separation to groundwater and bedrock) is not in the layers. Without a soils
        layer a person says whether the soil takes the water.

    When it does not apply
        Where infiltration areas are declared none.

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
    if soils is None or soils.usable["hydrologic_group"].isna().all():
        yield Ask(
            "no soils with a hydrologic group are drawn: does the soil of the infiltration areas "
            "take 0.6 inch of water per hour?",
            "i",
            shapely.union_all(shapes),
        )


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
    return Fault(
        f"{size:,.3f} acres of infiltration area {name} lie in {place}",
        "move it, or hand in the test that shows that the ground takes the water",
        geometry=geometry,
        measured=Quantity(round(size, 4), "acres"),
        limit=Limit(0.0, "acres"),
        role="infiltration",
        source=where,
        distinct=place,
    )
