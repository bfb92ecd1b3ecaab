"""The classes in which a map is compared with its references, and what on the map shows each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import geopandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import mended
from sitemap.measures.flood import floodways, fringes
from sitemap.measures.reference_difference import ReferenceDifference, difference
from sitemap.site import Site

HIDDEN_LINES = ("path through water", "underground")  # of a network, and no water to draw
ALSO_SHOW = {  # roles that show the same thing in another form
    "wetlands": ("waterbodies",),
    "waterbodies": ("wetlands", "streams"),
    "streams": ("waterbodies", "storm_sewers", "culverts"),
}
BY_VALUE = {"soils": "map_unit", "contours_existing": "elevation"}  # only equals are compared
FLOOD_PARTS: dict[str, Callable[[geopandas.GeoDataFrame], geopandas.GeoDataFrame]] = {
    "floodway": floodways,
    "floodfringe": fringes,
}
CLASSES = (
    "wetlands", "waterbodies", "streams", "floodway", "floodfringe", "parcels", "jurisdiction",
    "soils", "contours_existing",
)  # fmt: skip
MOSTLY = 0.5  # a parcel belongs to the site when so much of it lies inside the boundary


def reference_differences(
    site: Site, ground: BaseGeometry, accuracy_ft: float
) -> tuple[ReferenceDifference, ...]:
    """The comparison of every class of which a reference was given, in the order of CLASSES."""
    found = (class_difference(site, name, ground, accuracy_ft) for name in CLASSES)
    return tuple(one for one in found if one is not None)


def class_difference(
    site: Site, name: str, ground: BaseGeometry, accuracy_ft: float
) -> ReferenceDifference | None:
    """One class on some ground; None without a reference layer of it. `role` is the class."""
    role = "floodplain" if name in FLOOD_PARTS else name
    frame = site.reference.frame(role)
    if frame is None or site.crs is None:
        return None
    if name == "parcels":
        return _parcels(site, frame, ground, accuracy_ft)
    drawn = _drawn(site, role, frame)
    if name in FLOOD_PARTS:
        frame, drawn = FLOOD_PARTS[name](frame), FLOOD_PARTS[name](drawn)
    if name == "streams":
        frame = frame[~frame["kind"].isin(HIDDEN_LINES).to_numpy()]
    also = list(_shapes(site, ALSO_SHOW.get(role, ())))
    known = [
        shape
        for other in ALSO_SHOW.get(role, ())
        if (more := site.reference.frame(other)) is not None
        for shape in more.geometry
    ]
    return difference(
        name, frame, drawn, ground, accuracy_ft, site.foot,
        also_drawn=also, also_known=known, by=BY_VALUE.get(role),
    )  # fmt: skip


def _drawn(site: Site, role: str, like: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    layer = site.role(role)
    return layer.usable if layer is not None else like.iloc[:0]


def _shapes(site: Site, roles: Sequence[str]) -> Iterator[BaseGeometry]:
    for role in roles:
        layer = site.role(role)
        if layer is not None:
            yield from layer.usable.geometry


def _parcels(
    site: Site, frame: geopandas.GeoDataFrame, ground: BaseGeometry, accuracy_ft: float
) -> ReferenceDifference | None:
    """The site boundary against the parcels that lie mostly inside it."""
    layer = site.role("boundary")
    if layer is None or site.boundary is None:
        return None
    shapes = mended(frame.geometry.to_numpy())
    area = shapely.area(shapes)
    inside = shapely.area(shapely.intersection(shapes, site.boundary))
    own = (area > 0) & (inside >= MOSTLY * area)
    near = ground.buffer(accuracy_ft).union(shapely.union_all(shapes[own]))
    return difference("parcels", frame[own], layer.usable, near, accuracy_ft, site.foot)
