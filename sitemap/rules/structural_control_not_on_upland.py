"""BMP002: a structural control in a wetland or in water."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity, Source
from sitemap.measures.cover import acres, mended, shared
from sitemap.measures.practices import BASINS, IN_WATER, shapes_of, silent_roles
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule(
    "BMP002",
    clauses=("5b",),
    needs=("controls",),
    uses=("wetlands", "waterbodies"),
)
def structural_control_not_on_upland(
    site: Site,
    controls: RoleLayer,
    wetlands: RoleLayer | None,
    waterbodies: RoleLayer | None,
    sliver_width: Length,
) -> Iterator[Said]:
    """The map has a structural control inside a wetland or a body of water.

    Why
        A basin dug into a wetland saves soil by destroying what it should protect.

    How it is measured
        Controls that are structural (their field says so, else their type in the catalogue)
        against wetlands and bodies of water drawn as areas: a point inside; a line with more than
        the sliver width inside; an area that shares more than a sliver. Basins are allowed to be
        drawn as bodies of water themselves: a body that lies within the basin is its pool.

    When it does not apply
        To turbidity barriers and silt curtains, which are made to stand in water, and to streams
        drawn as lines.

    How to fix
        Move it to upland soil, or hand in the written approval that the paragraph asks for.

    References
        § 162-11B(5)(b), "structural measures shall be installed on upland soils".
    """
    silent = silent_roles(site, ("wetlands", "waterbodies"))
    if silent:
        yield Skip(f"{' and '.join(silent)} neither drawn nor declared none: see SUB001")
        return
    frame = controls.usable[_structural(site, controls) & ~controls.usable["type"].isin(IN_WATER)]
    if frame.empty:
        yield NotApplicable("no control is structural")
        return
    width = sliver_width.feet
    yield Checked(
        f"{plural(len(frame), 'structural control')} against wetlands and water", len(frame)
    )
    shapes = mended(frame.geometry.to_numpy())
    basin = frame["type"].isin(BASINS).to_numpy()
    where = sources(frame)
    for role, layer in (("wetlands", wetlands), ("waterbodies", waterbodies)):
        waters = shapes_of(layer)
        waters = waters[shapely.get_dimensions(waters) == 2]
        control, water = shapely.STRtree(waters).query(shapes, predicate="intersects")
        for index in np.unique(control).tolist():
            others = waters[water[control == index]]
            if basin[index] and role == "waterbodies":
                others = others[~shapely.covered_by(others, shapely.buffer(shapes[index], 1.0))]
            inside = _inside(shapes[index], shapely.union_all(others), width)
            if inside is not None:
                yield _fault(site, str(frame["type"].iloc[index]), where[index], role, inside)


def _structural(site: Site, controls: RoleLayer) -> np.ndarray:
    """True where the field says yes, or says nothing and the type is structural."""
    types = site.catalogue["controls"].types
    known = [name for name, kind in types.items() if kind.structural]
    said = controls.usable["structural"]
    return np.asarray((said == "yes") | (said.isna() & controls.usable["type"].isin(known)), bool)


def _inside(shape: BaseGeometry, water: BaseGeometry, width: float) -> BaseGeometry | None:
    """The part of a control in water, or None where it is not more than digitizing."""
    common: BaseGeometry = shapely.intersection(shape, water)
    if shapely.is_empty(common):
        return None
    dimension = shapely.get_dimensions(shape)
    if dimension == 2:
        part: BaseGeometry = shared(np.array([shape]), water, width)[0]
        return None if part.is_empty else part
    return common if dimension == 0 or shapely.length(common) > width else None


def _fault(site: Site, kind: str, where: Source, role: str, inside: BaseGeometry) -> Fault:
    name = where.user_id or f"record {where.feature}"
    place = "a wetland" if role == "wetlands" else "water"
    size, run = acres(float(inside.area), site.foot), float(inside.length)
    if size:
        words, measured = f"{size:,.3f} acres of", Quantity(round(size, 4), "acres")
    elif run:
        words, measured = f"{run:,.0f} ft of", Quantity(round(run, 1), "ft")
    else:
        words, measured = "", None
    verb = "lie" if measured else "lies"
    return Fault(
        f"{words} control {name} ({kind}) {verb} in {place}".strip(),
        "move it to upland soil, or hand in the written approval",
        geometry=inside,
        measured=measured,
        role="controls",
        source=where,
        distinct=role,
    )
