"""Waters that only a reference shows, laid beside those that are drawn, for water to be followed.

What the submission draws is taken as drawn. Of a reference only what it does not show is added: so
the flow meets the wetland that nobody drew, and goes on where the drawn stream leaves the sheet.
"""

from __future__ import annotations

from dataclasses import replace

import geopandas
import numpy as np
import pandas
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from sitemap.layer import SOURCE_FID, SOURCE_FILE
from sitemap.measures.reference_classes import class_difference
from sitemap.measures.reference_difference import difference
from sitemap.reference import DOUBT
from sitemap.site import RoleLayer, Site

JOIN = 1.5  # of the accuracy: an end so near to a drawn line was cut off beside it


def with_known_waters(site: Site, accuracy_ft: float) -> Site:
    """The site with the undrawn waters of its references; itself where it has none."""
    window = site.reference.window
    if window is None or not any(
        site.reference.of(r) for r in ("streams", "waterbodies", "wetlands")
    ):
        return site
    added = {
        "streams": _streams(site, window, accuracy_ft),
        "waterbodies": _areas(site, "waterbodies", window, accuracy_ft),
        "wetlands": _areas(site, "wetlands", window, accuracy_ft),
    }
    layers = dict(site.layers)
    for role, frame in added.items():
        if frame is not None and len(frame):
            layers[role] = _joined(site, role, frame)
    return replace(site, layers=layers)


def _streams(site: Site, window: BaseGeometry, accuracy_ft: float) -> geopandas.GeoDataFrame | None:
    """All lines of the network, also through lakes and underground: they lead water on."""
    frame = site.reference.frame("streams")
    if frame is None:
        return None
    layer = site.role("streams")
    drawn = layer.usable if layer is not None else frame.iloc[:0]
    found = difference("streams", frame, drawn, window, accuracy_ft, site.foot)
    rows = found.reference.iloc[found.missing["row"].to_numpy()].copy()
    shapes = found.missing.geometry.to_numpy()
    lines = shapely.force_2d(drawn.geometry.to_numpy())
    lines = lines[shapely.get_dimensions(lines) == 1]
    reached = [_reaching(shape, lines, JOIN * accuracy_ft) for shape in shapes]
    rows = rows.set_geometry(geopandas.GeoSeries(reached, index=rows.index, crs=frame.crs))
    rows["name"] = [
        name if isinstance(name, str) else f"{kind or 'stream'} of {file}, record {fid}"
        for name, kind, file, fid in zip(
            rows["name"], rows["kind"], rows[SOURCE_FILE], rows[SOURCE_FID], strict=True
        )
    ]
    return rows


def _reaching(shape: BaseGeometry, lines: np.ndarray, within_ft: float) -> BaseGeometry:
    """The shape with those ends of its parts drawn on that were cut off beside a drawn line."""
    if not len(lines):
        return shape
    tree = shapely.STRtree(lines)
    parts = []
    for part in shapely.get_parts(shape):
        xy = shapely.get_coordinates(part)
        for end in (0, -1):
            point = shapely.Point(xy[end])
            near = lines[int(tree.nearest(point))]
            if shapely.distance(point, near) <= within_ft:
                met = shapely.get_coordinates(shapely.shortest_line(point, near))[1]
                xy = np.vstack([met, xy]) if end == 0 else np.vstack([xy, met])
        parts.append(LineString(xy))
    return parts[0] if len(parts) == 1 else shapely.MultiLineString(parts)


def _areas(
    site: Site, role: str, window: BaseGeometry, accuracy_ft: float
) -> geopandas.GeoDataFrame | None:
    """Lakes, ponds and wetlands of which nothing is drawn; named for the dataset that has them."""
    found = class_difference(site, role, window, accuracy_ft)
    if found is None:
        return None
    whole = found.missing[found.missing["whole"].to_numpy(dtype=bool)]
    rows = found.reference.iloc[whole["row"].to_numpy()].copy()
    shapes = geopandas.GeoSeries(whole.geometry.to_numpy(), index=rows.index, crs=rows.crs)
    rows = rows.set_geometry(shapes)
    rows = rows[rows[DOUBT].isna().to_numpy()]
    own, word = ("class", "wetland") if role == "wetlands" else ("name", "water body")
    names = [
        f"{text if isinstance(text, str) else f'record {fid}'} of {file}"
        for text, file, fid in zip(rows[own], rows[SOURCE_FILE], rows[SOURCE_FID], strict=True)
    ]
    if role == "wetlands":
        rows["id"] = names
    else:
        rows["name"] = [
            name if not name.startswith("record") else f"{word} {name}" for name in names
        ]
    return rows


def _joined(site: Site, role: str, added: geopandas.GeoDataFrame) -> RoleLayer:
    layer = site.role(role)
    if layer is None or not len(layer.frame):
        return RoleLayer(role, added.reset_index(drop=True), ())
    frame = layer.frame
    more = added.reindex(columns=frame.columns)
    table = {
        name: pandas.Series(
            np.concatenate([frame[name].to_numpy(dtype=object), more[name].to_numpy(dtype=object)])
        )
        for name in frame.columns
        if name != frame.geometry.name
    }
    for name in frame.columns:  # numbers stay numbers
        if name in table and frame[name].dtype.kind in "fi":
            table[name] = pandas.to_numeric(table[name])
    shapes = np.concatenate([frame.geometry.to_numpy(), added.geometry.to_numpy()])
    return RoleLayer(
        role, geopandas.GeoDataFrame(table, geometry=shapes, crs=frame.crs), layer.members
    )
