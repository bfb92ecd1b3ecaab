"""Floodplain polygons by what they are: special flood hazard area, floodway, fringe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.measures.cover import mended
from sitemap.site import RoleLayer

if TYPE_CHECKING:
    import geopandas

HAZARD_ZONES = ("A", "A99", "AE", "AH", "AO", "AR", "V", "VE")  # 1 % annual chance
OTHER_ZONES = ("X", "D", "OPEN WATER")
STUDIED_ZONES = ("AE",)  # flood heights are known, so that a floodway can be computed


def is_floodway(layer: RoleLayer) -> np.ndarray:
    """True for the usable features that are floodway."""
    return floodway_rows(layer.usable)


def is_hazard(layer: RoleLayer) -> np.ndarray:
    """True for the usable features of the 1 % flood, floodway and fringe alike."""
    return hazard_rows(layer.usable)


def floodway_rows(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """True for the rows that are floodway, by all the words of the flood map for it."""
    return np.asarray(frame["subtype"] == "floodway", dtype=bool)


def hazard_rows(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """True for the rows of the 1 % flood, floodway and fringe alike."""
    named = frame["subtype"].isin(["floodway", "floodfringe"])
    minimal = frame["subtype"].isin(["minimal", "0.2 percent"])
    return np.asarray((frame["zone"].isin(HAZARD_ZONES) & ~minimal) | named, dtype=bool)


def unknown_rows(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """True for the rows of which neither zone nor part says what they are."""
    zone = frame["zone"].isin((*HAZARD_ZONES, *OTHER_ZONES))
    return np.asarray(~zone & frame["subtype"].isna(), dtype=bool)


def floodways(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """The floodway polygons."""
    return frame[floodway_rows(frame)]


def fringes(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """The flood fringe, which no flood map has: the special flood hazard area less its floodway."""
    way = floodway_rows(frame)
    rest = frame[hazard_rows(frame) & ~way]
    cut = shapely.difference(
        mended(rest.geometry.to_numpy()),
        shapely.union_all(mended(frame.geometry.to_numpy()[way])),
    )
    left = rest.set_geometry(type(rest.geometry)(mended(cut), index=rest.index, crs=rest.crs))
    return left[~left.geometry.is_empty]
