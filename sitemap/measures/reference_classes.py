"""The classes in which a map is compared with its references, and what on the map shows each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import geopandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import mended
from sitemap.measures.flood import floodways, fringes
from sitemap.measures.reference_difference import ROUNDING_FT, ReferenceDifference, difference
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
    site: Site, ground: BaseGeometry, accuracy_ft: float, classes: Sequence[str] = CLASSES
) -> tuple[ReferenceDifference, ...]:
    """The comparison of every class of which a reference was given, in the order of CLASSES."""
    found = (class_difference(site, name, ground, accuracy_ft) for name in classes)
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


def surely_on(ground: BaseGeometry, accuracy_ft: float) -> BaseGeometry:
    """The part of some ground that lies on it however far, within its accuracy, a map is off."""
    return ground.buffer(-accuracy_ft - ROUNDING_FT, join_style="mitre")


def unreached(site: Site, roles: Sequence[str], ground: BaseGeometry) -> str:
    """Why the references say nothing of this ground; empty where one of them reaches it."""
    layers = [layer for role in roles for layer in site.reference.of(role)]
    if not layers:
        return site.reference.why_none(" or ".join(roles))
    if any(layer.touches(ground) for layer in layers):
        return ""
    names = ", ".join(layer.title for layer in layers)
    return f"the extent of {names} does not reach the site, so nothing is known of it here"


def reach_words(site: Site, roles: Sequence[str], ground: BaseGeometry) -> str:
    """Which references were looked at, and which of them end on this ground."""
    layers = [layer for role in roles for layer in site.reference.of(role) if layer.touches(ground)]
    words = [
        layer.title if layer.reaches(ground) else f"{layer.title} (whose extent ends on it)"
        for layer in layers
    ]
    return ", ".join(words)
